import Foundation
import TestSupport
import Testing

@testable import AWS

@Suite struct ProfileParserTests {
    typealias Problem = ProfileSyntaxError.Problem

    // MARK: The cases that the SDKs share

    struct SharedCase: Decodable, Sendable, CustomTestStringConvertible {
        struct Input: Decodable, Sendable {
            var configFile: String?
            var credentialsFile: String?
        }

        struct Sections: Decodable, Sendable {
            var profiles: [String: [String: String]]
            var sso_sessions: [String: [String: String]]?
        }

        struct Output: Decodable, Sendable {
            var config: Sections?
            var errorContaining: String?
        }

        var name: String
        var input: Input
        var output: Output

        var testDescription: String { name }
    }

    struct SharedFile: Decodable {
        var tests: [SharedCase]
    }

    static let sharedCases =
        (try? Vectors.json("profiles/profile-parser-tests.json", as: SharedFile.self).tests) ?? []

    /// What the cases say in words.
    static let problems: [(words: String, problems: [Problem])] = [
        ("Profile definition must end with ']'", [.sectionNotClosed]),
        ("Expected a profile definition", [.propertyOutsideSection]),
        ("Property did not have a name", [.propertyWithoutName]),
        ("Expected an '=' sign defining a property", [.propertyWithoutEquals]),
        ("Expected a property definition", [.continuationOutsideProperty]),
        ("Expected an '=' sign defining a sub-property", [.subPropertyWithoutEquals]),
        ("Sub-property did not have a name", [.subPropertyWithoutName]),
    ]

    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)")) func `all shared cases are there`() {
        #expect(Self.sharedCases.count == 65)
    }

    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)"), arguments: sharedCases)
    func `reads files as the SDKs do`(example: SharedCase) throws {
        let outcome = Result { () throws(ProfileSyntaxError) in
            var sections = try ProfileParser.parse(Array((example.input.configFile ?? "").utf8), as: .configuration)
            let credentials = Array((example.input.credentialsFile ?? "").utf8)
            sections.merge(try ProfileParser.parse(credentials, as: .credentials))
            return sections
        }
        if let expected = example.output.config {
            let sections = try outcome.get().properties
            #expect(named(sections) { if case .profile(let name) = $0 { name } else { nil } } == expected.profiles)
            let sessions = named(sections) { if case .ssoSession(let name) = $0 { name } else { nil } }
            #expect(sessions == expected.sso_sessions ?? [:])
        } else {
            let words = try #require(example.output.errorContaining)
            let expected = try #require(Self.problems.first { words.hasPrefix($0.words) })
            #expect(throws: ProfileSyntaxError.self) { try outcome.get() }
            guard case .failure(let error) = outcome else { return }
            #expect(expected.problems.contains(error.problem))
        }
    }

    private func named(
        _ sections: [ProfileSections.Header: [String: String]],
        by name: (ProfileSections.Header) -> String?
    ) -> [String: [String: String]] {
        Dictionary(uniqueKeysWithValues: sections.compactMap { header, value in name(header).map { ($0, value) } })
    }

    // MARK: Our own

    struct Broken: Sendable, CustomTestStringConvertible {
        var text: String
        var line: Int
        var problem: Problem

        var testDescription: String { text.debugDescription }
    }

    @Test(arguments: [
        Broken(text: "[a]\n\nkey", line: 3, problem: .propertyWithoutEquals),
        Broken(text: "# one\r\n; two\r\n[a", line: 3, problem: .sectionNotClosed),
        Broken(text: "[a] b", line: 1, problem: .sectionNotClosed),
        Broken(text: "[a]\nkey ;=value", line: 2, problem: .propertyWithoutEquals),
        Broken(text: "[a]\nkey =\n = value", line: 3, problem: .subPropertyWithoutName),
        Broken(text: "[not a name]\nkey", line: 2, problem: .propertyWithoutEquals),
        Broken(text: "[not a name]\n key", line: 2, problem: .continuationOutsideProperty),
        Broken(text: "[a]\nnot a name =\n value", line: 3, problem: .subPropertyWithoutEquals),
        Broken(text: "key = value", line: 1, problem: .propertyOutsideSection),
        Broken(text: " key = value", line: 1, problem: .propertyOutsideSection),
    ])
    func `an error has its line`(example: Broken) {
        #expect(throws: ProfileSyntaxError(line: example.line, problem: example.problem)) {
            try ProfileParser.parse(Array(example.text.utf8), as: .credentials)
        }
    }

    @Test func `an error does not show the line, which may be a secret`() throws {
        let error = #expect(throws: ProfileSyntaxError.self) {
            try ProfileParser.parse(Array("[default]\nwJalrXUtnFEMI/K7MDENG".utf8), as: .credentials)
        }
        #expect("\(try #require(error))" == "line 2: there is no '='; write name = value")
    }

    @Test func `an indented comment continues nothing`() throws {
        let text = "[a]\nkey = value\n  # rotated in May\n\t; and again\nother = 1"
        let sections = try ProfileParser.parse(Array(text.utf8), as: .credentials)
        #expect(sections.profile("a") == ["key": "value", "other": "1"])
    }

    @Test func `bytes that are not text are repaired`() throws {
        let sections = try ProfileParser.parse(Array("[a]\nkey = ".utf8) + [0xFF, 0x00], as: .credentials)
        #expect(sections.profile("a") == ["key": "\u{FFFD}\0"])
    }

    @Test(arguments: ["[a]\nkey = value", "# made by hand\r\n[a]\r\nkey = value\r\n"])
    func `the mark of UTF-8 at the beginning is no part of the first line`(text: String) throws {
        let sections = try ProfileParser.parse([0xEF, 0xBB, 0xBF] + Array(text.utf8), as: .credentials)
        #expect(sections.profile("a") == ["key": "value"])
    }

    @Test func `services are sections of the configuration`() throws {
        let text = "[services local]\nfirehose =\n  endpoint_url = http://localhost:1\n"
        let sections = try ProfileParser.parse(Array(text.utf8), as: .configuration)
        #expect(sections.properties[.services("local")] == ["firehose": "\nendpoint_url = http://localhost:1"])
    }
}
