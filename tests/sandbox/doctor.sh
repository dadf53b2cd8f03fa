#!/bin/sh
# SPDX-License-Identifier: MIT
# `arena doctor` finds no hole on this machine and says so twice; `arena check --trace` names what a
# bot was refused. Takes the build folder.
set -eu
arena=$1/bin/arena
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$arena" doctor >"$work/lines"
if grep -q '^FAIL' "$work/lines"; then
    grep '^FAIL' "$work/lines"
    exit 1
fi
grep -q '^PASS  *seccomp ' "$work/lines"
grep -q '^tier: ' "$work/lines"

"$arena" doctor --json >"$work/json"
python3 - "$work/json" <<'PYTHON'
import json, re, sys
report = json.load(open(sys.argv[1]))
assert report["tier"] and len(report["checks"]) > 30
assert all(set(check) == {"result", "layer", "check", "found", "cure"} for check in report["checks"])
assert all(check["cure"] for check in report["checks"] if check["result"] == "DEGRADED")

checks = {check["check"]: check for check in report["checks"]}
for program in "sh", "python3", "perl":
    check = checks["start " + program]
    assert check["result"] == "PASS" and check["found"].startswith("exit 0 in "), check
rooted = report["tier"].startswith("full")
for tried, answer in {
    "list its own folder": "it succeeded",
    "read the list of users": "ENOENT" if rooted else "EACCES",
    "list /tmp": "EACCES",
    "crash, so that the kernel passes a core dump to a program": "the sandbox prevented it",
    "connect to 127.0.0.1 in a build": "done" if rooted else "only the full tier builds bots",
}.items():
    assert checks[tried]["found"] == answer, (tried, checks[tried], answer)
assert rooted == ("exceed the memory limit with two processes" in checks)
PYTHON

mkdir "$work/bot"
cat >"$work/bot/bot.json" <<'JSON'
{"name": "nosy", "version": "1", "author": "tests", "language": "perl", "run": ["./nosy"]}
JSON
cat >"$work/bot/nosy" <<'PERL'
#!/usr/bin/perl
socket(my $socket, 2, 1, 0);
fork();
sysread(STDIN, my $hello, 1);
PERL
chmod +x "$work/bot/nosy"
"$arena" check --trace "$work/bot" >"$work/trace"
grep -q '^ *1  socket  *EPERM' "$work/trace"
grep -q '^ *1  clone  *EPERM' "$work/trace"
grep -q 'answered 0 of 2 messages; exit 0' "$work/trace"

status=0
"$arena" check --trace 2>"$work/usage" || status=$?
[ "$status" = 2 ]
[ "$(wc -l <"$work/usage")" = 1 ]

# Where memory lacks while the tiers are tried, nothing is known of what the machine allows: no lower tier is taken.
if grep -q '^tier: full' "$work/lines" && [ -e "$1/bin/failing.so" ]; then
    status=0
    LD_PRELOAD=$1/bin/failing.so FAIL_IN=doctor FAIL_AT=2000 "$arena" doctor >"$work/lacking" 2>"$work/why" || status=$?
    [ "$status" = 1 ] && grep -q '^arena: cannot set up the sandbox: .*Cannot allocate memory' "$work/why" && [ ! -s "$work/lacking" ] ||
        { cat "$work/why" "$work/lacking"; exit 1; }
fi
