import Encodings
import Framing
import FramingInvariants
import Regex

private let newlines = [
    TextEncoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
].map { Newline(of: $0) }

private let startPattern = try? RegularExpression(#"\d"#)

/// Frames the input whole and in pieces: where a read ends must not matter, and no byte may go missing.
///
/// The first six bytes choose the limit, the terminator's size, the size of the pieces and that of events, what becomes
/// of long and of empty lines, and the encoding and the header.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFraming(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count >= 6, let startPattern else { return 0 }
    let file = Array(UnsafeBufferPointer(start: start + 6, count: count - 6))
    let maxLineBytes = 2 + Int(start[0])
    let terminator = [UInt8](repeating: UInt8(ascii: "~"), count: min(maxLineBytes, Int(start[1]) % 4))
    let limits = LineLimits(
        maxLineBytes: maxLineBytes,
        cutTerminator: terminator,
        oversized: [.truncate, .split, .skip][Int(start[4]) % 3],
        dropsEmptyLines: start[4] >= 128
    )
    for newline in [.byte, newlines[Int(start[5]) % newlines.count]] {
        let header = Int(start[5]) / newlines.count % 4
        let pieces = [1 + Int(start[2])]
        let whole = FramingTrace(
            of: file,
            pieces: [max(1, file.count)],
            limits: limits,
            newline: newline,
            headerLines: header
        )
        let piecewise = FramingTrace(
            of: file,
            pieces: pieces,
            limits: limits,
            newline: newline,
            headerLines: header,
            restarts: true
        )
        precondition(whole == piecewise, "where a read ends must not matter")
        if let fault = whole.fault(for: file, limits: limits) { preconditionFailure(fault) }
    }
    let whole = FramingTrace(of: file, pieces: [max(1, file.count)], limits: limits)
    let rules = EventRules(startPattern: startPattern, maxEventBytes: 1 + Int(start[3]))
    check(file, pieces: [1 + Int(start[2])], lines: whole, limits: limits, rules: rules)
    return 0
}

/// The same for events, which also must come out alike after crashes.
private func check(_ file: [UInt8], pieces: [Int], lines: FramingTrace, limits: LineLimits, rules: EventRules) {
    let whole = EventTrace(of: file, pieces: [max(1, file.count)], limits: limits, rules: rules)
    let interrupted = EventTrace(of: file, pieces: pieces, limits: limits, rules: rules, crashes: true)
    precondition(whole.events == interrupted.events && whole.ends == interrupted.ends, "a crash must not matter")
    let paused = EventTrace(of: file, pieces: pieces, limits: limits, rules: rules, pauses: true)
    for trace in [whole, paused] {
        if let fault = trace.fault(for: lines) { preconditionFailure(fault) }
    }
}
