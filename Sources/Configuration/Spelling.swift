/// Finds the word that someone who mistyped it meant.
enum Spelling {
    /// The word that is nearest to the given one, if any is near; the first of several.
    ///
    /// The case of letters does not matter, and a word may differ in a third of its letters.
    static func nearest(to word: String, among words: [String]) -> String? {
        let letters = Array(word.lowercased().utf8)
        var best: (word: String, distance: Int)?
        for candidate in words {
            let others = Array(candidate.lowercased().utf8)
            let limit = min(max(2, others.count / 3), best.map { $0.distance - 1 } ?? Int.max)
            guard abs(letters.count - others.count) <= limit else { continue }
            let distance = distance(from: letters, to: others)
            if distance <= limit { best = (candidate, distance) }
        }
        return best?.word
    }

    /// How many letters must be added, removed, replaced or swapped with their neighbour to make one word the other.
    static func distance(from left: [UInt8], to right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var cost = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
