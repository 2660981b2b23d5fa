/// A role of IAM to assume, and how.
package struct Role: Sendable, Equatable {
    /// 20 to 2048 characters.
    package var arn: String

    /// What the session is called in CloudTrail: 2 to 64 letters, digits and `_+=,.@-`; nil for a name of ours.
    package var sessionName: String?

    /// What the role's owner wants to hear, 2 to 1224 characters; nil for nothing.
    package var externalID: String?

    /// How long the credentials are to be good, in seconds: 900 to 43,200; nil for an hour.
    package var durationSeconds: Int?

    package init(arn: String, sessionName: String? = nil, externalID: String? = nil, durationSeconds: Int? = nil) {
        self.arn = arn
        self.sessionName = sessionName
        self.externalID = externalID
        self.durationSeconds = durationSeconds
    }
}
