import Bytes
import CPCRE2

/// A regular expression that was compiled and can be matched with the beginnings of lines.
///
/// The syntax is that of PCRE2, which is Java's but for little: classes have no intersection (`[a-z&&[^x]]` is refused),
/// a character is written `\x{e9}` instead of `\u00e9`, and with `(?i)` the case of all letters does not matter, not only
/// of those of ASCII. As in Java, `\d`, `\s` and `\w` mean ASCII, and the dot means any character but a line's end.
@safe
package final class RegularExpression: Sendable {
    /// As it was written.
    package let pattern: String

    /// Nothing changes it once it is compiled, and any thread may match with it, as PCRE2 promises.
    nonisolated(unsafe) let code: OpaquePointer

    /// Compiles a pattern; matches begin at the beginning of a line, whether it says so or not.
    package init(_ pattern: String) throws(RegexError) {
        if let offset = pattern.utf8.offsetOfClassIntersection {
            let problem = "a class with && is known to Java alone; write a lookahead such as (?![aeiou])[a-z] instead"
            throw RegexError(pattern: pattern, offset: offset, problem: problem)
        }
        self.pattern = pattern
        unsafe code = try Self.compile(pattern)
    }

    deinit {
        unsafe pcre2_code_free_8(code)
    }

    private static func compile(_ pattern: String) throws(RegexError) -> OpaquePointer {
        let context = unsafe pcre2_compile_context_create_8(nil)
        defer { unsafe pcre2_compile_context_free_8(context) }
        _ = unsafe pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANY))
        var number: CInt = 0
        var offset = 0
        var text = pattern
        let code = text.withUTF8 { text in
            unsafe pcre2_compile_8(
                text.baseAddress,
                text.count,
                PCRE2_UTF | PCRE2_ANCHORED | PCRE2_NEVER_BACKSLASH_C,
                &number,
                &offset,
                context
            )
        }
        guard let code = unsafe code else {
            throw RegexError(pattern: pattern, offset: offset, problem: message(number))
        }
        // Where the processor is not known to it, PCRE2 interprets the pattern instead.
        _ = unsafe pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
        return unsafe code
    }

    private static func message(_ number: CInt) -> String {
        let text = unsafe [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
            count = max(0, Int(unsafe pcre2_get_error_message_8(number, buffer.baseAddress, buffer.count)))
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension String.UTF8View {
    /// Where a class intersects others, which PCRE2 would take for the characters `&` and `[`.
    fileprivate var offsetOfClassIntersection: Int? {
        var isEscaped = false
        var isInClass = false
        var last: UInt8 = 0
        for (offset, byte) in enumerated() {
            if isEscaped {
                isEscaped = false
                last = 0
                continue
            }
            switch byte {
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "&") where isInClass && last == byte: return offset - 1
            default: break
            }
            last = byte
        }
        return nil
    }
}
