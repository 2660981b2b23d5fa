import AmplifyFirehoseClient
import Foundation
import Synchronization
import TestSupport

/// A client over a cache file of its own and a stand-in for the service, with a log that can be read.
final class ClientScene: Sendable {
    let directory: TemporaryDirectory
    let service: FirehoseStandIn
    private let heard = Mutex<(lines: [String], drops: [DroppedRecords])>(([], []))

    init() throws {
        directory = try TemporaryDirectory()
        service = try FirehoseStandIn()
    }

    var cachePath: String { directory.path("cache/records.db") }

    /// What the clients of this scene have logged.
    var log: [String] { heard.withLock { $0.lines } }

    /// Which records they have given up.
    var drops: [DroppedRecords] { heard.withLock { $0.drops } }

    /// Makes a client that sends only when it is asked to, and changes its options by `change`.
    func client(
        credentials: any AWSCredentialsProvider = StaticCredentialsProvider(
            accessKeyId: "AKIDTEST",
            secretAccessKey: "secret"
        ),
        _ change: (inout AmplifyFirehoseClient.Options) -> Void = { _ in }
    ) throws -> AmplifyFirehoseClient {
        try AmplifyFirehoseClient(region: "eu-west-1", credentialsProvider: credentials, options: options(change))
    }

    /// The options that `client` uses.
    func options(_ change: (inout AmplifyFirehoseClient.Options) -> Void) -> AmplifyFirehoseClient.Options {
        let url = service.url
        var options = AmplifyFirehoseClient.Options(
            flushStrategy: .none,
            configureClient: { $0.endpoint = url },
            cachePath: cachePath,
            onDrop: { [weak self] dropped in self?.heard.withLock { $0.drops.append(dropped) } },
            log: { [weak self] line in self?.heard.withLock { $0.lines.append(line) } }
        )
        change(&options)
        return options
    }

    /// Copies the files of an open cache: what a crash at this instant would have left.
    ///
    /// - Returns: the copy's path.
    func copyOfCache(at path: String, named name: String) throws -> String {
        let copy = directory.path(name)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        return copy
    }

    /// What the service has of a stream, as text.
    func delivered(_ stream: String = "s") -> [String] { service.records(of: stream).map(text) }

    /// The records of each request so far, as text.
    var requests: [[String]] { service.requests.map { $0.records.map(text) } }
}

/// The text of these bytes.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

extension AmplifyFirehoseClient {
    /// Records a text.
    func record(_ text: String, to stream: String = "s") async throws {
        try await record(data: Data(text.utf8), streamName: stream)
    }

    /// Records the numbers of a range, each as a text, one after the other.
    func record(_ numbers: ClosedRange<Int>, to stream: String = "s") async throws {
        for number in numbers { try await record("\(number)", to: stream) }
    }
}

/// Which of its four kinds an error is; nil if it is no `FirehoseError`.
func kind(_ error: any Error) -> String? {
    switch error as? FirehoseError {
    case .validation: "validation"
    case .cacheLimitExceeded: "cacheLimitExceeded"
    case .cache: "cache"
    case .unknown: "unknown"
    case nil: nil
    }
}

/// The kind of the error that `body` throws; nil if it throws none.
func kindThrown(by body: () async throws -> Void) async -> String? {
    do {
        try await body()
        return nil
    } catch {
        return kind(error)
    }
}
