package import Records

/// What was saved of a damaged cache, and what was not.
package struct Salvage: Sendable, Equatable {
    /// What is wrong with it.
    package let reason: String

    /// Where the damaged file is kept, with its write-ahead log beside it.
    package let keptAs: String

    /// Records that wait to be sent, as before.
    package internal(set) var saved = Backlog()

    /// Files of which it is known how far they have been read.
    package internal(set) var checkpoints = 0

    package internal(set) var deadLetters = 0

    /// Records that could not be read, as far as their number is known.
    package internal(set) var lost: [StreamName: Int] = [:]

    /// Records whose stream is not known any more, as far as their number is known.
    package internal(set) var stray = 0

    /// Files that are read again from an earlier offset, since lines behind it were in lost records.
    package internal(set) var rewound: [Rewound] = []

    /// Tables of which some rows could not be read.
    package internal(set) var incompleteTables: [String] = []

    init(reason: String, keptAs: String) {
        self.reason = reason
        self.keptAs = keptAs
    }

    /// A file that is read again.
    package struct Rewound: Sendable, Equatable {
        package let path: String
        package let stream: StreamName

        /// Bytes from the start of the file.
        package let offset: Int

        /// How far it had been read.
        package let from: Int
    }

    /// Whether all could be read.
    package var isComplete: Bool { lost.isEmpty && stray == 0 && incompleteTables.isEmpty }
}

/// What becomes of a cache that turns out to be damaged.
package enum DamageHandling: Sendable, Equatable {
    /// It is left as it is, and the error says so.
    case refuse

    /// It is moved aside, and what can be read of it is saved.
    case salvage

    /// The same although it can be opened: it was damaged while it was used.
    case salvageAtOnce(reason: String)
}
