// Checks the checker: with tsan-mutex.c the thread sanitizer must accept what a Mutex guards, and still report a race.
//
// `guarded` changes a variable under a contended lock; `racing` does the same, but one thread in four forgets the lock.

import Dispatch
import Synchronization

final class Counter: Sendable {
    nonisolated(unsafe) var value = 0
    let lock = Mutex(())
}

let counter = Counter()
let forgetful = CommandLine.arguments.last == "racing" ? 1 : -1
DispatchQueue.concurrentPerform(iterations: 4) { thread in
    for _ in 0..<200_000 {
        if thread == forgetful {
            counter.value += 1
        } else {
            counter.lock.withLock { _ in counter.value += 1 }
        }
    }
}
print(counter.value)
