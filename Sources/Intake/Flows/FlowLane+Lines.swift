import Bytes
import Containers
import Encodings
import Framing
import Packing

/// How bytes of files become lines, and lines records.
extension FlowLane {
    /// What became of some bytes of a file.
    struct Taken: Equatable {
        /// How many bytes are dealt with; the rest is a line that has not ended.
        var count = 0

        /// Whether they end in a line that was cut.
        var isSkippingLine: Bool

        /// How many lines were cut, parted or refused.
        var cutLines = 0
    }

    /// How many bytes of a file's beginning may be needed to tell what it is.
    ///
    /// Docker's lines hold up to 16 KiB of a message, each byte of which may be written as an escape of six.
    var beginningBytes: Int { flow.containers.map { $0.format == nil ? 131_072 : 4 } ?? 4 }

    /// Notes what the first bytes of a file, `beginningBytes` if there are as many, tell about it.
    ///
    /// - Parameters:
    ///   - file: a file of which this is not known yet.
    ///   - beginning: its first bytes.
    ///   - isWhole: whether more will not tell more.
    ///   - path: where the file is.
    ///   - position: where its lines begin that will be taken.
    ///   - headerLinesLeft: tells how many lines of the header are to come if this is what a newline is.
    /// - Returns: false if more bytes are needed.
    /// - Throws: what `headerLinesLeft` throws.
    mutating func learn<Failure>(
        _ file: inout FramedFile,
        from beginning: Span<UInt8>,
        isWhole: Bool,
        path: String,
        position: FramingPosition,
        headerLinesLeft: (FileForm) throws(Failure) -> Int
    ) throws(Failure) -> Bool {
        guard let form = flow.encoding.form(ofFileThatBeginsWith: beginning, isWhole: isWhole) else { return false }
        let isKnown =
            isWhole || beginning.count >= beginningBytes || beginning.firstIndex(of: UInt8(ascii: "\n")) != nil
        guard isKnown || flow.containers == nil || flow.containers?.format != nil else { return false }
        let left = try headerLinesLeft(form)
        let text = beginning.extracting(min(form.markBytes, beginning.count)...)
        file.begin(
            as: form,
            decoder: form.encoding.map { decoder(for: $0) },
            events: assembler(ofFileThatBeginsWith: text, path: path, at: position),
            headerLinesLeft: left
        )
        return true
    }

    /// What makes events of a file's lines; nil if each of them is one.
    private func assembler(
        ofFileThatBeginsWith text: Span<UInt8>,
        path: String,
        at position: FramingPosition
    ) -> (any LineAssembler)? {
        let firstLine = text.extracting(first: text.firstIndex(of: UInt8(ascii: "\n")) ?? text.count)
        if let logs = flow.containers, let format = logs.format ?? ContainerFormat.ofFile(withFirstLine: firstLine) {
            let record = logs.makesObjects ? ContainerRecord(of: ContainerPlace(path: path)) : nil
            let rules = ContainerRules(format: format, record: record, limits: flow.lines)
            return ContainerAssembler(rules: flow.events, container: rules, matcher: startMatcher, at: position)
        }
        return startMatcher.map { EventAssembler(rules: flow.events, matcher: $0, at: position) }
    }

    /// The decoder that the files of the flow share.
    private mutating func decoder(for encoding: TextEncoding) -> TextDecoder {
        if let known = decoders[encoding] { return known }
        let made = TextDecoder(encoding)
        decoders[encoding] = made
        return made
    }

