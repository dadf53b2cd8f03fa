# SPDX-License-Identifier: MIT
"""What the workers' role may not do: a table of statements, each refused, and what it may.

usage: role.py BUILD        (with_server sets POSTGRES_TEST_*)"""

import os
import re
import subprocess
import sys
import time

from league import ARENA, BUILD, URL as SUPERUSER_URL, arena, run

URL = SUPERUSER_URL.replace("postgres@", "league@").replace("/postgres", "/league")
WORKER_URL = URL.replace("league@", "arena_worker@")
PSQL = os.environ["POSTGRES_TEST_BIN"] + "/psql"
MINE, OTHER = ("'\\x" + digits * 16 + "'" for digits in ("01", "02"))

# The rule, and the statement that breaks it.
REFUSED = [
    ("read a season's secret", "SELECT seed FROM opening"),
    ("read seeds of games to come", "SELECT seeds FROM dealt_group"),
    ("read what others delivered", "SELECT replay FROM inbox"),
    ("deliver beside its function", "INSERT INTO inbox (season) VALUES (1)"),
    ("forget its refusals", "DELETE FROM refusal"),
    ("blame another", "INSERT INTO refusal (worker) VALUES (1)"),
    ("read the seasons", "SELECT * FROM season"),
    ("end a season", "UPDATE season SET closed_us = 1"),
    ("raise a budget", "UPDATE season SET budget_games = 1000000"),
    ("begin a season", "INSERT INTO season (id, name) VALUES (9, 'mine')"),
    ("close an opening", "UPDATE opening SET closed_us = 1"),
    ("read bots", "SELECT * FROM bot"),
    ("change a bot", "UPDATE bot SET author = 'me'"),
    ("retire a bot", "UPDATE bot SET retired_us = 1"),
    ("ban an author", "INSERT INTO ban (id, author, void, banned_us) VALUES (1, 'x', true, 1)"),
    ("lift a ban", "DELETE FROM ban"),
    ("submit a bot", "INSERT INTO submission (name) VALUES ('mine')"),
    ("read packages", "SELECT bytes FROM package"),
    ("change a package", "UPDATE package SET bytes = ''"),
    ("read results", "SELECT seats FROM game"),
    ("change a result", "UPDATE game SET seats = ''"),
    ("remove a game", "DELETE FROM game"),
    ("add a game beside its function", "INSERT INTO game (season, game_group, rotation) VALUES (1, 0, 0)"),
    ("change a replay", "UPDATE replay SET bytes = ''"),
    ("choose a batch", "INSERT INTO game_group (season, number) VALUES (1, 99)"),
    ("take a group", "UPDATE dealt_group SET worker = 1"),
    ("lock a group that it does not hold", "SELECT FROM dealt_group FOR UPDATE"),
    ("deal a season", "INSERT INTO dealt_season VALUES (1, 'x86_64')"),
    ("use up the tokens", "SELECT nextval('lease_token')"),
    ("read other workers' identities", "SELECT identity FROM worker"),
    ("tell a wrong machine", "UPDATE worker SET processor = 'x'"),
    ("change events", "INSERT INTO event (id, what, about) VALUES (1, 'close', '')"),
    ("take a season's claim", "UPDATE claim SET owner = 'me'"),
    ("change the schema's version", "UPDATE pavilion SET version = 1"),
    ("call what its functions are made of", "SELECT void_bots()"),
    ("make tables", "CREATE TABLE mine (x integer)"),
    ("make temporary tables", "CREATE TEMPORARY TABLE mine (x integer)"),
    ("fill the disk with large objects", "SELECT lo_from_bytea(0, 'x')"),
    ("make an empty one", "SELECT lo_create(0)"),
    ("open one to write", "SELECT lo_open(1, 131072)"),
    ("write what it likes into the server's log of changes", "SELECT pg_logical_emit_message(false, 'x', 'x')"),
    ("lift its bound of temporary files", "SET temp_file_limit = -1"),
    ("lift it for its next sessions", "ALTER ROLE arena_worker SET temp_file_limit = -1"),
    ("lift its bound of connections", "ALTER ROLE arena_worker CONNECTION LIMIT -1"),
    ("make functions", "CREATE FUNCTION now_us(integer) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'"),
    ("drop a table", "DROP TABLE game"),
    ("truncate a table", "TRUNCATE replay"),
    ("become its maker", "SET ROLE league"),
    ("run a program of the server", "COPY (SELECT 1) TO PROGRAM 'true'"),
]


WORDS = ("permission denied", "must be owner", "must be superuser")


