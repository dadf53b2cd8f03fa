# SPDX-License-Identifier: MIT
"""Whole texts of commands that tell what is stored or running, from states that are known.

usage: printed.py BUILD
"""
import datetime
import fcntl
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import terminal

BUILD = os.path.abspath(sys.argv[1])
ARENA = BUILD + "/bin/arena"
ROOM = tempfile.mkdtemp(prefix="printed-")
HOME = ROOM + "/home"
LONG = "n" * 32  # the longest name of a bot
MOMENT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "ARENA_STORE"} | {"ARENA_HOME": HOME, "TZ": "UTC"}


def arena(*arguments, status=0):
    done = subprocess.run([ARENA, *arguments], capture_output=True, text=True, timeout=120, cwd=ROOM, env=ENVIRONMENT,
                          stdin=subprocess.DEVNULL)
    assert done.returncode == status, (arguments, done)
    assert (done.stderr.count("\n") == 1) == (status != 0), (arguments, done)
    return done.stderr if status else done.stdout


def same(found, wanted):
    assert found == wanted, f"\n--- found\n{found}\n--- wanted\n{wanted}"


def on_terminal(*arguments, rows=30, columns=100):
    """What a command writes to a terminal of that size, both of its outputs; and its exit status."""
    return terminal.run([ARENA, *arguments], rows=rows, columns=columns, environment=ENVIRONMENT | {"TERM": "xterm"})


# ---- bots ----

def bots():
    """When a bot was submitted is told."""
    for bot in json.loads(arena("bots", "--json"))["bots"]:
        assert re.fullmatch(MOMENT, bot["submitted"]), bot
        submitted = datetime.datetime.fromisoformat(bot["submitted"].replace("Z", "+00:00"))
        age = datetime.datetime.now(datetime.timezone.utc) - submitted
        assert abs(age.total_seconds()) < 600, bot
    shutil.copytree(f"{BUILD}/bots/random", ROOM + "/long")
    with open(ROOM + "/long/bot.json") as file:
        manifest = json.load(file)
    with open(ROOM + "/long/bot.json", "w") as file:
        json.dump(manifest | {"name": LONG, "author": "A" * 64}, file)
    arena("submit", "long")
    wide = arena("bots", "--wide").splitlines()
    assert len(wide) == 4 and f"{LONG}  " in wide[3] and "A" * 64 in wide[3], wide
    assert all(len(line) <= 80 for line in arena("bots").splitlines()), arena("bots")
    assert f"{LONG}: 5 points" in arena("play", LONG)
    assert wide[0].split() == ["bot", "version", "author", "language", "package", "state"], wide


# ---- seasons ----

SHOWN = """\
season      spring
players     2,4
board       gray
clock       turn 50 ms, bank 60 ms, gain 7 ms, start 8000 ms
budget      50 games
until decided yes
keep        forfeits+5
stderr      publish
practice    yes
memory      768 MiB
state       idle
reason      nobody plays the season: `arena serve` (within seconds, if it runs already) or `arena season run spring` plays it
bots        0
too slow    0
groups      0
scheduled   0 games
played      0 games
counting    0 games
void        0 games
left        50 games
commitment  a8faed6abbf35c12a4b26e40f6feb19d736d90045c83b9f9a31f638d323e6811 (SHA-256 of the seed's bytes)
seed        00112233445566778899aabbccddeeff, given by the organizer: not secret
"""


