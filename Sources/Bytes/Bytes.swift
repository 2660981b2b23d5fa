import Glibc

extension [UInt8] {
    /// Adds the bytes of `span` at the end.
    @inlinable
    package mutating func append(copying span: Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Owns a copy of the bytes of `span`.
    @inlinable
    package init(copying span: Span<UInt8>) {
        self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Forgets the bytes, and keeps their memory unless it is more than so many bytes.
    package mutating func removeAll(keepingAtMost capacity: Int) {
        removeAll(keepingCapacity: self.capacity <= capacity)
    }
}

extension [Int] {
    /// Adds the numbers of `span` at the end.
    @inlinable
    package mutating func append(copying span: Span<Int>) {
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}

extension Span<UInt8> {
    /// The index of the first `byte` at or after `start`; nil where there is none.
    ///
    /// `memchr` does the search, which looks at 32 bytes at a time.
    package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        precondition(start >= 0 && start <= count)
        return unsafe withUnsafeBufferPointer { buffer -> Int? in
            guard let base = buffer.baseAddress, start < buffer.count,
                let found = unsafe memchr(base + start, CInt(byte), buffer.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }

    /// How many bytes at the end are the beginning of a character of UTF-8 that goes on behind them: 0 to 3.
    package var unfinishedCharacterBytes: Int {
        for back in 1...3 where back <= count {
            let byte = self[count - back]
            if byte & 0xC0 == 0x80 { continue }
            let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return needed > back ? back : 0
        }
        return 0
    }

    /// Whether both hold the same bytes.
    package func elementsEqual(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBufferPointer { left in
            unsafe other.withUnsafeBufferPointer { right in
                guard let a = left.baseAddress, let b = right.baseAddress else { return true }
                return unsafe memcmp(a, b, left.count) == 0
            }
        }
    }
}

extension String {
    /// Owns a copy of UTF-8 text; what is not UTF-8 becomes U+FFFD.
    package init(copying text: Span<UInt8>) {
        self = unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
