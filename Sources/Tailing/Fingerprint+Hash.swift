package import Records

extension Fingerprint {
    /// How many of a file's first bytes are looked at, once it has them.
    package static let headBytes = 1_024

    /// How many of its first bytes must be known of a content for a copy to be proven by them.
    ///
    /// Short ones, such as a header, may be those of any generation.
    package static let proofBytes = 256

    /// How many bytes before an offset are looked at.
    package static let tailBytes = 64

    /// The 64-bit FNV-1a hash of all of `bytes` (http://www.isthe.com/chongo/tech/comp/fnv/).
    package init(of bytes: Span<UInt8>) {
        self = Fingerprint().extended(by: bytes)
    }

    /// The fingerprint of the same bytes and `more` behind them.
    package func extended(by more: Span<UInt8>) -> Fingerprint {
        guard !more.isEmpty else { return self }
        var longer = length == 0 ? Fingerprint(hash: 0xCBF2_9CE4_8422_2325) : self
        for index in more.indices {
            longer.hash = (longer.hash ^ UInt64(more[index])) &* 0x0000_0100_0000_01B3
        }
        longer.length = length + more.count
        return longer
    }
}
