import Bytes
import Containers

/// What one stream of a container has written of an event that has not ended.
struct OpenMessage {
    /// The messages, with newlines between them.
    var text: [UInt8] = []

    /// Where the line of its first part begins, in bytes from the start of the file; nil if nothing is open.
    var start: Int?

    /// When its first part was written, as the runtime has it.
    var time: [UInt8] = []

    /// When it was last added to.
    var grownAt: ContinuousClock.Instant?

    /// Where its last message begins: in `text`, and its line in the file.
    var last = (byte: 0, offset: 0)

    /// How many lines it took, and how many of them the last message.
    var lines = (all: 0, last: 0)

    /// Whether the last message has not ended.
    var isPartial = false

    /// Whether the last message is too long, and what follows of it is not wanted.
    var isDropping = false

    /// Whether something is missing at the end of its last message; where records are objects, of any.
    var isCut = false

    /// How many bytes the last message has.
    var lastBytes: Int { text.count - last.byte }

    /// Begins one more message.
    mutating func begin(at offset: Int, _ time: Span<UInt8>) {
        if start == nil {
            start = offset
            self.time.append(copying: time)
        } else {
            text.append(UInt8(ascii: "\n"))
        }
        last = (text.count, offset)
        lines.last = 0
        isPartial = true
        isDropping = false
        isCut = false
    }

    /// Forgets everything but keeps some memory.
    mutating func removeAll() {
        text.removeAll(keepingAtMost: ContainerAssembler.keptBytes)
        time.removeAll(keepingCapacity: true)
        start = nil
        grownAt = nil
        lines = (0, 0)
        isPartial = false
        isDropping = false
        isCut = false
    }
}

/// Events that have ended, but must not go before others that began earlier and have not.
///
/// If they went, a crash would have them read and sent again.
struct HeldEvents {
    struct Event {
        /// Nil: it is a message of which nothing is kept.
        let record: [UInt8]?

        /// Where its first line begins and its last one ends, in bytes from the start of the file.
        let range: Range<Int>

        /// How many lines it took.
        let lines: Int
        let since: ContinuousClock.Instant
    }

    /// In the order in which they began.
    private var events: [Event] = []
    private(set) var bytes = 0

    var first: Event? { events.first }

    mutating func add(_ event: Event) {
        let index = events.lastIndex { $0.range.lowerBound <= event.range.lowerBound }.map { $0 + 1 } ?? 0
        events.insert(event, at: index)
        bytes += event.record?.count ?? 0
    }

    /// How many events at the front can go together, since nothing that began before their end is open or held.
    func countOfClosed(before open: Int) -> Int {
        var end = events.first?.range.upperBound ?? 0
        for (index, event) in events.enumerated() {
            guard event.range.lowerBound < end else { return end <= open ? index : 0 }
            end = max(end, event.range.upperBound)
        }
        return end <= open ? events.count : 0
    }

    /// Takes events from the front.
    mutating func take(_ count: Int) -> [Event] {
        let taken = Array(events.prefix(count))
        events.removeFirst(count)
        for event in taken { bytes -= event.record?.count ?? 0 }
        return taken
    }
}
