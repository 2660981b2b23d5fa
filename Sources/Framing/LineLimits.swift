/// How long a line may be, and what ends one that was cut.
package struct LineLimits: Sendable, Equatable {
    /// Bytes in one line, its newline included: 1 to 1,024,000.
    package let maxLineBytes: Int

    /// What is put after the content of a line that was cut; it counts towards `maxLineBytes`.
    package let cutTerminator: [UInt8]

    /// - Precondition: the terminator takes no more than `maxLineBytes`; the configuration has seen to it.
    package init(maxLineBytes: Int = 1_024_000, cutTerminator: [UInt8] = [UInt8(ascii: "\n")]) {
        precondition((1...1_024_000).contains(maxLineBytes), "a line may have 1 to 1,024,000 bytes")
        precondition(cutTerminator.count <= maxLineBytes, "the terminator of a cut line fits in a line")
        self.maxLineBytes = maxLineBytes
        self.cutTerminator = cutTerminator
    }
}
