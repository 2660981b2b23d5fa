/// How long a line may be, and what becomes of others.
package struct LineLimits: Sendable, Equatable {
    /// Bytes in one line as it is in its file, its newline included: 1 to 1,024,000.
    package let maxLineBytes: Int

    /// Bytes that a record surely holds: a piece of a line that is split has no more.
    let recordBytes: Int

    /// What is put after the content of a line that was cut; it counts towards `maxLineBytes`.
    package let cutTerminator: [UInt8]

    /// What becomes of longer lines.
    package let oversized: Oversized

    /// Whether lines are dropped that have nothing before their newline, or only a carriage return.
    package let dropsEmptyLines: Bool

    /// - Precondition: the terminator takes no more than `maxLineBytes`; the configuration has seen to it.
    package init(
        maxLineBytes: Int = 1_024_000,
        recordBytes: Int = 1_024_000,
        cutTerminator: [UInt8] = [UInt8(ascii: "\n")],
        oversized: Oversized = .truncate,
        dropsEmptyLines: Bool = false
    ) {
        precondition((1...1_024_000).contains(maxLineBytes), "a line may have 1 to 1,024,000 bytes")
        precondition(cutTerminator.count <= maxLineBytes, "the terminator of a cut line fits in a line")
        precondition(oversized != .split || maxLineBytes > 1, "a piece of a line has a newline and something before it")
        self.maxLineBytes = oversized == .split ? min(maxLineBytes, recordBytes) : maxLineBytes
        self.recordBytes = recordBytes
        self.cutTerminator = cutTerminator
        self.oversized = oversized
        self.dropsEmptyLines = dropsEmptyLines
    }

    /// What becomes of a line that is too long.
    package enum Oversized: Sendable, Equatable {
        /// Its beginning is kept, with the terminator after it.
        case truncate
        /// It becomes several lines.
        case split
        /// Nothing of it is kept.
        case skip
    }

    /// What shows that a line was cut if a newline follows it anyway.
    var cutMark: ArraySlice<UInt8> {
        cutTerminator.last == UInt8(ascii: "\n") ? cutTerminator.dropLast() : cutTerminator[...]
    }

    /// How much of a line is kept in one piece, in bytes.
    var keptBytes: Int {
        switch oversized {
        case .truncate: maxLineBytes - cutTerminator.count
        case .split: maxLineBytes - 1
        case .skip: 0
        }
    }
}
