import Testing

@testable import AWS

@Suite struct ClockOffsetTests {
    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
            ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
            ("Mon, 30 Nov 2026 12:00:00 GMT", 1_796_040_000),
            ("Sunday, 06-Nov-94 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil),
            ("Sun, 06 Nov 1994 08:49 GMT", nil),
            ("Sun, 06 Nov 1994 25:49:37 GMT", nil),
            ("Sun, 99 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 99999999999999 08:49:37 GMT", nil),
            ("", nil),
        ] as [(String, Int?)]
    )
    func `dates of headers are read`(text: String, seconds: Int?) {
        #expect(HTTPDate.unixSeconds(text) == seconds)
    }

    private let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private let time = 784_111_777

    @Test func `an offset is learned, followed and dropped again`() {
        var offset = ClockOffset()
        offset.learn(date: date, age: nil, at: time - 600)
        #expect(offset.seconds == 600)
        offset.learn(date: date, age: nil, at: time + 300)
        #expect(offset.seconds == -300)
        offset.learn(date: date, age: nil, at: time + 59)
        #expect(offset.seconds == 0)
        offset.learn(date: date, age: nil, at: time + 60)
        #expect(offset.seconds == -60)
    }

    @Test func `an answer out of a cache, or without a date, teaches nothing`() {
        var offset = ClockOffset()
        offset.learn(date: date, age: "3", at: 0)
        offset.learn(date: nil, age: nil, at: 0)
        offset.learn(date: "yesterday", age: nil, at: 0)
        #expect(offset.seconds == 0)
    }

    @Test(arguments: [(59, false, false), (60, true, false), (239, true, false), (240, true, true), (-240, true, true)])
    func `signing again needs a difference`(seconds: Int, certain: Bool, uncertain: Bool) {
        var offset = ClockOffset()
        offset.learn(date: date, age: nil, at: time - seconds)
        #expect(offset.mayHelp(insteadOf: ClockOffset(), isCertain: true) == certain)
        #expect(offset.mayHelp(insteadOf: ClockOffset(), isCertain: false) == uncertain)
        #expect(!offset.mayHelp(insteadOf: offset, isCertain: true))
    }
}
