#!/bin/sh
# `arena replay GAME --at TURN --no-limits` at a terminal waits for Enter, so that a debugger can be
# attached, before it sends the request. $1 is the build folder.
. tests/begin.inc
cd "$folder"
"$build/bin/arena" match --replays games "$build/bots/greedy" "$build/bots/random" >/dev/null
python3 - "$build/bin/arena" games/000000-0.replay "$build/bots/greedy" <<'PYTHON'
import os, pty, select, sys, time

arena, replay, bot = sys.argv[1:]
pid, fd = pty.fork()
if pid == 0:
    os.execv(arena, [arena, "replay", replay, "--at", "0", "--bot", bot, "--no-limits"])
seen = ""

def read(patience_s):
    """False at the end, and when nothing comes any more."""
    global seen
    if not select.select([fd], [], [], patience_s)[0]:
        return False
    try:
        piece = os.read(fd, 65536).decode()
    except OSError:
        return False
    seen += piece
    return piece != ""

deadline = time.monotonic() + 60
while "press Enter to send the request" not in seen:
    assert read(deadline - time.monotonic()), seen
os.write(fd, b"a debugger ")  # is no Enter yet
while read(0.3):
    pass
assert "without limit" not in seen, "it did not wait: " + seen
os.write(fd, b"\n")
while "without limit" not in seen:
    assert read(60), "it is not sent: " + seen
while read(60):
    pass
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
assert status == 0, (status, seen)
PYTHON
