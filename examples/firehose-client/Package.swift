// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "firehose-client-example",
    dependencies: [
        // A copy of this directory elsewhere gives the path or the address of the package here.
        .package(name: "firetail", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "firehose-client-example",
            dependencies: [.product(name: "AmplifyFirehoseClient", package: "firetail")]
        )
    ]
)
