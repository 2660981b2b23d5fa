import Foundation
import HTTP
import TestSupport
import Testing

@Suite struct HTTPFailureTests {
    private func post(to url: String, _ options: HTTPOptions = HTTPOptions(proxy: .direct)) throws {
        let connection = try HTTPConnection(options)
        var response = HTTPResponse()
        try connection.post(url, headers: [], body: Array("body".utf8).span, into: &response)
    }

    private func failure(of url: String, _ options: HTTPOptions = HTTPOptions(proxy: .direct)) -> HTTPError? {
        #expect(throws: HTTPError.self) { try post(to: url, options) }
    }

    @Test func `a port where nobody listens`() throws {
        let server = try FirehoseStandIn()
        server.stop()
        guard case .unconnected = failure(of: server.url) else {
            Issue.record("expected unconnected")
            return
        }
    }

    @Test func `a host that does not exist`() {
        guard case .unresolved(let reason) = failure(of: "http://firetail.invalid") else {
            Issue.record("expected unresolved")
            return
        }
        #expect(reason.contains("firetail.invalid"))
    }

    @Test(arguments: ["file:///etc/hostname", "ftp://127.0.0.1/"])
    func `a scheme that is not for us`(url: String) {
        guard case .unusable = failure(of: url) else {
            Issue.record("expected unusable")
            return
        }
    }

    @Test func `a server that says nothing`() throws {
        let server = try FirehoseStandIn()
        server.enqueue(.html(status: 200).hanging)
        let options = HTTPOptions(stallTimeout: .seconds(1), proxy: .direct)
        guard case .timedOut = failure(of: server.url, options) else {
            Issue.record("expected timedOut")
            return
        }
    }

    @Test(arguments: [(1000, true), (1001, false)])
    func `an answer is taken up to its limit`(size: Int, fits: Bool) throws {
        let server = try FirehoseStandIn()
        server.enqueue(.body(status: 200, String(repeating: "x", count: size)))
        let options = HTTPOptions(responseLimit: 1000, proxy: .direct)
        if fits {
            try post(to: server.url, options)
        } else {
            #expect(failure(of: server.url, options) == .tooLarge(limit: 1000))
        }
    }

    @Test func `an interrupt ends a request that waits for its answer`() async throws {
        let server = try FirehoseStandIn()
        server.enqueue(.html(status: 200).hanging)
        let connection = try HTTPConnection(HTTPOptions(proxy: .direct))
        let interrupt = HTTPInterrupt(connection.wakeUp)
        let raised = Task {
            try await waitUntil("the request hangs") { server.hangingCount == 1 }
            interrupt.raise()
        }
        var response = HTTPResponse()
        #expect(throws: HTTPError.cancelled) {
            try connection.post(server.url, headers: [], body: [1].span, into: &response, interrupt: interrupt)
        }
        try await raised.value
        server.release()
        try connection.post(server.url, headers: [], body: [1].span, into: &response)
        #expect(server.requests.map(\.connection) == [1, 2])
    }

    @Test func `an interrupt from before lets nothing out`() throws {
        let server = try FirehoseStandIn()
        let connection = try HTTPConnection(HTTPOptions(proxy: .direct))
        let interrupt = HTTPInterrupt(connection.wakeUp)
        interrupt.raise()
        var response = HTTPResponse()
        #expect(throws: HTTPError.cancelled) {
            try connection.post(server.url, headers: [], body: [1].span, into: &response, interrupt: interrupt)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `a CA bundle that is missing or empty is named`() throws {
        let directory = try TemporaryDirectory()
        let empty = directory.path + "/empty.pem"
        #expect(FileManager.default.createFile(atPath: empty, contents: nil))
        for file in [directory.path + "/missing.pem", empty, directory.path, ""] {
            let error = #expect(throws: HTTPError.self) { try HTTPConnection(HTTPOptions(caFile: file)) }
            guard case .unusable(let reason) = error else {
                Issue.record("expected unusable")
                return
            }
            #expect(reason.contains("“\(file)”") && reason.contains("AWS_CA_BUNDLE"))
        }
    }
}
