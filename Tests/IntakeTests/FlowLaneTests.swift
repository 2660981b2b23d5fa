import Discovery
import Framing
import Packing
import Records
import Testing

@testable import Intake

@Suite struct FlowLaneTests {
    let now = ContinuousClock.now

    private func lane(joinedBytes: Int = 0, maxLineBytes: Int = 100) throws -> FlowLane {
        FlowLane(
            IntakeFlow(
                stream: .logs,
                patternText: "/a",
                pattern: try FilePattern(includes: ["/a"]),
                lines: LineLimits(maxLineBytes: maxLineBytes),
                packing: PackingSettings(aggregatedRecordSizeBytes: joinedBytes),
                linger: .seconds(30)
            )
        )
    }

    private func take(_ text: String, _ lane: inout FlowLane, skipping: Bool = false) -> FlowLane.Taken {
        let bytes = Array(text.utf8)
        let start = FramingPosition(offset: 0, isSkippingLine: skipping)
        var file = FramedFile(id: 1)
        return lane.take(bytes.span, of: &file, from: start, at: now)
    }

    private func collect(_ lane: inout FlowLane, at now: ContinuousClock.Instant) -> ([String], SegmentQueue.Position?)
    {
        var last: SegmentQueue.Position?
        let batches = lane.collect(at: now) { last = $1 }
        return (batches.map { String(decoding: $0.bytes, as: UTF8.self) }, last)
    }

    @Test(arguments: [
        ("", 0, false, 0), ("half", 0, false, 0), ("a\n", 2, false, 0), ("a\nb\nhalf", 4, false, 0),
        ("0123456789", 10, true, 1), ("0123456789\nb\n", 13, false, 1), ("0123456789\n0123456789", 21, true, 2),
    ]) func `takes whole lines and the start of long ones`(text: String, count: Int, skipping: Bool, cut: Int) throws {
        var lane = try lane(maxLineBytes: 8)
        #expect(take(text, &lane) == FlowLane.Taken(count: count, isSkippingLine: skipping, cutLines: cut))
        #expect(lane.counts.bytes == count && lane.counts.cutLines == cut)
    }

    @Test func `goes on in a line that was cut`() throws {
        var lane = try lane(maxLineBytes: 8)
        #expect(take("rest", &lane, skipping: true) == FlowLane.Taken(count: 4, isSkippingLine: true))
        let (batches, position) = collect(&lane, at: now)
        #expect(batches.isEmpty && position == SegmentQueue.Position(offset: 4, isSkippingLine: true))
    }

    @Test func `records come with the place that they lead to`() throws {
        var lane = try lane()
        _ = take("a\nb\nhalf", &lane)
        #expect(collect(&lane, at: now) == ([], nil))
        lane.finish()
        #expect(collect(&lane, at: now) == (["a\nb\n"], SegmentQueue.Position(offset: 4, isSkippingLine: false)))
    }

    @Test func `a last line gets its newline`() throws {
        var lane = try lane()
        let start = FramingPosition(offset: 10)
        var file = FramedFile(id: 1)
        lane.takeLast(Array("half".utf8).span, of: &file, from: start, at: now)
        lane.finish()
        #expect(collect(&lane, at: now) == (["half\n"], SegmentQueue.Position(offset: 14, isSkippingLine: false)))
    }

    @Test func `plain lines are due at once, joined ones when they have lingered`() throws {
        var plain = try lane()
        #expect(plain.deadline == nil)
        _ = take("a\n", &plain)
        plain.note(now)
        #expect(plain.deadline == now)
        var joined = try lane(joinedBytes: 100)
        _ = take("a\n", &joined)
        joined.note(now)
        _ = take("b\n", &joined)
        joined.note(now + .seconds(10))
        #expect(joined.deadline == now + .seconds(30))
        joined.finish()
        #expect(joined.deadline == nil)
    }

    @Test func `lines behind a full chunk linger from then on`() throws {
        var lane = try lane(joinedBytes: 50_000)
        _ = take("a\n", &lane)
        lane.note(now)
        let line = String(repeating: "x", count: 99) + "\n"
        _ = take(String(repeating: line, count: 3_000), &lane)
        lane.note(now + .seconds(20))
        #expect(lane.deadline == now + .seconds(30))
        #expect(collect(&lane, at: now + .seconds(20)).0.count == 1)
        #expect(lane.deadline == now + .seconds(50))
    }
}
