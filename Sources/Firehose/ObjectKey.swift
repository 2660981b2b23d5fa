package import Records
import Platform

/// Where an object lies below the root, as Firehose names objects in S3.
package struct ObjectKey: Sendable, Equatable {
    /// `YYYY/MM/DD/HH`, UTC.
    package let folder: String

    /// `<stream>-1-YYYY-MM-DD-HH-MM-SS-<uuid>`, and `.gz` where the records are compressed.
    package let name: String

    /// `uuid` keeps objects of the same second apart.
    package init(stream: StreamName, unixSeconds: Int, uuid: String, isCompressed: Bool) {
        let time = UTCTime(unixSeconds: unixSeconds)
        let date = [time.month, time.day].map(Self.twoDigits)
        let clock = [time.hour, time.minute, time.second].map(Self.twoDigits)
        folder = (["\(time.year)"] + date + [clock[0]]).joined(separator: "/")
        let moment = (["\(time.year)"] + date + clock).joined(separator: "-")
        name = "\(stream)-1-\(moment)-\(uuid)" + (isCompressed ? ".gz" : "")
    }

    /// A random UUID (version 4) in lower case.
    package static func randomUUID() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