    /// Frames and packs the lines of `bytes`, which begin at `start` of a file.
    mutating func take(
        _ bytes: Span<UInt8>,
        of file: inout FramedFile,
        from start: FramingPosition,
        at now: ContinuousClock.Instant
    ) -> Taken {
        var framer = file.framer(limits: flow.lines, at: start)
        var lengths: [Int] = []
        swap(&lengths, &spareLengths)
        defer { swap(&lengths, &spareLengths) }
        var taken = Taken(isSkippingLine: start.isSkippingLine)
        let before = file.events?.counts
        passNoText(bytes, of: &file, from: start, &taken)
        while true {
            let framed = framer.next(in: bytes, from: taken.count, lengths: &lengths)
            guard let range = framed.range else { break }
            taken.count = range.upperBound
            taken.isSkippingLine = framer.isSkipping
            let end = FramingPosition(offset: start.offset + taken.count, isSkippingLine: framer.isSkipping)
            if case .lines = framed {
                add(bytes.extracting(range), lengths.span, of: &file, upTo: end.offset, at: now)
            } else {
                take(framed, bytes.extracting(range), of: &file, upTo: end, at: now, &taken)
            }
        }
        file.headerLinesLeft = framer.headerLinesLeft
        counts.bytes += taken.count
        counts.cutLines += taken.cutLines
        count(file.events?.counts, since: before)
        return taken
    }

    /// Passes over what is no text: the mark at the beginning of a file, and the rest of a character of which the
    /// beginning was sent as the end of the file.
    private mutating func passNoText(
        _ bytes: Span<UInt8>,
        of file: inout FramedFile,
        from start: FramingPosition,
        _ taken: inout Taken
    ) {
        guard let form = file.form else { return }
        let count = start.offset == 0 ? form.markBytes : form.newline.bytesLeft(ofUnitAt: start.offset)
        guard count > 0, bytes.count >= count else { return }
        taken.count = count
        let end = FramingPosition(offset: start.offset + count, isSkippingLine: start.isSkippingLine)
        pass(count, of: &file, upTo: end)
    }

    /// Takes what is not a run of whole lines.
    private mutating func take(
        _ framed: Framed,
        _ bytes: Span<UInt8>,
        of file: inout FramedFile,
        upTo end: FramingPosition,
        at now: ContinuousClock.Instant,
        _ taken: inout Taken
    ) {
        switch framed {
        case .cut:
            taken.cutLines += 1
            let terminator = flow.lines.cutTerminator
            add(bytes, terminator: terminator.span, of: &file, upTo: end, at: now)
        case .part:
            taken.cutLines += 1
            add(bytes, terminator: [UInt8(ascii: "\n")].span, of: &file, upTo: end, at: now)
        case .refused:
            taken.cutLines += 1
            counts.droppedBytes += bytes.count
            filter(1)
            pass(bytes.count, of: &file, upTo: end)
        case .skipped:
            counts.droppedBytes += bytes.count
            pass(bytes.count, of: &file, upTo: end)
        case .passed(_, let lines):
            filter(lines)
            pass(bytes.count, of: &file, upTo: end)
        case .lines, .incomplete:
            break
        }
    }

    /// Packs what a file that ended, or waited long enough, has left, as a line with the newline that it lacks.
    mutating func takeLast(
        _ rest: Span<UInt8>,
        of file: inout FramedFile,
        from start: FramingPosition,
        at now: ContinuousClock.Instant
    ) {
        let framer = file.framer(limits: flow.lines, at: start)
        counts.bytes += rest.count
        let end = FramingPosition(offset: start.offset + rest.count)
        if let line = framer.finish(in: rest, from: 0) {
            add(rest.extracting(line), terminator: [UInt8(ascii: "\n")].span, of: &file, upTo: end, at: now)
        } else {
            if !rest.isEmpty, !start.isSkippingLine { filter(1) }
            pass(rest.count, of: &file, upTo: end)
        }
    }

    /// Ends events of a file that have waited long enough, or all of them if no time is given.
    mutating func endEvents(of file: inout FramedFile, at now: ContinuousClock.Instant? = nil) {
        let id = file.id
        let before = file.events?.counts
        if let now {
            file.events?.expire(at: now) { pack($0, $1, of: id) }
        } else {
            file.events?.finish { pack($0, $1, of: id) }
        }
        count(file.events?.counts, since: before)
    }

