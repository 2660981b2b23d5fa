import Foundation

/// What this process holds of the system.
package enum ProcessResources {
    /// How many descriptors are open.
    package static var descriptorCount: Int { count("/proc/self/fd") }

    /// How many threads there are.
    package static var threadCount: Int { count("/proc/self/task") }

    private static func count(_ directory: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? 0
    }
}
