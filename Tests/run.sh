#!/usr/bin/env bash
# Installs what the tests need, and runs every test, several suites at a time. With arguments, such as
# --filter FramingTests, it runs those that `swift test` makes of them, one at a time.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/setup.sh
. .ci/tests.sh

require_swift
mapfile -t libraries < <(library_packages)
install_packages pkg-config "${libraries[@]}" python3 python3-venv openssl curl ca-certificates strace util-linux

# moto answers as AWS does, botocore signs as AWS expects: those of the machine, else a copy of our own.
python=.build/python
if ! python3 -c 'import boto3, moto.server' 2>/dev/null || ! command -v moto_server >/dev/null; then
    if ! "$python/bin/python3" -c 'import boto3, moto.server' 2>/dev/null; then
        step "Installing moto into $python"
        python3 -m venv --clear "$python"
        "$python/bin/python3" -m pip install --quiet --disable-pip-version-check 'moto[server]' boto3 </dev/null
    fi
    PATH="$PWD/$python/bin:$PATH"
    export PATH
fi

# XCTest's runner is left out: no test uses it, and without it the last line is the one that counts.
step "Running the tests"
if [ $# -gt 0 ]; then exec swift test --disable-xctest --no-parallel "$@"; fi
swift build --build-tests
run_tests "$(swift build --show-bin-path)/firetailPackageTests.xctest" '^$' .build/tests
