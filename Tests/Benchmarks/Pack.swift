import Packing

/// Packs lines that are framed already.
func pack(_ settings: PackingSettings, byteCount: Int) -> Row {
    var log = FramedLog()
    let bytes = log.bytes
    let lengths = log.allLengths()
    var packer = RecordPacker(settings: settings)
    var row = measure(bytesARound: bytes.count, byteCount: byteCount) {
        packer.add(contentsOf: bytes.span, lengths: lengths.span)
        packer.recycle()
    }
    row.remark = packer.remark
    return row
}

/// Frames and packs, as the agent does.
func frameAndPack(_ settings: PackingSettings, byteCount: Int) -> Row {
    var log = FramedLog()
    var packer = RecordPacker(settings: settings)
    var row = measure(bytesARound: log.bytes.count, byteCount: byteCount) {
        log.forEachRun { lines, lengths in packer.add(contentsOf: lines, lengths: lengths) }
        packer.recycle()
    }
    row.remark = packer.remark
    return row
}

extension RecordPacker {
    /// Takes what is finished and gives its memory back, as after a commit.
    fileprivate mutating func recycle() {
        finish()
        while let chunk = takeFinished() { reuse(chunk.records) }
    }

    fileprivate var remark: String {
        let size = given.recordBytes / given.records
        return "records of \(size) bytes, 1 : \(oneDecimal(Double(given.sourceBytes) / Double(given.recordBytes)))"
    }
}
