# SPDX-License-Identifier: MIT
"""What commands say, word by word, with their exit status: a season from its first bot to its end, and
what nobody should type, compared with tests/golden/transcript.txt. Times, hashes and folders are not.

usage: transcript.py BUILD
"""
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

BUILD = os.path.abspath(sys.argv[1])
GOLDEN = os.path.dirname(os.path.abspath(__file__)) + "/../golden/transcript.txt"
ROOM = tempfile.mkdtemp(prefix="transcript-")
SEED = "--seed 000102030405060708090a0b0c0d0e0f"
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")} | {"TZ": "UTC"}
ENVIRONMENT |= {"ARENA_HOME": ROOM + "/home", "NO_COLOR": "1"}

VARYING = [  # what differs from run to run, by compiler or by machine
    (re.escape(BUILD), "BUILD"),
    (re.escape(ROOM), "ROOM"),
    (r"[\w.-]+@" + re.escape(socket.gethostname()[:31]), "USER@HOST"),
    (r" +(?=USER@HOST)", "  "),
    (r"about +who", "about  who"),
    (r'"layers":\[\[[^]]*\](,\[[^]]*\])*\]', '"layers":LAYERS'),
    (r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ| \d\d:\d\d:\d\d [A-Z]+)", "MOMENT"),
    (r"\b[0-9a-f]{64}\b|(?<= )[0-9a-f]{12}(?=\s)", "SHA-256"),
    (r"(?<=\.new-)\d+", "N"),
    (r"may use \d+ cores?: use --jobs \d+", "may use N cores: use --jobs N"),
    (r"(?<=offset )\d+", "N"),
    (r'(?<="idle_s":)\d+', "N"),
    (r"(?<=within )\d+(?= ms of)", "N"),
    (r"asked   \d+ bytes: .*", "asked   N bytes: ..."),
    (r'"((?:wall_|delay_|longest_delay_|cpu_)?us|bytes|memory_peak_bytes|ms_\w+|median|p99|max|decisions)":(\[[\d,]*\]|[\d.]+)', r'"\1":N'),
    (r'"ms":\{[^}]*\}', '"ms":N'),
    (r"\b\d+\.\d+(?= (s|ms|MB|MiB|a second)\b)", "N"),
    (r"(?<=greedy|random) +\d+\.\d\d +\d+\.\d\d +\d+\.\d\d\n", " N N N\n"),
    (r" +\d+\.\d\d +\d+\.\d\d +\d+\.\d\d(?= +\? )", " N N N"),
    (r"(?<=,)\d+\.\d{3},\d+\.\d{3},\d+\.\d{3}(?=,)", "N,N,N"),
    (r"mean +p99 +max", "mean p99 max"),
    # Of a site: how many documents and kits this build serves.
    (r"\d+(?= files written, \d+ unchanged)", "N"),
    (r'(?<="kept":)\d+', "N"),
]

# ---- a season ----

