import Crypto
import Testing

@Suite struct CryptoTests {
    struct Known: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var message: [UInt8]
        var key: [UInt8] = []
        var hex: String
    }

    /// The examples of FIPS 180-2, appendix B.
    static let hashes = [
        Known(
            testDescription: "nothing",
            message: [],
            hex: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        ),
        Known(
            testDescription: "one block",
            message: Array("abc".utf8),
            hex: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        Known(
            testDescription: "two blocks",
            message: Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
            hex: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        Known(
            testDescription: "a million bytes",
            message: Array(repeating: UInt8(ascii: "a"), count: 1_000_000),
            hex: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    @Test(arguments: hashes) func `hashes what is there at once`(known: Known) {
        #expect(SHA256.hash(of: known.message.span).hex == known.hex)
    }

    @Test(arguments: hashes, [7, 55, 64, 999]) func `where a piece ends does not matter`(known: Known, size: Int) {
        var hash = SHA256()
        for start in stride(from: 0, to: known.message.count, by: size) {
            hash.update(known.message.span.extracting(start..<min(start + size, known.message.count)))
        }
        #expect(hash.finish().hex == known.hex)
    }

    @Test func `starts over after each hash`() {
        var hash = SHA256()
        for known in Self.hashes + Self.hashes.reversed() {
            hash.update(known.message.span)
            #expect(hash.finish().hex == known.hex)
        }
    }

    /// The examples of RFC 4231, sections 4.2, 4.3, 4.4 and 4.7, and one of our own without a key.
    static let codes = [
        Known(
            testDescription: "a short key",
            message: Array("Hi There".utf8),
            key: Array(repeating: 0x0B, count: 20),
            hex: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        Known(
            testDescription: "a key of text",
            message: Array("what do ya want for nothing?".utf8),
            key: Array("Jefe".utf8),
            hex: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        Known(
            testDescription: "bytes over 127",
            message: Array(repeating: 0xDD, count: 50),
            key: Array(repeating: 0xAA, count: 20),
            hex: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        Known(
            testDescription: "a key longer than a block",
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            key: Array(repeating: 0xAA, count: 131),
            hex: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        Known(
            testDescription: "neither key nor message",
            message: [],
            hex: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        ),
    ]

    @Test(arguments: codes) func authenticates(known: Known) {
        #expect(HMAC.code(for: known.message.span, key: known.key.span).hex == known.hex)
    }

    @Test func `an empty key is not the key of the call before`() {
        _ = HMAC.code(for: [1, 2, 3].span, key: [4, 5, 6].span)
        let known = Self.codes[4]
        #expect(HMAC.code(for: known.message.span, key: known.key.span).hex == known.hex)
    }
}
