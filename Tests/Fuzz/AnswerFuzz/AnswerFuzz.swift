import Firehose

/// Any answer is read or refused, and what it says fits a batch of just its own size; an answer that ends early says nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let body = Array(UnsafeBufferPointer(start: start, count: count))
    let error = ServiceError(status: 400, header: nil, body: body.span)
    precondition(error.failure(at: "").reason.unicodeScalars.count < 350)

    guard let answer = BatchAnswer(body.span) else { return 0 }
    precondition(answer.delivery(of: answer.count + 1) == nil)
    precondition(answer.refusals.keys.allSatisfy { (0..<answer.count).contains($0) })
    if case .partlyAccepted(let refusals)? = answer.delivery(of: answer.count) {
        precondition(refusals.count == answer.count)
        precondition(refusals.count { $0 != nil } == answer.refusals.count)
    }
    guard let end = body.lastIndex(of: UInt8(ascii: "}")) else { preconditionFailure("an answer is an object") }
    precondition(BatchAnswer(body.span.extracting(0..<end)) == nil)
    return 0
}
