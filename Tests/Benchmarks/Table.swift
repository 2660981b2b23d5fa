/// Writes rows under each other.
enum Table {
    static let heading = line("stage", "MB", "CPU s", "MB a CPU second", "")

    static func line(for stage: Stage, _ row: Row) -> String {
        line(
            stage.name + row.name,
            "\(Int(row.megabytes))",
            thousandths(row.cpuSeconds),
            "\(Int(row.megabytesPerCPUSecond))",
            row.remark
        )
    }

    private static func line(
        _ stage: String,
        _ megabytes: String,
        _ seconds: String,
        _ rate: String,
        _ remark: String
    ) -> String {
        stage.padded(to: -20) + megabytes.padded(to: 8) + seconds.padded(to: 9) + rate.padded(to: 18) + "   " + remark
    }
}

extension String {
    /// Fills up with spaces: on the left to a positive width, on the right to a negative one.
    func padded(to width: Int) -> String {
        let spaces = String(repeating: " ", count: max(0, abs(width) - count))
        return width < 0 ? self + spaces : spaces + self
    }
}

/// Writes a number with one digit after the point.
func oneDecimal(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
}

private func thousandths(_ number: Double) -> String {
    let thousandths = Int((number * 1_000).rounded())
    let fraction = String(thousandths % 1_000)
    return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
}
