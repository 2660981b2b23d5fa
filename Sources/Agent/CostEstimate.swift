import Configuration
import Discovery
import Intake
import Packing
import Platform
import Records

/// What the service would bill for a flow, from the latest lines of a few of its files.
///
/// It takes each line as an event, and full records for granted where lines are joined.
struct CostEstimate {
    /// What each record is rounded up to a multiple of, in bytes.
    static let step = 5_120

    /// How many files are looked at, and how many bytes of each.
    private static let files = 4
    private static let bytesOfFile = 262_144

    private(set) var lines = 0
    private(set) var records = 0

    /// Bytes of the lines as they are in their files.
    private(set) var read = 0

    /// Bytes that are paid for.
    private(set) var billed = 0

    /// Takes a sample; nil if there is none to be had.
    ///
    /// With `joining` it tells what would be if lines were joined to the largest records.
    init?(of flow: FlowConfiguration, joining: Bool = false) throws {
        let settings = try IntakeFlow(flow)
        let packing = PackingSettings(
            aggregatedRecordSizeBytes: joining ? 1_024_000 : settings.packing.aggregatedRecordSizeBytes,
            compression: settings.packing.compression,
            cutTerminator: settings.packing.cutTerminator
        )
        var packer = RecordPacker(settings: packing)
        let found = DirectoryWalk(settings.pattern).scan().files.sorted { $0.modified > $1.modified }
        for file in found.prefix(Self.files) {
            let sample = Self.latestLines(of: file)
            for line in sample.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
                let line = Array(line.prefix(flow.maxLineBytes)) + [UInt8(ascii: "\n")]
                packer.add(line.span)
                lines += 1
            }
            read += sample.count
        }
        packer.finish()
        while let chunk = packer.takeFinished() {
            records += chunk.records.count
            billed += chunk.records.lengths.reduce(0) { $0 + Self.billed($1) }
        }
        guard read > 0 else { return nil }
    }

    /// What is paid for a record of this many bytes.
    static func billed(_ bytes: Int) -> Int { (bytes + step - 1) / step * step }

    /// The last whole lines of a file; none if it cannot be read.
    private static func latestLines(of file: FoundFile) -> ArraySlice<UInt8> {
        var bytes: [UInt8] = []
        let start = max(0, file.size - bytesOfFile)
        guard let descriptor = try? FileDescriptor(opening: file.path, for: .reading),
            (try? descriptor.read(appendingTo: &bytes, count: bytesOfFile, at: start)) != nil,
            let end = bytes.lastIndex(of: UInt8(ascii: "\n"))
        else { return [] }
        let whole = bytes[...end]
        guard start > 0, let first = whole.firstIndex(of: UInt8(ascii: "\n")) else { return whole }
        return whole[(first + 1)...]
    }

    /// Such as `about 24.7 times the bytes that are read`.
    var factor: String { "about \(billed * 10 / read / 10).\(billed * 10 / read % 10) times the bytes that are read" }

    /// The factor, and what it was found from.
    var description: String {
        "billed \(factor) (\(Amount.count(lines, "line")) of \(Amount.bytes(read)) are "
            + "\(Amount.count(records, "record")) billed as \(Amount.bytes(billed)))"
    }
}
