#!/bin/sh
# `arena doctor` finds no hole on this machine and says so twice; `arena trace` names what a
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
assert all(set(check) == {"result", "layer", "tried", "came_back", "mend"} for check in report["checks"])
assert all(check["mend"] for check in report["checks"] if check["result"] == "DEGRADED")

# Every line that a runtime is sent comes back, and the next one is told apart from it.
runtimes = {check["tried"]: check for check in report["checks"] if check["layer"] == "runtime"}
for program in "a static program", "sh", "python3", "perl":
    check = runtimes["echo 1000 lines through " + program]
    assert check["result"] == "PASS" and check["came_back"].startswith("all came back"), check

# What the machine is set to is told as well.
notes = [check for check in report["checks"] if check["layer"] == "machine"]
assert notes and all(check["result"] == "NOTE" and check["tried"] for check in notes), notes

starts = [check for check in report["checks"] if check["layer"] == "start"]
assert [check["tried"] for check in starts] == ["start 20 bots"], starts
median_us, best_us = map(int, re.findall(r"[0-9]+", starts[0]["came_back"]))
assert 0 < best_us <= median_us, starts

# A path that is tried is answered for what it is: an empty one would be ENOENT throughout.
rooted = report["tier"].startswith("full")
came_back = {check["tried"]: check["came_back"] for check in report["checks"]}
for tried, answer in {
    "read a file of its own": "it succeeded",
    "read the list of users": "ENOENT" if rooted else "EACCES",
    "list the root": "EACCES",
    "list /tmp": "EACCES",
    "list /var": "ENOENT" if rooted else "EACCES",
    "read /proc/loadavg": "ENOENT" if rooted else "EACCES",
    "find out which pages of memory other processes use": "EACCES",
    "list the sockets of its network": "EACCES",
    "have the kernel pass its core dump to a program": "the sandbox refused it, or the arena answered it",
    "learn how much memory the machine has": "the sandbox refused it, or the arena answered it",
    "use twice the memory that it may use": came_back["use twice the memory that it may use"],
    "run while it is stopped": came_back["run while it is stopped"],
}.items():
    assert came_back[tried] == answer, (tried, came_back[tried], answer)
loopback = [check for check in report["checks"] if check["layer"] == "loopback"]
assert [check["came_back"] for check in loopback] == ["done" if rooted else "nothing is built in this tier"], loopback
assert rooted == ("run in two processes while they are stopped" in came_back)
assert rooted == ("use more memory than it may use, in two processes" in came_back)
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
"$arena" trace "$work/bot" >"$work/trace"
grep -q '^ *1  socket  *EPERM' "$work/trace"
grep -q '^ *1  clone  *EPERM' "$work/trace"
grep -q 'answered 0 of 2 messages; exit 0' "$work/trace"

status=0
"$arena" trace 2>"$work/usage" || status=$?
[ "$status" = 2 ]
[ "$(wc -l <"$work/usage")" = 1 ]
