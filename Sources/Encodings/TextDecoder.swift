/// Makes UTF-8 of text in another encoding.
///
/// It keeps nothing between two texts, so that many files can share one; it belongs to one thread at a time.
package final class TextDecoder {
    private let converter: Converter
    private let unitBytes: Int

    package init(_ encoding: TextEncoding) {
        guard let converter = Converter(from: encoding.name, to: "UTF-8") else {
            preconditionFailure("the system knows the encoding \(encoding.name)")
        }
        self.converter = converter
        unitBytes = encoding.newline.count
    }

    /// Adds a whole text as UTF-8; what makes no sense in it, and half a character at its end, becomes U+FFFD.
    package func decode(_ bytes: Span<UInt8>, appendingTo text: inout [UInt8]) {
        converter.convert(bytes, unitBytes: unitBytes, appendingTo: &text)
    }
}
