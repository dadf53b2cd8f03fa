#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command lines of README.md and docs/. Each `arena ...` in them, in a block or in a sentence, names a
command and options that exist. Each line of a block (four spaces) is run, document by document in a folder
and a home of its own, and ends with status 0; or LEFT_OUT says why it is not. Blocks between ``` are
listings, which other tests compile and run.

usage: commands.py BUILD"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/..")
from home import ARENA, BUILD, Home, make_bot

SOURCE = os.path.abspath(os.path.dirname(__file__) + "/../..")
DOCUMENTS = ["README.md"] + sorted(os.path.relpath(path, SOURCE) for path in glob.glob(SOURCE + "/docs/*.md"))
RUN_LEAST, NAMED_LEAST = 35, 150

# Why lines of a document are not run here: documents (None: all), the lines, the reason.
LEFT_OUT = [
    (None, r"sh (arena/demo|tests/\w+)\.sh|cmake |ctest ", "tests/release.sh runs the commands that build and test"),
    (None, r"sudo |export |\. arena/setup\.sh|systemd-sysusers", "changes the machine or the shell: tests/packages.sh installs"),
    (None, r"sh arena/packaging/portable\.sh|    --program program\.tar\.gz", "packs the program: tests/site/portable.sh"),
    (None, r"arena (serve|worker) ", "runs until it is stopped: tests/season/serve.sh, tests/worker"),
    (None, r"arena (submit|challenge) .*--to (https://arena\.example|http://127\.)", "another machine: tests/web/remote.py"),
    ("docs/bots.md", r"mkdir web", "a folder for the site of `arena serve`, which is not run"),
    ("docs/bots.md", r"arena analyse games/challenge-", "a challenge on another machine: tests/web/challenge.py"),
    ("README.md docs/bots.md", r"arena (match --open|play) ?", "opens a browser, or asks a person: tests/commands/play.py"),
    ("docs/api.md", r"curl ", "another machine: tests/web/remote.py"),
    ("docs/api.md", r" ", "the line before, continued"),
    ("docs/architecture.md docs/protocol.md docs/rules.md docs/ratings.md", r"", "figures, folders, formulas, layouts"),
    ("docs/bots.md", r"128  round|000000-0 |bot      score|steady   124|greedy    74|\{\"name\"|[ ]", "what a command prints, or a file"),
    ("docs/bots.md", r"to=|printf |tar |answer=|url=|while curl|done|python3 -m json|rm -r", "another machine: tests/web/remote.py sends as this script does"),
    ("docs/bots.md", r"arena replay games/000000-0.replay --at 12 --bot BOT", "BOT is one that played: tests/trial/rerun.sh"),
    ("docs/bots.md", r"arena check first", "the listing above it: tests/trial/document.sh"),
    ("docs/bots.md", r"arena new --lang rust", "wants cargo: tests/kits/kits.sh"),
    ("docs/course.md", r"arena status", "asks a daemon: tests/season/serve.sh"),
    ("docs/course.md", r"author,student|A\w+ \w+,\d+|[ ]", "a file"),
    ("docs/course.md docs/seasons.md", r"arena league (show|next) course|arena ladder week-12|arena bots fetch --season (week-12|course-3-a)",
     "the league's rounds take days: tests/season/divisions.sh"),
    ("docs/operations.md", r"", "services, servers and other machines: tests/serve, tests/postgres, tests/worker"),
    ("docs/python.md", r"", "tests/python builds the wheel and runs the examples"),
    ("docs/scale.md docs/strength.md", r"", "hours"),
    ("docs/sdk.md", r"", "tests/sdk/installed.sh"),
    ("docs/seasons.md", r"game R of group|ties in pairing|python3 -c|key = |print\(", "how seeds follow: tests/season/seed.c"),
    ("docs/seasons.md", r"arena explain spring-000012-1 0", "a season of 2,000 games: tests/commands/printed.py"),
    ("docs/site.md", r"arena publish --templates", "wants templates beside the program: tests/commands/publish.sh"),
]

# What is shorter, or has a name, here: so many games, the bots and files that a reader has.
INSTEAD = [
    (r"build/release/bin/arena", "arena"),
    (r"--games 20", "--games 2"), (r"--games 10", "--games 2"), (r"--budget 2000", "--budget 6"),
    (r"sprt NEW OLD.*", "sprt greedy random --max-groups 50 --clock turn=5000"), (r"check BOT", "check random"),
    (r"(analyse .*?)( *#.*|$)", rf"\1 --turn 60000 --bot {BUILD}/tests/bots/bot_blunder"), (r"--divisions A,B,C --places 8( --promote 2)?", "--divisions A,B --places 2"),
    (r" --like week-4 --only week-4:1\.\.99", " --like week-2"), (r"arena author new YOU", "arena author new you"), (r"author token YOU", "author token you"),
]


def left_out(document, line):
    bare = line.replace("build/release/bin/", "")
    for documents, words, reason in LEFT_OUT:
        if (documents is None or document in documents.split()) and re.match(words, bare):
            return reason
    return None


def parts(document):
    """The document without its listings: lines of blocks, and what stands between ` and `."""
    with open(f"{SOURCE}/{document}", encoding="utf-8") as file:
        text = re.sub(r"^ *```.*?^ *```$", "", file.read(), flags=re.S | re.M)
    blocks = [line[4:] for line in text.splitlines() if re.match(r"    \S|     ", line) and not re.match(r"\s+([-*]|\d+\.) ", line)]
    sentences = re.sub(r"^    .*$", "", text, flags=re.M)
    return blocks, re.findall(r"`([^`]+)`", sentences)


# ---- what is named exists ----

def help_of(words, known={}):
    if words not in known:
        done = subprocess.run([ARENA, *words, "--help"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        known[words] = done.stdout if done.returncode == 0 else None
    return known[words]


def fault(line):
    """What is wrong with a line that begins with arena; None: nothing."""
    line = re.split(r" [#|>&] ?|\)|;|\\$", line)[0]
    words = [word.strip("[],.") for word in re.sub(r"^arena --to \S+", "arena", line).split()[1:]]
    named = []
    while words and re.fullmatch(r"[a-z]+", words[0]) and len(named) < 2:
        if named and not re.match(r"usage: .* COMMAND", help_of(tuple(named)) or ""):
            break
        named.append(words.pop(0))
        if help_of(tuple(named)) is None:
            return f"there is no command {' '.join(named)}"
    text = help_of(tuple(named))
    for word in words:
        option = re.match(r"--[a-z][a-z0-9-]*$", word.split("=")[0].split("|")[0])
        if option and option[0] not in ("--help", "--version") and not re.search(rf"{option[0]}\b", text):
            return f"arena {' '.join(named)} has no option {option[0]}"
    return None


def check_names():
    count, faults = 0, []
    for document in DOCUMENTS:
        blocks, sentences = parts(document)
        for line in blocks + sentences:
            line = line.replace("build/release/bin/", "")
            for at in re.finditer(r"(?:^|&& |; )(arena [a-z-].*)", line):
                count += 1
                wrong = fault(at[1])
                faults += [f"{document}: {line}: {wrong}"] if wrong else []
    assert not faults, "\n".join(faults)
    assert count >= NAMED_LEAST, count
    return count


# ---- what is shown runs ----

class Reader:
    """Somebody who types a document's lines in a folder with what the lines name."""

    def __init__(self, room, document):
        self.folder = f"{room}/{document.replace('/', '-')}"
        self.home = Home(self.folder + "/home")
        makes_bot = any(re.search("arena new .* my-bot", line) for line in parts(document)[0])
        for name, author in (*[("my-bot", "me")][makes_bot:], ("first", "one"), ("third", "two"), ("fourth", "three"), ("fifth", "four"), ("sixth", "five")):
            make_bot(f"{self.folder}/{name}", "random", name=name, author=author)
        for name in ("third", "fourth", "fifth", "sixth") if document in ("docs/course.md", "docs/seasons.md", "docs/site.md") else ():
            self.home.arena("submit", f"{self.folder}/{name}", "--check-games", "1")
        if document == "docs/site.md": # goes on from the season of others
            self.home.arena("season", "new", "cup", "--budget", "2")
            self.home.arena("season", "run", "cup")
            self.type("arena match --games 1 --replays games first third")
        if document in ("docs/course.md", "docs/seasons.md"):
            with open(self.folder + "/students.csv", "w", encoding="utf-8") as file:
                file.write("author,student\nAda Lovelace,1815\nAlan Turing,1912\n")

    def type(self, line):
        environment = self.home.environment | {"PATH": f"{BUILD}/bin:{os.environ['PATH']}", "NO_COLOR": "1"}
        return subprocess.run(["sh", "-ec", line], cwd=self.folder, env=environment, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=1500, check=False)


def run_documents(room):
    count = 0
    for document in DOCUMENTS:
        reader = None
        for line in parts(document)[0]:
            if left_out(document, line):
                continue
            assert re.match(r"(build/release/bin/)?arena |\(umask", line), \
                f"{document}: '{line}' is neither a command of the arena, which is run, nor does LEFT_OUT in tests/docs/commands.py say why not"
            reader = reader or Reader(room, document)
            typed = line
            for words, other in INSTEAD:
                typed = re.sub(words, other, typed, count=1)
            done = reader.type(typed)
            assert done.returncode == 0, f"{document}: {line}: typed as '{typed}': status {done.returncode}: {done.stderr}{done.stdout[-500:]}"
            count += 1
    assert count >= RUN_LEAST, count
    return count


named = check_names()
with tempfile.TemporaryDirectory(prefix="docs-") as folder:
    print(f"{run_documents(folder)} lines run, {named} commands named")
