import AmplifyFirehoseClient
import Foundation

/// What many tasks of a program that uses the library do: each records one record after the other.
func recordByClient(_ records: Int, tasks: Int) async -> Row {
    await SmallRecords.row(" client, \(tasks == 1 ? "1 task" : "\(tasks) tasks")", preparing: records) { directory in
        let client = try makeClient(in: directory)
        return {
            try await record(records, by: client, tasks: tasks)
            await client.close()
        }
    }
}

/// Flushes until nothing is cached; the server is in the same process, so its work is counted too.
func drainByClient(_ records: Int) async -> Row {
    await SmallRecords.row(" of \(records) by flush()", preparing: records) { directory in
        let sink = try CountingSink()
        let client = try makeClient(in: directory, sendingTo: sink.url)
        try await record(records, by: client, tasks: 100)
        return {
            while try await client.flush().recordsFlushed > 0 {}
            await client.close()
            withExtendedLifetime(sink) {}
        }
    }
}

private func makeClient(in directory: String, sendingTo url: String? = nil) throws -> AmplifyFirehoseClient {
    try AmplifyFirehoseClient(
        region: "us-east-1",
        credentialsProvider: StaticCredentialsProvider(accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret"),
        options: .init(
            cacheMaxBytes: Int.max,
            flushStrategy: .none,
            configureClient: { $0.endpoint = url },
            cachePath: directory + "/cache.db"
        )
    )
}

private func record(_ records: Int, by client: AmplifyFirehoseClient, tasks: Int) async throws {
    let data = Data(SmallRecords.payload)
    try await withThrowingTaskGroup { group in
        for task in 0..<tasks {
            let share = records / tasks + (task < records % tasks ? 1 : 0)
            group.addTask {
                for _ in 0..<share { try await client.record(data: data, streamName: SmallRecords.stream.text) }
            }
        }
        try await group.waitForAll()
    }
}
