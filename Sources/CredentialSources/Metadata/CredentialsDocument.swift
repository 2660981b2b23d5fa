package import AWS
import JSON

/// Keys in a JSON text, as metadata services and processes write them.
///
/// Nothing that it says repeats a value but `Code` and `Message`.
package struct CredentialsDocument {
    private let members: JSONObject

    /// - Returns: nil if the text is not a JSON object.
    package init?(_ bytes: [UInt8]) {
        let options = JSONOptions(allowsComments: false, depthLimit: 8)
        guard let document = try? JSONDocument(parsing: bytes, options: options), document.trailing == nil,
            case .object(let members) = document.root.content
        else { return nil }
        self.members = members
    }

    /// A text in it, under the first of these names that has one; an empty one counts as none.
    package func text(_ names: String...) -> String? {
        for name in names {
            if case .string(let text)? = members[name]?.value.content, !text.isEmpty { return text }
        }
        return nil
    }

    /// A whole number in it.
    func integer(_ name: String) -> Int? {
        guard case .number(let number)? = members[name]?.value.content else { return nil }
        return number.integer
    }

    /// What it says went wrong, in one line, without these secrets; nil if it says nothing.
    package func complaint(hiding secrets: [String] = []) -> String? {
        let code = text("Code", "code").flatMap { $0 == "Success" ? nil : $0 }
        let parts = [code, text("Message", "message")].compactMap(\.self)
        return parts.isEmpty ? nil : LogText.printable(parts.joined(separator: ": "), hiding: secrets, limit: 300)
    }

    /// The keys in it.
    ///
    /// `token` is the name that the session token has there, `place` is where they are from, and an error repeats none of
    /// `secrets`.
    package func credentials(
        token: String,
        place: String,
        hiding secrets: [String] = []
    ) throws(CredentialsError) -> Credentials {
        var expiration: Duration?
        if let text = text("Expiration") {
            expiration = Timestamp.time(text)
            guard expiration != nil else {
                throw .broken(place: place, reason: "Expiration is not a time such as 2030-01-31T12:00:00Z")
            }
        }
        guard let id = text("AccessKeyId"), let secret = text("SecretAccessKey") else {
            let missing = text("AccessKeyId") == nil ? "AccessKeyId" : "SecretAccessKey"
            throw .broken(place: place, reason: complaint(hiding: secrets) ?? "\(missing) is missing in the answer")
        }
        return try Credentials(
            checkingAccessKeyID: id,
            secretAccessKey: secret,
            sessionToken: text(token),
            expiration: expiration,
            place: place
        )
    }
}
