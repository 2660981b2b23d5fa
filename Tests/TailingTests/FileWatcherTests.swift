import Foundation
import Platform
import Records
import Tailing
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(1))) struct FileWatcherTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> Path { Path(directory.path(name)) }

    private func identity(_ name: String) throws -> FileIdentity {
        let status = try FileStatus(of: directory.path(name))
        return FileIdentity(device: status.device, inode: status.inode)
    }

    private func open(_ name: String) throws -> FileHandle {
        try FileHandle(forReadingFrom: URL(filePath: directory.path(name)))
    }

    @Test func `tells which file was written to`() throws {
        var watcher = FileWatcher()
        try directory.append("1", to: "a")
        try directory.append("1", to: "b")
        let (a, b) = (try open("a"), try open("b"))
        #expect(watcher.watch(1, descriptor: a.fileDescriptor) == nil)
        #expect(watcher.watch(2, descriptor: b.fileDescriptor) == nil)
        #expect(watcher.watchCount == 2 && !watcher.hasPolled)
        try directory.append("2", to: "b")
        let news = watcher.takeNews()
        #expect(news.files == [2] && news.written == [2] && news.directories == [])
        #expect(watcher.takeNews() == FileWatcher.News())
    }

    @Test(arguments: ["rename", "delete", "replace", "chmod"])
    func `tells that something else happened to a file, also under its new name`(what: String) throws {
        var watcher = FileWatcher()
        try directory.append("1", to: "a")
        try directory.append("1", to: "other")
        let a = try open("a")
        _ = watcher.watch(1, descriptor: a.fileDescriptor)
        switch what {
        case "rename": try directory.rename("a", to: "b")
        case "delete": try directory.unlink("a")
        case "replace": try directory.rename("other", to: "a")
        default: try directory.setMode("a", 0o600)
        }
        let news = watcher.takeNews()
        #expect(news.files == [1] && news.written == [])
        if what == "rename" {
            try directory.append("2", to: "b")
            #expect(watcher.takeNews().written == [1])
        }
    }

    @Test func `one file can be watched for several, until the last is forgotten`() throws {
        var watcher = FileWatcher()
        try directory.append("1", to: "a")
        let (first, second) = (try open("a"), try open("a"))
        _ = watcher.watch(1, descriptor: first.fileDescriptor)
        _ = watcher.watch(2, descriptor: second.fileDescriptor)
        try directory.append("2", to: "a")
        #expect(watcher.takeNews().files == [1, 2])
        watcher.forget(1)
        try directory.append("3", to: "a")
        #expect(watcher.takeNews().files == [2])
        watcher.forget(2)
        try directory.append("4", to: "a")
        #expect(watcher.takeNews() == FileWatcher.News() && watcher.watchCount == 0)
    }

    @Test func `forgets a closed file that is deleted, and says so once`() throws {
        var watcher = FileWatcher()
        try directory.append("1", to: "a")
        do {
            let a = try open("a")
            _ = watcher.watch(1, descriptor: a.fileDescriptor)
            try a.close()
        }
        try directory.unlink("a")
        #expect(watcher.takeNews().files == [1])
        #expect(watcher.watchCount == 0)
    }

    // MARK: Directories

    @Test func `tells in which directory names came and went`() throws {
        var watcher = FileWatcher()
        try directory.makeDirectory("d")
        try directory.makeDirectory("e")
        for name in ["d", "e"] { #expect(try watcher.watch(path(name), opened: Directory(opening: path(name))) == nil) }
        #expect(watcher.knownDirectories == [try identity("d"), try identity("e")])
        try directory.append("1", to: "d/a")
        #expect(watcher.takeNews().directories == [path("d")])
        try directory.rename("d/a", to: "e/a")
        #expect(watcher.takeNews().directories == [path("d"), path("e")])
        try directory.unlink("e/a")
        #expect(watcher.takeNews().directories == [path("e")])
    }

    @Test func `a directory that is known by two names has news under both`() throws {
        var watcher = FileWatcher()
        try directory.makeDirectory("d")
        try directory.link("l", to: directory.path("d"))
        for name in ["d", "l"] { _ = try watcher.watch(path(name), opened: Directory(opening: path(name))) }
        #expect(watcher.watchCount == 1)
        try directory.append("1", to: "d/a")
        #expect(watcher.takeNews().directories == [path("d"), path("l")])
        watcher.keepDirectories([path("d")])
        try directory.append("1", to: "d/b")
        #expect(watcher.takeNews().directories == [path("d")])
        watcher.keepDirectories([])
        try directory.append("1", to: "d/c")
        #expect(watcher.takeNews() == FileWatcher.News() && watcher.watchCount == 0)
    }

    @Test func `a link that leads elsewhere is watched there`() throws {
        var watcher = FileWatcher()
        try directory.makeDirectory("1")
        try directory.makeDirectory("2")
        try directory.link("l", to: directory.path("1"))
        _ = try watcher.watch(path("l"), opened: Directory(opening: path("l")))
        try directory.link("l", to: directory.path("2"))
        _ = try watcher.watch(path("l"), opened: Directory(opening: path("l")))
        #expect(try watcher.watchCount == 1 && watcher.knownDirectories == [identity("2")])
        _ = watcher.takeNews()
        try directory.append("1", to: "1/a")
        #expect(watcher.takeNews().directories == [])
        try directory.append("1", to: "2/a")
        #expect(watcher.takeNews().directories == [path("l")])
    }

    @Test func `a renamed directory and what is in it is not known any more`() throws {
        var watcher = FileWatcher()
        try directory.makeDirectory("d/sub")
        try directory.makeDirectory("dd")
        for name in ["d", "d/sub", "dd"] { _ = try watcher.watch(path(name), opened: Directory(opening: path(name))) }
        try directory.rename("d", to: "e")
        #expect(watcher.takeNews().directories == [path("d")])
        #expect(try watcher.knownDirectories == [identity("dd")] && watcher.watchCount == 1)
    }

    @Test func `a deleted directory is not known any more, nor is its successor`() throws {
        var watcher = FileWatcher()
        try directory.makeDirectory("d")
        _ = try watcher.watch(path("d"), opened: Directory(opening: path("d")))
        try directory.remove("d")
        #expect(watcher.takeNews().directories == [path("d")])
        #expect(watcher.knownDirectories == [] && watcher.watchCount == 0)
        try directory.makeDirectory("d")
        _ = try watcher.watch(path("d"), opened: Directory(opening: path("d")))
        try directory.append("1", to: "d/a")
        #expect(watcher.takeNews().directories == [path("d")])
    }

    @Test func `of a directory that was replaced while it was looked through there is news`() throws {
        var watcher = FileWatcher()
        try directory.makeDirectory("d")
        do {
            let opened = try Directory(opening: path("d"))
            try directory.remove("d")
            try directory.makeDirectory("d")
            try directory.append("1", to: "d/a")
            #expect(watcher.watch(path("d"), opened: opened) == nil)
            #expect(watcher.takeNews().directories == [])
        }
        // Its end is heard of when nobody holds it any more.
        #expect(watcher.takeNews().directories == [path("d")])
        #expect(watcher.knownDirectories == [] && watcher.watchCount == 0)
    }

    // MARK: Shortages

    @Test func `what has no watch is polled, and the reason is given once`() throws {
        var watcher = FileWatcher(inotify: nil)
        try directory.append("1", to: "a")
        let a = try open("a")
        #expect(watcher.watch(1, descriptor: a.fileDescriptor) == .instances)
        #expect(watcher.watch(1, descriptor: a.fileDescriptor) == nil)
        #expect(try watcher.watch(path(""), opened: Directory(opening: path(""))) == .instances)
        #expect(try watcher.watch(path(""), opened: Directory(opening: path(""))) == nil)
        #expect(watcher.polledFiles == [1: .instances] && watcher.hasPolled)
        #expect(watcher.polledDirectories == [path(""): .instances])
        #expect(watcher.knownDirectories == [try identity("")])
        #expect(watcher.takeNews() == FileWatcher.News())
        watcher.forget(1)
        watcher.keepDirectories([])
        #expect(watcher.hasPolled == false)
    }

    @Test func `a watch that becomes free is used`() throws {
        var watcher = FileWatcher(maxWatches: 1)
        try directory.append("1", to: "a")
        try directory.append("1", to: "b")
        let (a, b) = (try open("a"), try open("b"))
        #expect(watcher.watch(1, descriptor: a.fileDescriptor) == nil)
        #expect(watcher.watch(2, descriptor: b.fileDescriptor) == .watches)
        #expect(try watcher.watch(path(""), opened: Directory(opening: path(""))) == .watches)
        watcher.forget(1)
        #expect(watcher.watch(2, descriptor: b.fileDescriptor) == nil)
        #expect(watcher.polledFiles == [:] && watcher.polledDirectories == [path(""): .watches])
        try directory.append("1", to: "b")
        #expect(watcher.takeNews().files == [2])
    }

    @Test func `traces a name back over two looks`() throws {
        var watcher = FileWatcher()
        #expect(try watcher.watch(path("."), opened: Directory(opening: path("."))) == nil)
        try directory.append("1", to: "a.log")
        try directory.rename("a.log", to: "a.log.1")
        #expect(watcher.takeNews().renamed.formerNames == [path("./a.log.1"): [path("./a.log")]])
        // Before anybody could look at it under that name, it has the next one.
        try directory.rename("a.log.1", to: "a.log.2")
        let names = watcher.takeNews().renamed.formerNames
        #expect(names == [path("./a.log.2"): [path("./a.log"), path("./a.log.1")]])
        #expect(watcher.takeNews() == FileWatcher.News())
    }

    @Test func `says when more happened than the kernel keeps`() throws {
        var watcher = FileWatcher()
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let events = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
        for name in ["a", "b"] { try directory.append("1", to: name) }
        let descriptors = try ["a", "b"].map { name in try FileHandle(forWritingTo: URL(filePath: directory.path(name)))
        }
        let (a, b) = (try open("a"), try open("b"))
        _ = watcher.watch(1, descriptor: a.fileDescriptor)
        _ = watcher.watch(2, descriptor: b.fileDescriptor)
        // Two files in turn: the kernel joins equal events that follow each other.
        for index in 0...events { try descriptors[index % 2].write(contentsOf: [1]) }
        #expect(watcher.takeNews().hasOverflowed)
        #expect(!watcher.takeNews().hasOverflowed)
    }

    @Test func `waiting ends with news and with the bell`() throws {
        var watcher = FileWatcher()
        let doorbell = try Doorbell()
        try directory.append("1", to: "a")
        let a = try open("a")
        _ = watcher.watch(1, descriptor: a.fileDescriptor)
        doorbell.ring()
        watcher.wait(for: doorbell, atMost: nil)
        try directory.append("1", to: "a")
        watcher.wait(for: doorbell, atMost: nil)
        #expect(watcher.takeNews().files == [1])
        watcher.wait(for: doorbell, atMost: .zero)
    }
}
