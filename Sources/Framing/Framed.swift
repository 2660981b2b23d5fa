/// What stands next in the bytes of a file; each range is consumed once it has been dealt with.
package enum Framed: Equatable, Sendable {
    /// One or more whole lines back to back, each with its newline.
    case lines(Range<Int>)

    /// What is kept of a line that is too long; the terminator of cut lines belongs after it, what follows is skipped.
    case cut(Range<Int>)

    /// A part of a line that is too long; a newline belongs after it, and the next part follows.
    case part(Range<Int>)

    /// The beginning of a line that is too long, of which nothing is kept.
    case refused(Range<Int>)

    /// What is dropped of a line that was cut or refused, with its newline if the line ends here.
    case skipped(Range<Int>)

    /// What nobody wants: lines of the header, empty ones, so many of which end here, or a hole before a line.
    case passed(Range<Int>, lines: Int)

    /// No line ends in the rest, which is to be seen again with more bytes after it; it may be empty.
    case incomplete

    /// The bytes that are dealt with; nil if they are to be seen again.
    package var range: Range<Int>? {
        switch self {
        case .lines(let range), .cut(let range), .part(let range), .refused(let range), .skipped(let range),
            .passed(let range, _):
            range
        case .incomplete: nil
        }
    }
}
