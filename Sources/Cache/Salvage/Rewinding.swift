import Records

/// Finds out from where the files of a stream are to be read again when chunks of it were lost.
///
/// It is told of all chunks of the stream in their order, those that are delivered included as long as they are there.
struct Rewinding {
    /// How far a file has been read, and when that was written down, in milliseconds since 1970.
    struct File {
        var checkpoint: Checkpoint
        var updated: Int
    }

    /// The files that are to be read again, each from the earliest line that was lost.
    private(set) var offsets: [FileIdentity: Origins.Position] = [:]

    private let files: [File]

    /// Where the latest harvest that is known to have had lines of a file began to read it.
    private var known: [FileIdentity: Origins.Position] = [:]

    /// Where the harvest of the present chunk began; nil if that is not known.
    private var current: Origins?

    /// When the last chunk was stored that could be read.
    private var lastCreated: Int?

    init(files: [File]) {
        self.files = files
    }

    /// A chunk was read, or is delivered.
    mutating func passed(_ head: DamagedCache.Head) {
        note(head.origins)
        lastCreated = head.created
    }

    /// A chunk was lost.
    mutating func lost(_ head: DamagedCache.Head) {
        note(head.origins)
        guard let current else { return rewindAll() }
        for position in current.positions { rewind(to: position) }
    }

    /// There were chunks of which nothing is known.
    mutating func lostSome() {
        rewindAll()
        current = nil
    }

    private mutating func note(_ origins: Origins?) {
        guard let origins else { return }
        current = origins
        for position in origins.positions { known[position.file] = position }
    }

    /// Any file may have had lines there that was read on since the last chunk that is known.
    private mutating func rewindAll() {
        for file in files where file.updated >= lastCreated ?? .min {
            let identity = file.checkpoint.file
            rewind(to: known[identity] ?? Origins.Position(file: identity, offset: 0, isSkippingLine: false))
        }
    }

    private mutating func rewind(to position: Origins.Position) {
        if let earlier = offsets[position.file], earlier.offset <= position.offset { return }
        offsets[position.file] = position
    }
}

extension Checkpoint {
    /// The same file, read only up to an earlier offset.
    ///
    /// Of what lies before it only so much is still known as the file's first bytes tell.
    func rewound(to position: Origins.Position) -> Checkpoint {
        guard position.offset < offset else { return self }
        var earlier = self
        earlier.offset = position.offset
        earlier.isSkippingLine = position.isSkippingLine
        if position.offset < head.length { earlier.head = Fingerprint() }
        earlier.tail = Fingerprint()
        return earlier
    }
}
