import AWS

/// Any bytes are sections or an error; what is read has valid names, and neither line ends nor merging change it.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzProfiles(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    for kind in [ProfileParser.Kind.configuration, .credentials] {
        let outcome = parse(bytes, as: kind)
        switch outcome {
        case .success(let sections):
            check(sections)
        case .failure(let error):
            let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
            precondition((1...lines).contains(error.line), "an error has a line of the file")
            precondition("\(error)".utf8.allSatisfy { $0 < 0x80 }, "an error shows nothing of the file")
        }
        if !bytes.contains(UInt8(ascii: "\r")) {
            let windows = bytes.flatMap { $0 == UInt8(ascii: "\n") ? [UInt8(ascii: "\r"), $0] : [$0] }
            precondition(parse(windows, as: kind) == outcome, "line ends do not matter")
        }
        precondition(parse(bytes + [UInt8(ascii: "\n")], as: kind) == outcome, "an empty last line does not matter")
    }
    return 0
}

private func parse(_ bytes: [UInt8], as kind: ProfileParser.Kind) -> Result<ProfileSections, ProfileSyntaxError> {
    Result { () throws(ProfileSyntaxError) in try ProfileParser.parse(bytes, as: kind) }
}

private func check(_ sections: ProfileSections) {
    for (header, properties) in sections.properties {
        switch header {
        case .profile(let name), .ssoSession(let name), .services(let name):
            precondition(isName(name), "a section has a valid name")
        }
        for (name, value) in properties {
            precondition(isName(name) && name == name.lowercased(), "a property has a valid name in lower case")
            precondition(value.last != " " && value.last != "\t", "a value has no blank at its end")
        }
    }
    var merged = sections
    merged.merge(sections)
    precondition(merged == sections, "merging a file with itself changes nothing")
}

private func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}
