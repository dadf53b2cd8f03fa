"""What the workers' role may not do: a table of statements, each refused, and what it may.

usage: role.py BUILD        (with_server sets POSTGRES_TEST_*)"""

import os
import re
import subprocess
import sys
import tempfile

BUILD = sys.argv[1]
ARENA = os.path.join(BUILD, "bin/arena")
SUPERUSER_URL = os.environ["POSTGRES_TEST_URL"]
URL = SUPERUSER_URL.replace("postgres@", "league@").replace("/postgres", "/league")
WORKER_URL = URL.replace("league@", "arena_worker@")
PSQL = os.environ["POSTGRES_TEST_BIN"] + "/psql"
MINE, OTHER, THIRD = ("'\\x" + digits * 16 + "'" for digits in ("01", "02", "05"))

# The rule, and the statement that breaks it.
REFUSED = [
    ("read a season's secret", "SELECT seed FROM opening"),
    ("read it through the padded keys", "SELECT inner_key, outer_key FROM opening"),
    ("compute seeds of games to come", "SELECT game_seed('a', 'b', 1, 1)"),
    ("read the seasons", "SELECT * FROM season"),
    ("end a season", "UPDATE season SET closed_us = 1"),
    ("raise a budget", "UPDATE season SET budget_games = 1000000"),
    ("accept other processors", "UPDATE season SET processor = NULL"),
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
    ("read results", "SELECT * FROM seat"),
    ("change a result", "UPDATE seat SET rank = 1"),
    ("remove a game", "DELETE FROM game"),
    ("add a game beside its function", "INSERT INTO game (season, game_group, rotation) VALUES (1, 0, 0)"),
    ("change a replay", "UPDATE replay SET bytes = ''"),
    ("choose a batch", "INSERT INTO game_group (season, number) VALUES (1, 99)"),
    ("take a group", "UPDATE game_group SET lease_worker = 1"),
    ("take a season's groups", "SELECT season_fence(1)"),
    ("read other workers' identities", "SELECT identity FROM worker"),
    ("tell a wrong machine", "UPDATE worker SET processor = 'x'"),
    ("change events", "INSERT INTO event (id, what, about) VALUES (1, 'close', '')"),
    ("take a season's claim", "UPDATE claim SET owner = 'me'"),
    ("change the schema's version", "UPDATE pavilion SET version = 1"),
    ("call what its functions are made of", "SELECT worker_plays(NULL, NULL)"),
    ("make tables", "CREATE TABLE mine (x integer)"),
    ("make temporary tables", "CREATE TEMPORARY TABLE mine (x integer)"),
    ("make functions", "CREATE FUNCTION worker_now_us(integer) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'"),
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


def arena(*arguments):
    result = subprocess.run([ARENA, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=dict(os.environ, ARENA_STORE=URL, ARENA_HOME=tempfile.gettempdir()))
    assert result.returncode == 0, (arguments, result.stderr)
    return result.stdout


def feed(url, statements):
    subprocess.run([PSQL, url, "-qX", "-v", "ON_ERROR_STOP=1"], input=statements, text=True, check=True,
                   stdout=subprocess.DEVNULL)


def prepare():
    with open("docs/operations.md") as file: # what the page says, to the letter
        feed(SUPERUSER_URL, re.search("```sql\n(CREATE ROLE league.*?)```", file.read(), re.S)[1])
    for bot in ("greedy", "random"):
        arena("submit", os.path.join(BUILD, "bots", bot))
    arena("season", "new", "cup", "--budget", "8")
    role = arena("store", "role", "arena_worker")
    feed(SUPERUSER_URL.removesuffix("postgres") + "league", role)
    feed(URL, role) # once more, as after an upgrade
    value(URL, "INSERT INTO entry SELECT 1, number, number + 1, 0 FROM generate_series(0, 1) AS number;"
               "INSERT INTO batch VALUES (1, 0, 0, 0, 0);"
               "INSERT INTO game_group (season, number, batch, opening, board, players, base0, base1)"
               " SELECT 1, number, 0, 0, 0, 2, 0, 1 FROM generate_series(0, 3) AS number;"
               "UPDATE season SET dealt = true")


def claim(identity, count):
    return value(WORKER_URL, f"SELECT * FROM worker_claim({identity}, {count}, 30000000, '{{}}')")


def main():
    prepare()
    faults = []
    for rule, statement in REFUSED:
        result = psql(WORKER_URL, statement)
        if result.returncode == 0 or not any(words in result.stderr for words in WORDS):
            faults.append(f"may {rule}: {statement}: {result.stderr.strip() or result.stdout.strip()}")
        assert psql(URL, "SELECT count(*) FROM game_group").stdout.strip() == "4"
    for identity in (MINE, OTHER):
        value(WORKER_URL, f"SELECT * FROM worker_register({identity}, 'w', 'h', 'p', 'x86_64', 0, 2, 1, 1, 1)")
    lease = claim(MINE, 1)
    assert lease.count("seed") == 1 and '"group" : 0' in lease, lease
    hidden = value(URL, "SELECT encode(game_seed(inner_key, outer_key, 1, 0), 'hex') FROM opening")
    assert hidden not in lease, "a seed of a game that it does not hold"
    secret = value(URL, "SELECT encode(seed, 'hex') FROM opening")
    assert secret not in lease, "the season's secret"
    # A result of another's group, of a guessed token, and under an identity that nobody has.
    game = "0, 0, 1, 1, 1, 1, NULL, 0, '\\x00', '\\x00', '[]', ''"
    for identity, token, expected in ((OTHER, 1, "stale"), (MINE, 2, "stale"), ("'\\x99'", 1, "unknown")):
        told = value(WORKER_URL, f"SELECT worker_game({identity}, 1, 0, {token}, {game})")
        if told != expected:
            faults.append(f"a result of {identity}, token {token}, is {told}")
    # A lease that lapsed: what comes of it is refused once another has claimed the group, or the same worker anew.
    lapse = "UPDATE game_group SET lease_until = clock_timestamp() - interval '1 s' WHERE lease_worker IS NOT NULL"
    for identity, token in ((OTHER, 2), (MINE, 3)):
        value(URL, lapse)
        assert claim(identity, 1).count('"token" : ' + str(token)) == 1
        told = value(WORKER_URL, f"SELECT worker_game({MINE}, 1, 0, {2 if token == 2 else 1}, {game})")
        if told != "stale":
            faults.append(f"a result of a lease that lapsed is {told}, after {identity} claimed the group as {token}")
    # Nor does one call hold groups for years.
    value(WORKER_URL, f"SELECT count(*) FROM worker_renew({MINE}, 1000000000000000)")
    if value(URL, "SELECT max(lease_until) < clock_timestamp() + interval '2 hours' FROM game_group") != "t":
        faults.append("a lease is held for longer than an hour")
    # Once the season is not theirs any more, a claim that slipped through is none.
    value(URL, "UPDATE season SET dealt = false")
    told = value(WORKER_URL, f"SELECT worker_game({MINE}, 1, 0, 3, {game})")
    if told != "stale":
        faults.append(f"a result of a season that is not dealt is {told}")
    value(URL, "UPDATE season SET dealt = true")
    # Another's group is not given back, and its bots are not told.
    value(WORKER_URL, f"SELECT worker_return({OTHER}, 1, 0, 3)")
    assert value(URL, "SELECT lease_token FROM game_group WHERE lease_worker IS NOT NULL") == "3"
    hash_of = value(URL, "SELECT built_sha256 FROM bot WHERE id = 1")
    assert value(WORKER_URL, f"SELECT count(*) FROM worker_package({MINE}, '{hash_of}', 0, 1000)") == "1"
    for identity in (OTHER, "'\\x99'"):
        assert value(WORKER_URL, f"SELECT count(*) FROM worker_package({identity}, '{hash_of}', 0, 1000)") == "0"
        assert value(WORKER_URL, f"SELECT count(*) FROM worker_manifest({identity}, 1)") == "0"
    # A season that one model of processor plays is the first one's to claim.
    value(URL, "UPDATE game_group SET lease_worker = NULL, lease_until = NULL; UPDATE season SET processor = ''")
    value(WORKER_URL, f"SELECT * FROM worker_register({THIRD}, 'w', 'h', 'another', 'x86_64', 0, 2, 1, 1, 1)")
    for identity, count in ((MINE, 1), (THIRD, 0), (OTHER, 1)):
        told = claim(identity, 1).count('"group"')
        if told != count:
            faults.append(f"of a season of one processor, {identity} claims {told} groups, not {count}")
    if value(URL, "SELECT processor FROM season") != "p":
        faults.append("a season did not take the processor of the first to play")
    value(URL, "UPDATE game_group SET lease_worker = NULL, lease_until = NULL; UPDATE season SET processor = NULL")
    # Nor is a game told of a bot that does not run there, or that is banned with its games.
    for what, refused, statement in (("a refused bot", "{1}", "SELECT 1"), ("a bot banned with its games", "{}",
                                     "INSERT INTO ban (id, name, void, banned_us) VALUES (1, 'greedy', true, 1)")):
        value(URL, statement)
        told = value(WORKER_URL, f"SELECT * FROM worker_claim({MINE}, 4, 30000000, '{refused}')")
        if told:
            faults.append(f"a group with {what} is told: {told}")
    value(URL, "DELETE FROM ban")
    # Tables of its own session, where it may make any, do not stand before the store's.
    value(URL, "GRANT TEMPORARY ON DATABASE league TO arena_worker")
    told = value(WORKER_URL, "CREATE TEMP TABLE worker AS SELECT 1::bigint AS id, 'x'::text AS identity;"
                 f"SELECT * FROM worker_claim({MINE}, 1, 30000000, '{{}}')")
    if '"group"' not in told:
        faults.append(f"a temporary table stands in for the store's: {told}")
    # Commands that are not for it say whose they are.
    result = subprocess.run([ARENA, "ladder", "cup", "--store", WORKER_URL], text=True, stderr=subprocess.PIPE)
    if result.returncode != 1 or "use the role that owns the league" not in result.stderr:
        faults.append(f"`arena ladder` by its role: {result.returncode}: {result.stderr}")
    if faults:
        print("\n".join(faults))
        sys.exit(1)
    print(f"{len(REFUSED)} statements were refused to the workers' role")


main()
