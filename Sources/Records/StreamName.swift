/// The name of a Firehose delivery stream: 1 to 64 characters out of letters, digits, `_`, `.` and `-`.
package struct StreamName: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    /// - Returns: nil if `text` is not a valid name.
    package init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.allows) else { return nil }
        self.text = text
    }

    package var description: String { text }

    package static func < (left: StreamName, right: StreamName) -> Bool { left.text < right.text }

    private static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
