import Foundation

/// A directory of its own for one test, removed with everything in it when the test lets go of it.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        let base = FileManager.default.temporaryDirectory.path
        path = "\(base)/firetail-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of something in it.
    package func path(_ name: String) -> String { path + "/" + name }

    /// Adds text to the end of a file, which is made if it is not there.
    package func append(_ text: String, to name: String) throws {
        try append(Array(text.utf8), to: name)
    }

    /// Adds bytes to the end of a file, in one write.
    package func append(_ bytes: [UInt8], to name: String) throws {
        let descriptor = open(path(name), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw POSIXError(.EIO) }
    }

    /// The whole content of a file.
    package func contents(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
}
