package import Encodings

/// In which encoding the files of a flow are said to be.
package enum FileEncoding: Sendable, Equatable {
    /// Nothing is said: bytes pass as they are, unless a mark at a file's beginning says UTF-16 or UTF-32.
    case marked

    /// UTF-8: bytes pass as they are.
    case utf8

    /// UTF-16 or UTF-32, units of 2 or 4 bytes, in the order that the mark says; without a mark, the lower byte is first.
    case units(bytes: Int)

    case named(TextEncoding)

    /// The encoding that a name of the configuration means.
    package init(named name: String) throws(EncodingError) {
        switch name.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "utf-16", "utf16": self = .units(bytes: 2)
        case "utf-32", "utf32": self = .units(bytes: 4)
        default: self = .named(try TextEncoding(named: name))
        }
    }

    /// Tells in which encoding one file is.
    ///
    /// - Parameters:
    ///   - beginning: the file's first bytes, four if it has as many.
    ///   - isWhole: whether the file is not expected to have more.
    /// - Returns: nil if more bytes are needed to tell.
    package func form(ofFileThatBeginsWith beginning: Span<UInt8>, isWhole: Bool) -> FileForm? {
        for (mark, encoding) in Self.marks where accepts(encoding) {
            switch mark.standing(in: beginning) {
            case .there: return FileForm(encoding: encoding, markBytes: mark.count)
            case .possible where !isWhole: return nil
            case .possible, .absent: continue
            }
        }
        switch self {
        case .marked, .utf8: return FileForm(encoding: nil)
        case .units(let bytes): return FileForm(encoding: bytes == 2 ? .utf16LittleEndian : .utf32LittleEndian)
        case .named(let encoding): return FileForm(encoding: encoding)
        }
    }

    /// What marks an encoding at the beginning of a file, longer marks first; nil is UTF-8.
    private static let marks: [(mark: [UInt8], encoding: TextEncoding?)] = [
        ([0xFF, 0xFE, 0, 0], .utf32LittleEndian), ([0, 0, 0xFE, 0xFF], .utf32BigEndian),
        ([0xEF, 0xBB, 0xBF], nil), ([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
    ]

    /// Whether the mark of an encoding is one here, and not text.
    private func accepts(_ encoding: TextEncoding?) -> Bool {
        switch self {
        case .marked: true
        case .utf8: encoding == nil
        case .units(let bytes): encoding?.newline.count == bytes
        case .named(let own): encoding.map { $0.newline == own.newline && own.newline.count > 1 } ?? false
        }
    }
}

/// What one file turned out to be.
package struct FileForm: Sendable, Equatable {
    /// Nil: its bytes pass as they are.
    package let encoding: TextEncoding?

    /// How many bytes at its beginning are no text.
    package let markBytes: Int

    package let newline: Newline

    init(encoding: TextEncoding?, markBytes: Int = 0) {
        self.encoding = encoding
        self.markBytes = markBytes
        newline = encoding.map { Newline(of: $0) } ?? .byte
    }
}

extension [UInt8] {
    fileprivate enum Standing {
        case there, possible, absent
    }

    /// Whether some bytes begin with these, or may once there are more of them.
    fileprivate func standing(in bytes: Span<UInt8>) -> Standing {
        for index in 0..<Swift.min(count, bytes.count) where self[index] != bytes[index] { return .absent }
        return bytes.count >= count ? .there : .possible
    }
}
