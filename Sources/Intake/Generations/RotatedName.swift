import Tailing

/// What rotation makes of the name of a log: it adds a number, a date or `.old`, at the end or before the suffix.
enum RotatedName {
    /// The names that a log may have had before rotation gave it this one; empty if it does not look like that.
    static func origins(of name: some Collection<UInt8>) -> [[UInt8]] {
        let name = Array(name)
        var origins = prefixes(before: name[...]).map { Array($0) }
        if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 {
            origins += prefixes(before: name[..<dot]).map { Array($0 + name[dot...]) }
        }
        return origins
    }

    /// Whether rotation may have made both names of that of one log, or one of the other.
    static func areOfOneLog(_ name: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        !Set([Array(name)] + origins(of: name)).isDisjoint(with: [Array(other)] + origins(of: other))
    }

    /// The name that a file had before it was compressed; nil if it does not look compressed.
    static func uncompressed(_ name: some BidirectionalCollection<UInt8>) -> [UInt8]? {
        let suffix = Tail.compressedSuffix
        guard name.count > suffix.count, name.suffix(suffix.count).elementsEqual(suffix) else { return nil }
        return Array(name.dropLast(suffix.count))
    }

    /// What is left of a name without the stamp at its end, in every way in which that can be understood.
    private static func prefixes(before name: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        name.indices.dropFirst().filter { ".-_".utf8.contains(name[$0]) && isStamp(name[($0 + 1)...]) }
            .map { name[..<$0] }
    }

    private static func isStamp(_ text: ArraySlice<UInt8>) -> Bool {
        if text.elementsEqual("old".utf8) || text.elementsEqual("prev".utf8) { return true }
        guard let first = text.first, isDigit(first) else { return false }
        return text.allSatisfy { isDigit($0) || "-_.:+TZ".utf8.contains($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
