import Testing

@testable import AWS
@testable import CredentialSources

@Suite struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2021-09-21T18:41:26Z", 1_632_249_686),
        ("2022-05-02T18:36:00+00:00", 1_651_516_560),
        ("2022-05-02T18:36:00.123456Z", 1_651_516_560), ("2022-05-02T20:36:00+02:00", 1_651_516_560),
        ("2022-05-02 13:06:00-0530", 1_651_516_560), ("2000-02-29T00:00:00Z", 951_782_400),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func `a time is read`(text: String, seconds: Int) {
        #expect(Timestamp.time(text) == .seconds(seconds))
    }

    @Test(arguments: [
        "", "soon", "2021-09-21", "2021-09-21T18:41:26", "2021-9-21T18:41:26Z", "2021-02-29T00:00:00Z",
        "2021-13-01T00:00:00Z",
        "2021-09-21T24:00:00Z", "2021-09-21T18:60:00Z", "2021-09-21T18:41:26Zx", "2021-09-21T18:41:26+1", "1632249686",
        "2021-09-21T18:41:26+", "٢٠٢١-09-21T18:41:26Z", "1969-12-31T23:59:59Z",
    ])
    func `what is no time is not one`(text: String) {
        #expect(Timestamp.time(text) == nil)
    }
}
