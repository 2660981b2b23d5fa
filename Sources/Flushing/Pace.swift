/// How fast requests may follow each other on a stream that was throttled.
///
/// A throttled request slows the pace to as little as half. While requests are accepted it gains, for each `unit` of
/// time, one request a `unit` (additive increase, multiplicative decrease), until it does not matter any more.
struct Pace {
    /// The least time from the start of one request to the start of the next; zero is as fast as possible.
    private(set) var gap: Duration = .zero

    private let unit: Duration
    private let longestGap: Duration

    init(unit: Duration, longestGap: Duration) {
        self.unit = unit
        self.longestGap = longestGap
    }

    /// A request was throttled, of whose records this share (above 0, at most 1) was not accepted.
    mutating func throttled(share: Double) {
        gap = min(longestGap, max(gap * (1 + share), unit * (share / 4)))
    }

    /// A request was accepted whole.
    mutating func accepted() {
        guard gap > .zero else { return }
        let gain = min(1, gap / unit)
        gap /= 1 + gain * (gap / unit)
        if gap < unit / 50 { gap = .zero }
    }
}
