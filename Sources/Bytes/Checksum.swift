extension Span<UInt8> {
    /// A 64-bit sum that tells whether bytes were damaged; `seed` lets one sum go on where another one ended.
    ///
    /// Four sums run side by side, each over every fourth word, so that the processor never waits for one of them. It is
    /// no protection against anybody who wants to deceive.
    package func checksum(seed: UInt64 = 0) -> UInt64 {
        unsafe withUnsafeBytes { bytes in
            var sums = ChecksumSums(seed: seed &+ UInt64(bytes.count))
            var index = 0
            while index + 32 <= bytes.count {
                unsafe sums.add(
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self),
                    bytes.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self),
                    bytes.loadUnaligned(fromByteOffset: index + 16, as: UInt64.self),
                    bytes.loadUnaligned(fromByteOffset: index + 24, as: UInt64.self)
                )
                index += 32
            }
            var rest = SIMD4<UInt64>()
            for place in 0..<bytes.count - index {
                rest[place / 8] |= UInt64(unsafe bytes[index + place]) << UInt64(place % 8 * 8)
            }
            sums.add(rest[0], rest[1], rest[2], rest[3])
            return sums.total
        }
    }
}

/// Four running sums.
///
/// Each step is a multiplication by an odd constant, which carries differences up, and a shift that brings them down
/// again; both can be undone, so that no difference between two texts is lost on the way.
private struct ChecksumSums {
    private var first: UInt64
    private var second: UInt64
    private var third: UInt64
    private var fourth: UInt64

    private static let factor: UInt64 = 0x9E37_79B1_85EB_CA87

    init(seed: UInt64) {
        first = seed &+ 0x9E37_79B9_7F4A_7C15
        second = seed &+ 0xC2B2_AE3D_27D4_EB4F
        third = seed &+ 0x1656_67B1_9E37_79F9
        fourth = seed &+ 1
    }

    @inline(__always) mutating func add(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        self.first = Self.step(self.first, first)
        self.second = Self.step(self.second, second)
        self.third = Self.step(self.third, third)
        self.fourth = Self.step(self.fourth, fourth)
    }

    @inline(__always) private static func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = (sum ^ word) &* factor
        return mixed ^ mixed >> 32
    }

    /// The sum over all.
    var total: UInt64 {
        var total: UInt64 = 0
        for sum in [first, second, third, fourth] {
            total = Self.step(total, sum)
        }
        return total
    }
}
