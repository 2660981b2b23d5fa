import Framing

/// Finds the lines of 1 MiB buffers.
func frame(byteCount: Int) -> Row {
    var log = FramedLog()
    var lines = 0
    return measure(bytesARound: log.bytes.count, byteCount: byteCount) {
        log.forEachRun { _, lengths in lines += lengths.count }
    }
}
