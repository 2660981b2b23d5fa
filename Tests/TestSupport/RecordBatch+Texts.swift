package import Records

extension RecordBatch {
    /// A record of each text.
    package init(_ texts: [String]) {
        self.init()
        for text in texts { append(Array(text.utf8).span) }
    }

    /// The records, each as a text.
    package var texts: [String] {
        var start = 0
        return lengths.map { length in
            defer { start += length }
            return String(decoding: bytes[start..<start + length], as: UTF8.self)
        }
    }
}

extension RecordBatch {
    /// How many lines each record was made of.
    package var linesOfEach: [Int] { lengths.indices.map { lines(in: $0..<$0 + 1) } }
}
