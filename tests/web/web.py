#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The API over loopback: accounts, uploads, replies, and what others may see. usage: web.py BUILD-FOLDER"""
import gzip
import http.client
import http.server
import io
import json
import os
import re
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import tarfile
import threading
import time
import urllib.error
import urllib.request
import zipfile

import described
import league
from league import pack

BUILD = os.path.abspath(sys.argv[1])
ARENA = f"{BUILD}/bin/arena"
LEAGUE = league.League(BUILD, "--packages-a-day", "8", "--package-bytes", "2000000", "--every", "1", "--address", "https://arena.example/")
SCRATCH, arena = LEAGUE.scratch, LEAGUE.arena
os.environ["ARENA_HOME"] = LEAGUE.home
ADDRESS = PROXY = ""


def ask(path, token=None, body=None, method=None, headers=()):
    """One request by curl: (status, headers, body as JSON or bytes)."""
    command = ["curl", "-sS", "-i", "--path-as-is", "--max-time", "60", ADDRESS + path]
    if token:
        command += ["-H", f"Authorization: Bearer {token}"]
    if body is not None:
        command += ["--data-binary", "@-", "-H", "Content-Type: application/gzip"]
    if method:
        command += ["-X", method]
    for header in headers:
        command += ["-H", header]
    done = subprocess.run(command, input=body, stdout=subprocess.PIPE, check=True)
    out = done.stdout
    while True:  # also past "100 Continue"
        head, out = out.split(b"\r\n\r\n", 1)
        lines = head.decode().split("\r\n")
        status = int(lines[0].split()[1])
        if status != 100:
            break
    fields = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])}
    if re.search("[/+]json$", fields.get("content-type", "")):
        out = json.loads(out)
        if status >= 400:
            assert fields["content-type"] == "application/problem+json", fields
            assert out["title"] and out["detail"] and out["status"] == status, out
            assert "`arena" not in out["detail"], out  # a cure that whoever asks could not use
    method = method or ("GET" if body is None else "POST")
    described.compare(method, path, status, fields.get("content-type"), out)
    return status, fields, out


def bot(name, version="1", author="any", more=(), **keys):
    return league.bot(BUILD, name, version, author, more, **keys)


def wait(url, token):
    for _ in range(600):
        status, _, answer = ask(url, token)
        assert status == 200, answer
        if answer["state"] in ("admitted", "refused", "checked"):
            return answer
        assert answer["state"] in ("received", "building", "checking"), answer
        assert answer["place"] or answer["state"] != "received", answer
        time.sleep(0.2)
    raise SystemExit(f"{url} does not end")


def test_submission(anna, ben):
    upload = pack(bot("ann-bot"))
    assert ask("/api/v1/bots/ann-bot", None, upload)[0] == 401
    assert ask("/api/v1/bots/ann-bot", "arena_0", upload)[0] == 401
    status, _, answer = ask("/api/v1/bots/ann-bot", anna, upload)
    assert status == 201 and answer["submission"] == 1, answer
    assert answer["url"] == "/api/v1/submissions/1", answer
    status, _, again = ask("/api/v1/bots/ann-bot", anna, upload)
    assert status == 200 and again["submission"] == 1, again
    ended = wait(answer["url"], anna)
    assert ended["state"] == "admitted" and ended["author"] == "Anna", ended
    assert ended["submission"] == 1 and ended["report"]["fit"] and "fit to play" in ended["report"]["text"]
    assert "build_output" in ended and "stderr" in ended and "place" in ended, ended
    assert [(one["season"], one["next_games"]) for one in ended["enters"]] == [("cup", None)], ended
    status, _, again = ask("/api/v1/bots/ann-bot", anna, upload)
    assert status == 200 and again["submission"] == 1, again
    assert [step["result"] for step in ended["report"]["steps"][:2]] == ["pass", "pass"], ended["report"]["steps"][:2]
    # what others see
    assert ask("/api/v1/submissions/1")[0] == 401
    assert ask("/api/v1/submissions/1", "arena_0")[0] == 401
    assert ask("/api/v1/submissions/1", ben)[2] == {"submission": 1, "state": "admitted"}
    assert ask("/api/v1/submissions/77", anna)[0] == 404
    assert ask("/api/v1/submissions/x", anna)[0] == 404
    assert ask("/api/v1/commands", anna, b'{"arguments": ["bots"]}')[0] == 403


def test_check(anna, ben):
    """With check=1 the author has the whole report, and nothing is admitted, whatever was before."""
    assert ask("/api/v1/bots/new-bot?check=2", anna, pack(bot("new-bot")))[0] == 400
    assert ask("/api/v1/bots/ann-bot?check=1", ben, pack(bot("ann-bot")))[0] == 409  # the name is Anna's
    for name in ("new-bot", "ann-bot"):  # the second has been admitted
        status, _, answer = ask(f"/api/v1/bots/{name}?check=1", anna, pack(bot(name)))
        assert status == 201 and answer["check_only"], answer
        ended = wait(answer["url"], anna)
        assert ended["state"] == "checked" and ended["report"]["fit"] and ended["report"]["text"], ended
        assert ask(f"/api/v1/bots/{name}?check=1", anna, pack(bot(name)))[0] == 200
    unfit = bot("new-bot", "2", more={"random": (b"#!/bin/sh\nexit 1\n", 0o755)}.items())
    ended = wait(ask("/api/v1/bots/new-bot?check=1", anna, pack(unfit))[2]["url"], anna)
    assert ended["state"] == "refused" and not ended["report"]["fit"] and ended["check_only"], ended
    assert [one["bot"] for one in ask("/api/v1/me", anna)[2]["bots"]] == ["ann-bot"]


def test_conflicts(anna, ben):
    assert ask("/api/v1/bots/ann-bot", ben, pack(bot("ann-bot", "9")))[0] == 409
    changed = bot("ann-bot", more={"more": (b"x", 0o644)}.items())
    assert ask("/api/v1/bots/ann-bot", anna, pack(changed))[0] == 409  # the version is taken
    status, _, answer = ask("/api/v1/bots/new-bot", anna, pack(bot("new-bot", author="Ben")))
    assert status == 422 and "Ben" in answer["detail"], answer
    status, _, answer = ask("/api/v1/bots/new-bot", anna, pack(bot("new-bot", "1\u202e")))
    assert status == 422 and "direction" in answer["detail"], answer
    status, _, answer = ask("/api/v1/bots/other", anna, pack(bot("new-bot")))
    assert status == 422 and "new-bot" in answer["detail"], answer


