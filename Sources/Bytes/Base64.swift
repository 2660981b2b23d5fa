/// Base64 with the standard alphabet, padded, on one line (RFC 4648, section 4).
package enum Base64 {
    /// How many bytes the encoded form of `count` bytes takes.
    @inlinable
    package static func encodedCount(of count: Int) -> Int { (count + 2) / 3 * 4 }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The two characters of every 12-bit number, in the order in which they lie in memory.
    ///
    /// One lookup yields two characters, and the table (8 KiB) stays in the first-level cache.
    fileprivate static let pairs: [UInt16] = (0..<4096).map { number in
        UInt16(littleEndian: UInt16(alphabet[number >> 6]) | UInt16(alphabet[number & 63]) << 8)
    }

    /// Encodes `source` into `target`, which has room for all of it.
    fileprivate static func encode(
        _ source: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawPointer,
        _ pairs: UnsafePointer<UInt16>
    ) {
        guard let base = source.baseAddress else { return }
        var read = 0
        var written = 0
        // Six bytes become eight characters; a load takes eight bytes, so it must not start in the last seven.
        while read + 8 <= source.count {
            let bits = unsafe UInt64(bigEndian: base.loadUnaligned(fromByteOffset: read, as: UInt64.self))
            unsafe target.storeBytes(of: eightCharacters(bits, pairs), toByteOffset: written, as: UInt64.self)
            read += 6
            written += 8
        }
        while read < source.count {
            let group = unsafe UnsafeRawBufferPointer(rebasing: source[read..<min(read + 3, source.count)])
            unsafe target.storeBytes(of: fourCharacters(group, pairs), toByteOffset: written, as: UInt32.self)
            read += 3
            written += 4
        }
    }

    /// The characters of the upper 48 bits.
    @inline(__always)
    private static func eightCharacters(_ bits: UInt64, _ pairs: UnsafePointer<UInt16>) -> UInt64 {
        let first = unsafe UInt64(pairs[Int(bits >> 52)])
        let second = unsafe UInt64(pairs[Int(bits >> 40 & 0xfff)])
        let third = unsafe UInt64(pairs[Int(bits >> 28 & 0xfff)])
        let fourth = unsafe UInt64(pairs[Int(bits >> 16 & 0xfff)])
        return UInt64(littleEndian: first | second << 16 | third << 32 | fourth << 48)
    }

    /// The characters of one to three bytes, padded to four.
    private static func fourCharacters(_ group: UnsafeRawBufferPointer, _ pairs: UnsafePointer<UInt16>) -> UInt32 {
        var bits = unsafe UInt32(group[0]) << 16
        if group.count > 1 { unsafe bits |= UInt32(group[1]) << 8 }
        if group.count > 2 { unsafe bits |= UInt32(group[2]) }
        let characters = unsafe UInt32(pairs[Int(bits >> 12)]) | UInt32(pairs[Int(bits & 0xfff)]) << 16
        let padding = UInt32(UInt8(ascii: "="))
        let padded =
            switch group.count {
            case 1: characters & 0x0000_ffff | padding << 16 | padding << 24
            case 2: characters & 0x00ff_ffff | padding << 24
            default: characters
            }
        return UInt32(littleEndian: padded)
    }
}

extension [UInt8] {
    /// Adds the base64 form of `bytes` at the end, with nothing in between.
    package mutating func append(base64 bytes: Span<UInt8>) {
        let size = Base64.encodedCount(of: bytes.count)
        guard size > 0 else { return }
        append(addingCapacity: size) { output in
            unsafe output.withUnsafeMutableBufferPointer { target, initializedCount in
                guard let start = target.baseAddress else { return }
                unsafe bytes.withUnsafeBytes { source in
                    unsafe Base64.pairs.withUnsafeBufferPointer { pairs in
                        guard let pairs = pairs.baseAddress else { return }
                        unsafe Base64.encode(source, into: start + initializedCount, pairs)
                    }
                }
                initializedCount += size
            }
        }
    }
}
