import Framing
import Tailing

/// What is known of a file between two of its lines, besides where they are.
struct FramedFile {
    let id: Int

    /// Makes events of its lines; nil if each line is one.
    var events: EventAssembler?

    /// When something is to be done about its lines although no more come; nil if nothing is.
    var deadline: ContinuousClock.Instant? { events?.deadline }
}

extension Tail {
    /// How far it has been framed.
    var position: FramingPosition { FramingPosition(offset: offset, isSkippingLine: isSkippingLine) }
}
