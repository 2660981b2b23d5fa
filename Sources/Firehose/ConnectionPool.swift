import AWS
import HTTP
import Synchronization

/// The connections to one endpoint: as many as there are requests at a time, used again from the most recent one.
final class ConnectionPool: Sendable {
    private let endpoint: Endpoint
    private let options: HTTPOptions
    private let userAgent: String
    private let idle: Mutex<[FirehoseConnection]>

    /// How many are kept while they have nothing to do.
    private static let idleLimit = 8

    /// Makes a first connection, so that options that cannot work are known at once.
    init(to endpoint: Endpoint, _ options: HTTPOptions, userAgent: String) throws(HTTPError) {
        self.endpoint = endpoint
        self.options = options
        self.userAgent = userAgent
        idle = Mutex([try FirehoseConnection(to: endpoint, options, userAgent: userAgent)])
    }

    /// Takes a connection out, for one request.
    func take() throws(HTTPError) -> FirehoseConnection {
        if let connection = idle.withLock({ $0.popLast() }) { return connection }
        return try FirehoseConnection(to: endpoint, options, userAgent: userAgent)
    }

    func giveBack(_ connection: FirehoseConnection) {
        idle.withLock { if $0.count < Self.idleLimit { $0.append(connection) } }
    }
}
