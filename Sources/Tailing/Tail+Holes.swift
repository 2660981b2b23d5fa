/// Holes: what reads as NUL at the end of a file since nobody has written there yet.
///
/// They may be larger than what is on the disk, and are not read where the file system tells of them.
extension Tail {
    /// Whether there is nothing but NUL in the open file from an offset to its end.
    package func isBlank(from start: Int) throws(TailError) -> Bool {
        var position = start
        // Mostly the first bytes tell.
        var count = 4_096
        while let next = try nextData(from: position) {
            let piece = try bytes(in: next..<next + count)
            guard piece.allSatisfy({ $0 == 0 }) else { return false }
            guard !piece.isEmpty else { return true }
            position = next + piece.count
            count = 65_536
        }
        return true
    }

    /// Where the hole begins that the open file ends in, in whole units of so many bytes; its size if there is none.
    func startOfHole(inUnitsOf unit: Int) throws(TailError) -> Int {
        guard try bytes(in: max(0, size - unit)..<size).allSatisfy({ $0 == 0 }) else { return size }
        var end = try endOfData()
        while end > 0 {
            let start = max(0, end - 65_536)
            if let last = try bytes(in: start..<end).lastIndex(where: { $0 != 0 }) {
                let content = start + last + 1
                return min(size, content + (unit - content % unit) % unit)
            }
            end = start
        }
        return 0
    }

    /// The first offset from which on nothing was ever written, as far as the file system tells.
    private func endOfData() throws(TailError) -> Int {
        var range = 0..<size
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = try nextData(from: middle) == nil ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
