import Encodings
import Framing
import Tailing

/// What is known of a file between two of its lines, besides where they are.
struct FramedFile {
    let id: Int

    /// Makes events of its lines; nil if each line is one, and as long as its beginning was not seen.
    var events: (any LineAssembler)?

    /// In which encoding it is; nil until its beginning was seen.
    private(set) var form: FileForm?

    /// Makes UTF-8 of its lines; nil if they pass as they are.
    private(set) var decoder: TextDecoder?

    /// How many lines are to come that belong to its header.
    var headerLinesLeft = 0

    init(id: Int) {
        self.id = id
    }

    /// Notes what the beginning of the file has told.
    mutating func begin(
        as form: FileForm,
        decoder: TextDecoder?,
        events: (any LineAssembler)?,
        headerLinesLeft: Int
    ) {
        self.form = form
        self.events = events
        self.decoder = decoder
        self.headerLinesLeft = headerLinesLeft
    }

    /// Whether its lines are records as they are.
    var isPlain: Bool { events == nil && decoder == nil }

    /// Of how many bytes each character takes a multiple: 1, 2 or 4.
    var unitBytes: Int { form?.newline.unitBytes ?? 1 }

    /// When something is to be done about its lines although no more come; nil if nothing is.
    var deadline: ContinuousClock.Instant? { events?.deadline }

    /// Bytes of its lines that wait in memory for others.
    var openBytes: Int { events?.openBytes ?? 0 }

    /// Frames what begins at a position.
    ///
    /// Lines of a container's log may be as long as they can: the limits are for the messages that they hold.
    func framer(limits: LineLimits, at position: FramingPosition) -> LineFramer {
        LineFramer(
            limits: events is ContainerAssembler ? LineLimits() : limits,
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
