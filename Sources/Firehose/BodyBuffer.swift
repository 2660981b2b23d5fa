/// The memory of one request body after another.
///
/// It has exactly the size that is asked for, grows without keeping the old memory beside the new, and gives memory back
/// when much less of it has been enough for a while.
package struct BodyBuffer: Sendable {
    package private(set) var bytes: [UInt8] = []

    /// How many bodies in a row needed less than a quarter.
    private var roomyUses = 0

    /// After how many of those it shrinks; touching fresh memory is dear, so not at once.
    private static let patience = 16

    package init() {}

    /// Empties it and makes room for this many bytes.
    package mutating func prepare(for count: Int) {
        roomyUses = count < bytes.capacity / 4 ? roomyUses + 1 : 0
        if count > bytes.capacity || roomyUses > Self.patience {
            bytes = []
            bytes.reserveCapacity(count)
            roomyUses = 0
        } else {
            bytes.removeAll(keepingCapacity: true)
        }
    }

    /// Lets `write` add the bytes that room was made for.
    mutating func write(_ write: (inout [UInt8]) -> Void) {
        write(&bytes)
    }
}
