/// How far one event brings its file.
///
/// Everything from `start` to `end` is safe with the event, and nothing behind `end` is. The ranges of the events of a
/// file lie one behind the other, in the order in which the events are given.
package struct EventReach: Equatable, Sendable {
    /// Where the event before it has brought the file, in bytes from the start.
    package let start: Int

    package let end: FramingPosition

    /// Lines of which the event was made; 0 if it is the rest of a message that was split, or no event.
    package let lines: Int

    /// Bytes of the file for which the event stands.
    package var sourceBytes: Int { end.offset - start }

    init(start: Int, end: FramingPosition, lines: Int = 0) {
        self.start = start
        self.end = end
        self.lines = lines
    }
}
