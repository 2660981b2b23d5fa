import Glibc

/// Measures stages of the agent, and prints a table.
@main
enum Main {
    static func main() {
        switch Command(arguments: CommandLine.arguments.dropFirst()) {
        case .help:
            print(Command.usage)
        case .mistake(let message):
            let text = Array("firetail-benchmark: \(message)\n".utf8)
            _ = write(STDERR_FILENO, text, text.count)
            exit(2)
        case .measure(let stages, let megabytes):
            print(Table.heading)
            for stage in stages {
                print(Table.line(for: stage, stage.run(megabytes * 1_000_000)))
            }
            if let peak = peakResidentKiB() { print("peak resident memory: \(peak / 1_024) MiB") }
        }
    }
}
