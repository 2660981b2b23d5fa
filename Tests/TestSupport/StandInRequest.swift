import Foundation

extension FirehoseStandIn.Request {
    /// Fills in the stream and the records.
    ///
    /// - Returns: what the service would answer if the request breaks its rules.
    mutating func decode() -> StandInAnswer? {
        guard headers["content-type"] == "application/x-amz-json-1.1",
            let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        else { return .fail(status: 400, code: "SerializationException", message: "not a JSON object") }
        stream = object["DeliveryStreamName"] as? String ?? ""
        switch operation {
        case "PutRecordBatch": return decode(object["Records"] as? [[String: String]], of: stream)
        case "PutRecord": return decode((object["Record"] as? [String: String]).map { [$0] }, of: stream)
        case "DescribeDeliveryStream", "ListDeliveryStreams": return nil
        default: return .fail(status: 400, code: "InvalidAction", message: "unknown operation")
        }
    }

    private mutating func decode(_ entries: [[String: String]]?, of stream: String) -> StandInAnswer? {
        guard let entries, !stream.isEmpty else {
            return .fail(status: 400, code: "SerializationException", message: "not a \(operation)")
        }
        for entry in entries {
            guard entry.count == 1, let data = entry["Data"].flatMap({ Data(base64Encoded: $0) }) else {
                return .fail(status: 400, code: "SerializationException", message: "a record is not base64")
            }
            records.append([UInt8](data))
        }
        return violation
    }

    private var violation: StandInAnswer? {
        if !(1...500).contains(records.count) {
            return .fail(status: 400, code: "ValidationException", message: "1 to 500 records, not \(records.count)")
        }
        if records.contains(where: { $0.count > 1_024_000 }) {
            let message = "Member must have length less than or equal to 1024000"
            return .fail(status: 400, code: "ValidationException", message: message)
        }
        if records.reduce(0, { $0 + $1.count }) > 4_194_304 {
            let message = "Records size exceeds 4 MB limit"
            return .fail(status: 400, code: "InvalidArgumentException", message: message)
        }
        return nil
    }
}
