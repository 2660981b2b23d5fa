import Firehose
import Records
import Testing

@Suite struct BatchAnswerTests {
    private static let throttle = Refusal(code: "ServiceUnavailableException", isThrottle: true)
    private static let internalFailure = Refusal(code: "InternalFailure", isThrottle: false)

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var body: String
        var delivery: Delivery?
    }

    @Test(arguments: [
        Case(
            testDescription: "two accepted",
            body: #"{"FailedPutCount":0,"Encrypted":false,"RequestResponses":[{"RecordId":"a"},{"RecordId":"b"}]}"#,
            delivery: .accepted
        ),
        Case(
            testDescription: "one refused",
            body: #"{"FailedPutCount":1,"RequestResponses":[{"RecordId":"a"},"#
                + #"{"ErrorCode":"ServiceUnavailableException","ErrorMessage":"Slow down."}]}"#,
            delivery: .partlyAccepted([nil, throttle])
        ),
        Case(
            testDescription: "all refused",
            body: #"{"FailedPutCount":2,"RequestResponses":[{"ErrorCode":"InternalFailure"},"#
                + #"{"ErrorMessage":"x","ErrorCode":"InternalFailure"}]}"#,
            delivery: .partlyAccepted([internalFailure, internalFailure])
        ),
        Case(
            testDescription: "any order, white space, unknown keys at any depth",
            body:
                "\r\n{ \"New\" : {\"RequestResponses\":[[],{\"ErrorCode\":\"x\"}], \"n\":-1.5e3}, \"RequestResponses\"\t:\n"
                + "[ { } , {\"More\":[null,true,false,\"]}\"], \"ErrorCode\" : \"InternalFailure\"} ] ,\n"
                + "\"FailedPutCount\" : 1 } \n",
            delivery: .partlyAccepted([nil, internalFailure])
        ),
        Case(
            testDescription: "escapes in keys and values",
            body:
                #"{"\u0052equestResponses":[{"ErrorCode":"Internal\u0046ailure"},{"RecordId":"\\\"},{\"ErrorCode\":\""}],"#
                + #""FailedPutCount":1}"#,
            delivery: .partlyAccepted([internalFailure, nil])
        ),
        Case(
            testDescription: "an error code of null is none",
            body: #"{"FailedPutCount":0,"RequestResponses":[{"RecordId":"a","ErrorCode":null},{"RecordId":"b"}]}"#,
            delivery: .accepted
        ),
        Case(testDescription: "a list too short", body: #"{"FailedPutCount":0,"RequestResponses":[{}]}"#),
        Case(testDescription: "a list too long", body: #"{"FailedPutCount":0,"RequestResponses":[{},{},{}]}"#),
        Case(testDescription: "more failures than listed", body: #"{"FailedPutCount":1,"RequestResponses":[{},{}]}"#),
        Case(testDescription: "no list", body: #"{"FailedPutCount":0}"#),
        Case(testDescription: "no object", body: #"[{},{}]"#),
        Case(testDescription: "an entry that is no object", body: #"{"FailedPutCount":0,"RequestResponses":[{},1]}"#),
        Case(testDescription: "something behind it", body: #"{"FailedPutCount":0,"RequestResponses":[{},{}]}}"#),
        Case(testDescription: "a word that means nothing", body: #"{"a":nul,"RequestResponses":[{},{}]}"#),
        Case(testDescription: "a comma too many", body: #"{"FailedPutCount":0,"RequestResponses":[{},{},]}"#),
        Case(testDescription: "empty", body: ""),
        Case(testDescription: "a page", body: "<html><body>502</body></html>"),
    ])
    func `tells what became of two records`(example: Case) {
        #expect(BatchAnswer(Array(example.body.utf8).span)?.delivery(of: 2) == example.delivery)
    }

    @Test func `an answer that ends too early is no answer`() {
        let whole = #"{"Encrypted":true,"RequestResponses":[{"RecordId":"a\\"},{"ErrorCode":"x"}],"FailedPutCount":1}"#
        let bytes = Array(whole.utf8)
        #expect(BatchAnswer(bytes.span) != nil)
        for length in bytes.indices {
            #expect(BatchAnswer(bytes.span.extracting(0..<length)) == nil, "\(length) bytes")
        }
    }

    @Test(arguments: [(30, true), (200, false), (1_000_000, false)])
    func `nesting is followed only so far`(depth: Int, isRead: Bool) {
        let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let body = #"{"x":\#(value),"RequestResponses":[]}"#
        #expect((BatchAnswer(Array(body.utf8).span) != nil) == isRead)
    }

    @Test func `a code cannot carry a line break into a log`() {
        let body = #"{"FailedPutCount":1,"RequestResponses":[{"ErrorCode":"a\nb\u001b[31m"}]}"#
        let delivery = BatchAnswer(Array(body.utf8).span)?.delivery(of: 1)
        #expect(delivery == .partlyAccepted([Refusal(code: "a?b?[31m", isThrottle: false)]))
    }
}
