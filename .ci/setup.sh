# Sourced by the scripts that newcomers and CI run: what the machine must have before anything is built.
# shellcheck shell=bash

if [ -t 1 ]; then bold=$'\e[1m' dim=$'\e[2m' red=$'\e[31m' green=$'\e[32m' plain=$'\e[0m'
else bold='' dim='' red='' green='' plain=''; fi

# A headline for what comes next.
step() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

# Ends the script, saying why.
fail() { printf '%s%s: %s%s\n' "$red" "${0##*/}" "$*" "$plain" >&2; exit 1; }

# The Debian packages of the C libraries: those that Package.swift names as providers.
library_packages() { sed -n 's/.*\.apt(\["\(.*\)"\]).*/\1/p' Package.swift; }

# Installs those of the named Debian packages that are missing; asks for root only then.
install_packages() {
    command -v dpkg-query >/dev/null || { check_libraries; return; }
    local package missing=() root=()
    for package in "$@"; do
        dpkg-query --show --showformat '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed \
            || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    [ "$(id -u)" = 0 ] || root=(sudo)
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null \
        || fail "as root, run: apt-get install ${missing[*]}"
    step "Installing ${missing[*]}"
    "${root[@]}" apt-get update --quiet=2 </dev/null || fail "apt-get update failed"
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends \
        "${missing[@]}" </dev/null || fail "apt-get install failed: ${missing[*]}"
}

# Where there is no apt: says which of the C libraries pkg-config does not find.
check_libraries() {
    local library missing=()
    command -v pkg-config >/dev/null || fail "pkg-config is missing; install it with your system's package manager"
    for library in $(sed -n 's/.*pkgConfig: "\([^"]*\)".*/\1/p' Package.swift); do
        pkg-config --exists "$library" || missing+=("$library")
    done
    [ ${#missing[@]} -eq 0 ] || fail "pkg-config does not find ${missing[*]}; install the development packages"
}

# Ends the script unless there is a Swift toolchain that is new enough for Package.swift.
require_swift() {
    local wanted found
    wanted=$(sed -n '1s/.*swift-tools-version: *//p' Package.swift)
    command -v swift >/dev/null || fail "Swift $wanted or newer is needed: https://www.swift.org/install"
    found=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
    [ "$(printf '%s\n' "$wanted" "$found" | sort --version-sort | head -n 1)" = "$wanted" ] \
        || fail "Swift $wanted or newer is needed, and this is $found: https://www.swift.org/install"
}
