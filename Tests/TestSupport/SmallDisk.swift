import Foundation

/// A file system of a few MiB in memory, which only root can make.
package final class SmallDisk: Sendable {
    package let directory: TemporaryDirectory

    /// Whether this process may make one.
    package static let isPossible = (try? SmallDisk(megabytes: 1)) != nil

    package init(megabytes: Int) throws {
        directory = try TemporaryDirectory()
        guard mount("tmpfs", directory.path, "tmpfs", 0, "size=\(megabytes)m") == 0 else { throw POSIXError(.EPERM) }
    }

    deinit { umount2(directory.path, Int32(MNT_DETACH)) }

    /// Takes a MiB, so that a cache on a disk of three has too little to take room in advance.
    package func takeMegabyte() throws {
        try directory.append(String(repeating: "x", count: 1 << 20), to: "other")
    }

    /// Takes all the space that is left.
    package func fill() throws {
        let file = open(directory.path("ballast"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw POSIXError(.EIO) }
        defer { close(file) }
        let block = [UInt8](repeating: 0, count: 4_096)
        while write(file, block, block.count) > 0 {}
    }

    /// Gives back what `fill` took.
    package func makeRoom() { unlink(directory.path("ballast")) }
}
