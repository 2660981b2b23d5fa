import Framing
import FramingInvariants
import Regex

private let startPattern = try? RegularExpression(#"\d"#)

/// Frames the input whole and in pieces: where a read ends must not matter, and no byte may go missing.
///
/// The first four bytes choose the limit, the terminator's size, the size of the pieces and that of events.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFraming(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count >= 4, let startPattern else { return 0 }
    let file = Array(UnsafeBufferPointer(start: start + 4, count: count - 4))
    let maxLineBytes = 1 + Int(start[0])
    let terminator = [UInt8](repeating: UInt8(ascii: "~"), count: min(maxLineBytes, Int(start[1]) % 4))
    let limits = LineLimits(maxLineBytes: maxLineBytes, cutTerminator: terminator)
    let whole = FramingTrace(of: file, pieces: [max(1, file.count)], limits: limits)
    let piecewise = FramingTrace(of: file, pieces: [1 + Int(start[2])], limits: limits, restarts: true)
    precondition(whole == piecewise, "where a read ends must not matter")
    if let fault = whole.fault(for: file, limits: limits) { preconditionFailure(fault) }
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
