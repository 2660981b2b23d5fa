extension String {
    /// The path without repeated slashes and one at its end; nil if it is not absolute or is the root directory.
    var asDirectory: String? {
        var path = collapsingSlashes
        if path.hasSuffix("/") { path.removeLast() }
        return path.hasPrefix("/") && !path.utf8.contains(0) ? path : nil
    }

    /// The text with one slash where there are several in a row.
    var collapsingSlashes: String {
        var bytes: [UInt8] = []
        for byte in utf8 where byte != UInt8(ascii: "/") || bytes.last != byte {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What follows an ASCII prefix, in which the case of letters does not matter; nil if it is not there.
    func dropping(prefix: String) -> String? {
        lowercased().hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
