import Discovery
import Encodings
import Framing
import Packing
import Records
import Regex

/// One flow at work: its packer, and which files' bytes are in it.
struct FlowLane {
    let flow: IntakeFlow
    let walk: DirectoryWalk

    /// When the oldest line came into the packer that is in no finished chunk; nil if there is none.
    private(set) var openSince: ContinuousClock.Instant?

    /// Lines and bytes read so far, and what was done to lines that are too long.
    var counts = IntakeCounts()

    /// Which lines begin events; nil if each line is one.
    let startMatcher: PrefixMatcher?

    /// What became of lines besides records since it was last told.
    var eventNews = EventCounts()

    /// What was said about the start pattern.
    private var knownTrouble: Set<IntakeEvent.PatternTrouble> = []

    var packer: RecordPacker
    var segments = SegmentQueue()
    var spareLengths: [Int] = []
    var spareText: [UInt8] = []

    /// What makes UTF-8 of the files that are in other encodings.
    var decoders: [TextEncoding: TextDecoder] = [:]

    init(_ flow: IntakeFlow) {
        self.flow = flow
        walk = DirectoryWalk(flow.pattern)
        packer = RecordPacker(settings: flow.packing)
        startMatcher = flow.events.startPattern.map { PrefixMatcher($0) }
    }

    /// Whether lines wait for others to share their record, instead of going at once.
    var lingers: Bool { flow.packing.aggregatedRecordSizeBytes > 0 }

    /// When the open record is to be finished, whether it is full or not.
    var deadline: ContinuousClock.Instant? { openSince.map { $0 + (lingers ? flow.linger : .zero) } }

    /// Notes the time if lines wait in the packer.
    mutating func note(_ now: ContinuousClock.Instant) {
        openSince = packer.openBytes == 0 ? nil : openSince ?? now
    }

    /// Ends the open record.
    mutating func finish() {
        packer.finish()
        openSince = nil
    }

    /// Hands over the finished records, and tells how far that brings each file.
    mutating func collect(
        at now: ContinuousClock.Instant,
        _ moved: (_ file: Int, SegmentQueue.Position) -> Void
    ) -> [RecordBatch] {
        var batches: [RecordBatch] = []
        segments.pop(0, moved)
        while let chunk = packer.takeFinished() {
            segments.pop(chunk.counts.sourceBytes, moved)
            counts.records += chunk.counts.records
            counts.recordLines += chunk.counts.lines
            counts.cutLines += chunk.counts.shortenedLines
            counts.droppedBytes += chunk.counts.droppedBytes
            batches.append(chunk.records)
        }
        // What is left came after the lines that filled the last chunk.
        if !batches.isEmpty { openSince = packer.openBytes == 0 ? nil : now }
        return batches
    }

    /// What is wrong with the start pattern, unless it was told before.
    mutating func takeTroubleWithPattern() -> IntakeEvent.PatternTrouble? {
        guard let startMatcher else { return nil }
        let isUseless = startMatcher.matches == 0 && (startMatcher.attempts >= 1_000 || counts.splitEvents > 0)
        if isUseless, knownTrouble.insert(.neverMatches).inserted { return .neverMatches }
        if startMatcher.givenUp > 0, knownTrouble.insert(.takesTooLong).inserted { return .takesTooLong }
        return nil
    }

    /// Takes back memory.
    mutating func reuse(_ batch: consuming RecordBatch) {
        packer.reuse(batch)
    }
}