STORY = f"""\
bots
season list
submissions
submit BUILD/bots/greedy
submit BUILD/bots/random
submit BUILD/bots/greedy
submit ROOM/unfit
submit ROOM/nothing
submit --queue BUILD/bots/random
submit --queue --json BUILD/bots/random
submissions
submissions 2
submissions --json
bots
bots --wide
bots --json
season new cup --budget 8 {SEED}
season new cup
season new odd --players 3,2,4 --board both --budget 4 {SEED} --json --no-freeze --pin --memory 100 --require full
season new Cup
season run cup --memory 768
season run cup --games 3
season run cup
season run cup
season run odd --jobs 512
season run none
season list
season list --json
season show cup
season show odd
season show cup --json
season show none
games cup
games cup --json
games cup --bot greedy --reason played --json
games cup --bot nobody
games cup --reason timeout
games none
ladder cup
ladder cup --wide
ladder cup --live
ladder cup --final --players 2
ladder cup --cross
ladder cup --cross --json
ladder cup --csv
ladder cup --json
ladder cup --live --json
ladder odd --players 3
ladder odd --players 3 --json
ladder none
replay cup-000001-1
replay cup-000001-1 --verify
replay cup-000001-1 --json
replay cup-000001-0 --at hello --seat 1 --bot greedy
replay cup-000001-0 --at hello --seat 0 --bot random@1 --json
replay cup-000001-0 --at 9 --bot random
replay cup-000001-0 --at 9 --bot BUILD/bots/random --json
replay cup-000001-0 --at 9 --bot greedy --memory 16
replay cup-000001-0 --at 9 --bot ROOM/unfit
replay cup-000001-0 --at 9 --bot ROOM/unfit --json
replay cup-000001-0 --at 9999 --bot greedy
replay cup-000001-0 --at hello --bot greedy
replay cup-000001-0 --at 9 --seat 2 --bot greedy
replay cup-000009-0
replay none-000001-0
store check
store check --json
store check --replays
store check --replays --json
season prune cup
season prune --keep forfeits+3
season prune --keep forfeits+3 --yes cup
season prune --keep forfeits+3 cup --json
season prune cup none
store check --replays --json
replay cup-000000-0
export cup ROOM/files
export cup ROOM/files
export cup ROOM/none/files
export none ROOM/other
rate ROOM/files/games.csv
rate ROOM/files/games.csv --live --json
season roster cup --only greedy,random
season roster cup --only greedy
season roster cup
season roster cup --all
season roster cup --only greedy,,random
season roster cup --only greedy --all
season roster cup --only nobody
season extend cup
season extend cup --budget 3
season extend cup --until 2000-01-01
season extend none --budget 3
retire random
retire random
retire random --undo
retire random --undo
retire nobody
ban random
ban random --lift
ban --author "Pavilion's greedy" --void
ban --author "Pavilion's greedy" --lift
ban random --void --lift
ban nobody
season events cup
season events cup --json
season close cup
season close cup
season run cup
season extend cup --budget 5
season show cup
season reopen cup --budget 5 {SEED}
season reopen cup
season show cup --json
season close cup --wait 0
season remove cup
season remove odd
store backup ROOM/backup.db
store backup ROOM/backup.db
store backup ROOM/none/backup.db
store check --store sqlite:ROOM/backup.db
publish ROOM/site
publish --json cup ROOM/site
publish --games 0 none ROOM/site
publish --games x ROOM/site
match {SEED} BUILD/bots/greedy BUILD/bots/random
match {SEED} --json BUILD/bots/greedy BUILD/bots/random
match {SEED} --json --board gray --games 2 --rotate --memory 64 --replays ROOM/kept greedy random greedy
match {SEED} ROOM/unfit greedy random
match {SEED} --games 4 --rotate greedy random
match {SEED} --json ROOM/unfit greedy
replay ROOM/kept/000001-2.replay --verify
sprt greedy random --elo1 300 {SEED}
sprt greedy greedy --max-groups 3 --same-draws {SEED}
sprt greedy greedy --max-groups 2 {SEED} --json
sprt greedy nobody
build greedy
build ROOM/unfit
check --trace greedy
check --trace --turns 3 ROOM/unfit
check --quick {SEED} random
check --quick --json --check-games 1 {SEED} ROOM/unfit
check {SEED} greedy
"""

# ---- what nobody should type ----

REFUSED = """\
mach
match --job 2 one two
match --gmaes=3 one two
match --open=x one two
match --xyzzy one two
match --jobs 513 one two
match --memory 15 one two
match --build-space 0 one two
match --board grey one two
match --require most one two
match --seed 0 one two
match --seed 0000000000000000000000000000000g one two
match --clock trun=5 one two
match --freeze --no-freeze one two
season shwo one
season new one --budget 0
season new one --authors x
season new one --stderr none
season new one --wait 5
season list --budget 3
season close one --json
store copy one two --replays
serve --drain 86401
serve --packages-a-day 0
serve --bots-an-author 0
serve --build-seconds 0
worker --drain x
worker --name ""
sprt one two --elo0 nan
serve now
serve --every x
serve --jobs x
serve --package-bytes 0
serve --check-seconds 0
serve --home
serve --site ROOM/full --home ROOM/other
serve --site ROOM/none/site --web 1 --home ROOM/other
worker --lease 2
worker --cache-bytes 1
doctor --none-such
games
games --reason nothing one
ladder
ladder --live --final one
ladder --cross --csv one
ladder --players 5 one
season
season play
season new
season show
season new one --board pink
season new one --players 2,2
season new one --players 2;3
season new one --players 5
season new one --seed 12
season new one --clock turn=x
season new one --keep forfeits+x
season new one --none-such
season run one --games 0
season close one --wait x
season events
export cup
retire
ban
ban one two
ban one --author two
submit
submit --json one
submit --check-games 10 one
submit ROOM/plain
submit --queue ROOM/full
submissions x
submissions 7
submissions 1 2
store
store mend
store copy one
store role
store role Big
season prune --keep x
publish
rate
rate --prior
rate --prior 0
rate --k-min 3 one
rate --live --k-min 1001 one
rate ROOM/none.csv
rate ROOM
sprt
sprt one two --elo0 x
sprt one two --elo0 10 --elo1 10
sprt one two --alpha 0.5 --beta 0.5
sprt one two --max-groups 1000001
sprt one two --seed 1
match
match one
match --games 0 one two
match --games
match one two
match greedy greedy greedy greedy greedy
match greedy stedy
match greedy ROOM/bare
match greedy ROOM/broken
match greedy ROOM/empty
match greedy ROOM/odd
match greedy ROOM/lost
match greedy ROOM/unrunnable
match greedy ROOM/unbuildable
match greedy ROOM/plain
match greedy /dev/null
match --replays ROOM/plain/where greedy greedy
match --log ROOM/plain BUILD/bots/greedy BUILD/bots/greedy
match --replays ROOM/plain BUILD/bots/greedy BUILD/bots/greedy
match --open --json one two
play
play --seat x one
play --seat 2 one
play one
play ONE
play graedy
play greedy greedy greedy greedy
play --seed 12 greedy
play --hint ./one greedy
play --replays /proc/x greedy
check one
check --check-games 0 one
check randm
check /dev/null
build one
check --trace --turns 101 one
check --turns 3 one
check --trace --memory 15 one
check --trace one
new
new --lang c
new --lang cobol one
new --lang c Big
new --lang c --author "" one
replay
replay one
replay ROOM
replay ROOM/plain
replay --at x ROOM/game --bot greedy
replay --at 1 ROOM/game
replay --at 1 --legal --json ROOM/game --bot greedy
replay --legal ROOM/game
replay --verify --json ROOM/game
replay ROOM/nothing.replay
replay --verify ROOM/torn
replay --json ROOM/torn
replay --html ROOM/page.html ROOM/torn
replay --verify ROOM/longer
replay --verify ROOM/altered
replay --html ROOM/game ROOM/game
replay --html ROOM/no/where.html ROOM/game
replay --plain ROOM/game
replay --play --at 176 ROOM/game
replay --html x --json ROOM/game
replay --bot greedy ROOM/game
replay --seat 1 ROOM/game
replay --play ROOM/game
replay --play --at 1 --bot greedy ROOM/game
replay --play --at 1 --json ROOM/game
replay --play --at hello ROOM/game
replay --play --at 1 --seat 9 ROOM/game
replay --play --at 1 ROOM/game one two three
replay --clock turn=5 ROOM/game
replay --at 1 --seat 9 --bot greedy ROOM/game
admit
admit x
admit 0
admit 1 --check-seconds 0
admit 99
"""


