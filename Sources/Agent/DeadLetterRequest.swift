import Cache
package import Records

/// What a person wants of the dead letters; as one line of text it is asked at the socket of an agent.
package struct DeadLetterRequest: Sendable, Equatable {
    package enum Action: String, Sendable, CaseIterable {
        case list, show, replay, drop
    }

    package let action: Action
    let selection: DeadLetterSelection

    /// - Parameters:
    ///   - action: what to do.
    ///   - stream: with the letters of which stream; nil is any.
    ///   - ids: with which letters, each of which must be there; nil is all.
    package init(_ action: Action, stream: StreamName? = nil, ids: [Int]? = nil) {
        self.action = action
        selection = DeadLetterSelection(stream: stream, ids: ids)
    }

    /// What every such line begins with.
    private static let word = "dead-letters"

    /// What stands for any stream, and for all letters.
    private static let any = "*"

    /// Such as `dead-letters replay logs 4 7`; stream and ids are `*` if there is none.
    package var line: String {
        let ids = selection.ids.map { $0.map(String.init).joined(separator: " ") } ?? Self.any
        return "\(Self.word) \(action.rawValue) \(selection.stream?.text ?? Self.any) \(ids)"
    }

    /// From such a line without its newline; nil if it is none.
    package init?(line: [UInt8]) {
        let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
        guard words.count >= 4, words[0] == Self.word, let action = Action(rawValue: words[1]) else { return nil }
        let stream = StreamName(words[2])
        guard stream != nil || words[2] == Self.any else { return nil }
        if words[3...] == [Self.any] {
            self.init(action, stream: stream)
        } else {
            let ids = words[3...].compactMap { Int($0) }
            guard ids.count == words.count - 3 else { return nil }
            self.init(action, stream: stream, ids: ids)
        }
    }
}

/// What came of such a request.
package enum DeadLetterReply: Sendable, Equatable {
    /// The bytes of the letter, or one JSON object.
    case done([UInt8])

    /// Nothing was done, for this reason.
    case failed(String)

    /// As it goes over the socket.
    var encoded: [UInt8] {
        switch self {
        case .done(let bytes): [Self.doneMark] + bytes
        case .failed(let reason): [Self.failedMark] + reason.utf8
        }
    }

    /// Nil for what is no reply, such as that of an agent that does not know the request.
    init?(encoded bytes: [UInt8]) {
        switch bytes.first {
        case Self.doneMark: self = .done(Array(bytes.dropFirst()))
        case Self.failedMark: self = .failed(String(decoding: bytes.dropFirst(), as: UTF8.self))
        default: return nil
        }
    }

    private static let doneMark = UInt8(ascii: "+")
    private static let failedMark = UInt8(ascii: "-")
}
