import CPlatform
import Glibc

/// Ends the process at once, with what is printed so far.
package func exitProcess(_ code: Int32) -> Never {
    exit(code)
}

/// The variables of the process.
package func processEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = unsafe cplatform_environment()
    while let text = unsafe entry?.pointee {
        let parts = unsafe String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
        unsafe entry = entry?.successor()
    }
    return variables
}
