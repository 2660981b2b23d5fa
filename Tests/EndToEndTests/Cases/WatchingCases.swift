import Foundation
import TestSupport
import Testing

/// Where the kernel tells less than all.
@Suite(.timeLimit(.minutes(3))) struct WatchingCases {
    /// Runs an agent in a user namespace with a limit of its own.
    private static func limited(_ limit: String, to value: Int) -> [String] {
        let script = "echo \(value) > /proc/sys/user/\(limit) && exec \"$@\""
        return ["unshare", "--user", "--map-root-user", "sh", "-c", script, "sh"]
    }

    private static let mayLimit = (try? Scenario().run("unshare", "--user", "--map-root-user", "true")) != nil

    /// LS-012: fewer watches than files.
    @Test(.enabled(if: mayLimit, "the system lets nobody make a user namespace"))
    func `what cannot be watched is polled, and the setting to change is named once`() async throws {
        try await Scenario("*.log").run { story in
            for file in 0..<200 { try story.emit("\(file).log", file * 100...file * 100) }
            try await story.start(wrapper: Self.limited("max_inotify_watches", to: 50))
            try await story.settle()
            for file in 0..<220 { try story.emit("\(file).log", file * 100 + 1...file * 100 + 5) }
            try await story.settle(within: .seconds(20))
            #expect(story.log.ranges(of: "fs.inotify.max_user_watches").count == 1)
            #expect(!story.log.contains("No space left"))
            let balance = try await story.scene.balance()
            let watched = balance.files.filter { $0.polledBecause == nil }
            #expect((1...50).contains(watched.count) && watched.allSatisfy { !$0.polled })
            for file in balance.files where file.polled {
                #expect(file.polledBecause?.contains("fs.inotify.max_user_watches") == true)
            }
            let text = try await story.scene.askStatus().output
            #expect(text.contains("polled every second: \(220 - watched.count) files, such as "))
        }
    }

    /// LS-138: not a single instance.
    @Test(.enabled(if: mayLimit, "the system lets nobody make a user namespace"))
    func `without the kernel's help everything is polled`() async throws {
        try await Scenario("**/*.log").run { story in
            try await story.start(wrapper: Self.limited("max_inotify_instances", to: 0))
            try story.emit("a.log", 1...10)
            try story.makeDirectory("new/deep")
            try story.emit("new/deep/b.log", 11...20)
            try await story.settle(within: .seconds(20))
            try story.emit("a.log", 21...30)
            try story.move("a.log", to: "a.log.1")
            try story.emit("a.log", 31...40)
            try await story.settle(within: .seconds(20))
            #expect(story.log.ranges(of: "fs.inotify.max_user_instances").count == 1)
            let balance = try await story.scene.balance()
            #expect(balance.polledDirectories.map(\.path).contains(story.path("new/deep")))
            let reasons = balance.files.map(\.polledBecause) + balance.polledDirectories.map(\.polledBecause)
            #expect(reasons.allSatisfy { $0?.contains("fs.inotify.max_user_instances") == true })
        }
    }

    /// LS-138: what the agent itself takes.
    @Test func `a thousand files take one instance`() async throws {
        try await Scenario("*.log", flow: ["aggregatedRecordSizeBytes": 50_000]).run { story in
            for file in 0..<1_000 { try story.emit("\(file).log", file...file) }
            try await story.start()
            try await story.settle()
            #expect(story.openPaths.count { $0.contains("inotify") } == 1)
        }
    }

    /// LS-061: a file system that fails for a while.
    @Test(.enabled(if: PreloadedLibrary.isPossible, "there is no C compiler"), arguments: ["ESTALE", "EIO"])
    func `an error of the file system passes, and is said once`(error: String) async throws {
        let shim = try Shim(error)
        try await Scenario("*.log").run { story in
            story.scene.environment["LD_PRELOAD"] = shim.path
            try await story.start()
            try story.emit("a.log", 1...10)
            try story.emit("b.log", 101...110)
            try await story.settle()
            try shim.turn(on: true)
            try story.emit("a.log", 11...20)
            try story.emit("b.log", 111...120)
            try await story.running.wait(for: "the other file goes on") { story.sink.count == 30 }
            try await Task.sleep(for: .seconds(2))
            #expect(story.log.ranges(of: "a.log: cannot be read").count == 1)
            try shim.turn(on: false)
            try await story.settle(within: .seconds(10))
        }
    }

    enum Way: CaseIterable { case mapped, copied, sparse, renamedOver, hardLinked }

    /// LS-115: growth of which the kernel tells little or nothing.
    @Test(arguments: Way.allCases) func `however a file grows, all of it is read`(way: Way) async throws {
        try await Scenario("*.log").run { story in
            try await story.start()
            try story.emit("a.log", 0...0)
            try await story.settle()
            for round in 1...20 { try grow(way, round * 10...round * 10 + 9, story) }
            try await story.settle(within: .seconds(20))
        }
    }

    private func grow(_ way: Way, _ numbers: ClosedRange<Int>, _ story: Scenario) throws {
        switch way {
        case .mapped: try growMapped(numbers, story)
        case .copied:
            try story.emit("source", numbers)
            try story.run("sh", "-c", "cat '\(story.path("source"))' >> '\(story.path("a.log"))'")
            try story.remove("source")
        case .sparse:
            let log = try OpenLog(story.path("a.log"))
            let text = numbers.map { story.ledger.line($0, in: log.identity) }.joined()
            var status = stat()
            fstat(log.descriptor, &status)
            ftruncate(log.descriptor, status.st_size + text.utf8.count)
            usleep(20_000)
            let file = open(story.path("a.log"), O_WRONLY | O_CLOEXEC)
            defer { close(file) }
            #expect(pwrite(file, Array(text.utf8), text.utf8.count, status.st_size) == text.utf8.count)
        case .renamedOver, .hardLinked:
            try story.emit("next", numbers)
            if way == .renamedOver {
                // What is replaced by the next round is to be open by then.
                try story.move("next", to: "a.log")
                usleep(300_000)
            } else {
                try story.directory.hardLink("logs/\(numbers.lowerBound).log", to: "logs/next")
                try story.remove("next")
            }
        }
    }

    private func growMapped(_ numbers: ClosedRange<Int>, _ story: Scenario) throws {
        let log = try OpenLog(story.path("a.log"))
        let text = Array(numbers.map { story.ledger.line($0, in: log.identity) }.joined().utf8)
        var status = stat()
        fstat(log.descriptor, &status)
        let file = open(story.path("a.log"), O_RDWR | O_CLOEXEC)
        defer { close(file) }
        let size = status.st_size + text.count
        ftruncate(file, size)
        usleep(20_000)
        guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) else { return }
        memory.advanced(by: status.st_size).copyMemory(from: text, byteCount: text.count)
        msync(memory, size, MS_SYNC)
        munmap(memory, size)
    }

    /// LS-116: what is written on another host, or below the mount, of which no event tells.
    @Test(.enabled(if: Overlay.isPossible, "mounting takes root"))
    func `what is written behind a mount is found without events`() async throws {
        try await Scenario("merged/*.log").run { story in
            try story.makeDirectory("lower")
            try story.emit("lower/a.log", 1...10)
            let overlay = try Overlay(story)
            try await story.start()
            try await story.settle()
            try story.emit("lower/a.log", 11...20)
            try await story.settle(within: .seconds(20))
            // Now the file is copied up, and the one that is open is not the one that grows.
            try story.emit("merged/a.log", 21...30)
            try await story.settle(within: .seconds(20))
            try story.emit("merged/b.log", 31...40)
            try await story.settle(within: .seconds(20))
            try await story.stop()
            _ = consume overlay
        }
    }

    /// LS-033: one file is mounted, as into a container, and rotated or deleted where it comes from.
    @Test(.enabled(if: FileMount.isPossible, "mounting takes root"), arguments: ["rename", "delete"])
    func `one file that is mounted is read for as long as it grows, and a warning says what that misses`(
        way: String
    ) async throws {
        try await Scenario("app.log").run { story in
            try story.makeDirectory("host")
            try story.emit("host/app.log", 1...10)
            let mount = try FileMount(of: "host/app.log", at: "app.log", story)
            try await story.start()
            try await story.settle()
            let writer = try OpenLog(story.path("host/app.log"))
            if way == "rename" {
                try story.move("host/app.log", to: "host/app.log.1")
            } else {
                try story.remove("host/app.log")
            }
            // The mount does not lead there.
            try story.emit("host/app.log", 11...20)
            story.ledger.forget(11...20)
            for number in 21...23 {
                try writer.write(story.ledger.line(number, in: writer.identity))
                try await story.settle()
            }
            #expect(story.log.ranges(of: "mount the directory that it lies in instead").count == 1)
            #expect(!story.log.contains("reading it to its end"))
            #expect(try await story.scene.balance().files.map(\.mountedAlone) == [true])
            try await story.stop()
            try await story.session { try writer.write(story.ledger.line(24, in: writer.identity)) }
            _ = consume mount
        }
    }

    /// LS-127: more events than the kernel keeps.
    @Test(arguments: ["*.log", "*.log*"])
    func `lost events are made good by looking at everything`(pattern: String) async throws {
        try await Scenario(pattern).run { story in
            for file in 0..<100 { try story.emit("\(file).log", file * 1_000...file * 1_000) }
            try await story.start()
            try await story.settle()
            try story.pausing {
                for round in 1...200 {
                    for file in 0..<100 { try story.emit("\(file).log", file * 1_000 + round...file * 1_000 + round) }
                }
                for file in 0..<20 {
                    try story.move("\(file).log", to: "\(file).log.1")
                    try story.emit("\(file).log", file * 1_000 + 300...file * 1_000 + 310)
                }
                for file in 20..<30 {
                    story.ledger.doubt(file * 1_000 + 1...file * 1_000 + 200)
                    try story.overwrite("\(file).log", with: file * 1_000 + 300...file * 1_000 + 310)
                }
                for file in 100..<130 { try story.emit("\(file).log", file * 1_000...file * 1_000 + 10) }
                // One that is rotated twice: the generation between is known to nobody.
                for generation in 1...2 {
                    try story.move("30.log", to: "30.log.\(generation)")
                    try story.emit("30.log", 30_300 + generation * 10...30_305 + generation * 10)
                }
            }
            try await story.settle()
            #expect(story.log.contains("overflowed"))
        }
    }

    /// LS-170: a file system is mounted over the logs while the agent runs, and goes again.
    @Test(.enabled(if: SmallDisk.isPossible, "mounting takes root"), arguments: ["*.log", "**/*.log", "sub/a.log"])
    func `a file system that is mounted over the logs is noticed`(pattern: String) async throws {
        let directory = pattern.hasPrefix("sub") ? "sub/" : ""
        try await Scenario(pattern).run { story in
            try story.makeDirectory("sub")
            try await story.start()
            try story.emit("\(directory)a.log", 1...10)
            try await story.settle()
            #expect(mount("tmpfs", story.path("."), "tmpfs", 0, "size=1m") == 0)
            do {
                defer { umount2(story.path("."), Int32(MNT_DETACH)) }
                try story.makeDirectory("sub")
                try story.emit("\(directory)a.log", 11...20)
                try await story.settle(within: .seconds(20))
            }
            try story.emit("\(directory)a.log", 21...30)
            try await story.settle(within: .seconds(20))
        }
    }
}