def processor_s(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")


def test_bombs(anna):
    """Uploads of kilobytes that unpack to 4 GiB and more: each is refused long before that."""
    member = gzip.compress(bytes(1 << 26))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("bot.json", "{}")
    header = out.getvalue()[:out.getvalue().index(b"PK\1\2")]
    large = tarfile.TarInfo("bot.json")
    large.pax_headers = {"comment": "x" * 900000}  # libarchive takes headers of a mebibyte
    headers = b"".join(gzip.compress(large.tobuf(tarfile.PAX_FORMAT)) for _ in range(300))
    zeros = gzip.compress(header) + member * 64
    for body, statuses in ((zeros, (413, 422)), (gzip.compress(zeros), (422,)), (gzip.compress(header), (422,)),
                           (gzip.compress(gzip.compress(zeros)), (422,)), (headers, (413,))):
        begun = processor_s(LEAGUE.web())
        status, _, answer = ask("/api/v1/bots/ann-bot", anna, body)
        spent = processor_s(LEAGUE.web()) - begun
        assert status in statuses and spent < 10, (len(body), status, answer, spent)


def test_archives(anna):
    for body in (b"", b"nonsense", pack({"a": (b"", 0o644)}), pack({"bot.json": (b"{", 0o644)}),
                 pack(bot("ann-bot"))[:2000]):
        status, _, answer = ask("/api/v1/bots/ann-bot", anna, body)
        assert status == 422, (status, answer)
    for name, fault in (("../x", "../x: this file's name leads out"), ("/etc/x", "/etc/x: this file's name leads out"),
                        ("a\udcff", "not UTF-8"), ("b/" * 65 + "x", "deeper than 64 folders"),
                        ("c" * 1025, "more than 1024 bytes")):
        status, _, answer = ask("/api/v1/bots/ann-bot", anna, pack({"bot.json": (b"{}", 0o644), name: (b"", 0o644)}))
        assert status == 422 and fault in answer["detail"], (name, status, answer)
    test_bombs(anna)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, (data, mode) in bot("zip-bot").items():
            entry = zipfile.ZipInfo("folder/" + name)
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data)
        archive.writestr("__MACOSX/folder/._bot.json", b"")
    zipped = ask("/api/v1/bots/zip-bot", anna, out.getvalue())
    plain = ask("/api/v1/bots/zip-bot", anna, pack(bot("zip-bot"), "w", "./"))
    assert zipped[0] == 201 and plain[0] == 200, (zipped, plain)
    assert wait(zipped[2]["url"], anna)["state"] == "admitted"


def test_limits(anna):
    assert ask("/api/v1/bots/ann-bot", anna, b"\0" * 3000000)[0] == 413
    assert ask("/api/v1/bots/ann-bot", anna, pack({"bot.json": (b" " * 4000000, 0o644)}))[0] == 413
    for number in range(20):
        status, fields, answer = ask("/api/v1/bots/many", anna, pack(bot("many", f"{number}")))
        if status == 429:
            assert int(fields["retry-after"]) > 0 and "8 packages" in answer["detail"], answer
            until = answer["detail"].rsplit(" until ", 1)[1]
            assert at(0) < until < at(86460), answer
            return
        assert status == 201, answer
    raise SystemExit("no upload was too many")


def test_refused(anna):
    files = bot("broken", build=["sh", "-c", "echo bad.c:1: error: no such thing; exit 3"])
    status, _, answer = ask("/api/v1/bots/broken", anna, pack(files))
    assert status == 201
    ended = wait(answer["url"], anna)
    assert ended["state"] == "refused" and "bad.c:1: error: no such thing" in ended["build_output"], ended
    files = {**bot("crash"), "random": (b"#!/bin/sh\necho why >&2; exit 4\n", 0o755)}
    status, _, answer = ask("/api/v1/bots/crash", anna, pack(files))
    assert status == 201
    ended = wait(answer["url"], anna)
    assert ended["state"] == "refused" and "why" in ended["stderr"], ended


def test_reading(anna, ben):
    status, fields, answer = ask("/api/v1/status")
    assert status == 200 and [season["season"] for season in answer["seasons"]] == ["cup"] and "queue" in answer and "version" in answer, answer
    assert answer["since"] < at(1), answer
    assert fields["x-content-type-options"] == "nosniff" and fields["access-control-allow-origin"] == "*"
    assert "set-cookie" not in fields
    assert ask("/api/v1/seasons")[2]["seasons"][0]["season"] == "cup"
    cup = ask("/api/v1/seasons/cup")[2]
    assert cup["state"] in ("played", "spent") and cup["games"] + cup["left"] >= cup["budget"], cup
    assert ask("/api/v1/seasons/none")[0] == 404
    for path in ("/api/v1/seasons/%ff", "/api/v1/games/%ff", "/api/v1/seasons/cup/games?bot=%ff"):
        assert ask(path)[0] == 400, path
    for _ in range(300):
        rows = ask("/api/v1/seasons/cup/ladder")[2]["rows"]
        if rows and rows[0]["games"] >= 4:
            break
        time.sleep(0.2)
    else:
        raise SystemExit("no games")
    assert ask("/api/v1/seasons/cup/ladder?players=2")[0] == 200
    assert ask("/api/v1/seasons/cup/ladder?players=3")[0] == 404
    assert ask("/api/v1/seasons/cup/ladder?players=x")[0] == 400
    games = ask("/api/v1/seasons/cup/games?limit=2")[2]["games"]
    assert len(games) == 2, games
    more = ask(f"/api/v1/seasons/cup/games?limit=1&after={games[0]['match']}")[2]["games"]
    assert more == games[1:], more
    assert ask("/api/v1/seasons/cup/games?bot=ann-bot")[2]["games"]
    assert ask("/api/v1/seasons/cup/games?bot=nobody")[2]["games"] == []
    assert ask("/api/v1/seasons/cup/bots/ann-bot/day")[2]["results"][0]["games"] >= 1  # web.idle
    game = games[0]["match"]
    assert ask(f"/api/v1/games/{game}")[2]["match"] == game
    assert ask("/api/v1/games/cup-999999-0")[0] == 404
    status, _, replay = ask(f"/api/v1/games/{game}/replay")
    with open(f"{SCRATCH}/a.replay", "wb") as file:
        file.write(replay)
    assert "all legal" in arena("replay", "--verify", f"{SCRATCH}/a.replay")
    assert ask(f"/api/v1/games/{game}/replay?as=json")[2].decode() == arena("replay", "--json", f"{SCRATCH}/a.replay")
    assert ask(f"/api/v1/games/{game}/replay?as=text")[0] == 400
    test_match(game)
    test_cards(game)
    test_gzip(game)
    me = ask("/api/v1/me", anna)[2]
    assert {row["bot"] for row in me["bots"]} >= {"ann-bot"} and me["author"] == "Anna", me
    assert ask("/api/v1/me", ben)[2]["bots"] == []
    assert ask("/api/v1/me")[0] == 401
    assert ask("/api/v1/bots/ann-bot/retire", ben, method="POST")[0] == 404
    assert ask("/api/v1/bots/ann-bot/retire", method="POST")[0] == 401
    assert ask("/api/v1/bots/ann-bot/retire", anna, method="POST")[0] == 200
    told = json.loads(arena("season", "events", "cup", "--json"))["events"]
    assert any(event["what"] == "retire" and re.fullmatch(r"author-\d+", event["who"]) for event in told), told
    assert ask("/api/v1/bots/ann-bot/retire", anna, method="POST")[0] == 409
    assert ask("/api/v1/bots/ann-bot/retire", anna)[0] == 405


