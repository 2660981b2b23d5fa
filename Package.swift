// swift-tools-version: 6.3
import PackageDescription

// The manifest is the module diagram: a target imports what stands here and nothing else
// (`swift build --explicit-target-dependency-import-check=error`).

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
let relaxed: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A library target of the engine.
func module(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of a module.
func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: relaxed)
}

/// A target that only tests use.
func support(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: relaxed)
}

/// A fuzz target: an executable whose `main` is the fuzzer's.
func fuzz(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        path: "Tests/Fuzz/\(name)",
        swiftSettings: relaxed + [.unsafeFlags(["-parse-as-library"])]
    )
}

var targets: [Target] = [
    // C libraries: one target each, imported by one wrapper each.
    .target(name: "CPlatform"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),

    // Wrappers: the only modules in which `unsafe` occurs.
    module("Bytes"),
    module("Platform", "CPlatform"),
    module("SQLite", "CSQLite"),
    module("Compression", "Bytes", "CZlib", "CISAL"),
    module("HTTP", "CCurl", "Bytes", "Platform"),
    module("Crypto", "CCrypto", "Bytes"),
    module("Regex", "CPCRE2", "Bytes"),
    module("Encodings"),

    // Vocabulary.
    module("Records", "Bytes"),
    module("JSON"),
    module("Logging", "Platform"),

    // Stages.
    module("Discovery", "Bytes", "Platform", "Records"),
    module("Containers", "Bytes"),
    module("Framing", "Bytes", "Containers", "Encodings", "Regex"),
    module("Packing", "Bytes", "Records", "Compression"),
    module("Tailing", "Bytes", "Records", "Platform", "Compression"),
    module("Cache", "Bytes", "Records", "SQLite", "Platform"),
    module("Flushing", "Records", "Cache", "Platform"),
    module("AWS", "Crypto", "Platform"),
    module("CredentialSources", "AWS", "Crypto", "HTTP", "JSON", "Platform"),
    module("Firehose", "Bytes", "Records", "Platform", "AWS", "HTTP", "Crypto"),

    // Composition: everything left of the cache, and the whole.
    module(
        "Intake",
        "Bytes",
        "Records",
        "Platform",
        "Discovery",
        "Tailing",
        "Framing",
        "Packing",
        "Regex",
        "Containers",
        "Encodings"
    ),
    module("Configuration", "JSON", "Records"),
    module(
        "Agent",
        "Records",
        "Platform",
        "Logging",
        "JSON",
        "Configuration",
        "Discovery",
        "Framing",
        "Packing",
        "Tailing",
        "Regex",
        "Containers",
        "Encodings",
        "Intake",
        "Cache",
        "Flushing",
        "Firehose",
        "HTTP",
        "AWS",
        "CredentialSources"
    ),
    module(
        "AmplifyFirehoseClient",
        "Bytes",
        "Records",
        "Platform",
        "Logging",
        "JSON",
        "Cache",
        "Flushing",
        "AWS",
        "CredentialSources",
        "HTTP",
        "Firehose"
    ),
    .executableTarget(
        name: "firetail",
        dependencies: ["Agent", "Configuration", "Logging", "Platform", "Records"],
        swiftSettings: strict
    ),

    // The example of the library, compiled as its users' code is: it sees nothing but what is public.
    .executableTarget(
        name: "firehose-client-example",
        dependencies: ["AmplifyFirehoseClient"],
        path: "examples/firehose-client/Sources/firehose-client-example",
        packageAccess: false
    ),

    // Tests.
    support("TestSupport", "Platform", "Records"),
    support("FramingInvariants", "Framing", "Regex"),
    tests("AWSTests", "AWS", "Crypto"),
    tests("AgentTests", "Agent", "firetail", "SQLite"),
    tests(
        "AmplifyFirehoseClientTests",
        "AmplifyFirehoseClient",
        "AWS",
        "CredentialSources",
        "Firehose",
        "Records",
        "firehose-client-example"
    ),
    tests("BytesTests", "Bytes"),
    tests("CacheTests", "Cache", "Records", "SQLite"),
    tests("CompressionTests", "Compression"),
    tests("ConfigurationTests", "Configuration", "JSON", "Records"),
    tests("ContainersTests", "Containers", "JSON"),
    tests("CredentialSourcesTests", "CredentialSources", "AWS", "HTTP"),
    tests("CryptoTests", "Crypto"),
    tests("DiscoveryTests", "Discovery", "Platform", "Records"),
    tests("EncodingsTests", "Encodings"),
    tests("EndToEndTests", "firetail", "Cache", "Compression"),
    tests("FirehoseTests", "Firehose", "Records", "AWS", "CredentialSources", "HTTP"),
    tests("FlushingTests", "Flushing", "Cache", "Records"),
    tests("FramingTests", "Framing", "FramingInvariants", "Containers", "Encodings", "Regex"),
    tests("HTTPTests", "HTTP"),
    tests("IntakeTests", "Intake", "Discovery", "Framing", "Packing", "Platform", "Records", "Regex", "Tailing"),
    tests("JSONTests", "JSON"),
    tests("LoggingTests", "Logging"),
    tests("PackingTests", "Packing", "Records", "Compression"),
    tests("PlatformTests", "Platform"),
    tests("RecordsTests", "Records"),
    tests("RegexTests", "Regex"),
    tests("TailingTests", "Tailing", "Platform", "Records"),
    .executableTarget(
        name: "Benchmarks",
        dependencies: [
            "AmplifyFirehoseClient", "Cache", "Compression", "Containers", "Crypto", "Firehose", "Framing", "Packing",
            "Records", "Regex", "SQLite", "TestSupport", "firetail",
        ],
        path: "Tests/Benchmarks",
        swiftSettings: relaxed
    ),
]

var products: [Product] = [
    .executable(name: "firetail", targets: ["firetail"]),
    .executable(name: "firetail-benchmark", targets: ["Benchmarks"]),
    .executable(name: "firehose-client-example", targets: ["firehose-client-example"]),
    .library(name: "AmplifyFirehoseClient", targets: ["AmplifyFirehoseClient"]),
]

// Fuzz targets link only with the fuzzer, and nothing else that has a `main` does, so it is either them or all the rest.
if Context.environment["FUZZ"] != nil {
    products = []
    targets.removeAll { $0.type == .executable || $0.type == .test }
    targets += [
        fuzz("AnswerFuzz", "Firehose"),
        fuzz("ConfigurationFuzz", "Configuration", "JSON"),
        fuzz("ContainerFuzz", "Containers", "Framing", "FramingInvariants", "Regex"),
        fuzz("FramingFuzz", "Framing", "FramingInvariants", "Encodings", "Regex"),
        fuzz("GlobFuzz", "Discovery", "Platform"),
        fuzz("MetadataFuzz", "AWS", "CredentialSources"),
        fuzz("ProfileFuzz", "AWS"),
        fuzz("RegexFuzz", "Regex"),
        fuzz("STSFuzz", "CredentialSources"),
        fuzz("StatusFuzz", "Agent"),
    ]
}

let package = Package(
    name: "firetail",
    products: products,
    targets: targets
)
