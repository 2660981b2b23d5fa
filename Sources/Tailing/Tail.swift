import Bytes
package import Platform
package import Records

/// One file that is followed for one stream, from open to gone.
///
/// It is device and inode, whatever its name becomes; what was read before is recognised by a fingerprint of the first
/// bytes, which grows with the file, and by the last bytes that were read. Both are taken from what was read, never
/// from the file afterwards, which may be another one by then.
package final class Tail {
    package let stream: StreamName
    package let file: FileIdentity

    /// Where it was last seen.
    package var path: Path

    /// Where its content was last seen; since then its inode may have become another file's, at `path`.
    private var contentPath: Path

    /// How far it has been read, in bytes from the start.
    package internal(set) var offset: Int

    /// Whether `offset` lies in a line that was cut.
    package internal(set) var isSkippingLine: Bool

    /// Its size when it was last looked at, in bytes.
    package private(set) var size = 0

    /// When its content last changed, since 1970, when it was last looked at; nil if it never was.
    package var modified: Duration?

    /// What was known of the content that was thrown away last; nil if none was.
    ///
    /// A copy of it may have been made before, as `copytruncate` does.
    package private(set) var abandoned: Checkpoint?

    /// How many names it had when it was last looked at; nil if it never was.
    package private(set) var linkCount: Int?

    /// Whether it is mounted by itself under the name by which it was opened last.
    package private(set) var isMountPoint = false

    /// The file's first bytes, as many of them as were read, up to `Fingerprint.headBytes`.
    var head: Fingerprint

    /// The bytes just before `offset`, up to `Fingerprint.tailBytes`.
    var recent: [UInt8] = []

    /// The file's first bytes, up to `Fingerprint.proofBytes`, as they were seen before so many were read.
    package internal(set) var seen = Fingerprint()

    /// Whether what is read is not the file itself but what it holds in compressed form, in a file without a name.
    package private(set) var isInflated = false

    private var descriptor: FileDescriptor?

    init(stream: StreamName, file: FileIdentity, path: Path, offset: Int, isSkippingLine: Bool, head: Fingerprint) {
        self.stream = stream
        self.file = file
        self.path = path
        contentPath = path
        self.offset = offset
        self.isSkippingLine = isSkippingLine
        self.head = head
    }

    /// Whether it has no name any more; where it is mounted is one, whatever becomes of it elsewhere.
    package var isDeleted: Bool { linkCount == 0 && !isMountPoint }

    // MARK: Reading

    /// What a look at the file found.
    package enum Look: Equatable, Sendable {
        /// This many bytes are there to be read; 0 is caught up.
        case unread(Int)
        /// Its content was thrown away after it was read up to the offset before; it is read from its beginning now.
        ///
        /// `unread` is how many bytes are known to have been behind that offset.
        case startedOver(from: Int, unread: Int)
    }

    /// Looks how the file is now, opening it if it was closed.
    package func look() throws(TailError) -> Look {
        let known = (offset: offset, size: size, modified: modified)
        let wasOpen = isOpen
        if wasOpen { try refresh() } else { try open() }
        // While it was closed, another file may have got its inode. What was written to without growing may have been
        // rewritten, with the same end.
        let isTouched = !wasOpen || (size == offset && modified != known.modified)
        let lostAll = wasOpen && offset == 0 && size < known.size
        if !lostAll, size >= offset, try stillHolds(recent, before: offset), try beginsAsRead(unless: !isTouched),
            try beginsAsSeen()
        {
            contentPath = path
            return .unread(size - offset)
        }
        abandon()
        return .startedOver(from: known.offset, unread: max(0, known.size - known.offset))
    }

    /// Reads on behind what `buffer` holds, which begins at `offset`.
    ///
    /// - Returns: how many bytes were read, 0 at the end of the file; nil if the content has changed meanwhile, so that
    ///   what is in the buffer means nothing and the next look starts over.
    package func read(into buffer: inout [UInt8], count: Int) throws(TailError) -> Int? {
        let start = offset + buffer.count
        let before = lastBytes(of: buffer.span, count: buffer.count)
        let added = try read(appendingTo: &buffer, from: start, count: count)
        // Checked afterwards: what was rewritten before the reading shows now.
        return try stillHolds(before, before: start) ? added : nil
    }

    /// Notes that the first `count` bytes of `buffer`, which begins at `offset`, are dealt with.
    package func advance(over buffer: Span<UInt8>, count: Int, isSkippingLine: Bool) {
        guard count > 0 else { return }
        if head.length == offset, offset < Fingerprint.headBytes {
            head = head.extended(by: buffer.extracting(first: min(count, Fingerprint.headBytes - offset)))
        }
        recent = lastBytes(of: buffer, count: count)
        offset += count
        self.isSkippingLine = isSkippingLine
    }

    /// The last of the bytes up to `count` bytes behind `offset`, where `buffer` begins.
    private func lastBytes(of buffer: Span<UInt8>, count: Int) -> [UInt8] {
        guard count > 0 else { return recent }
        let kept = min(count, Fingerprint.tailBytes)
        var last = Array(recent.suffix(Fingerprint.tailBytes - kept))
        last.append(copying: buffer.extracting(count - kept..<count))
        return last
    }

    /// What to write down once everything before `safeOffset`, which is not beyond the tail's own, is safe.
    ///
    /// If the content that was read is there no more, that is its new beginning, of which nothing has been read. If the
    /// file cannot be looked at, the fingerprint of the last bytes is left out.
    package func checkpoint(at safeOffset: Int, isSkippingLine isSkipping: Bool) -> Checkpoint {
        var checkpoint = Checkpoint(
            stream: stream,
            file: file,
            offset: safeOffset,
            isSkippingLine: isSkipping,
            head: beginning(at: safeOffset),
            path: path.description
        )
        if safeOffset == offset {
            let last = recent
            checkpoint.tail = Fingerprint(of: last.span)
            return checkpoint
        }
        let wasOpen = isOpen
        defer { if !wasOpen { close() } }
        let end = max(0, safeOffset - Fingerprint.tailBytes)..<safeOffset
        guard wasOpen || canBeOpened, let tail = try? fingerprint(of: end),
            let isSame = try? stillHolds(recent, before: offset)
        else { return checkpoint }
        checkpoint.tail = tail
        return isSame ? checkpoint : Checkpoint(stream: stream, file: file, offset: 0, path: path.description)
    }

    func stillHolds(_ known: [UInt8], before end: Int) throws(TailError) -> Bool {
        try bytes(in: end - known.count..<end) == known
    }

    private func beginsAsRead(unless isKnown: Bool = false) throws(TailError) -> Bool {
        if isKnown { return true }
        return try fingerprint(of: 0..<head.length) == head
    }

    /// What is known of the first bytes of what a checkpoint at an offset describes.
    private func beginning(at offset: Int) -> Fingerprint {
        if offset < seen.length { return seen }
        return head.length <= offset ? head : Fingerprint()
    }

    /// Starts over, and keeps in mind what the content was.
    private func abandon() {
        let last = recent
        abandoned = Checkpoint(
            stream: stream,
            file: file,
            offset: offset,
            isSkippingLine: isSkippingLine,
            head: beginning(at: offset),
            tail: Fingerprint(of: last.span),
            path: contentPath.description
        )
        startOver()
    }

    func startOver() {
        offset = 0
        isSkippingLine = false
        head = Fingerprint()
        seen = Fingerprint()
        recent = []
    }

    // MARK: The descriptor

    package var isOpen: Bool { descriptor != nil }

    /// Whether its path leads to it now; then it is open.
    package var canBeOpened: Bool { (try? open()) != nil }

    /// What a path leads to where a file was looked for.
    package enum Finding: Sendable {
        /// The file, with what was read of it; now it is open.
        case itself
        /// One that has its device and inode, so that it is gone, and other content.
        case successor
        case nothing
    }

    /// Looks for the file at another path.
    package func find(at other: Path) -> Finding {
        let known = (path, size, linkCount, modified)
        path = other
        defer { path = known.0 }
        guard canBeOpened else { return .nothing }
        if (try? stillHolds(recent, before: offset)) == true, (try? beginsAsRead()) == true { return .itself }
        close()
        (_, size, linkCount, modified) = known
        return .successor
    }

    /// Gives the descriptor back; the next look opens the file again.
    package func close() {
        // What was inflated would have to be inflated again.
        if !isInflated { descriptor = nil }
    }

    /// Reads this file, which holds what was compressed, from now on.
    func read(inflated: consuming FileDescriptor) throws(TailError) {
        isInflated = true
        try take(over: inflated)
    }

    /// Reads what somebody else has opened.
    func take(over opened: consuming FileDescriptor) throws(TailError) {
        descriptor = consume opened
        try refresh()
    }

    /// Leaves the open file to whoever reads it next; nil if it is closed, or is not the file itself.
    package func leave() -> LeftFile? {
        guard !isInflated, let descriptor = descriptor.take() else { return nil }
        return LeftFile(descriptor, of: file, for: stream)
    }

    /// Lends the descriptor's number, to watch the very file that is open.
    package var descriptorNumber: CInt? {
        switch descriptor {
        case .some(let descriptor): descriptor.rawValue
        case .none: nil
        }
    }

    func open() throws(TailError) {
        do throws(Errno) {
            let opened = try FileDescriptor(opening: path, for: .reading)
            let status = try opened.status()
            // A directory may have got the inode of a file that is gone.
            guard status.kind == .regular, FileIdentity(device: status.device, inode: status.inode) == file else {
                throw .noSuchFile
            }
            isMountPoint = opened.isMountPoint
            descriptor = consume opened
            note(status)
        } catch {
            throw TailError(error)
        }
    }

    /// Opens the file again if its path leads to more of it than the descriptor shows.
    ///
    /// Where file systems lie in layers, a file that is written to may be copied to another layer, and who had it open
    /// keeps the old one.
    package func reopenIfOutgrown(by foundSize: Int) {
        guard isOpen, foundSize > size, (try? refresh()) != nil, foundSize > size else { return }
        close()
    }

    /// Looks at the open file's size and names, without reading; nothing if it is closed.
    package func refresh() throws(TailError) {
        do throws(Errno) {
            guard let status = try descriptor?.status() else { return }
            note(status)
        } catch {
            throw TailError(error)
        }
    }

    /// Notes that the open file has grown, unless another content grows in it, and leaves all else to the next look.
    package func noteGrowth() {
        guard let status = try? descriptor?.status(), status.size > size,
            (try? stillHolds(recent, before: offset)) == true
        else { return }
        size = status.size
    }

    private func note(_ status: FileStatus) {
        size = status.size
        linkCount = status.linkCount
        if !isInflated { modified = status.modified }
    }

    /// The bytes of the file in `range`, fewer if it ends there; none if the file is not open.
    package func bytes(in range: Range<Int>) throws(TailError) -> [UInt8] {
        var bytes: [UInt8] = []
        if !range.isEmpty { _ = try read(appendingTo: &bytes, from: range.lowerBound, count: range.count) }
        return bytes
    }

    /// Where the next bytes of the open file are, from an offset on, that were ever written; nil if there are none.
    func nextData(from start: Int) throws(TailError) -> Int? {
        do throws(Errno) {
            return try descriptor?.nextData(from: start)
        } catch {
            throw TailError(error)
        }
    }

    func fingerprint(of range: Range<Int>) throws(TailError) -> Fingerprint {
        let bytes = try bytes(in: range)
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
