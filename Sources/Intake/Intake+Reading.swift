import Framing
import Platform
import Records
import Tailing

/// How files are read, in turn.
extension Intake {
    /// Has a file read when it is its turn.
    func enqueue(_ file: FollowedFile) {
        guard !file.isQueued else { return hurryIfDeleted(file) }
        file.isQueued = true
        queue.add(file.id, of: file.tail.stream)
    }

    /// Has a file read that has news.
    ///
    /// If it has to wait for its turn, it is looked at before: it may be gone or rewritten by then.
    func noteNews(_ file: FollowedFile) {
        let waits = file.isQueued || queue.backpressure.streams.contains(file.tail.stream)
        enqueue(file)
        if waits { lookAhead(file) }
    }

    /// Notes how far a file has grown that is to wait, and how it begins if little of it was read.
    func lookAhead(_ file: FollowedFile) {
        let (size, seen) = (file.tail.size, file.tail.seen)
        if file.tail.offset < Fingerprint.proofBytes {
            limitOpenFiles(with: file)
            // If it cannot be looked at, its turn will tell.
            guard let look = try? file.tail.lookAhead() else { return }
            noteOpened(file)
            limitOpenFiles()
            if case .startedOver(let end, let unread) = look { startOver(file, from: end, unread: unread) }
            // So that the next run knows it, too.
            if file.tail.offset == 0, file.tail.seen != seen { safePositions[file.id] = file.tail.position }
        } else {
            file.tail.noteGrowth()
        }
        if file.tail.size != size { file.lastChange = .now }
        behind += file.updateBehind()
    }

    /// What is deleted cannot be read again later: it is held back no longer.
    private func hurryIfDeleted(_ file: FollowedFile) {
        guard file.isHeldBack else { return }
        try? file.tail.refresh()
        if file.tail.isDeleted { queue.release(file.id, of: file.tail.stream) }
    }

    /// Has a file wait until its stream has a lead again.
    private func holdBack(_ file: FollowedFile) {
        file.isQueued = true
        file.isHeldBack = true
        queue.holdBack(file.id, of: file.tail.stream)
    }

    /// Gives every file that is in the queue one turn.
    ///
    /// - Returns: how many bytes were read.
    func readRound() async throws -> Int {
        var total = 0
        // Thousands of files may have moved at once.
        knownInodes.removeAll()
        for id in queue.takeReady() {
            guard let file = files[id] else { continue }
            file.isQueued = false
            file.isHeldBack = false
            // A stream may have become full since the round began, and the end may have come.
            if isStopping { return total }
            if queue.backpressure.streams.contains(file.tail.stream) || waitsForPredecessor(file) {
                if files[file.predecessor ?? 0]?.isHeldBack == true { holdBack(file) } else { enqueue(file) }
                continue
            }
            limitOpenFiles(with: file)
            let count = turn(file)
            behind += file.updateBehind()
            limitOpenFiles()
            limitOpenEvents(with: file)
            plan(file)
            total += count
            harvestBytes += count
            if harvestBytes >= policy.harvestBytes { try await handOver() }
        }
        return total
    }

    /// Ends the events that have waited longest if the open ones of all files take too much memory.
    ///
    /// A few more are ended, so that this need not be done again for the next line.
    private func limitOpenEvents(with file: FollowedFile) {
        openEventBytes += file.updateOpenBytes()
        guard openEventBytes > policy.openEventsMaxBytes else { return }
        let waiting = files.all.compactMap { file in file.framed.deadline.map { (file: file, deadline: $0) } }
        for (file, _) in waiting.sorted(by: { $0.deadline < $1.deadline }) {
            guard openEventBytes > policy.openEventsMaxBytes / 8 * 7 else { return }
            lanes[file.flow].splitEvents(of: &file.framed)
            reportEvents(of: file)
            lanes[file.flow].note(.now)
            openEventBytes += file.updateOpenBytes()
        }
    }

