import Cache
import Flushing
import Records

/// What the errors of the parts mean to users of the client.
extension FirehoseError {
    static let closed = FirehoseError.unknown("the client is closed", "make a new AmplifyFirehoseClient")

    static func invalidStreamName(_ name: String) -> FirehoseError {
        // What is no name may be anything, a record handed over in its place for one.
        let size = name.isEmpty ? "empty" : "of \(name.unicodeScalars.count) characters"
        return .validation(
            "the stream name \(size) is not valid",
            "give the delivery stream's name: 1 to 64 characters out of letters, digits, “_”, “.” and “-”"
        )
    }

    init(_ error: CacheError) {
        let (description, suggestion): (String, String) =
            switch error {
            case .inUse(let path, let holder):
                (
                    "the cache \(path) is in use by \(holder.map { "process \($0)" } ?? "another process")",
                    "close that client first, or give this one a cachePath of its own"
                )
            case .foreign(let path, let reason):
                (
                    "\(path) is not a cache of this client (\(reason)) and is left untouched",
                    "move it away, or give another cachePath"
                )
            case .damaged(let path, let reason):
                (
                    "the cache \(path) is damaged (\(reason)) and is left untouched",
                    "move it away to start with an empty one"
                )
            case .newer(let path, let version, let known):
                (
                    "the cache \(path) has schema version \(version), and this client knows up to \(known)",
                    "use the newer version of the client again"
                )
            case .inaccessible(let path, let reason):
                ("cannot use \(path): \(reason)", "check its owner and permissions, and those of its directory")
            case .diskFull(let path):
                ("no room is left on the disk of \(path)", "make room, and try again")
            case .closed:
                ("the client is closed", "make a new AmplifyFirehoseClient")
            }
        self = error == .closed ? .closed : .cache(description, suggestion, error)
    }

    init(_ error: FlushRoundError) {
        switch error {
        case .storage(let error):
            self.init(error)
        case .cancelled:
            self = .unknown(
                "the flush was cancelled; what was not sent stays cached",
                "flush again",
                CancellationError()
            )
        case .undelivered(_, let failure):
            let suggestion =
                switch failure.kind {
                case .credentials: "check the credentials provider, and flush again; the records stay cached"
                case .configuration: "check the client's configuration; the records stay cached"
                default: "flush again when the service can be reached; the records stay cached"
                }
            self = .unknown(failure.reason, suggestion, FirehoseClientError(failure))
        }
    }

    init(_ error: FirehoseClientError) {
        self = .validation("\(error)", "correct the client's configuration", error)
    }
}
