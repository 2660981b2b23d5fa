package import Platform
package import Records

/// Where the reading of a file begins.
extension Tail {
    /// How a file continues what a checkpoint says about it.
    package enum Continuation: Sendable, Equatable {
        /// It is the same file with the same content so far.
        case resumed
        /// It is shorter than what was read of it: it was truncated meanwhile, and is read from its beginning.
        case truncated
        /// Its content is another one: the inode was used again, or it was rewritten; it is read from its beginning.
        case replaced
    }

    /// A file that is read from its beginning.
    package convenience init(readingAll path: Path, as file: FileIdentity, for stream: StreamName) {
        self.init(stream: stream, file: file, path: path, offset: 0, isSkippingLine: false, head: Fingerprint())
    }

    /// Tells from a file's first bytes, four if it has as many, what a newline is in it: 1, 2 or 4 bytes.
    package typealias NewlineTeller = (_ beginning: [UInt8]) -> [UInt8]

    /// A file of which only what comes from now on is read, from the start of the line that is being written.
    ///
    /// Where it ends in a hole, that may come there.
    package convenience init(
        fromEndOf path: Path,
        as file: FileIdentity,
        for stream: StreamName,
        maxLineBytes: Int,
        newline: NewlineTeller = { _ in [UInt8(ascii: "\n")] }
    ) throws(TailError) {
        self.init(readingAll: path, as: file, for: stream)
        try open()
        let newline = newline(try bytes(in: 0..<4))
        let end = try startOfHole(inUnitsOf: newline.count)
        try moveToLine(at: end, maxLineBytes: maxLineBytes) { _ in newline }
    }

    /// A file that an earlier run has read, if it is still the same.
    ///
    /// A checkpoint without a fingerprint of the last bytes was made when the file could not be read: then the offset
    /// may lie in a line, which is read from its start.
    package static func resuming(
        _ checkpoint: Checkpoint,
        at path: Path,
        maxLineBytes: Int = FirehoseLimits.recordBytes,
        newline: NewlineTeller = { _ in [UInt8(ascii: "\n")] }
    ) throws(TailError) -> (Tail, Continuation) {
        let resumed = Tail(checkpoint, at: path)
        try resumed.open()
        return (resumed, try resumed.resume(checkpoint, maxLineBytes: maxLineBytes, newline))
    }

    /// A file that is where a checkpoint says, as far as nobody has looked.
    convenience init(_ checkpoint: Checkpoint, at path: Path) {
        self.init(
            stream: checkpoint.stream,
            file: checkpoint.file,
            path: path,
            offset: checkpoint.offset,
            isSkippingLine: checkpoint.isSkippingLine,
            head: checkpoint.head
        )
    }

    /// Moves to where a checkpoint ends in the open file, or to its beginning if it is not what was read.
    func resume(
        _ checkpoint: Checkpoint,
        maxLineBytes: Int,
        _ newline: NewlineTeller
    ) throws(TailError) -> Continuation {
        let continuation = try compareWithFile(checkpoint.tail)
        if continuation != .resumed {
            startOver()
        } else if checkpoint.tail.length == 0, !checkpoint.isSkippingLine {
            try moveToLine(at: offset, maxLineBytes: maxLineBytes, newline)
        } else {
            try move(to: offset, isSkippingLine: checkpoint.isSkippingLine)
        }
        return continuation
    }

    /// Moves to where a checkpoint ends.
    ///
    /// - Returns: whether the content up to there is what was read.
    func continues(_ checkpoint: Checkpoint) throws(TailError) -> Bool {
        guard try compareWithFile(checkpoint.tail) == .resumed else { return false }
        try move(to: offset, isSkippingLine: isSkippingLine)
        return true
    }

    func compareWithFile(_ tail: Fingerprint) throws(TailError) -> Continuation {
        if offset > size { return .truncated }
        guard tail.length <= offset else { return .replaced }
        guard try fingerprint(of: 0..<head.length) == head else { return .replaced }
        return try fingerprint(of: offset - tail.length..<offset) == tail ? .resumed : .replaced
    }

    /// Moves to the start of the line at `end`, looking back no further than a line may be long.
    private func moveToLine(at end: Int, maxLineBytes: Int, _ newline: NewlineTeller) throws(TailError) {
        let newline = newline(try bytes(in: 0..<4))
        let piece = 65_536
        var position = end - end % newline.count
        while position > max(0, end - maxLineBytes) {
            let start = max(0, position - piece)
            if let lineStart = try bytes(in: start..<position).endOfLast(newline) {
                try move(to: start + lineStart, isSkippingLine: false)
                return
            }
            position = start
        }
        try move(to: position == 0 ? 0 : end - end % newline.count, isSkippingLine: position != 0)
    }

    private func move(to offset: Int, isSkippingLine: Bool) throws(TailError) {
        self.offset = offset
        self.isSkippingLine = isSkippingLine
        recent = try bytes(in: max(0, offset - Fingerprint.tailBytes)..<offset)
        head = try fingerprint(of: 0..<min(Fingerprint.headBytes, offset))
    }
}

extension [UInt8] {
    /// Where the last newline ends that begins at a multiple of its length.
    fileprivate func endOfLast(_ newline: [UInt8]) -> Int? {
        var end = count - count % newline.count
        while end > 0 {
            let start = end - newline.count
            if self[start..<end].elementsEqual(newline) { return end }
            end = start
        }
        return nil
    }
}