def test_match(game):
    """A match has a page at an address that lasts, whether or not the site has its page, and a page says why if it has none."""
    path = f"/game/{game}"
    status, fields, _ = ask(path)
    while status == 302:  # each publication may give it a page, and may take that away
        assert fields["location"] == f"/cup/game/{game}.html"
        time.sleep(0.2)
        kept = f"{SCRATCH}/home/web/site/cup/game/{game}.html"
        if os.path.exists(kept):
            os.remove(kept)
        status, fields, _ = ask(path)
    assert ask(f"/api/v1/games/{game}/analysis")[0] in (200, 503)  # web.idle
    status, fields, page = ask(f"/api/v1/games/{game}/page")
    assert status == 200 and fields["content-type"].startswith("text/html") and b"/cup/index.html" in page, fields
    assert b'<a href="/live">Live games</a>' in page, "as on the site's pages"
    has_play_page = os.path.exists(f"{SCRATCH}/home/web/site/play.html")
    assert (b'href="/play.html"' in page) == has_play_page, "from any decision one can play on"
    assert ask(path, headers=[f"If-None-Match: {fields['etag']}"])[0] == 304
    for none, status in (("cup-999999-0", 404), ("nowhere-000001-0", 404), ("x", 404), (f"{game}.html", 404)):
        got, fields, page = ask(f"/game/{none}")
        assert got == status and fields["content-type"].startswith("text/html") and b"<html" in page, (none, got, fields)
    assert ask(path, method="POST")[0] == 405
    # The page's address in the site lasts, too, and other sites may frame that of the match for them, and no other page.
    assert ask(f"/cup/game/{game}.html")[0] == 200 and ask("/cup/game/cup-999999-0.html")[0] == 404
    policies = [ask(f"/game/{game}/embed")[1]["content-security-policy"], ask(f"/cup/game/{game}.html")[1]["content-security-policy"]]
    assert "frame-ancestors" not in policies[0] and "frame-ancestors 'self'" in policies[1], policies


