#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Commands that an organizer sends to an arena on another machine. usage: remote.py BUILD-FOLDER"""
import json
import os
import re
import subprocess
import sys

import league

LEAGUE = league.League(sys.argv[1], "--every", "1")
ELSEWHERE = f"{LEAGUE.scratch}/elsewhere"  # the organizer's machine: no home, no store
os.mkdir(ELSEWHERE)


def remote(token, *command, status=0, url=None):
    """`arena --to URL COMMAND ...`: what it prints, or, if it fails, its message, which is one line."""
    environment = {"PATH": os.environ["PATH"], "ARENA_TOKEN": token, "HOME": ELSEWHERE}
    done = subprocess.run([LEAGUE.program, "--to", url or LEAGUE.address, *command], cwd=ELSEWHERE, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=300)
    assert done.returncode == status, (command, done)
    assert status == 0 or done.stderr.count("\n") == 1, done
    return done.stdout if status == 0 else done.stderr


def order(token, *words, files=None, status=200):
    answered, _, outcome = LEAGUE.ask("/api/v1/commands", token,
                                      json.dumps({"arguments": words, **({"files": files} if files else {})}))
    assert answered == status, (words, answered, outcome)
    return outcome


def test_permissions(tokens):
    """Only an organizer's token may run a command."""
    for name, answered, words in (("", 401, "organizer makes tokens"), ("arena_0", 401, ""),
                                  (tokens["author"], 403, "only an organizer's token"),
                                  (tokens["read"], 403, "may only read"),
                                  (tokens["expired"], 401, ""), (tokens["organizer"], 200, "")):
        outcome = order(name, "season", "list", status=answered)
        assert words in outcome.get("detail", ""), outcome
    assert "403" in remote(tokens["author"], "season", "list", status=2)
    assert "--token-file" in remote("", "season", "list", status=2)
    assert "unencrypted" in remote(tokens["organizer"], "season", "list", status=2, url="http://arena.example")


def test_refusals(token):
    """What the tables do not let an organizer send does not run, whoever made the request."""
    secret, victim, desk = f"{LEAGUE.scratch}/secret", f"{LEAGUE.scratch}/victim", str(LEAGUE.web("desk"))
    with open(victim, "w", encoding="utf-8") as file:
        file.write("no package")
    for words, told in ((("season", "run", "cup"), "own machine"), (("serve",), "own machine"),
                        (("store", "backup", secret), "own machine"), (("desk", secret), "own machine"),
                        (("unpack", secret, desk, "0" * 64, victim), "own machine"), (("manual", secret), "own machine"),
                        (("export", "cup", secret), "not sent along"), (("publish", secret), "own machine"),
                        (("submit", "greedy"), "own machine"), (("order", "1", "me", "bots"), "unknown command"),
                        (("season", "list", "--store", f"sqlite:{secret}"), "own machine"),
                        (("season", "list", f"--home={secret}"), "own machine"), (("aside", "1", "bots"), "unknown command"),
                        (("season", "lst"), "did you mean"), (("season", "show", "nothing"), "there is no season")):
        outcome = order(token, *words)
        assert outcome["exit"] == 2 and told in outcome["message"] and outcome["message"].count("\n") == 1, outcome
        assert outcome["output"] == "" and outcome["values"] is None and outcome["made"] is None, outcome
    assert not os.path.exists(secret) and os.path.exists(victim)
    assert "arena --version" in order(token, "help")["output"]
    for body in (b"", b"{}", b"[]", b'{"arguments": []}', b'{"arguments": [1]}', b'{"arguments": ["bots"], "files": []}',
                 b'{"arguments": ["bots"], "files": {"../x": ""}}', b'{"arguments": ["bots"], "files": {".x": ""}}',
                 json.dumps({"arguments": ["bots"] * 65}).encode(), b'{"arguments": ["a\\u0000b"]}'):
        answered, _, outcome = LEAGUE.ask("/api/v1/commands", token, body)
        assert answered == 422, (body, answered, outcome)
    status, _, told = LEAGUE.ask("/api/v1/commands", token, b" " * 1100000)
    assert status == 413 and "command" in told["detail"] and "bot" not in told["detail"], told
    assert LEAGUE.ask("/api/v1/commands", token)[0] == 405
    # what is wrong with the words is told where they are typed, by the same tables
    for words, told in ((("season", "run", "cup"), "own machine"), (("serve",), "own machine"),
                        (("season", "list", "--home", "x"), "own machine"), (("season", "lst"), "did you mean"),
                        (("season", "extend", "cup", "--budgt", "5"), "did you mean '--budget'"),
                        (("season", "extend", "cup", "--budget", "x"), "is not a number")):
        assert told in remote(token, *words, status=2, url="http://127.0.0.1:1"), words
    assert "usage: arena season list" in remote(token, "season", "list", "--help", url="http://127.0.0.1:1")


