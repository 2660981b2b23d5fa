import Configuration
import Testing

/// Slips of the keyboard in every key there is, and in the syntax around them.
@Suite struct SlipTests {
    /// The keys of the agent and of a flow, as the reference names them.
    private static let keys: (agent: [String], flow: [String]) = {
        let lines = AgentConfiguration.reference().split(separator: "\n", omittingEmptySubsequences: false)
        let names = lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.dropFirst(2).contains(" ") }
        let all = names.map { String($0.dropFirst(2)) }
        let firstOfFlow = all.firstIndex(of: "filePattern") ?? all.endIndex
        return (Array(all[..<firstOfFlow]), Array(all[firstOfFlow...]))
    }()

    /// LS-133: a key that is misspelt.
    @Test func `a letter that is missing is told with the key that was meant`() {
        for key in Self.keys.flow + Self.keys.agent where key.count > 4 {
            let slip = String(key.dropLast())
            let isOfFlow = Self.keys.flow.contains(key)
            let text = isOfFlow ? configuration(flow: "\"\(slip)\": 1") : configuration(agent: "\"\(slip)\": 1")
            let faults = read(text).messages
            let isTold = faults.contains { $0.contains("\(slip): unknown key") && $0.contains("\"\(key)\"") }
            #expect(isTold, "\(key): \(faults)")
        }
    }

    /// LS-133: a key in the wrong case, twice, or at the wrong level.
    @Test func `a wrong case, a second time and a wrong level are faults`() {
        for key in Self.keys.flow + Self.keys.agent {
            let isOfFlow = Self.keys.flow.contains(key)
            let upper = key.prefix(1).uppercased() + key.dropFirst()
            let cased = isOfFlow ? configuration(flow: "\"\(upper)\": 1") : configuration(agent: "\"\(upper)\": 1")
            #expect(read(cased).messages.contains { $0.contains("\(upper): unknown key") }, "\(key)")
            let member = "\"\(key)\": 1"
            let members = "\(member), \(member)"
            let twice = isOfFlow ? configuration(flow: members) : configuration(agent: members)
            #expect(read(twice).configuration == nil, "\(key)")
            let misplaced = isOfFlow ? configuration(agent: member) : configuration(flow: member)
            #expect(read(misplaced).configuration == nil || !read(misplaced).faults.isEmpty, "\(key)")
        }
    }

    /// LS-078: what editors put into a file that is right.
    @Test func `a byte order mark and carriage returns are accepted`() {
        let text = "\u{FEFF}" + configuration().split(separator: ",").joined(separator: ",\r\n") + "\r\n"
        #expect(read(text).faults.isEmpty)
    }

    /// LS-078: what is not JSON.
    @Test(
        arguments: [
            #"{"flows": [{"filePattern": "/a", "deliveryStream": "s"},]}"#, #"{'flows': []}"#, #"{"flows": NaN}"#,
            "{\"cacheMaxBytes\": " + String(repeating: "9", count: 1_000_000) + "}", "", "\u{FEFF}",
            "{\"flows\": [{\t}]",
        ]
    )
    func `a slip in the syntax is told with its place`(text: String) {
        let faults = read(text).faults.map(\.description)
        #expect(!faults.isEmpty)
        #expect(faults.allSatisfy { $0.hasPrefix("agent.json:1:") && $0.utf8.count < 500 }, "\(faults)")
    }
}
