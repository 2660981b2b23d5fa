import Discovery
import Platform
import Testing

/// The walk against asking the pattern about every file there is.
@Suite struct WalkReferenceTests {
    @Test(arguments: 0..<8) func `finds exactly the files that match`(seed: UInt64) throws {
        let tree = TemporaryTree()
        var random = SplitMix(state: seed)
        let files = Set(
            (0..<60).map { _ in
                (0..<Int.random(in: 0...3, using: &random)).map { _ in "\(pick(["a", "b", "ab", ".h"], &random))/" }
                    .joined()
                    + pick(["1.log", "2.log", ".3.log", "4.txt", "5.gz"], &random)
            }
        )
        for file in files { tree.file(file) }

        var found = 0
        for _ in 0..<60 {
            let includes = (0..<2).map { _ in tree.root.description + include(&random) }
            let excludes = [
                pick(["none", "2*", "ab", "\(tree.root)/a", "**/b/*.txt", "\(tree.root)/*/*.log"], &random)
            ]
            let pattern = try FilePattern(includes: includes, excludes: excludes)
            let expected = files.map { tree[$0] }.filter(pattern.matches).sorted()
            let findings = DirectoryWalk(pattern).scan()
            #expect(findings.files.map(\.path).sorted() == expected, "\(includes) \(excludes)")
            for path in expected {
                #expect(findings.watched.contains { $0.path == path.parent }, "a match may come where one is: \(path)")
            }
            found += expected.count
        }
        #expect(found > 100, "the cases must not all be trivial")
    }

    private func include(_ random: inout SplitMix) -> String {
        let directories = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            "/" + pick(["a", "*", "**", "**", "{a,b}", "a*", ".h", "{a/b,ab}"], &random)
        }
        return directories.joined() + "/" + pick(["*", "*.log", "1.log", "[12]*", ".*", "**", "*.{txt,gz}"], &random)
    }

    private func pick(_ choices: [String], _ random: inout SplitMix) -> String {
        choices.randomElement(using: &random) ?? ""
    }
}
