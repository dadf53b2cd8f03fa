# SPDX-License-Identifier: MIT
"""What memory.py and calls.py share: the commands, an arena for them, and what a command that failed may leave."""
import collections
import ctypes
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time

BUILD = os.path.abspath(sys.argv[1])
TRIES = int(sys.argv[2]) if len(sys.argv) > 2 else 1
ONLY = sys.argv[3:]
ARENA = BUILD + "/bin/arena"
BOTS = BUILD + "/bots/"
SEED = "--seed=00112233445566778899aabbccddeeff"
# OUT is an empty folder, GAMES an export of the season cup, ROOM the folder of both and of a kit.
READING = [["ladder", "cup"], ["ladder", "cup", "--json"], ["games", "cup"], ["games", "cup", "--json"], ["season", "show", "cup"],
           ["season", "show", "cup", "--json"], ["season", "list"], ["season", "events", "cup"], ["season", "roster", "cup"],
           ["season", "claim", "cup"], ["replay", "cup-000000-0"], ["replay", "cup-000000-0", "--json", "--legal"],
           ["replay", "cup-000000-0", "--verify"], ["replay", "cup-000000-0", "--at=5", "--request"], ["bots"], ["bots", "--json"],
           ["bots", "fetch", "random", "OUT/bot"], ["replay", "cup-000000-0", "--html", "OUT/match.html"], ["explain", "cup-000000-0"],
           ["events"], ["submissions"], ["rate", "GAMES/games.csv"], ["rate", "GAMES/games.csv", "--json"],
           ["rate", "GAMES/games.csv", "--live"], ["store", "check", "--replays"], ["export", "cup", "OUT/export"],
           ["publish", "OUT/site"], ["league", "list"], ["author", "list"], ["new", "--lang=python", "--author=me", "OUT/kit"],
           ["doctor", "--calls"], ["web", "--openapi"], ["store", "role", "w"]]
# These change the store; their output is the same in each run.
CHANGING = [["season", "prune", "--yes", "--keep=forfeits+1"], ["author", "rename", "bob", "bert"], ["author", "erase", "bob"],
            ["author", "revoke", "bob"], ["retire", "random"], ["ban", "random"], ["ban", "random", "--void"], ["season", "void", "old"],
            ["season", "extend", "cup", "--budget=8"], ["season", "roster", "two", "--only=random,greedy"], ["season", "pause", "cup"],
            ["season", "reopen", "old", "--budget=8"]]
# The output of these tells times, new tokens or seeds.
VARYING = [["store", "backup", "OUT/copy.db"], ["store", "copy", "sqlite:HOME/arena.db", "sqlite:OUT/copy.db"], ["author", "new", "ada"],
           ["author", "token", "bob"], ["author", "import", "ROOM/authors.csv", "--tokens=OUT/tokens"], ["season", "new", "den"],
           ["league", "new", "l", "--divisions=a", "--places=2"], ["season", "close", "cup"],
           ["doctor", "--store=sqlite:HOME/arena.db"], ["submit", "--queue", BOTS + "steady"]]
# These run bots.
PLAYING = [["match", "--games=2", SEED, "--replays=OUT/replays", "random", "greedy"], ["match", "--json", SEED, "random", "greedy"],
           ["match", "--json", SEED, "random", "ROOM/gone"], ["season", "run", "two"], ["submit", "--check-games=1", BOTS + "steady"], ["build", "ROOM/kit"],
           ["sprt", "--max-groups=2", "greedy", "random"], ["check", "--quick", BOTS + "random"],
           ["analyse", "--turn=5", "cup-000000-0"], ["replay", "cup-000000-0", "--at=5", "--bot=greedy"],
           ["play", "--replays=OUT/games", "random"]]
COMMANDS = [command for command in READING + CHANGING + VARYING + PLAYING if command[:len(ONLY)] == ONLY]
SAME = READING + CHANGING
UNTOLD = {"copy.db", "site.keys", "copy.db-wal", "copy.db-shm", "tokens"}  # files that differ from run to run
SETUP = [["submit", "--check-games=1", BOTS + "random"], ["submit", "--check-games=1", BOTS + "greedy"], ["season", "new", "cup", "--budget=4"],
         ["season", "run", "cup"], ["season", "new", "two", "--budget=4"], ["author", "new", "bob"], ["author", "token", "bob"],
         ["season", "new", "old", "--budget=4"], ["season", "close", "old"], ["export", "cup", "ROOM/games"],
         ["new", "--lang=c", "ROOM/kit"]]
