"""What a worker that is wrong, or lies, may bring: a table of games that its role hands in. What lists
would call damaged is refused, in words, and the game stays to be played; the rest does no harm. After all
of it every command reads the league.

usage: lies.py BUILD        (with_server sets POSTGRES_TEST_*)"""

import copy
import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

BUILD = sys.argv[1]
ARENA = os.path.join(BUILD, "bin/arena")
OWNER_URL = os.environ["POSTGRES_TEST_URL"]
WORKER_URL = OWNER_URL.replace("postgres@", "liar@")
PSQL = os.environ["POSTGRES_TEST_BIN"] + "/psql"
IDENTITY = "\\x" + "07" * 16
REASONS = ["played", "start", "timeout", "illegal", "protocol", "exit", "crash", "forbidden", "memory", "cpu"]
room = tempfile.mkdtemp(prefix="lies-")
faults = []


def arena(*arguments):
    return subprocess.run([ARENA, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=dict(os.environ, ARENA_STORE=OWNER_URL, ARENA_HOME=room))


def psql(url, statement):
    """A file of statements: an argument has no room for a replay."""
    return subprocess.run([PSQL, url, "-qAtX", "-v", "ON_ERROR_STOP=1"], input=statement, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def value(url, statement):
    result = psql(url, statement)
    assert result.returncode == 0, (statement[:300], result.stderr)
    return result.stdout.strip()


def text(value):
    return "NULL" if value is None else "'" + str(value).replace("'", "''") + "'"


def octets(value):
    return "NULL" if value is None else "'\\x" + value.hex() + "'"


# ---- checksums, as the store's own code has them ----

def number(value):
    return (value & (1 << 64) - 1).to_bytes(8, "little")


def fnv_1a(message):
    total = 0xcbf29ce484222325
    for byte in message:
        total = (total ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return total or 1


def seal(game, lease):
    """Adds the checksums that fit what the game says, right or wrong."""
    digest = hashlib.sha256()
    words = (game["forfeits"] or "").encode()
    for part in (1, lease["group"], game["rotation"], 2, game["opening"]):
        digest.update(number(part))
    digest.update(bytes.fromhex(lease["seeds"][game["rotation"]]))
    for part in (game["started_us"], game["wall_us"], game["layers"], game["decisions"], *TERMS, len(words)):
        digest.update(number(part))
    digest.update(words)
    for seat in game["seats"]:
        place = seat.get("seat", 0)
        entry = lease["bots"][(place + game["rotation"]) % 2]["entry"]
        message = b"".join(number(part) for part in (
            1, lease["group"], game["rotation"], place, entry, seat["score"], seat["rank"], seat["reason"], seat["us"],
            seat["us_max"], seat["decisions"]))
        try:
            message += bytes.fromhex(seat["times"])
        except ValueError:
            pass # no hex: refused before its checksum matters
        total = fnv_1a(message)
        seat["sum"] = total - (1 << 64 if total >> 63 else 0)
        digest.update(number(total))
    digest.update(game["replay_hash"])
    game["sum"] = digest.digest()


def send(game, lease):
    """What the server says of it."""
    seats = game["seats"] if isinstance(game["seats"], str) else json.dumps(game["seats"])
    result = psql(WORKER_URL, f"SELECT worker_game('{IDENTITY}', 1, {lease['group']}, {lease['token']}, {game['rotation']},"
                  f" {game['opening']}, {game['started_us']}, {game['wall_us']}, {game['layers']}, {game['decisions']},"
                  f" {text(game['forfeits'])}, {game['delay_us']}, {octets(game['replay_hash'])}, {octets(game['sum'])},"
                  f" {text(seats)}, {octets(game['replay'])})")
    return result.stdout.strip() or result.stderr.strip()


# ---- games ----

def forfeit(**changes):
    """The record of a bot that was late, as the arena writes it."""
    record = {"reason": "timeout", "words": "late", "turn": 3, "limit_us": 100, "wall_us": 101, "cpu_us": None,
              "delay_us": 1, "status": None, "signal": 9, "call": None, "request": "00", "reply": "", "stderr": "",
              "command": None, "request_decoded": "", "reply_decoded": "", "request_bytes": 1,
              "request_sha256": "ab", "request_left_out": 0, "reply_bytes": 0, "reply_sha256": "ab",
              "reply_left_out": 0, "stderr_bytes": 0, "stderr_sha256": "ab", "stderr_left_out": 0}
    record.update(changes)
    return record


def sound(rotation=0):
    """30 decisions of 10 us each a seat: bucket 9 of the times."""
    seats = [{"seat": seat, "score": 60 - seat, "rank": seat + 1, "reason": 0, "decisions": 30, "us": 300,
              "us_max": 20, "times": "091e"} for seat in (0, 1)]
    replay = b"not looked into"
    return {"rotation": rotation, "opening": 0, "started_us": 1700000000000000, "wall_us": 500, "layers": 3,
            "decisions": 60, "forfeits": None, "delay_us": 0, "seats": seats, "replay": replay,
            "replay_hash": hashlib.sha256(replay).digest()}


def lost(*forfeits, reasons=(0, 2)):
    """A game that the second seat forfeits."""
    game = sound()
    for seat, reason in zip(game["seats"], reasons):
        seat["reason"] = reason
    game["forfeits"] = json.dumps(list(forfeits))
    return game


def changed(seat=None, **changes):
    game = sound()
    (game if seat is None else game["seats"][seat]).update(changes)
    if "replay" in changes and "replay_hash" not in changes:
        game["replay_hash"] = hashlib.sha256(changes["replay"]).digest()
    return game


def ranked(*ranks):
    game = sound()
    for seat, rank in zip(game["seats"], ranks):
        seat["rank"] = rank
    return game


def wrong_sum(game):
    game["sum"] = bytes(32)


def wrong_seat_sum(game):
    game["seats"][1]["sum"] ^= 1


def no_seat_sum(game):
    game["seats"][1]["sum"] = 0


def other_score(game):
    game["seats"][0]["score"] += 1


def two_seats_of_one(game):
    game["seats"][1]["seat"] = 0


def third_seat(game):
    game["seats"].append(dict(game["seats"][1], seat=2))


def one_seat(game):
    game["seats"].pop()


def no_json(game):
    game["seats"] = "[{"


def deep_json(game):
    game["seats"] = "[" * 100000


def long_json(game):
    game["seats"] = json.dumps(game["seats"]) + " " * 100000


# The fault, the game, what is changed once it has its checksums, a part of what the server says.
REFUSED = [
    ("a checksum of nothing", sound(), wrong_sum, "checksum"),
    ("a seat's checksum of nothing", sound(), wrong_seat_sum, "seat 1: its checksum"),
    ("a seat's checksum that stands for none", sound(), no_seat_sum, "seat 1: its checksum"),
    ("a score changed on the way", sound(), other_score, "seat 0: its checksum"),
    ("one seat twice", sound(), two_seats_of_one, "seats"),
    ("a seat too many", sound(), third_seat, "seats"),
    ("a seat too few", sound(), one_seat, "seats"),
    ("seats that are no JSON", sound(), no_json, "seats cannot be read"),
    ("seats nested deeply", sound(), deep_json, "seats"),
    ("seats of any length", sound(), long_json, "seats"),
    ("a score out of range", changed(0, score=10001), None, "seat 0: score"),
    ("a score below the range", changed(0, score=-10001), None, "seat 0: score"),
    ("a rank of nobody", ranked(0, 1), None, "seat 0: rank"),
    ("a rank past the players", ranked(1, 3), None, "seat 1: rank"),
    ("no winner", ranked(2, 2), None, "rank"),
    ("two winners and a rank between", ranked(1, 0), None, "rank"),
    ("a reason that has no name", changed(0, reason=10), None, "seat 0: reason"),
    ("a reason below the first", changed(0, reason=-1), None, "seat 0: reason"),
    ("more decisions than a game has", changed(0, decisions=513), None, "seat 0: decisions"),
    ("times out of range", changed(0, us=10 ** 12 + 1), None, "seat 0: us"),
    ("a longest time below zero", changed(0, us_max=-1), None, "seat 0: us_max"),
    ("a longest time above their sum", changed(0, us_max=301), None, "seat 0: us_max"),
    ("packed times that are no hex", changed(0, times="xy"), None, "seats cannot be read"),
    ("packed times that end early", changed(0, times="09"), None, "seat 0: times"),
    ("packed times that never end", changed(0, times="89" * 40), None, "seat 0: times"),
    ("packed times of a bucket past the last", changed(0, times="b8021e"), None, "seat 0: times"),
    ("packed times of more decisions than there are", changed(0, times="091f"), None, "seat 0: times"),
    ("packed times of fewer", changed(0, times="091d"), None, "seat 0: times"),
    ("packed times of 2^41 decisions", changed(0, times="09808080808040"), None, "seat 0: times"),
    ("packed times too long", changed(0, times="0900" * 2048 + "001e"), None, "seat 0: times"),
    ("a beginning before 1970", changed(started_us=-1), None, "started_us"),
    ("a beginning past the calendar", changed(started_us=2 ** 53 + 1), None, "started_us"),
    ("an end before the beginning", changed(wall_us=-1), None, "wall_us"),
    ("a duration past the calendar", changed(wall_us=2 ** 53 + 1), None, "wall_us"),
    ("layers of more than 32 bits", changed(layers=2 ** 32), None, "layers"),
    ("decisions below zero", changed(decisions=-1), None, "decisions"),
    ("more decisions than the longest game", changed(decisions=513), None, "decisions"),
    ("fewer decisions than its seats made", changed(decisions=59), None, "decisions"),
    ("a delay below zero", changed(delay_us=-1), None, "delay_us"),
    ("a delay whose sums overflow", changed(delay_us=2 ** 53), None, "delay_us"),
    ("a replay of another hash", changed(replay_hash=hashlib.sha256(b"").digest()), None, "replay"),
    ("a replay's hash of one byte", changed(replay_hash=b"\0"), None, "replay"),
    ("a replay of more than 16 MiB", changed(replay=bytes((1 << 24) + 1)), None, "replay"),
    ("forfeits that are no JSON", changed(forfeits="x"), None, "cannot be read"),
    ("forfeits that are nothing", changed(forfeits=""), None, "cannot be read"),
    ("forfeits that are no list", changed(forfeits="{}"), None, "forfeits"),
    ("forfeits of nobody", changed(forfeits="[]"), None, "forfeits"),
    ("forfeits of three", lost(None, forfeit(), None), None, "forfeits"),
    ("a list of anything", lost(1, "two"), None, "forfeits"),
    ("a forfeit of who played on", lost(forfeit(), None, reasons=(0, 0)), None, "forfeits"),
    ("a forfeit without its words", lost(None, {"reason": "timeout"}), None, "forfeits"),
    ("a forfeit of another reason", lost(None, forfeit(reason="crash")), None, "forfeits"),
    ("words of any length", lost(None, forfeit(words="x" * 1000)), None, "forfeits"),
    ("words that are no text", lost(None, forfeit(words=["x"])), None, "forfeits"),
    ("a turn that is no number", lost(None, forfeit(turn="3")), None, "forfeits"),
    ("a turn past all games", lost(None, forfeit(turn=10 ** 30)), None, "forfeits"),
    ("a time with a fraction", lost(None, forfeit(wall_us=0.5)), None, "forfeits"),
    ("a list within", lost(None, forfeit(stderr=[1])), None, "forfeits"),
    ("standard error of any length", lost(None, forfeit(stderr="x" * 200000)), None, "forfeits"),
    ("half a character", changed(forfeits='[null, {"reason": "\\ud800"}]'), None, "cannot be read"),
    ("a key that no forfeit has", lost(None, forfeit(mine=1)), None, "forfeits"),
    ("more than 1 MiB", lost(None, forfeit(stderr="x" * (1 << 20))), None, "forfeits"),
    ("lists within lists", changed(forfeits="[" * 100000), None, "cannot be read"),
]

# Harmless. That their replays cannot be read costs each game's page and its file, and is said.
KEPT = [
    ("a game", sound()),
    ("a score at the range's end", changed(0, score=10000)),
    ("a score at its other end", changed(1, score=-10000)),
    ("the latest beginning", changed(started_us=2 ** 53)),
    ("all layers and a long game", changed(layers=2 ** 32 - 1, wall_us=2 ** 53, decisions=512)),
    ("a tie", ranked(1, 1)),
    ("a forfeit as the arena writes it", lost(None, forfeit())),
    ("a forfeit with control characters", lost(None, forfeit(words="\x1b[2J\x07\x9b", stderr="\x1b]0;x\x07" * 900, call="\x7f"))),
    ("times at their longest", changed(0, us=10 ** 12, us_max=10 ** 12, delay_us=0)),
]

# What a worker may not say of its machine: each text, and each number.
WORKERS = [
    ("a name of 65 bytes", "repeat('x', 65), 'h', 'p', 'a', 0, 2, 1, 1, 1"),
    ("no name", "'', 'h', 'p', 'a', 0, 2, 1, 1, 1"),
    ("a name that is NULL", "NULL, 'h', 'p', 'a', 0, 2, 1, 1, 1"),
    ("an escape sequence", "'w', E'\\x1b[2J', 'p', 'a', 0, 2, 1, 1, 1"),
    ("a control character of ISO 6429", "'w', 'h', U&'\\009b2J', 'a', 0, 2, 1, 1, 1"),
    ("a delete character", "'w', 'h', 'p', E'\\x7f', 0, 2, 1, 1, 1"),
    ("a separator of lines", "U&'a\\2028b', 'h', 'p', 'a', 0, 2, 1, 1, 1"),
    ("a separator of paragraphs", "U&'a\\2029b', 'h', 'p', 'a', 0, 2, 1, 1, 1"),
    ("layers below zero", "'w', 'h', 'p', 'a', -1, 2, 1, 1, 1"),
    ("a tier that is none", "'w', 'h', 'p', 'a', 0, 4, 1, 1, 1"),
    ("no jobs", "'w', 'h', 'p', 'a', 0, 2, 0, 1, 1"),
    ("no cores", "'w', 'h', 'p', 'a', 0, 2, 1, 0, 1"),
    ("playouts past what JSON holds", "'w', 'h', 'p', 'a', 0, 2, 1, 1, 9007199254740993"),
]

# What else it may call, with any argument: refused by an error, or of no effect on others.
CALLS = [
    "SELECT * FROM worker_claim('{0}', -1, 30000000, '{{}}')",
    "SELECT count(*) FROM worker_claim('{0}', NULL, NULL, NULL)",
    "SELECT count(*) FROM worker_claim('{0}', 9223372036854775807, -9223372036854775807, '{{}}')",
    "SELECT count(*) FROM worker_renew('{0}', -9223372036854775807)",
    "SELECT count(*) FROM worker_renew('{0}', NULL)",
    "SELECT worker_return('{0}', 1, -1, 0)",
    "SELECT worker_return(NULL, NULL, NULL, NULL)",
    "SELECT count(*) FROM worker_package('{0}', repeat('a', 64), -1, -1)",
    "SELECT count(*) FROM worker_package('{0}', NULL, 9223372036854775807, 1)",
    "SELECT count(*) FROM worker_manifest('{0}', NULL)",
    "SELECT worker_game('{0}', 1, 0, 1, 9223372036854775807, 0, 0, 0, 0, 0, '', 0, '', '', '', '')",
    "SELECT worker_game('{0}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
    "NOTIFY pavilion_results, 'not a number'",
    "NOTIFY pavilion_work, 'x'",
]


def read_everything():
    """Each command reads the league, and says at most which replays it leaves out."""
    site, copied = room + "/site", room + "/export"
    for command in (["store", "check"], ["games", "cup"], ["games", "cup", "--json"], ["ladder", "cup"],
                    ["ladder", "cup", "--json"], ["ladder", "cup", "--final"], ["season", "show", "cup"], ["workers"],
                    ["workers", "--json"], ["bots"], ["publish", site], ["export", "cup", copied]):
        result = arena(*command)
        said = result.stderr.decode(errors="replace")
        leaves_out = command[0] in ("publish", "export") and result.returncode == 1 and "table" not in said
        if "Sanitizer" in said or not (result.returncode == 0 or leaves_out):
            faults.append(f"arena {' '.join(command)}: status {result.returncode}: {said[:600]}")
        if any(byte < 0x20 and byte != 10 for byte in result.stdout if not command[-1] == "--json"):
            faults.append(f"arena {' '.join(command)}: prints control characters")
    for folder in (site, copied):
        shutil.rmtree(folder, ignore_errors=True)


def claim():
    lease = json.loads(value(WORKER_URL, f"SELECT * FROM worker_claim('{IDENTITY}', 1, 30000000, '{{}}')"))
    return lease


def give_back():
    value(WORKER_URL, f"SELECT worker_return('{IDENTITY}', NULL, NULL, NULL)")


def prepare():
    for bot in ("greedy", "random"):
        assert arena("submit", os.path.join(BUILD, "bots", bot)).returncode == 0
    assert arena("season", "new", "cup", "--budget", "40").returncode == 0
    role = arena("store", "role", "liar").stdout.decode()
    value(OWNER_URL, role)
    value(OWNER_URL, "INSERT INTO entry SELECT 1, number, number + 1, 0 FROM generate_series(0, 1) AS number;"
                     "INSERT INTO batch VALUES (1, 0, 0, 0, 0);"
                     "INSERT INTO game_group (season, number, batch, opening, board, players, base0, base1)"
                     " SELECT 1, number, 0, 0, 0, 2, 0, 1 FROM generate_series(0, 19) AS number;"
                     "UPDATE season SET dealt = true")
    value(WORKER_URL, f"SELECT worker_register('{IDENTITY}', 'w', 'h', 'p', 'x86_64', 0, 2, 1, 1, 1)")
    global TERMS
    TERMS = [int(number) for number in value(
        OWNER_URL, 'SELECT memory_bytes, tier, "freeze"::integer, pin::integer FROM season').split("|")]


def main():
    prepare()
    lease = claim()
    for rule, game, change, words in REFUSED:
        game = copy.deepcopy(game)
        seal(game, lease)
        if change:
            change(game)
        told = send(game, lease)
        if not told.startswith("unsound: ") or words not in told or len(told) > 200 or "\n" in told:
            faults.append(f"{rule}: {told[:300]}")
        if told == "kept":
            read_everything()
            value(OWNER_URL, "DELETE FROM replay; DELETE FROM seat; DELETE FROM game; UPDATE game_group SET done = 0,"
                             " lease_worker = NULL, lease_until = NULL")
            lease = claim()
    assert value(OWNER_URL, "SELECT count(*) FROM game") == "0"
    for rule, game in KEPT:
        lease = claim()
        game = copy.deepcopy(game)
        seal(game, lease)
        told = send(game, lease)
        if told != "kept":
            faults.append(f"{rule}: {told[:300]}")
        again = send(game, lease)
        if again != "kept":
            faults.append(f"{rule}, once more: {again[:300]}")
    give_back()
    for rule, row in WORKERS:
        result = psql(WORKER_URL, f"SELECT worker_register('\\x{'09' * 16}', {row})")
        if "a worker out of range" not in result.stderr:
            faults.append(f"{rule}: {result.stdout}{result.stderr}")
            read_everything()
            value(OWNER_URL, "DELETE FROM worker WHERE id > 1")
    results = "SELECT md5(string_agg(game::text, '' ORDER BY game_group)) FROM game"
    before = value(OWNER_URL, results)
    for call in CALLS:
        psql(WORKER_URL, call.format(IDENTITY))
    if value(OWNER_URL, results) != before:
        faults.append("a call changed results")
    give_back()
    read_everything()
    if faults:
        print("\n".join(faults))
        sys.exit(1)
    print(f"{len(REFUSED)} games and {len(WORKERS)} workers were refused; {len(KEPT)} games and {len(CALLS)} calls did no harm")


try:
    main()
finally:
    shutil.rmtree(room, ignore_errors=True)
