import AWS
import HTTP

/// The region of the EC2 instance that this process runs on.
package enum InstanceRegion {
    /// Asks the metadata service; the calling thread waits, a few seconds at most.
    ///
    /// - Returns: nil if this is no instance, or nobody is to ask.
    package static func find(_ environment: [String: String]) -> String? {
        find(environment) { request in try? NetworkClient.answer(to: request, HTTPOptions()) }
    }

    static func find(_ environment: [String: String], send: (WebRequest) -> WebAnswer?) -> String? {
        guard let metadata = try? InstanceMetadata(environment, client: NetworkClient(HTTPOptions())),
            let session = send(metadata.sessionRequest), session.status == 200, let token = session.line,
            let answer = send(metadata.request(for: "placement/region", token: token)), answer.status == 200
        else { return nil }
        return answer.line
    }
}
