import Containers
import Framing
import Regex

/// Makes events of framed lines, each of which is looked at and begins one.
func assembleEvents(byteCount: Int) -> Row {
    guard let pattern = try? RegularExpression(#"\d{4}-\d\d-\d\dT"#) else { preconditionFailure("it is a pattern") }
    let rules = EventRules(startPattern: pattern)
    let assembler = EventAssembler(rules: rules, matcher: PrefixMatcher(pattern), at: FramingPosition(offset: 0))
    return assemble(FramedLog(), assembler, byteCount: byteCount)
}

/// Takes the lines of a Kubernetes log apart.
func assembleContainers(byteCount: Int) -> Row {
    let container = ContainerRules(format: .cri, record: nil, limits: LineLimits())
    let assembler = ContainerAssembler(
        rules: EventRules(),
        container: container,
        matcher: nil,
        at: FramingPosition(offset: 0)
    )
    let prefix = Array("2024-05-01T10:00:00.123456789Z stdout F ".utf8)
    var bytes: [UInt8] = []
    for line in SampleLog.make().split(separator: UInt8(ascii: "\n")) { bytes += prefix + line + [UInt8(ascii: "\n")] }
    return assemble(FramedLog(bytes: bytes), assembler, byteCount: byteCount)
}

private func assemble(_ log: FramedLog, _ assembler: any LineAssembler, byteCount: Int) -> Row {
    var log = log
    var assembler = assembler
    var offset = 0
    var events = 0
    let now = ContinuousClock.now
    return measure(bytesARound: log.bytes.count, byteCount: byteCount) {
        log.forEachRun { lines, lengths in
            var start = 0
            for index in lengths.indices {
                let line = lines.extracting(start..<start + lengths[index])
                start += lengths[index]
                let end = FramingPosition(offset: offset + start)
                assembler.add(line, terminator: line.extracting(first: 0), upTo: end, at: now) { _, _ in events += 1 }
            }
            offset += start
        }
    }
}
