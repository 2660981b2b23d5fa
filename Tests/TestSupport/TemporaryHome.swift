import Foundation

/// A home directory with shared files, removed with its owner.
package final class TemporaryHome: Sendable {
    package let url: URL

    package init(configuration: String? = nil, credentials: String? = nil) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "aws-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url.appending(path: ".aws"), withIntermediateDirectories: true)
        if let configuration { try write(configuration, to: "config") }
        if let credentials { try write(credentials, to: "credentials") }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    package var environment: [String: String] { ["HOME": url.path] }

    package func write(_ text: String, to name: String) throws {
        try text.write(to: url.appending(path: ".aws/\(name)"), atomically: true, encoding: .utf8)
    }

    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(at: url.appending(path: ".aws/\(name)"))
    }
}
