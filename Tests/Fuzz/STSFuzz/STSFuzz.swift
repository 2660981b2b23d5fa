import CredentialSources

/// Any bytes are texts or malformed; a document that ends early is none, and blanks around it do not matter.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let texts = try? XMLTexts(bytes) else { return 0 }
    for path in ["Credentials/AccessKeyId", "Credentials/SessionToken", "Error/Code", "Error/Message"] {
        guard let text = texts[path] else { continue }
        precondition(text.utf8.count <= bytes.count, "no text is longer than what it was read from")
    }
    guard let end = bytes.lastIndex(of: UInt8(ascii: ">")) else { preconditionFailure("a document has an element") }
    precondition((try? XMLTexts(Array(bytes[..<end]))) == nil, "a document that ends early is none")
    precondition((try? XMLTexts([0x20] + bytes + [0x0A])) == texts, "blanks around it do not matter")
    return 0
}
