extension Span<UInt8> {
    /// A 64-bit sum that tells whether bytes were damaged; `seed` lets one sum go on where another one ended.
    ///
    /// Four sums run side by side, each over every fourth word, so that it costs next to nothing: several bytes a
    /// cycle. It is no protection against anybody who wants to deceive.
    package func checksum(seed: UInt64 = 0) -> UInt64 {
        unsafe withUnsafeBytes { bytes in
            var sums = SIMD4<UInt64>(repeating: seed &+ UInt64(bytes.count)) &+ ChecksumStep.start
            var index = 0
            while index + 32 <= bytes.count {
                ChecksumStep.add(unsafe bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self), to: &sums)
                index += 32
            }
            var rest = SIMD4<UInt64>()
            for place in 0..<bytes.count - index {
                rest[place / 8] |= UInt64(unsafe bytes[index + place]) << UInt64(place % 8 * 8)
            }
            ChecksumStep.add(rest, to: &sums)
            return ChecksumStep.finish(sums)
        }
    }
}

/// How a sum goes on: a rotation, and a multiplication by an odd constant, both of which can be undone, so that no
/// difference between two texts is lost on the way.
private enum ChecksumStep {
    static let start = SIMD4<UInt64>(0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 1)
    private static let factor: UInt64 = 0x9E37_79B1_85EB_CA87

    @inline(__always) static func add(_ words: SIMD4<UInt64>, to sums: inout SIMD4<UInt64>) {
        for lane in 0..<4 {
            let mixed = sums[lane] ^ words[lane]
            sums[lane] = (mixed << 29 | mixed >> 35) &* factor
        }
    }

    static func finish(_ sums: SIMD4<UInt64>) -> UInt64 {
        var sum: UInt64 = 0
        for lane in 0..<4 {
            sum = (sum ^ sums[lane]) &* factor
            sum ^= sum >> 32
        }
        return sum
    }
}
