import Foundation
import Synchronization
import TestSupport

@testable import AWS
@testable import CredentialSources

/// Sources of credentials with a server of their own, files of their own, and a clock that the test sets.
final class SourceScene: Sendable {
    let traffic: RecordedTraffic
    let home: TemporaryHome
    private let clock = Mutex(Duration.seconds(1_900_000_000))
    private let variables: [String: String]

    init(
        _ exchanges: RecordedTraffic.Exchange...,
        configuration: String? = nil,
        environment: [String: String] = [:]
    ) throws {
        traffic = try RecordedTraffic(exchanges)
        home = try TemporaryHome(configuration: configuration)
        variables = environment
    }

    /// A new context, which shares no memory with those before.
    var context: CredentialsContext {
        CredentialsContext(
            environment: home.environment.merging(variables) { $1 },
            client: traffic,
            region: "eu-west-1",
            now: { self.time }
        )
    }

    var time: Duration { clock.withLock { $0 } }

    func pass(_ duration: Duration) { clock.withLock { $0 += duration } }

    /// Writes a file, and gives its path.
    func write(_ text: String, to name: String) throws -> String {
        try home.write(text, to: name)
        return home.url.appending(path: ".aws/\(name)").path
    }

    /// A time as AWS writes it.
    func expiry(in life: Duration) -> String {
        Date(timeIntervalSince1970: TimeInterval((time + life).components.seconds)).formatted(.iso8601)
    }

    // MARK: Answers

    /// Keys as metadata services give them.
    static func keys(_ id: String = "ID", expiration: String? = nil, token: String = "TOKEN") -> String {
        let end = expiration.map { #", "Expiration": "\#($0)""# } ?? ""
        return #"{"AccessKeyId": "\#(id)", "SecretAccessKey": "SECRET", "Token": "\#(token)"\#(end)}"#
    }

    func container(_ id: String = "ID", life: Duration? = .seconds(3600)) -> RecordedTraffic.Exchange {
        RecordedTraffic.Exchange(
            method: "GET",
            url: "",
            status: 200,
            body: Self.keys(id, expiration: life.map(expiry))
        )
    }

    /// Keys as STS gives them.
    func role(_ id: String = "ROLE", life: Duration = .seconds(3600)) -> RecordedTraffic.Exchange {
        let body = """
            <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
            <AccessKeyId>\(id)</AccessKeyId><SecretAccessKey>SECRET</SecretAccessKey>
            <SessionToken>TOKEN</SessionToken><Expiration>\(expiry(in: life))</Expiration>
            </Credentials></AssumeRoleResult></AssumeRoleResponse>
            """
        return RecordedTraffic.Exchange(method: "POST", url: "", status: 200, body: body)
    }

    static func failure(_ status: Int, _ body: String = "") -> RecordedTraffic.Exchange {
        RecordedTraffic.Exchange(method: "", url: "", status: status, body: body)
    }

    static func refusal(_ code: String, _ message: String = "no", status: Int = 403) -> RecordedTraffic.Exchange {
        let body = "<ErrorResponse><Error><Code>\(code)</Code><Message>\(message)</Message></Error></ErrorResponse>"
        return failure(status, body)
    }

    static func text(_ text: String) -> RecordedTraffic.Exchange { failure(200, text) }
}

/// Why a provider has no credentials; nil if it has.
func reason(_ provider: any CredentialsProvider) async -> String? {
    do {
        _ = try await provider.credentials()
        return nil
    } catch {
        return "\(error)"
    }
}
