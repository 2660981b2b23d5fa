import Glibc

/// User and system time of the whole process so far.
func processCPUSeconds() -> Double {
    let usage = processUsage()
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Double(seconds) + Double(microseconds) / 1e6
}

/// The most memory that the process held at any time, in KiB.
func peakResidentKiB() -> Int {
    processUsage().ru_maxrss
}

private func processUsage() -> rusage {
    var usage = rusage()
    getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
    return usage
}
