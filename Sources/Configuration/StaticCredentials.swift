/// Keys that stand in the configuration itself; nothing that prints it prints them.
package struct StaticCredentials: Sendable, Equatable {
    package let accessKeyID: String
    package let secretAccessKey: String

    package init(accessKeyID: String, secretAccessKey: String) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
    }
}

extension StaticCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "(credentials, not shown)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