# Libraries that end the process where they lack memory: GLib and Rust below the one that draws pictures, libarchive.
ABORTS = ["failed to allocate", "memory allocation of", "Fatal Internal Error in libarchive: Out of memory"]
Outcome = collections.namedtuple("Outcome", "status stdout stderr files wrong")


def furnish(room):
    """Makes the arena whose copies the commands work on."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: orphans become children of this process
    os.mkdir(room + "/home", 0o700)
    os.environ |= {"ARENA_HOME": room + "/home", "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1"}
    with open(room + "/authors.csv", "w", encoding="utf-8") as accounts:
        accounts.write("author\ncarl\ndora\n")
    os.mkdir(room + "/gone")  # a bot that exits at once
    with open(room + "/gone/bot.json", "w", encoding="utf-8") as manifest:
        manifest.write('{"run": ["false"]}')
    for command in SETUP:
        subprocess.run([ARENA, *(word.replace("ROOM", room) for word in command)], check=True, stdout=subprocess.DEVNULL, timeout=300)


def files(folder):
    """The files below a folder: their names, and hashes of what they contain."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            if name not in UNTOLD and os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


def left_processes():
    """Ends and counts the processes that a command left, after giving them a moment."""
    for _ in range(50):
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return 0
        time.sleep(0.1)
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as children:
        left = children.read().split()
    for child in left:
        os.kill(int(child), signal.SIGKILL)
    return len(left)


def run(room, command, before, variables, fails):
    """Runs a command in a copy of the home, behind the words `before`."""
    folder = room + "/one"
    home, out, temporary = (f"{folder}/{name}" for name in ("home", "out", "tmp"))
    os.makedirs(out)
    os.mkdir(temporary)
    shutil.copytree(room + "/home", home)
    words = [word.replace("OUT", out).replace("HOME", home).replace("GAMES", room + "/games").replace("ROOM", room) for word in command]
    try:
        done = subprocess.run([*before, *words], env=dict(os.environ, ARENA_HOME=home, TMPDIR=temporary) | variables,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=200)
    except subprocess.TimeoutExpired as late:
        done = subprocess.CompletedProcess(words, -1, late.stdout or b"", (late.stderr or b"") + b"[waited 200 s]")
    wrong = [f"{count} processes left" for count in [left_processes()] if count]
    # What a process that ended at once leaves as its stage, the next one removes.
    wrong += [f"left: {name}" for name in os.listdir(temporary) if not (done.returncode and name.startswith("arena-stage-"))]
    if fails and command not in READING:
        checked = subprocess.run([ARENA, "store", "check"], env=dict(os.environ, ARENA_HOME=home), capture_output=True, text=True)
        if checked.returncode:
            wrong.append(f"store check: {checked.stdout}{checked.stderr}")
    outcome = Outcome(done.returncode, done.stdout, done.stderr.decode(errors="replace"), files(out), wrong)
    shutil.rmtree(folder)
    return outcome


def judge(command, good, outcome, told):
    """What is wrong with how a command ended, by what it did without a failure; `told` says whether its words name the cause."""
    faults = list(outcome.wrong)
    if outcome.status == 0:
        if command in SAME and (outcome.stdout != good.stdout or outcome.files != good.files):
            faults.append(f"status 0, but not all is there: {outcome.stderr[-200:]} {sorted(outcome.files.items() ^ good.files.items())[:4]}")
        elif b'"forfeits":[null,null]' in outcome.stdout and b'"forfeits":[null,null]' not in good.stdout:
            faults.append("status 0, but a forfeit is lost")
        elif outcome.files.keys() != good.files.keys():
            faults.append(f"status 0, but files {sorted(outcome.files.keys() ^ good.files.keys())}")
    elif outcome.status < 0 and any(words in outcome.stderr for words in ABORTS):
        pass
    elif outcome.status != 1 or not told:
        faults.append(f"status {outcome.status}: {outcome.stderr[-500:]}{outcome.stdout[-200:]!r}")
    elif outcome.stderr.count("\n") > 2 + good.stderr.count("\n"):
        faults.append(f"too many words: {outcome.stderr[-500:]}")
    elif command in SAME and any(good.files.get(name, seal) != seal for name, seal in outcome.files.items()):
        faults.append("left an incomplete file")
    return faults
