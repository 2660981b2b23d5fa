import Cache
import Configuration
import Intake
import JSON
import Logging
import Platform
import Records

/// Tells how an agent's work stands, while it goes on.
struct StatusSource: Sendable {
    let configuration: AgentConfiguration
    let intake: Intake
    let cache: RecordCache
    let keeper: CacheKeeper
    let journal: Journal
    let doorbell: Doorbell

    /// The socket at which it is told, in the state directory.
    static func socket(in stateDirectory: String) -> String { stateDirectory + "/status.sock" }

    /// Everything, as one JSON object on one line.
    func text() async -> String {
        // What is stored by now was read before the survey.
        let standings = await cache.standings
        let survey = await survey()
        let diskTrouble = await keeper.diskTrouble()
        var writer = JSONWriter()
        writer.object { writer in
            writer.value("version", Agent.version)
            writer.value("process", currentProcessID())
            writer.value("stateDirectory", configuration.stateDirectory)
            writer.object("cache") { addCache(standings.values, diskTrouble, to: &$0) }
            writer.array("flows") { writer in
                for (index, flow) in configuration.flows.enumerated() where index < survey.flows.count {
                    let mine = survey.files.filter { $0.flow == index }
                    writer.object { add(flow, survey.flows[index], mine, to: &$0) }
                }
            }
            writer.array("streams") { writer in
                for (stream, standing) in standings.sorted(by: { $0.key < $1.key }) {
                    writer.object { add(stream, standing, to: &$0) }
                }
            }
            writer.array("files") { writer in
                for file in survey.files { writer.object { add(file, to: &$0) } }
            }
            addDirectories(of: survey, to: &writer)
        }
        return writer.text
    }

    private func addCache(
        _ streams: some Collection<StreamStanding>,
        _ diskTrouble: String?,
        to writer: inout JSONWriter
    ) {
        writer.value("records", streams.reduce(0) { $0 + $1.records.cached })
        writer.value("bytes", streams.reduce(0) { $0 + $1.cachedBytes })
        writer.value("maxBytes", configuration.cacheMaxBytes)
        writer.value("diskTrouble", diskTrouble)
        writer.value("damagedKeptAs", cache.salvage?.keptAs)
    }

    /// Writes what is polled, and what cannot be looked at.
    private func addDirectories(of survey: Survey, to writer: inout JSONWriter) {
        writer.array("polledDirectories") { writer in
            for (path, shortage) in survey.polledDirectories.sorted(by: { $0.key < $1.key }) {
                writer.object { writer in
                    writer.value("path", path.description)
                    writer.value("polledBecause", shortage.explanation)
                }
            }
        }
        let files = survey.unreadable.map { ($0.key, $0.value.explanation) }
        let directories = survey.closedDirectories.map { ($0.key, $0.value.ofClosedDirectory) }
        writer.array("unreadable") { writer in
            for (path, error) in (files + directories).sorted(by: { $0.0 < $1.0 }) {
                writer.object { writer in
                    writer.value("path", path.description)
                    writer.value("error", error)
                }
            }
        }
    }

    /// Wakes the intake as often as it takes until it has told about its files and directories.
    private func survey() async -> Survey {
        await withTaskGroup(of: Survey?.self) { group in
            group.addTask { await intake.survey() }
            group.addTask {
                while !Task.isCancelled {
                    doorbell.ring()
                    try? await Task.sleep(for: .milliseconds(20))
                }
                return nil
            }
            let survey = await group.next()
            group.cancelAll()
            return survey.flatMap(\.self) ?? Survey()
        }
    }

    private func add(
        _ flow: FlowConfiguration,
        _ counts: IntakeCounts,
        _ files: [FileStatistics],
        to writer: inout JSONWriter
    ) {
        writer.array("patterns") { writer in
            for pattern in flow.filePatterns { writer.value(nil, pattern) }
        }
        writer.value("stream", flow.stream.text)
        writer.value("files", files.count)
        writer.value("linesRead", counts.lines)
        writer.value("bytesRead", counts.bytes)
        writer.value("linesCut", counts.cutLines)
        writer.value("linesFiltered", counts.filteredLines)
        writer.value("linesStored", counts.recordLines)
        writer.value("linesPending", counts.lines - counts.filteredLines - counts.recordLines)
        writer.value("bytesDropped", counts.droppedBytes)
        writer.value("recordsStored", counts.records)
        writer.value("bytesPending", files.reduce(0) { $0 + $1.readOffset - $1.storedOffset })
        writer.value("bytesBehind", files.reduce(0) { $0 + max(0, $1.size - $1.readOffset) })
    }

    private func add(_ stream: StreamName, _ standing: StreamStanding, to writer: inout JSONWriter) {
        writer.value("name", stream.text)
        add(standing.records, to: &writer)
        writer.object("lines") { add(standing.lines, to: &$0) }
        let now = WallClock.milliseconds
        writer.value("cachedBytes", standing.cachedBytes)
        writer.value("oldestSeconds", standing.oldestCreated.map { max(0, now - $0) / 1_000 } ?? 0)
        writer.value("cacheIsFull", standing.isFull)
        writer.value("paused", standing.isPaused)
        let error = journal.lastError(of: stream)
        writer.value("failing", error?.isPresent ?? false)
        writer.value("lastError", error?.text)
        guard let error else { return }
        writer.value("lastErrorMillis", error.milliseconds)
        writer.value("lastErrorSeconds", max(0, now - error.milliseconds) / 1_000)
    }

    private func add(_ balance: StreamBalance, to writer: inout JSONWriter) {
        writer.value("stored", balance.stored)
        writer.value("storedInSession", balance.storedInSession)
        writer.value("delivered", balance.delivered)
        writer.value("deadLetters", balance.deadLetters)
        writer.value("dropped", balance.dropped)
        writer.value("damaged", balance.damaged)
        writer.value("cached", balance.cached)
        writer.value("missing", balance.missing)
    }

    private func add(_ file: FileStatistics, to writer: inout JSONWriter) {
        writer.value("path", file.path.description)
        writer.value("stream", file.stream.text)
        writer.value("size", file.size)
        writer.value("read", file.readOffset)
        writer.value("stored", file.storedOffset)
        writer.value("behindSeconds", file.behindSince.map { Int(($0.duration(to: .now)).components.seconds) } ?? 0)
        writer.value("polled", file.polledBecause != nil)
        writer.value("polledBecause", file.polledBecause?.explanation)
        writer.value("deleted", file.isDeleted)
        writer.value("mountedAlone", file.isMountedAlone)
        writer.value("error", file.error?.explanation)
    }
}

/// What may be asked at the socket of an agent.
package enum StatusQuestion: String, CaseIterable, Sendable {
    /// How everything stands, as one JSON object.
    case status

    /// From a line without its newline; nil if it asks nothing that is known.
    package init?(_ line: [UInt8]) {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
        guard let known = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(line) }) else { return nil }
        self = known
    }
}
