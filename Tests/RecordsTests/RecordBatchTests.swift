import Records
import Testing

@Suite struct RecordBatchTests {
    @Test func `records lie back to back with their lengths`() {
        var batch = RecordBatch()
        batch.append(Array("one\n".utf8).span)
        batch.append([UInt8]().span)
        batch.append(Array("two\n".utf8).span)
        #expect(batch.lengths == [4, 0, 4])
        #expect(batch.bytes == Array("one\ntwo\n".utf8))
        batch.removeAll()
        #expect(batch.isEmpty && batch.bytes.isEmpty)
    }

    @Test func `each record knows of how many lines it was made`() {
        var batch = RecordBatch()
        batch.append([1].span)
        #expect(batch.lineCounts.isEmpty && batch.lines == 1)
        batch.append([2].span, lines: 3)
        batch.appendToLastRecord([3].span, lines: 2)
        batch.appendToLastRecord([4].span)
        batch.append([5, 6].span, lengths: [1, 1].span)
        #expect(batch.lineCounts == [1, 5, 1, 1] && batch.lines == 8)
        var plain = RecordBatch()
        plain.append([7].span)
        plain.append(contentsOf: batch)
        plain.append(contentsOf: RecordBatch(bytes: [8], lengths: [1]))
        #expect(plain.lineCounts == [1, 1, 5, 1, 1, 1])
        #expect(plain.records(1..<4) { $0 != 1 }.lineCounts == [5, 1])
        plain.removeAll()
        #expect(plain.lines == 0)
    }

    @Test(arguments: [
        ("a", true), ("A-z_0.9", true), (String(repeating: "x", count: 64), true),
        ("", false), (String(repeating: "x", count: 65), false), ("a b", false), ("é", false), ("a/b", false),
    ])
    func `stream names are 1 to 64 of the allowed characters`(name: String, isValid: Bool) {
        #expect((StreamName(name) != nil) == isValid)
    }
}