def test_cards(game):
    """A match, a season, a bot and the home page have pictures, drawn on request, also at the addresses that pages name."""
    marks = set()
    for path, short in (("games/" + game, f"/game/{game}.png"), ("seasons/cup/bots/greedy", "/cup/bot/greedy.png"),
                        ("seasons/cup", "/cup/picture.png"), ("", "/picture.png")):
        for at in (f"/api/v1/{path}/picture".replace("//", "/"), short):
            status, fields, png = ask(at)
            assert status == 200 and fields["content-type"] == "image/png" and "etag" in fields, (at, status, fields)
            assert png[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", png[16:24]) == (1200, 630), (at, png[:24])
        marks.add(png)
    assert len(marks) == 4
    for none in (f"/game/cup-999999-0.png", "/game/x.png", "/cup/bot/nobody.png", "/none/picture.png", "/cup/bot/.png", "/cup/x/greedy.png"):
        got, fields, page = ask(none)
        assert got == 404 and fields["content-type"].startswith("text/html"), (none, got, fields)
    page = ask(f"/api/v1/games/{game}/page")[2].decode()
    assert f'og:image" content="https://arena.example/game/{game}.png"' in page, re.findall("<meta.*og:.*", page)


def test_gzip(game):
    """Answers and pages made on request are compressed for whoever takes that, and are the same; short ones and pictures are not."""
    for path in (f"games/{game}/page", f"games/{game}/replay?as=json", "seasons/cup/games"):
        size = {}
        for header in ("Accept-Encoding: gzip", "Accept-Encoding: gzip;q=0"):
            got = subprocess.run(["curl", "-sS", "-i", "-H", header, f"{ADDRESS}/api/v1/{path}"], stdout=subprocess.PIPE, check=True)
            head, body = got.stdout.split(b"\r\n\r\n", 1)
            is_packed = b"\r\nContent-Encoding: gzip" in head
            assert is_packed == ("q=0" not in header) and b"\r\nVary: Accept-Encoding" in head, (path, header, head)
            size[is_packed] = len(body)
            whole = gzip.decompress(body) if is_packed else body
            assert path.endswith("games") or is_packed or whole == before, path
            before = whole
        assert size[True] < size[False] * 0.6, (path, size)
    for path in ("/api/v1/seasons/none", f"/game/{game}.png"):
        assert "content-encoding" not in ask(path, headers=["Accept-Encoding: gzip"])[1], path


def test_query():
    """A query that nobody answers is refused as the asker's fault, up to what a head may have."""
    for size in (201, 3000, 17000, 30000):
        for name in ("bot", "after", "limit", "players"):
            status, _, answer = ask(f"/api/v1/seasons/cup/games?{name}={'x' * size}")
            assert status == 400 and f"?{name}=" in answer["detail"], (name, size, status, answer)
    assert ask(f"/api/v1/seasons/cup/games?bot={'%01' * 200}")[2] == {"games": []}
    assert ask(f"/api/v1/seasons/{'x' * 17000}")[0] == 404
    assert "/docs/api.html lists" in ask("/api/v1/nothing")[2]["detail"] and ask("/docs/api.html")[0] == 200


def test_cancel(anna, ben):
    """A submission that waits behind a slow one is replaced by a newer one, and cancelled."""
    slow = bot("slow", build=["sh", "-c", "sleep 10"])
    first = ask("/api/v1/bots/slow", ben, pack(slow))[2]
    while ask(first["url"], ben)[2]["state"] == "received":
        time.sleep(0.1)
    second = ask("/api/v1/bots/queued", ben, pack(bot("queued")))[2]
    assert ask(second["url"], ben)[2]["place"] == 1
    third = ask("/api/v1/bots/queued", ben, pack(bot("queued", "2")))[2]
    old = ask(second["url"], ben)[2]
    assert old["state"] == "refused" and "newer upload" in old["report"]["reason"], old
    assert ask(third["url"], anna, method="DELETE")[0] == 404
    assert ask(third["url"], method="DELETE")[0] == 401
    assert ask(third["url"], ben, method="DELETE")[2]["state"] == "refused"
    change = json.loads(arena("events", "--json"))["events"][-1]
    assert change["what"] == "cancel" and change["about"] == f"submission {third['submission']}", change
    assert change["who"].startswith("author-"), change
    assert ask(third["url"], ben, method="DELETE")[0] == 409
    assert "cancelled" in ask(third["url"], ben)[2]["report"]["reason"]
    assert wait(first["url"], ben)["state"] == "admitted"
    # A build that would go on for an hour: the organizer cancels it, its processes end, and the author's next one begins.
    endless = ask("/api/v1/bots/slow", ben, pack(bot("slow", "2", build=["sh", "-c", "sleep 3000"])))[2]
    while ask(endless["url"], ben)[2]["state"] == "received":
        time.sleep(0.1)
    after = ask("/api/v1/bots/queued", ben, pack(bot("queued", "3")))[2]
    number = str(endless["submission"])
    assert "is cancelled, and its author is told" in arena("submissions", "cancel", number)
    assert "has already ended" in arena("submissions", "cancel", number, status=2)
    assert "cancelled by the organizer" in ask(endless["url"], ben)[2]["report"]["reason"]
    assert wait(after["url"], ben)["state"] == "admitted"


def test_live():
    """Games under way are files that grow, which cost a poll without news a head; a season may hide its games."""
    arena("season", "new", "show", "--players", "2", "--budget", "100000", "--live-delay", "0")
    arena("season", "new", "hidden", "--players", "2", "--budget", "100000", "--live-delay", "off")
    seen, until = [], time.monotonic() + 120
    while not any(game["over"] for game in seen):  # a game of these bots takes milliseconds: many looks meet none
        assert time.monotonic() < until, seen
        status, fields, answer = ask("/live/games.json")
        assert status == 200 and fields["access-control-allow-origin"] == "*", (status, fields)
        seen += [game for game in answer["games"] if game["season"] != "cup"]
        time.sleep(0.2)
    assert {game["season"] for game in seen} == {"show"}, seen
    assert all(len(game["bots"]) == len(game["scores"]) == 2 for game in seen)
    faults = [described.fault_of(described.OPENAPI["components"]["schemas"]["live"], game) for game in seen]
    assert not any(faults), faults
    game = next(game["match"] for game in seen if game["over"])
    status, fields, text = ask(f"/live/{game}.jsonl")
    assert status == 200 and text.endswith(b"\n"), (status, text[-100:])
    head, *lines = map(json.loads, text.splitlines())
    assert head["id"] == game and head["first"] and not head["steps"], head
    assert "result" in lines[-1] and not any("result" in line for line in lines[:-1]), lines[-1]
    assert sum(len(line.get("steps", ())) for line in lines) == text.count(b'<li class=\\"s') > 0
    again, _, rest = ask(f"/live/{game}.jsonl", headers=["If-None-Match: " + fields["etag"]])
    assert (again, rest) == (304, b"")
    status, fields, _ = ask(f"/live/{game}")  # its page, or the match's, if the site has one
    assert status == 200 or (status, fields["location"]) == (302, f"/show/game/{game}.html"), (status, fields)
    assert ask("/live")[0] == 200
    for path in ("/live/", "/live/cup-999999-0.jsonl", "/live/index.html", "/live/.draft", "/live/x"):
        assert ask(path)[0] == 404, path
    # A link that somebody kept of a game under way lasts as long as the match's own.
    status, fields, _ = ask("/live/cup-999999-0")
    assert (status, fields["location"]) == (302, "/game/cup-999999-0"), (status, fields)
    for season in ("show", "hidden"):
        arena("season", "close", season)


def attack_proxy(token):
    """What is smuggled through a proxy is not answered, and no connection behind it is spoilt; nor may a client choose
    the address by which its requests are counted, or another host."""
    host, port = re.fullmatch(r"https://(.*):(\d+)", ADDRESS).groups()

    def connect():
        tls = ssl.create_default_context(cafile=f"{SCRATCH}/arena.crt")
        one = tls.wrap_socket(socket.create_connection((host, port), timeout=2), server_hostname=host)
        return one

    for text in league.smuggled(token):
        got = league.everything(connect(), text)
        assert b'"author"' not in got, (text, got)
        assert ask("/api/v1/seasons")[2]["seasons"], text
    for headers in league.OTHER_HOSTS:  # caddy answers another host with an empty page
        lines = "".join(f"{name}: {value}\r\n" for name, value in {"Host": host, **headers}.items())
        got = league.everything(connect(), f"GET /api/v1/status HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())
        assert b" 200 OK" in got and b"evil" not in got, (headers, got)
    text = f"HEAD /live HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-For: 10.0.%d.%d\r\n\r\n"
    text = "".join(text % divmod(number, 250) for number in range(900)).encode()
    for _ in range(20):
        got = league.everything(connect(), text)
        if b" 429 " in got:
            break
    assert b" 429 " in got, got[:1000]


def behind(proxy, name, anna, environment=None):
    """The web process behind a proxy, over HTTPS, from the Unix socket SCRATCH/http."""
    global ADDRESS
    before = ADDRESS
    web = subprocess.Popen([ARENA, "web", "--unix", f"{SCRATCH}/http", "--site", f"{SCRATCH}/home/web/site",
                            "--desk", f"{SCRATCH}/home/web/desk", "--package-bytes", "2000000"],
                           stderr=subprocess.PIPE, text=True)
    assert "listens" in web.stderr.readline()
    with open(f"{SCRATCH}/{name}.log", "w", encoding="utf-8") as log:
        proxy = subprocess.Popen(proxy, stderr=log, env=environment)
    os.environ["CURL_CA_BUNDLE"] = f"{SCRATCH}/arena.crt"
    try:
        ADDRESS = PROXY
        for _ in range(300):
            if subprocess.run(["curl", "-s", "-o", f"{SCRATCH}/out", f"{ADDRESS}/live"], check=False).returncode == 0:
                break
            time.sleep(0.1)
        assert ask("/")[0] == ask("/api/v1/status")[0] == 200
        status, _, answer = ask(f"/api/v1/bots/by-{name}", anna, pack(bot(f"by-{name}")))
        assert status == 201, answer
        assert wait(answer["url"], anna)["state"] == "admitted"
        assert ask(f"/api/v1/bots/by-{name}", anna, b"x" * 1500000)[0] == 422
        for _ in range(20):  # curl 7.88 loses an answer that comes before the end of the body
            assert ask(f"/api/v1/bots/by-{name}", anna, b"x" * 3000000)[0] == 413
        attack_proxy(anna)
    finally:
        ADDRESS = before
        for process in (proxy, web):
            process.terminate()
        assert [process.wait(30) for process in (proxy, web)] == [0, 0]


def test_proxies(anna):
    """The same through nginx and caddy, by the configurations of the docs."""
    global PROXY
    make_certificate()
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    if nginx:
        address = league.free_address()
        PROXY = f"https://{address}"
        with open("arena/units/nginx.conf", encoding="utf-8") as file:
            server = file.read().replace("/run/arena-web", SCRATCH).replace("443 ssl", f"{address} ssl")
        paths = "".join(f"{what}_temp_path {SCRATCH}/{what}; " for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(f"{SCRATCH}/nginx.conf", "w", encoding="utf-8") as file:
            file.write(f"pid {SCRATCH}/nginx.pid; error_log {SCRATCH}/nginx.log; user root; events {{}} http {{ "
                       f"access_log off; {paths} {server.replace('/etc/ssl', SCRATCH)} }}\n")
        behind([nginx, "-c", f"{SCRATCH}/nginx.conf", "-g", "daemon off;"], "nginx", anna)
    if shutil.which("caddy"):
        address = league.free_address()
        PROXY = f"https://{address}"
        with open("arena/units/Caddyfile", encoding="utf-8") as file:
            site = file.read().replace("/run/arena-web/http", f"{SCRATCH}/http")
        site = site.replace("arena.example {", f"https://{address} {{\ntls {SCRATCH}/arena.crt {SCRATCH}/arena.key")
        with open(f"{SCRATCH}/Caddyfile", "w", encoding="utf-8") as file:
            file.write("{\nadmin off\nauto_https off\n}\n" + site)
        behind(["caddy", "run", "--adapter", "caddyfile", "--config", f"{SCRATCH}/Caddyfile"], "caddy", anna,
               dict(os.environ, HOME=SCRATCH))
    if not nginx or not shutil.which("caddy"):
        print("nginx or caddy is not installed: the test through it is skipped")


def make_certificate():
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{SCRATCH}/arena.key", "-out",
                    f"{SCRATCH}/arena.crt", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
                    "subjectAltName=IP:127.0.0.1"], check=True, stderr=subprocess.DEVNULL)


def test_tls():
    """HTTPS by a certificate of our own."""
    make_certificate()
    address = league.free_address()
    web = subprocess.Popen([ARENA, "web", "--listen", address, "--tls", f"{SCRATCH}/arena.crt", "--key",
                            f"{SCRATCH}/arena.key", "--desk", f"{SCRATCH}/home/web/desk"],
                           stderr=subprocess.PIPE, text=True)
    assert f"https://{address}" in web.stderr.readline()
    got = subprocess.run(["curl", "-sS", "--retry", "5", "--retry-connrefused", "--cacert", f"{SCRATCH}/arena.crt",
                          f"https://{address}/api/v1/status"], stdout=subprocess.PIPE, check=True)
    assert json.loads(got.stdout)["running"] is True
    web.terminate()
    assert web.wait(30) == 0


def test_modes():
    """A root's umask hides no page from the web process; what does is said."""
    if os.geteuid() != 0:
        return
    private = league.League(BUILD, "--every", "1", before=["sh", "-c", 'umask 077; exec "$@"', "sh"])
    private.arena("season", "new", "cup", "--players", "2")
    with private:
        for path in ("/", "/cup/", "/api/v1/status"):
            end = time.time() + 60
            while (status := private.ask(path)[0]) != 200 and time.time() < end:
                time.sleep(0.2)
            assert status == 200, (path, status)
    hidden = f"{SCRATCH}/hidden"
    shutil.copytree(f"{SCRATCH}/home/web/site", f"{hidden}/site")
    for folder in (hidden, f"{hidden}/site"):
        os.chmod(folder, 0o700)
        web = subprocess.Popen([ARENA, "web", "--listen", "0", "--site", f"{hidden}/site", "--desk", f"{SCRATCH}/home/web/desk"],
                               stderr=subprocess.PIPE, text=True)
        said = web.stderr.readline() + web.stderr.readline()
        web.terminate()
        assert web.wait(30) == 0 and f"--site {hidden}/site: Permission denied: every page is answered with 503" in said, said
        os.chmod(folder, 0o755)


def test_sockets():
    """A file at the path of the socket is left alone, and so is a socket at which a process listens."""
    with open(f"{SCRATCH}/precious", "w", encoding="utf-8") as file:
        file.write("a file")
    said = arena("web", "--unix", f"{SCRATCH}/precious", "--desk", f"{SCRATCH}/home/web/desk", status=1)
    assert "is a file, not a socket" in said and os.path.getsize(f"{SCRATCH}/precious") == 6, said
    said = arena("web", "--site", f"{SCRATCH}/none/site", "--desk", f"{SCRATCH}/home/web/desk", status=1)
    assert f"--site {SCRATCH}/none/site: the folder above the site cannot be opened: No such file" in said, said
    said = arena("web", "--listen", "0", "--desk", f"{SCRATCH}/none/desk", status=1)
    assert f"--desk {SCRATCH}/none/desk: the socket's folder cannot be entered: No such file" in said, said
    said = arena("web", "--unix", f"{SCRATCH}/home/web/desk", "--desk", f"{SCRATCH}/home/web/desk", status=1)
    assert "already in use" in said and ask("/api/v1/seasons")[0] == 200, said


def test_rate():
    """A client of IPv4 has its limit also where the socket is one of IPv6."""
    web = subprocess.Popen([ARENA, "web", "--listen", "[::]:0", "--desk", f"{SCRATCH}/home/web/desk"],
                           stderr=subprocess.PIPE, text=True)
    port = int(web.stderr.readline().strip().rstrip("/").rsplit(":", 1)[1])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for count in range(20000):
        connection.request("GET", "/live")
        answer = connection.getresponse()
        answer.read()
        if answer.status == 429:
            break
    connection.close()
    web.terminate()
    assert web.wait(30) == 0
    assert count >= 1000 and answer.status == 429, (count, answer.status)


def at(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))


