#!/usr/bin/env bash
# Installs what the tests need, and runs every test. Arguments go to `swift test`, such as --filter FramingTests.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/setup.sh

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

step "Running the tests"
# XCTest's runner is left out: no test uses it, and without it the last line is the one that counts. One at a time:
# hundreds at once would want more inotify instances than a user may have.
exec swift test --disable-xctest --no-parallel "$@"
