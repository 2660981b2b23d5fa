/// What the path of a container's log tells about it.
package struct ContainerPlace: Equatable, Sendable {
    package var namespace: String?
    package var pod: String?
    package var container: String?

    /// Reads a path as Kubernetes makes them, `/var/log/pods/NAMESPACE_POD_UID/CONTAINER/N.log` and
    /// `/var/log/containers/POD_NAMESPACE_CONTAINER-ID.log`; what follows `.log` after a rotation does not matter.
    ///
    /// Of any other path it knows nothing.
    package init(path: String) {
        let names = path.split(separator: "/")
        guard let file = names.last?.split(separator: ".", maxSplits: 1), file.count == 2,
            file[1].hasPrefix("log"), let name = file.first
        else { return }
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        if parts.count == 3, let dash = parts[2].lastIndex(of: "-"), Self.isID(parts[2][dash...].dropFirst()) {
            (pod, namespace, container) = (String(parts[0]), String(parts[1]), String(parts[2][..<dash]))
        } else if names.count >= 3, name.allSatisfy(\.isNumber) {
            let place = names[names.count - 3].split(separator: "_", omittingEmptySubsequences: false)
            guard place.count == 3 else { return }
            (namespace, pod, container) = (String(place[0]), String(place[1]), String(names[names.count - 2]))
        }
    }

    private static func isID(_ text: Substring) -> Bool {
        text.utf8.count == 64 && text.allSatisfy(\.isHexDigit)
    }
}
