# SPDX-License-Identifier: MIT
"""Kills `arena serve` with SIGKILL at random instants while it plays, admits and publishes, and
starts it again each time. The site is the old one or the new one, whole; in the end ladder and
games are, times aside, those of a daemon that nobody disturbed, each submission has ended once, and
no process, folder or control group is left.

Six kills in the ordinary suite.

usage: killed.py BUILD KILLS [SEED]"""

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import sys
import tempfile
import time

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/..")
from home import BUILD, Home, descendants, exported, make_bot, processes, table

KILLS = int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
BOTS = ["greedy", "random", "greedy-python"]
BUDGET = 40 + 16 * KILLS
SUBMIT_EVERY = 3  # kills
PATIENCE_S = 600


def prepare(room, name):
    home = Home(os.path.join(room, name))
    for bot in BOTS:
        home.arena("submit", os.path.join(BUILD, "bots", bot))
    home.arena("season", "new", "cup", "--seed", "5" * 32, "--budget", str(BUDGET))
    # What is admitted meanwhile plays no part in it: when that is, is no two times the same.
    home.arena("season", "roster", "cup", "--only", ",".join(BOTS))
    return home


def start(home):
    with open(home.folder + ".log", "a") as log:
        return home.start("serve", "--json", "--jobs", "2", "--site", home.folder + ".site", "--every", "1", output=log)


def status(home):
    return json.loads(home.run("status", "--json").stdout or '{"running": false}')


def wait_until(home, daemon, holds, what):
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        assert daemon.poll() is None, f"the daemon ended: {open(home.folder + '.log').read()[-2000:]}"
        seen = status(home)
        if seen["running"] and holds(seen):
            return
        time.sleep(0.1)
    raise AssertionError(f"never {what}: {status(home)} {open(home.folder + '.log').read()[-2000:]}")


def played(home):
    return len(home.lines("games", "cup"))


def is_done(home, seen):
    season = [s for s in seen["seasons"] if s["season"] == "cup"]
    done = not season or (season[0]["games"] >= season[0]["budget"] and not season[0]["running"])
    return done and seen["queue"] == 0 and played(home) >= BUDGET


# ---- what is looked at ----

def expect_gone(left):
    until = time.monotonic() + 30
    while time.monotonic() < until:
        alive = processes()
        here = {p: left[p] for p in left if p in alive and alive[p][1] == left[p][1]
                and open_state(p) not in "ZX"}
        if not here:
            return
        time.sleep(0.05)
    raise AssertionError(f"processes left: {here}")


def open_state(pid):
    try:
        return open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "X"


def groups():
    found = set()
    for folder, names, _ in os.walk("/sys/fs/cgroup"):
        found |= {os.path.join(folder, name) for name in names}
    return found


def check_site(site):
    """Whole: every link leads to a file, and all lists are of one moment."""
    if not os.path.exists(site):
        return False
    pages = {}
    for folder, _, names in os.walk(site):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                pages[os.path.normpath(path)] = file.read()
    for path, content in pages.items():
        if not path.endswith(".html"):
            continue
        assert content.rstrip().endswith(b"</html>"), f"half a page: {path}"
        for link in re.findall(rb'href="([^"#:]+)"', content):
            target = os.path.normpath(site + "/index.html" if link == b"/" else
                                      site + link.decode() if link[:1] == b"/" else
                                      os.path.join(os.path.dirname(path), link.decode()))
            assert target in pages, f"{path}: {link} leads nowhere"
    standings = json.loads(pages[os.path.normpath(site + "/cup/standings.json")])
    page = pages[os.path.normpath(site + "/cup/index.html")].decode()
    assert re.search(rf"<span>(All )?{standings['games']:,} (of|games are played)", page), "the site is of two moments"
    return True


def check_store(home):
    database = sqlite3.connect(os.path.join(home.folder, "arena.db"))
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    database.close()


def outcome(home):
    return exported(home, "cup", replays=False) | {"ladder": table(home.arena("ladder", "cup", "--final", "--csv"))}


# ---- the test ----

def hand_in(home, number):
    """A bot that is fit, or every other time one whose build fails."""
    keys = {"build": ["false"]} if number % 2 else {}
    folder = make_bot(f"{home.folder}.bot-{number}", "random", name=f"late-{number}", version="1",
                      author=f"author {number}", **keys)
    return json.loads(home.arena("submit", "--queue", "--json", folder))["submission"]


