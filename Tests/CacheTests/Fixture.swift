import Cache
import Records
import TestSupport
import Testing

/// A cache in a directory of its own, as a client opens it.
struct Fixture {
    let directory: TemporaryDirectory
    let location: CacheLocation

    init() throws {
        directory = try TemporaryDirectory()
        location = .file(directory.path("records.db"))
    }

    func open(maxBytes: Int = 1 << 30, durability: CacheDurability = .eachSecond) throws(CacheError) -> RecordCache {
        try RecordCache(at: location, maxBytes: maxBytes, durability: durability)
    }

    static let logs = stream("logs")
    static let audit = stream("audit")

    /// Makes the tables as they were before lines were counted.
    static let removingLines = (["dead_letter.lines"] + lineColumns.map { "stream.\($0)" }).map { column in
        let parts = column.split(separator: ".")
        return "ALTER TABLE \(parts[0]) DROP COLUMN \(parts[1]);"
    }.joined(separator: "\n")

    private static let lineColumns = [
        "given", "lines", "given_lines", "delivered_lines", "dead_letter_lines", "dropped_lines", "damaged_lines",
    ]

    private static func stream(_ name: String) -> StreamName {
        guard let stream = StreamName(name) else { preconditionFailure("\(name) is no name of a stream") }
        return stream
    }
}

extension RecordGroup {
    init(_ records: [(StreamName, String)]) {
        self.init()
        for (stream, text) in records { append(Array(text.utf8).span, to: stream) }
    }

    init(_ texts: [String], to stream: StreamName = Fixture.logs) {
        self.init(texts.map { (stream, $0) })
    }
}

extension RecordCache {
    /// What the next request of a stream would hold; nothing stays lent.
    func next(_ stream: StreamName = Fixture.logs, _ limits: BatchLimits = BatchLimits()) throws -> [String] {
        guard let lease = try lease(stream, atMost: limits, filling: true) else { return [] }
        try settle(lease, as: .returned(charged: false))
        return lease.batch.texts
    }
}
