import Bytes
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `encodes the test vectors of RFC 4648`(plain: String, encoded: String) {
        #expect(base64(Array(plain.utf8)) == encoded)
    }

    @Test func `uses the whole standard alphabet`() {
        let sextets = (0..<64).map { UInt32($0) }
        let bytes = stride(from: 0, to: 64, by: 4).flatMap { start -> [UInt8] in
            let bits = sextets[start..<start + 4].reduce(0) { $0 << 6 | $1 }
            return [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
        }
        #expect(base64(bytes) == "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    }

    @Test(arguments: 0...200) func `agrees with a plain encoder at every length`(length: Int) {
        let bytes = (0..<length).map { _ in UInt8.random(in: 0...255) }
        #expect(base64(bytes) == plainBase64(bytes))
        #expect(base64(bytes).utf8.count == Base64.encodedCount(of: length))
    }

    @Test func `agrees with a plain encoder on a large record`() {
        let bytes = (0..<1_024_000).map { _ in UInt8.random(in: 0...255) }
        #expect(base64(bytes) == plainBase64(bytes))
    }

    @Test func `adds to what is there and keeps the memory of a reused buffer`() {
        var buffer = Array("\"".utf8)
        buffer.append(base64: Array("foo".utf8).span)
        buffer.append(base64: Array("ba".utf8).span)
        #expect(buffer == Array("\"Zm9vYmE=".utf8))
        buffer.reserveCapacity(1000)
        let capacity = buffer.capacity
        buffer.removeAll(keepingCapacity: true)
        buffer.append(base64: [UInt8](repeating: 0, count: 700).span)
        #expect(buffer.capacity == capacity)
    }

    private func base64(_ bytes: [UInt8]) -> String {
        var encoded: [UInt8] = []
        encoded.append(base64: bytes.span)
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The textbook form: bits in, six at a time out.
    private func plainBase64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var encoded: [UInt8] = []
        var bits = 0
        var bitCount = 0
        for byte in bytes {
            bits = (bits << 8 | Int(byte)) & 0xffff
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                encoded.append(alphabet[bits >> bitCount & 63])
            }
        }
        if bitCount > 0 { encoded.append(alphabet[bits << (6 - bitCount) & 63]) }
        while encoded.count % 4 != 0 { encoded.append(UInt8(ascii: "=")) }
        return String(decoding: encoded, as: UTF8.self)
    }
}
