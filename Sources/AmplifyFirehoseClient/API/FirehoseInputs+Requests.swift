import AWS
import Bytes
import Firehose
import FoundationEssentials
import Records

extension PutRecordInput {
    /// The request, if it is within the limits.
    func request() throws(FirehoseClientError) -> FirehoseRequest {
        let stream = try Checks.streamName(deliveryStreamName, "deliveryStreamName")
        guard let record else { throw Checks.missing("record") }
        let data = try Checks.data(of: record, "record")
        var encoded: [UInt8] = []
        encoded.append(base64: data.span)
        var body = RequestBody()
        body.add("DeliveryStreamName", text: stream.text)
        body.add("Record", json: Array("{\"Data\":\"".utf8) + encoded + Array("\"}".utf8))
        return .json(.putRecord, body: body.finished)
    }
}

extension PutRecordBatchInput {
    /// The request, if it is within the limits.
    func request() throws(FirehoseClientError) -> FirehoseRequest {
        let stream = try Checks.streamName(deliveryStreamName, "deliveryStreamName")
        guard let records else { throw Checks.missing("records") }
        guard (1...FirehoseLimits.batchRecords).contains(records.count) else {
            throw .validation("records has \(records.count) elements; expected 1 to \(FirehoseLimits.batchRecords)")
        }
        var batch = RecordBatch()
        batch.reserve(bytes: records.reduce(0) { $0 + ($1.data?.count ?? 0) }, records: records.count)
        for (index, record) in records.enumerated() {
            batch.append(try Checks.data(of: record, "records[\(index)]").span)
        }
        guard batch.bytes.count <= FirehoseLimits.batchBytes else {
            let limit = FirehoseLimits.batchBytes
            throw .validation("records has \(batch.bytes.count) bytes of data in all; expected at most \(limit)")
        }
        return .batch(batch, to: stream)
    }
}

extension DescribeDeliveryStreamInput {
    /// The request, if it is within the limits.
    func request() throws(FirehoseClientError) -> FirehoseRequest {
        var body = RequestBody()
        body.add("DeliveryStreamName", text: try Checks.streamName(deliveryStreamName, "deliveryStreamName").text)
        if let limit { body.add("Limit", number: try Checks.limit(limit)) }
        if let id = exclusiveStartDestinationId {
            guard (1...100).contains(id.utf8.count), id.utf8.allSatisfy(\.isInDestinationID) else {
                throw .validation(
                    "exclusiveStartDestinationId is \(Checks.shown(id)); expected 1 to 100 letters, digits and hyphens"
                )
            }
            body.add("ExclusiveStartDestinationId", text: id)
        }
        return .json(.describeDeliveryStream, body: body.finished)
    }
}

extension ListDeliveryStreamsInput {
    /// The request, if it is within the limits.
    func request() throws(FirehoseClientError) -> FirehoseRequest {
        var body = RequestBody()
        if let type = deliveryStreamType { body.add("DeliveryStreamType", text: type.rawValue) }
        if let limit { body.add("Limit", number: try Checks.limit(limit)) }
        if let name = exclusiveStartDeliveryStreamName {
            let name = try Checks.streamName(name, "exclusiveStartDeliveryStreamName")
            body.add("ExclusiveStartDeliveryStreamName", text: name.text)
        }
        return .json(.listDeliveryStreams, body: body.finished)
    }
}

/// The limits of the service, checked before anything is sent.
private enum Checks {
    static func missing(_ name: String) -> FirehoseClientError {
        .validation("\(name) is missing; expected a value")
    }

    static func streamName(_ text: String?, _ name: String) throws(FirehoseClientError) -> StreamName {
        guard let text else { throw missing(name) }
        guard let stream = StreamName(text) else {
            throw .validation("\(name) is \(shown(text)); expected 1 to 64 letters, digits, '_', '.' and '-'")
        }
        return stream
    }

    static func data(of record: FirehoseClientTypes.Record, _ name: String) throws(FirehoseClientError) -> Data {
        guard let data = record.data else { throw missing("\(name).data") }
        guard data.count <= FirehoseLimits.recordBytes else {
            throw .validation(
                "\(name).data has \(data.count) bytes; expected at most \(FirehoseLimits.recordBytes)"
            )
        }
        return data
    }

    static func limit(_ number: Int) throws(FirehoseClientError) -> Int {
        guard (1...10_000).contains(number) else {
            throw .validation("limit is \(number); expected 1 to 10,000")
        }
        return number
    }

    /// A name as it can stand in a line of a log, cut where it is far too long.
    static func shown(_ text: String) -> String {
        let length = text.count > 100 ? " and so on, \(text.count) characters" : ""
        return "'\(LogText.printable(text, limit: 100))'\(length)"
    }
}

extension UInt8 {
    fileprivate var isInDestinationID: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// A JSON object as it grows, member by member.
private struct RequestBody {
    private var bytes = Array("{".utf8)

    /// The whole object.
    var finished: [UInt8] { bytes + Array("}".utf8) }

    mutating func add(_ name: String, text: String) {
        add(name, json: Self.quoted(text))
    }

    mutating func add(_ name: String, number: Int) {
        add(name, json: Array("\(number)".utf8))
    }

    mutating func add(_ name: String, json: [UInt8]) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes += Self.quoted(name)
        bytes.append(UInt8(ascii: ":"))
        bytes += json
    }

    private static func quoted(_ text: String) -> [UInt8] {
        var quoted = Array("\"".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: quoted += Array("\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: quoted.append(byte)
            }
        }
        return quoted + Array("\"".utf8)
    }
}
