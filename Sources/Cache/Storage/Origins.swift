import Records

/// From where the lines of a harvest were read.
///
/// Every chunk of the harvest bears it. When one turns out to be damaged, its lines are read again from there; when
/// records of it become dead letters, it tells where they came from.
struct Origins: Equatable {
    /// How far a file had been read before.
    struct Position: Equatable {
        var file: FileIdentity
        var offset: Int
        var isSkippingLine: Bool
    }

    var positions: [Position] = []

    /// Twenty-four bytes each: device, inode, and twice the offset plus one if it lies in a line that was cut.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(positions.count * Self.positionBytes)
        for position in positions {
            let place = UInt64(position.offset) << 1 | (position.isSkippingLine ? 1 : 0)
            for word in [position.file.device, position.file.inode, place] {
                for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
            }
        }
        return bytes
    }

    init(_ positions: [Position] = []) {
        self.positions = positions
    }

    init(encoded bytes: Span<UInt8>) {
        for start in stride(from: 0, through: bytes.count - Self.positionBytes, by: Self.positionBytes) {
            let place = Self.word(of: bytes, at: start + 16)
            let file = FileIdentity(device: Self.word(of: bytes, at: start), inode: Self.word(of: bytes, at: start + 8))
            positions.append(Position(file: file, offset: Int(place >> 1), isSkippingLine: place & 1 == 1))
        }
    }

    private static let positionBytes = 24

    private static func word(of bytes: Span<UInt8>, at start: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) }
    }
}
