import Dispatch
import Glibc
import Synchronization

/// Hears of the signals that tell a service what to do, instead of dying of them.
package final class SignalWatch: Sendable {
    package enum Signal: Sendable, CaseIterable {
        case terminate, interrupt, hangUp

        fileprivate var number: CInt {
            switch self {
            case .terminate: SIGTERM
            case .interrupt: SIGINT
            case .hangUp: SIGHUP
            }
        }
    }

    /// A dispatch source may be used from any thread, but is not marked so.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    /// Calls `handle` with each signal and how often one of its kind, or of the other kind that ends a process, has come.
    package init(_ handle: @escaping @Sendable (Signal, _ count: Int) -> Void) {
        let queue = DispatchQueue(label: "firetail.signals")
        let count = EndingCount()
        unsafe sources = Signal.allCases.map { kind in
            _ = signal(kind.number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: kind.number, queue: queue)
            source.setEventHandler { handle(kind, kind == .hangUp ? 1 : count.next()) }
            source.resume()
            return source
        }
    }

    package func cancel() {
        for source in unsafe sources { source.cancel() }
    }
}

/// Counts the signals that end a process.
private final class EndingCount: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
