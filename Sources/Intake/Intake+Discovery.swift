import Discovery
import Platform
import Records
import Synchronization
import Tailing

/// How the file system is looked through.
extension Intake {
    /// Looks for files: everywhere when that is due, else where there is news.
    func lookAround() async throws {
        let start = ContinuousClock.now
        if start >= nextScan {
            scanEverything()
            followSuccessors()
            hasMissedEvents = false
            try await limitDeletedFiles()
            statistics.withLock { $0.scans += 1 }
            // However large the trees are, this takes no more than a hundredth of the time.
            let now = ContinuousClock.now
            nextScan = now + max(policy.scanInterval, (now - start) * 100)
        } else if !changedDirectories.isEmpty {
            let known = watcher.knownDirectories
            for directory in changedDirectories { rescan(directory, known: known) }
            followSuccessors()
        }
        changedDirectories.removeAll(keepingCapacity: true)
    }

    private func scanEverything() {
        var sweep = Sweep()
        unreadable = [:]
        closedDirectories = [:]
        for index in lanes.indices {
            let findings = lanes[index].walk.scan { watch($0, $1, &sweep) }
            take(findings, of: index, &sweep)
            adopt(index)
        }
        for file in files.all where !sweep.listed.contains(file.key) && !sweep.hides(file.tail.path) { unlist(file) }
        watcher.keepDirectories(sweep.directories)
        if !watcher.hasPolled { reportedShortages = [] }
        reportedPaths.formIntersection(sweep.oddities)
        guard !hasLookedForRenamed else { return }
        hasLookedForRenamed = true
        findRenamed(after: sweep)
    }

    /// Looks through one directory, and those below it of which nothing would be heard.
    private func rescan(_ directory: Path, known: Set<FileIdentity>) {
        var sweep = Sweep()
        sweep.directories.insert(directory)
        for index in lanes.indices {
            let findings = lanes[index].walk.rescan(directory, known: known) { watch($0, $1, &sweep) }
            take(findings, of: index, &sweep)
        }
        for directory in sweep.directories {
            for file in files.files(in: directory) where !sweep.listed.contains(file.key) {
                missed(file, by: sweep)
            }
        }
    }

    /// Deals with a file that has no matching name any more in the directory in which it was.
    private func missed(_ file: FollowedFile, by sweep: Sweep) {
        if file.tail.linkCount ?? 1 > 1 { file.mayHaveOtherName = true }
        if file.mayHaveOtherName {
            nextScan = min(nextScan, .now + policy.pollInterval)
        } else if !sweep.hides(file.tail.path) {
            unlist(file)
        }
    }

    private func watch(_ found: FoundDirectory, _ directory: borrowing Directory, _ sweep: inout Sweep) {
        sweep.directories.insert(found.path)
        if let shortage = watcher.watch(found.path, opened: directory) {
            reportPolling(found.path, shortage)
        }
    }

    private func take(_ findings: Findings, of flow: Int, _ sweep: inout Sweep) {
        for entry in findings.skipped where isNews(entry.path, &sweep) {
            report(.skipped(entry.path, entry.kind))
        }
        for entry in findings.unreadable {
            sweep.unreadable.append(entry.path)
            closedDirectories[entry.path] = entry.error
            if isNews(entry.path, &sweep) { report(.closedDirectory(entry.path, entry.error)) }
        }
        follow(findings.files, in: flow, &sweep)
    }

    /// Whether nothing was reported about a path since the last look at everything.
    func isNews(_ path: Path) -> Bool { reportedPaths.insert(path).inserted }

    /// Whether nothing was reported about a path yet.
    func isNews(_ path: Path, _ sweep: inout Sweep) -> Bool {
        sweep.oddities.insert(path)
        return reportedPaths.insert(path).inserted
    }

    /// From now on, files of the flow that nobody has seen are new ones, to be read from their beginning.
    private func adopt(_ flow: Int) {
        guard adoptedFlows.insert(flow).inserted else { return }
        harvest.adopted.append((lanes[flow].flow.stream, lanes[flow].flow.patternText))
    }
}