    /// Reads some of a file.
    ///
    /// - Returns: how many bytes were dealt with.
    private func turn(_ file: FollowedFile) -> Int {
        do throws(TailError) {
            let size = file.tail.size
            let look = try file.tail.look()
            if file.tail.size != size { file.lastChange = .now }
            noteOpened(file)
            var count = 0
            switch look {
            case .startedOver(let end, let unread): startOver(file, from: end, unread: unread)
            case .unread(let unread): count = try isHeldAsCopy(file) ? 0 : read(file, unread)
            }
            file.reported = nil
            return count
        } catch {
            handle(error, of: file)
            return 0
        }
    }

    /// Begins with the new content of a file; what was made of the old one cannot be read again.
    ///
    /// Where the file was rotated away, that may be the next copy of its log.
    func startOver(_ file: FollowedFile, from end: Int, unread: Int) {
        report(.startedOver(file.tail.path, from: end, unread: unread))
        file.lastChange = .now
        if let content = file.tail.abandoned { abandoned.append((content, file.flow, unread)) }
        lanes[file.flow].endEvents(of: &file.framed)
        reportEvents(of: file)
        lanes[file.flow].finish()
        collect()
        safePositions[file.id] = file.tail.position
        file.framed = FramedFile(id: file.id)
        suspectCopy(file)
        harvest.isIrreplaceable = true
        enqueue(file)
    }

    private func read(_ file: FollowedFile, _ unread: Int) throws(TailError) -> Int {
        guard let limit = turnBytes(of: file, unread) else {
            file.isCaughtUp = false
            holdBack(file)
            return 0
        }
        let count = try read(file, unread, atMost: limit)
        charge(count, to: file)
        return count
    }

    /// How many bytes may be read of a file in its turn; nil if it is to wait.
    ///
    /// Where what is cached keeps waiting what is new, a file that is far behind waits until some of it is delivered.
    private func turnBytes(of file: FollowedFile, _ unread: Int) -> Int? {
        guard !file.tail.isDeleted, let lead = queue.lead(of: file.tail.stream) else { return policy.turnBytes }
        let least = policy.turnBytes / 4
        if lead > 0 { return min(policy.turnBytes, max(least, lead)) }
        return file.bytesOutOfTurn + unread <= least ? least : nil
    }

    private func charge(_ count: Int, to file: FollowedFile) {
        if queue.lead(of: file.tail.stream) == 0 {
            file.bytesOutOfTurn += count
        } else {
            file.bytesOutOfTurn = 0
            queue.useLead(count, of: file.tail.stream)
        }
    }

    private func read(_ file: FollowedFile, _ unread: Int, atMost limit: Int) throws(TailError) -> Int {
        var taken = FlowLane.Taken(isSkippingLine: file.tail.isSkippingLine)
        var isAtEnd = unread == 0
        buffer.removeAll(keepingCapacity: true)
        defer { trimBuffer() }
        // A line that is longer than a turn takes several reads until its end, or the limit, is there.
        while taken.count == 0, !isAtEnd {
            let wanted = min(limit, max(1, unread - buffer.count))
            guard let count = try file.tail.read(into: &buffer, count: wanted) else {
                enqueue(file)
                return 0
            }
            isAtEnd = count == 0 || buffer.count >= unread
            if !isAtEnd { isAtEnd = try isHole(behindBufferOf: file) }
            taken = try take(file, isAtEnd: isAtEnd)
        }
        file.isCaughtUp = isAtEnd
        lanes[file.flow].endEvents(of: &file.framed, at: .now)
        reportEvents(of: file)
        lanes[file.flow].note(.now)
        if isAtEnd { settle(file) } else { enqueue(file) }
        return taken.count
    }

    /// Whether nothing follows the buffer but a hole, which may be longer than a line and is none as long as it may be
    /// filled.
    private func isHole(behindBufferOf file: FollowedFile) throws(TailError) -> Bool {
        guard buffer.last == 0, file.tail.size > file.finalSize else { return false }
        return try file.tail.isBlank(from: file.tail.offset + buffer.count)
    }

