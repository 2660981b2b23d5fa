import Discovery
import Framing
import Packing
import Records

/// One flow at work: its packer, and which files' bytes are in it.
struct FlowLane {
    let flow: IntakeFlow
    let walk: DirectoryWalk

    /// When the oldest line came into the packer that is in no finished chunk; nil if there is none.
    private(set) var openSince: ContinuousClock.Instant?

    /// Lines and bytes read so far, and what was done to lines that are too long.
    private(set) var counts = IntakeCounts()

    private var packer: RecordPacker
    private var segments = SegmentQueue()
    private var spareLengths: [Int] = []

    init(_ flow: IntakeFlow) {
        self.flow = flow
        walk = DirectoryWalk(flow.pattern)
        packer = RecordPacker(settings: flow.packing)
    }

    /// Whether lines wait for others to share their record, instead of going at once.
    var lingers: Bool { flow.packing.aggregatedRecordSizeBytes > 0 }

    /// When the open record is to be finished, whether it is full or not.
    var deadline: ContinuousClock.Instant? { openSince.map { $0 + (lingers ? flow.linger : .zero) } }

    /// What became of some bytes of a file.
    struct Taken: Equatable {
        /// How many bytes are dealt with; the rest is a line that has not ended.
        var count = 0

        /// Whether they end in a line that was cut.
        var isSkippingLine: Bool

        /// How many lines were cut.
        var cutLines = 0
    }

    /// Packs the lines of `bytes`, which begin at `offset` of a file.
    mutating func take(_ bytes: Span<UInt8>, of file: Int, at offset: Int, isSkippingLine: Bool) -> Taken {
        var framer = LineFramer(limits: flow.lines, isSkipping: isSkippingLine)
        let terminator = flow.lines.cutTerminator
        var lengths: [Int] = []
        swap(&lengths, &spareLengths)
        defer { swap(&lengths, &spareLengths) }
        var position = 0
        var cutLines = 0
        while true {
            let framed = framer.next(in: bytes, from: position, lengths: &lengths)
            let range: Range<Int>
            var sourceBytes = 0
            switch framed {
            case .lines(let lines):
                range = lines
                sourceBytes = lines.count
                counts.lines += lengths.count
                packer.add(contentsOf: bytes.extracting(lines), lengths: lengths.span)
            case .cut(let content):
                range = content
                sourceBytes = content.count
                counts.lines += 1
                cutLines += 1
                packer.add(bytes.extracting(content), terminator: terminator.span)
            case .skipped(let rest):
                range = rest
                counts.droppedBytes += rest.count
            case .incomplete:
                counts.bytes += position
                counts.cutLines += cutLines
                return Taken(count: position, isSkippingLine: framer.isSkipping, cutLines: cutLines)
            }
            position = range.upperBound
            segments.append(
                file: file,
                start: offset + range.lowerBound,
                sourceBytes: sourceBytes,
                end: .init(offset: offset + position, isSkippingLine: framer.isSkipping)
            )
        }
    }

    /// Packs what a file that ended has left, as a line with the newline that it lacks.
    mutating func takeLast(_ rest: Span<UInt8>, of file: Int, at offset: Int, isSkippingLine: Bool) {
        let framer = LineFramer(limits: flow.lines, isSkipping: isSkippingLine)
        var sourceBytes = 0
        if let line = framer.finish(in: rest, from: 0) {
            sourceBytes = line.count
            counts.lines += 1
            packer.add(rest.extracting(line), terminator: [UInt8(ascii: "\n")].span)
        }
        counts.bytes += rest.count
        let end = SegmentQueue.Position(offset: offset + rest.count, isSkippingLine: false)
        segments.append(file: file, start: offset, sourceBytes: sourceBytes, end: end)
    }

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
            counts.cutLines += chunk.counts.shortenedLines
            counts.droppedBytes += chunk.counts.droppedBytes
            batches.append(chunk.records)
        }
        // What is left came after the lines that filled the last chunk.
        if !batches.isEmpty { openSince = packer.openBytes == 0 ? nil : now }
        return batches
    }

    /// Takes back memory.
    mutating func reuse(_ batch: consuming RecordBatch) {
        packer.reuse(batch)
    }
}
