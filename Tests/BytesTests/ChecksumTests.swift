import Bytes
import TestSupport
import Testing

@Suite struct ChecksumTests {
    @Test func `every changed bit, every length and every seed makes another sum`() {
        var random = SeededGenerator(seed: 1)
        var seen: Set<UInt64> = []
        for count in [0, 1, 7, 8, 9, 31, 32, 33, 64, 100] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            seen.insert(bytes.span.checksum())
            for bit in 0..<count * 8 {
                var changed = bytes
                changed[bit / 8] ^= 1 << (bit % 8)
                seen.insert(changed.span.checksum())
            }
            #expect(bytes.span.checksum() == Array(bytes).span.checksum())
            #expect(bytes.span.checksum(seed: 1) != bytes.span.checksum())
        }
        #expect(seen.count == [0, 1, 7, 8, 9, 31, 32, 33, 64, 100].reduce(0) { $0 + $1 * 8 + 1 })
        #expect([UInt8](repeating: 0, count: 5).span.checksum() != [UInt8](repeating: 0, count: 6).span.checksum())
    }
}
