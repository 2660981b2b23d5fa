/// A value of the file turned into one of ours, or the reasons why it cannot be.
enum Conversion<Value> {
    case value(Value)
    case refused([Refusal])

    /// Refuses a value as a whole.
    static func refused(_ problem: String? = nil) -> Conversion {
        .refused([Refusal(problem)])
    }

    /// Converts further what was not refused.
    func then<Next>(_ convert: (Value) -> Conversion<Next>) -> Conversion<Next> {
        switch self {
        case .value(let value): convert(value)
        case .refused(let refusals): .refused(refusals)
        }
    }
}

extension Conversion {
    /// Converts each element, and gathers the refusals of all.
    static func each<Element, Converted>(
        of elements: [Element],
        _ convert: (Element) -> Conversion<Converted>
    ) -> Conversion where Value == [Converted] {
        var values: [Converted] = []
        var refusals: [Refusal] = []
        for (index, element) in elements.enumerated() {
            switch convert(element) {
            case .value(let value): values.append(value)
            case .refused(let found): refusals += found.map { $0.ofElement(index) }
            }
        }
        return refusals.isEmpty ? .value(values) : .refused(refusals)
    }
}

/// Why a value is not taken.
struct Refusal: Error {
    /// Nil: it is simply not what the key allows.
    let problem: String?

    /// Which element of an array it is about.
    private(set) var element: Int?

    /// Whether the value holds what must not be printed.
    let hidesValue: Bool

    init(_ problem: String? = nil, hidesValue: Bool = false) {
        self.problem = problem
        self.hidesValue = hidesValue
    }

    /// The same, about an element of an array.
    func ofElement(_ index: Int) -> Refusal {
        var refusal = self
        refusal.element = index
        return refusal
    }
}
