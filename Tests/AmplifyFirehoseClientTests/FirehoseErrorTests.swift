import AmplifyFirehoseClient
import Testing

struct FirehoseErrorTests {
    private struct Cause: Error {}

    @Test func `every case gives its three parts`() {
        let errors: [FirehoseError] = [
            .validation("what", "do", Cause()), .cacheLimitExceeded("what", "do", Cause()),
            .cache("what", "do", Cause()), .unknown("what", "do", Cause()),
        ]
        for error in errors {
            #expect(error.errorDescription == "what")
            #expect(error.recoverySuggestion == "do")
            #expect(error.underlyingError is Cause)
            #expect("\(error)" == "what; do")
        }
        #expect(FirehoseError.cache("what", "do").underlyingError == nil)
    }
}
