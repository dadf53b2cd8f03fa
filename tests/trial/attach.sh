#!/bin/sh
# SPDX-License-Identifier: MIT
# `arena replay GAME --at TURN --no-limits` at a terminal waits for Enter, so that a debugger can be
# attached, before it sends the request. $1 is the build folder.
. tests/begin.inc
export PYTHONPATH="$PWD/tests/commands"
cd "$folder"
"$build/bin/arena" match --replays games "$build/bots/greedy" "$build/bots/random" >/dev/null
python3 - "$build/bin/arena" games/000000-0.replay "$build/bots/greedy" <<'PYTHON'
import os, select, sys
import terminal

arena, replay, bot = sys.argv[1:]
pid, fd = terminal.start([arena, "replay", replay, "--at", "0", "--bot", bot, "--no-limits"])
seen = ""
while "press Enter to send the request" not in seen:
    assert select.select([fd], [], [], 60)[0], seen
    seen += os.read(fd, 65536).decode()
os.write(fd, b"a debugger ")  # is no Enter yet
while select.select([fd], [], [], 0.3)[0]:
    seen += os.read(fd, 65536).decode()
assert "without limit" not in seen, "it did not wait: " + seen
os.write(fd, b"\n")
after, status = terminal.rest(pid, fd)
assert "without limit" in after and status == 0, (status, seen, after)
PYTHON
