import Foundation

/// Test vectors that lie beside the repository, where there are any.
package enum Vectors {
    /// `FIRETAIL_SHARED`, else the folder `shared` next to the package.
    private static let shared: URL = {
        if let path = ProcessInfo.processInfo.environment["FIRETAIL_SHARED"] { return URL(filePath: path) }
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        return package.appending(path: "../shared").standardizedFileURL
    }()

    /// For `.enabled(if:)`, with `absence` as the comment.
    package static let areThere = FileManager.default.fileExists(atPath: url("README.md").path)

    package static let absence = "the shared test vectors are not on this machine (FIRETAIL_SHARED names their folder)"

    package static func url(_ path: String) -> URL {
        shared.appending(path: "vectors").appending(path: path)
    }

    package static func text(_ path: String) throws -> String {
        try String(contentsOf: url(path), encoding: .utf8)
    }

    package static func json<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: url(path)))
    }

    /// The folders in a folder, for the arguments of a test; none where the vectors are missing.
    package static func folders(in path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url(path).path)) ?? []
        return names.sorted()
    }
}