def seasons():
    terms = ("--players 4,2 --board gray --budget 50 --until-decided --authors free --stderr publish --practice"
             " --keep forfeits+5 --seed 00112233445566778899aabbccddeeff --clock turn=50,bank=60,gain=7,start=8000").split()
    same(arena("season", "list"), "no seasons yet: `arena season new NAME` creates one\n")
    same(arena("season", "new", "spring", *terms),
         "season spring is open: `arena serve` or `arena season run spring` plays it\n" +
         re.sub(r"(bots|too slow|groups|scheduled|played|counting|void) +0.*\n", "", SHOWN))
    arena("season", "new", "summer")
    same(arena("season", "show", "spring"), SHOWN)
    spring = json.loads(arena("season", "show", "spring", "--json"))
    assert re.fullmatch(MOMENT, spring.pop("created")) and spring.pop("openings")[0]["secret"] is False, spring
    same(spring, {
        "memory_mib": 768, "freeze": True, "pin": False, "require": "lite", "closing": None, "closed": None,
        "division": None, "from": None, "deadline": None, "until": None, "live_delay_s": 30,
        "played": 0, "scheduled": 0, "groups": 0, "bots": 0, "too_slow": 0, "state": "idle", "games": 0, "void": 0, "left": 50,
        "games_a_day": None, "void_since": None,
        "reason": "nobody plays the season: `arena serve` (within seconds, if it runs already) or `arena season run spring` plays it", "idle_s": None,
        "season": "spring", "players": [2, 4], "board": "gray", "budget": 50, "until_decided": True, "authors": "free",
        "clock": {"turn_ms": 50, "bank_ms": 60, "gain_ms": 7, "start_ms": 8000}, "keep": "forfeits+5",
        "stderr": "publish", "practice": True, "notice": "The season is not being played at the moment.",
        "running": False})


def a_run_on_a_terminal():
    """Progress is drawn in place, ends on a line of its own, and is followed by what a pipe gets."""
    arena("season", "new", "quick", "--budget", "8")
    seen, status = on_terminal("season", "run", "quick")
    assert status == 0, seen
    assert re.search(r"\r *[1-8](/| of )8 ", seen) or re.search(r"\r[^\r\n]*\b8\b", seen), seen
    rest = seen[seen.rindex("\r\x1b[K") if "\r\x1b[K" in seen else 0:]
    assert re.search(r"8 games? ", rest), seen
    arena("season", "run", "quick")
    played = json.loads(arena("season", "show", "quick", "--json"))
    assert played["played"] == 8, played
    arena("season", "extend", "quick", "--budget", "8")
    seen, status = on_terminal("season", "run", "quick")  # who leads after the earlier games, and their Elo
    assert status == 0 and re.search(r"; greedy 1[5-9]\d\d, \w+", seen), seen


# ---- submissions ----

def submissions():
    same(arena("submissions"), "no submissions yet: `arena submit --queue DIR` makes one\n")
    arena("submit", "--queue", f"{BUILD}/bots/steady")
    report = {"reason": "it is not fit to play", "steps": [
        {"name": "manifest", "result": "PASS"}, {"name": "turn: draft", "result": "FAIL", "reason": "it \u001b sleeps"}]}
    with sqlite3.connect(HOME + "/arena.db") as database:
        database.execute("UPDATE submission SET state = 5, report = ?, received_us = 1000000, building_us = 2000000,"
                         " checking_us = 3000000, ended_us = 61000000", (json.dumps(report),))
    database.close()
    sha256 = json.loads(arena("submissions", "--json"))["sha256"]
    same(arena("submissions", "1").splitlines()[1:], [
        f"  package   {sha256}", "  received  1970-01-01 00:00:01 UTC", "  building  1970-01-01 00:00:02 UTC",
        "  checking  1970-01-01 00:00:03 UTC", "  ended     1970-01-01 00:01:01 UTC", "  reason    it is not fit to play",
        "  PASS  manifest", "  FAIL  turn: draft: it \\x1b sleeps"])
    line = "   1  refused   steady                   1            Pavilion's steady\n"
    same(arena("submissions"), line + "      it is not fit to play\n")
    assert arena("submissions", "1").startswith(line)
    told = json.loads(arena("submissions", "1", "--json"))
    assert told["report"] == report and told["ended"] == "1970-01-01T00:01:01Z" and told["state"] == "refused", told
    assert "is not the number of a submission" in arena("submissions", "99999999999999999999", status=2)


# ---- stores ----

