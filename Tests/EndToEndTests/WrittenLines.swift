import Foundation
import Testing

/// Which lines were written, to which files, and so what must arrive.
struct WrittenLines {
    /// A text that is in every numbered line, and must be nowhere but in records.
    static let marker = "RECORDTEXT"

    /// How often each line was written.
    private var counts: [String: Int] = [:]

    /// Where each numbered line was written, and as which of all.
    private var places: [String: (file: String, order: Int)] = [:]

    /// Lines that may be missing: they were destroyed before anybody could surely read them.
    private var doubtful: Set<String> = []

    /// How often each line was written and has not come yet; below 0 where it came more often than it was written.
    private var left: [String: Int] = [:]

    /// How many different lines must still come.
    private var awaitedCount = 0

    /// How many lines have come and are taken from `left`.
    private var arrivedCount = 0

    /// Whether lines may come more often than they were written.
    var mayRepeat = false

    /// A numbered line of about 80 bytes with its newline, which is written to a file now.
    mutating func line(_ number: Int, in file: String) -> String {
        let line = Self.text(number)
        expect(line, in: file)
        return line + "\n"
    }

    static func text(_ number: Int) -> String {
        "seq=\(number) \(marker) of an ordinary length, with its number at both ends: \(number)."
    }

    /// Notes that a line is written to a file now.
    mutating func expect(_ line: String, in file: String) {
        counts[line, default: 0] += 1
        if counts[line] == 1 { places[line] = (file, places.count) }
        change(line, by: 1)
    }

    /// Notes that these lines may be missing.
    mutating func doubt(_ numbers: some Sequence<Int>) {
        for line in numbers.map(Self.text) where doubtful.insert(line).inserted && left[line, default: 0] > 0 {
            awaitedCount -= 1
        }
    }

    /// Notes that these lines must not arrive although they were written.
    mutating func forget(_ numbers: some Sequence<Int>) {
        for line in numbers.map(Self.text) {
            counts[line] = nil
            change(line, by: -max(0, left[line, default: 0]))
        }
    }

    private mutating func change(_ line: String, by difference: Int) {
        let before = left[line, default: 0]
        left[line] = before + difference
        guard !doubtful.contains(line), (before > 0) != (before + difference > 0) else { return }
        awaitedCount += difference.signum()
    }

    // MARK: Judging

    /// Whether all that must arrive has.
    ///
    /// It is asked every few milliseconds, and there may be half a million lines: it looks at those that are new.
    mutating func isComplete(_ sink: Sink) -> Bool {
        let new = sink.lines(after: arrivedCount)
        for line in new { change(line, by: -1) }
        arrivedCount += new.count
        return awaitedCount == 0
    }

    /// Some of the lines that must arrive and have not.
    func missing(from arrived: [String]) -> [String] {
        var left = counts.filter { !doubtful.contains($0.key) }
        for line in arrived { left[line]? -= 1 }
        let missing = left.filter { $0.value > 0 }.keys.sorted()
        return missing.count > 6 ? missing.prefix(6) + ["and \(missing.count - 6) more"] : missing
    }

    /// Expects that what arrived is what was written: whole, as often, and in the order of each file.
    func check(_ arrived: [String]) {
        #expect(missing(from: arrived) == [], "lines are missing")
        var left = counts
        var strangers: [String] = []
        var repeated: [String] = []
        for line in arrived {
            guard let count = left[line] else {
                strangers.append(line)
                continue
            }
            left[line] = count - 1
            if count <= 0 { repeated.append(line) }
        }
        #expect(strangers.prefix(5) == [], "\(strangers.count) lines arrived that nobody wrote")
        if !mayRepeat { #expect(repeated.prefix(5) == [], "\(repeated.count) lines came more often than written") }
        #expect(outOfOrder(arrived).prefix(5) == [], "lines came in another order than that of their file")
    }

    private func outOfOrder(_ arrived: [String]) -> [String] {
        var seen: Set<String> = []
        var last: [String: Int] = [:]
        return arrived.filter { line in
            guard counts[line] == 1, seen.insert(line).inserted, let place = places[line] else { return false }
            defer { last[place.file] = max(place.order, last[place.file] ?? 0) }
            return place.order < last[place.file] ?? 0
        }
    }
}
