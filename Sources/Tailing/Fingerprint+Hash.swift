package import Records

extension Fingerprint {
    /// How many of a file's first bytes are looked at, once it has them.
    package static let headBytes = 1_024

    /// How many bytes before an offset are looked at.
    package static let tailBytes = 64

    /// The 64-bit FNV-1a hash of all of `bytes` (http://www.isthe.com/chongo/tech/comp/fnv/).
    package init(of bytes: Span<UInt8>) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in bytes.indices {
            hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3
        }
        self.init(length: bytes.count, hash: hash)
    }
}
