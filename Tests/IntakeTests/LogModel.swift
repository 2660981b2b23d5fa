import Intake
import Platform
import Records
import Tailing
import TestSupport

/// What writers and logrotate do to a tree of log files, and which lines must come of it.
final class LogModel {
    let setting: Setting
    let bench: Bench
    var random: SeededGenerator
    private(set) var history: [String] = []
    private(set) var generations: [Generation] = []
    var current: [String: Generation] = [:]
    var closed: Set<String> = []
    private var lineCount = 0
    var nameCount = 0
    private(set) var isRunning = false

    private let seed: UInt64

    private let names = ["a.log", "b.log", "d1/a.log", "d1/d2/a.log", "d1/d2/c.log"]

    init(_ bench: Bench, seed: UInt64) {
        self.bench = bench
        self.seed = seed
        random = SeededGenerator(seed: seed)
        setting = Setting(
            matchesRotated: Bool.random(using: &random),
            joinedBytes: Bool.random(using: &random) ? 0 : 60,
            maxOpenFiles: Bool.random(using: &random) ? 4_096 : 1
        )
    }

    private var pattern: String { setting.matchesRotated ? "**/*.log*" : "**/*.log" }

    private func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: choices.indices, using: &random)]
    }

    // MARK: Steps

    func prepare() async throws {
        bench.changePolicy { policy in
            policy.maxOpenFiles = setting.maxOpenFiles
            policy.quiet = .milliseconds(30)
        }
        for name in ["d1/d2", "real"] { try bench.directory.makeDirectory(name) }
        try await start()
    }

    /// Does the step of this number, which is the same whatever steps there were before, as far as they allow.
    func step(_ number: Int) async throws {
        random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: try write()
        case 40..<50: try writePartially()
        case 50..<62: try rotate()
        case 62..<66: try truncate()
        case 66..<68: try copyAndTruncate()
        case 68..<74: try delete()
        case 74..<78: try renameOver()
        case 78..<82: try switchLink()
        case 82..<85: try close()
        case 85..<88: try renameDirectory()
        case 88..<91: setFull()
        case 91..<95: bench.makeRoom()
        default: try await restart()
        }
        // Anything may happen between two steps, or nothing.
        if Int.random(in: 0..<3, using: &random) == 0 {
            try await Task.sleep(for: .microseconds(Int.random(in: 0..<4_000, using: &random)))
        }
    }

    /// Has everything come to its end.
    func finish() async throws {
        for name in closed { try open(name) }
        if !isRunning { try await start() }
        bench.makeRoom()
        for (name, generation) in current where !generation.partial.isEmpty { try endLine(of: name, generation) }
    }

    func note(_ step: String) { history.append(step) }

    private func start() async throws {
        note("start")
        try await bench.start(
            bench.flow(pattern, joinedBytes: setting.joinedBytes, linger: .milliseconds(20))
        )
        isRunning = true
        abandonedNames = []
        for generation in generations { generation.isYoung = false }
    }

    private func restart() async throws {
        guard isRunning else { return try await start() }
        isRunning = false
        if Bool.random(using: &random) {
            note("stop")
            // A stream without room keeps what is behind in the files.
            try await bench.stop()
        } else {
            note("crash")
            await bench.crash()
        }
        for generation in generations where !canBeFound(generation) { doubt(generation) }
    }

    // MARK: Writing

    private func generation(_ name: String) throws -> Generation {
        if let generation = current[name] { return generation }
        let generation = Generation()
        generations.append(generation)
        current[name] = generation
        if name == "link.log" { try makeTarget() }
        return generation
    }

    private func nextText() -> String {
        lineCount += 1
        let filling = String(repeating: "x", count: Int.random(in: 0..<90, using: &random))
        // Both ends are unlike those of any other line: by the last bytes, files are told apart.
        return "line \(lineCount) \(filling) \(lineCount)."
    }

    private func write() throws {
        let name = pick(names + ["link.log"])
        try open(name)
        let generation = try generation(name)
        if !generation.partial.isEmpty { try endLine(of: name, generation) }
        var text = ""
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let line = nextText()
            generation.lines.append(line)
            text += line + "\n"
        }
        note("write \(name): \(text.split(separator: "x").first ?? "")")
        try bench.directory.append(text, to: name)
    }

    private func writePartially() throws {
        let name = pick(names)
        try open(name)
        let generation = try generation(name)
        guard generation.partial.isEmpty else { return }
        generation.partial = nextText()
        note("write half a line to \(name)")
        try bench.directory.append(generation.partial, to: name)
    }

    private func endLine(of name: String, _ generation: Generation) throws {
        generation.lines.append(generation.partial + " end")
        generation.partial = ""
        note("end the line in \(name)")
        try bench.directory.append(" end\n", to: name)
    }

    private func makeTarget() throws {
        nameCount += 1
        try bench.directory.append("", to: "real/\(nameCount)")
        try bench.directory.link("link.log", to: bench.directory.path("real/\(nameCount)"))
    }

    // MARK: Ending

    private func rotate() throws {
        guard let name = pickExisting() else { return }
        nameCount += 1
        note("rotate \(name) to .\(nameCount)")
        guard let generation = current.removeValue(forKey: name) else { return }
        try bench.directory.rename(name, to: "\(name).\(nameCount)")
        if !setting.matchesRotated { end(generation) }
        if !isRunning, !mustBeFound(generation, "\(name).\(nameCount)", after: name) { doubt(generation) }
        if setting.matchesRotated {
            current["\(name).\(nameCount)"] = generation
        } else {
            rotatedNames[ObjectIdentifier(generation)] = "\(name).\(nameCount)"
        }
    }

    /// Where the generations are whose name no pattern matches.
    private var rotatedNames: [ObjectIdentifier: String] = [:]

    private func truncate() throws {
        guard let name = pickExisting() else { return }
        note("truncate \(name)")
        replaceContent(of: name)
        try bench.directory.truncate(name)
    }

    /// As logrotate's `copytruncate`: what was not read is read from the copy if enough is known to prove it.
    private func copyAndTruncate() throws {
        guard !setting.matchesRotated, let name = pickExisting(), let old = current[name] else { return }
        nameCount += 1
        note("copy \(name) to .\(nameCount) and truncate it")
        try bench.directory.append(bench.directory.contents(of: name), to: "\(name).\(nameCount)")
        replaceContent(of: name, isProven: isProven(name))
        old.mayRepeat = true
        try bench.directory.truncate(name)
    }

    /// What was written is gone, and the file goes on with another content.
    private func replaceContent(of name: String, isProven: Bool = false) {
        guard let old = current[name] else { return }
        if isProven { end(old) } else { doubt(old) }
        old.isCopied = isProven
        old.isDeleted = true
        let new = Generation()
        generations.append(new)
        current[name] = new
    }

    private func delete() throws {
        guard let name = pickExisting() else { return }
        note("delete \(name)")
        destroy(name)
        try bench.directory.unlink(name)
    }

    private func renameOver() throws {
        guard let old = pickExisting(), let new = pickExisting(), old != new else { return }
        note("rename \(old) over \(new)")
        destroy(new)
        try bench.directory.rename(old, to: new)
        current[new] = current.removeValue(forKey: old)
    }

    private func switchLink() throws {
        guard let generation = current["link.log"] else { return }
        note("switch the link")
        end(generation)
        generation.isUnlinked = true
        if !isRunning || setting.maxOpenFiles == 1 || !isSeen(generation) { doubt(generation) }
        let next = Generation()
        generations.append(next)
        current["link.log"] = next
        try makeTarget()
    }

    /// Notes that a file loses its name.
    private func destroy(_ name: String) {
        guard let generation = current.removeValue(forKey: name) else { return }
        end(generation)
        generation.isDeleted = true
        if !isRunning || setting.maxOpenFiles == 1 || !isSeen(generation) { doubt(generation) }
    }

    /// What is left without a newline becomes a line.
    private func end(_ generation: Generation) {
        generation.isListed = false
        guard !generation.partial.isEmpty else { return }
        generation.lines.append(generation.partial)
        generation.partial = ""
    }

    private func doubt(_ generation: Generation) {
        generation.doubtful.formUnion(generation.lines)
        if !generation.partial.isEmpty { generation.doubtful.insert(generation.partial) }
    }

    func pickExisting() -> String? {
        let existing = current.keys.filter { $0 != "link.log" }.sorted()
        guard !existing.isEmpty else { return nil }
        let name = pick(existing)
        try? open(name)
        return name
    }

    // MARK: What an intake can know

    /// The names of logs of which a generation was rotated away in this time without an intake that the last one knew.
    private var abandonedNames: Set<String> = []

    /// Whether the next intake must find a file that loses its name now.
    ///
    /// It looks for what came after a generation that it knows, also where it cannot know of it.
    private func mustBeFound(_ generation: Generation, _ newName: String, after name: String) -> Bool {
        if canBeFound(generation, at: newName) {
            let known = try? bench.checkpoint(of: newName)
            if known?.path == bench.directory.path(name) { abandonedNames.insert(name) }
            return true
        }
        return abandonedNames.contains(name) && generation.isYoung
    }

    private var delivered: Set<String> { Set(bench.store.lines(of: .logs)) }

    /// Whether the running intake has surely opened it.
    private func isSeen(_ generation: Generation) -> Bool {
        let delivered = delivered
        return generation.lines.contains { delivered.contains($0) && !deliveredBefore.contains($0) }
    }

    /// What was delivered by intakes that do not run any more.
    private var deliveredBefore: Set<String> = []

    /// Whether enough is known of the content of a file for a copy beside it to be told by it.
    ///
    /// A copy may also get the inode of a file that was closed when it was deleted, and be taken for that.
    private func isProven(_ name: String) -> Bool {
        guard setting.maxOpenFiles > 1, let checkpoint = try? bench.checkpoint(of: name),
            checkpoint.path == bench.directory.path(name),
            checkpoint.head.length >= Fingerprint.proofBytes, checkpoint.offset == 0 || checkpoint.tail.length > 0
        else { return false }
        let found = try? Tail.resuming(checkpoint, at: Path(bench.directory.path(name)))
        return found?.1 == .resumed
    }

    /// Whether the next intake can find a file.
    private func canBeFound(_ generation: Generation) -> Bool {
        deliveredBefore = delivered
        if generation.isCopied { return true }
        if generation.isDeleted || generation.isUnlinked { return false }
        guard !generation.isListed else { return true }
        return rotatedNames[ObjectIdentifier(generation)].map { canBeFound(generation, at: $0) } ?? false
    }

    private func canBeFound(_ generation: Generation, at name: String) -> Bool {
        if setting.matchesRotated { return true }
        // A checkpoint may also be that of an older file that had the same inode.
        guard let checkpoint = try? bench.checkpoint(of: name) else { return false }
        // Of a file that was not read yet, only the name can tell.
        guard checkpoint.offset > 0 || isSuccessor(name, of: checkpoint.path) else { return false }
        let found = try? Tail.resuming(checkpoint, at: Path(bench.directory.path(name)))
        return found?.1 == .resumed
    }

    private func isSuccessor(_ name: String, of path: String) -> Bool {
        let old = path.split(separator: "/").last ?? ""
        return name.split(separator: "/").last?.hasPrefix(old) ?? false
    }
}