def test_dates(anna):
    """The daemon opens and closes a season by itself; a version after the deadline does not enter."""
    for lead in (6, 20, 60):  # on a busy machine commands take longer than that
        name = f"dated-{lead}"
        begins = time.time() + lead
        arena("season", "new", name, "--players", "2", "--budget", "100000", "--from", at(lead), "--deadline", at(lead),
              "--until", at(4 * lead + 3600))
        season = ask(f"/api/v1/seasons/{name}")[2]
        if time.time() < begins - lead / 2:
            break
    assert "has not begun" in arena("season", "run", name, status=2)
    assert season["from"] == season["deadline"] < season["until"] and season["state"] == "early", season
    assert ask(f"/api/v1/seasons/{name}/games")[2]["games"] == []
    time.sleep(max(0, begins + 1 - time.time()))
    late = ask("/api/v1/bots/late-bot", anna, pack(bot("late-bot")))[2]
    assert wait(late["url"], anna)["state"] == "admitted"
    while not ask(f"/api/v1/seasons/{name}/games?limit=1")[2]["games"]:
        time.sleep(0.2)
    arena("season", "extend", name, "--until", at(10))
    for _ in range(9000):
        season = ask(f"/api/v1/seasons/{name}")[2]
        if season["state"] == "closed":
            break
        time.sleep(0.1)
    assert season["state"] == "closed", season
    rows = ask(f"/api/v1/seasons/{name}/ladder")[2]["rows"]
    assert rows[0]["games"] > 0 and "late-bot" not in {row["bot"] for row in rows}, rows
    assert "not a time" in arena("season", "new", "x", "--from", "tomorrow", status=2)


