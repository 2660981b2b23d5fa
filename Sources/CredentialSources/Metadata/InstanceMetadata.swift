import AWS
import HTTP

/// The metadata service of EC2 (IMDSv2), at the instance that this process runs on.
///
/// Version 1 is never asked: a request without a session could be smuggled in through other programs of the instance.
struct InstanceMetadata: Sendable {
    /// Such as `http://169.254.169.254`.
    let baseURL: String

    private let client: any WebClient

    /// What stands in the way of an answer.
    enum Failure: Error {
        /// Nobody answers at all, as on any machine that is no instance.
        case silent(HTTPError)

        /// It says that there is no such thing.
        case absent

        /// It answers with something else.
        case refused(reason: String)
    }

    /// - Returns: nil where `AWS_EC2_METADATA_DISABLED` says not to ask.
    /// - Throws: which setting of its address makes no sense.
    init?(_ environment: [String: String], client: any WebClient) throws(EndpointError) {
        self.client = client
        let disabled = environment.setting("AWS_EC2_METADATA_DISABLED")
        if disabled?.lowercased() == "true" { return nil }
        let settings: SharedSettings
        do {
            settings = try SharedSettings(environment: environment)
        } catch {
            throw .sharedFile(error)
        }
        baseURL = try Self.baseURL(settings)
    }

    private static func baseURL(_ settings: SharedSettings) throws(EndpointError) -> String {
        let variable = "AWS_EC2_METADATA_SERVICE_ENDPOINT"
        if let endpoint = settings.value(variable, or: "ec2_metadata_service_endpoint") {
            guard endpoint.value.contains("://"),
                case .host(let scheme, let host) = try EndpointAddress(endpoint.value, setting: endpoint.name)
            else {
                let expected = "a URL such as http://169.254.169.254"
                throw .invalid(setting: endpoint.name, value: endpoint.value, expected: expected)
            }
            return "\(scheme.rawValue)://\(host)"
        }
        let mode = settings.value("\(variable)_MODE", or: "ec2_metadata_service_endpoint_mode")
        switch mode?.value.lowercased() {
        case nil, "ipv4": return "http://169.254.169.254"
        case "ipv6": return "http://[fd00:ec2::254]"
        default: throw .invalid(setting: mode?.name ?? "", value: mode?.value ?? "", expected: "IPv4 or IPv6")
        }
    }

    /// For a message.
    var place: String { "the metadata service of EC2 at \(baseURL)" }

    /// How long one request may take: the service is on this machine, and most machines have none.
    private static let timeout = Duration.seconds(1)

    // MARK: Questions

    /// What begins a session.
    var sessionRequest: WebRequest {
        WebRequest(
            .put,
            "\(baseURL)/latest/api/token",
            headers: [HTTPHeader("x-aws-ec2-metadata-token-ttl-seconds", "21600")],
            isLocal: true,
            timeout: Self.timeout
        )
    }

    /// What asks for the text at a path such as `placement/region`.
    func request(for path: String, token: String) -> WebRequest {
        WebRequest(
            .get,
            "\(baseURL)/latest/meta-data/\(path)",
            headers: [HTTPHeader("x-aws-ec2-metadata-token", token)],
            isLocal: true,
            timeout: Self.timeout
        )
    }

    /// A session, to be asked within a few hours; the token is a secret.
    func session() async throws(Failure) -> Session {
        let answer: WebAnswer
        do {
            answer = try await client.answer(to: sessionRequest)
        } catch {
            throw .silent(error)
        }
        switch answer.status {
        case 200:
            guard let token = answer.line else { throw .refused(reason: "its session token is not one line of text") }
            return Session(metadata: self, token: token)
        case 403: throw .refused(reason: "HTTP 403: it is switched off for this instance, or a firewall forbids it")
        case 404, 405: throw .refused(reason: "HTTP \(answer.status): it does not speak version 2 (IMDSv2)")
        default: throw .refused(reason: "it answered a request for a session with HTTP \(answer.status)")
        }
    }

    /// Questions under one session token.
    struct Session: Sendable {
        fileprivate let metadata: InstanceMetadata
        fileprivate let token: String

        /// The body at a path such as `placement/region`.
        func get(_ path: String) async throws(Failure) -> WebAnswer {
            let answer: WebAnswer
            do {
                answer = try await metadata.client.answer(to: metadata.request(for: path, token: token))
            } catch {
                throw .silent(error)
            }
            switch answer.status {
            case 200: return answer
            case 404: throw .absent
            default: throw .refused(reason: "it answered HTTP \(answer.status)")
            }
        }
    }
}

extension InstanceMetadata.Failure {
    /// What is wrong, and what may help.
    var reason: String {
        switch self {
        case .silent(.timedOut):
            "no answer in time; in a container raise the hop limit of the instance's metadata service to 2"
        case .silent(let error): "\(error)"
        case .absent: "the instance has no role; give it an instance profile"
        case .refused(let reason): reason
        }
    }
}
