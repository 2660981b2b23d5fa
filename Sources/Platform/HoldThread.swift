import Glibc

/// Lets the calling thread wait, a little less when a signal comes; nothing for a task, which would hold up others.
package func holdThread(for duration: Duration) {
    _ = poll(nil, 0, CInt(clamping: duration.wholeMilliseconds))
}
