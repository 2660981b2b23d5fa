import Platform
import Tailing
import Testing

@Suite struct PathTests {
    @Test(arguments: [
        ("/a/b", "/a/b", true), ("/a/b/c", "/a/b", true), ("/a/bc", "/a/b", false), ("/a", "/a/b", false),
        ("/a/b", "/", true), ("/", "/", true),
    ]) func `knows what lies in a directory`(path: String, directory: String, lies: Bool) {
        #expect(Path(path).isOrLies(in: Path(directory)) == lies)
    }
}
