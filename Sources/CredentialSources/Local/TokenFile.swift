import AWS
import Platform

/// A file with a token that others write anew before the one in it expires, so that it is never kept.
struct TokenFile: Sendable, Equatable {
    let path: String

    /// The setting that names it.
    let setting: String

    /// The token, which is a secret, without blanks around it.
    func read() throws(CredentialsError) -> String {
        let place = "the file that \(setting) names"
        let bytes: [UInt8]
        do {
            bytes = try readFile(path: path, limit: 64 << 10)
        } catch {
            throw .broken(place: place, reason: "\(error)")
        }
        guard let token = String(validating: bytes, as: UTF8.self)?.trimmedSetting else {
            throw .broken(place: place, reason: "\(path): is empty or not text")
        }
        guard Self.isToken(token) else {
            throw .broken(place: place, reason: "\(path): has more than one line, or control characters")
        }
        return token
    }

    /// Whether a text can be the value of a header.
    static func isToken(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
