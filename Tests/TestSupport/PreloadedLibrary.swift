import Foundation

/// A library of C that stands between a program and the C library; the program is started with it in `LD_PRELOAD`.
package final class PreloadedLibrary: Sendable {
    /// Where its source and what it works with lie.
    package let directory: TemporaryDirectory

    /// What `LD_PRELOAD` is to be.
    package var path: String { directory.path("preloaded.so") }

    /// Whether there is a C compiler.
    package static let isPossible = (try? PreloadedLibrary { _ in "" }) != nil

    /// Compiles the source, which may name files in the directory.
    package init(_ source: (TemporaryDirectory) -> String) throws {
        directory = try TemporaryDirectory()
        try directory.append(source(directory), to: "preloaded.c")
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["cc", "-shared", "-fPIC", "-o", path, directory.path("preloaded.c"), "-ldl"]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw POSIXError(.ENOEXEC) }
    }
}
