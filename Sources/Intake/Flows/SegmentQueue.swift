import Framing

/// Which bytes of which files went into a packer, in order, until they come out as records.
///
/// A finished chunk says how many source bytes it covers; the queue says how far that brings each file.
struct SegmentQueue {
    /// How far one file's reading is safe.
    typealias Position = FramingPosition

    fileprivate struct Segment {
        let file: Int
        var start: Int

        /// Bytes that went into the packer; 0 for what was skipped.
        var sourceBytes: Int
        var end: Position
    }

    private var segments: [Segment] = []

    /// How many at the front have been popped and only take memory.
    private var first = 0

    var isEmpty: Bool { first == segments.count }

    /// How many segments take memory.
    var capacityInUse: Int { segments.count }

    /// Notes that bytes of a file from `start` went into the packer, or were skipped, which brings it to `end`.
    mutating func append(file: Int, start: Int, sourceBytes: Int, end: Position) {
        if !isEmpty, segments[segments.count - 1].continues(with: file, at: start) {
            segments[segments.count - 1].sourceBytes += sourceBytes
            segments[segments.count - 1].end = end
        } else {
            segments.append(Segment(file: file, start: start, sourceBytes: sourceBytes, end: end))
        }
    }

    /// Notes that the next `count` source bytes are in records, and what was skipped behind them needs no record.
    ///
    /// Tells the new position of each file that this brings further.
    mutating func pop(_ count: Int, _ moved: (_ file: Int, Position) -> Void) {
        defer { giveBackMemory() }
        var left = count
        while first < segments.count {
            let segment = segments[first]
            guard segment.sourceBytes <= left else {
                if left > 0 {
                    segments[first].start += left
                    segments[first].sourceBytes -= left
                    moved(segment.file, Position(offset: segment.start + left, isSkippingLine: false))
                }
                return
            }
            left -= segment.sourceBytes
            moved(segment.file, segment.end)
            first += 1
        }
    }

    /// Moves what is left to the front once that is less than what was popped, so that each is moved once at most.
    private mutating func giveBackMemory() {
        guard first > segments.count / 2 else { return }
        segments.removeFirst(first)
        first = 0
    }
}

extension SegmentQueue.Segment {
    /// Whether what comes next of `file` at `start` lies right behind, so that offsets and source bytes keep step.
    fileprivate func continues(with file: Int, at start: Int) -> Bool {
        self.file == file && !end.isSkippingLine && end.offset == start && self.start + sourceBytes == start
    }
}
