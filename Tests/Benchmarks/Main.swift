import Glibc

/// Measures stages of the agent, and prints a table.
@main
enum Main {
    static func main() async {
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
                for row in await stage.run(megabytes * 1_000_000) { print(Table.line(for: stage, row)) }
            }
            print("peak resident memory of this program: \(ProcessUsage(of: Int(getpid())).peakKiB / 1_024) MiB")
        }
    }
}
