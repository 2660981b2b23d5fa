import Configuration

/// Any bytes are a configuration or have faults, lenient reading only accepts more, and no message shows a secret.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConfiguration(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let environment = ["SECRET": "hunter2", "EMPTY": ""]
    let strict = AgentConfiguration.parse(bytes, file: "agent.json", environment: environment)
    let lenient = AgentConfiguration.parse(bytes, file: "agent.json", environment: environment, lenient: true)
    // The bytes may happen to name a key so, and names are shown.
    let isSecretWritten = String(decoding: bytes, as: UTF8.self).contains("hunter2")
    for parsed in [strict, lenient] {
        precondition(parsed.configuration?.flows.isEmpty != true)
        precondition((parsed.configuration == nil) == !parsed.faults.isEmpty)
        for fault in parsed.faults + parsed.warnings {
            precondition(isSecretWritten || !fault.description.contains("hunter2"))
            precondition(!fault.description.contains("\n"))
        }
    }
    precondition(lenient.faults.count <= strict.faults.count)
    precondition(lenient.faults.count + lenient.warnings.count == strict.faults.count + strict.warnings.count)
    precondition(strict.configuration == nil || strict == lenient)
    return 0
}
