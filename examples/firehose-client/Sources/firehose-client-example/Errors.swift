import AmplifyFirehoseClient

/// What went wrong and what to do, from the parts of the error.
func explain(_ error: FirehoseError) -> String {
    switch error {
    case .validation(let description, let recoverySuggestion, let underlyingError),
        .cache(let description, let recoverySuggestion, let underlyingError),
        .unknown(let description, let recoverySuggestion, let underlyingError):
        let cause = underlyingError.map { " (\($0))" } ?? ""
        return "\(description)\(cause): \(recoverySuggestion)"
    case .cacheLimitExceeded:
        return "the cache is full: \(error.recoverySuggestion)"
    }
}
