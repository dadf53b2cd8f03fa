# SPDX-License-Identifier: MIT
"""What memory.py and calls.py share: the commands, an arena for them, and what a command that failed may leave."""
import collections
import contextlib
import ctypes
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

BUILD = os.path.abspath(sys.argv[1])
TRIES = int(sys.argv[2]) if len(sys.argv) > 2 else 1
ONLY = sys.argv[3:]
ARENA = BUILD + "/bin/arena"
BOTS = BUILD + "/bots/"
SEED = "--seed=00112233445566778899aabbccddeeff"
# OUT is an empty folder, GAMES an export of the season cup, ROOM the folder of both and of a kit, URL the address of a daemon
# that serves another home, all commands' tokens for it included.
READING = [["ladder", "cup"], ["ladder", "cup", "--json"], ["games", "cup"], ["games", "cup", "--json"], ["season", "show", "cup"],
           ["season", "show", "cup", "--json"], ["season", "list"], ["season", "events", "cup"], ["season", "roster", "cup"],
           ["season", "claim", "cup"], ["replay", "cup-000000-0"], ["replay", "cup-000000-0", "--json", "--legal"],
           ["replay", "cup-000000-0", "--verify"], ["replay", "cup-000000-0", "--at=5", "--request"], ["bots"], ["bots", "--json"],
           ["bots", "fetch", "random", "OUT/bot"], ["replay", "cup-000000-0", "--html", "OUT/match.html"], ["explain", "cup-000000-0"],
           ["events"], ["submissions"], ["rate", "GAMES/games.csv"], ["rate", "GAMES/games.csv", "--json"],
           ["rate", "GAMES/games.csv", "--live"], ["store", "check", "--replays"], ["export", "cup", "OUT/export"],
           ["publish", "OUT/site"], ["league", "list"], ["league", "show", "l"], ["author", "list"], ["new", "--lang=python", "--author=me", "OUT/kit"],
           ["new", "--list"], ["challenge"], ["challenge", "1"], ["store", "upgrade"], ["doctor", "--calls"], ["web", "--openapi"],
           ["store", "role", "w"], ["--to", "URL", "bots", "--json"], ["challenge", "--to", "URL"]]
# These change the store; their output is the same in each run.
CHANGING = [["season", "prune", "--yes", "--keep=forfeits+1"], ["author", "rename", "bob", "bert"], ["author", "erase", "bob"],
            ["author", "revoke", "bob"], ["retire", "random"], ["ban", "random"], ["ban", "random", "--void"], ["season", "void", "old"],
            ["season", "extend", "cup", "--budget=8"], ["season", "roster", "two", "--only=random,greedy"], ["season", "pause", "cup"],
            ["season", "reopen", "old", "--budget=8"], ["season", "resume", "held"], ["season", "remove", "old"],
            ["author", "student", "bob", "7"], ["challenge", "greedy", "random"], ["store", "upgrade", "--store=sqlite:HOME/older.db"]]
# These write new tokens, seeds or times.
VARYING = [["store", "backup", "OUT/copy.db"], ["store", "copy", "sqlite:HOME/arena.db", "sqlite:OUT/copy.db"], ["author", "new", "ada"],
           ["author", "token", "bob"], ["author", "import", "ROOM/authors.csv", "--tokens=OUT/tokens"], ["season", "new", "den"],
           ["league", "new", "m", "--divisions=a", "--places=2"], ["league", "next", "l"], ["season", "close", "cup"],
           ["submit", "--to", "URL", "ROOM/gone"], ["--to", "URL", "author", "token", "bob"], ["status", "--home=ROOM/served"],
           ["doctor", "--store=sqlite:HOME/arena.db"], ["submit", "--queue", BOTS + "steady"]]
# These run bots.
PLAYING = [["match", "--games=2", SEED, "--replays=OUT/replays", "random", "greedy"], ["match", "--json", SEED, "random", "greedy"],
           ["match", "--json", SEED, "random", "ROOM/gone"], ["season", "run", "two"], ["submit", "--check-games=1", BOTS + "steady"], ["build", "ROOM/kit"],
           ["sprt", "--max-groups=2", SEED, "greedy", "random"], ["check", "--quick", SEED, BOTS + "random"],
           ["analyse", "--turn=5", "cup-000000-0"], ["replay", "cup-000000-0", "--at=5", "--bot=greedy"],
           ["play", "--replays=OUT/games", SEED, "random"], ["replay", "cup-000000-0", "--at=5", "--play", "random"], ["doctor"]]
# With one try a command these are left out: they need a daemon, or take long.
LONGER = [command for command in READING + VARYING if "URL" in command or command[0] == "status"] + PLAYING[-2:] + CHANGING[-1:]
COMMANDS = [command for command in READING + CHANGING + VARYING + PLAYING
            if command[:len(ONLY)] == ONLY and (TRIES != 1 or command not in LONGER)]
