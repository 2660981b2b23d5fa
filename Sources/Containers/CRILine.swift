import Bytes

/// A line such as `2016-10-06T00:17:09.669794202Z stdout F message`.
enum CRILine {
    static func parse(_ line: Span<UInt8>, appendingMessageTo message: inout [UInt8]) -> ContainerLine? {
        let blank = UInt8(ascii: " ")
        guard let timeEnd = line.firstIndex(of: blank), isTime(line.extracting(first: timeEnd)),
            let streamEnd = line.firstIndex(of: blank, from: timeEnd + 1),
            let stream = ContainerStream(line.extracting(timeEnd + 1..<streamEnd))
        else { return nil }
        // An empty message may leave out the blank before it.
        let tagsEnd = line.firstIndex(of: blank, from: streamEnd + 1) ?? line.count
        guard let isPartial = isPartial(line.extracting(streamEnd + 1..<tagsEnd)) else { return nil }
        message.append(copying: line.extracting(min(tagsEnd + 1, line.count)...))
        return ContainerLine(stream: stream, time: 0..<timeEnd, isPartial: isPartial)
    }

    /// Whether it looks like RFC 3339; nobody needs to know the time itself.
    private static func isTime(_ text: Span<UInt8>) -> Bool {
        guard text.count >= 20, text[4] == UInt8(ascii: "-"), text[10] == UInt8(ascii: "T") else { return false }
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "."),
                UInt8(ascii: "T"), UInt8(ascii: "Z"), UInt8(ascii: "+"):
                continue
            default: return false
            }
        }
        return true
    }

    /// What the first of the tags, which colons separate, says.
    private static func isPartial(_ tags: Span<UInt8>) -> Bool? {
        guard let first = tags.count > 0 ? tags[0] : nil, tags.count == 1 || tags[1] == UInt8(ascii: ":") else {
            return nil
        }
        switch first {
        case UInt8(ascii: "P"): return true
        case UInt8(ascii: "F"): return false
        default: return nil
        }
    }
}
