/// How far a file has been framed.
package struct FramingPosition: Equatable, Sendable {
    /// Bytes from the start of the file.
    package var offset: Int

    /// Whether it lies in a line that was cut, whose rest is not wanted.
    package var isSkippingLine: Bool

    package init(offset: Int, isSkippingLine: Bool = false) {
        self.offset = offset
        self.isSkippingLine = isSkippingLine
    }
}
