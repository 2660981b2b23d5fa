import Foundation
import Synchronization
import TestSupport
import Testing

/// LS-081: the clock of the machine, or the service's, is wrong.
@Suite(.timeLimit(.minutes(2))) struct ClockCases {
    /// A service that takes only signatures of the last five minutes, by a clock that a test sets.
    private final class Clock: Sendable {
        private let secondsAhead = Mutex(0)
        private let refusals = Mutex(0)

        /// By how many seconds the service is ahead of this machine.
        func set(secondsAhead seconds: Int) { secondsAhead.withLock { $0 = seconds } }

        /// How many requests it did not take.
        var refusalCount: Int { refusals.withLock { $0 } }

        func answer(to request: FirehoseStandIn.Request, refusingWith code: String) -> StandInAnswer {
            let ahead = secondsAhead.withLock { $0 }
            let now = Date(timeIntervalSinceNow: TimeInterval(ahead))
            let signed = request.headers["x-amz-date"].flatMap { Self.format.date(from: $0) } ?? .distantPast
            guard abs(signed.timeIntervalSince(now)) > 300 else { return .accept }
            refusals.withLock { $0 += 1 }
            return .fail(status: 403, code: code).clockAhead(bySeconds: ahead)
        }

        private static let format = {
            let format = DateFormatter()
            format.locale = Locale(identifier: "en_US_POSIX")
            format.timeZone = TimeZone(identifier: "GMT")
            format.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
            return format
        }()
    }

    @Test(arguments: ["RequestExpired", "InvalidSignatureException", "SignatureDoesNotMatch", "RequestTimeTooSkewed"])
    func `a clock that is wrong, and changes, costs one more request each time and a warning`(
        code: String
    ) async throws {
        let scene = try AgentScene()
        let clock = Clock()
        clock.set(secondsAhead: 1_200)
        scene.standIn.answerByDefault { clock.answer(to: $0, refusingWith: code) }
        let agent = try scene.start()
        var records = 0
        for (ahead, text) in [
            (1_200, " s behind the service's; requests are signed with the service's time"),
            (-7_200, " s ahead of the service's; requests are signed with the service's time"),
            (0, "INFO  delivery: the clock of this machine and the service's agree again"),
        ] {
            clock.set(secondsAhead: ahead)
            for _ in 1...2 {
                try scene.append(records + 1...records + 10)
                records += 10
                try await scene.waitForRecords(records, from: agent)
            }
            try await agent.waitForLog(text)
        }
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...records))
        #expect(clock.refusalCount == 3, "one for each change of the clock")
        #expect(!agent.log.contains("nothing delivered"), "\(agent.log)")
    }

    /// A proxy's own clock is no reason to sign with its time.
    @Test func `the time of a page for people is not believed`() async throws {
        let scene = try AgentScene()
        let clock = Clock()
        scene.standIn.answerByDefault { clock.answer(to: $0, refusingWith: "RequestExpired") }
        scene.standIn.enqueue(.html(status: 502).clockAhead(bySeconds: 86_400))
        try scene.append(1...10)
        let agent = try scene.start()
        try await scene.waitForRecords(10, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...10))
        #expect(scene.standIn.requests.count == 2)
        #expect(!agent.log.contains("the clock of this machine"))
    }
}
