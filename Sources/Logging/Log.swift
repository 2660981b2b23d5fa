import Platform

/// Messages for whoever runs the program, each one line on standard error.
///
/// `2026-11-30T11:38:30.123Z WARN  tailer: cannot read /var/log/app.log: Permission denied (errno 13)`
///
/// Messages are of one kind if they come from the same place in the code, or from one component with the same key.
/// No kind prints more than ten lines a minute, or what its limit says; what is held back is counted, and the next
/// line of its kind ends with "(and 12 more like this)". The text says nothing secret and nothing of a record.
package struct Log: Sendable {
    /// What is printed: this and what matters more.
    package let level: LogLevel

    /// Which part of the program speaks.
    package let component: String

    private let output: LogOutput

    /// Starts a log; a program has one, and gets the others from it by `named`.
    ///
    /// - Parameters:
    ///   - level: The level that matters least among those that are printed.
    ///   - component: Which part of the program speaks.
    ///   - sink: Takes one line with its newline, and is never called by two threads at a time. The default makes
    ///     the caller wait while standard error is a full pipe.
    ///   - now: The time, for tests.
    package init(
        level: LogLevel,
        component: String,
        sink: @escaping @Sendable ([UInt8]) -> Void = { StandardError.write($0) },
        now: @escaping @Sendable () -> LogTime = { .now() }
    ) {
        self.init(level: level, component: component, output: LogOutput(sink: sink, now: now))
    }

    private init(level: LogLevel, component: String, output: LogOutput) {
        self.level = level
        self.component = component
        self.output = output
    }

    /// The same log for another part of the program.
    package func named(_ component: String) -> Log {
        Log(level: level, component: component, output: output)
    }

    /// Logs a message at a level that is known only when it runs.
    ///
    /// - Parameters:
    ///   - level: How much it matters.
    ///   - text: What to say, on one line; it is not made if the level is not printed.
    ///   - limit: How much of its kind is printed; what the first message of a kind says holds for all of them.
    ///   - key: The kind of message within the component; nil for what this place in the code says.
    ///   - file: The place in the code.
    ///   - line: The place in the code.
    package func log(
        _ level: LogLevel,
        _ text: @autoclosure () -> String,
        limit: LogLimit = .standard,
        key: String? = nil,
        file: String = #fileID,
        line: UInt = #line
    ) {
        guard level >= self.level else { return }
        let kind = key.map { LogOutput.Kind.named(component: component, key: $0) } ?? .place(file: file, line: line)
        output.log(LogMessage(level: level, component: component, text: text()), kind: kind, limit: limit)
    }

    /// Prints what was held back so far; for the end of the program.
    package func flush() { output.flush() }
}

extension Log {
    /// Logs that something is lost, or will be unless somebody acts.
    package func error(
        _ text: @autoclosure () -> String,
        limit: LogLimit = .standard,
        key: String? = nil,
        file: String = #fileID,
        line: UInt = #line
    ) {
        log(.error, text(), limit: limit, key: key, file: file, line: line)
    }

    /// Logs that something is not as it should be, and is dealt with.
    package func warning(
        _ text: @autoclosure () -> String,
        limit: LogLimit = .standard,
        key: String? = nil,
        file: String = #fileID,
        line: UInt = #line
    ) {
        log(.warning, text(), limit: limit, key: key, file: file, line: line)
    }

    /// Logs what an operator wants to know about a healthy agent.
    package func info(
        _ text: @autoclosure () -> String,
        limit: LogLimit = .standard,
        key: String? = nil,
        file: String = #fileID,
        line: UInt = #line
    ) {
        log(.info, text(), limit: limit, key: key, file: file, line: line)
    }

    /// Logs what helps to find out why something happens.
    package func debug(
        _ text: @autoclosure () -> String,
        limit: LogLimit = .standard,
        key: String? = nil,
        file: String = #fileID,
        line: UInt = #line
    ) {
        log(.debug, text(), limit: limit, key: key, file: file, line: line)
    }
}
