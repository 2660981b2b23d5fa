/// A way to write text as bytes that the system knows.
package struct TextEncoding: Hashable, Sendable {
    /// As the system calls it.
    package let name: String

    /// What a newline is in it: 1, 2 or 4 bytes, of which every character takes a multiple.
    package let newline: [UInt8]

    private init(_ name: String, newline: [UInt8]) {
        self.name = name
        self.newline = newline
    }

    package static let utf16LittleEndian = TextEncoding("UTF-16LE", newline: [0x0A, 0])
    package static let utf16BigEndian = TextEncoding("UTF-16BE", newline: [0, 0x0A])
    package static let utf32LittleEndian = TextEncoding("UTF-32LE", newline: [0x0A, 0, 0, 0])
    package static let utf32BigEndian = TextEncoding("UTF-32BE", newline: [0, 0, 0, 0x0A])

    /// Asks the system for an encoding.
    ///
    /// - Parameter name: a name that `iconv --list` shows, such as `ISO-8859-1`; case does not matter.
    /// - Throws: `EncodingError` if it is not known, or its text cannot be cut into lines before it is read.
    package init(named name: String) throws(EncodingError) {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.mayBeInName),
            let encoder = Converter(from: "UTF-8", to: name), let decoder = Converter(from: name, to: "UTF-8")
        else { throw .unknown }
        let newline = encoder.convert(Array("\n".utf8))
        // A mark of the byte order or a shift would come once.
        guard [1, 2, 4].contains(newline.count), encoder.convert(Array("\n\n".utf8)) == newline + newline,
            decoder.convert(newline) == Array("\n".utf8)
        else { throw .withoutLines }
        self.init(name, newline: newline)
    }

    /// The system would take what follows a slash for orders.
    private static func mayBeInName(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "/") }
}

extension Converter {
    fileprivate func convert(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        convert(bytes.span, unitBytes: 1, appendingTo: &text)
        return text
    }
}

/// Why text in an encoding cannot be read.
package enum EncodingError: Error, Equatable, Sendable {
    /// The system does not know the name.
    case unknown
    /// It has no newline that can be told from the bytes of other characters.
    case withoutLines
}

extension EncodingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknown: "this system knows no such encoding; iconv --list shows those that it knows"
        case .withoutLines: "lines cannot be told apart in this encoding before it is read"
        }
    }
}
