import Foundation
import TestSupport
import Testing

@testable import AWS

@Suite struct SharedFilesTests {
    struct SharedCase: Decodable, Sendable, CustomTestStringConvertible {
        var name: String
        var environment: [String: String]
        var platform: String
        var profile: String?
        var configLocation: String
        var credentialsLocation: String

        var testDescription: String { name }
    }

    struct SharedFile: Decodable {
        var tests: [SharedCase]
    }

    static let sharedCases =
        (try? Vectors.json("profiles/file-location-tests.json", as: SharedFile.self).tests) ?? []

    /// Only `HOME` and separators of other systems tell the cases for them apart.
    static let ownCases = sharedCases.filter { $0.platform == "linux" }

    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)")) func `all shared cases are there`() {
        #expect(Self.sharedCases.count == 9)
        #expect(Self.ownCases.count == 4)
    }

    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)"), arguments: ownCases)
    func `finds the files where the SDKs do`(example: SharedCase) {
        let files = SharedFiles(environment: example.environment)
        #expect(files.configuration == example.configLocation)
        #expect(files.credentials == example.credentialsLocation)
        #expect(files.profileName == example.profile ?? "default")
    }

    @Test func `a tilde is the home directory`() {
        let files = SharedFiles(environment: ["HOME": "/h", "AWS_CONFIG_FILE": "~/c", "AWS_PROFILE": " "])
        #expect(files.configuration == "/h/c")
        #expect(files.place == "profile 'default' in /h/.aws/credentials and /h/c")
        #expect(!files.isProfileChosen)
    }

    @Test func `without a home there are no standard files`() throws {
        let files = SharedFiles(environment: [:])
        #expect(files.configuration == nil && files.credentials == nil)
        #expect(try files.profile() == nil)
        #expect(files.place == "profile 'default' in ~/.aws/credentials (HOME is not set)")
    }

    @Test(arguments: [("", false), ("#", true)])
    func `a file has at most a mebibyte`(excess: String, isTooLarge: Bool) throws {
        let home = try TemporaryHome(credentials: String(repeating: "#", count: 1_048_576) + excess)
        let path = home.url.appending(path: ".aws/credentials").path
        let outcome = Result { () throws(SharedFileError) in try SharedFiles(environment: home.environment).profile() }
        switch outcome {
        case .success: #expect(!isTooLarge)
        case .failure(let error):
            #expect(isTooLarge)
            #expect("\(error)".hasPrefix("\(path): has more than 1048576 bytes; let AWS_CONFIG_FILE"))
        }
    }
}
