import AWS
import JSON
import Platform

/// What was answered to a request about dead letters, for a person to read.
package struct DeadLetterReport {
    private let fields: JSONFields

    /// From the JSON that a `DeadLetterDesk` gives.
    ///
    /// - Throws: why it makes no sense.
    package init(_ json: [UInt8]) throws(StatusReport.Failure) {
        do throws(JSONError) {
            fields = JSONFields(try JSONDocument(parsing: json).root)
        } catch {
            throw .unreadable(reason: "\(error)")
        }
    }

    /// Such as `2 dead letters (1.4 kB)`, after a replay or a drop.
    package var amount: String {
        "\(Amount.count(fields.number("letters"), "dead letter")) (\(Amount.bytes(fields.number("bytes"))))"
    }

    /// One line a letter below a header, each with its newline; nothing of a record is shown.
    package var list: String {
        let letters = fields.list("deadLetters")
        guard !letters.isEmpty else { return "no dead letters\n" }
        var table = Table(["STREAM", "ID", "SET ASIDE", "ATTEMPTS", "BYTES"])
        for letter in letters {
            let stream = letter.text("stream")
            table.add([
                stream.isEmpty ? "?" : stream,
                String(letter.number("id")),
                UTCTime(unixSeconds: letter.number("setAsideMillis") / 1_000).text,
                Amount.number(letter.number("attempts")),
                Amount.number(letter.number("bytes")),
            ])
        }
        let rows = table.lines
        let details = ["FROM, AND WHY"] + letters.map { "\(Self.origin(of: $0)): \($0.text("reason"))" }
        return zip(rows, details).map { "\($0)   \($1)\n" }.joined()
    }

    /// Such as `/var/log/a.log [0, 512)`.
    private static func origin(of letter: JSONFields) -> String {
        let files = letter.list("files").map { file in
            let path = file.text("path")
            let name =
                path.isEmpty
                ? "inode \(file.number("inode")) of device \(file.number("device"))"
                : LogText.printable(path, limit: 4_096)
            let end = file.number("end")
            return "\(name) \(end > 0 ? "[\(file.number("start")), \(end))" : "from \(file.number("start"))")"
        }
        guard !files.isEmpty else { return "unknown" }
        let others = letter.number("otherFiles")
        return files.joined(separator: ", ") + (others > 0 ? " or \(Amount.count(others, "other file"))" : "")
    }
}

extension UTCTime {
    /// Such as `2026-01-31T12:00:00Z`.
    fileprivate var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))T\(two(hour)):\(two(minute)):\(two(second))Z"
    }
}
