import Glibc

/// User and system time of the whole process so far.
func processCPUSeconds() -> Double {
    var usage = rusage()
    getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Double(seconds) + Double(microseconds) / 1e6
}

/// What a process has used so far; noughts where the kernel does not tell.
struct ProcessUsage {
    /// User and system time.
    let cpuSeconds: Double

    /// The most memory that it held at any time.
    ///
    /// `getrusage` would count the program that started this one, too: `swift run` is larger than any stage.
    let peakKiB: Int

    init(of process: Int) {
        let status = Self.text("/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        peakKiB = status?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        // After the program's name, which may hold anything, the times are the 12th and 13th field, in ticks.
        let fields = Self.text("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = fields.count > 13 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
        cpuSeconds = Double(ticks) / Double(sysconf(CInt(_SC_CLK_TCK)))
    }

    private static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        return String(unsafeUninitializedCapacity: 4_096) { max(0, read(descriptor, $0.baseAddress, $0.count)) }
    }
}
