import Cache

/// What an agent leaves behind.
extension Scenario {
    /// How many files the next agent will remember.
    func checkpointCount() async throws -> Int {
        let cache = try RecordCache(directory: directory.path("state"), streams: [], maxBytes: 1)
        let count = try await cache.checkpoints().count
        await cache.close()
        return count
    }
}
