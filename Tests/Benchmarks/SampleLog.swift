/// Log lines as a service writes them, about 160 bytes each: the same ones at every run.
struct SampleLog {
    /// What a tailer reads at a time.
    static let bufferBytes = 1_048_576

    private static let levels = ["INFO", "INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"]
    private static let components = ["http.server", "auth.session", "db.pool", "cache.store", "billing.invoice"]
    private static let messages = [
        "request completed method=GET path=/api/v2/orders/%d/items status=200 bytes=%d",
        "session renewed for user=%d expires_in=3600 remote=10.12.%d.7",
        "connection returned to pool=primary waiting=%d lifetime_ms=%d",
        "slow query took longer than expected table=customers rows=%d plan=%d retry=false",
        "upstream answered with an error upstream=inventory-%d attempt=%d will be tried again",
    ]

    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Makes whole lines, `byteCount` bytes or a line less.
    static func make(byteCount: Int = bufferBytes) -> [UInt8] {
        var log = SampleLog()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        while true {
            let line = log.line()
            guard bytes.count + line.utf8.count <= byteCount else { return bytes }
            bytes.append(contentsOf: line.utf8)
        }
    }

    private mutating func line() -> String {
        let time =
            "2031-04-\(two(1 + number(28)))T\(two(number(24))):\(two(number(60))):\(two(number(60))).\(100 + number(900))Z"
        let trace = String(UInt64(number(.max)), radix: 16) + String(UInt64(number(.max)), radix: 16)
        var message = ""
        for part in pick(Self.messages).split(separator: "%d", omittingEmptySubsequences: false) {
            message += message.isEmpty ? "\(part)" : "\(number(90_000))\(part)"
        }
        return "\(time) \(pick(Self.levels)) [\(pick(Self.components))] trace=\(trace) \(message)\n"
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private mutating func pick(_ choices: [String]) -> String { choices[number(choices.count)] }

    /// The next number below `bound` (xorshift, so that it never changes with the library).
    private mutating func number(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 1) % bound
    }
}
