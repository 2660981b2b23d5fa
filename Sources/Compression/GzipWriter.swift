import Bytes
import CISAL

/// Writes gzip members with ISA-L at level 1.
///
/// It owns 165 KiB of working memory (82,384 bytes of state, 86,016 bytes of tokens; larger token buffers were not
/// faster on log lines) and room for the largest member so far, and uses them again for every member.
/// The same bytes may make another member, a little shorter or longer, after other bytes than before; it holds the same.
///
/// It is a class so that whoever holds one stays copyable; it belongs to one thread at a time.
@safe
package final class GzipWriter {
    /// What the header and the trailer of a member take.
    private static let frameBytes = 10 + 8

    /// What one stored block holds at most, which bounds the growth of bytes that do not compress.
    private static let storedBlockBytes = 65_535

    /// What the header of a stored block takes.
    private static let storedHeaderBytes = 5

    private let stream: UnsafeMutablePointer<isal_zstream>
    private let tokens: UnsafeMutableBufferPointer<UInt8>
    private var output: UnsafeMutableBufferPointer<UInt8>

    package init() {
        // The library wants the state to begin at a cache line, and Swift cannot name its large arrays.
        let size = unsafe MemoryLayout<isal_zstream>.size
        let state = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
        unsafe state.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        unsafe stream = state.bindMemory(to: isal_zstream.self, capacity: 1)
        unsafe tokens = .allocate(capacity: Int(CISAL_LEVEL1_BUFFER_BYTES))
        unsafe tokens.initialize(repeating: 0)
        unsafe output = .allocate(capacity: 0)
    }

    deinit {
        unsafe UnsafeMutableRawPointer(stream).deallocate()
        unsafe tokens.deallocate()
        unsafe output.deallocate()
    }

    /// The size of the largest member that `byteCount` bytes can become.
    package static func largestMember(of byteCount: Int) -> Int {
        let blocks = max(1, (byteCount + storedBlockBytes - 1) / storedBlockBytes)
        return byteCount + frameBytes + blocks * storedHeaderBytes
    }

    /// How many bytes can be compressed so that their member surely takes no more than `limit` bytes.
    ///
    /// - Returns: 0 also where not even an empty member is sure to fit.
    package static func largestInput(fitting limit: Int) -> Int {
        let room = max(0, limit - frameBytes)
        let (blocks, rest) = room.quotientAndRemainder(dividingBy: storedBlockBytes + storedHeaderBytes)
        return blocks * storedBlockBytes + max(0, rest - storedHeaderBytes)
    }

    /// Compresses `bytes` into one member and adds it to the end of `destination`.
    package func compress(_ bytes: Span<UInt8>, appendingTo destination: inout [UInt8]) {
        withMember(of: bytes) { destination.append(copying: $0) }
    }

    /// Compresses `bytes` into one member and lends it to `body`, which must not compress anything itself.
    package func withMember<Result, Failure>(
        of bytes: Span<UInt8>,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let count = unsafe bytes.withUnsafeBufferPointer { unsafe writeMember(of: $0) }
        return try unsafe body(UnsafeBufferPointer(rebasing: output[..<count]).span)
    }

    /// Fills `output` with the member of `input`.
    ///
    /// The whole input is at hand, so the stateless call serves: it needs no window of its own, and bytes that would
    /// grow are stored, which makes `largestMember(of:)` a promise.
    ///
    /// - Returns: how many bytes the member takes.
    private func writeMember(of input: UnsafeBufferPointer<UInt8>) -> Int {
        let largest = Self.largestMember(of: input.count)
        makeRoom(for: largest)
        unsafe isal_deflate_stateless_init(stream)
        unsafe stream.pointee.level = 1
        unsafe stream.pointee.level_buf = tokens.baseAddress
        unsafe stream.pointee.level_buf_size = UInt32(tokens.count)
        unsafe stream.pointee.gzip_flag = UInt16(IGZIP_GZIP)
        unsafe stream.pointee.end_of_stream = 1
        unsafe stream.pointee.flush = UInt16(NO_FLUSH)
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(input.count)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(largest)
        let result = unsafe isal_deflate_stateless(stream)
        precondition(result == COMP_OK, "ISA-L keeps to the bound that it documents")
        return unsafe Int(stream.pointee.total_out)
    }

    private func makeRoom(for byteCount: Int) {
        guard unsafe output.count < byteCount else { return }
        unsafe output.deallocate()
        unsafe output = .allocate(capacity: byteCount)
    }
}
