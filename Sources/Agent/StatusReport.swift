import JSON
import Platform

/// What a running agent says about itself, for a person to read.
package struct StatusReport {
    /// Why an agent did not say how it stands.
    package enum Failure: Error, CustomStringConvertible {
        /// No agent runs with that state directory.
        case notRunning(stateDirectory: String)
        /// There is one, and what it said cannot be understood, or nothing came.
        case unreadable(reason: String)

        package var description: String {
            switch self {
            case .notRunning(let directory): "no agent runs with the state directory \(directory)"
            case .unreadable(let reason): "the agent's answer cannot be read: \(reason)"
            }
        }
    }

    /// The agent's answer as it came: one JSON object.
    package let text: String

    private let root: JSONObject

    /// Bytes of an answer that are read at most: some hundred thousand files.
    private static let limit = 64 << 20

    /// Asks the agent that works with a state directory.
    package init(stateDirectory: String) throws(Failure) {
        let answer: [UInt8]
        do throws(FileError) {
            answer = try ask(
                StatusQuestion.status.rawValue,
                at: StatusSource.socket(in: stateDirectory),
                limit: Self.limit
            )
        } catch {
            let isAbsent = [Errno.noSuchFile, .connectionRefused].contains(error.errno)
            throw isAbsent ? .notRunning(stateDirectory: stateDirectory) : .unreadable(reason: "\(error)")
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

    /// Several lines, with their newlines.
    package var description: String {
        let cache = JSONFields(root["cache"]?.value)
        var lines = ["firetail \(JSONFields(root).text("version")), process \(JSONFields(root).number("process"))"]
        lines.append(
            """
            cache    \(Amount.count(cache.number("records"), "record")), \(Amount.bytes(cache.number("bytes"))) \
            of \(Amount.bytes(cache.number("maxBytes")))
            """
        )
        lines += ["", "FLOWS"] + flows.lines
        lines += ["", "STREAMS"] + streams.lines
        for stream in JSONFields(root).list("streams") where !stream.text("lastError").isEmpty {
            let when = stream.flag("failing") ? "failing" : "was failing"
            lines.append("\(stream.text("name")) \(when): \(stream.text("lastError"))")
        }
        for stream in JSONFields(root).list("streams") where stream.number("missing") != 0 {
            lines.append("\(stream.text("name")): \(stream.number("missing")) records are missing; please report this")
        }
        lines += ["", "FILES"] + files.lines + polled
        return lines.joined(separator: "\n") + "\n"
    }

    private var flows: Table {
        var table = Table(["PATTERN → STREAM", "FILES", "LINES", "READ", "CUT", "RECORDS", "PENDING", "BEHIND"])
        for flow in JSONFields(root).list("flows") {
            table.add([
                "\(flow.texts("patterns").joined(separator: ", ")) → \(flow.text("stream"))",
                Amount.number(flow.number("files")),
                Amount.number(flow.number("linesRead")),
                Amount.bytes(flow.number("bytesRead")),
                Amount.number(flow.number("linesCut")),
                Amount.number(flow.number("recordsStored")),
                Amount.bytes(flow.number("bytesPending")),
                Amount.bytes(flow.number("bytesBehind")),
            ])
        }
        return table
    }

    private var streams: Table {
        var table = Table(["STREAM", "STORED", "DELIVERED", "CACHED", "DEAD", "DAMAGED", "BYTES", "STATE"])
        for stream in JSONFields(root).list("streams") {
            let state = stream.flag("failing") ? "failing" : stream.flag("paused") ? "reading pauses" : "fine"
            table.add([
                stream.text("name"),
                Amount.number(stream.number("stored")),
                Amount.number(stream.number("delivered")),
                Amount.number(stream.number("cached")),
                Amount.number(stream.number("deadLetters")),
                Amount.number(stream.number("damaged")),
                Amount.bytes(stream.number("cachedBytes")),
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
        var table = Table(["FILE", "STREAM", "SIZE", "READ", "STORED", "BEHIND", "SECONDS", "NOTES"])
        for file in JSONFields(root).list("files") {
            let notes = [("polled", "polled"), ("deleted", "deleted"), ("mountedAlone", "mounted alone")]
            table.add([
                file.text("path"),
                file.text("stream"),
                Amount.number(file.number("size")),
                Amount.number(file.number("read")),
                Amount.number(file.number("stored")),
                Amount.bytes(max(0, file.number("size") - file.number("read"))),
                Amount.number(file.number("behindSeconds")),
                notes.filter { file.flag($0.0) }.map(\.1).joined(separator: ", "),
            ])
        }
        return table
    }
}
