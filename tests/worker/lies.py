# SPDX-License-Identifier: MIT
"""A worker that lies: a hostile program that speaks SQL as the workers' role. It has what an honest worker
played, and delivers it with one lie each; the daemon refuses each in words, keeps none, and takes the truth
afterwards. Then the league is sound, and every replay is true.

usage: lies.py BUILD        (with_server sets POSTGRES_TEST_*)"""

import hashlib
import json
import os
import signal
import subprocess
import sys

import msgpack

from league import ARENA, BUILD, URL, Scheduler, Worker, arena, room, run, sql, wait_for

LIAR_URL = URL.replace("postgres@", "liar@")
PSQL = os.environ["POSTGRES_TEST_BIN"] + "/psql"
faults = []


def call(statement, url=LIAR_URL):
    """What the server says; a file of statements, because an argument has no room for a replay."""
    result = subprocess.run([PSQL, url, "-qAtX", "-v", "ON_ERROR_STOP=1"], input=statement, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return result.stdout.strip() or result.stderr.strip()


class Replay:
    """A replay in parts: its header, its decisions and its result."""

    def __init__(self, data):
        unpacker = msgpack.Unpacker(strict_map_key=False)
        unpacker.feed(data)
        items = list(unpacker)
        self.header, self.decisions, self.result = items[0], items[1:-2], items[-2]

    def data(self):
        body = b"".join(map(msgpack.packb, [self.header, *self.decisions, self.result]))
        return body + msgpack.packb(hashlib.sha256(body).digest())


# ---- lies: what is told instead of the truth, and a part of the refusal ----

SEAT, BY, ACTION, US, HASH = 0, 1, 2, 3, 6


def swap(items):
    items[0], items[1] = items[1], items[0]


def forfeit(words="it died of signal 11"):
    return [words, 20100000, 1000, -1, 0, -1, 11, "", b"", b"", b"", 0, hashlib.sha256(b"").digest(), 0,
            hashlib.sha256(b"").digest(), 0, hashlib.sha256(b"").digest()]


def out(replay, reason, turn, record):
    replay.result["reasons"][1] = reason
    replay.result["out"][1] = turn
    replay.result["forfeits"][1] = record


def cut(replay, count):
    del replay.decisions[count:]


def late(replay):
    """Its own time out: within the limit that it tells."""
    turn = next(i for i, decision in enumerate(replay.decisions) if i > 9 and decision[SEAT] == 1)
    cut(replay, turn)
    out(replay, 2, turn, [*forfeit("no complete answer")[:1], 120000000, 5, *forfeit()[3:]])


LIES = [
    ("a game of another match", lambda r: r.header.update(match="cup-000007-0"), "shows match cup-000007-0"),
    ("a game of another season", lambda r: r.header.update(match="cap-000000-0"), "shows match cap-000000-0"),
    ("another seed", lambda r: r.header.update(seed=bytes(16)), "differs from the game's seed"),
    ("another board", lambda r: r.header.update(board=1 - r.header["board"]), "board differs from the game's"),
    ("a longer clock", lambda r: swap(r.header["clock"]), "clock differs from the season's clock"),
    ("bots on exchanged seats", lambda r: swap(r.header["bots"]), "seat 0 was played by"),
    ("another bot", lambda r: r.header["bots"][0].__setitem__(0, "maestro"), "was played by bot maestro"),
    ("another version", lambda r: r.header["bots"][1].__setitem__(1, "99"), "seat 1 was played by"),
    ("another package", lambda r: r.header["bots"][1].__setitem__(2, "0" * 64), "seat 1 was played by"),
    ("more memory", lambda r: r.header.update(memory=r.header["memory"] * 2), "memory limit"),
    ("names told", lambda r: r.header.update(names_told=True), "told each other's names"),
    ("a game of 1990", lambda r: r.header.update(started=631152000), "began before the season was created"),
    ("a game of next year", lambda r: r.header.update(started=r.header["started"] + 31536000), "more than a day in the future"),
    ("a higher score", lambda r: r.result["scores"].__setitem__(0, 200), "is right"),
    ("exchanged scores", lambda r: swap(r.result["scores"]), "result: seat"),
    ("exchanged ranks", lambda r: swap(r.result["ranks"]), "result: seat"),
    ("another move", lambda r: r.decisions[0].__setitem__(ACTION, ["pass"]), "a decision is invalid"),
    ("the move of another time", lambda r: r.decisions[0].__setitem__(ACTION, r.decisions[60][ACTION]), "decision 0"),
    ("another seat's move", lambda r: r.decisions[3].__setitem__(SEAT, 1 - r.decisions[3][SEAT]), "decision 3"),
    ("a move of the arena", lambda r: r.decisions[3].__setitem__(BY, 1), "decision 3"),
    ("two moves exchanged", lambda r: r.decisions.__setitem__(slice(0, 2), r.decisions[1::-1]), "decision"),
    ("another hash", lambda r: r.decisions[5].__setitem__(HASH, 7), "hash"),
    ("the last move left out", lambda r: r.decisions.pop(), "the replay ends here"),
    ("the last move twice", lambda r: r.decisions.append(r.decisions[-1]), "match was over"),
    ("no move at all", lambda r: cut(r, 0), "the replay ends here"),
    ("a move of hours", lambda r: r.decisions[4].__setitem__(US, 10 ** 11), "but the whole game"),
    ("a move of years", lambda r: r.decisions[4].__setitem__(US, 10 ** 16), "longer than 11 days"),
    ("a crash that the moves deny", lambda r: out(r, 6, 10, forfeit()), "decision"),
    ("a crash after the end", lambda r: out(r, 6, 511, forfeit()), "is right"),
    ("a crash without a record", lambda r: (cut(r, 10), out(r, 6, 10, None)), "forfeited, but has no forfeit record"),
    ("a crash without words", lambda r: (cut(r, 10), out(r, 6, 10, forfeit(""))), "has no explanation"),
    ("a forfeit of who played on", lambda r: r.result["forfeits"].__setitem__(1, forfeit()), "has a forfeit"),
    ("late within its time", late, "the bot's time is within the time limit"),
    ("a crash at a score that was not", lambda r: (cut(r, 10), out(r, 6, 10, forfeit())), "result: seat"),
    ("a start that failed after ten moves", lambda r: (cut(r, 10), out(r, 1, 10, forfeit())), "but the bot had already played"),
]


def widen(data):
    """The same numbers in more bytes: equal games are equal bytes."""
    at = data.index(b"\xa7players") + 8
    body = data[:at] + b"\xcc" + data[at:at + 1] + data[at + 1:-34]
    return body + msgpack.packb(hashlib.sha256(body).digest())


def slow(data):
    """One decision of a millisecond; on a busy machine all may be charged less than a microsecond."""
    replay = Replay(data)
    replay.decisions[4][US] = 1000
    return replay.data()


# On the bytes and the time.
BYTE_LIES = [
    ("nothing", lambda data: b"", None, "is not a replay"),
    ("a half", lambda data: data[:len(data) // 2], None, "is truncated"),
    ("a bit of the checksum", lambda data: data[:-1] + bytes([data[-1] ^ 1]), None, "checksum"),
    ("a byte too many", lambda data: data + b"\xc0", None, "bytes follow"),
    ("numbers in more bytes", widen, None, "not written as the arena itself would write this game"),
    ("sixteen MiB of nothing", lambda data: bytes(16 << 20), None, "is not a replay"),
    ("a list in a list in a list", lambda data: b"\x91" * 100000, None, "is not a replay"),
    ("a game shorter than its moves", slow, 1, "but the whole game"),
    ("a game of less than nothing", lambda data: data, -5, "negative or longer"),
    ("a game of years", lambda data: data, 2 ** 62, "longer than 11 days"),
]

# Calls that are refused at once, and change nothing.
CALLS = [
    ("a guessed token", "worker_deliver({me}, 1, 0, {token} + 1, 0, 1, '\\x00')", "stale"),
    ("no token", "worker_deliver({me}, 1, 0, NULL, 0, 1, '\\x00')", "stale"),
    ("another identity", "worker_deliver('\\x99', 1, 0, {token}, 0, 1, '\\x00')", "stale"),
    ("a group that is not there", "worker_deliver({me}, 1, 77, {token}, 0, 1, '\\x00')", "stale"),
    ("a season that is not there", "worker_deliver({me}, 9, 0, {token}, 0, 1, '\\x00')", "stale"),
    ("a rotation past the players", "worker_deliver({me}, 1, 0, {token}, 3, 1, '\\x00')", "stale"),
    ("a rotation past all", "worker_deliver({me}, 1, 0, {token}, 9223372036854775807, 1, '\\x00')", "long"),
    ("a rotation below the first", "worker_deliver({me}, 1, 0, {token}, -1, 1, '\\x00')", "long"),
    ("no replay", "worker_deliver({me}, 1, 0, {token}, 0, 1, NULL)", "long"),
    ("no time", "worker_deliver({me}, 1, 0, {token}, 0, NULL, '\\x00')", "long"),
    ("seventeen MiB", "worker_deliver({me}, 1, 0, {token}, 0, 1, decode(repeat('00', 17 << 20), 'hex'))", "long"),
    ("nothing at all", "worker_deliver(NULL, NULL, NULL, NULL, NULL, NULL, NULL)", "long"),
]


class Liar:
    """Is refused too often, and registers anew; its role is forgiven then."""

    def __init__(self):
        self.count = 0
        self.refused = 0

    def me(self):
        return f"'\\x{self.count:032x}'"

    def claim(self):
        if self.refused % 8 == 0:
            self.count += 1
            call(f"SELECT worker_hello({self.me()}, '1', 'liar', 'h', 'p', 'x86_64', 3, 1, 1, 1)")
            told = call(f"SELECT number FROM worker_claim({self.me()}, 0, 3600000000, '{{}}')")
            if ("role liar gets no more groups" in told) != (self.refused > 0):
                faults.append(f"a new worker of a role with {self.refused} lies claims: {told}")
            sql("UPDATE refusal SET role = 'forgiven'")
        return call(f"SELECT DISTINCT token FROM worker_claim({self.me()}, 1, 3600000000, '{{}}')")

    def deliver(self, token, rotation, wall_us, data):
        return call(f"SELECT worker_deliver({self.me()}, 1, 0, {token}, {rotation}, {wall_us}, '\\x{data.hex()}')")

    def lie(self, what, data, wall_us, expected, rotation=0):
        token = self.claim()
        if not token.isdigit():
            faults.append(f"{what}: the group is not dealt again: {token}")
            return
        told = self.deliver(token, rotation, wall_us, data)
        self.refused += 1
        if told != "first":
            faults.append(f"{what}: is not taken into the inbox: {told}")
        wait_for(f"{what} to be judged", lambda: sql("SELECT count(*) FROM inbox") == "0")
        words = sql("SELECT words FROM refusal ORDER BY id DESC LIMIT 1")
        if int(sql("SELECT count(*) FROM refusal")) != self.refused or expected not in words:
            faults.append(f"{what}: {words}, not '{expected}'")
        if sql("SELECT count(*) FROM game") != "0":
            faults.append(f"{what}: a game is kept")
            sql("DELETE FROM replay; DELETE FROM game")


def play_honestly(scheduler):
    """Has an honest worker play the only group while nobody judges; returns its two games."""
    worker = Worker("honest")
    wait_for("the group to be dealt", lambda: sql("SELECT count(*) FROM dealt_group") == "1")
    scheduler.process.send_signal(signal.SIGSTOP)
    wait_for("it to be played", lambda: sql("SELECT count(*) FROM inbox") == "2")
    worker.stop()
    games = [line.split("|") for line in sql("SELECT wall_us, encode(replay, 'hex') FROM inbox ORDER BY rotation").split()]
    sql("DELETE FROM inbox; UPDATE dealt_group SET due = 3, worker = NULL")
    scheduler.process.send_signal(signal.SIGCONT)
    return [(int(wall_us), bytes.fromhex(replay)) for wall_us, replay in games]


def tell_lies(liar, games):
    (wall_us, data), (_, other) = games
    assert Replay(data).data() == data, "this test packs otherwise than the arena"
    liar.lie("the game of the other rotation", other, wall_us, "shows match cup-000000-1")
    for what, change, expected in LIES:
        replay = Replay(data)
        change(replay)
        liar.lie(what, replay.data(), wall_us, expected)
    for what, change, of_us, expected in BYTE_LIES:
        liar.lie(what, change(data), wall_us if of_us is None else of_us, expected)
    told = liar.claim()
    for what, statement, expected in CALLS:
        said = call("SELECT " + statement.format(me=liar.me(), token=told))
        if said != expected:
            faults.append(f"{what}: {said[:200]}")
    return told


def read_everything(liar):
    """The truth is taken; every command reads the league; every replay is true."""
    arena(URL, "store", "check")
    for command in (["games", "cup"], ["ladder", "cup"], ["ladder", "cup", "--final"], ["workers"], ["bots"],
                    ["publish", room + "/site"], ["season", "show", "cup"]):
        arena(URL, *command)
    for rotation in (0, 1):
        arena(URL, "replay", f"cup-000000-{rotation}", "--verify")
    workers = json.loads(arena(URL, "workers", "--json"))["workers"]
    liars = [worker for worker in workers if worker["name"] == "liar"]
    assert sum(worker["refused"] for worker in liars) == liar.refused, workers
    assert any("is not packed" in (worker["refusal"] or "") or worker["refusal"] for worker in liars), workers
    assert [worker["games"] for worker in workers if worker["worker"] == max(w["worker"] for w in workers)] == [2], workers


def main():
    for bot in ("greedy", "random"):
        arena(URL, "submit", os.path.join(BUILD, "bots", bot))
    arena(URL, "season", "new", "cup", "--budget", "2", "--clock", "turn=20000,bank=100000,start=60000")
    role = arena(URL, "store", "role", "liar")
    assert "ERROR" not in call(role, URL)
    scheduler = Scheduler()
    games = play_honestly(scheduler)
    liar = Liar()
    token = tell_lies(liar, games)
    if faults:
        print("\n".join(faults))
        sys.exit(1)
    for rotation, (wall_us, data) in enumerate(games):
        assert liar.deliver(token, rotation, wall_us, data) in ("first", "kept")
    wait_for("the truth to be stored", lambda: sql("SELECT count(*) FROM game") == "2")
    scheduler.wait()
    read_everything(liar)
    print(f"{liar.refused} lies and {len(CALLS)} calls were refused, and the truth was taken")


run(main)
