import Bytes
package import Encodings

/// What ends a line in the bytes of a file.
package struct Newline: Sendable, Equatable {
    /// One byte, as in UTF-8 and whatever else has ASCII in it.
    package static let byte = Newline(bytes: [UInt8(ascii: "\n")], isUTF8: true)

    /// Of how many bytes each character takes a multiple: 1, 2 or 4.
    package let unitBytes: Int

    /// The newline itself; shorter units fill the beginning.
    private let unit: InlineArray<4, UInt8>

    /// Where in the unit its telling byte is: the others are NUL.
    private let markAt: Int

    /// Whether it is the usual newline, of bytes that pass as they are.
    let isUTF8: Bool

    /// The newline of an encoding.
    package init(of encoding: TextEncoding) {
        self.init(bytes: encoding.newline, isUTF8: false)
    }

    private init(bytes: [UInt8], isUTF8: Bool) {
        unitBytes = bytes.count
        var unit = InlineArray<4, UInt8>(repeating: 0)
        for (index, byte) in bytes.enumerated() { unit[index] = byte }
        self.unit = unit
        markAt = bytes.firstIndex { $0 != 0 } ?? 0
        self.isUTF8 = isUTF8
    }

    package static func == (left: Newline, right: Newline) -> Bool {
        left.unitBytes == right.unitBytes && left.isUTF8 == right.isUTF8
            && (0..<left.unitBytes).allSatisfy { left.unit[$0] == right.unit[$0] }
    }

    /// Where the first newline at or after `start`, where a unit begins, ends.
    func end(in bytes: Span<UInt8>, from start: Int) -> Int? {
        if unitBytes == 1 { return bytes.firstIndex(of: unit[0], from: start).map { $0 + 1 } }
        var next = start
        while let mark = bytes.firstIndex(of: unit[markAt], from: next) {
            let first = mark - (mark - start) % unitBytes
            if holds(bytes, at: first) { return first + unitBytes }
            next = mark + 1
        }
        return nil
    }

    private func holds(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        guard start + unitBytes <= bytes.count else { return false }
        for index in 0..<unitBytes where bytes[start + index] != unit[index] { return false }
        return true
    }

    /// How many bytes are missing to the end of the unit in which an offset of a file lies; 0 where one begins.
    package func bytesLeft(ofUnitAt offset: Int) -> Int { (unitBytes - offset % unitBytes) % unitBytes }

    /// Where the last whole unit ends, counted from `start`.
    func wholeUnits(in bytes: Span<UInt8>, from start: Int) -> Int {
        bytes.count - (bytes.count - start) % unitBytes
    }

    /// Whether what begins at `start` is one carriage return and nothing else.
    func isCarriageReturn(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        guard bytes.count - start == unitBytes, bytes[start + markAt] == UInt8(ascii: "\r") else { return false }
        for index in 0..<unitBytes where index != markAt && bytes[start + index] != 0 { return false }
        return true
    }

    /// The last place up to `end` at which a line may be cut without cutting a character; `start` if there is none.
    func wholeCharacters(in bytes: Span<UInt8>, from start: Int, upTo end: Int) -> Int {
        let end = end - (end - start) % unitBytes
        return end - lengthOfPart(in: bytes.extracting(start..<end))
    }

    /// The same for a line that goes on in another piece: one without a whole character would never end.
    func piece(of bytes: Span<UInt8>, from start: Int, upTo end: Int) -> Int {
        let whole = wholeCharacters(in: bytes, from: start, upTo: end)
        return whole > start ? whole : end - (end - start) % unitBytes
    }

    /// How many bytes of a file surely take no more than `count` bytes as UTF-8.
    ///
    /// Where characters have one byte, or who knows how many, each may become one of three; of two bytes at most three
    /// are made, and of four no more than four.
    func bytes(thatFitIn count: Int) -> Int {
        switch unitBytes {
        case 1: isUTF8 ? count : count / 3
        case 2: count / 3 * 2
        default: count
        }
    }

    /// How many bytes at the end are the beginning of a character.
    private func lengthOfPart(in bytes: Span<UInt8>) -> Int {
        switch unitBytes {
        case 1: return isUTF8 ? bytes.unfinishedCharacterBytes : 0
        case 2:
            guard bytes.count >= 2 else { return 0 }
            // The byte that is NUL in a newline is the upper one.
            return bytes[bytes.count - 1 - markAt] & 0xFC == 0xD8 ? 2 : 0
        default: return 0
        }
    }
}

extension Newline {
    /// How many bytes at the end of a file may be a hole that is to be filled: whole units of NUL.
    ///
    /// `offset` is where the bytes begin in the file.
    package func holeBytes(in bytes: Span<UInt8>, at offset: Int) -> Int {
        let end = max(0, bytes.count - (offset + bytes.count) % unitBytes)
        // Behind the last whole unit there is a part of another one, which is no hole.
        guard end == bytes.count else { return 0 }
        var first = end
        while first > 0, bytes[first - 1] == 0 { first -= 1 }
        return (end - first) / unitBytes * unitBytes
    }

    /// How many bytes from `start` on are whole units of NUL, up to `limit`.
    func holeBytes(in bytes: Span<UInt8>, from start: Int, atMost limit: Int) -> Int {
        let most = min(limit, bytes.count - start)
        var count = 0
        while count < most, bytes[start + count] == 0 { count += 1 }
        return count / unitBytes * unitBytes
    }
}
