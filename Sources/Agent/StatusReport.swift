import JSON
import Platform

/// What a running agent says about itself, for a person to read.
package struct StatusReport {
    /// Why an agent did not say how it stands.
    package enum Failure: Error, CustomStringConvertible {
        /// No agent runs with that state directory.
        case notRunning(stateDirectory: String)
        /// It belongs to another user.
        case denied(stateDirectory: String)
        /// There is one, and it said nothing for so many seconds.
        case silent(stateDirectory: String, seconds: Int)
        /// There is one, and what it said cannot be understood.
        case unreadable(reason: String)

        package var description: String {
            switch self {
            case .notRunning(let directory): "no agent runs with the state directory \(directory)"
            case .denied(let directory):
                "only the user that the agent runs as may ask it: permission denied for the state directory \(directory)"
            case .silent(let directory, let seconds):
                """
                the agent with the state directory \(directory) has said nothing for \(seconds) s: it was stopped \
                (SIGSTOP), or waits for a disk or file system that does not answer; see its process and its log
                """
            case .unreadable(let reason): "the agent's answer cannot be read: \(reason)"
            }
        }

        /// What it means that the agent with this state directory could not be asked, for so many seconds.
        init(_ error: FileError, stateDirectory: String, seconds: Int) {
            switch error.errno {
            case .noSuchFile, .connectionRefused: self = .notRunning(stateDirectory: stateDirectory)
            case .permissionDenied: self = .denied(stateDirectory: stateDirectory)
            case .wouldBlock: self = .silent(stateDirectory: stateDirectory, seconds: seconds)
            default: self = .unreadable(reason: "\(error)")
            }
        }
    }

    /// The agent's answer as it came: one JSON object.
    package let text: String

    private let root: JSONObject

    /// Bytes of an answer that are read at most: some hundred thousand files.
    private static let limit = 64 << 20

    /// How long it may take the agent to say something, in seconds.
    private static let patience = 15

    /// Asks the agent that works with a state directory.
    package init(stateDirectory: String) throws(Failure) {
        let answer: [UInt8]
        do throws(FileError) {
            answer = try ask(
                StatusQuestion.status.rawValue,
                at: StatusSource.socket(in: stateDirectory),
                limit: Self.limit,
                patience: Self.patience
            )
        } catch {
            throw Failure(error, stateDirectory: stateDirectory, seconds: Self.patience)
        }
        try self.init(answer)
    }

    /// Reads an answer.
    package init(_ answer: [UInt8]) throws(Failure) {
        do throws(JSONError) {
            let document = try JSONDocument(parsing: answer)
            guard case .object(let object) = document.root.content else {
                throw JSONError("it is no object", at: document.root.position)
            }
            root = object
        } catch {
            throw .unreadable(reason: "\(error)")
        }
        text = String(decoding: answer, as: UTF8.self)
    }

    // MARK: For people

    /// Several lines, with their newlines: first what is wrong, then everything.
    package var description: String {
        let cache = JSONFields(root).object("cache")
        let troubles = StatusTroubles(JSONFields(root)).lines
        var lines = ["firetail \(JSONFields(root).text("version")), process \(JSONFields(root).number("process"))"]
        lines.append(
            """
            cache    \(Amount.count(cache.number("records"), "record")), \(Amount.bytes(cache.number("bytes"))) \
            of \(Amount.bytes(cache.number("maxBytes")))
            """
        )
        lines += troubles.isEmpty ? ["nothing is wrong"] : ["", "TROUBLE"] + troubles
        lines += ["", "FLOWS"] + flows.lines
        lines += ["", "STREAMS"] + streams.lines
        for stream in JSONFields(root).list("streams")
        where !stream.flag("failing") && !stream.text("lastError").isEmpty {
            lines.append(
                "\(stream.text("name")) was failing \(stream.number("lastErrorSeconds")) s ago: \(stream.text("lastError"))"
            )
        }
        lines += ["", "FILES"] + files.lines + polled
        return lines.joined(separator: "\n") + "\n"
    }

    private var flows: Table {
        var table = Table([
            "PATTERN → STREAM", "FILES", "READ", "LINES", "FILTERED", "CUT", "RECORDS", "PENDING", "BEHIND",
        ])
        for flow in JSONFields(root).list("flows") {
            table.add([
                "\(flow.texts("patterns").joined(separator: ", ")) → \(flow.text("stream"))",
                Amount.number(flow.number("files")),
                Amount.bytes(flow.number("bytesRead")),
                Amount.number(flow.number("linesRead")),
                Amount.number(flow.number("linesFiltered")),
                Amount.number(flow.number("linesCut")),
                Amount.number(flow.number("recordsStored")),
                Amount.bytes(flow.number("bytesPending")),
                Amount.bytes(flow.number("bytesBehind")),
            ])
        }
        return table
    }

    private var streams: Table {
        var table = Table([
            "STREAM", "STORED", "DELIVERED", "CACHED", "BYTES", "OLDEST", "DEAD", "DROPPED", "DAMAGED", "STATE",
        ])
        for stream in JSONFields(root).list("streams") {
            let state = stream.flag("failing") ? "failing" : stream.flag("cacheIsFull") ? "cache full" : "fine"
            table.add([
                stream.text("name"),
                Amount.number(stream.number("stored")),
                Amount.number(stream.number("delivered")),
                Amount.number(stream.number("cached")),
                Amount.bytes(stream.number("cachedBytes")),
                "\(Amount.number(stream.number("oldestSeconds"))) s",
                Amount.number(stream.number("deadLetters")),
                Amount.number(stream.number("dropped")),
                Amount.number(stream.number("damaged")),
                state,
            ])
        }
        return table
    }

    /// What is polled, a line for each reason.
    private var polled: [String] {
        let root = JSONFields(root)
        let files = Dictionary(grouping: root.list("files")) { $0.text("polledBecause") }
        let directories = Dictionary(grouping: root.list("polledDirectories")) { $0.text("polledBecause") }
        return Set(files.keys).union(directories.keys).sorted().filter { !$0.isEmpty }.map { reason in
            let (files, directories) = (files[reason] ?? [], directories[reason] ?? [])
            let counts = [(files.count, "file", "files"), (directories.count, "directory", "directories")]
            let what = counts.filter { $0.0 > 0 }.map { "\(Amount.number($0.0)) \($0.0 == 1 ? $0.1 : $0.2)" }
            let example = (files + directories).first?.text("path") ?? ""
            return "polled every second: \(what.joined(separator: " and ")), such as \(example), \(reason)"
        }
    }

    private var files: Table {
        var table = Table(["FILE", "STREAM", "SIZE", "READ", "STORED", "BEHIND", "SINCE", "NOTES"])
        for file in JSONFields(root).list("files") {
            let notes = [("polled", "polled"), ("deleted", "deleted"), ("mountedAlone", "mounted alone")]
            table.add([
                file.text("path"),
                file.text("stream"),
                Amount.number(file.number("size")),
                Amount.number(file.number("read")),
                Amount.number(file.number("stored")),
                Amount.bytes(max(0, file.number("size") - file.number("read"))),
                "\(Amount.number(file.number("behindSeconds"))) s",
                notes.filter { file.flag($0.0) }.map(\.1).joined(separator: ", "),
            ])
        }
        return table
    }
}
