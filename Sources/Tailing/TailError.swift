package import Platform

/// Why a file cannot be read now.
package enum TailError: Error, Equatable, Sendable {
    /// Its path leads to nothing, or to another file.
    case moved
    /// Nobody allows it.
    case denied
    /// This process, or the system, has too many files open.
    case tooManyOpenFiles
    /// The file system answered with an error, which may pass.
    case failing(Errno)

    init(_ errno: Errno) {
        self =
            switch errno {
            case .noSuchFile, .notADirectory, .tooManySymbolicLinks: .moved
            case .permissionDenied: .denied
            case .tooManyOpenFiles, .tooManyOpenFilesInSystem: .tooManyOpenFiles
            default: .failing(errno)
            }
    }
}
