#!/usr/bin/env bash
# Builds firetail, ships real log files into a directory, and shows that every byte arrived.
#
#   examples/quickstart.sh [-o DIRECTORY] [FILE...]
#
# FILE  what to ship; without it, the machine's own logs under /var/log, as far as you may read them
# -o    where to make a folder for the result; without it, in $TMPDIR or /tmp

set -euo pipefail
export LC_ALL=C

usage() { sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; }

parent=${TMPDIR:-/tmp}
while getopts o:h option; do
    case $option in
        o) parent=$OPTARG ;;
        h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
caller=$PWD
cd "$(dirname "$0")/.."
. .ci/setup.sh

# --- Small things -----------------------------------------------------------------------------------------------

number() { sed -e :a -e 's/^\([0-9]*[0-9]\)\([0-9]\{3\}\)/\1,\2/' -e ta <<<"$1"; }
row() { printf '  %-56s %14s %16s\n' "$@"; }
absolute() { (cd "$caller" && realpath --canonicalize-missing -- "$1"); }

# One line of progress, written over the one before where the output is a terminal.
progress() { if [ -t 1 ]; then printf '\r\e[K  %s%.110s%s' "$dim" "$1" "$plain"; fi; }

# The whole lines among the first bytes of a file; a last line without its newline waits there, by design.
whole_lines() {
    local file=$1 bytes=$2 lines
    lines=$(head -c "$bytes" -- "$file" | wc -l)
    head -c "$bytes" -- "$file" | head -n "$lines"
}

# Whether a file has a line over 1,024,000 bytes, which firetail would cut as Firehose demands.
has_huge_line() { [ "$(tr '\000-\011\013-\377' 'x' <"$1" | wc -L)" -gt 1024000 ]; }

# A path as a pattern that matches it alone, as a JSON text.
as_pattern() { printf '"%s"' "$(sed -e 's/[][\\*?{},]/\\&/g' -e 's/[\\"]/\\&/g' -e 's/\$/$$/g' <<<"$1")"; }

# --- What is to be shipped --------------------------------------------------------------------------------------

declare -a files=()
declare -A seen=() size=()

# Takes up a file unless firetail would not tail it; then says why.
consider() {
    local file=$1 reason='' identity
    if [ ! -e "$file" ]; then reason='there is no such file'
    elif [ ! -f "$file" ]; then reason='not a regular file'
    elif [ ! -r "$file" ]; then reason='you may not read it'
    elif [[ $file =~ \.(gz|bz2|zip|xz|zst|[Gg][Zz])$ ]]; then reason='compressed; firetail tails text'
    elif [[ $file =~ [[:cntrl:]] ]]; then reason='its name has a control character'
    elif has_huge_line "$file"; then reason='it has a line over 1,024,000 bytes, which would be cut'
    fi
    if [ -n "$reason" ]; then
        printf '  %sleft out: %s: %s%s\n' "$dim" "$file" "$reason" "$plain"
        return
    fi
    identity=$(stat --format %d:%i -- "$file")
    [ -z "${seen[$identity]-}" ] || return 0
    seen[$identity]=1
    files+=("$file")
}

find_logs() {
    find /var/log -type f -readable -size +0 \
        \( -name '*.log' -o -name '*.log.[0-9]*' -o -name syslog -o -name 'syslog.[0-9]*' -o -name messages \) \
        ! -name '*.gz' ! -name '*.xz' ! -name '*.bz2' ! -name '*.zst' -print0 2>/dev/null | sort --zero-terminated
}

# Writes a log for machines that have none.
write_sample() {
    local line
    for line in {1..5000}; do
        printf '2026-01-01T00:00:%02d.%03dZ INFO request %d took %d ms\n' \
            $((line / 100)) $((line * 7 % 1000)) "$line" $((line * 31 % 250))
    done >"$1"
}