UNTOLD = {"copy.db", "site.keys", "copy.db-wal", "copy.db-shm", "tokens"}  # files that differ from run to run
SETUP = [["submit", "--check-games=1", BOTS + "random"], ["submit", "--check-games=1", BOTS + "greedy"], ["season", "new", "cup", "--budget=4"],
         ["season", "run", "cup"], ["season", "new", "two", "--budget=4"], ["author", "new", "bob"], ["author", "token", "bob"],
         ["season", "new", "old", "--budget=4"], ["season", "close", "old"], ["season", "new", "held", "--budget=4"], ["season", "pause", "held"],
         ["league", "new", "l", "--divisions=a", "--places=2"], ["season", "close", "l-1-a"], ["challenge", "random", "greedy"],
         ["export", "cup", "ROOM/games"], ["new", "--lang=c", "ROOM/kit"]]
# Libraries that end the process where they lack memory: GLib and Rust below the one that draws pictures, libarchive.
ABORTS = ["failed to allocate", "memory allocation of", "Fatal Internal Error in libarchive: Out of memory"]
# What differs from run to run in an output: times, hashes, seeds, tokens.
VARIES = re.compile(rb'"(?:us|ms|idle_s|us_max|ms_\w+|wall_us|longest_delay_us|time|submitted|played|started)": ?(?:\[[^]]*\]|[^,}]*)|[0-9a-f]{16,}|arena_\w+'
                    rb"|\d{4}-\d\d-\d\d[T ][\d:.]+|[\d.]+ (?:[GM]iB|ms|s)\b|\d+\.\d\d|in [\d.]+ s, [\d.]+| +")
# Words that blame a bot, an author or a file; what failed here is the machine.
BLAME = re.compile(r"damaged|truncated|not admitted|unfit|forfeit|malformed|is not a |no such|unknown|does not exist|there is no |no daemon runs|must be installed")
URL, SERVED = [], []
Outcome = collections.namedtuple("Outcome", "status stdout stderr files home blame wrong")


def serve(room, log=subprocess.DEVNULL, *options):
    """Starts a daemon on the home ROOM/served, for commands that go to another machine; sets URL and the organizer's token."""
    environment = dict(os.environ, ARENA_HOME=room + "/served")
    with socket.create_server(("127.0.0.1", 0)) as free:
        URL.append(f"127.0.0.1:{free.getsockname()[1]}")
    for words in (["author", "new", "bob"], ["author", "token", "bob", "--scope=organizer"]):
        made = subprocess.run([ARENA, *words], env=environment, check=True, stdout=subprocess.PIPE, text=True)
    os.environ["ARENA_TOKEN"] = made.stdout.strip()
    os.mkdir(room + "/web")
    SERVED.append(subprocess.Popen([ARENA, "serve", "--analyse=0", "--packages-a-day=100000", f"--site={room}/web/site", "--web", URL[0],
                                    *options], env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log))
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"http://{URL[0]}/", timeout=20):
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError("the daemon serves nothing")