def psql(url, statement, separator="\n"):
    return subprocess.run([PSQL, url, "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", statement], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def value(url, statement):
    result = psql(url, statement)
    assert result.returncode == 0, (statement, result.stderr)
    return result.stdout.strip()


def feed(url, statements):
    subprocess.run([PSQL, url, "-qX", "-v", "ON_ERROR_STOP=1"], input=statements, text=True, check=True, timeout=60,
                   stdout=subprocess.DEVNULL)


def prepare():
    with open("docs/operations.md") as file: # what the page says, to the letter
        feed(SUPERUSER_URL, re.search("```sql\n(CREATE ROLE league.*?)```", file.read(), re.S)[1])
    for bot in ("greedy", "random"):
        arena(URL, "submit", os.path.join(BUILD, "bots", bot))
    arena(URL, "season", "new", "cup", "--budget", "8")
    role = arena(URL, "store", "role", "arena_worker")
    feed(SUPERUSER_URL.removesuffix("postgres") + "league", role)
    feed(URL, role) # once more, as after an upgrade
    value(URL, "INSERT INTO entry SELECT 1, number, number + 1, 0 FROM generate_series(0, 1) AS number;"
               "INSERT INTO batch VALUES (1, 0, 0, 0, 0);"
               "INSERT INTO game_group (season, number, batch, opening, board, players, base0, base1)"
               " SELECT 1, number, 0, 0, 0, 2, 0, 1 FROM generate_series(0, 3) AS number;"
               "INSERT INTO dealt_season VALUES (1, 'x86_64');"
               "INSERT INTO dealt_group (season, number, opening, due, seeds)"
               " SELECT 1, number, 0, 3, sha256(number::text::bytea) FROM generate_series(0, 3) AS number")


def command(*words):
    """What a command of the league's owner prints, or why it failed."""
    result = subprocess.run([ARENA, *words, "--store", URL], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return result.stdout.strip()


def claim(identity, count):
    return value(WORKER_URL, f"SELECT number, token, seeds FROM worker_claim({identity}, {count}, 30000000, '{{}}')")


def hold_locks():
    """A worker that leaves a transaction open, with all that it may lock."""
    process = subprocess.Popen([PSQL, WORKER_URL, "-qAtX"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdin.write(f"BEGIN; SELECT count(*) FROM worker_claim({OTHER}, 64, 30000000, '{{}}');"
                        f"SELECT count(*) FROM worker_renew({OTHER}, 30000000);\n")
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.readline()
    return process


def take_connections(faults):
    """However many sessions it opens, there is room for the league's owner."""
    held = []
    for _ in range(200): # the server takes 120
        process = subprocess.Popen([PSQL, WORKER_URL, "-qAtX"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        held.append(process)
        process.stdin.write("SELECT 1;\n")
        process.stdin.flush()
        if process.stdout.readline() != "1\n":
            break
    words = process.stderr.read()
    if "too many connections for role" not in words:
        faults.append(f"takes {len(held) - 1} connections: {words}")
    told = psql(URL, "SELECT 1")
    if told.returncode != 0:
        faults.append(f"keeps the league's owner out: {told.stderr}")
    for process in held:
        process.kill()
        process.communicate()


def main():
    prepare()
    faults = []
    for rule, statement in REFUSED:
        result = psql(WORKER_URL, statement)
        if result.returncode == 0 or not any(words in result.stderr for words in WORDS):
            faults.append(f"may {rule}: {statement}: {result.stderr.strip() or result.stdout.strip()}")
        assert psql(URL, "SELECT count(*) FROM game_group").stdout.strip() == "4"
    for identity in (MINE, OTHER):
        value(WORKER_URL, f"SELECT * FROM worker_hello({identity}, '1', 'w', 'h', 'p', 'x86_64', 2, 1, 1, 1)")
    # A claim tells the seeds of its own games, and nothing of the season's secret.
    lease = claim(MINE, 1)
    own, next_one, secret = (value(URL, f"SELECT encode({what}, 'hex') FROM {where}") for what, where in (
        ("seeds", "dealt_group WHERE number = 0"), ("seeds", "dealt_group WHERE number = 1"), ("seed", "opening")))
    if own not in lease or next_one in lease or secret in lease:
        faults.append(f"a claim tells {lease}")
    # No call holds a group for years.
    value(WORKER_URL, f"SELECT count(*) FROM worker_renew({MINE}, 1000000000000000)")
    if value(URL, "SELECT max(held_until) < clock_timestamp() + interval '2 hours' FROM dealt_group") != "t":
        faults.append("a lease is held for longer than an hour")
    # Tables of its own session, where it may make any, do not stand before the store's.
    value(URL, "GRANT TEMPORARY ON DATABASE league TO arena_worker")
    told = value(WORKER_URL, "CREATE TEMP TABLE worker AS SELECT 1::bigint AS id, 'x'::text AS identity;"
                 f"SELECT number FROM worker_claim({MINE}, 1, 30000000, '{{}}')")
    if told.split() != ["1", "1"]:
        faults.append(f"a temporary table stands in for the store's: {told}")
    # It writes no text that the arena would later take for damage.
    for code in (0x1, 0x1f, 0x7f, 0x9f, 0x61c, 0x200e, 0x200f, 0x2028, 0x202a, 0x202e, 0x2066, 0x2069):
        psql(WORKER_URL, f"SELECT * FROM worker_hello('\\x{code:032x}', '1', 'w{chr(code)}', 'h', 'p', 'x86_64', 2, 1, 1,"
                         " 1)")
    told = command("workers")
    if "is damaged" in told or len(told.splitlines()) != 3:
        faults.append(f"`arena workers` after its odd names: {told}")
    # What it locks in a transaction that it leaves open holds nobody up.
    value(WORKER_URL, f"SELECT count(*) FROM worker_claim({OTHER}, 1, 30000000, '{{}}')")
    process = hold_locks()
    begun = time.monotonic()
    value(URL, "INSERT INTO game SELECT 1, 2, 0, '', 1, false, sha256('1'), NULL, 0, sha256('1'), 1, 1, NULL, 1,"
               " sha256('1'), 1, 1, 1, false, false")
    value(URL, "DELETE FROM game")
    told = command("workers", "release", "w")
    if told != "w: 3 groups given back":
        faults.append(f"groups that a worker keeps locked are not given back: {told}")
    arena(URL, "season", "close", "cup", "--wait", "0")
    if time.monotonic() - begun > 20:
        faults.append(f"an open transaction of a worker held up a close for {time.monotonic() - begun:.0f} s")
    process.kill()
    process.wait()
    # Its notifications may fill the server's queue: then pg_notify fails. Nothing else does.
    value(SUPERUSER_URL.removesuffix("postgres") + "league", "REVOKE EXECUTE ON FUNCTION pg_notify FROM PUBLIC")
    for words in (["ban", "greedy"], ["ban", "--lift", "greedy"], ["season", "reopen", "cup", "--budget", "100"],
                  ["workers", "release", "w"], ["season", "close", "cup", "--wait", "0"]):
        told = command(*words)
        if "pg_notify" in told:
            faults.append(f"`arena {' '.join(words)}` without notifications: {told}")
    result = psql(URL, "INSERT INTO dealt_group (season, number, opening, due, seeds)"
                       " SELECT season, number, opening, due, seeds FROM dealt_group LIMIT 1 ON CONFLICT DO NOTHING")
    if result.returncode != 0:
        faults.append(f"a group is not dealt without notifications: {result.stderr}")
    result = psql(WORKER_URL, f"SELECT worker_give_back({OTHER}, NULL, NULL, NULL)")
    if result.returncode != 0:
        faults.append(f"no group is given back without notifications: {result.stderr}")
    # Commands that are not for it say whose they are.
    result = subprocess.run([ARENA, "ladder", "cup", "--store", WORKER_URL], text=True, stderr=subprocess.PIPE)
    if result.returncode != 1 or "use the role that owns the arena's tables" not in result.stderr:
        faults.append(f"`arena ladder` by its role: {result.returncode}: {result.stderr}")
    # It fills neither the server's connections nor its disk.
    take_connections(faults)
    result = psql(WORKER_URL, "SELECT count(*) FROM (SELECT n FROM generate_series(1, 20000000) AS n ORDER BY n DESC"
                              " OFFSET 1) AS rows")
    if "temporary file size exceeds temp_file_limit" not in result.stderr:
        faults.append(f"fills the server's disk by sorting: {result.stderr or result.stdout}")
    # What a superuser has to do: open and prepared transactions end, nothing is held, and nobody logs in.
    arena(URL, "season", "reopen", "cup", "--budget", "100")
    value(URL, "UPDATE dealt_group SET worker = NULL, opening = (SELECT max(number) FROM opening)")
    claimed = value(WORKER_URL, f"BEGIN; SELECT DISTINCT number FROM worker_claim({MINE}, 1, 30000000, '{{}}');"
                                " PREPARE TRANSACTION 'left'")
    process = hold_locks()
    if not claimed or psql(URL, "SELECT FROM dealt_group WHERE number = 2 FOR UPDATE NOWAIT").returncode == 0:
        faults.append("no transaction holds a group before `arena workers bar`")
    feed(SUPERUSER_URL.removesuffix("postgres") + "league", command("workers", "bar", "arena_worker"))
    process.kill()
    process.wait()
    held = value(URL, "SELECT (SELECT count(*) FROM dealt_group WHERE worker IS NOT NULL)"
                      " + (SELECT count(*) FROM pg_prepared_xacts)")
    told = psql(WORKER_URL, "SELECT 1").stderr
    if held != "0" or "not permitted to log in" not in told:
        faults.append(f"`arena workers bar`: {held} groups are held; a login: {told}")
    if faults:
        print("\n".join(faults))
        sys.exit(1)
    print(f"{len(REFUSED)} statements were refused to the workers' role")


run(main)
