import Bytes
import CZlib

/// Why bytes could not be read as gzip.
package enum GzipError: Error, Equatable {
    /// They end before the last member does.
    case truncated
    /// What begins at this offset is not a gzip member, or it is one that does not agree with its checksum.
    case damaged(memberOffset: Int)
    /// They hold more than this many bytes.
    case tooLarge(limit: Int)
}

extension GzipError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .truncated:
            "the gzip data end inside a member: expected its checksum and length; the rest is missing"
        case .damaged(let offset):
            "the bytes at offset \(offset) are not an intact gzip member: expected a header and a matching checksum"
        case .tooLarge(let limit):
            "the gzip data hold more than the \(limit) bytes that are allowed here: read them with a higher limit"
        }
    }
}

/// Reads gzip members with zlib.
@safe
package struct GzipReader: ~Copyable {
    /// What is inflated at a time.
    private static let pieceBytes = 65_536

    private let stream: UnsafeMutablePointer<z_stream>
    private let piece: UnsafeMutableBufferPointer<UInt8>

    /// Whether the bytes that it was fed end within a member.
    package private(set) var isInMember = false

    package init() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe piece = .allocate(capacity: Self.pieceBytes)
        // The largest window, and 16 for "gzip, nothing else".
        let result = unsafe inflateInit2_(
            stream,
            MAX_WBITS + 16,
            ZLIB_VERSION,
            CInt(MemoryLayout<z_stream>.size)
        )
        precondition(result == Z_OK, "zlib has memory, and the version that it was compiled for")
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
        unsafe piece.deallocate()
    }

    /// Adds what all members of `bytes` hold, one after the other, to the end of `destination`.
    ///
    /// - Parameters:
    ///   - bytes: one or more members and nothing else.
    ///   - limit: how many bytes they may hold together.
    ///   - destination: left with what was read before an error, never with more than `limit` bytes added.
    /// - Throws: `GzipError`, also where `bytes` are empty, which is no member.
    package func decompress(
        _ bytes: Span<UInt8>,
        limit: Int,
        appendingTo destination: inout [UInt8]
    ) throws(GzipError) {
        let start = destination.count
        var offset = 0
        repeat {
            offset += try member(at: offset, of: bytes) { piece throws(GzipError) in
                guard destination.count - start + piece.count <= limit else { throw .tooLarge(limit: limit) }
                destination.append(copying: piece)
            }
        } while offset < bytes.count
    }

    /// Takes the next bytes of members that come in pieces, and lends what they hold, piece by piece.
    ///
    /// A member may begin in one call and end in another; a reader that is fed is used for nothing else.
    ///
    /// - Throws: `GzipError.damaged` with the offset of the member within `bytes`, 0 if it began before.
    package mutating func feed(_ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Void) throws(GzipError) {
        var taken = 0
        var memberOffset = 0
        while true {
            let rest = bytes.extracting(taken...)
            if !isInMember {
                guard !rest.isEmpty else { return }
                unsafe inflateReset(stream)
                (isInMember, memberOffset) = (true, taken)
            }
            let step = unsafe rest.withUnsafeBufferPointer { unsafe inflatePiece(of: $0) }
            unsafe body(UnsafeBufferPointer(rebasing: piece[..<step.written]).span)
            taken += step.taken
            switch step.result {
            case Z_STREAM_END: isInMember = false
            case Z_OK where step.taken + step.written > 0: continue
            case Z_OK, Z_BUF_ERROR: return
            case Z_MEM_ERROR: preconditionFailure("zlib has memory for its window")
            default: throw .damaged(memberOffset: memberOffset)
            }
        }
    }

    /// Reads one member and lends what it holds, piece by piece.
    ///
    /// - Returns: how many bytes of `bytes` it takes.
    private func member(
        at offset: Int,
        of bytes: Span<UInt8>,
        forEachPiece body: (Span<UInt8>) throws(GzipError) -> Void
    ) throws(GzipError) -> Int {
        unsafe inflateReset(stream)
        var taken = 0
        while true {
            let rest = bytes.extracting((offset + taken)...)
            let step = unsafe rest.withUnsafeBufferPointer { unsafe inflatePiece(of: $0) }
            try unsafe body(UnsafeBufferPointer(rebasing: piece[..<step.written]).span)
            taken += step.taken
            switch step.result {
            case Z_STREAM_END: return taken
            case Z_OK where step.taken + step.written > 0: continue
            case Z_OK, Z_BUF_ERROR: throw .truncated
            case Z_MEM_ERROR: preconditionFailure("zlib has memory for its window")
            default: throw .damaged(memberOffset: offset)
            }
        }
    }

    /// Inflates into `piece` until it is full or `input` ends.
    private func inflatePiece(of input: UnsafeBufferPointer<UInt8>) -> (result: CInt, taken: Int, written: Int) {
        // zlib refuses a null pointer even where there is nothing to read.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress ?? UnsafePointer(piece.baseAddress)
        )
        unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
        unsafe stream.pointee.next_out = piece.baseAddress
        unsafe stream.pointee.avail_out = UInt32(piece.count)
        let given = unsafe Int(stream.pointee.avail_in)
        let result = unsafe inflate(stream, Z_NO_FLUSH)
        return unsafe (result, given - Int(stream.pointee.avail_in), piece.count - Int(stream.pointee.avail_out))
    }
}
