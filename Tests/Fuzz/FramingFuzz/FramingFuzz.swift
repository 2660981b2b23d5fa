import Framing
import FramingInvariants

/// Frames the input whole and in pieces: where a read ends must not matter, and no byte may go missing.
///
/// The first three bytes choose the limit, the terminator's size and the size of the pieces.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFraming(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count >= 3 else { return 0 }
    let file = Array(UnsafeBufferPointer(start: start + 3, count: count - 3))
    let maxLineBytes = 1 + Int(start[0])
    let terminator = [UInt8](repeating: UInt8(ascii: "~"), count: min(maxLineBytes, Int(start[1]) % 4))
    let limits = LineLimits(maxLineBytes: maxLineBytes, cutTerminator: terminator)
    let whole = FramingTrace(of: file, pieces: [max(1, file.count)], limits: limits)
    let piecewise = FramingTrace(of: file, pieces: [1 + Int(start[2])], limits: limits, restarts: true)
    precondition(whole == piecewise, "where a read ends must not matter")
    if let fault = whole.fault(for: file, limits: limits) { preconditionFailure(fault) }
    return 0
}
