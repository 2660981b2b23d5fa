import CPlatform
import Glibc

/// Why a file could not be put in place.
package struct ObjectFileError: Error, Equatable, CustomStringConvertible {
    /// The file or directory that the failed step was about.
    package let path: String
    package let cause: Errno

    package var description: String { "\(path): \(cause)" }
}

/// Files that are there whole and for good, or not at all.
package enum ObjectFile {
    /// Writes a file that survives a power cut once this returns, in a directory that is made if need be.
    ///
    /// Until it is complete it has a name that begins with a dot; after a failure nothing is left of it.
    package static func write(
        _ bytes: Span<UInt8>,
        named name: String,
        in directory: String
    ) throws(ObjectFileError) {
        try makeDirectory(directory)
        let temporary = "\(directory)/.\(name).partial"
        let path = "\(directory)/\(name)"
        do {
            try create(temporary, holding: bytes)
            try step(path) { unsafe rename(temporary, path) }
        } catch {
            _ = unsafe unlink(temporary)
            throw error
        }
        try sync(directory: directory)
    }

    private static func create(_ path: String, holding bytes: Span<UInt8>) throws(ObjectFileError) {
        let descriptor = try step(path) {
            unsafe cplatform_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        }
        do {
            try write(bytes, to: descriptor, path)
            try step(path) { fdatasync(descriptor) }
        } catch {
            _ = close(descriptor)
            throw error
        }
        // Whatever `close` may report, `fdatasync` has reported before.
        _ = close(descriptor)
    }

    private static func write(
        _ bytes: Span<UInt8>,
        to descriptor: CInt,
        _ path: String
    ) throws(ObjectFileError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written..<bytes.count)
            written += try step(path) {
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            }
        }
    }

    /// Makes a directory and those above it, each one's name on disk before anything is put into it.
    private static func makeDirectory(_ path: String) throws(ObjectFileError) {
        if unsafe mkdir(path, 0o755) == 0 { return try sync(directory: parent(of: path)) }
        switch errno {
        case EEXIST: return
        case ENOENT where parent(of: path) != path:
            try makeDirectory(parent(of: path))
            try makeDirectory(path)
        default: throw ObjectFileError(path: path, cause: Errno(rawValue: errno))
        }
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func sync(directory path: String) throws(ObjectFileError) {
        let descriptor = try step(path) { unsafe cplatform_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
        defer { _ = close(descriptor) }
        try step(path) { fsync(descriptor) }
    }

    @discardableResult
    private static func step<Value: SignedInteger>(
        _ path: String,
        _ call: () -> Value
    ) throws(ObjectFileError) -> Value {
        do throws(Errno) {
            return try Errno.check(call)
        } catch {
            throw ObjectFileError(path: path, cause: error)
        }
    }
}
