import Regex

/// Matches any pattern with any line: nothing crashes, nothing takes long, and a line matches as its repaired form does.
///
/// The first byte is the length of the pattern.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRegex(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count >= 1 else { return 0 }
    let input = UnsafeBufferPointer(start: start + 1, count: count - 1)
    let pattern = String(decoding: input.prefix(Int(start[0])), as: UTF8.self)
    let line = Array(input.dropFirst(Int(start[0])))
    do {
        let matcher = PrefixMatcher(try RegularExpression(pattern))
        let isMatch = matcher.matchesPrefix(line.span)
        let repaired = Array(String(decoding: line, as: UTF8.self).utf8)
        precondition(matcher.matchesPrefix(repaired.span) == isMatch, "bytes that are not UTF-8 count as U+FFFD")
    } catch {
        precondition(error.offset <= pattern.utf8.count, "the trouble is in the pattern")
    }
    return 0
}
