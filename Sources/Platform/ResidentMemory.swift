import CPlatform
import Glibc

/// Has the allocator keep few separate heaps, which threads share: each would keep memory of its own.
///
/// For the start of a program, before there are threads.
package func shareHeaps() {
    cplatform_limit_arenas(2)
}

/// Unmaps the pages of code that have been used so far; those that are used again come back from the page cache.
///
/// Most code that starts a program, of the dynamic linker, of OpenSSL and of the language's runtime, never runs again,
/// but would count as resident until memory is short. Only code is given up: mappings that can be executed, which
/// nobody can have written to.
package func releaseStartupCode() {
    guard let maps = try? readFile(path: "/proc/self/maps", limit: 4 << 20) else { return }
    for line in maps.split(separator: UInt8(ascii: "\n")) {
        // Such as `7f3a1c000000-7f3a1c1c5000 r-xp 00000000 fe:00 1234    /usr/lib/libc.so.6`.
        let fields = line.split(separator: UInt8(ascii: " "))
        guard fields.count == 6, fields[1].elementsEqual("r-xp".utf8), fields[5].first == UInt8(ascii: "/") else {
            continue
        }
        let bounds = fields[0].split(separator: UInt8(ascii: "-")).map {
            UInt(String(decoding: $0, as: UTF8.self), radix: 16)
        }
        guard bounds.count == 2, let start = bounds[0], let end = bounds[1], start < end else { continue }
        _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED)
    }
}
