import Foundation
import Glibc
import Synchronization

/// Held while a program is started, and by whoever has a descriptor that is still to be marked as not inherited.
let spawning = Mutex(())

/// Starts a program that inherits nothing: no environment, no blocked or ignored signals.
///
/// Descriptors are not inherited because tests open all of theirs so. `command` begins with the program, which is looked for in the test's own `PATH`; `output` and `errors` are files.
func spawn(_ command: [String], environment: [String: String], output: String, errors: String) throws -> Int {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var processID: pid_t = 0
    let code = spawning.withLock { _ in
        posix_spawnp(&processID, command[0], &actions, &attributes, arguments, variables)
    }
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    return Int(processID)
}
