import Records
import Testing

@testable import Firehose

@Suite struct ServiceErrorTests {
    @Test(
        arguments: [
            (
                nil, #"{"__type":"com.amazonaws.firehose#InvalidArgumentException","message":"m"}"#,
                "InvalidArgumentException", "m"
            ),
            (nil, #"{"message":"m","__type":"ThrottlingException"}"#, "ThrottlingException", "m"),
            (nil, #"{"code":"AccessDenied","Message":"m"}"#, "AccessDenied", "m"),
            (nil, #"{"code":17,"__type":"A","extra":{"__type":"B"},"message":null}"#, "A", ""),
            (
                "FromHeader:http://internal.amazon.com/coral/", #"{"__type":"FromBody","message":"m"}"#, "FromHeader",
                "m"
            ),
            ("a.b#FromHeader:http://x/y#z", "", "FromHeader", ""),
            ("", #"{"__type":"FromBody"}"#, "FromBody", ""),
            (nil, #"{"__type":"A","message":"caf\u00e9 \ud83d\ude00 \"q\" \/\\"}"#, "A", "café 😀 \"q\" /\\"),
            (nil, "<html>", nil, ""),
            (
                nil, "<?xml version=\"1.0\"?><Error><Code>SignatureDoesNotMatch</Code><Message>m</Message></Error>",
                "SignatureDoesNotMatch", "m"
            ),
            (nil, "<Error><Code></Code><Message>m</Message></Error>", nil, "m"),
            (nil, "<Error><Code>A</Error>", nil, ""),
            (nil, "</Code><Code>", nil, ""),
            (nil, "", nil, ""),
            (nil, #"{"__type":"A""#, nil, ""),
            (nil, "{}", nil, ""),
        ] as [(String?, String, String?, String)]
    )
    func `finds the code and the message`(header: String?, body: String, code: String?, message: String) {
        let error = ServiceError(status: 400, header: header, body: Array(body.utf8).span)
        #expect(error.code?.text == code)
        #expect(error.message == message)
    }

    @Test(
        arguments: [
            (500, "ServiceUnavailableException", "", .throttled),
            (503, "ServiceUnavailableException", "Slow down.", .throttled),
            (400, "ThrottlingException", "", .throttled),
            (400, "LimitExceededException", "", .throttled),
            (400, "KMSThrottlingException", "", .throttled),
            (429, nil, "", .throttled),
            (500, "InternalFailure", "", .unreachable),
            (500, nil, "", .unreachable),
            (502, nil, "", .unreachable),
            (503, "ServiceUnavailable", "", .unreachable),
            (504, nil, "", .unreachable),
            (408, nil, "", .unreachable),
            (400, "RequestTimeoutException", "", .unreachable),
            (400, nil, "", .unreachable),
            (302, nil, "", .unreachable),
            (204, nil, "", .unreachable),
            (403, "ExpiredTokenException", "", .credentials),
            (403, "InvalidClientTokenId", "", .credentials),
            (400, "UnrecognizedClientException", "", .credentials),
            (403, "SignatureDoesNotMatch", "", .credentials),
            (400, "RequestExpired", "", .credentials),
            (413, nil, "", .tooLarge),
            (400, "RequestEntityTooLargeException", "", .tooLarge),
            (400, "InvalidArgumentException", "Records size exceeds 4 MB limit", .tooLarge),
            (400, "ValidationException", "Member must have length less than or equal to 1024000", .tooLarge),
            (400, "ResourceNotFoundException", "the stream 4 MB", .configuration),
            (400, "AccessDeniedException", "", .configuration),
            (400, "InvalidKMSResourceException", "", .configuration),
            (400, "KMSDisabledException", "", .configuration),
            (400, "InvalidSourceException", "", .configuration),
            (403, "OptInRequired", "", .configuration),
            (403, nil, "", .configuration),
            (404, nil, "", .configuration),
            (400, "InvalidAction", "", .configuration),
            (400, "IncompleteSignature", "", .configuration),
            (400, "SomethingNew", "", .configuration),
            (400, "InvalidArgumentException", "no", .invalid),
            (400, "ValidationException", "no", .invalid),
            (400, "SerializationException", "", .invalid),
        ] as [(Int, String?, String, DeliveryFailure.Kind)]
    )
    func `says what the sender does about it`(
        status: Int,
        code: String?,
        message: String,
        kind: DeliveryFailure.Kind
    ) {
        let error = ServiceError(status: status, code: code.map { ErrorCode($0) }, message: message)
        #expect(error.failure(at: "here").kind == kind)
    }

    @Test func `the reason names the place, the code and the status`() {
        let denied = ServiceError(status: 400, code: ErrorCode("AccessDeniedException"), message: "not for\nyou")
        #expect(denied.failure(at: "here").reason == "here: AccessDeniedException (HTTP 400): not for?you")
        #expect(
            ServiceError(status: 502, code: nil).failure(at: "here").reason == "here: HTTP 502 without an error code"
        )
    }

    @Test func `the reason never quotes what may be a record, and is never long`() {
        let code = ErrorCode("ValidationException")
        let secret = ServiceError(status: 400, code: code, message: "Value 'top secret' at 'records'")
        #expect(!secret.failure(at: "here").reason.contains("secret"))
        let long = ServiceError(
            status: 500,
            code: ErrorCode(String(repeating: "A", count: 9999)),
            message: String(repeating: "m", count: 9999)
        )
        #expect(long.failure(at: "here").reason.count < 350)
    }

    @Test(
        arguments: [
            (nil, nil, nil), ("1500", "7", .milliseconds(1500)), (nil, "7", .seconds(7)), ("-1", nil, nil),
            ("x", "7", .seconds(7)),
            (nil, "Sun, 06 Nov 1994 08:49:37 GMT", nil), (nil, "99999999", .seconds(300)), ("0", nil, .zero),
        ] as [(String?, String?, Duration?)]
    )
    func `a wish to be left alone is heard within bounds`(milliseconds: String?, seconds: String?, wait: Duration?) {
        #expect(RetryAfter.duration(milliseconds: milliseconds, seconds: seconds) == wait)
    }
}
