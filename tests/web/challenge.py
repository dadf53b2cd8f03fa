#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Challenges: unrated games that an author asks for, behind the rated ones. usage: challenge.py BUILD-FOLDER"""
import base64
import json
import os
import subprocess
import sys

import described
import league

LEAGUE = league.League(sys.argv[1], "--every", "1", "--jobs", "1", "--challenge-games", "7")
TOKENS = {}
SAID = []  # what commands told while they waited


def challenge(name, *arguments, status=0):
    done = subprocess.run([LEAGUE.program, "challenge", *arguments, "--to", LEAGUE.address], check=False, timeout=300,
                          env={**LEAGUE.environment, "ARENA_TOKEN": TOKENS[name]}, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    assert done.returncode == status, (name, arguments, done, LEAGUE.log())
    SAID.append(done.stderr)
    return done.stdout if status == 0 else done.stderr


def ask(name, path, method="GET"):
    answer = LEAGUE.ask("/api/v1/" + path, TOKENS.get(name), method=method)
    described.compare(method, "/api/v1/" + path, answer[0], answer[1]["content-type"], answer[2])
    return answer


def test_refusals():
    """Whose bot may play against whose: each refusal is one line that says why."""
    new = "challenges?bot=ada-bot&opponent="
    for name, path, status, words in (
            ("nobody", new + "ref", 401, "Bearer"), ("read", new + "ref", 403, "may only read"),
            ("ben", new + "ref", 404, "ben has no bot ada-bot"), ("ada", "challenges?bot=ada-bot", 400, "name two bots"),
            ("ada", new + "A%2FB", 400, "name two bots"), ("ada", new + "none", 404, "no bot none"),
            ("ada", new + "ben-bot", 409, "may not be challenged"), ("ada", new + "ref&games=0", 400, "games"),
            ("ada", new + "ref&games=21", 400, "games"), ("ada", new + "ref&games=8", 409, "0 of the 7 games"),
            ("ada", "me?challenges=perhaps", 400, "yes or no"), ("read", "me?challenges=yes", 403, "may only read")):
        answered, _, answer = ask(name, path, "POST")
        assert answered == status and words in answer["detail"], (name, path, answered, answer)
    for arguments in (("ada-bot",), ("ada-bot", "../ref"), ("--allow", "maybe"), ("ada-bot", "--allow", "yes")):
        assert challenge("ada", *arguments, status=2).count("\n") == 1, arguments
    assert "may challenge" in challenge("ben", "--allow", "yes")
    assert "--allow yes" in challenge("ada", "ada-bot", "ben-bot", status=2)  # ada does not allow it
    challenge("ada", "--allow", "yes")
    assert ask("ada", "me")[2]["challenged"] and not ask("cleo", "me")[2]["challenged"]


def test_games():
    """Its author sees the result and the replays, and so does the organizer; nobody else does."""
    replays = f"{LEAGUE.scratch}/replays"
    told = challenge("ada", "ada-bot", "ben-bot", "--games", "2", "--wait", "--replays", replays)
    assert "challenge 1 waits: " in SAID[-1], SAID
    assert "challenge 1  ada-bot 1 against ben-bot 1  ended, 2 of 2 played" in told and "mean score" in told, told
    assert told.startswith("5 of 7 challenge games a day are left, one more at 20"), told
    shown = json.loads(challenge("ada", "1", "--json"))
    assert [bout["bots"] for bout in shown["bouts"]] == [["ada-bot", "ben-bot"], ["ben-bot", "ada-bot"]], shown
    assert shown["ended"] and shown["failure"] is shown["quotas"] is None, shown
    assert sorted(os.listdir(replays)) == ["challenge-1-0.replay", "challenge-1-1.replay"]
    for match in os.listdir(replays):
        LEAGUE.arena("replay", f"{replays}/{match}", "--verify")
    LEAGUE.arena("analyse", f"{replays}/challenge-1-0.replay", "--turn", "10", "--player", "ada-bot")
    status, head, lines = LEAGUE.ask("/api/v1/challenges/1/games/1/replay?as=json", TOKENS["ada"])
    assert (status, head["content-type"]) == (200, "application/x-ndjson"), head
    assert lines.decode() == LEAGUE.arena("replay", f"{replays}/challenge-1-1.replay", "--json")
    assert ask("ada", "challenges/1/games/1/replay?as=page")[0] == 400
    test_pages([bout["page"] for bout in shown["bouts"]], replays, told)
    assert [one["bouts"] for one in ask("ada", "challenges")[2]["challenges"]] == [None]
    for name, status in (("ada", 200), ("olga", 200), ("ben", 404), ("read", 404), ("nobody", 401)):
        assert ask(name, "challenges/1")[0] == status, name
        assert ask(name, "challenges/1/games/0/replay")[0] == status, name
        assert len(ask(name, "challenges")[2].get("challenges", [])) == (status == 200), name
    for path in ("challenges/1/games/2/replay", "challenges/1/games/x/replay", "challenges/77", "challenges/x"):
        assert ask("ada", path)[0] == 404, path
    assert not ask("ada", "seasons")[2]["seasons"]  # no season knows of it, but the quota does
    said = challenge("ada", "ada-bot", "ref", "--games", "6", status=2)
    assert "2 of the 7 games" in said and "ask for at most 5, or wait until 2" in said, said
    quotas = {one["quota"]: one for one in ask("ada", "me")[2]["quotas"]}
    games, packages = quotas["challenge games"], quotas["packages"]
    assert (games["a_day"], games["unused"], packages["unused"]) == (7, 5, 19), quotas
    assert games["more"] and packages["more"] and quotas["uploads"]["unused"] == 199, quotas
    assert all(one["more"] is None for one in ask("olga", "me")[2]["quotas"])


def test_pages(pages, replays, told):
    """A browser without a token shows a game to whoever has its address, and to nobody else."""
    for number, page in enumerate(pages):
        status, head, body = LEAGUE.ask(page)
        assert status == 200 and head["content-type"] == "text/html; charset=utf-8", (page, head)
        with open(f"{replays}/challenge-1-{number}.replay", "rb") as replay:
            assert base64.b64encode(replay.read()) in body, page
        assert b'href="/index.html">Home</a>' in body, f"{page}: a challenge has no ladder"
        assert f"{LEAGUE.address}{page}\n" in told, told
    key = pages[0].split("/")[-1]
    wrong = "0" * len(key)
    assert LEAGUE.ask(f"/challenge/1/0/{wrong}")[0] == 404
    for path, status in (("1/games/0", 200), ("1/games/1", 404), ("2/games/0", 404), ("x/games/0", 404), ("1/games/x", 404)):
        assert ask("nobody", f"challenges/{path}/page/{key}")[0] == status, path
    for other in (wrong, key[:-1], key + "0", key.upper()):
        assert ask("nobody", f"challenges/1/games/0/page/{other}")[0] == 404, other


def test_restart():
    """A challenge survives the daemon, and each of its games is played once; an organizer has no quota."""
    challenge("ada", "ada-bot", "ref", "--games", "4")
    LEAGUE.daemon.kill()
    LEAGUE.daemon.wait()
    LEAGUE.arena("challenge", "ben-bot", "ref", "--games", "9")
    LEAGUE.begin()
    assert "4 of 4 played" in challenge("ada", "2", "--wait")
    assert "9 of 9 played" in challenge("olga", "3", "--wait")
    assert LEAGUE.arena("challenge").count("ended") == 3
    assert "9 of 9 played" in LEAGUE.arena("challenge", "3")
    assert "there is no challenge 4" in LEAGUE.arena("challenge", "4", status=2)


def test_erased():
    LEAGUE.arena("author", "erase", "ada")
    assert [one["challenge"] for one in ask("olga", "challenges")[2]["challenges"]] == [3]
    assert ask("olga", "challenges/1")[0] == 404
    LEAGUE.arena("store", "check")


def test_without_jobs():
    """A daemon that plays nothing takes no challenge."""
    LEAGUE.daemon.terminate()
    LEAGUE.daemon.wait(60)
    LEAGUE.options = ("--jobs", "0", *LEAGUE.options[4:])
    LEAGUE.begin()
    answered, _, answer = ask("ben", "challenges?bot=ben-bot&opponent=ref", "POST")
    assert answered == 409 and "plays no challenges" in answer["detail"], answer


def main():
    for name in ("ada", "ben", "cleo", "olga"):
        LEAGUE.arena("author", "new", name)
        TOKENS[name] = LEAGUE.arena("author", "token", name, "--scope",
                                    "organizer" if name == "olga" else "author").strip()
    TOKENS["read"] = LEAGUE.arena("author", "token", "cleo", "--scope", "read").strip()
    with LEAGUE:
        for name, bot in (("ada", "ada-bot"), ("ben", "ben-bot")):
            answer = LEAGUE.upload(TOKENS[name], bot)[2]
            submission = answer["submission"]
            assert [one["unused"] for one in answer["quotas"]] == [19, 199, 7], answer
            assert LEAGUE.wait(submission, TOKENS[name])["state"] == "admitted"
        folder = f"{LEAGUE.scratch}/ref"
        os.mkdir(folder)
        for path, (data, mode) in league.bot(LEAGUE.build, "ref", author="teacher").items():
            with open(f"{folder}/{path}", "wb") as file:
                file.write(data)
            os.chmod(f"{folder}/{path}", mode)
        LEAGUE.arena("submit", "--reference", folder)
        test_refusals()
        test_games()
        test_restart()
        test_erased()
        test_without_jobs()
    described.asked_all(lambda method, path: "/challenges" in path or (method, path) == ("post", "/api/v1/me"))


main()
