import Records

/// Which files are to be read, in turn; those whose stream has no room wait aside.
struct TurnQueue {
    private var ready: [Int] = []
    private var parked: [StreamName: [Int]] = [:]

    /// The streams that have no room for more.
    private(set) var fullStreams: Set<StreamName> = []

    /// Whether a file waits that may be read.
    var hasReady: Bool { !ready.isEmpty }

    var hasParked: Bool { !parked.isEmpty }

    /// Adds a file, which must not be in the queue.
    mutating func add(_ file: Int, of stream: StreamName) {
        if fullStreams.contains(stream) {
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

    /// Notes which streams have no room now; the files of those that have room again may be read.
    mutating func setFull(_ streams: Set<StreamName>) {
        guard streams != fullStreams else { return }
        fullStreams = streams
        for stream in parked.keys.sorted() where !streams.contains(stream) {
            ready += parked.removeValue(forKey: stream) ?? []
        }
    }
}