def words(line):
    """The arguments of a line; "..." is one of them."""
    line = line.replace("BUILD", BUILD).replace("ROOM", ROOM)
    return [part[1:-1] if part.startswith('"') else part for part in re.findall(r'"[^"]*"|\S+', line)]


def plain(text):
    for pattern, name in VARYING:
        text = re.sub(pattern, name, text)
    return text


def shortened(line, output):
    """Of a match told decision by decision, its beginning and its end, without times."""
    output = re.sub(r";\s+[0-9.]+\s+ms,\s+bank\s+[0-9.]+\s+s", "", output)
    lines = output.splitlines(True)
    return output if len(lines) < 60 else "".join(lines[:9] + ["...\n"] + lines[-14:])


def tell(line):
    done = subprocess.run([BUILD + "/bin/arena", *words(line)], capture_output=True, text=True, timeout=300, cwd=ROOM,
                          env=ENVIRONMENT, stdin=subprocess.DEVNULL, check=False)
    told = f"$ arena {line}\n{shortened(line, done.stdout)}{done.stderr}"
    return plain(told) + (f"exit status {done.returncode}\n" if done.returncode else "")


def put(name, text):
    with open(f"{ROOM}/{name}", "wb") as file:
        file.write(text)


def bot(name, manifest):
    os.mkdir(f"{ROOM}/{name}")
    put(name + "/bot.json", json.dumps({"name": name, "version": "1", "author": "tests"} | manifest).encode())


def make_unusable():
    """Bots that cannot be run, and what is no whole replay."""
    bot("odd", {"run": "./bot"})
    bot("lost", {"run": ["./nothing"]})
    bot("unrunnable", {"run": ["./bot.json"]})
    bot("unbuildable", {"run": ["./bot"], "build": ["no-such-compiler"]})
    for name, manifest in ("broken", b'{"run": ['), ("empty", b"{}"), ("bare", None):
        os.mkdir(f"{ROOM}/{name}")
        put(name + ("/bot.json" if manifest else "/bot"), manifest or b"#!/bin/sh\n")
    with open(ROOM + "/kept/000000-0.replay", "rb") as file:
        game = file.read()
    for name, text in (("game", game), ("nothing.replay", b""), ("torn", game[:-10]), ("longer", game + b"\n"),
                       ("altered", game[:-1] + bytes([game[-1] ^ 1]))):
        put(name, text)


def main():
    bot("unfit", {"run": ["sh", "-c", "echo why >&2; exit 3"], "build": ["sh", "-c", "echo one; echo two"]})
    os.mkdir(ROOM + "/full")
    for name in "plain", "full/diary":
        put(name, b"text\n")
    story = [tell(line) for line in STORY.splitlines()]
    make_unusable()
    with ThreadPoolExecutor(3) as pool:
        made = "".join(story + list(pool.map(tell, REFUSED.splitlines())))
    with open(BUILD + "/transcript.txt", "w") as file:
        file.write(made)
    with open(GOLDEN) as file:
        assert made == file.read(), f"differs from tests/golden/transcript.txt: what came is in {BUILD}/transcript.txt"
    print("transcript: holds")


try:
    main()
finally:
    shutil.rmtree(ROOM, ignore_errors=True)