def stores():
    source, target = f"{HOME}/arena.db", f"{ROOM}/copy/arena.db"
    lines = arena("store", "copy", "sqlite:" + source, "sqlite:" + target).splitlines()
    counts = {}
    with sqlite3.connect(source) as database:
        for line in lines[:-1]:
            name, count, rows, digest = line.split()
            assert rows == "rows" and re.fullmatch("[0-9a-f]{16}", digest), line
            assert line == f"{name:<12} {int(count):>10} rows  {digest}", line
            counts[name] = int(count)
            same(counts[name], database.execute(f"SELECT count(*) FROM {name}").fetchone()[0])
    database.close()
    assert counts["bot"] == 3 and counts["season"] == 3 and counts["game"] == 16, counts
    same(lines[-1], f"{sum(counts.values())} rows copied and read back: {target} now holds the same as {source}")
    same([name for name in os.listdir(HOME) if name.endswith(".lock")], [])
    shutil.rmtree(ROOM + "/copy")
    told = json.loads(arena("store", "copy", "--json", "sqlite:" + source, "sqlite:" + target))
    same((told["from"], told["to"], told["rows"]), (source, target, sum(counts.values())))
    same({table["table"]: table["rows"] for table in told["tables"]}, counts)
    same([table["sha256"][:16] for table in told["tables"]], [line.split()[3] for line in lines[:-1]])
    same(arena("bots", "--home", ROOM + "/copy"), arena("bots"))
    arena("store", "copy", "sqlite:" + source, "sqlite:" + target, status=2)  # it has a league in it
    arena("store", "copy", f"sqlite:{ROOM}/none/arena.db", f"sqlite:{ROOM}/more/arena.db", status=2)
    assert not os.path.exists(ROOM + "/more")
    shutil.rmtree(ROOM + "/copy")

    same(arena("doctor", "--store", "sqlite:" + source),
         f"PASS  reachable         {source}\nPASS  schema            the store's tables have the form that this arena needs\n")
    same(json.loads(arena("doctor", "--json", "--store", "sqlite:" + source)), {
        "reachable": True, "checks": [
            {"result": "PASS", "check": "reachable", "found": source, "cure": ""},
            {"result": "PASS", "check": "schema", "found": "the store's tables have the form that this arena needs", "cure": ""}]})
    done = subprocess.run([ARENA, "doctor", "--store", f"sqlite:{ROOM}/none/arena.db"], capture_output=True, text=True,
                          env=ENVIRONMENT, check=False)
    assert done.returncode == 1 and re.fullmatch(
        rf"FAIL  schema            there is no store in {ROOM}/none; fix: [^\n]*\n", done.stdout), done

    role = arena("store", "role", "arena_worker")
    assert role.startswith("--") or role.startswith("BEGIN"), role
    grants = re.findall(r'^GRANT EXECUTE ON FUNCTION (worker_\w+) TO "arena_worker";$', role, re.MULTILINE)
    assert len(grants) == len(set(grants)) >= 6 and role.endswith("COMMIT;\n"), role
    for wrong in "", 'a"b', "x" * 33:
        assert "a role's name is 1 to 32 characters from a-z, 0-9 and _" in arena("store", "role", wrong, status=2)
    arena("store", "role", "x" * 32)


def workers_need_another_store():
    words = f"{HOME}/arena.db: workers need a store that several machines share: postgresql://HOST/DATABASE\n"
    same(arena("workers", status=2), "arena: " + words)
    cache = ROOM + "/cache"
    same(arena("worker", "--cache", cache, "--name", "one", status=2), "arena: " + words)
    assert os.path.isdir(cache) and os.stat(cache).st_mode & 0o77 == 0
    os.chmod(cache, 0o777)
    same(arena("worker", "--cache", cache, status=2),
         f"arena: {cache}: other users may write to this cache of packages: give --cache a folder of your own, mode 0700\n")
    for variable, value, folder in (("XDG_CACHE_HOME", ROOM + "/xdg", "/xdg/pavilion/packages"),
                                    ("HOME", ROOM + "/user", "/user/.cache/pavilion/packages"),
                                    ("XDG_CACHE_HOME", "relative", None)):
        environment = {name: value for name, value in ENVIRONMENT.items() if name not in ("XDG_CACHE_HOME", "HOME")}
        done = subprocess.run([ARENA, "worker"], capture_output=True, text=True, env=environment | {variable: value},
                              cwd=ROOM, check=False)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done
        if folder:
            assert words in done.stderr and os.path.isdir(ROOM + folder), done
        else:
            assert "no folder for the bots' packages: set HOME or XDG_CACHE_HOME, or name a folder with --cache" in done.stderr, done
    assert "the path of the cache is too long" in arena("worker", "--cache", "/" + "x" * 2047, status=2)


