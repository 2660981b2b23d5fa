import Records

/// Which files are to be read, in turn; those whose stream has no room wait aside.
struct TurnQueue {
    private var ready: [Int] = []
    private var parked: [StreamName: [Int]] = [:]

    /// The streams whose files wait.
    private(set) var backpressure = Backpressure()

    /// Whether a file waits that may be read.
    var hasReady: Bool { !ready.isEmpty }

    var hasParked: Bool { !parked.isEmpty }

    /// Adds a file, which must not be in the queue.
    mutating func add(_ file: Int, of stream: StreamName) {
        if backpressure.streams.contains(stream) {
            parked[stream, default: []].append(file)
        } else {
            ready.append(file)
        }
    }

    /// Takes out all files that may be read, in order.
    mutating func takeReady() -> [Int] {
        var taken: [Int] = []
        swap(&taken, &ready)
        return taken
    }

    /// Orders the files that may be read by something about them, the least first.
    mutating func arrange(by property: (Int) -> Duration) {
        let ordered = ready.enumerated().sorted { left, right in
            (property(left.element), left.offset) < (property(right.element), right.offset)
        }
        ready = ordered.map(\.element)
    }

    /// Notes which streams' files are to wait; those of the others may be read.
    mutating func apply(_ backpressure: Backpressure) {
        self.backpressure = backpressure
        for stream in parked.keys.sorted() where !backpressure.streams.contains(stream) {
            ready += parked.removeValue(forKey: stream) ?? []
        }
    }
}
