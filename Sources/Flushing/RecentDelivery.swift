/// How much of a stream was delivered in the last seconds in which there was something to send.
///
/// Time in which a stream is idle, or gathers a fuller batch, says nothing about what its service takes and is not
/// counted.
struct RecentDelivery {
    typealias Instant = ContinuousClock.Instant

    /// Over how many seconds it looks back.
    private static let seconds = 3.0

    /// Bytes that were accepted, the less the longer ago: at a steady rate, as many as in that time.
    private(set) var bytes = 0.0

    /// Until when time has been counted; nil if it is not counted at present.
    private var countedUntil: Instant?

    /// Time has passed, and from now on it is counted if there is something to send.
    mutating func pass(until now: Instant, isSending: Bool) {
        if let countedUntil { bytes /= 1 + (now - countedUntil) / .seconds(1) / Self.seconds }
        countedUntil = isSending ? now : nil
    }

    mutating func accepted(_ count: Int) {
        bytes += Double(count)
    }
}
