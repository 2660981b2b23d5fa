/// A condition that did not come true in time.
package struct TimedOut: Error, CustomStringConvertible {
    package let condition: String

    package var description: String { "waited in vain until \(condition)" }
}

/// Waits until `isMet` answers true, and throws `TimedOut` if that takes too long.
///
/// The time limit is only there to end a test that fails; a test that passes goes on as soon as it can.
package func waitUntil(
    _ condition: @autoclosure () -> String,
    timeout: Duration = .seconds(20),
    lookingEvery pause: Duration = .milliseconds(2),
    _ isMet: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + timeout
    while try await !isMet() {
        guard ContinuousClock.now < deadline else { throw TimedOut(condition: condition()) }
        try await Task.sleep(for: pause)
    }
}
