import AWS

/// The credentials of the role of the EC2 instance that this process runs on.
package struct InstanceCredentials: CachedSource {
    let cache: CredentialsCache

    package init(_ context: CredentialsContext) {
        cache = context.cache(keepingUndatedFor: .seconds(900)) { () throws(CredentialsError) in
            try await Self.fetch(context)
        }
    }

    private static func fetch(_ context: CredentialsContext) async throws(CredentialsError) -> Credentials {
        guard let metadata = try metadata(context) else { throw .notFound(places: []) }
        let document: CredentialsDocument
        do {
            document = try await metadata.role()
        } catch {
            switch error {
            case .silent, .absent: throw .notFound(places: ["\(metadata.place) (\(error.reason))"])
            case .refused: throw .broken(place: metadata.place, reason: error.reason)
            }
        }
        if let code = document.text("Code"), code != "Success", let complaint = document.complaint() {
            throw .broken(place: metadata.place, reason: complaint)
        }
        return try document.credentials(token: "Token", place: metadata.place)
    }

    private static func metadata(_ context: CredentialsContext) throws(CredentialsError) -> InstanceMetadata? {
        do {
            return try InstanceMetadata(context.environment, client: context.client)
        } catch {
            throw .broken(place: "the settings of the metadata service of EC2", reason: "\(error)")
        }
    }
}

extension InstanceMetadata {
    /// The keys of the instance's role.
    fileprivate func role() async throws(Failure) -> CredentialsDocument {
        let session = try await session()
        let path = "iam/security-credentials/"
        guard let name = try await session.get(path).line, name.utf8.allSatisfy(\.isInRoleName) else {
            throw .refused(reason: "what it gives for the name of the role is none")
        }
        guard let document = CredentialsDocument(try await session.get(path + name).body) else {
            throw .refused(reason: "its answer is not a JSON object")
        }
        return document
    }
}

extension UInt8 {
    /// Whether the name of a role may contain it.
    fileprivate var isInRoleName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_+=,.@-".utf8.contains(self)
        }
    }
}
