import Bytes
import JSON

extension JSONObject {
    /// Reads an answer; nil for anything but a JSON object.
    init?(answer body: Span<UInt8>) {
        let options = JSONOptions(allowsComments: false, depthLimit: 32)
        guard let document = try? JSONDocument(parsing: [UInt8](copying: body), options: options),
            document.trailing == nil, case .object(let object) = document.root.content
        else { return nil }
        self = object
    }
}

extension PutRecordOutput {
    /// Reads an answer; nil if it names no record.
    init?(_ answer: JSONObject) {
        guard let recordId = answer.string("RecordId") else { return nil }
        self.init(encrypted: answer.bool("Encrypted"), recordId: recordId)
    }
}

extension PutRecordBatchOutput {
    /// Reads an answer; nil if it is not about this many records.
    init?(_ answer: JSONObject, of count: Int) {
        guard let values = answer.array("RequestResponses"), values.count == count else { return nil }
        let entries = values.compactMap { FirehoseClientTypes.PutRecordBatchResponseEntry($0) }
        let refusedCount = entries.count { $0.errorCode != nil }
        // A count that promises more refusals than are listed leaves open which.
        guard entries.count == count, answer.integer("FailedPutCount") ?? 0 <= refusedCount else { return nil }
        self.init(encrypted: answer.bool("Encrypted"), failedPutCount: refusedCount, requestResponses: entries)
    }
}

extension FirehoseClientTypes.PutRecordBatchResponseEntry {
    fileprivate init?(_ value: JSONValue) {
        guard case .object(let entry) = value.content else { return nil }
        self.init(
            errorCode: entry.string("ErrorCode"),
            errorMessage: entry.string("ErrorMessage"),
            recordId: entry.string("RecordId")
        )
    }
}

extension ListDeliveryStreamsOutput {
    /// Reads an answer; nil if it has no list.
    init?(_ answer: JSONObject) {
        guard let names = answer.array("DeliveryStreamNames") else { return nil }
        self.init(
            deliveryStreamNames: names.compactMap(\.string),
            hasMoreDeliveryStreams: answer.bool("HasMoreDeliveryStreams")
        )
    }
}

extension DescribeDeliveryStreamOutput {
    /// Reads an answer; nil if it describes nothing.
    init?(_ answer: JSONObject) {
        guard let description = answer.object("DeliveryStreamDescription") else { return nil }
        self.init(deliveryStreamDescription: FirehoseClientTypes.DeliveryStreamDescription(description))
    }
}
