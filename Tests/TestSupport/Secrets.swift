import Foundation

/// What an agent knows from its environment and its configuration and must write nowhere.
package struct Secrets: Sendable {
    /// A value, and the setting that has it.
    private struct Secret {
        var setting: String
        var value: String
    }

    private let secrets: [Secret]

    /// Collects them; settings that are not there, and words that stand in ordinary messages, are left out.
    package init(environment: [String: String], configuration: [String: Any]) {
        var found: [Secret] = []
        for name in ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_CONTAINER_AUTHORIZATION_TOKEN"] {
            if let value = environment[name] { found.append(Secret(setting: name, value: value)) }
        }
        for (name, value) in environment where name.lowercased().hasSuffix("_proxy") {
            guard let password = value.firstMatch(of: /:\/\/[^:\/]*:([^\/]*)@/)?.1 else { continue }
            found.append(Secret(setting: name, value: String(password)))
            found.append(Secret(setting: name, value: password.removingPercentEncoding ?? ""))
        }
        for key in ["awsSecretAccessKey", "assumeRoleExternalId"] {
            if let value = configuration[key] as? String { found.append(Secret(setting: key, value: value)) }
        }
        secrets = found.filter { $0.value.count >= 4 && !["secret", "token"].contains($0.value) }
    }

    /// The settings whose values are in a text or a file, as they are or in base64.
    package func leaks(in content: Data) -> [String] {
        secrets.filter { secret in
            let plain = Data(secret.value.utf8)
            return content.range(of: plain) != nil || content.range(of: Data(plain.base64EncodedString().utf8)) != nil
        }.map(\.setting)
    }
}
