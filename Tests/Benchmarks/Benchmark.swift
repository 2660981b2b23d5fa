import Packing

/// What can be measured, under the name by which it is asked for.
struct Stage: Sendable {
    let name: String
    let summary: String

    /// Does the stage's work on at least this many bytes of log lines.
    let run: @Sendable (_ byteCount: Int) async -> [Row]

    init(name: String, summary: String, run: @escaping @Sendable (_ byteCount: Int) async -> Row) {
        self.init(name: name, summary: summary, rows: { [await run($0)] })
    }

    /// A stage that compares several ways of doing the same.
    init(name: String, summary: String, rows: @escaping @Sendable (_ byteCount: Int) async -> [Row]) {
        self.name = name
        self.summary = summary
        run = rows
    }
}

/// Every stage, in the order in which data pass them.
///
/// A new one is a function that returns a row, in a file of its own, and an entry here; whatever it needs to have at
/// hand (a database, a key) it makes itself before it measures.
let stages: [Stage] = [
    Stage(name: "frame", summary: "find the lines of a buffer", run: frame),
    Stage(name: "events", summary: "match framed lines, each an event", run: assembleEvents),
    Stage(name: "containers", summary: "take framed lines of a Kubernetes log apart", run: assembleContainers),
    Stage(name: "pack", summary: "copy framed lines, each a record") { pack(PackingSettings(), byteCount: $0) },
    Stage(name: "frame+pack", summary: "both") { frameAndPack(PackingSettings(), byteCount: $0) },
    Stage(name: "pack-joined", summary: "copy framed lines into records of 100 KiB") {
        pack(PackingSettings(aggregatedRecordSizeBytes: 102_400), byteCount: $0)
    },
    Stage(name: "frame+pack-gzip", summary: "frame, join to 256 KiB and compress") {
        frameAndPack(PackingSettings(aggregatedRecordSizeBytes: 262_144, compression: .gzip), byteCount: $0)
    },
    Stage(name: "gzip", summary: "compress pieces of 256 KiB", run: compress),
    Stage(name: "append", summary: "store records in the cache, lease them and acknowledge them", run: append),
    Stage(name: "record", summary: "store single records, each on the disk at once", rows: record),
    Stage(name: "drain", summary: "take small and large caches apart, in full requests", rows: drain),
    Stage(name: "encode+hash", summary: "write and hash request bodies, a line a record") {
        encodeAndHash(PackingSettings(), byteCount: $0)
    },
    Stage(name: "encode+hash-joined", summary: "the same for records of 1,024,000 bytes") {
        encodeAndHash(PackingSettings(aggregatedRecordSizeBytes: 1_024_000), byteCount: $0)
    },
    Stage(name: "ship", summary: "the whole agent into a server on loopback, a line a record") {
        await pipeline(#""compression": "none""#, byteCount: $0)
    },
    Stage(name: "ship-events", summary: "the same, each line matched with a start pattern") {
        await pipeline(
            #""multiLineStartPattern": "\\d{4}-\\d\\d-\\d\\dT", "multiLineTimeoutMillis": 100"#,
            byteCount: $0
        )
    },
    Stage(name: "ship-joined", summary: "the same, joined to 1,024,000 bytes") {
        await pipeline(#""aggregatedRecordSizeBytes": 1024000"#, byteCount: $0)
    },
    Stage(name: "ship-gzip", summary: "the same, joined and compressed") {
        await pipeline(#""aggregatedRecordSizeBytes": 1024000, "compression": "gzip""#, byteCount: $0)
    },
    Stage(name: "ship-shapes", summary: "long lines, idle files and many files, a line a record", rows: shapes),
    Stage(name: "wait", summary: "agents that have nothing to do, or cannot; 140 seconds, whatever N is") { _ in
        await waiting()
    },
    Stage(name: "pace", summary: "agents at a stream that takes a MiB a second; 70 seconds, whatever N is") { _ in
        await pace()
    },
]

/// What a stage did and what it cost.
struct Row: Sendable {
    /// What tells it from the stage's other rows; added to the stage's name.
    var name = ""

    /// Bytes of log lines that it worked on.
    let bytes: Int

    /// User and system time.
    let cpuSeconds: Double

    /// What else there is to say, such as a ratio.
    var remark = ""

    var megabytes: Double { Double(bytes) / 1e6 }
    var megabytesPerCPUSecond: Double { megabytes / max(cpuSeconds, 1e-6) }
}

/// Measures as many rounds as take at least `byteCount` bytes, after one that is not measured.
///
/// The first round touches memory and warms the code; an agent that runs for months pays for neither.
func measure(bytesARound: Int, byteCount: Int, _ round: () -> Void) -> Row {
    let rounds = max(1, (byteCount + bytesARound - 1) / bytesARound)
    round()
    let start = processCPUSeconds()
    for _ in 0..<rounds { round() }
    return Row(bytes: rounds * bytesARound, cpuSeconds: processCPUSeconds() - start)
}

/// The same for work that waits.
func measure(bytesARound: Int, byteCount: Int, _ round: () async throws -> Void) async throws -> Row {
    let rounds = max(1, (byteCount + bytesARound - 1) / bytesARound)
    try await round()
    let start = processCPUSeconds()
    for _ in 0..<rounds { try await round() }
    return Row(bytes: rounds * bytesARound, cpuSeconds: processCPUSeconds() - start)
}