    /// Packs the lines at the start of the buffer, which holds what comes next in a file.
    ///
    /// A hole at the file's end is left alone, since what belongs there may come later: where the file lies on another
    /// machine, its size may be known before its content is.
    func take(_ file: FollowedFile, isAtEnd: Bool) throws(TailError) -> FlowLane.Taken {
        let position = file.tail.position
        guard try knowsForm(of: file) else { return FlowLane.Taken(isSkippingLine: position.isSkippingLine) }
        let newline = file.framed.form?.newline
        let hole = isAtEnd ? newline?.holeBytes(in: buffer.span, at: position.offset) ?? 0 : 0
        if isAtEnd { file.endsInHole = hole > 0 }
        let bytes = buffer.span.extracting(first: buffer.count - hole)
        let taken = lanes[file.flow].take(bytes, of: &file.framed, from: position, at: .now)
        guard taken.count > 0 else { return taken }
        file.tail.advance(over: buffer.span, count: taken.count, isSkippingLine: taken.isSkippingLine)
        file.lastChange = .now
        report(taken, of: file)
        return taken
    }

    /// Whether it is known in which encoding a file is, and where in its header the buffer begins.
    ///
    /// The first time its beginning is looked at: in the buffer, or once more in the file.
    func knowsForm(of file: FollowedFile, isWhole: Bool = false) throws(TailError) -> Bool {
        if file.framed.form != nil { return true }
        let tail = file.tail
        let count = lanes[file.flow].beginningBytes
        let beginning = tail.offset == 0 ? Array(buffer.prefix(count)) : try tail.bytes(in: 0..<count)
        let lines = lanes[file.flow].flow.headerLines
        return try lanes[file.flow].learn(
            &file.framed,
            from: beginning.span,
            isWhole: isWhole || tail.offset > 0,
            path: tail.path.description,
            position: tail.position
        ) { (form) throws(TailError) in try tail.linesLeft(ofHeader: lines, form) }
    }

    /// Reports what became of lines on their way to events.
    func reportEvents(of file: FollowedFile) {
        let news = lanes[file.flow].takeEventNews()
        if news != EventCounts() { report(.events(file.tail.path, news)) }
    }

    /// Reports what was done to lines that no record can hold, and to events.
    private func report(_ taken: FlowLane.Taken, of file: FollowedFile) {
        let flow = lanes[file.flow].flow
        if taken.cutLines > 0 {
            report(.cut(file.tail.path, lines: taken.cutLines, flow.lines))
        }
        reportEvents(of: file)
        if let trouble = lanes[file.flow].takeTroubleWithPattern() { report(.startPattern(file.tail.path, trouble)) }
    }

    /// Gives back what an uncommonly long line took.
    func trimBuffer() {
        guard buffer.capacity > 4 * policy.turnBytes else { return }
        buffer = []
        buffer.reserveCapacity(policy.turnBytes)
    }
}

extension Tail {
    /// How many lines of a file's header are to come, of which so many are in the whole file.
    ///
    /// Those that were read are counted again, so that no checkpoint needs to know.
    fileprivate func linesLeft(ofHeader lines: Int, _ form: FileForm) throws(TailError) -> Int {
        var framer = LineFramer(limits: LineLimits(), newline: form.newline, headerLinesLeft: lines)
        var lengths: [Int] = []
        var start = form.markBytes
        while framer.headerLinesLeft > 0, start < offset {
            let piece = try bytes(in: start..<min(offset, start + 65_536))
            var position = 0
            while framer.headerLinesLeft > 0,
                let range = framer.next(in: piece.span, from: position, lengths: &lengths).range
            {
                position = range.upperBound
            }
            guard position > 0 else { break }
            start += position
        }
        return framer.headerLinesLeft
    }
}