# ---- a daemon ----

STATUS = """\
runs        process 4711, since 2030-01-02T03:04:05Z
games       12 since then, 0.25 a second, 2 under way on 3 jobs
queue       5 submissions
longest     12.345 ms for which the event loop was blocked
disk        1.5 GiB free
store       does not answer since 2030-01-03T03:04:05Z
site        published at 2030-01-02T03:05:00Z
seasons     3 open when the store last answered, 1 of them played by another process
  spring                                  7 of 20 games; played by this daemon; last game 12 s ago
  summer                                  0 of 100 games; its games begin at 2030-02-01T00:00:00Z
  winter                                994 of 1000 games, 6 void; the budget is spent
error       so it is \\x1b[31m
"""


def status():
    """From a status that is known. Of a league on a server that is away, the home tells as much."""
    known = {"running": True, "pid": 4711, "since": "2030-01-02T03:04:05Z", "games": 12,
             "games_per_s": 0.25, "playing_count": 2, "analyses": True, "jobs": 3, "queue": 5,
             "longest_hold_us": 12345, "disk_free_bytes": 3 << 29, "store": "down",
             "store_since": "2030-01-03T03:04:05Z", "published": "2030-01-02T03:05:00Z", "elsewhere": 1,
             "seasons": [{"season": "spring", "games": 7, "void": 0, "left": 13, "budget": 20, "running": True,
                          "state": "played", "reason": "played by this daemon", "idle_s": 12},
                         {"season": "summer", "games": 0, "void": 0, "left": 100, "budget": 100, "running": False,
                          "state": "early", "reason": "its games begin at 2030-02-01T00:00:00Z", "idle_s": None},
                         {"season": "winter", "games": 994, "void": 6, "left": 0, "budget": 1000, "running": False,
                          "state": "spent", "reason": "the budget is spent", "idle_s": 86400}],
             "errors": ["so it is \u001b[31m"]}
    with open(HOME + "/serve.json", "w") as file:
        json.dump(known, file)
    told = subprocess.run([ARENA, "status"], capture_output=True, text=True, env=ENVIRONMENT, check=False)
    same((told.returncode, told.stdout), (1, "no daemon runs on this home: `arena serve` starts one\n"))
    with open(HOME + "/serve.lock", "w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        same(arena("status"), STATUS)
        same(json.loads(arena("status", "--json")), known | {"version": None, "overloaded": None, "longest_hold_processor_us": None})
        for free, store, words in ((300 << 20, "up", "300 MiB free"), (0, "full", "0 MiB free"),
                                   (0, "unread", "unknown: the disk was not looked at yet")):
            with open(HOME + "/serve.json", "w") as file:
                json.dump(known | {"disk_free_bytes": free, "store": store}, file)
            assert f"disk        {words}\n" in arena("status"), arena("status")
        with open(HOME + "/serve.json", "w") as file:
            json.dump(known, file)
        ENVIRONMENT["ARENA_STORE"] = "postgresql://nobody@127.0.0.1:1/none"
        same(arena("status"), STATUS)
        assert "127.0.0.1" in arena("bots", "--home", HOME, status=1)  # the store is that of the variable
        del ENVIRONMENT["ARENA_STORE"]
    os.makedirs(ROOM + "/league", 0o700)  # a home whose store is on a server that nothing here names
    shutil.copy(HOME + "/serve.json", ROOM + "/league/serve.json")
    assert "there is no store" in arena("status", "--home", ROOM + "/league", status=2)
    with open(ROOM + "/league/serve.lock", "w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        same(arena("status", "--home", ROOM + "/league"), STATUS)


# ---- homes ----

def homes():
    """Nothing says where the store is, no system call can name it, or it is another user's: whose it is."""
    def refused(words, *command, **how):
        done = subprocess.run([*how.pop("around", []), ARENA, *command], capture_output=True, text=True, **how)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and words in done.stderr, (command, done)

    nowhere = {name: value for name, value in ENVIRONMENT.items() if name not in ("HOME", "ARENA_HOME")}
    for command in (["bots"], ["ladder", "one"], ["games", "one"], ["season", "list"], ["retire", "one"],
                    ["submissions"], ["status"]):
        refused("no store: set HOME or ARENA_HOME, or name the arena's folder with --home", *command, env=nowhere)
        refused("the path of the store is too long", *command, "--home", "/" + 5000 * "x", env=nowhere)
    if os.geteuid() != 0:
        return
    theirs = ROOM + "/theirs"
    arena("season", "new", "cup", "--home", theirs)
    subprocess.run(["chown", "-R", "daemon", theirs], check=True)
    os.chmod(ROOM, 0o755)
    for command in ["bots"], ["status"], ["season", "list"]:
        refused("theirs: belongs to user daemon: run the command as that user", *command, "--home", theirs,
                around=["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])


# ---- kits ----

def kits():
    listed = [json.loads(line) for line in arena("new", "--list", "--json").splitlines()]
    same(arena("new", "--list"), "".join(f"{kit['language']:<11} {kit['needs']}" +
         (f"; not installed here: {', '.join(kit['missing'])}" if kit["missing"] else "") + "\n" for kit in listed))
    for kit in listed:  # as dpkg says, but a program may have come in another package
        for package in re.sub(" and |, ", " ", kit["needs"]).split():
            known = not shutil.which("dpkg") or shutil.which(package, path="/usr/bin:/usr/local/bin") or subprocess.run(["dpkg", "-s", package], capture_output=True, check=False).returncode == 0
            assert (package in kit["missing"]) == (not known), (package, kit)
    languages = [kit["language"] for kit in listed]
    assert len(languages) >= 10 and {"c", "cpp", "python", "rust"} <= set(languages), languages
    python = f"needs {dict((kit['language'], kit['needs']) for kit in listed)['python']}\n"
    first = "  README.md describes the next steps; the first one:\n"
    said = arena("new", "--lang", "python", "--author", "Me", f"{ROOM}/mine//")
    files = sum(len(files) for _, _, files in os.walk(ROOM + "/mine"))
    same(said, f"{ROOM}/mine: {files} files written; the bot {python}{first}  arena check --quick {ROOM}/mine\n")
    with open(ROOM + "/mine/bot.json") as file:
        manifest = json.load(file)
    same((manifest["name"], manifest["author"]), ("mine", "Me"))
    said = arena("new", "--lang", "python", "--name", "named", "other")
    assert said.endswith("  arena check --quick other\n"), said
    with open(ROOM + "/other/bot.json") as file:
        manifest = json.load(file)
    assert manifest["name"] == "named" and manifest["author"], manifest
    assert "(cd" not in said, said
    said = arena("new", "--lang", "typescript", "ts")
    assert re.search(r"the first one:\n  \(cd ts && npm [^\n]*\)\n  arena check --quick ts\n$", said), said
    same(arena("new", "--lang", "python", "mine", status=2), "arena: mine: already exists; choose another folder\n")
    assert "cannot be written" in arena("new", "--lang", "c", "/proc/mine", status=2)


try:
    for bot in "greedy", "random":
        arena("submit", f"{BUILD}/bots/{bot}")
    bots()
    seasons()
    submissions()
    a_run_on_a_terminal()
    stores()
    workers_need_another_store()
    status()
    homes()
    kits()
finally:
    shutil.rmtree(ROOM, ignore_errors=True)
print("printed: holds")
