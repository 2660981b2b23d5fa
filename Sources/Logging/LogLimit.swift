/// How many messages of one kind are printed; the others are only counted.
package struct LogLimit: Sendable, Equatable {
    /// Lines within any stretch of `period`.
    package var lines: Int

    package var period: Duration

    /// At least one line is allowed.
    package init(lines: Int, per period: Duration) {
        precondition(lines >= 1, "a limit lets something through")
        self.lines = lines
        self.period = period
    }

    /// What holds where nothing else is said: ten lines a minute.
    package static let standard = LogLimit(lines: 10, per: .seconds(60))

    /// One line in each period.
    package static func once(per period: Duration) -> LogLimit { LogLimit(lines: 1, per: period) }
}
