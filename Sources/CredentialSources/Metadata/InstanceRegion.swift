import AWS
import HTTP
import Platform

/// The region of the EC2 instance that this process runs on.
package enum InstanceRegion {
    /// Asks the metadata service; the calling thread waits, a few seconds at most.
    ///
    /// It is asked again when it fails: at boot it may take a moment, and a program that has no region does not start.
    ///
    /// - Returns: nil if this is no instance, or nobody is to ask.
    package static func find(_ environment: [String: String]) -> String? {
        guard let metadata = try? InstanceMetadata(environment, client: NetworkClient(HTTPOptions())) else {
            return nil
        }
        for pause in [Duration.milliseconds(200), .milliseconds(800)] {
            switch ask(metadata) {
            case .region(let region): return region
            case .none: return nil
            case .failed: holdThread(for: pause)
            }
        }
        if case .region(let region) = ask(metadata) { return region }
        return nil
    }

    private enum Outcome {
        case region(String)
        case none
        /// There was no answer, or one that another attempt may change.
        case failed
    }

    private static func ask(_ metadata: InstanceMetadata) -> Outcome {
        let (session, failure) = line(of: metadata.sessionRequest)
        guard let session else { return failure }
        let (region, second) = line(of: metadata.request(for: "placement/region", token: session))
        return region.map { .region($0) } ?? second
    }

    /// What a request is answered with; without an answer, what that means.
    private static func line(of request: WebRequest) -> (String?, Outcome) {
        guard let answer = try? NetworkClient.answer(to: request, HTTPOptions()) else { return (nil, .failed) }
        if answer.status == 200 { return (answer.line, .none) }
        return (nil, answer.status >= 500 || [401, 429].contains(answer.status) ? .failed : .none)
    }
}
