import Bytes
import CPCRE2

/// Tells which lines begin with a match of a regular expression.
///
/// It owns what a match works with, and belongs to one thread at a time.
@safe
package final class PrefixMatcher {
    /// How many steps one match may take, so that no line can hold up the others for more than milliseconds.
    private static let maxSteps: UInt32 = 100_000

    /// How deep the interpreter may go, where there is no compiled code, and how much memory it may take, in KiB.
    private static let maxDepth: UInt32 = 10_000
    private static let maxHeap: UInt32 = 4_096

    /// How many lines it was asked about.
    package private(set) var attempts = 0

    /// How many of them match.
    package private(set) var matches = 0

    /// How many were taken not to match since that would have taken too long to find out.
    package private(set) var givenUp = 0

    private let expression: RegularExpression
    private let data: OpaquePointer
    private let context: OpaquePointer
    private let stack: OpaquePointer?

    package init(_ expression: RegularExpression) {
        self.expression = expression
        // Nobody asks where groups are, so room for the match alone does.
        guard let data = unsafe pcre2_match_data_create_8(1, nil),
            let context = unsafe pcre2_match_context_create_8(nil)
        else { preconditionFailure("there is memory for a match") }
        unsafe self.data = unsafe data
        unsafe self.context = unsafe context
        unsafe stack = unsafe pcre2_jit_stack_create_8(32_768, 524_288, nil)
        _ = unsafe pcre2_set_match_limit_8(context, Self.maxSteps)
        _ = unsafe pcre2_set_depth_limit_8(context, Self.maxDepth)
        _ = unsafe pcre2_set_heap_limit_8(context, Self.maxHeap)
        unsafe pcre2_jit_stack_assign_8(context, nil, stack.map { unsafe UnsafeMutableRawPointer($0) })
    }

    deinit {
        unsafe pcre2_match_data_free_8(data)
        unsafe pcre2_match_context_free_8(context)
        unsafe pcre2_jit_stack_free_8(stack)
    }

    /// Whether the line begins with a match; bytes that are not UTF-8 count as U+FFFD.
    package func matchesPrefix(_ line: Span<UInt8>) -> Bool {
        attempts += 1
        let isMatch = begins(line)
        if isMatch { matches += 1 }
        return isMatch
    }

    private func begins(_ line: Span<UInt8>) -> Bool {
        switch result(for: line) {
        case 0...:
            return true
        case PCRE2_ERROR_NOMATCH:
            return false
        case PCRE2_ERROR_UTF8_ERR21...PCRE2_ERROR_UTF8_ERR1:
            var repaired = String(copying: line)
            return repaired.withUTF8 { unsafe begins($0.span) }
        default:
            givenUp += 1
            return false
        }
    }

    private func result(for line: Span<UInt8>) -> CInt {
        unsafe line.withUnsafeBufferPointer { line in
            // A null pointer is refused even where there is nothing to read.
            guard let start = line.baseAddress else { return unsafe result(for: [0], count: 0) }
            return unsafe result(for: start, count: line.count)
        }
    }

    private func result(for start: UnsafePointer<UInt8>, count: Int) -> CInt {
        unsafe pcre2_match_8(expression.code, start, count, 0, 0, data, context)
    }
}
