import Foundation
import Synchronization

/// A small Firehose on loopback that does what a test tells it to.
///
/// It speaks HTTP/1.1, takes `PutRecordBatch` and `PutRecord`, keeps what it accepted, and knows the delivery streams that it
/// has records of. Its answers come from a queue that the test fills; when the queue is empty, from a rule, which accepts
/// everything unless told otherwise. A request that breaks one of the service's limits is refused as the service would
/// refuse it, whenever it would have been accepted.
package final class FirehoseStandIn: Sendable {
    /// One request that was read to its end.
    package struct Request: Sendable {
        /// Which connection it came over, counted from 1.
        package var connection: Int
        package var line: String

        /// Values by lower-case name.
        package var headers: [String: String]

        /// Bytes as they came over the wire.
        package var body: [UInt8]

        /// What is asked for, such as `PutRecordBatch`; empty when the header that says so is not Firehose's.
        package var operation: String {
            let prefix = "Firehose_20150804."
            guard let target = headers["x-amz-target"], target.hasPrefix(prefix) else { return "" }
            return String(target.dropFirst(prefix.count))
        }

        /// The delivery stream's name; empty when the body has none.
        package var stream: String

        /// The records' bytes, out of their base64.
        package var records: [[UInt8]]
    }

    private let script = StandInScript()
    private let server: LoopbackServer

    /// Starts to listen; a port of 0 is any that is free.
    package init(at address: String = "127.0.0.1", port: Int = 0) throws {
        let script = self.script
        server = try LoopbackServer(at: address, port: port) { connection in
            while connection.waitForRequest(), Self.serve(connection, from: script) {}
        }
    }

    deinit {
        stop()
    }

    package var port: Int { server.port }

    /// Where it listens, such as `http://127.0.0.1:40123`.
    package var url: String { server.url }

    /// The same without the scheme.
    package var host: String { String(url.dropFirst("http://".count)) }

    /// Adds answers to the queue; each serves one request.
    package func enqueue(_ answers: StandInAnswer...) { script.enqueue(answers) }

    /// What is answered when the queue is empty.
    package func answerByDefault(_ rule: @escaping @Sendable (Request) -> StandInAnswer) { script.setRule(rule) }

    /// Every request so far, in the order in which they were read to their end.
    package var requests: [Request] { script.requests }

    /// The records that it keeps of one stream, in the order of acceptance, duplicates included.
    package func records(of stream: String) -> [[UInt8]] { script.records(of: stream) }

    /// How many requests are hanging now.
    package var hangingCount: Int { script.hangingCount }

    /// Lets go of every request that hangs, and of those to come.
    package func release() { script.release() }

    /// Ends every connection; later attempts to connect are refused.
    package func stop() {
        script.release()
        server.stop()
    }

    /// - Returns: whether the connection stays open.
    private static func serve(_ connection: LoopbackConnection, from script: StandInScript) -> Bool {
        let queued = script.next()
        if case .resetBeforeReading = queued?.outcome {
            connection.abort()
            return false
        }
        guard let received = connection.readRequest() else { return false }
        var request = Request(
            connection: connection.number,
            line: received.line,
            headers: received.headers,
            body: received.body,
            stream: "",
            records: []
        )
        let violation = request.decode()
        var answer = queued ?? script.rule(request)
        if let violation, answer.keepsRecords { answer = violation }
        script.add(request)
        if answer.isHanging { script.hang() }
        guard let response = StandInResponse(answer, to: request, keepingIn: script) else {
            connection.abort()
            return false
        }
        connection.write(response.bytes)
        return response.keepsConnection
    }
}
