import Compression

/// Compresses pieces of 256 KiB into one gzip member each.
func compress(byteCount: Int) -> Row {
    let log = SampleLog.make(byteCount: 262_144)
    let gzip = GzipWriter()
    var memberBytes = 0
    var row = measure(bytesARound: log.count, byteCount: byteCount) {
        memberBytes = gzip.withMember(of: log.span) { $0.count }
    }
    row.remark = "1 : \(oneDecimal(Double(log.count) / Double(memberBytes)))"
    return row
}