def check_submissions(home, handed_in):
    rows = home.lines("submissions")
    states = {row["submission"]: (row["bot"], row["state"]) for row in rows}
    assert len(rows) == len(states) == len(handed_in), rows
    for number, submission in enumerate(handed_in):
        expected = (f"late-{number}", "refused" if number % 2 else "admitted")
        assert states[submission] == expected, (states[submission], expected)
    bots = [line.split()[0] for line in home.arena("bots").splitlines()[1:] if line.strip()]
    late = sorted(name for name in bots if name.startswith("late-"))
    assert late == sorted(f"late-{n}" for n in range(len(handed_in)) if n % 2 == 0), bots


def await_child(daemon, word, further_s):
    until = time.monotonic() + 5
    while time.monotonic() < until and daemon.poll() is None:
        if any(word in line for _, _, line in descendants(daemon.pid).values()):
            time.sleep(further_s)
            return


def end(home, daemon):
    daemon.send_signal(signal.SIGTERM)
    assert daemon.wait(PATIENCE_S) == 0


def main():
    room = tempfile.mkdtemp(prefix="killed-")
    chance = random.Random(SEED)
    groups_before = groups()
    reference = prepare(room, "reference")
    daemon = start(reference)
    wait_until(reference, daemon, lambda seen: is_done(reference, seen), "done")
    end(reference, daemon)
    expected = outcome(reference)

    home = prepare(room, "home")
    handed_in, hits, sites = [], {"playing": 0, "admitting": 0, "publishing": 0}, 0
    for kill in range(KILLS):
        if kill % SUBMIT_EVERY == 0:
            handed_in.append(hand_in(home, len(handed_in)))
        daemon = start(home)
        if kill % 4:  # every fourth kill may come before it has begun
            wait_until(home, daemon, lambda seen: True, "running")
        # Most instants are not of an admission, nor of a publication: some are waited for.
        if kill % SUBMIT_EVERY == 0:
            await_child(daemon, " admit ", chance.uniform(0, 0.3))
        else:
            time.sleep(chance.uniform(0, 2))
        if kill % SUBMIT_EVERY == 1:
            await_child(daemon, " publish ", chance.uniform(0, 0.03))
        daemon.send_signal(signal.SIGSTOP)  # what is under way stays so while it is looked at
        left = descendants(daemon.pid)
        lines = " ".join(line for _, _, line in left.values())
        hits["admitting"] += " admit " in lines
        hits["publishing"] += " publish " in lines
        hits["playing"] += sum("arena" not in line for _, _, line in left.values()) > 0
        daemon.kill()
        daemon.wait()
        assert not status(home)["running"], "a killed daemon is told as running"
        expect_gone(left)
        check_store(home)
        sites += check_site(home.folder + ".site")
    daemon = start(home)
    wait_until(home, daemon, lambda seen: is_done(home, seen), "done")
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        shown = json.load(open(home.folder + ".site/cup/standings.json")) if os.path.exists(
            home.folder + ".site/cup/standings.json") else {}
        if shown.get("games") == len(expected["games.csv"][1:]) // 2:
            break
        time.sleep(0.2)
    left = descendants(daemon.pid)
    end(home, daemon)
    expect_gone(left)
    assert check_site(home.folder + ".site"), "no site"
    result = outcome(home)
    for what, wanted in expected.items():
        assert result[what] == wanted, f"{what} differs after {KILLS} kills"
    check_submissions(home, handed_in)
    beside = [name for name in os.listdir(room) if name.startswith("home.site.")]
    assert not beside, f"beside the site: {beside}"
    home.arena("match", "random", "random")  # removes what a process left that the daemon killed at its end
    left = os.listdir(home.folder + ".tmp")
    assert left == [], f"folders left: {left}"
    new_groups = {g for g in groups() - groups_before if "arena" in g.rsplit("/", 1)[1]}
    assert not new_groups, f"control groups left: {new_groups}"
    print(f"{KILLS} kills, {hits}, {sites} with a site, {len(handed_in)} submissions, "
          f"{len(expected['games.csv'][1:]) // 2} games")
    shutil.rmtree(room)


main()
