import Bytes
import Platform
import Records
import Tailing

/// The names in a directory by the logs that they may belong to, as rotation names their generations.
struct LogDirectory {
    /// A file that may be a generation of a log, or the log itself.
    struct Sibling {
        let path: Path
        let status: FileStatus
        let isCompressed: Bool

        var file: FileIdentity { FileIdentity(device: status.device, inode: status.inode) }
    }

    private let path: Path
    private var namesByLog: [[UInt8]: [[UInt8]]] = [:]

    /// Reads the names; of a directory that cannot be read there are none.
    init(_ path: Path) {
        self.path = path
        var found: [[UInt8]: [[UInt8]]] = [:]
        do throws(Errno) {
            try Directory(opening: path).names().forEach { name, _, kind in
                guard kind == nil || kind == .regular else { return }
                let name = Array(copying: name)
                let plain = RotatedName.uncompressed(name) ?? name
                for log in [plain] + RotatedName.origins(of: plain) { found[log, default: []].append(name) }
            }
        } catch {
            return
        }
        namesByLog = found
    }

    /// The files whose names rotation may have made of a log's name, and the one that has that name.
    func siblings(of log: some Collection<UInt8>) -> [Sibling] {
        guard let names = namesByLog[Array(log)], let directory = try? Directory(opening: path) else { return [] }
        return names.compactMap { name in
            guard let status = try? directory.status(of: name, followingLinks: false), status.kind == .regular
            else { return nil }
            let isCompressed = RotatedName.uncompressed(name) != nil
            return Sibling(path: path.appending(name), status: status, isCompressed: isCompressed)
        }
    }
}