choose_files() {
    local file
    if [ $# -gt 0 ]; then
        for file in "$@"; do consider "$(absolute "$file")"; done
        [ ${#files[@]} -gt 0 ] || fail "none of the named files can be shipped"
        return
    fi
    while IFS= read -r -d '' file; do consider "$file"; done < <(find_logs)
    [ ${#files[@]} -eq 0 ] || return 0
    echo "  /var/log holds no log that you may read, so this ships a sample that it writes itself."
    mkdir "$work/log"
    write_sample "$work/log/sample.log"
    consider "$work/log/sample.log"
}

# --- Building ---------------------------------------------------------------------------------------------------

build() {
    local status=0 started=$SECONDS
    swift build -c release --static-swift-stdlib --product firetail </dev/null 2>&1 | tee "$work/build.log" \
        | while IFS= read -r line; do progress "$line"; done || status=$?
    progress ''
    [ -t 1 ] && printf '\r'
    [ "$status" = 0 ] || { cat "$work/build.log"; fail "the build failed"; }
    firetail=$(swift build -c release --static-swift-stdlib --show-bin-path)/firetail
    echo "  $firetail ($(number $(($(stat --format %s "$firetail") / 1000))) kB) in $((SECONDS - started)) s"
}

# --- Shipping ---------------------------------------------------------------------------------------------------

write_configuration() {
    local file patterns=''
    for file in "${files[@]}"; do patterns+="${patterns:+,}"$'\n            '"$(as_pattern "$file")"; done
    cat >"$work/agent.json" <<JSON
{
    "firehose.endpoint": "file://${delivered//\$/\$\$}",
    "stateDirectory": "${work//\$/\$\$}/state",
    "flows": [
        {
            "filePattern": [$patterns
            ],
            "deliveryStream": "quickstart",
            "initialPosition": "START_OF_FILE",
            "aggregatedRecordSizeBytes": 1024000,
            "maxBufferAgeMillis": 1000
        }
    ]
}
JSON
}

delivered_bytes() {
    find "$delivered" -type f ! -name '.*' -printf '%s\n' 2>/dev/null | awk '{ sum += $1 } END { printf "%d", sum }'
}

# Shows what the agent said, when it went wrong.
give_up() {
    [ -t 1 ] && echo
    tail -n 20 "$work/firetail.log" >&2
    fail "$* (the whole log: $work/firetail.log)"
}

# Runs the agent until so many bytes have arrived, and stops it as a service manager does.
ship() {
    local wanted=$1 got=0 before=-1 patience=0 agent
    "$firetail" run -c "$work/agent.json" >"$work/firetail.log" 2>&1 </dev/null &
    agent=$!
    # shellcheck disable=SC2064
    trap "kill $agent 2>/dev/null || true" EXIT
    while got=$(delivered_bytes) && [ "$got" -lt "$wanted" ]; do
        kill -0 "$agent" 2>/dev/null || give_up "firetail ended by itself"
        if [ "$got" -gt "$before" ]; then patience=300; fi
        patience=$((patience - 1))
        [ "$patience" -gt 0 ] || { kill "$agent"; give_up "nothing more arrived for a minute"; }
        before=$got
        progress "$(number "$got") of $(number "$wanted") bytes have arrived"
        sleep 0.2
    done
    kill "$agent"
    wait "$agent" || give_up "firetail ended with exit code $?"
    trap - EXIT
    progress ''
    [ -t 1 ] && printf '\r'
    return 0
}

# --- Comparing --------------------------------------------------------------------------------------------------

# All whole lines of all files as they are now, sorted.
sorted_lines() {
    local file
    for file in "${files[@]}"; do whole_lines "$file" "${size[$file]}"; done | sort
}

take_sizes() { local file; for file in "${files[@]}"; do size[$file]=$(stat --format %s -- "$file"); done; }

compare() {
    local missing foreign lines digest
    find "$delivered" -type f ! -name '.*' -exec cat {} + | sort >"$work/delivered.sorted"
    take_sizes
    sorted_lines >"$work/after.sorted"
    missing=$(comm -23 "$work/before.sorted" "$work/delivered.sorted" | wc -l)
    foreign=$(comm -13 "$work/after.sorted" "$work/delivered.sorted" | wc -l)
    lines=$(wc -l <"$work/delivered.sorted")
    digest=$(sha256sum <"$work/delivered.sorted" | cut -c1-16)
    if [ "$missing" -gt 0 ] || [ "$foreign" -gt 0 ]; then
        echo "  not delivered: $(number "$missing") lines; delivered but not in the files: $(number "$foreign") lines"
        fail "what arrived is not what the files hold (to compare: $work/*.sorted)"
    fi
    if cmp --silent "$work/before.sorted" "$work/delivered.sorted"; then
        echo "  ${green}equal, byte for byte:${plain} $(number "$lines") lines, SHA-256 of the sorted lines $digest…"
    else
        echo "  ${green}equal, byte for byte:${plain} all that was there at the start, and $(number \
            $((lines - $(wc -l <"$work/before.sorted")))) lines that were written since"
    fi
    rm "$work"/*.sorted
}

# --- And now ----------------------------------------------------------------------------------------------------

require_swift
mapfile -t libraries < <(library_packages)
install_packages pkg-config "${libraries[@]}"
parent=$(absolute "$parent")
mkdir -p -- "$parent"
work=$(mktemp --directory "$parent/firetail-quickstart.XXXXXX")
delivered=$work/delivered
mkdir "$delivered"

step "Building the release binary (a few minutes the first time)"
build

step "Looking for logs"
choose_files "$@"
take_sizes
total_lines=0 total_bytes=0 shown=0
row FILE LINES BYTES
for file in "${files[@]}"; do
    read -r lines bytes < <(whole_lines "$file" "${size[$file]}" | wc -lc)
    total_lines=$((total_lines + lines)) total_bytes=$((total_bytes + bytes)) shown=$((shown + 1))
    [ "$shown" -gt 15 ] || row "$file" "$(number "$lines")" "$(number "$bytes")"
done
[ "$shown" -le 15 ] || echo "  … and $((shown - 15)) more"
row "${#files[@]} files" "$(number "$total_lines")" "$(number "$total_bytes")"
[ "$total_bytes" -gt 0 ] || fail "there is no whole line in them to ship"
sorted_lines >"$work/before.sorted"

step "Shipping them with firetail run -c $work/agent.json"
write_configuration
ship "$total_bytes"
grep ' progress' "$work/firetail.log" | tail -n 1 | sed 's/^/  /'

step "What arrived in $delivered"
(cd "$delivered" && find . -type f ! -name '.*' -printf '  %12s bytes  %P\n' | sort -k 3 | head -n 12)
objects=$(find "$delivered" -type f ! -name '.*' | wc -l)
[ "$objects" -le 12 ] || echo "  … and $((objects - 12)) more objects"

step "Comparing"
compare

step "Next"
printf '  what it would do with a configuration:   .build/release/firetail check -c %q\n' "$work/agent.json"
echo "  a configuration with every key:          agent.json.sample"
echo "  as a service, in a container:            README.md"
