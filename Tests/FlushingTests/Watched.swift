import Synchronization

/// A value that tests wait on: a wait ends when a change makes its condition true.
final class Watched<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var waiters: [(isMet: @Sendable (Value) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    var value: Value { state.withLock { $0.value } }

    @discardableResult
    func change<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
        let (result, met) = state.withLock { state in
            let result = change(&state.value)
            let met = state.waiters.filter { $0.isMet(state.value) }.map(\.continuation)
            state.waiters.removeAll { $0.isMet(state.value) }
            return (result, met)
        }
        for continuation in met { continuation.resume() }
        return result
    }

    func wait(until isMet: @escaping @Sendable (Value) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMetAlready = state.withLock { state in
                if isMet(state.value) { return true }
                state.waiters.append((isMet, continuation))
                return false
            }
            if isMetAlready { continuation.resume() }
        }
    }
}
