package import Platform
package import Records

/// One file that is followed for one stream, from open to gone.
///
/// It is device and inode, whatever its name becomes; what was read before is recognised by a fingerprint of the first
/// bytes, which grows with the file, and one of the last bytes that were read.
package final class Tail {
    package let stream: StreamName
    package let file: FileIdentity

    /// Where it was last seen.
    package var path: Path

    /// How far it has been read, in bytes from the start.
    package private(set) var offset: Int

    /// Whether `offset` lies in a line that was cut.
    package private(set) var isSkippingLine: Bool

    /// Its size when it was last looked at, in bytes.
    package private(set) var size = 0

    /// Whether it has no name any more.
    package private(set) var isDeleted = false

    private var head: Fingerprint
    private var tail: Fingerprint
    private var descriptor: FileDescriptor?

    private init(
        stream: StreamName,
        file: FileIdentity,
        path: Path,
        offset: Int = 0,
        isSkippingLine: Bool = false,
        head: Fingerprint = Fingerprint(),
        tail: Fingerprint = Fingerprint()
    ) {
        self.stream = stream
        self.file = file
        self.path = path
        self.offset = offset
        self.isSkippingLine = isSkippingLine
        self.head = head
        self.tail = tail
    }

    // MARK: Where to begin

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
        self.init(stream: stream, file: file, path: path)
    }

    /// A file of which only what comes from now on is read, from the start of the line that is being written.
    package convenience init(
        fromEndOf path: Path,
        as file: FileIdentity,
        for stream: StreamName,
        maxLineBytes: Int
    ) throws(TailError) {
        self.init(stream: stream, file: file, path: path)
        try open()
        try seekToLastLine(maxLineBytes: maxLineBytes)
    }

    /// A file that an earlier run has read, if it is still the same.
    package static func resuming(
        _ checkpoint: Checkpoint,
        at path: Path
    ) throws(TailError) -> (Tail, Continuation) {
        let resumed = Tail(
            stream: checkpoint.stream,
            file: checkpoint.file,
            path: path,
            offset: checkpoint.offset,
            isSkippingLine: checkpoint.isSkippingLine,
            head: checkpoint.head,
            tail: checkpoint.tail
        )
        try resumed.open()
        let continuation = try resumed.compareWithFile()
        if continuation != .resumed { resumed.startOver() }
        return (resumed, continuation)
    }

    private func compareWithFile() throws(TailError) -> Continuation {
        if head.length > size { return offset > size ? .truncated : .replaced }
        if try fingerprint(of: 0..<head.length) != head { return .replaced }
        if offset > size { return .truncated }
        return try fingerprint(of: offset - tail.length..<offset) == tail ? .resumed : .replaced
    }

    private func startOver() {
        offset = 0
        isSkippingLine = false
        head = Fingerprint()
        tail = Fingerprint()
    }

    /// Moves to the start of the last line, looking back no further than a line may be long.
    private func seekToLastLine(maxLineBytes: Int) throws(TailError) {
        let piece = 65_536
        var end = size
        while end > max(0, size - maxLineBytes) {
            let start = max(0, end - piece)
            var bytes: [UInt8] = []
            _ = try read(appendingTo: &bytes, from: start, count: end - start)
            if let newline = bytes.lastIndex(of: UInt8(ascii: "\n")) {
                try move(to: start + newline + 1, isSkippingLine: false)
                return
            }
            end = start
        }
        try move(to: end == 0 ? 0 : size, isSkippingLine: end != 0)
    }

    private func move(to offset: Int, isSkippingLine: Bool) throws(TailError) {
        self.offset = offset
        self.isSkippingLine = isSkippingLine
        tail = try fingerprint(of: max(0, offset - Fingerprint.tailBytes)..<offset)
    }

    // MARK: Reading

    /// What a look at the file found.
    package enum Look: Equatable, Sendable {
        /// This many bytes are there to be read; 0 is caught up.
        case unread(Int)
        /// Its content was thrown away after it was read up to the offset before; it is read from its beginning now.
        case startedOver(from: Int)
    }

    /// Looks how the file is now, opening it if it was closed.
    package func look() throws(TailError) -> Look {
        if descriptor == nil { try open() } else { try refresh() }
        if size >= offset, try fingerprint(of: offset - tail.length..<offset) == tail { return .unread(size - offset) }
        let end = offset
        startOver()
        return .startedOver(from: end)
    }

    /// Reads on behind what `buffer` holds, which begins at `offset`.
    ///
    /// Gives how many bytes were read; 0 at the end of the file.
    package func read(into buffer: inout [UInt8], count: Int) throws(TailError) -> Int {
        try read(appendingTo: &buffer, from: offset + buffer.count, count: count)
    }

    /// Notes that the first `count` bytes of `buffer`, which begins at `offset`, are dealt with.
    package func advance(over buffer: Span<UInt8>, count: Int, isSkippingLine: Bool) throws(TailError) {
        guard count > 0 else { return }
        offset += count
        self.isSkippingLine = isSkippingLine
        let kept = min(offset, Fingerprint.tailBytes)
        tail =
            kept <= count
            ? Fingerprint(of: buffer.extracting(count - kept..<count))
            : try fingerprint(of: offset - kept..<offset)
    }

    /// What to write down once everything before `offset`, which is not beyond the tail's own, is safe.
    package func checkpoint(at safeOffset: Int, isSkippingLine isSkipping: Bool) throws(TailError) -> Checkpoint {
        let wanted = min(Fingerprint.headBytes, safeOffset)
        if head.length < wanted { head = try fingerprint(of: 0..<wanted) }
        let kept = min(safeOffset, Fingerprint.tailBytes)
        return Checkpoint(
            stream: stream,
            file: file,
            offset: safeOffset,
            isSkippingLine: isSkipping,
            head: head.length <= safeOffset ? head : Fingerprint(),
            tail: safeOffset == offset ? tail : try fingerprint(of: safeOffset - kept..<safeOffset),
            path: path.description
        )
    }

    // MARK: The descriptor

    package var isOpen: Bool { descriptor != nil }

    /// Gives the descriptor back; the next look opens the file again.
    package func close() {
        descriptor = nil
    }

    /// Lends the descriptor's number, to watch the very file that is open.
    package var descriptorNumber: CInt? {
        switch descriptor {
        case .some(let descriptor): descriptor.rawValue
        case .none: nil
        }
    }

    private func open() throws(TailError) {
        do throws(Errno) {
            let opened = try FileDescriptor(opening: path, for: .reading)
            let status = try opened.status()
            guard FileIdentity(device: status.device, inode: status.inode) == file else { throw .noSuchFile }
            descriptor = consume opened
            note(status)
        } catch {
            throw TailError(error)
        }
    }

    private func refresh() throws(TailError) {
        do throws(Errno) {
            guard let status = try descriptor?.status() else { return }
            note(status)
        } catch {
            throw TailError(error)
        }
    }

    private func note(_ status: FileStatus) {
        size = status.size
        isDeleted = status.linkCount == 0
    }

    private func fingerprint(of range: Range<Int>) throws(TailError) -> Fingerprint {
        guard !range.isEmpty else { return Fingerprint() }
        var bytes: [UInt8] = []
        _ = try read(appendingTo: &bytes, from: range.lowerBound, count: range.count)
        return Fingerprint(of: bytes.span)
    }

    private func read(appendingTo buffer: inout [UInt8], from start: Int, count: Int) throws(TailError) -> Int {
        do throws(Errno) {
            return try descriptor?.read(appendingTo: &buffer, count: count, at: start) ?? 0
        } catch {
            throw TailError(error)
        }
    }
}
