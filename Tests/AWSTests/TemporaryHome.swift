import Foundation

/// A home directory with shared files, removed with its owner.
final class TemporaryHome: Sendable {
    let url: URL

    init(configuration: String? = nil, credentials: String? = nil) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "aws-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url.appending(path: ".aws"), withIntermediateDirectories: true)
        if let configuration { try write(configuration, to: "config") }
        if let credentials { try write(credentials, to: "credentials") }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var environment: [String: String] { ["HOME": url.path] }

    func write(_ text: String, to name: String) throws {
        try text.write(to: url.appending(path: ".aws/\(name)"), atomically: true, encoding: .utf8)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(at: url.appending(path: ".aws/\(name)"))
    }
}
