#!/bin/sh
# `submit --queue` and `submissions`: what is kept, told and refused before any daemon looks at it.
set -eu
build=$1
arena=$build/bin/arena
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export ARENA_HOME="$scratch/home"

fail() {
    echo "$*"
    exit 1
}

[ "$("$arena" submit --queue --json "$build/bots/random")" = '{"submission":1}' ] || fail 'no number'
"$arena" submit --queue "$build/bots/greedy" >"$scratch/out"
grep -q '^greedy 1 is submission 2: ' "$scratch/out" || fail "$(cat "$scratch/out")"
"$arena" submissions --json >"$scratch/out"
python3 - "$scratch/out" <<'PYTHON'
import json, re, sys

rows = [json.loads(line) for line in open(sys.argv[1])]
assert [row["submission"] for row in rows] == [1, 2], rows
assert [row["name"] for row in rows] == ["random", "greedy"], rows
for row in rows:
    assert row["state"] == "received" and row["ended"] is None and row["report"] is None, row
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", row["received"]), row
    assert row["version"] == "1" and row["author"], row
PYTHON
"$arena" bots | grep -q 'no bots yet' || fail 'a queued bot is listed as admitted'

# refused EXPECTED ARGUMENT...: one line with that text, exit status 2, and nothing is queued.
refused() {
    expected=$1
    shift
    status=0
    "$arena" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 2 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] &&
        grep -qFe "$expected" "$scratch/err" || fail "$*: $status: $(cat "$scratch/err")"
}
mkdir "$scratch/empty" "$scratch/nameless"
echo '{"run": ["./a"]}' >"$scratch/nameless/bot.json"
"$arena" submit "$build/bots/random" >/dev/null
refused 'bot random already has a version 1' submit --queue "$build/bots/random"
refused 'bot.json' submit --queue "$scratch/empty"
refused 'bot.json' submit --queue "$scratch/nameless"
refused '--json needs --queue or --to' submit --json "$build/bots/greedy"
refused 'there is no submission 7' submissions 7
refused "'x' is not the number of a submission" submissions x
[ "$("$arena" submissions | wc -l)" -eq 2 ] || fail 'a refused folder was queued'
"$arena" submissions 2 | grep -q '^  received  2' || fail 'one submission is not told whole'
