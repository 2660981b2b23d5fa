import AWS
import HTTP
import Synchronization

/// The connections to one endpoint: as many as there are requests at a time, used again from the most recent one.
final class ConnectionPool: Sendable {
    private struct State {
        var idle: [FirehoseConnection]
        var isClosed = false
    }

    private let endpoint: Endpoint
    private let options: HTTPOptions
    private let userAgent: String
    private let state: Mutex<State>

    /// How many are kept while they have nothing to do.
    private static let idleLimit = 8

    /// Makes a first connection, so that options that cannot work are known at once.
    init(to endpoint: Endpoint, _ options: HTTPOptions, userAgent: String) throws(HTTPError) {
        self.endpoint = endpoint
        self.options = options
        self.userAgent = userAgent
        state = Mutex(State(idle: [try FirehoseConnection(to: endpoint, options, userAgent: userAgent)]))
    }

    /// Takes a connection out, for one request.
    func take() throws(CallError) -> FirehoseConnection {
        let (isClosed, connection) = state.withLock { ($0.isClosed, $0.idle.popLast()) }
        if isClosed { throw .closed }
        if let connection { return connection }
        do {
            return try FirehoseConnection(to: endpoint, options, userAgent: userAgent)
        } catch {
            throw .transport(error)
        }
    }

    func giveBack(_ connection: FirehoseConnection) {
        state.withLock { state in
            if !state.isClosed, state.idle.count < Self.idleLimit { state.idle.append(connection) }
        }
    }

    /// Lets go of the idle connections, and of the others once they are given back.
    func close() {
        // They end outside of the lock, since that may take a while.
        _ = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
    }
}
