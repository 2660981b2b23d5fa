import Bytes
import Platform

/// The right to work on a cache, held by one at a time and given up when its process ends, however it ends.
///
/// The lock is an advisory one on a file that names the holder's process id. It belongs to the open file, so a second
/// holder in the same process is refused, too.
struct StateLock: ~Copyable {
    private let file: FileDescriptor

    init(of location: CacheLocation) throws(CacheError) {
        let path = location.lock
        do throws(Errno) {
            file = try Self.claim(path)
        } catch {
            switch error {
            case .wouldBlock: throw .inUse(location, by: Self.holder(path))
            case .noSpace, .overQuota: throw .diskFull(path: path)
            default: throw .inaccessible(path: path, reason: error.description)
            }
        }
    }

    private static func claim(_ path: String) throws(Errno) -> FileDescriptor {
        let file = try FileDescriptor(opening: path, for: .updating)
        guard try file.tryLock() else { throw .wouldBlock }
        try file.truncate(to: 0)
        try file.write(Array("\(currentProcessID())\n".utf8).span)
        return file
    }

    private static func holder(_ path: String) -> Int? {
        var text: [UInt8] = []
        guard let file = try? FileDescriptor(opening: path, for: .reading),
            (try? file.read(appendingTo: &text, count: 32, at: 0)) != nil
        else { return nil }
        return Int(String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
