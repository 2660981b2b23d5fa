import Bytes

/// Writes what a container said as a JSON object on a line of its own.
package struct ContainerRecord: Sendable {
    /// The members that are the same for a whole file, each with a comma before it.
    private let place: [UInt8]

    package init(of place: ContainerPlace = ContainerPlace(path: "")) {
        var text: [UInt8] = []
        for (name, value) in [("namespace", place.namespace), ("pod", place.pod), ("container", place.container)] {
            guard let value else { continue }
            text += Array(",\"\(name)\":\"".utf8)
            _ = text.append(escaping: Array(value.utf8).span, limit: .max)
            text.append(UInt8(ascii: "\""))
        }
        self.place = text
    }

    /// What is missing of a message.
    package struct Flags: Equatable, Sendable {
        /// Whether its last parts never came.
        package var isPartial = false

        /// Whether it was too long.
        package var isTruncated = false

        package init(isPartial: Bool = false, isTruncated: Bool = false) {
            self.isPartial = isPartial
            self.isTruncated = isTruncated
        }
    }

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - message: what was said; bytes that are not UTF-8 become U+FFFD.
    ///   - stream: where; nil if the line could not be taken apart, and is the message as it is.
    ///   - time: when, as the runtime has it; empty if that is not known.
    ///   - flags: what is missing.
    ///   - limit: what the record may hold, in bytes; a longer message is cut. Without room for the rest it is exceeded.
    ///   - record: gets the record added, with a newline.
    /// - Returns: how many bytes of the message were left out.
    package func append(
        _ message: Span<UInt8>,
        of stream: ContainerStream?,
        at time: Span<UInt8>,
        _ flags: Flags,
        limit: Int,
        to record: inout [UInt8]
    ) -> Int {
        var tail: [UInt8] = []
        if let stream { tail += Array(",\"stream\":\"\(stream.name)\"".utf8) }
        if time.count > 0 {
            tail += Array(",\"time\":\"".utf8)
            _ = tail.append(escaping: time, limit: .max)
            tail.append(UInt8(ascii: "\""))
        }
        tail += place
        if stream == nil { tail += Array(",\"broken\":true".utf8) }
        if flags.isPartial { tail += Array(",\"partial\":true".utf8) }
        let start = record.count
        record += Array("{\"message\":\"".utf8)
        let room = limit - (record.count - start) - tail.count - "\",\"truncated\":true}\n".utf8.count
        let left = message.count - record.append(escaping: message, limit: max(0, room))
        record.append(UInt8(ascii: "\""))
        record += tail
        if left > 0 || flags.isTruncated { record += Array(",\"truncated\":true".utf8) }
        record += Array("}\n".utf8)
        return left
    }
}

extension [UInt8] {
    /// Adds text as it stands between the quotes of a JSON string, and no more of it than `limit` bytes hold.
    ///
    /// - Returns: how many bytes of the text were taken.
    mutating func append(escaping text: Span<UInt8>, limit: Int) -> Int {
        var room = limit
        var position = 0
        while position < text.count, room > 0 {
            let byte = text[position]
            let end = text.endOfRun(from: position)
            if byte >= 0x80 {
                let characters = String(copying: text.extracting(position..<end))
                guard characters.utf8.count <= room else {
                    return position + append(characters, fitting: room)
                }
                append(contentsOf: characters.utf8)
                room -= characters.utf8.count
            } else if end > position {
                let count = Swift.min(room, end - position)
                append(copying: text.extracting(position..<position + count))
                room -= count
                position += count
                continue
            } else {
                let escape = Self.escape(byte)
                guard escape.count <= room else { return position }
                append(contentsOf: escape)
                room -= escape.count
                position += 1
                continue
            }
            position = end
        }
        return position
    }

    /// Adds as many characters as fit.
    private mutating func append(_ characters: String, fitting room: Int) -> Int {
        var taken = 0
        for scalar in characters.unicodeScalars {
            let bytes = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            guard taken + bytes.count <= room else { break }
            append(contentsOf: bytes)
            taken += bytes.count
        }
        return taken
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "\""): Array(#"\""#.utf8)
        case UInt8(ascii: "\\"): Array(#"\\"#.utf8)
        case 0x0A: Array(#"\n"#.utf8)
        case 0x0D: Array(#"\r"#.utf8)
        case 0x09: Array(#"\t"#.utf8)
        default: Array(#"\u00"#.utf8) + [byte >> 4, byte & 0xF].map { Array("0123456789abcdef".utf8)[Int($0)] }
        }
    }
}

extension Span<UInt8> {
    /// Where bytes of the kind end that begin at `start`: such as stand for themselves, or such as are not ASCII.
    fileprivate func endOfRun(from start: Int) -> Int {
        let isASCII = self[start] < 0x80
        var end = start
        while end < count {
            let byte = self[end]
            if isASCII
                ? byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") : byte < 0x80
            {
                break
            }
            end += 1
        }
        return end
    }
}
