extension Span<Int> {
    /// Takes these numbers as the lengths of lines, and finds how many of them fit together from `first` on.
    func run(from first: Int, upTo maxLines: Int, bytes maxBytes: Int) -> (lines: Int, bytes: Int) {
        let end = first + Swift.min(count - first, maxLines)
        var index = first
        var bytes = 0
        while index < end, self[index] <= maxBytes - bytes {
            bytes += self[index]
            index += 1
        }
        return (index - first, bytes)
    }
}
