/// The lengths of a chunk's records as they are stored: four bytes each, the lowest first.
enum Lengths {
    static func encode(_ lengths: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lengths.count * 4)
        for length in lengths {
            let length = UInt32(length)
            bytes.append(UInt8(truncatingIfNeeded: length))
            bytes.append(UInt8(truncatingIfNeeded: length >> 8))
            bytes.append(UInt8(truncatingIfNeeded: length >> 16))
            bytes.append(UInt8(truncatingIfNeeded: length >> 24))
        }
        return bytes
    }

    static func decode(_ bytes: Span<UInt8>) -> [Int] {
        (0..<bytes.count / 4).map { index in
            let at = index * 4
            return Int(bytes[at]) | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2]) << 16 | Int(bytes[at + 3]) << 24
        }
    }
}
