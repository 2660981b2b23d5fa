# Sourced by the scripts that run tests: how the suites of a built package are run side by side.
# shellcheck shell=bash

# Runs the tests of a test program, but those whose names match `skipped`; what each suite says is in a file of `logs`.
#
# Tests wait more than they compute, so several suites run at once: TEST_WIDTH of them, else three for each processor.
# Each has a process of its own, in which there is one test at a time: some tests block the few threads of Swift's pool,
# and some count what their process has open. An agent takes one inotify instance, of which a user often has 128.
run_tests() {
    local program=$1 skipped=$2 logs=$3 width=${TEST_WIDTH:-$(($(nproc) * 3))} started=$SECONDS tests suites failed=0
    rm -rf "$logs"
    mkdir -p "$logs"
    tests=$("$program" --testing-library swift-testing --list-tests | grep -v "$skipped")
    # Those of the agent as a process wait longest, and go first, so that the others fill up the end.
    suites=$(sed 's|/.*||' <<<"$tests" | sort -u | sed 's/^EndToEndTests\./0 &/; t; s/^/1 /' | sort | cut -d ' ' -f 2)
    export -f run_suite
    export program logs red plain
    xargs -P "$width" -I '{}' bash -c 'run_suite "$1"' bash '{}' <<<"$suites" || failed=1
    sum_up "$failed" "$(wc -l <<<"$tests")" "$(wc -l <<<"$suites")" $((SECONDS - started))
}

# Runs one suite and says how it ended; of one that failed, all but what is about tests that passed, or its last words.
run_suite() {
    local suite=$1 log=$logs/$1.log
    "$program" --testing-library swift-testing --no-parallel --filter "^$suite/" >"$log" 2>&1 || {
        printf '%s✘ %s (exit code %d)%s\n' "$red" "$suite" $? "$plain"
        if grep -q 'Test run with' "$log"; then sed '/^[◇✔]/d; /^↳ \/\/\//d' "$log"; else tail -n 20 "$log"; fi
        return 1
    }
    sed -n "s/^.*Test run with \(.* tests*\) in .* after \(.*\) seconds.*/✔ $suite: \1 in \2 s/p" "$log"
}

# Fails unless every suite passed and every test was run.
sum_up() {
    local failed=$1 tests=$2 suites=$3 seconds=$4 ran
    ran=$(sed -n 's/^.*Test run with \([0-9]*\) tests* .*/\1/p' "$logs"/*.log | awk '{ sum += $1 } END { print sum + 0 }')
    [ "$failed" = 0 ] || fail "tests failed; what all of them said is in $logs"
    [ "$ran" = "$tests" ] || fail "$ran tests ran, not $tests; is one of them in no suite? What they said is in $logs"
    printf '%s✔ Test run with %d tests in %d suites passed after %d seconds.%s\n' \
        "$green" "$ran" "$suites" "$seconds" "$plain"
}
