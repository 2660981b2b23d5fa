import Records

/// A destination whose answers are written by the test, with a model of what must arrive.
///
/// The model is the list of records that are not accepted yet, in the order in which they were recorded.
final class ScriptedDestination: Destination {
    struct Request: Sendable {
        var stream: StreamName
        var texts: [String]

        /// Which request of this stream it is, from 1.
        var number: Int
    }

    struct Model: Sendable {
        var pending: [StreamName: [String]] = [:]
        var requests: [Request] = []

        /// Every acceptance, in order; a record that was accepted but not said to be may occur again.
        var accepted: [StreamName: [String]] = [:]

        /// Requests that did not hold exactly the oldest pending records, in order.
        var disorders: [Request] = []
    }

    let model = Watched(Model())
    private let answer: @Sendable (Request) async -> Delivery

    init(answer: @escaping @Sendable (Request) async -> Delivery) {
        self.answer = answer
    }

    func deliver(_ batch: RecordBatch, to stream: StreamName) async -> Delivery {
        let texts = batch.texts
        let request = model.change { model in
            let number = model.requests.count { $0.stream == stream } + 1
            let request = Request(stream: stream, texts: texts, number: number)
            model.requests.append(request)
            if model.pending[stream, default: []].prefix(texts.count) != texts[...] { model.disorders.append(request) }
            return request
        }
        let delivery = await answer(request)
        model.change { $0.settle(request, delivery) }
        return delivery
    }
}

extension ScriptedDestination.Model {
    mutating func settle(_ request: ScriptedDestination.Request, _ delivery: Delivery) {
        switch delivery {
        case .accepted:
            accept(request.texts, of: request.stream)
        case .partlyAccepted(let refusals):
            accept(zip(request.texts, refusals).filter { $0.1 == nil }.map(\.0), of: request.stream)
        case .failed(let failure) where failure.kind == .invalid && request.texts.count == 1:
            pending[request.stream]?.removeAll { $0 == request.texts[0] }
        case .failed:
            break
        }
    }

    private mutating func accept(_ texts: [String], of stream: StreamName) {
        accepted[stream, default: []] += texts
        let gone = Set(texts)
        pending[stream]?.removeAll { gone.contains($0) }
    }
}
