import AWS
import CredentialSources

/// Any answer of a metadata service or a program is credentials or an error; keys fit into a header, and no error has them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let document = CredentialsDocument(bytes) else { return 0 }
    let complaint = document.complaint()
    precondition((complaint ?? "").unicodeScalars.count <= 300, "what it says fits into a line")
    for token in ["Token", "SessionToken"] {
        do throws(CredentialsError) {
            let found = try document.credentials(token: token, place: "here")
            let parts = [found.accessKeyID, found.secretAccessKey, found.sessionToken ?? "x"]
            precondition(parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
        } catch {
            guard case .broken(_, let reason) = error else {
                preconditionFailure("a place that answers has been found")
            }
            let isOurs = reason == complaint || !reason.contains("\0")
            precondition(isOurs && reason.unicodeScalars.count <= 300, "an error is a line")
        }
    }
    return 0
}
