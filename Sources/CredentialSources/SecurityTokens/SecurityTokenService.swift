import AWS
import Crypto
import HTTP
import Platform

/// Calls AWS's Security Token Service, which gives temporary credentials for roles.
struct SecurityTokenService {
    private let context: CredentialsContext

    init(_ context: CredentialsContext) {
        self.context = context
    }

    /// Assumes a role with the credentials of somebody who may.
    ///
    /// A signature that is refused because our clock is wrong is made once more with the time of STS.
    func assume(_ role: Role, with keys: Credentials, place: String) async throws(STSError) -> Credentials {
        let endpoint = try endpoint(for: role)
        let body = Self.body("AssumeRole", role, at: context.now())
        var offset = ClockOffset()
        var answer = try await send(body, to: endpoint) { sign($0, body, endpoint, keys, offset) }
        if let isCertain = STSError(answer, hiding: keys.secrets)?.isCertainlyAboutTime {
            offset.learn(date: answer.date, age: answer.age, at: Int(context.now().components.seconds))
            if offset.mayHelp(insteadOf: ClockOffset(), isCertain: isCertain) {
                answer = try await send(body, to: endpoint) { sign($0, body, endpoint, keys, offset) }
            }
        }
        return try Self.credentials(answer, place: place, hiding: keys.secrets)
    }

    /// Assumes a role with a token of an identity provider; nothing is signed.
    func assume(_ role: Role, withToken token: String, place: String) async throws(STSError) -> Credentials {
        let endpoint = try endpoint(for: role)
        let body = Self.body(
            "AssumeRoleWithWebIdentity",
            role,
            at: context.now(),
            and: [("WebIdentityToken", token)]
        )
        return try Self.credentials(try await send(body, to: endpoint) { $0 }, place: place, hiding: [token])
    }

    // MARK: Requests

    private func endpoint(for role: Role) throws(STSError) -> Endpoint {
        do {
            return try EndpointResolver.ofSTS(context).resolveService()
        } catch {
            // Where nothing says a region, the one endpoint that there was before regions had their own still serves.
            if error == .noRegion, role.arn.hasPrefix("arn:aws:") { return AWSService.globalSTS }
            throw .endpoint(error)
        }
    }

    private static func body(
        _ action: String,
        _ role: Role,
        at now: Duration,
        and more: [(String, String)] = []
    ) -> [UInt8] {
        var fields = [
            ("Action", action), ("Version", "2011-06-15"), ("RoleArn", role.arn),
            ("RoleSessionName", role.sessionName ?? "firetail-\(now.components.seconds)"),
        ]
        if let externalID = role.externalID { fields.append(("ExternalId", externalID)) }
        if let seconds = role.durationSeconds { fields.append(("DurationSeconds", "\(seconds)")) }
        let pairs = (fields + more).map { "\($0)=\(PercentEncoding.encode($1.utf8))" }
        return Array(pairs.joined(separator: "&").utf8)
    }

    /// The headers, and those of a signature.
    private func sign(
        _ headers: [HTTPHeader],
        _ body: [UInt8],
        _ endpoint: Endpoint,
        _ keys: Credentials,
        _ offset: ClockOffset
    ) -> [HTTPHeader] {
        let signable = SignableRequest(
            headers: headers.map { SignableRequest.Header($0.name, $0.value) },
            payloadHash: SHA256.hash(of: body.span).hex
        )
        var signer = RequestSigner(region: endpoint.region, service: "sts")
        let time = Int(context.now().components.seconds) + offset.seconds
        return headers + signer.sign(signable, with: keys, at: time).map { HTTPHeader($0.name, $0.value) }
    }

    /// Sends a request, whose headers `sign` completes, until it has an answer that is worth reading.
    private func send(
        _ body: [UInt8],
        to endpoint: Endpoint,
        sign: ([HTTPHeader]) -> [HTTPHeader]
    ) async throws(STSError) -> WebAnswer {
        let headers = [
            HTTPHeader("Host", endpoint.host),
            HTTPHeader("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"),
        ]
        let request = WebRequest(
            .post,
            endpoint.url + "/",
            headers: sign(headers),
            body: body,
            isLocal: false,
            timeout: .seconds(20),
            answerLimit: 256 << 10
        )
        do {
            return try await context.client.answer(to: request) { STSError($0, hiding: [])?.retry }
        } catch {
            throw .transport(host: endpoint.host, error)
        }
    }

    // MARK: Answers

    private static func credentials(
        _ answer: WebAnswer,
        place: String,
        hiding secrets: [String]
    ) throws(STSError) -> Credentials {
        if let error = STSError(answer, hiding: secrets) { throw error }
        guard let texts = try? XMLTexts(answer.body), let id = texts["Credentials/AccessKeyId"],
            let secret = texts["Credentials/SecretAccessKey"], let token = texts["Credentials/SessionToken"],
            let expiration = texts["Credentials/Expiration"].flatMap(Timestamp.time)
        else { throw .unreadable }
        do {
            return try Credentials(
                checkingAccessKeyID: id,
                secretAccessKey: secret,
                sessionToken: token,
                expiration: expiration,
                place: place
            )
        } catch {
            throw .unreadable
        }
    }
}

extension EndpointResolver {
    /// Where STS is.
    fileprivate static func ofSTS(_ context: CredentialsContext) -> EndpointResolver {
        let host = context.stsEndpoint.flatMap { try? EndpointAddress($0, setting: "") }
        var named: String?
        if case .host(_, let host)? = host {
            let global = AWSService.globalSTS
            named = host == global.host ? global.region : AWSService.sts.region(inHost: host)
        }
        return EndpointResolver(
            for: .sts,
            endpoint: context.stsEndpoint,
            endpointSetting: "sts.endpoint",
            // A request to a host of one region that is signed for another would be refused.
            region: named ?? context.region,
            environment: context.environment
        )
    }
}
