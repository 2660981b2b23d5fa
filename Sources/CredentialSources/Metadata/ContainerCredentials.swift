import AWS
import HTTP
import Platform

/// The credentials of the task or pod that this process runs in: ECS, EKS Pod Identity, Greengrass.
package struct ContainerCredentials: CachedSource {
    let cache: CredentialsCache

    package init(_ context: CredentialsContext) {
        cache = context.cache(keepingUndatedFor: .seconds(900)) { () throws(CredentialsError) in
            try await Self.fetch(context)
        }
    }

    private static func fetch(_ context: CredentialsContext) async throws(CredentialsError) -> Credentials {
        guard let endpoint = try ContainerEndpoint.find(in: context.environment) else {
            throw .notFound(places: [ContainerEndpoint.place])
        }
        let place = "the container's credentials service at \(endpoint.url)"
        var headers = [HTTPHeader("Accept", "application/json")]
        let token = try token(context.environment)
        if let token { headers.append(HTTPHeader("Authorization", token)) }
        let isRemote = endpoint.url.lowercased().hasPrefix("https:")
        let request = WebRequest(.get, endpoint.url, headers: headers, isLocal: !isRemote, timeout: .seconds(5))
        let answer: WebAnswer
        do {
            answer = try await context.client.answer(to: request) { answer in
                if answer.status == 429 { return .throttling }
                let isReadable = answer.status != 200 || CredentialsDocument(answer.body) != nil
                return answer.status >= 500 || !isReadable ? .transient : nil
            }
        } catch {
            throw .broken(place: place, reason: "\(error)")
        }
        let document = CredentialsDocument(answer.body)
        let secrets = [token ?? ""]
        guard answer.status == 200 else {
            let words = document?.complaint(hiding: secrets).map { ": \($0)" } ?? ""
            throw .broken(place: place, reason: "it answered HTTP \(answer.status)\(words)")
        }
        guard let document else { throw .broken(place: place, reason: "its answer is not a JSON object") }
        return try document.credentials(token: "Token", place: place, hiding: secrets)
    }

    /// What the service wants to see: from a file, which is read each time because it changes, else from a variable.
    private static func token(_ environment: [String: String]) throws(CredentialsError) -> String? {
        let fileVariable = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"
        let variable = "AWS_CONTAINER_AUTHORIZATION_TOKEN"
        if let path = environment.setting(fileVariable) {
            return try TokenFile(path: path, setting: fileVariable).read()
        }
        guard let token = environment.setting(variable) else { return nil }
        guard TokenFile.isToken(token) else {
            throw .broken(place: "the environment", reason: "\(variable) has a line break or another control character")
        }
        return token
    }
}
