import Glibc

/// A conversion of `iconv`, closed when its owner lets go of it.
@safe
final class Converter {
    /// What is converted at a time, in bytes of the result.
    private static let pieceBytes = 4_096

    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    private let handle: iconv_t
    private let piece: UnsafeMutableBufferPointer<CChar>

    /// - Returns: nil if the system does not know one of the names.
    init?(from source: String, to target: String) {
        guard let handle = unsafe iconv_open(target, source), unsafe handle != iconv_t(bitPattern: -1) else {
            return nil
        }
        unsafe self.handle = unsafe handle
        unsafe piece = .allocate(capacity: Self.pieceBytes)
    }

    deinit {
        unsafe iconv_close(handle)
        unsafe piece.deallocate()
    }

    /// Adds a whole text in the other encoding, with U+FFFD (as UTF-8) in place of what is wrong in it.
    ///
    /// Where something is wrong, `unitBytes` are passed over.
    func convert(_ bytes: Span<UInt8>, unitBytes: Int, appendingTo text: inout [UInt8]) {
        var start = 0
        while start < bytes.count {
            let rest = bytes.extracting(start...)
            let step = unsafe rest.withUnsafeBufferPointer { unsafe convertPiece(of: $0) }
            append(step.written, to: &text)
            start += step.taken
            guard let failure = step.failure, failure != E2BIG else { continue }
            text += Self.replacement
            start += failure == EILSEQ ? min(unitBytes, bytes.count - start) : bytes.count - start
        }
        // A few encodings hold a character back until they see what follows it.
        append(finish(), to: &text)
    }

    private func append(_ count: Int, to text: inout [UInt8]) {
        let written = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(piece)[..<count])
        unsafe text.append(contentsOf: written)
    }

    private func finish() -> Int {
        var output = unsafe piece.baseAddress
        var room = unsafe piece.count
        _ = unsafe iconv(handle, nil, nil, &output, &room)
        return unsafe piece.count - room
    }

    private func convertPiece(
        of input: UnsafeBufferPointer<UInt8>
    ) -> (taken: Int, written: Int, failure: CInt?) {
        // The call only reads, whatever its parameter says.
        let source = unsafe UnsafeMutableRawPointer(mutating: input.baseAddress)
        var next = unsafe source?.assumingMemoryBound(to: CChar.self)
        var left = input.count
        var output = unsafe piece.baseAddress
        var room = unsafe piece.count
        let result = unsafe iconv(handle, &next, &left, &output, &room)
        let failure: CInt? = result == -1 ? errno : nil
        return unsafe (input.count - left, piece.count - room, failure)
    }
}
