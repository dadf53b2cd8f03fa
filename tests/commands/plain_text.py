# SPDX-License-Identifier: MIT
"""Feeds every command names that would act on a terminal: escape sequences, C1 controls,
characters that change the direction of text, line ends, bytes that are not UTF-8. No output
for people may have one of them, and a refusal stays one line.

usage: plain_text.py BUILD
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

NASTY = b"n\x1b[31m\xc2\x9b2J\xe2\x80\xaeX\xff\r\nfit\x07"
TEXT = "n\u200bX\u2060\ufeff"  # what an author may be called: invisible, but not turned around
ACTS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
build = os.path.abspath(sys.argv[1])
room = tempfile.mkdtemp(prefix="plain-text-")
os.chdir(room)
environment = dict(os.environ, ARENA_HOME=room + "/home", TMPDIR=room)
faults = []


def arena(*arguments, status=None, **options):
    settings = dict(env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=300)
    settings.update(options)
    result = subprocess.run([build + "/bin/arena", *arguments], **settings)
    shown = " ".join(repr(argument)[:60] for argument in arguments)
    for name, output in (("output", result.stdout), ("error", result.stderr)):
        try:
            text = output.decode()
        except UnicodeDecodeError:
            faults.append(f"{shown}: {name} is not UTF-8: {output!r}")
            continue
        found = ACTS.search(text)
        if found:
            faults.append(f"{shown}: {name} has {found.group()!r}: {text[:300]!r}")
    if status is not None and result.returncode != status:
        faults.append(f"{shown}: status {result.returncode}, not {status}: {result.stderr!r}")
    if result.returncode == 2 and result.stderr.count(b"\n") != 1:
        faults.append(f"{shown}: not one line: {result.stderr!r}")
    return result.stdout + result.stderr


def make_bot(folder, program="exec ./random", **manifest):
    folder = os.fsencode(folder)
    os.makedirs(folder)
    shutil.copy(build + "/bots/random/random", os.fsdecode(folder))
    with open(folder + b"/bot", "w") as file:
        file.write("#!/bin/sh\n" + program + "\n")
    os.chmod(file.name, 0o755)
    manifest = {"run": ["./bot"], **manifest}
    with open(folder + b"/bot.json", "w") as file:
        json.dump(manifest, file)


def foreign_names():
    """Every command, its arguments and the values of its options."""
    commands = ["match", "replay", "submit", "bots", "retire", "season", "ladder", "games",
                "export", "check", "rate", "sprt", "doctor"]
    listed = arena("--help", status=0).decode()
    for line in listed.splitlines():
        found = re.match(r"  (\w+) ", line)
        if found and found.group(1) not in commands:
            commands.append(found.group(1))
    arena(NASTY, status=2)
    for command in commands:
        arena(command, b"--" + NASTY, status=2)
        arena(command, b"-\x1b", status=2)
        if command != "doctor":  # takes none
            arena(command, NASTY, status=2)
            arena(command, NASTY, NASTY, status=2)
        for option in (b"--home", b"--seed", b"--clock", b"--jobs", b"--replays", b"--season"):
            arena(command, option, NASTY, NASTY, status=2)
    for verb in ("new", "run", "show", "close", "reopen", "list"):
        arena("season", verb, NASTY, status=2)


def foreign_files():
    random = build + "/bots/random"
    with open(b"replay" + NASTY, "w") as file:
        file.write("not one")
    arena("replay", b"replay" + NASTY, status=2)
    with open(b"games" + NASTY, "wb") as file:
        file.write(b"game,player,rank\n1," + NASTY.replace(b"\n", b"") + b",1\n1,b,2\n1,c\n")
    arena("rate", b"games" + NASTY)
    with open("good.csv", "wb") as file:
        name = TEXT.encode() + b"\x1b[31m\xc2\x9b"
        file.write(b"game,player,rank\n1," + name + b",1\n1,b,2\n")
    arena("rate", "good.csv")
    make_bot("folder".encode() + NASTY)
    arena("match", "--replays", b"out" + NASTY, b"folder" + NASTY, random)
    for replay in glob.glob(b"out*/*.replay"):
        arena("replay", replay, status=0)
        arena("replay", "--verify", replay, status=0)
        arena("replay", "--at", "3", "--seat", "0", "--bot", b"folder" + NASTY, replay)
    arena("check", b"folder" + NASTY)


def foreign_bots():
    random = build + "/bots/random"
    nasty = NASTY.decode(errors="replace")
    escaped = r"printf 'l\033[31m\302\233\342\200\256\007st\n' >&2"
    rows = {
        "named": dict(name=nasty), "versioned": dict(version=nasty), "run": dict(run=[nasty]),
        "authored": dict(author=nasty), "language": dict(language=nasty),
        "built": dict(build=["sh", "-c", escaped + "; exit 1"]), "unbuilt": dict(build=[nasty]),
        "runtime": dict(run=["/usr/bin/" + nasty]), "key": {nasty: 1},
    }
    for folder, manifest in rows.items():
        make_bot(folder, **manifest)
        for command in (["check"], ["submit"], ["check", "--trace"]):
            arena(*command, folder)
        arena("match", folder, random)
    make_bot("crash", program=escaped + "; exit 3", name="crash")
    arena("match", "--replays", "crashes", "crash", random)
    for replay in glob.glob("crashes/*.replay"):
        said = arena("replay", replay, status=0)
        assert b"l\\x1b[31m" in said, said
    arena("check", "crash")
    assert b"l\\x1b[31m" in arena("check", "--trace", "crash")


def foreign_store():
    for name in ("one", "two"):
        make_bot(name, name=name, author="tests", version="1" + TEXT, language="C" + TEXT)
        arena("submit", name)
    make_bot("two-new", name="two", author="tests", version="2" + TEXT)
    arena("season", "new", "cup", "--budget", "4", status=0)
    arena("season", "run", "cup", status=0)
    arena("submit", "two-new")
    for command in (["bots"], ["ladder", "cup"], ["ladder", "cup", "--cross"], ["games", "cup"],
                    ["season", "show", "cup"], ["season", "list"], ["export", "cup", "out"],
                    ["season", "close", "cup"], ["replay", "cup-000000-0"], ["retire", "one"]):
        said = arena(*command, status=0)
        if command[0] == "bots":
            assert b"\\xe2\\x80\\x8b" in said, said


try:
    foreign_names()
    foreign_files()
    foreign_bots()
    foreign_store()
finally:
    os.chdir("/")
    shutil.rmtree(room, ignore_errors=True)
    print("\n".join(faults))
sys.exit(1 if faults else 0)
