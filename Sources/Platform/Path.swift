import Glibc

/// The name of a file as the system has it: bytes, which need not be UTF-8.
///
/// A `String` would repair what is not UTF-8, and the repaired name is no file's name.
package struct Path: Hashable, Sendable {
    /// The bytes, without a NUL.
    package let bytes: [UInt8]

    package static let root = Path("/")

    /// The path that reads like `text`.
    package init(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    /// The path that consists of `bytes`, which must not hold a NUL: no file name has one.
    package init(bytes: [UInt8]) {
        precondition(!bytes.contains(0), "a path holds no NUL")
        self.bytes = bytes
    }

    /// The names between the slashes; an empty one does not count.
    package var components: [ArraySlice<UInt8>] { bytes.split(separator: UInt8(ascii: "/")) }

    /// What follows the last slash; empty where nothing does.
    package var lastComponent: ArraySlice<UInt8> {
        bytes[(bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
    }

    /// The directory that an absolute path lies in; the root lies in itself.
    package var parent: Path {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return .root }
        return Path(bytes: Array(bytes[..<slash]))
    }

    /// The path of `name` in the directory that this is.
    package func appending(_ name: some Collection<UInt8>) -> Path {
        var longer: [UInt8] = []
        longer.reserveCapacity(bytes.count + 1 + name.count)
        longer.append(contentsOf: bytes)
        if longer.last != UInt8(ascii: "/") { longer.append(UInt8(ascii: "/")) }
        longer.append(contentsOf: name)
        return Path(bytes: longer)
    }

    /// Lends the path to a C function, which must not keep it.
    package func withCString<Result, Failure>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe bytes.withCString(body)
    }
}

extension Path {
    /// The path of what this one leads to, on which there is no symbolic link.
    package func withoutLinks() throws(Errno) -> Path {
        let resolved = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            unsafe withCString { unsafe realpath($0, buffer.baseAddress) }.map { path in
                unsafe Path(bytes: Array(UnsafeRawBufferPointer(start: path, count: strlen(path))))
            }
        }
        guard let resolved else { throw Errno(rawValue: errno) }
        return resolved
    }
}

extension Path: Comparable {
    package static func < (left: Path, right: Path) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

extension Path: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(bytes: Array(text.utf8)) }
}

extension [UInt8] {
    /// Lends the bytes, which hold no NUL, to a C function, which must not keep them.
    func withCString<Result, Failure>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) {
            buffer throws(Failure) -> Result in
            for index in indices { unsafe buffer[index] = CChar(bitPattern: self[index]) }
            unsafe buffer[count] = 0
            guard let base = unsafe UnsafePointer(buffer.baseAddress) else { preconditionFailure("it has the NUL") }
            return try unsafe body(base)
        }
    }
}
