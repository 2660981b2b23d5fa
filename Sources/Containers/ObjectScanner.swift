import Bytes

/// Goes through the members of a JSON object on one line, without making anything of those that nobody asks for.
struct ObjectScanner {
    private var position: Int
    private var isFirst = true

    /// Whether a member was begun that has no name and colon.
    private var isInMember = false

    init(at position: Int) {
        self.position = position
    }

    /// Passes the opening brace.
    mutating func open(in line: Span<UInt8>) -> Bool {
        skipBlanks(in: line)
        return take(UInt8(ascii: "{"), in: line)
    }

    /// Passes the name of the next member and its colon.
    ///
    /// - Returns: the name without its quotes, escapes as they are; nil at the closing brace, and where no member is.
    mutating func nextName(in line: Span<UInt8>) -> Range<Int>? {
        skipBlanks(in: line)
        guard isFirst || take(UInt8(ascii: ","), in: line) else { return nil }
        isInMember = !isFirst
        isFirst = false
        skipBlanks(in: line)
        guard let name = rawString(in: line) else { return nil }
        skipBlanks(in: line)
        isInMember = true
        guard take(UInt8(ascii: ":"), in: line) else { return nil }
        isInMember = false
        skipBlanks(in: line)
        return name
    }

    /// Whether nothing follows but the closing brace.
    mutating func isAtEnd(of line: Span<UInt8>) -> Bool {
        skipBlanks(in: line)
        guard !isInMember, take(UInt8(ascii: "}"), in: line) else { return false }
        skipBlanks(in: line)
        return position == line.count
    }

    /// Passes a string that has no escapes.
    mutating func string(in line: Span<UInt8>) -> Range<Int>? {
        guard let value = rawString(in: line) else { return nil }
        return line.extracting(value).firstIndex(of: UInt8(ascii: "\\")) == nil ? value : nil
    }

    /// Passes a value of any kind.
    mutating func skipValue(in line: Span<UInt8>) -> Bool {
        var depth = 0
        while position < line.count {
            switch line[position] {
            case UInt8(ascii: "\""):
                guard rawString(in: line) != nil else { return false }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}") where depth == 0, UInt8(ascii: "]") where depth == 0,
                UInt8(ascii: ",") where depth == 0:
                return true
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            position += 1
        }
        return false
    }

    /// Passes a string and adds what it means: bytes that are not ASCII as they are, half a pair as U+FFFD.
    mutating func appendString(in line: Span<UInt8>, to text: inout [UInt8]) -> Bool {
        guard let raw = rawString(in: line) else { return false }
        var rest = raw.lowerBound
        while let escape = line.firstIndex(of: UInt8(ascii: "\\"), from: rest), escape < raw.upperBound {
            text.append(copying: line.extracting(rest..<escape))
            rest = escape + 1
            guard appendEscape(in: line, at: &rest, before: raw.upperBound, to: &text) else { return false }
        }
        text.append(copying: line.extracting(rest..<raw.upperBound))
        return true
    }

    /// Passes a string, at whose opening quote the position is.
    private mutating func rawString(in line: Span<UInt8>) -> Range<Int>? {
        guard take(UInt8(ascii: "\""), in: line) else { return nil }
        let start = position
        var next = start
        while let quote = line.firstIndex(of: UInt8(ascii: "\""), from: next) {
            var backslashes = 0
            while quote - backslashes > start, line[quote - backslashes - 1] == UInt8(ascii: "\\") { backslashes += 1 }
            next = quote + 1
            guard backslashes.isMultiple(of: 2) else { continue }
            position = next
            return start..<quote
        }
        return nil
    }

    private func appendEscape(
        in line: Span<UInt8>,
        at position: inout Int,
        before end: Int,
        to text: inout [UInt8]
    ) -> Bool {
        let kind = line[position]
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "u"):
            guard let first = unit(in: line, at: position, before: end) else { return false }
            position += 4
            var units = [first]
            if UTF16.isLeadSurrogate(first), position + 1 < end, line[position] == UInt8(ascii: "\\"),
                line[position + 1] == UInt8(ascii: "u"), let second = unit(in: line, at: position + 2, before: end),
                UTF16.isTrailSurrogate(second)
            {
                units.append(second)
                position += 6
            }
            text.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
        default: return false
        }
        return true
    }

    private func unit(in line: Span<UInt8>, at start: Int, before end: Int) -> UInt16? {
        guard start + 4 <= end else { return nil }
        var value: UInt16 = 0
        for index in start..<start + 4 {
            guard let digit = Character(Unicode.Scalar(line[index])).hexDigitValue else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    private mutating func take(_ byte: UInt8, in line: Span<UInt8>) -> Bool {
        guard position < line.count, line[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks(in line: Span<UInt8>) {
        while position < line.count, [0x20, 0x09, 0x0D].contains(line[position]) { position += 1 }
    }
}
