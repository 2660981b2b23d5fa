import TestSupport
import Testing

@testable import Intake

@Suite struct SegmentQueueTests {
    typealias Position = SegmentQueue.Position

    /// Pops, and gives the last position of each file.
    private func pop(_ queue: inout SegmentQueue, _ count: Int) -> [Int: Position] {
        var moved: [Int: Position] = [:]
        queue.pop(count) { moved[$0] = $1 }
        return moved
    }

    private func append(_ queue: inout SegmentQueue, file: Int = 1, _ range: Range<Int>, skipping: Bool = false) {
        let end = Position(offset: range.upperBound, isSkippingLine: skipping)
        queue.append(file: file, start: range.lowerBound, sourceBytes: range.count, end: end)
    }

    @Test func `positions follow the bytes`() {
        var queue = SegmentQueue()
        append(&queue, 10..<20)
        append(&queue, 20..<30)
        #expect(pop(&queue, 5) == [1: Position(offset: 15, isSkippingLine: false)])
        #expect(pop(&queue, 0) == [:])
        #expect(pop(&queue, 10) == [1: Position(offset: 25, isSkippingLine: false)])
        #expect(pop(&queue, 5) == [1: Position(offset: 30, isSkippingLine: false)])
        #expect(queue.isEmpty)
    }

    @Test func `files share the queue`() {
        var queue = SegmentQueue()
        append(&queue, file: 1, 0..<10)
        append(&queue, file: 2, 50..<60)
        append(&queue, file: 1, 10..<20)
        let moved = pop(&queue, 25)
        #expect(moved[1]?.offset == 15 && moved[2]?.offset == 60)
    }

    @Test func `what is skipped goes with the bytes before it`() {
        var queue = SegmentQueue()
        append(&queue, 0..<10, skipping: true)
        let skipped = Position(offset: 100, isSkippingLine: false)
        queue.append(file: 1, start: 10, sourceBytes: 0, end: skipped)
        append(&queue, 100..<110)
        #expect(pop(&queue, 4) == [1: Position(offset: 4, isSkippingLine: false)])
        #expect(pop(&queue, 6) == [1: skipped])
        #expect(pop(&queue, 10) == [1: Position(offset: 110, isSkippingLine: false)])
    }

    @Test func `what is skipped alone needs no record`() {
        var queue = SegmentQueue()
        queue.append(file: 1, start: 0, sourceBytes: 0, end: Position(offset: 7, isSkippingLine: true))
        #expect(pop(&queue, 0) == [1: Position(offset: 7, isSkippingLine: true)])
        #expect(queue.isEmpty)
    }

    @Test func `a queue that is never empty keeps no memory of what was popped`() {
        var queue = SegmentQueue()
        append(&queue, file: 0, 0..<10)
        for round in 1...10_000 {
            append(&queue, file: round % 7, round * 10..<round * 10 + 10)
            _ = pop(&queue, 10)
        }
        #expect(!queue.isEmpty && queue.capacityInUse < 8)
    }

    /// Every source byte by itself, and what becomes safe behind it.
    private struct Model {
        /// For each file, the places that its bytes in the packer lead to, with the skipped ones behind them.
        var steps: [(file: Int, after: Position, isByte: Bool)] = []

        mutating func pop(_ count: Int) -> [Int: Position] {
            var left = count
            var moved: [Int: Position] = [:]
            while let step = steps.first, !step.isByte || left > 0 {
                moved[step.file] = step.after
                if step.isByte { left -= 1 }
                steps.removeFirst()
            }
            return moved
        }
    }

    @Test(arguments: 0..<300) func `agrees with counting every byte`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = SegmentQueue()
        var model = Model()
        var offsets = [0, 0, 0]
        var isSkipping = [false, false, false]
        for _ in 0..<200 {
            if Bool.random(using: &random) {
                let file = Int.random(in: 0..<3, using: &random)
                let count = Int.random(in: 1...9, using: &random)
                let start = offsets[file]
                let isSkipped = isSkipping[file]
                // A line may be cut behind these bytes; a skipped rest may go on.
                isSkipping[file] = Int.random(in: 0..<4, using: &random) == 0
                offsets[file] += count
                let end = Position(offset: offsets[file], isSkippingLine: isSkipping[file])
                queue.append(file: file, start: start, sourceBytes: isSkipped ? 0 : count, end: end)
                if isSkipped {
                    model.steps.append((file, end, false))
                } else {
                    for offset in start + 1..<offsets[file] {
                        model.steps.append((file, Position(offset: offset, isSkippingLine: false), true))
                    }
                    model.steps.append((file, end, true))
                }
            } else {
                let count = Int.random(in: 0...min(20, model.steps.count { $0.isByte }), using: &random)
                #expect(pop(&queue, count) == model.pop(count), "seed \(seed)")
            }
        }
        #expect(pop(&queue, model.steps.count { $0.isByte }) == model.pop(.max), "seed \(seed)")
        #expect(queue.isEmpty)
    }
}
