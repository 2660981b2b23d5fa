/// What the arguments ask for.
enum Command {
    case help
    case measure([Stage], megabytes: Int)
    case mistake(String)

    static let usage = """
        Measures stages of firetail on log lines that it makes itself.

        usage: firetail-benchmark [STAGE…] [--megabytes N]

        Each row says how many megabytes (10^6 bytes) of lines went through the stage,
        what that cost in user and system time, and how many a CPU second takes.
        Without a STAGE it measures all of them. N is 1 to 100000, by default 500.

        \(stages.map { "  " + $0.name.padded(to: -20) + $0.summary }.joined(separator: "\n"))
        """

    init(arguments: some Sequence<String>) {
        var chosen: [Stage] = []
        var megabytes = 500
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            switch argument {
            case "--help", "-h":
                self = .help
                return
            case "--megabytes":
                let value = arguments.next() ?? ""
                guard let number = Int(value), (1...100_000).contains(number) else {
                    self = .mistake("--megabytes '\(value)': expected a whole number from 1 to 100000")
                    return
                }
                megabytes = number
            default:
                guard let stage = stages.first(where: { $0.name == argument }) else {
                    let names = stages.map(\.name).joined(separator: ", ")
                    self = .mistake("there is no stage '\(argument)': expected one of \(names), or --help")
                    return
                }
                chosen.append(stage)
            }
        }
        self = .measure(chosen.isEmpty ? stages : chosen, megabytes: megabytes)
    }
}