    /// Ends events of a file before it is known whether they are whole.
    mutating func splitEvents(of file: inout FramedFile) {
        var split = EventCounts()
        split.splits = 1
        counts.add(split)
        eventNews = eventNews + split
        endEvents(of: &file)
    }

    /// What became of lines besides records since this was last asked.
    mutating func takeEventNews() -> EventCounts {
        defer { eventNews = EventCounts() }
        return eventNews
    }

    private mutating func count(_ now: EventCounts?, since before: EventCounts?) {
        guard let now, let before, now != before else { return }
        let news = now - before
        counts.add(news)
        eventNews = eventNews + news
        // What the operator wished is no news.
        eventNews.filteredLines = 0
    }
}

// MARK: Lines on their way to the packer

extension FlowLane {
    /// Adds whole lines that lie back to back and end at an offset.
    private mutating func add(
        _ lines: Span<UInt8>,
        _ lengths: Span<Int>,
        of file: inout FramedFile,
        upTo end: Int,
        at now: ContinuousClock.Instant
    ) {
        let start = end - lines.count
        if file.isPlain {
            counts.lines += lengths.count
            packer.add(contentsOf: lines, lengths: lengths)
            return segments.append(file: file.id, start: start, sourceBytes: lines.count, end: .init(offset: end))
        }
        var first = 0
        for index in lengths.indices {
            let last = first + lengths[index]
            let line = lines.extracting(first..<last)
            add(line, terminator: line.extracting(first: 0), of: &file, upTo: .init(offset: start + last), at: now)
            first = last
        }
    }

    /// Adds one line, which something may be to be put behind.
    private mutating func add(
        _ line: Span<UInt8>,
        terminator: Span<UInt8>,
        of file: inout FramedFile,
        upTo end: FramingPosition,
        at now: ContinuousClock.Instant
    ) {
        guard let decoder = file.decoder else {
            return add(text: line, terminator: terminator, line.count, of: &file, upTo: end, at: now)
        }
        var text: [UInt8] = []
        swap(&text, &spareText)
        decoder.decode(line, appendingTo: &text)
        add(text: text.span, terminator: terminator, line.count, of: &file, upTo: end, at: now)
        text.removeAll(keepingCapacity: true)
        swap(&text, &spareText)
    }

    /// Adds one line as UTF-8, which took so many bytes in its file.
    private mutating func add(
        text: Span<UInt8>,
        terminator: Span<UInt8>,
        _ sourceBytes: Int,
        of file: inout FramedFile,
        upTo end: FramingPosition,
        at now: ContinuousClock.Instant
    ) {
        counts.lines += 1
        let id = file.id
        guard file.events != nil else {
            packer.add(text, terminator: terminator, sourceBytes: sourceBytes)
            let start = end.offset - sourceBytes
            return segments.append(file: id, start: start, sourceBytes: sourceBytes, end: end)
        }
        file.events?.add(text, terminator: terminator, upTo: end, at: now) { pack($0, $1, of: id) }
    }

    /// Counts lines that a rule leaves out.
    private mutating func filter(_ lines: Int) {
        counts.lines += lines
        counts.filteredLines += lines
    }

    /// Passes over bytes that are not wanted.
    private mutating func pass(_ count: Int, of file: inout FramedFile, upTo end: FramingPosition) {
        let id = file.id
        guard file.events != nil else {
            return segments.append(file: id, start: end.offset - count, sourceBytes: 0, end: end)
        }
        if let reach = file.events?.skip(to: end) {
            segments.append(file: id, start: reach.start, sourceBytes: 0, end: reach.end)
        }
    }

    private mutating func pack(_ event: Span<UInt8>, _ reach: EventReach, of file: Int) {
        packer.add(event, sourceBytes: reach.sourceBytes, lines: reach.lines)
        segments.append(file: file, start: reach.start, sourceBytes: reach.sourceBytes, end: reach.end)
    }
}