def test_packed():
    """Clients that take gzip get the page so, under an ETag of its own."""
    for _ in range(10):  # another publication may come between
        plain, packed = ask("/docs/rules.html"), ask("/docs/rules.html", headers=["Accept-Encoding: br, gzip;q=0.5"])
        if gzip.decompress(packed[2]) == plain[2] and len(packed[2]) < len(plain[2]) / 2:
            break
    else:
        raise SystemExit("a page is not compressed")
    assert packed[1]["content-encoding"] == "gzip" and "content-encoding" not in plain[1], (packed[1], plain[1])
    assert packed[1]["etag"] != plain[1]["etag"] and packed[1]["content-type"] == plain[1]["content-type"], packed[1]
    assert plain[1]["vary"] == packed[1]["vary"] == "Accept-Encoding"
    for refused in ("gzip;q=0", "identity", "x-gzipped, br", "gzip; q=0.0"):
        assert "content-encoding" not in ask("/docs/rules.html", headers=[f"Accept-Encoding: {refused}"])[1], refused
    assert ask("/nothing.html", headers=["Accept-Encoding: gzip"])[1]["content-encoding"] == "gzip"


def test_pages():
    for _ in range(100):
        status, fields, page = ask("/")
        if status == 200:
            break
        time.sleep(0.2)
    assert status == 200 and b"<html" in page and fields["content-type"].startswith("text/html"), fields
    for _ in range(10):  # another publication may come between
        fields = ask("/")[1]
        known = [f"{before}{fields['etag']}{after}" for before, after in (("", ""), ("W/", ""), ('"x", W/', ', "y"'))] + ["*"]
        if all(ask("/index.html", headers=[f"If-None-Match: {marks}"])[0] == 304 for marks in known):
            break
    else:
        raise SystemExit("a page that is known is sent again")
    test_packed()
    assert os.path.exists(f"{SCRATCH}/home/web/site/site.keys")
    for path in ("/site.keys", "/../../arena.db", "/..%2f..%2farena.db", "/%2e%2e/desk", "/site.keys%00.html", "//etc/passwd",
                 "/../desk", "/.site.spare/index.html", "/a\\b", "/nothing.html", "/api/v2/status", "/api/v1/"):
        assert ask(path)[0] in (400, 404), path
    assert ask("/", method="DELETE")[0] == 405
    status, fields, told = ask("/api/v1/me", method="PUT")
    assert (status, fields["allow"]) == (405, "GET, HEAD, POST") and told["detail"].endswith("GET, HEAD, POST"), (fields, told)


def test_process():
    """No account of the machine may signal the web process of a root."""
    if os.geteuid() == 0:
        web = [pid for pid in os.listdir("/proc") if pid.isdigit() and is_web(pid)]
        assert len(web) == 1, web
        with open(f"/proc/{web[0]}/status", encoding="utf-8") as file:
            uid = int(re.search(r"Uid:\t(\d+)", file.read())[1])
        with open("/proc/self/uid_map", encoding="utf-8") as file:
            is_mapped = any(int(first) <= 1899999999 < int(first) + int(count)
                            for first, _, count in map(str.split, file))
        assert uid == (1899999999 if is_mapped else 65534), uid


def is_web(pid):
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
            line = file.read()
        return "\0web\0" in line and f"{SCRATCH}/home" in line
    except OSError:
        return False


