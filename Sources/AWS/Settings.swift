extension String {
    /// The text without blanks around it; nil where nothing is left.
    package var trimmedSetting: String? {
        let isBlank = { (byte: UInt8) in
            byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
        }
        guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
        else { return nil }
        return String(self[first...last])
    }
}

extension [String: String] {
    /// A variable's value without blanks around it; a blank one counts as unset.
    package func setting(_ name: String) -> String? {
        self[name]?.trimmedSetting
    }
}
