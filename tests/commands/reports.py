"""Reports for people, compared whole: `arena rate` with tests/golden/rate.txt, a season, a check.

usage: reports.py BUILD
"""
import json
import os
import re
import subprocess
import sys
import tempfile

build = os.path.abspath(sys.argv[1])
room = tempfile.mkdtemp(prefix="reports-")

MATCHES = "first,second,first_wins,draws,second_wins\n"
GAMES = "game,group,player,seat,rank\n"
FILES = {
    "none": GAMES,
    "one": MATCHES + "a,b,1,0,0\n",
    "apart": MATCHES + "a,b,5,1,0\nc,d,2,0,5\n",
    "three": GAMES + "1,1,Zo\u00eb,0,1\n1,1,bob,1,1\n1,1,cy,2,3\n2,1,bob,0,1\n2,1,cy,1,2\n"
                     "2,1,Zo\u00eb,2,3\n3,2,bob,0,1\n3,2,cy,1,2\n",
}
OPTIONS = ([], ["--prior", "none"], ["--prior", "50"], ["--live"], ["--live", "--k-min", "16"], ["--json"],
           ["--live", "--json"])

SHOWN = """\
season      spring, {state}
tables      2,3 players, both boards
clock       turn 500 ms, bank 10000 ms, gain 0 ms, start 5000 ms
games       {played} played, {scheduled} scheduled, budget 13
bots        {bots} in {batches}, {groups}
commitment  {commitment} (SHA-256 of the seed's bytes)
seed        00000000000000000000000000000001, given by hand: not secret
"""

CHECK = """\
fit to play
19 of 19 steps passed, 0 failed, 0 not tried
  1  manifest               pass
  2  build                  pass  nothing to build
  3  start                  pass
  4  hello                  pass
  5  turn: draft            pass
  6  turn: place            pass
  7  turn: bonus            pass
  8  end                    pass
  9  2 players, colored     pass
 10  2 players, gray        pass
 11  3 players, colored     pass
 12  3 players, gray        pass
 13  4 players, colored     pass
 14  4 players, gray        pass
 15  unknown keys           pass
 16  end of input           pass
 17  exit                   pass  exited within N ms of the end
 18  a game against itself  pass
 19  a game against chance  pass
time to answer: median N ms, p99 N ms, max N ms (N decisions)
memory: at most N MiB
standard error: N bytes
the same games again: --seed 000102030405060708090a0b0c0d0e0f
"""


def arena(*arguments, status=0):
    done = subprocess.run([build + "/bin/arena", *arguments], capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, ARENA_HOME=room + "/home"))
    assert done.returncode == status, (arguments, done)
    return done.stdout if status == 0 else done.stderr


def same(what, said, wanted):
    assert said == wanted, f"{what}:\n{said}\n---- not\n{wanted}"


def rate():
    made = ""
    for name, text in FILES.items():
        path = f"{room}/{name}.csv"
        with open(path, "w") as file:
            file.write(text)
        for options in OPTIONS:
            made += f"==== {name} {' '.join(options)}\n" + arena("rate", *options, path)
    with open(build + "/rate.txt", "w") as file:
        file.write(made)
    with open("tests/golden/rate.txt") as file:
        assert made == file.read(), f"differs from tests/golden/rate.txt: what came is in {build}/rate.txt"


def season():
    for bot in ("greedy", "random"):
        arena("submit", f"{build}/bots/{bot}")
    said = arena("season", "new", "spring", "--players", "2,3", "--board", "both", "--clock", "turn=500",
                 "--budget", "13", "--seed", "0" * 31 + "1")
    commitment = re.search("[0-9a-f]{64}", said).group()
    same("season show", arena("season", "show", "spring"), SHOWN.format(
        state="open", played=0, scheduled=0, bots=0, batches="0 batches", groups="0 groups", commitment=commitment))
    arena("season", "run", "spring")
    truth = json.loads(arena("season", "show", "spring", "--json"))
    shown = arena("season", "show", "spring")
    batches = re.search(r"2 in (\d+ batch(es)?),", shown).group(1)
    same("season show", shown, SHOWN.format(
        state="open", played=truth["played"], scheduled=truth["scheduled"], bots=2, batches=batches,
        groups=f"{truth['groups']} groups", commitment=commitment))
    arena("season", "close", "spring")
    assert arena("season", "show", "spring").startswith("season      spring, closed\n")
    same("season list", arena("season", "list"),
         "season                   players  board        budget  state\n"
         "spring                   2,3      both             13  closed\n")


def check():
    said = arena("check", build + "/bots/greedy", "--seed", "000102030405060708090a0b0c0d0e0f")
    head, tail = said.split("time to answer")
    head = re.sub(r"within \d+ ms", "within N ms", head)
    tail = re.sub(r"\b\d+(\.\d+)?(?= (ms|MiB|bytes|decisions))", "N", tail)
    same("check", head + "time to answer" + tail, CHECK)


rate()
season()
check()
subprocess.run(["rm", "-r", room], check=True)
print("reports: hold")