def test_scopes(anna, ben):
    """A token that only reads, and one of an organizer, who manages what others submitted."""
    reader = arena("author", "token", "Anna", "--scope", "read").strip()
    organizer = arena("author", "token", "Ben", "--scope", "organizer").strip()
    number = ask("/api/v1/me", reader)[2]["submissions"][0]["submission"]
    for method, path in (("POST", "/api/v1/bots/zip-bot"), ("POST", "/api/v1/bots/zip-bot/retire"),
                         ("DELETE", f"/api/v1/submissions/{number}")):
        status, _, answer = ask(path, reader, b"x" if path.endswith("zip-bot") else None, method=method)
        assert status == 403 and "only read" in answer["detail"], (path, status, answer)
    assert "sha256" in ask(f"/api/v1/submissions/{number}", organizer)[2]
    assert "sha256" not in ask(f"/api/v1/submissions/{number}", ben)[2]
    assert ask(f"/api/v1/submissions/{number}", organizer, method="DELETE")[0] == 409  # it has ended
    assert ask("/api/v1/bots/zip-bot/retire", ben, method="POST")[0] == 404
    assert ask("/api/v1/bots/zip-bot/retire", organizer, method="POST")[0] == 200
    # A reference bot is an organizer's.
    status, _, answer = ask("/api/v1/bots/gauge?reference=1", ben, pack(bot("gauge")))
    assert status == 403 and "only an organizer" in answer["detail"], (status, answer)
    said = arena("submit", "--to", ADDRESS, "--token-file", f"{SCRATCH}/token", "steady", status=2)
    assert "only an organizer" in said and "a bundled bot is one unless you add --ranked" in said, said
    assert wait(ask("/api/v1/bots/gauge?reference=1", organizer, pack(bot("gauge")))[2]["url"], ben)["state"] == "admitted"
    assert [row["reference"] for row in json.loads(arena("bots", "--json"))["bots"] if row["bot"] == "gauge"] == [True]
    assert "is neither author, read nor organizer" in arena("author", "token", "Ben", "--scope", "root", status=2)


def test_tokens():
    anna = arena("author", "token", "Anna").strip()
    assert ask("/api/v1/me", anna)[0] == 200
    listed = json.loads(arena("author", "list", "--json").splitlines()[0])
    assert len(listed["tokens"]) == 3 and anna not in str(listed), listed
    newest = listed["tokens"][-1]["token"]
    arena("author", "revoke", "Anna", newest)
    assert ask("/api/v1/me", anna)[0] == 401
    assert "no valid token" in arena("author", "revoke", "Anna", newest, status=2)
    arena("author", "rename", "Anna", "Anne")
    assert any(json.loads(line)["author"] == "Anne" for line in arena("author", "list", "--json").splitlines())
    arena("author", "erase", "Ben")
    assert "there is already an author" in arena("author", "new", "Anne", status=2)


def test_client(token):
    with open(f"{SCRATCH}/token", "w", encoding="utf-8") as file:
        file.write(token + "\n")
    folder = f"{SCRATCH}/bot"
    os.mkdir(folder)
    for name, (data, mode) in bot("client-bot").items():
        with open(f"{folder}/{name}", "wb") as file:
            file.write(data)
        os.chmod(f"{folder}/{name}", mode)
    os.mkdir(f"{folder}/.git")
    to = ("submit", "--to", ADDRESS, "--token-file", f"{SCRATCH}/token")
    out = arena(*to, "--check", "--wait", folder)
    assert "fit to play" in out and "client-bot 1 has passed the check; nothing is admitted" in out, out
    out = arena(*to, "--wait", folder)
    assert "fit to play" in out and "client-bot 1 is admitted" in out, out
    assert "as before" in arena(*to, folder)
    arena("retire", "client-bot")
    assert "is retired and plays no more: it plays again with another version" in arena(*to, folder, status=2)
    arena("retire", "client-bot", "--undo")
    arena("ban", "client-bot")
    assert "is banned" in arena(*to, folder, status=2)  # not: fit to play, as before
    arena("ban", "client-bot", "--lift")
    said = arena("submit", "--to", ADDRESS + "//", "--token-file", f"{SCRATCH}/token", folder)
    assert f"{ADDRESS}/api/v1/submissions/" in said, said
    test_again(folder, ask("/api/v1/me", token)[2]["submissions"][0]["sha256"])
    assert "nowhere: No such file or directory: name" in arena(*to, "nowhere", status=2)
    misnamed = f"{SCRATCH}/misnamed"
    os.mkdir(misnamed)
    with open(f"{misnamed}/bot.json", "w", encoding="utf-8") as file:
        file.write('{"name": "Misnamed!", "version": "1", "author": "ann", "run": ["sh"]}')
    assert "misnamed/bot.json: \"name\" must be 1 to 32" in arena(*to, misnamed, status=2)
    nameless = f"{SCRATCH}/nameless-bot"  # which has the name of its folder, whatever the arena's folder is
    shutil.copytree(folder, nameless)
    with open(f"{nameless}/bot.json", "w", encoding="utf-8") as file:
        file.write('{"version": "1", "author": "any", "run": ["./random"]}')
    assert "nameless-bot 1 has passed the check" in arena(*to, "--check", "--wait", nameless)
    with open(f"{folder}/random", "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\nexit 1\n")
    assert "answers 409" in arena(*to, folder, status=2)
    test_late(folder)
    test_away(folder)
    test_scheme(folder)
    test_http_proxy(to, folder)


def test_again(folder, sha256):
    """`submit --to` sends a refused package again: the arena knows whether the package was to blame."""
    answers = [(200, 7), (201, 8)]

    class Arena(http.server.BaseHTTPRequestHandler):
        def tell(self, status, answer):
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self):
            self.tell(200, {"submissions": [{"submission": 7, "state": "refused", "bot": "client-bot", "sha256": sha256}]})

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            status, number = answers.pop(0)
            quotas = [{"quota": "packages", "a_day": 8, "unused": 3, "more": "2026-11-30T09:41:02Z"}]
            self.tell(status, {"submission": number, "state": "refused" if status == 200 else "received",
                               **({} if status == 200 else {"quotas": quotas})})

        def log_message(self, *words):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Arena) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        to = ("submit", "--to", f"http://127.0.0.1:{server.server_port}", "--token-file", f"{SCRATCH}/token", folder)
        assert "client-bot is submission 7, which was refused; change the bot before you submit it again: " in arena(*to)
        said = arena(*to)
        assert "client-bot is submission 8: " in said, said
        assert said.endswith("\n3 of 8 packages a day are left, one more at 2026-11-30T09:41:02Z\n"), said
        server.shutdown()


