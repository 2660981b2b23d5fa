import Records

/// Which files are to be read, in turn; those that are not to be read for now wait aside.
struct TurnQueue {
    private var ready: [Int] = []

    /// The files of streams that have no room.
    private var parked: [StreamName: [Int]] = [:]

    /// Files that are far behind, of streams that have used up their lead.
    private var heldBack: [StreamName: [Int]] = [:]

    /// The streams whose files wait.
    private(set) var backpressure = Backpressure()

    /// Whether a file waits that may be read.
    var hasReady: Bool { !ready.isEmpty }

    var hasParked: Bool { !parked.isEmpty || !heldBack.isEmpty }

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

    /// Notes what is to wait; the other files may be read.
    mutating func apply(_ backpressure: Backpressure) {
        self.backpressure = backpressure
        for stream in parked.keys.sorted() where !backpressure.streams.contains(stream) {
            ready += parked.removeValue(forKey: stream) ?? []
        }
        for stream in heldBack.keys.sorted() where lead(of: stream) != 0 {
            for file in heldBack.removeValue(forKey: stream) ?? [] { add(file, of: stream) }
        }
    }
}

// MARK: The lead

extension TurnQueue {
    /// How many bytes may still be read of a stream's files that are far behind; nil is no limit.
    func lead(of stream: StreamName) -> Int? { backpressure.leads[stream] }

    /// Notes that so many bytes of such files were read.
    mutating func useLead(_ bytes: Int, of stream: StreamName) {
        guard let lead = lead(of: stream) else { return }
        backpressure.leads[stream] = max(0, lead - bytes)
    }

    /// Adds a file that is far behind, which must not be in the queue; it waits until its stream has a lead again.
    mutating func holdBack(_ file: Int, of stream: StreamName) {
        heldBack[stream, default: []].append(file)
    }

    /// Has a file that was held back wait no longer.
    mutating func release(_ file: Int, of stream: StreamName) {
        guard let index = heldBack[stream]?.firstIndex(of: file) else { return }
        heldBack[stream]?.remove(at: index)
        if heldBack[stream]?.isEmpty == true { heldBack[stream] = nil }
        add(file, of: stream)
    }
}
