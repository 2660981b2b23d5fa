import Cache
import JSON
import Platform
import Records

/// Does what is asked of the dead letters of a state directory.
package struct DeadLetterDesk: Sendable {
    private let cache: RecordCache

    init(_ cache: RecordCache) {
        self.cache = cache
    }

    /// Has a request fulfilled: by the agent that holds the state directory, or here if there is none.
    ///
    /// An agent that starts, ends or reads its configuration again holds the directory and does not answer: it is waited
    /// for, a few seconds at most.
    ///
    /// - Throws: `CacheError` if the cache cannot be opened, `StatusReport.Failure` if an agent does not answer.
    package static func perform(
        _ request: DeadLetterRequest,
        stateDirectory: String
    ) async throws -> DeadLetterReply {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                return try await performOnce(request, stateDirectory)
            } catch {
                guard Agent.isInUse(error), ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private static let patience = Duration.seconds(5)

    private static func performOnce(
        _ request: DeadLetterRequest,
        _ stateDirectory: String
    ) async throws -> DeadLetterReply {
        if let answer = try askAgent(request, stateDirectory) {
            guard let reply = DeadLetterReply(encoded: answer) else {
                throw StatusReport.Failure.unreadable(reason: "it does not know dead letters; restart it")
            }
            return reply
        }
        let location = CacheLocation.directory(stateDirectory)
        guard (try? FileStatus(of: location.database)) != nil else {
            return noCache(request, stateDirectory)
        }
        let cache = try RecordCache(at: location, maxBytes: .max)
        let reply = await DeadLetterDesk(cache).reply(to: request)
        await cache.close()
        return reply
    }

    /// - Returns: nil if there is no agent.
    private static func askAgent(
        _ request: DeadLetterRequest,
        _ directory: String
    ) throws(StatusReport.Failure) -> [UInt8]? {
        let socket = StatusSource.socket(in: directory)
        do throws(FileError) {
            return try ask(request.line, at: socket, limit: limit, patience: answerSeconds)
        } catch {
            let failure = StatusReport.Failure(error, stateDirectory: directory, seconds: answerSeconds)
            if case .notRunning = failure { return nil }
            throw failure
        }
    }

    /// Bytes of an answer that are read at most.
    private static let limit = 1 << 30

    /// How long it may take the agent to say something: it may have much to write.
    private static let answerSeconds = 30

    private static func noCache(_ request: DeadLetterRequest, _ directory: String) -> DeadLetterReply {
        if request.action == .list, request.selection.ids == nil { return .done(list([])) }
        return .failed("there are no dead letters: \(directory) holds no cache yet")
    }

    /// Does it, all or nothing.
    func reply(to request: DeadLetterRequest) async -> DeadLetterReply {
        do throws(DeadLetterError) {
            switch request.action {
            case .list: return .done(Self.list(try await cache.deadLetters(request.selection)))
            case .show:
                guard let id = request.selection.ids?.first else { return .failed("no dead letter was named") }
                return .done(try await cache.contents(ofDeadLetter: id))
            case .replay: return .done(Self.amount(try await cache.replayDeadLetters(request.selection)))
            case .drop: return .done(Self.amount(try await cache.dropDeadLetters(request.selection)))
            }
        } catch {
            return .failed(error.explanation(of: request.selection))
        }
    }

    // MARK: JSON

    private static func amount(_ done: Backlog) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.value("letters", done.records)
            writer.value("bytes", done.bytes)
        }
        return Array(writer.text.utf8)
    }

    private static func list(_ letters: [DeadLetter]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.array("deadLetters") { writer in
                for letter in letters { writer.object { add(letter, to: &$0) } }
            }
        }
        return Array(writer.text.utf8)
    }

    private static func add(_ letter: DeadLetter, to writer: inout JSONWriter) {
        writer.value("id", letter.id)
        writer.value("stream", letter.stream?.text)
        writer.value("setAsideMillis", letter.created)
        writer.value("attempts", letter.attempts)
        writer.value("bytes", letter.bytes)
        writer.value("reason", letter.reason)
        writer.array("files") { writer in
            for piece in letter.origin.pieces {
                writer.object { writer in
                    writer.value("path", piece.path.isEmpty ? nil : piece.path)
                    writer.value("device", Int(clamping: piece.file.device))
                    writer.value("inode", Int(clamping: piece.file.inode))
                    writer.value("start", piece.start)
                    if let end = piece.end { writer.value("end", end) }
                }
            }
        }
        writer.value("otherFiles", letter.origin.others)
    }
}

extension DeadLetterError {
    /// What is wrong, and what to do.
    fileprivate func explanation(of selection: DeadLetterSelection) -> String {
        switch self {
        case .missing(let ids):
            let place = selection.stream.map { " of \($0)" } ?? ""
            return "no dead letter\(place) has the id \(Self.words(for: ids)); nothing was done; "
                + "`firetail dead-letters list` shows those that are there"
        case .withoutStream(let ids):
            return "the name of the stream of dead letter \(Self.words(for: ids)) was lost with a damaged cache, so "
                + "nothing was done; save what `show` gives, and name the others by their ids"
        case .cache(let error): return error.description
        }
    }

    private static func words(for ids: [Int]) -> String { ids.map(String.init).joined(separator: ", ") }
}
