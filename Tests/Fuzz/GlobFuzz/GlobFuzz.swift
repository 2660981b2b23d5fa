import Discovery
import Platform

/// The first byte says how long the pattern is; the rest is a path below the root.
///
/// Any pattern compiles or says where it is wrong, and any path is matched: quickly, as a directory whenever as a file
/// below it, and alike by all that asks.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let length = input.first else { return 0 }
    let pattern = "/" + String(decoding: input.dropFirst().prefix(Int(length)), as: UTF8.self)
    let path = Path.root.appending(input.dropFirst(1 + Int(length)).filter { $0 != 0 })
    let glob: Glob
    do {
        glob = try Glob(pattern)
    } catch {
        precondition((1...max(pattern.unicodeScalars.count, 1)).contains(error.position), "\(error)")
        return 0
    }

    let matches = glob.matches(path)
    let names = path.components
    if matches {
        for depth in names.indices {
            let directory = names[..<depth].reduce(Path.root) { $0.appending($1) }
            precondition(glob.mayMatch(in: directory), "\(pattern) \(directory)")
        }
    }
    for prefix in glob.literalPrefixes { precondition(glob.mayMatch(in: prefix), "\(pattern) \(prefix)") }

    guard let both = try? FilePattern(includes: [pattern, pattern]) else { preconditionFailure(pattern) }
    let isCompressed = FilePattern.compressedSuffixes.contains { suffix in
        let ending = (names.last ?? []).suffix(suffix.utf8.count)
        return ending.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } == Array(suffix.utf8)
    }
    precondition(both.matches(path) == (matches && !isCompressed), "\(pattern) \(path)")
    guard let none = try? FilePattern(includes: ["/**"], excludes: [pattern]) else { preconditionFailure(pattern) }
    precondition(!(matches && none.matches(path)), "\(pattern) \(path)")
    precondition(Path(escaped: path.description) == path, "\(path)")
    return 0
}
