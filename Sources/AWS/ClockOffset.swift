/// By how much the service's clock is ahead of ours, as its error answers tell.
package struct ClockOffset: Sendable, Equatable {
    /// Seconds to add to our time; 0 while the clocks agree.
    package private(set) var seconds = 0

    /// Less than this is no reason to distrust our clock.
    private static let tolerance = 60

    /// From here on a signature that does not match may be due to the clocks.
    private static let suspicious = 240

    package init() {}

    /// Takes the time from an error answer, or goes back to our own if that has become right again.
    ///
    /// - Parameters:
    ///   - date: the header `Date`.
    ///   - age: the header `Age`; an answer that has one lay in a cache and says nothing about the time.
    ///   - unixSeconds: our time.
    package mutating func learn(date: String?, age: String?, at unixSeconds: Int) {
        guard age == nil, let date, let serverTime = HTTPDate.unixSeconds(date) else { return }
        let difference = serverTime - unixSeconds
        seconds = abs(difference) < Self.tolerance ? 0 : difference
    }

    /// Whether signing again with this offset may help a request that was signed with `used`.
    package func mayHelp(insteadOf used: ClockOffset, isCertain: Bool) -> Bool {
        abs(seconds - used.seconds) >= (isCertain ? Self.tolerance : Self.suspicious)
    }
}
