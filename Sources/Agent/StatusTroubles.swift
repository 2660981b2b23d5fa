/// What a person must know of an agent's answer first: what is wrong, and what to do about it.
struct StatusTroubles {
    private let root: JSONFields

    /// How many paths are named at most; of the others only the number is told.
    private static let mostPaths = 10

    init(_ root: JSONFields) {
        self.root = root
    }

    /// A line for each; none if nothing is wrong.
    var lines: [String] { cache + root.list("streams").flatMap(lines(of:)) + paths }

    private var cache: [String] {
        let cache = root.object("cache")
        var lines = [cache.text("diskTrouble")].filter { !$0.isEmpty }
        let kept = cache.text("damagedKeptAs")
        if !kept.isEmpty { lines.append("the cache was damaged, and is kept as \(kept); the log says what was saved") }
        return lines
    }

    private func lines(of stream: JSONFields) -> [String] {
        var lines: [String] = []
        if stream.flag("failing") {
            lines.append("nothing delivered, \(stream.number("lastErrorSeconds")) s ago: \(stream.text("lastError"))")
        }
        if stream.flag("cacheIsFull") {
            lines.append("the cache has no more room for it: reading waits until the service takes records")
        }
        if stream.number("deadLetters") > 0 {
            let letters = Amount.count(stream.number("deadLetters"), "dead letter")
            lines.append("\(letters); see `firetail dead-letters`")
        }
        if stream.number("damaged") > 0 {
            lines.append("\(Amount.count(stream.number("damaged"), "record")) could not be read from a damaged cache")
        }
        for (count, what) in [(stream, "records"), (stream.object("lines"), "lines")] where count.number("missing") != 0
        {
            lines.append("\(count.number("missing")) \(what) are missing; please report this")
        }
        return lines.map { "\(stream.text("name")): \($0)" }
    }

    private var paths: [String] {
        let failing = (root.list("unreadable") + root.list("files")).filter { !$0.text("error").isEmpty }
        var lines = failing.map { "\($0.text("path")): \($0.text("error"))" }
        lines += root.list("files").filter { $0.flag("mountedAlone") }.map {
            "\($0.text("path")): is mounted alone, so that no file that takes its place is seen; mount its directory"
        }
        let others = lines.count - Self.mostPaths
        return others > 0 ? lines.prefix(Self.mostPaths) + ["and \(Amount.number(others)) more"] : lines
    }
}
