/// A 32-byte hash, or an authentication code made of one.
package struct Digest: Sendable {
    /// The bytes themselves, as the input of another step.
    package var bytes: InlineArray<32, UInt8>

    /// The bytes as 64 lower-case hexadecimal digits.
    package var hex: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(64)
        for index in bytes.indices {
            digits.append(Self.digit(bytes[index] >> 4))
            digits.append(Self.digit(bytes[index] & 0x0F))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The lower-case hexadecimal digit for a value of 0 to 15.
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
