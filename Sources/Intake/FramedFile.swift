import Encodings
import Framing
import Tailing

/// What is known of a file between two of its lines, besides where they are.
struct FramedFile {
    let id: Int

    /// Makes events of its lines; nil if each line is one.
    var events: EventAssembler?

    /// In which encoding it is; nil until its beginning was seen.
    private(set) var form: FileForm?

    /// Makes UTF-8 of its lines; nil if they pass as they are.
    private(set) var decoder: TextDecoder?

    /// How many lines are to come that belong to its header.
    var headerLinesLeft = 0

    init(id: Int, events: EventAssembler?) {
        self.id = id
        self.events = events
    }

    /// Notes what the beginning of the file has told.
    mutating func begin(as form: FileForm, decoder: TextDecoder?, headerLinesLeft: Int) {
        self.form = form
        self.decoder = decoder
        self.headerLinesLeft = headerLinesLeft
    }

    /// Whether its lines are records as they are.
    var isPlain: Bool { events == nil && decoder == nil }

    /// When something is to be done about its lines although no more come; nil if nothing is.
    var deadline: ContinuousClock.Instant? { events?.deadline }

    /// Frames what begins at a position, which the beginning of the file does not if it is a mark.
    func framer(limits: LineLimits, at position: FramingPosition) -> LineFramer {
        LineFramer(
            limits: limits,
            newline: form?.newline ?? .byte,
            isSkipping: position.isSkippingLine,
            headerLinesLeft: headerLinesLeft
        )
    }
}

extension Tail {
    /// How far it has been framed.
    var position: FramingPosition { FramingPosition(offset: offset, isSkippingLine: isSkippingLine) }
}