def furnish(room):
    """Makes the arena whose copies the commands work on."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: orphans become children of this process
    os.mkdir(room + "/home", 0o700)
    os.environ |= {"ARENA_HOME": room + "/home", "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1"}
    with open(room + "/authors.csv", "w", encoding="utf-8") as accounts:
        accounts.write("author\ncarl\ndora\n")
    os.mkdir(room + "/gone")  # a bot that exits at once
    with open(room + "/gone/bot.json", "w", encoding="utf-8") as manifest:
        manifest.write('{"name": "gone", "version": "1", "author": "bob", "language": "sh", "run": ["false"]}')
    with open("tests/store/kept/1.sqlite.sql", encoding="utf-8") as older, sqlite3.connect(room + "/home/older.db") as store:
        store.executescript(older.read())
    for command in SETUP:
        subprocess.run([ARENA, *(word.replace("ROOM", room) for word in command)], check=True, stdout=subprocess.DEVNULL, timeout=300)
    if any("served" in word or word == "URL" for command in COMMANDS for word in command):
        serve(room)


@contextlib.contextmanager
def furnished():
    """A folder with such an arena, and a daemon beside it, for as long as they are needed."""
    with tempfile.TemporaryDirectory() as room:
        try:
            furnish(room)
            yield room
        finally:
            for daemon in SERVED:
                daemon.terminate()
                daemon.wait()


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


def children_of(pid):
    found = set()
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as children:
            found |= set(map(int, children.read().split()))
    return found


def left_processes():
    """Ends and counts the processes that a command left, after giving them a moment."""
    for _ in range(50):
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return 0
        left = children_of(os.getpid()) - {daemon.pid for daemon in SERVED}
        if not left:
            return 0
        time.sleep(0.1)
    for child in left:
        os.kill(child, signal.SIGKILL)
    return len(left)


def masked(text):
    return VARIES.sub(b" ", text)


def run(room, command, before, variables, fails):
    """Runs a command in a copy of the home, behind the words `before`."""
    folder = room + "/one"
    home, out, temporary = (f"{folder}/{name}" for name in ("home", "out", "tmp"))
    os.makedirs(out)
    os.mkdir(temporary)
    shutil.copytree(room + "/home", home)
    words = [word.replace("OUT", out).replace("HOME", home).replace("GAMES", room + "/games").replace("ROOM", room).replace("URL", "http://" + "".join(URL))
             for word in command]
    try:
        done = subprocess.run([*before, *words], env=dict(os.environ, ARENA_HOME=home, TMPDIR=temporary) | variables,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=200)
    except subprocess.TimeoutExpired as late:
        done = subprocess.CompletedProcess(words, -1, late.stdout or b"", (late.stderr or b"") + b"[waited 200 s]")
    wrong = [f"{count} processes left" for count in [left_processes()] if count]
    if any(name.startswith("arena-stage-") for name in os.listdir(temporary)):  # left by a process that ended at once: the next one removes it
        subprocess.run([ARENA, "match", "random", "greedy"], env=dict(os.environ, TMPDIR=temporary), stdout=subprocess.DEVNULL, timeout=200)
    wrong += [f"left: {name}" for name in os.listdir(temporary)]
    if fails and command not in READING:
        checked = subprocess.run([ARENA, "store", "check"], env=dict(os.environ, ARENA_HOME=home), capture_output=True, text=True)
        if checked.returncode:
            wrong.append(f"store check: {checked.stdout}{checked.stderr}")
    # A sandbox of another tier caches its builds elsewhere.
    kept = {name for name in files(home) if not name.endswith(("-wal", "-shm", "-journal")) and not name.startswith("cache/")}
    words = done.stderr.decode(errors="replace")
    blame = set(BLAME.findall(words + done.stdout.decode(errors="replace")))
    outcome = Outcome(done.returncode, done.stdout.replace(folder.encode(), b""), words, files(out), kept, blame, wrong)
    shutil.rmtree(folder)
    return outcome


def undisturbed(room, command, before, variables):
    """How a command ends without a failure: where two runs differ, no other run need be the same. With one try a command,
    there is one such run, and what may differ is known."""
    good = run(room, command, before, variables, False)
    assert good.status == 0 and not good.wrong, (command, good)
    if TRIES == 1 and command in READING + CHANGING:
        return good._replace(stdout=masked(good.stdout))
    if TRIES == 1:
        return good._replace(stdout=None, files=dict.fromkeys(good.files))
    twin = run(room, command, before, variables, False)
    return good._replace(stdout=masked(good.stdout) if masked(good.stdout) == masked(twin.stdout) else None,
                         files={name: seal if twin.files.get(name) == seal else None for name, seal in good.files.items()})


def judge(good, outcome, told):
    """What is wrong with how a command ended, by what it did without a failure; `told` says whether its words name the cause."""
    faults = list(outcome.wrong)
    words = outcome.stderr + outcome.stdout.decode(errors="replace")
    other = sorted(name for name, seal in outcome.files.items() if good.files.get(name, seal) not in (None, seal))
    if outcome.status == 0:
        if good.stdout is not None and masked(outcome.stdout) != good.stdout:
            faults.append(f"status 0, but not the same output: {outcome.stderr[-200:]} {masked(outcome.stdout)[-300:]}, not {good.stdout[-300:]}")
        if other or outcome.files.keys() != good.files.keys():
            faults.append(f"status 0, but other files: {other} {sorted(outcome.files.keys() ^ good.files.keys())[:4]}")
    elif outcome.status < 0 and any(abort in outcome.stderr for abort in ABORTS):
        pass
    elif outcome.status != 1 or not told:
        faults.append(f"status {outcome.status}: {words[-500:]}")
    elif outcome.stderr.count("\n") > 2 + good.stderr.count("\n"):
        faults.append(f"too many words: {outcome.stderr[-500:]}")
    elif other:
        faults.append(f"left an incomplete file: {other}")
    if blame := outcome.blame - good.blame:
        faults.append(f"blames with {sorted(blame)}: {words[-500:]}")
    if left := outcome.home - good.home:
        faults.append(f"left in the home: {sorted(left)[:4]}")
    return faults


def title(command):
    """The command in a table: without its options and arguments."""
    words = [word for word in command if word not in ("--to", "URL")]
    there = " --to URL" if len(words) < len(command) else ""
    return words[0] + (" " + words[1] if words[0] in ("season", "store", "author", "league") else "") + there


def tell(what, rows):
    """Prints a table of the commands: how many failures were tried, of how many; how many ended as without one (status 0),
    with one line (status 1), in a library's own way, and how many were faults; with FAILING_TABLE=FILE, what other runs left
    there, too."""
    path = os.environ.get("FAILING_TABLE")
    table = {}
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            table = json.load(file)
    for name, row in rows.items():
        before = table.setdefault(name, {}).get(what)
        table[name][what] = [a + b for a, b in zip(row, before)] if before else list(row)
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(table, file)
    show(table)


def show(table):
    kinds = sorted({kind for row in table.values() for kind in row})
    print("| command |" + "".join(f" {kind} |" for kind in kinds))
    print("| --- |" + " --- |" * len(kinds))
    for name in sorted(table):
        cells = ["{:,} of {:,}: {}, {}, {}, {}".format(*table[name][kind]) if kind in table[name] else "-" for kind in kinds]
        print(f"| `{name}` | {' | '.join(cells)} |")