/// A library that makes reading `a.log` fail while it is turned on.
private struct Shim {
    private let library: PreloadedLibrary

    var path: String { library.path }

    init(_ error: String) throws {
        library = try PreloadedLibrary { directory in
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <errno.h>
            #include <stdio.h>
            #include <string.h>
            #include <unistd.h>
            ssize_t pread(int file, void *buffer, size_t count, off_t offset) {
                static ssize_t (*real)(int, void *, size_t, off_t);
                if (!real) real = dlsym(RTLD_NEXT, "pread");
                if (access("\(directory.path("on"))", F_OK) == 0) {
                    char link[64], path[4096];
                    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
                    ssize_t length = readlink(link, path, sizeof path - 1);
                    if (length > 6 && memcmp(path + length - 6, "/a.log", 6) == 0) { errno = \(error); return -1; }
                }
                return real(file, buffer, count, offset);
            }
            ssize_t pread64(int file, void *buffer, size_t count, off_t offset) {
                return pread(file, buffer, count, offset);
            }
            """
        }
    }

    func turn(on: Bool) throws {
        if on { try library.directory.append("", to: "on") } else { try library.directory.unlink("on") }
    }
}

/// A mount of one file, as containers have it.
private final class FileMount {
    private let path: String

    static let isPossible: Bool = {
        guard let story = try? Scenario(), (try? story.emit("file", 1...1)) != nil else { return false }
        return (try? FileMount(of: "file", at: "mounted", story)) != nil
    }()

    init(of source: String, at name: String, _ story: Scenario) throws {
        path = story.path(name)
        try story.directory.append("", to: "logs/\(name)")
        guard mount(story.path(source), path, nil, UInt(MS_BIND), nil) == 0 else { throw POSIXError(.EPERM) }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}

/// A mount that shows what lies in another directory, which tells nothing of what happens there.
private final class Overlay {
    private let path: String

    static let isPossible: Bool = {
        guard let story = try? Scenario(), (try? story.makeDirectory("lower")) != nil else { return false }
        return (try? Overlay(story)) != nil
    }()

    init(_ story: Scenario) throws {
        for name in ["upper", "work", "merged"] { try story.makeDirectory(name) }
        path = story.path("merged")
        let layers = ["lower", "upper", "work"].map { "\($0)dir=\(story.path($0))" }.joined(separator: ",")
        guard mount("overlay", path, "overlay", 0, layers) == 0 else { throw POSIXError(.EPERM) }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
