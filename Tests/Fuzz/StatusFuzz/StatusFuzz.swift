import Agent

/// Any question is known or not, and any answer is read or refused; what is read can be shown.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let question = StatusQuestion(bytes) { precondition(bytes.starts(with: question.rawValue.utf8)) }
    if let report = try? StatusReport(bytes) { precondition(report.description.hasSuffix("\n")) }
    return 0
}