def test_what_may_be_sent(token):
    """Each command of the tables that may be sent is named in docs/api.md, and no other."""
    def names(*words):
        return re.findall(r"^  ([a-z]+)  *[a-z]", LEAGUE.arena(*words, "--help"), re.M)

    sent, kept = set(), set()
    for command in set(names()) - {"challenge", "submit"}:  # with a --to of their own
        for words in [(command, name) for name in names(command)] or [(command,)]:
            message = remote(token, *words, "--no-such-option", status=2, url="http://127.0.0.1:1")  # by the same tables
            assert "no-such-option" in message or "own machine" in message, message
            (kept if "own machine" in message else sent).add(words)
    with open("docs/api.md", encoding="utf-8") as docs:
        told = docs.read().split("has the arena at URL run ")[1].split(", with all their options")[0]
    assert {words[0] for words in sent} == set(re.findall("`([a-z]+)`", told.replace("(all but `run` and `prune`)", ""))), ({words[0] for words in sent}, told)
    assert {words for words in kept if words[0] in {words[0] for words in sent}} == {("season", "run"), ("season", "prune")}, kept


def test_commands(token, who):
    """A season and its authors, from a machine without a shell on the arena's."""
    assert "ada is author" in remote(token, "author", "new", "ada")
    ada = remote(token, "author", "token", "ada").strip()
    assert LEAGUE.ask("/api/v1/me", ada)[0] == 200
    assert "cup" in remote(token, "season", "new", "cup", "--budget", "4")
    remote(token, "season", "extend", "cup", "--budget", "2")
    remote(token, "ban", "--author", "ada", "--void")
    remote(token, "ban", "--author", "ada", "--lift")
    assert remote(token, "season", "list") == LEAGUE.arena("season", "list")
    assert remote(token, "season", "list", "--json") == LEAGUE.arena("season", "list", "--json")
    assert "already" in remote(token, "season", "new", "cup", status=2)
    rows = order(token, "season", "events", "cup", "--json")["values"]
    made = {event["what"]: event["who"] for event in rows[0]["events"]}
    assert {made[what] for what in ("new", "extend", "void", "unban")} == {who}, made
    remote(token, "export", "cup", "exported")  # files come back, not to the arena's machine
    assert sorted(os.listdir(f"{ELSEWHERE}/exported")) == ["games.csv", "history.csv", "replays"]
    assert "already exists" in remote(token, "export", "cup", "exported", status=2)
    assert "closed" in remote(token, "season", "close", "cup")
    made = {event["what"]: (event["about"], event["who"], event["season"]) for event in json.loads(remote(token, "events", "--json"))["events"]}
    assert made["author-new"] == made["author-token"] == ("author ada", who, None), made
    assert made["organizer-token"][0] == "author olga" and "@" in made["organizer-token"][1] and made["extend"][2] == "cup", made
    assert "author-token" not in remote(token, "season", "events", "cup")
    remote(token, "season", "void", "cup")
    assert LEAGUE.ask("/api/v1/me", ada)[2]["void_seasons"] == ["cup"]
    assert "cup" in remote(token, "season", "remove", "cup")
    with open(f"{ELSEWHERE}/course.csv", "w", encoding="utf-8") as file:
        file.write("author,student\nbea,4711\ncarl,4712\n")
    remote(token, "author", "import", "course.csv", "--tokens", f"{ELSEWHERE}/tokens.csv")
    with open(f"{ELSEWHERE}/tokens.csv", encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert lines[0] == "author,student,token" and lines[2].startswith("carl,4712,arena_"), lines
    assert os.stat(f"{ELSEWHERE}/tokens.csv").st_mode & 0o077 == 0
    assert "already exists" in remote(token, "author", "import", "course.csv", "--tokens", "tokens.csv", status=2)
    assert "No such file" in remote(token, "author", "import", "none.csv", "--tokens", "more.csv", status=2)
    remote(token, "author", "revoke", "ada")
    assert LEAGUE.ask("/api/v1/me", ada)[0] == 401
    assert json.loads(remote(token, "status", "--json"))["running"]


def test_submit(token):
    """`arena --to URL submit` is `arena submit --to URL`; what was submitted comes back."""
    assert "is admitted" in remote(token, "submit", f"{LEAGUE.build}/bots/random", "--wait")
    remote(token, "bots", "fetch", "random", "source/")
    assert "bot.json" in os.listdir(f"{ELSEWHERE}/source")


def main():
    for name in ("olga", "ann"):
        LEAGUE.arena("author", "new", name)
    tokens = {scope: LEAGUE.arena("author", "token", "olga" if scope == "organizer" else "ann", "--scope", scope).strip()
              for scope in ("author", "read", "organizer")}
    tokens["expired"] = LEAGUE.arena("author", "token", "olga", "--scope", "organizer").strip()
    LEAGUE.arena("author", "revoke", "olga",
                 json.loads(LEAGUE.arena("author", "list", "--json").split("\n")[0])["tokens"][-1]["token"])
    with LEAGUE:
        test_permissions(tokens)
        test_refusals(tokens["organizer"])
        test_what_may_be_sent(tokens["organizer"])
        test_commands(tokens["organizer"], "author-1")
        test_submit(tokens["organizer"])


main()
