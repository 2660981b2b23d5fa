/// The search for the records for which the service refuses a whole request.
struct Bisection {
    /// Records that the next request may have.
    private(set) var limit: Int

    /// How many of the oldest records are under suspicion: at least one of them is to blame.
    private var suspects: Int

    /// A request with these records, more than one, was refused.
    ///
    /// - Parameters:
    ///   - records: how many it had.
    ///   - isTheirFault: whether one of them is to blame, not just that they are too many.
    init(refused records: Int, isTheirFault: Bool) {
        limit = records / 2
        suspects = isTheirFault ? records : 0
    }

    /// The oldest records have left: they were accepted, or the one to blame was set aside.
    mutating func removed(_ records: Int) {
        suspects -= records
        limit = suspects > 0 ? (suspects + 1) / 2 : limit * 2
    }
}
