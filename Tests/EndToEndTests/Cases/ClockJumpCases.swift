import Foundation
import TestSupport
import Testing

/// The clock of the host jumps.
@Suite(.timeLimit(.minutes(2)), .enabled(if: PreloadedLibrary.isPossible, "there is no C compiler"))
struct ClockJumpCases {
    private static let hour = 3_600
    private static let day = 86_400

    /// LS-125: waits go by a clock that nobody sets.
    @Test func `a clock that is set delays nothing`() async throws {
        let clock = try FalseClock()
        try await Scenario("*.log", flow: ["ignoreOlderSeconds": 2 * Self.day]).run { story in
            story.scene.environment["LD_PRELOAD"] = clock.path
            try await story.start()
            for (round, jump) in [-Self.hour, Self.day, -Self.day, 400 * Self.day].enumerated() {
                try clock.jump(by: jump)
                try story.emit("a.log", round * 10...round * 10 + 4)
                try await story.settle()
                story.sink.become(.serviceUnavailable)
                try story.emit("a.log", round * 10 + 5...round * 10 + 9)
                try await failRequest(story)
                story.sink.become(.ok)
                try await story.settle()
            }
            #expect(daysOfRequests(story).count > 2, "the agent saw the clock jump")
        }
    }

    /// LS-125: and so do those that an earlier run has begun.
    @Test(arguments: [-day, 400 * day])
    func `what was stored at another time is delivered and remembered after a restart`(jump: Int) async throws {
        let clock = try FalseClock()
        try await Scenario("*.log").run { story in
            story.scene.environment["LD_PRELOAD"] = clock.path
            try await story.session { try story.emit("a.log", 1...10) }
            story.sink.become(.serviceUnavailable)
            try await story.start()
            try story.emit("a.log", 11...20)
            try await failRequest(story)
            try await story.kill9()
            try clock.jump(by: jump)
            story.sink.become(.ok)
            try await story.session()
            #expect(story.sink.count == 20)
            #expect(daysOfRequests(story).count > 1, "the agent saw the clock jump")
        }
    }

    /// The days on which requests were signed, as the agent saw it.
    private func daysOfRequests(_ story: Scenario) -> Set<Substring?> {
        Set(story.scene.standIn.requests.map { $0.headers["x-amz-date"]?.prefix(8) })
    }

    private func failRequest(_ story: Scenario) async throws {
        let before = story.scene.standIn.requests.count
        try await story.running.wait(for: "a request fails") { story.scene.standIn.requests.count > before }
    }
}

/// A library that shows a program another time of the day than the host's.
private struct FalseClock {
    private let library: PreloadedLibrary

    var path: String { library.path }

    init() throws {
        library = try PreloadedLibrary { directory in
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <sys/time.h>
            #include <time.h>
            static long offset(void) {
                long seconds = 0;
                FILE *file = fopen("\(directory.path("offset"))", "r");
                if (!file) return 0;
                if (fscanf(file, "%ld", &seconds) != 1) abort();
                fclose(file);
                return seconds;
            }
            int clock_gettime(clockid_t clock, struct timespec *result) {
                int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
                int status = real(clock, result);
                if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) result->tv_sec += offset();
                return status;
            }
            int gettimeofday(struct timeval *restrict result, void *restrict zone) {
                int (*real)(struct timeval *, void *) = dlsym(RTLD_NEXT, "gettimeofday");
                int status = real(result, zone);
                result->tv_sec += offset();
                return status;
            }
            time_t time(time_t *result) {
                time_t (*real)(time_t *) = dlsym(RTLD_NEXT, "time");
                time_t now = real(NULL) + offset();
                if (result) *result = now;
                return now;
            }
            """
        }
    }

    /// Sets the clock so many seconds forward; the jumps add up.
    func jump(by seconds: Int) throws {
        let before = (try? text(library.directory.contents(of: "offset"))).flatMap { Int($0) } ?? 0
        try library.directory.append("\(before + seconds)", to: "next")
        try library.directory.rename("next", to: "offset")
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
