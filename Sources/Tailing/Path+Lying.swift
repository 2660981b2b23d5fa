package import Platform

extension Path {
    /// Whether it is the directory itself or something below it.
    package func isOrLies(in directory: Path) -> Bool {
        guard bytes.starts(with: directory.bytes) else { return false }
        return bytes.count == directory.bytes.count || directory == .root
            || bytes[directory.bytes.count] == UInt8(ascii: "/")
    }
}
