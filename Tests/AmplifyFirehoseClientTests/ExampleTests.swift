import Foundation
import TestSupport
import Testing

/// The example package's program, as a user runs it.
struct ExampleTests {
    private func start(_ scene: ClientScene, preloading library: PreloadedLibrary? = nil) throws -> Program {
        var environment = [
            "AWS_ENDPOINT_URL_FIREHOSE": scene.service.url, "XDG_STATE_HOME": scene.directory.path,
            "AWS_ACCESS_KEY_ID": "AKIDTEST", "AWS_SECRET_ACCESS_KEY": "secret",
        ]
        environment["LD_PRELOAD"] = library?.path
        return try Program([Program.built("firehose-client-example"), "my-stream"], environment: environment)
    }

    @Test(.enabled(if: PreloadedLibrary.isPossible, "there is no C compiler"))
    func `a record is synced to the disk before record returns`() async throws {
        let scene = try ClientScene()
        // The program flushes what it has recorded; so the record must be synced before it connects to the service.
        let library = try PreloadedLibrary(notingSyncsAndSends)
        let example = try start(scene, preloading: library)
        _ = try await example.exit()
        let calls = text(try library.directory.contents(of: "calls")).split(separator: "\n").map(String.init)
        let firstSend = try #require(calls.firstIndex(of: "send"))
        let written = try #require(calls[..<firstSend].lastIndex(of: "write"))
        let synced = try #require(calls[..<firstSend].lastIndex(of: "sync"))
        #expect(written < synced, "\(calls.prefix(firstSend + 1))")
    }

    /// Notes each write to the write-ahead log and each sync of it, and each connection that is made.
    private func notingSyncsAndSends(_ directory: TemporaryDirectory) -> String {
        """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <stdio.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <sys/uio.h>
        #include <unistd.h>
        static void note(const char *call) {
            int file = open("\(directory.path("calls"))", O_WRONLY | O_CREAT | O_APPEND, 0600);
            ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
            real(file, call, strlen(call));
            close(file);
        }
        static int is_log(int file) {
            char link[64], path[4096];
            snprintf(link, sizeof link, "/proc/self/fd/%d", file);
            ssize_t length = readlink(link, path, sizeof path);
            return length > 4 && memcmp(path + length - 4, "-wal", 4) == 0;
        }
        int fdatasync(int file) {
            int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
            int result = real(file);
            if (is_log(file)) note("sync\\n");
            return result;
        }
        int fsync(int file) {
            int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
            int result = real(file);
            if (is_log(file)) note("sync\\n");
            return result;
        }
        ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
            ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
            if (is_log(file)) note("write\\n");
            return real(file, bytes, count, offset);
        }
        int connect(int socket, const struct sockaddr *address, socklen_t length) {
            int (*real)(int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "connect");
            if (address->sa_family == AF_INET) note("send\\n");
            return real(socket, address, length);
        }
        """
    }

    @Test func `a second process on the same cache is refused and told who has it`() async throws {
        let scene = try ClientScene()
        let client = try scene.client { $0.cachePath = scene.directory.path("firehose-client/us-east-1.db") }
        let example = try start(scene)
        #expect(try await example.exit() != .code(0))
        #expect(example.log.contains("in use by process \(ProcessInfo.processInfo.processIdentifier)"))
        await client.close()
        #expect(try await start(scene).exit() == .code(0))
    }

    @Test func `the example runs from its first record to its last`() async throws {
        let scene = try ClientScene()
        let example = try start(scene)
        #expect(try await example.exit() == .code(0))
        #expect(
            example.output == """
                flushed 1 records, in progress: false
                cached: 1 record
                cleared 1 record
                the service calls it Rid

                """
        )
        #expect(scene.delivered("my-stream") == ["Hello Firehose\n", "past the cache\n"])
        #expect(FileManager.default.fileExists(atPath: scene.directory.path("firehose-client/us-east-1.db")))
    }
}
