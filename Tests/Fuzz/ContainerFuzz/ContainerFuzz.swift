import Containers
import Framing
import FramingInvariants
import Regex

private let startPattern = try? RegularExpression(#"\d"#)

/// Reads the input as a container's log, whole and in pieces between which it crashes: the records are the same.
///
/// The first four bytes choose the format, what a record is and whether the lines are in the format, how long messages may
/// be, the size of the pieces, and what becomes of long and empty messages.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzContainers(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count >= 4, let startPattern else { return 0 }
    let input = Array(UnsafeBufferPointer(start: start + 4, count: count - 4))
    let format = start[0] & 1 == 0 ? ContainerFormat.cri : .docker
    let file = start[0] & 8 == 0 ? input : dressed(input, as: format)
    let container = ContainerRules(
        format: format,
        record: start[0] & 2 == 0 ? nil : ContainerRecord(of: ContainerPlace(path: "/pods/ns_pod_uid/name/0.log")),
        limits: LineLimits(
            maxLineBytes: 2 + Int(start[1]),
            oversized: [.truncate, .split, .skip][Int(start[3]) % 3],
            dropsEmptyLines: start[3] >= 128
        )
    )
    let rules = EventRules(startPattern: start[0] & 4 == 0 ? nil : startPattern, maxEventBytes: 1_000_000)
    let pieces = [1 + Int(start[2])]
    let limits = LineLimits()
    let whole = EventTrace(of: file, pieces: [max(1, file.count)], limits: limits, rules: rules, container: container)
    let interrupted = EventTrace(
        of: file,
        pieces: pieces,
        limits: limits,
        rules: rules,
        container: container,
        crashes: true
    )
    precondition(whole.events == interrupted.events, "a crash must not matter")
    precondition(whole.events.allSatisfy { $0.last == UInt8(ascii: "\n") }, "a record ends with a newline")
    let paused = EventTrace(of: file, pieces: pieces, limits: limits, rules: rules, container: container, pauses: true)
    precondition(paused.ends == paused.ends.sorted(), "the file is never brought back")
    return 0
}

/// Lines in the format; the first byte of each says of which stream it is, whether it is partial, or broken.
private func dressed(_ input: [UInt8], as format: ContainerFormat) -> [UInt8] {
    var file: [UInt8] = []
    for line in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        let choice = line.first ?? 0
        let stream = choice & 1 == 0 ? "stdout" : "stderr"
        let isPartial = choice & 2 != 0
        let message = line.dropFirst()
        switch format {
        case _ where choice & 0x70 == 0x70:
            file += message
        case .cri:
            file += Array("2016-10-06T00:17:09Z \(stream) \(isPartial ? "P" : "F") ".utf8) + message
        case .docker:
            file += Array("{\"stream\":\"\(stream)\",\"log\":\"".utf8) + message
            file += Array("\(isPartial ? "" : "\\n")\",\"time\":\"T\"}".utf8)
        }
        file.append(UInt8(ascii: "\n"))
    }
    return file
}
