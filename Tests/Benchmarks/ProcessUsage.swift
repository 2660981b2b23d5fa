import Glibc

/// User and system time of the whole process so far.
func processCPUSeconds() -> Double {
    var usage = rusage()
    getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Double(seconds) + Double(microseconds) / 1e6
}

/// The most memory that the process held at any time, in KiB; nil where the kernel does not tell.
///
/// `getrusage` would count the program that started this one, too: `swift run` is larger than any stage.
func peakResidentKiB() -> Int? {
    let descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let status = String(unsafeUninitializedCapacity: 4_096) { max(0, read(descriptor, $0.baseAddress, $0.count)) }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
}
