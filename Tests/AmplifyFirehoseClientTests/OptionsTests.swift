import Testing

@testable import AmplifyFirehoseClient

struct OptionsTests {
    @Test(
        arguments: [
            (["XDG_STATE_HOME": "/state", "HOME": "/home/me"], "/state/firehose-client/eu-west-1.db"),
            (["HOME": "/home/me"], "/home/me/.local/state/firehose-client/eu-west-1.db"),
            (["XDG_STATE_HOME": "", "HOME": "/home/me"], "/home/me/.local/state/firehose-client/eu-west-1.db"),
            (["XDG_STATE_HOME": "state", "HOME": "/home/me"], "/home/me/.local/state/firehose-client/eu-west-1.db"),
        ]
    )
    func `the cache lies under the user's state directory, named after the region`(
        environment: [String: String],
        path: String
    ) throws {
        #expect(try AmplifyFirehoseClient.defaultCachePath(region: "eu-west-1", environment: environment) == path)
    }

    @Test(arguments: [[:], ["HOME": "me"], ["XDG_STATE_HOME": "state"]] as [[String: String]])
    func `without a home there is no place for the cache, which is said`(environment: [String: String]) {
        #expect(throws: FirehoseError.self) {
            try AmplifyFirehoseClient.defaultCachePath(region: "eu-west-1", environment: environment)
        }
    }
}
