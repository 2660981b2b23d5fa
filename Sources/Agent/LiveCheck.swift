import AWS
package import Configuration
import Firehose
import HTTP
import Records

/// What the service says of the streams of a configuration, for a person to read; no record is sent.
package struct LiveCheck {
    /// Several lines, with their newlines.
    package private(set) var text = ""

    /// What is wrong, each with what to do; none if records would be taken.
    package private(set) var findings: [String] = []

    private let configuration: AgentConfiguration
    private let plan: DeliveryPlan
    private var described: [StreamName: StreamDescription] = [:]

    /// Asks the service about each stream, and reads a sample of each flow's files.
    package init(of configuration: AgentConfiguration, plan: DeliveryPlan) async throws {
        self.configuration = configuration
        self.plan = plan
        guard case .service(let endpoint) = plan.target,
            let service = try plan.makeDestination(version: Agent.version) as? FirehoseDestination
        else {
            text = "\nLive          records go to a directory, so there is no service to ask\n"
            return
        }
        await addStreams(of: service)
        try addCosts()
        addPolicy(in: endpoint.region)
    }

    private mutating func add(_ label: String, _ words: String) {
        text += label + String(repeating: " ", count: max(1, 14 - label.count)) + words + "\n"
    }

    private mutating func addFinding(_ finding: String) {
        findings.append(finding)
        add("", "wrong: \(finding)")
    }

    // MARK: Streams

    private mutating func addStreams(of service: FirehoseDestination) async {
        text += "\n"
        for stream in Set(configuration.flows.map(\.stream)).sorted() {
            do throws(CallError) {
                let description = try await describe(stream, by: service)
                described[stream] = description
                add(stream, description)
            } catch {
                add("Stream", "\(stream): not described")
                addFinding("\(stream): \(error.finding)")
                // What holds for one stream holds for all.
                guard case .service = error else { return }
            }
        }
    }

    /// Asks about a stream, again while an account with many streams has asked too often.
    private func describe(
        _ stream: StreamName,
        by service: FirehoseDestination
    ) async throws(CallError) -> StreamDescription {
        var retries = RetryStrategy(maxAttempts: 5)
        var attempt = 1
        while true {
            do throws(CallError) {
                return try await service.describe(stream)
            } catch {
                let random = Double.random(in: 0...1)
                guard error.retry == .throttling, let pause = retries.delay(after: attempt, .throttling, random: random)
                else { throw error }
                guard (try? await Task.sleep(for: pause)) != nil else { throw .cancelled }
            }
            attempt += 1
        }
    }

    private mutating func add(_ stream: StreamName, _ description: StreamDescription) {
        let places = description.destinations.map { $0?.words ?? "something that this version does not know" }
        let place = places.isEmpty ? "" : ", delivers to \(places.joined(separator: " and "))"
        let status = description.status.isEmpty ? "in no known state" : LogText.printable(description.status)
        add("Stream", "\(stream): \(status)\(place)")
        if description.status != "ACTIVE" {
            addFinding("\(stream) is \(status); only an ACTIVE stream takes records")
        }
        if let type = description.type, type != "DirectPut" {
            addFinding(
                "\(stream) takes its records from elsewhere (\(LogText.printable(type))); "
                    + "make a stream whose source is Direct PUT"
            )
        }
        guard description.takesRecordsAsEvents else { return }
        let flows = configuration.flows.filter { $0.stream == stream }
        if flows.contains(where: \.joinsLines) {
            add(
                "",
                "warning: each record becomes one event there, and lines are joined; set aggregatedRecordSizeBytes to 0"
            )
        }
        if flows.contains(where: { $0.compression != .none }) {
            add("", "warning: records are not unpacked there; set compression to none")
        }
    }

    // MARK: Costs

    private mutating func addCosts() throws {
        text += "\n"
        for (index, flow) in configuration.flows.enumerated() {
            let label = "Cost, flow \(index + 1)"
            guard let estimate = try CostEstimate(of: flow) else {
                add(label, "unknown: there are no lines to take a sample of")
                continue
            }
            add(label, estimate.description)
            guard !flow.joinsLines, described[flow.stream]?.takesRecordsAsEvents != true else { continue }
            guard let joined = try CostEstimate(of: flow, joining: true), joined.billed * 2 < estimate.billed
            else { continue }
            add("", "with lines joined (\"aggregatedRecordSizeBytes\": 1024000): \(joined.factor)")
        }
    }

    // MARK: The policy

    private mutating func addPolicy(in region: String) {
        let streams = Set(configuration.flows.map(\.stream)).sorted()
        let known = described.values.compactMap(\.arn).sorted().first ?? configuration.role?.arn
        let arns = streams.map { stream in
            described[stream]?.arn ?? IAMPolicy.arn(of: stream, region: region, inAccountOf: known)
        }
        let owner = configuration.role.map { "the role \($0.arn)" } ?? "these credentials"
        text += "\nThe least that \(owner) must be allowed:\n\n"
        text += IAMPolicy.toSend(to: arns.map { LogText.printable($0, limit: 2_048) })
        if let role = configuration.role {
            text += "\nThe credentials that assume it must be allowed sts:AssumeRole on \(role.arn).\n"
        }
    }
}

extension CallError {
    /// What is wrong when a stream cannot be described, and what to do.
    fileprivate var finding: String {
        switch self {
        case .service(let error): "\(error); \(error.advice)"
        case .credentials: description
        case .unreadable: "\(self); check firehose.endpoint and the proxy: something else has answered"
        case .transport(.insecure):
            "\(self); if its authority is one of your own, name its file in tls.caFile; else check firehose.endpoint, the "
                + "proxy and this machine's clock"
        case .transport(.unusable): "\(self); check firehose.endpoint, HTTPS_PROXY and the files of tls.*"
        case .transport, .cancelled, .closed:
            "\(self); check region, firehose.endpoint, HTTPS_PROXY, the route and the firewall"
        }
    }
}

extension ServiceError {
    fileprivate var advice: String {
        switch code?.text {
        case "ResourceNotFoundException":
            return "create the stream, or correct deliveryStream, region, or whose account the credentials are of"
        case "AccessDeniedException", "AccessDenied":
            return "allow it with the policy below; records may be taken all the same"
        default: break
        }
        return switch Remedy(for: self) {
        case .refreshCredentials: "give other credentials: these are expired or not known"
        case .correctClock: "check the secret of the access key, and this machine's clock"
        case .slowDown, .retry: "try again later"
        case .split, .configure, .setAside: "check firehose.endpoint and region"
        }
    }
}