def test_late(folder):
    """The daemon of an arena is down: `submit --to` says that it tries again, and ends, whatever pause the answer asks for."""
    answers = []

    class Late(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(503)
            self.send_header("Retry-After", answers.pop(0))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *words):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Late) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        for last in ("61", "9223372036855"):  # in microseconds the second is no number of 64 bits
            answers[:] = ["1", "1", last]
            said = arena("submit", "--to", url, "--token-file", f"{SCRATCH}/token", folder, status=1)
            assert said == (f"left out: .git\nthe arena at {url} does not answer yet: trying again for up to 60 s\n"
                            f"arena: {url} answers 503\n"), said
        server.shutdown()


def test_away(folder):
    """An arena that has answered goes away for some seconds: `submit --wait` asks until it is back."""
    asked = []

    class Away(http.server.BaseHTTPRequestHandler):
        def tell(self, status, answer):
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self):
            if self.path == "/api/v1/me":
                return self.tell(200, {"submissions": []})
            asked.append(self.path)
            if len(asked) <= 4:
                self.close_connection = True
                return self.connection.shutdown(socket.SHUT_RDWR)
            entrance = {"season": "cup", "waits": True, "next_games": None}
            return self.tell(200, {"submission": 16, "state": "admitted", "bot": "client-bot", "version": "1", "enters": [entrance]})

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.tell(201, {"submission": 16, "state": "received"})

        def log_message(self, *words):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Away) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        to = ("submit", "--to", f"http://127.0.0.1:{server.server_port}", "--token-file", f"{SCRATCH}/token", "--wait", folder)
        said = arena(*to)
        assert said.endswith("client-bot 1 is admitted\n") and len(asked) == 5, (said, asked)
        assert f"  page      http://127.0.0.1:{server.server_port}/cup/bot/client-bot.html, " in said, said
        server.shutdown()


def test_scheme(folder):
    """A token goes to HTTPS unless the address says http, and then only to this machine."""
    for given, status, words in (("127.0.0.1:{}", 1, "write http:// before the address"), ("http://0.0.0.0:{}", 2, "unencrypted: use https://"),
                                 ("HTTP://localhost.:{}", 2, "unencrypted"), ("http://127.0.0.1@0.0.0.0:{}", 2, "unencrypted"),
                                 ("ftp://127.0.0.1@0.0.0.0:{}", 2, "unencrypted")):
        got = []

        def listen(server):
            try:
                while True:
                    one = server.accept()[0]
                    one.settimeout(5)
                    got.append(one.recv(4096))
                    one.close()
            except OSError:
                pass  # the test has ended

        with socket.create_server(("127.0.0.1", 0)) as server:
            threading.Thread(target=listen, args=(server,), daemon=True).start()
            url = given.format(server.getsockname()[1])
            said = arena("submit", "--to", url, "--token-file", f"{SCRATCH}/token", folder, status=status)
            server.shutdown(socket.SHUT_RDWR)
        assert words in said and bool(got) == (status == 1), (url, said, got)
        assert all(first.startswith(b"\x16\x03") for first in got), (url, got)


def test_http_proxy(to, folder):
    """Nor does a token go to this machine by way of a proxy, which is another machine."""
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        proxy.setblocking(False)
        LEAGUE.environment["http_proxy"] = f"http://127.0.0.1:{proxy.getsockname()[1]}"
        assert "answers 409" in arena(*to, folder, status=2)
        del LEAGUE.environment["http_proxy"]
        try:
            raise AssertionError(proxy.accept())
        except BlockingIOError:
            pass


def test_address():
    """A port alone is a port of this machine; other machines see an address that says so, and the log tells."""
    for address, expected in (("0", "http://127.0.0.1:"), ("0.0.0.0:0", "http://0.0.0.0:")):
        web = subprocess.Popen([ARENA, "web", "--listen", address, "--site", f"{SCRATCH}/home/web/site", "--desk",
                                f"{SCRATCH}/home/web/desk"], stderr=subprocess.PIPE, text=True)
        said = web.stderr.readline() + (web.stderr.readline() if address != "0" else "")
        web.terminate()
        said += web.stderr.read()
        assert web.wait(30) == 0 and f"listens at {expected}" in said, said
        assert ("is open to all machines without TLS" in said) == (address != "0"), said
    os.makedirs(f"{SCRATCH}/later")  # neither a site nor a daemon yet: it waits for both
    web = subprocess.Popen([ARENA, "web", "--listen", "0", "--site", f"{SCRATCH}/later/site", "--desk",
                            f"{SCRATCH}/later/desk"], stderr=subprocess.PIPE, text=True)
    said = "".join(web.stderr.readline() for _ in range(3))
    address = re.search(r"listens at (http://\S+)\n", said)
    assert address and "no pages until" in said and "the API answers 503 until" in said, said

    def status(path):
        try:
            with urllib.request.urlopen(address[1].rstrip("/") + path) as answer:
                return answer.status
        except urllib.error.HTTPError as refused:
            return refused.code

    assert (status("/"), status("/api/v1/status")) == (503, 503)
    arena("publish", f"{SCRATCH}/later/site")
    assert status("/") == 200
    web.terminate()
    assert web.wait(30) == 0
    web.stderr.close()
    taken = ADDRESS.split("/")[2]
    assert "another program listens there" in arena("web", "--listen", taken, "--desk", f"{SCRATCH}/home/web/desk", status=1)


def main():
    global ADDRESS
    for name in ("Anna", "Ben", "Cleo"):
        arena("author", "new", name)
    anna, ben, cleo = (arena("author", "token", name).strip() for name in ("Anna", "Ben", "Cleo"))
    arena("submit", f"{BUILD}/bots/greedy")
    arena("season", "new", "cup", "--players", "2", "--board", "colored", "--budget", "40")
    with LEAGUE:
        ADDRESS = LEAGUE.address
        test_submission(anna, ben)
        test_check(anna, ben)
        test_conflicts(anna, ben)
        test_query()
        test_reading(anna, ben)
        test_archives(anna)
        test_refused(anna)
        test_limits(anna)
        test_pages()
        test_cancel(anna, ben)
        test_live()
        test_proxies(cleo)
        test_process()
        test_tls()
        test_modes()
        test_sockets()
        test_rate()
        test_address()
        test_dates(cleo)
        test_client(cleo)
        test_scopes(anna, ben)
        test_tokens()
        assert "Z error" not in LEAGUE.log(), LEAGUE.log()
    described.asked_all(lambda method, path: "/challenges" not in path and (method, path) != ("post", "/api/v1/me"))
    print("the API answers as docs/api.md says")


main()
