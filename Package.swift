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
    .testTarget(name: name, dependencies: dependencies, swiftSettings: relaxed)
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

    // Wrappers: the only modules in which `unsafe` occurs.
    module("Bytes"),
    module("Platform", "CPlatform"),
    module("SQLite", "CSQLite"),
    module("Compression", "Bytes", "CZlib", "CISAL"),
    module("HTTP", "CCurl", "Bytes", "Platform"),
    module("Crypto", "CCrypto", "Bytes"),

    // Vocabulary.
    module("Records", "Bytes"),
    module("JSON"),
    module("Logging", "Platform"),

    // Stages.
    module("Discovery", "Bytes", "Platform", "Records"),
    module("Framing", "Bytes"),
    module("Packing", "Bytes", "Records", "Compression"),
    module("Tailing", "Bytes", "Records", "Platform", "Framing"),
    module("Cache", "Bytes", "Records", "SQLite", "Platform"),
    module("Flushing", "Records", "Cache"),
    module("AWS", "Crypto", "Platform"),
    module("Firehose", "Bytes", "Records", "Platform", "AWS", "HTTP", "Crypto"),

    // Composition.
    module("Configuration", "JSON"),
    module(
        "Agent",
        "Bytes",
        "Records",
        "Platform",
        "Configuration",
        "Discovery",
        "Tailing",
        "Framing",
        "Packing",
        "Cache",
        "Flushing",
        "Firehose",
        "AWS"
    ),
    .executableTarget(name: "firetail", dependencies: ["Agent", "Configuration", "Platform"], swiftSettings: strict),

    // Tests.
    .target(name: "TestSupport", dependencies: ["Platform"], path: "Tests/TestSupport", swiftSettings: relaxed),
    tests("RecordsTests", "Records", "TestSupport"),
    tests("BytesTests", "Bytes"),
    tests("HTTPTests", "HTTP", "TestSupport"),
    tests("FirehoseTests", "Firehose", "Bytes", "Records", "AWS", "HTTP", "TestSupport"),
    tests("CryptoTests", "Crypto"),
    tests("AWSTests", "AWS", "Crypto"),
    tests("DiscoveryTests", "Discovery", "Platform", "Records"),
    tests("LoggingTests", "Logging"),
    tests("PlatformTests", "Platform", "TestSupport"),
]

// Fuzz targets link only with the fuzzer, so they exist only when asked for.
if Context.environment["FUZZ"] != nil {
    targets += [
        fuzz("ProfileFuzz", "AWS"),
        fuzz("GlobFuzz", "Discovery", "Platform"),
        fuzz("AnswerFuzz", "Firehose"),
    ]
}

let package = Package(
    name: "firetail",
    products: [
        .executable(name: "firetail", targets: ["firetail"]),
        .library(name: "FiretailEngine", targets: ["Agent"]),
    ],
    targets: targets
)
