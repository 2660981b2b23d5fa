package import Records

/// A record that was set aside, without its bytes.
package struct DeadLetter: Sendable, Equatable {
    /// Grows from one letter to the next, and is never given again.
    package let id: Int

    /// Nil if the name was lost with a damaged cache.
    package let stream: StreamName?

    /// When it was set aside, in milliseconds since 1970.
    package let created: Int

    /// How often the service had refused it before.
    package let attempts: Int

    /// In words, without any of the record's.
    package let reason: String

    /// Bytes of the record.
    package let bytes: Int

    package let origin: DeadLetterOrigin
}

/// Which dead letters are meant.
package struct DeadLetterSelection: Sendable, Equatable {
    /// Those of this stream; nil is any.
    package var stream: StreamName?

    /// Those with these ids, each of which must be there; nil is all.
    package var ids: [Int]?

    package init(stream: StreamName? = nil, ids: [Int]? = nil) {
        self.stream = stream
        self.ids = ids
    }
}

/// Why nothing was done with any dead letter.
package enum DeadLetterError: Error, Equatable, Sendable {
    /// These are not there, or belong to another stream.
    case missing(ids: [Int])

    /// They cannot be sent again, since the name of their stream was lost with a damaged cache.
    case withoutStream(ids: [Int])

    case cache(CacheError)
}

/// Where a dead letter's lines were read: somewhere in these pieces, which were read together.
package struct DeadLetterOrigin: Sendable, Equatable {
    /// A piece of a file.
    package struct Piece: Sendable, Equatable {
        package var file: FileIdentity

        /// Empty if the file had been let go of when the record was set aside.
        package var path: String

        /// Bytes from the start of the file.
        package var start: Int

        /// The first byte behind the piece; nil if that is not known any more.
        package var end: Int?
    }

    /// A few of them; none if nothing is known.
    package var pieces: [Piece] = []

    /// How many others there are.
    package var others = 0

    /// How many are kept of each letter.
    static let mostPieces = 8
}

extension DeadLetterOrigin {
    /// How many others; then for each piece device, inode, start, end or -1, and the path behind its length.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ word: UInt64) {
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        append(UInt64(others))
        for piece in pieces {
            append(piece.file.device)
            append(piece.file.inode)
            append(UInt64(piece.start))
            append(piece.end.map(UInt64.init) ?? .max)
            append(UInt64(piece.path.utf8.count))
            bytes += piece.path.utf8
        }
        return bytes
    }

    /// Reads as much as makes sense.
    init(encoded bytes: Span<UInt8>) {
        var rest = 0..<bytes.count
        func word() -> UInt64? {
            guard rest.count >= 8 else { return nil }
            defer { rest = rest.lowerBound + 8..<rest.upperBound }
            return (0..<8).reduce(0) { $0 | UInt64(bytes[rest.lowerBound + $1]) << UInt64($1 * 8) }
        }
        guard let others = word() else { return }
        self.others = Int(clamping: others)
        while let device = word(), let inode = word(), let start = word(), let end = word(), let length = word(),
            length <= rest.count
        {
            let path = (rest.lowerBound..<rest.lowerBound + Int(length)).map { bytes[$0] }
            rest = rest.lowerBound + Int(length)..<rest.upperBound
            pieces.append(
                Piece(
                    file: FileIdentity(device: device, inode: inode),
                    path: String(decoding: path, as: UTF8.self),
                    start: Int(clamping: start),
                    end: end == .max ? nil : Int(clamping: end)
                )
            )
        }
    }
}
