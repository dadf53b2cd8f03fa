# SPDX-License-Identifier: MIT
"""A store of each version that the schema has had, kept as SQL in tests/store/kept, is upgraded by today's
arena: it has the tables of a new store, every row is sound, and ladders and games are as they were. Also on
PostgreSQL, where POSTGRES_TEST_URL names a server (tests/postgres/with_server). Without an upgrade, the
newest one kept has the tables of a new store: whoever changes the schema finds here what to do.

usage: upgrades.py BUILD           tests
       upgrades.py BUILD --write   keeps a store of today's version; wants both servers
"""
import getpass
import glob
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/..")
from home import Home, make_bot

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = HERE + "/kept"
SERVER, BIN = os.environ.get("POSTGRES_TEST_URL"), os.environ.get("POSTGRES_TEST_BIN")
VERSION = int(re.search(r"STORE_SCHEMA_VERSION = (\d+)", open(HERE + "/../../arena/store/store.h", encoding="utf-8").read())[1])
CHANGED = ("the schema differs from that of version {0}, which tests/store/kept has: raise STORE_SCHEMA_VERSION, write the upgrade "
           "(arena/store/upgrades.c says how), then `sh tests/postgres/with_server python3 tests/store/upgrades.py BUILD --write`")
ASKED = [("bots",), ("season", "list"), ("season", "show", "spring"), ("season", "events", "spring"), ("ladder", "spring"), ("games", "spring"),
         ("submissions",), ("author", "list"), ("league", "list"), ("challenge",), ("season", "show", "cup-1-a")]
room = tempfile.mkdtemp(prefix="upgrades-")


class Sqlite:
    name = "sqlite"

    def __init__(self, folder):
        self.folder = f"{room}/{folder}"
        os.makedirs(self.folder, 0o700)
        self.url = "sqlite:" + self.folder

    def load(self, path):
        with open(path, encoding="utf-8") as file:
            self.rows = sqlite3.connect(self.folder + "/arena.db", isolation_level=None)
            self.rows.executescript(file.read())
        self.rows.execute("PRAGMA journal_mode = WAL")
        self.rows.close()
        os.chmod(self.folder + "/arena.db", 0o600)

    def save(self, path):
        rows = sqlite3.connect(self.folder + "/arena.db")
        with open(path, "w", encoding="utf-8") as file:
            file.write("-- SPDX-License-Identifier: MIT\nPRAGMA application_id = 1346459209;\n" + "\n".join(rows.iterdump()) + "\n")

    def schema(self):
        """Defaults aside: an upgrade needs them where it adds a column, and no statement uses them."""
        rows = sqlite3.connect(self.folder + "/arena.db")
        said = {}
        for table, text in rows.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall():
            others = [row[2:] for row in rows.execute(f"PRAGMA foreign_key_list({table})")]
            others += [word for word in ("STRICT", "WITHOUT ROWID", "CHECK") if word in text]
            for _, index, is_unique, origin, is_partial in rows.execute(f"PRAGMA index_list({table})").fetchall():
                columns = [row[2] for row in rows.execute(f"PRAGMA index_info({index})")]
                where = rows.execute("SELECT sql FROM sqlite_master WHERE name = ?", (index,)).fetchone()[0] if is_partial else ""
                others.append((columns, is_unique, origin, where))
            columns = [(name, kind.lower(), not_null, key) for _, name, kind, not_null, _, key in rows.execute(f"PRAGMA table_info({table})")]
            said[table] = columns + sorted(map(str, others))
        return said


class Postgres:
    name = "postgres"

    def __init__(self, folder):
        self.database = folder.replace("-", "_")
        self.psql("-c", f"CREATE DATABASE {self.database}", where=SERVER)
        self.url = re.sub(r"/postgres(?=\?|$)", "/" + self.database, SERVER)

    @staticmethod
    def psql(*arguments, where):
        return subprocess.run([BIN + "/psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", where, *arguments], check=True, text=True, capture_output=True).stdout

    def load(self, path):
        self.psql("-f", path, where=self.url)

    def save(self, path):
        subprocess.run([BIN + "/pg_dump", "-O", "-x", "-d", self.url, "-f", path], check=True)
        with open(path, encoding="utf-8") as file: # words that other releases of pg_dump and psql do not know
            text = re.sub(r"^(\\(un)?restrict .*|-- Dumped .*|SET transaction_timeout .*)\n", "", file.read(), flags=re.M)
        with open(path, "w", encoding="utf-8") as file:
            file.write("-- SPDX-License-Identifier: MIT\n" + text)

    def schema(self):
        return {what: self.psql("-c", query, where=self.url).splitlines() for what, query in {
            "columns": "SELECT table_name, column_name, data_type, collation_name, is_nullable FROM information_schema.columns"
                       " WHERE table_schema = 'public' ORDER BY table_name, ordinal_position",
            "constraints": "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2",
            "indexes": "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
            "functions": "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY proname",
            "views": "SELECT viewname, definition FROM pg_views WHERE schemaname = 'public' ORDER BY 1"}.items()}


def ask(home, store):
    """What commands tell of the store: whatever a later arena tells besides, these values stay."""
    return {" ".join(words): home.lines(*words, "--store", store.url) for words in ASKED}


def keeps(old, new, where):
    """True if everything in `old` is in `new`, which may have more keys."""
    if isinstance(old, dict):
        for key, value in old.items():
            if key not in ("schema", "idle_s"):
                assert key in new, f"{where}: {key} is gone"
                if key != "reason" or not isinstance(value, str):  # a season's is a sentence, which may be told better
                    keeps(value, new[key], f"{where}: {key}")
    elif isinstance(old, list):
        assert len(old) == len(new), f"{where}: {len(old)} became {len(new)}"
        for number, (one, other) in enumerate(zip(old, new)):
            keeps(one, other, f"{where}: {number}")
    else:
        assert old == new, f"{where}: {old!r} became {new!r}"


def fill(home):
    """A league with a row in every table that SQLite has, but for workers."""
    bots = [make_bot(f"{room}/{name}", base, name=name, author=author)
            for name, base, author in (("perl", "greedy-perl", "ada"), ("lua", "random-lua", "bob"), ("third", "random-lua", "eve"),
                                       ("fourth", "random-lua", "fay"), ("fifth", "random-lua", "guy"))]
    home.arena("author", "new", "ada", "--student", "s-1")
    home.arena("author", "token", "ada")
    for bot in bots:
        home.arena("submit", bot, "--check-games", "1", *(["--reference"] if bot.endswith("lua") else []))
    make_bot(f"{room}/third", "random-lua", name="third", author="eve", version="next")
    home.arena("submit", f"{room}/third", "--queue")
    home.arena("season", "new", "spring", "--players", "2,3", "--budget", "12", "--clock", "turn=4000,bank=20000")
    home.arena("season", "run", "spring", "--games", "5")
    home.arena("season", "close", "spring")
    home.arena("season", "reopen", "spring", "--budget", "6")
    home.arena("season", "roster", "spring", "--only", "perl,lua")
    home.arena("season", "run", "spring", "--games", "2")
    home.arena("league", "new", "cup", "--divisions", "a,b", "--places", "2", "--budget", "4")
    home.arena("ban", "third")
    home.arena("challenge", "perl", "lua", "--games", "1")
    home.arena("season", "close", "spring")


def write(home):
    fill(home)
    store = Sqlite("filled")
    home.arena("store", "backup", store.folder + "/arena.db")
    server = Postgres("filled")
    home.arena("store", "copy", store.url, server.url)
    for one in (store, server):
        one.save(f"{KEPT}/{VERSION}.{one.name}.sql")
    with open(f"{KEPT}/{VERSION}.json", "w", encoding="utf-8") as file:
        json.dump(ask(home, store), file, indent=0, sort_keys=True)
        file.write("\n")
    for path in glob.glob(f"{KEPT}/{VERSION}.*"):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(f"{getpass.getuser()}@{socket.gethostname()}", "someone@somewhere"))


def test(home, kind, version):
    store, new = kind(f"kept-{version}"), kind(f"new-{version}")
    store.load(f"{KEPT}/{version}.{kind.name}.sql")
    home.arena("season", "new", "any", "--store", new.url)
    if version < VERSION:
        said = home.arena("ladder", "spring", "--store", store.url, statuses=(1,))
        assert f"version {version} of the schema" in said and said.count("\n") == 1, said
    said = home.arena("store", "upgrade", "--store", store.url)
    assert said.endswith(f": version {VERSION} of the schema\n"), said
    there, wanted = store.schema(), new.schema()
    assert there.keys() == wanted.keys(), CHANGED.format(version)
    for part, words in wanted.items():
        assert there[part] == words, (CHANGED.format(version), [word for word in words if word not in there[part]], [word for word in there[part] if word not in words])
    checked = json.loads(home.arena("store", "check", "--replays", "--json", "--store", store.url))
    assert checked["sound"] and checked["games"] == checked["replays"] >= 5, checked
    with open(f"{KEPT}/{version}.json", encoding="utf-8") as file:
        keeps(json.load(file), ask(home, store), f"version {version} in {kind.name}")
    home.arena("season", "reopen", "spring", "--budget", "2", "--store", store.url)
    home.arena("season", "close", "spring", "--store", store.url)
    print(f"version {version} in {kind.name}: {checked['games']} games, as they were")


try:
    if sys.argv[2:] == ["--write"]:
        write(Home(room + "/home"))
    else:
        versions = sorted(int(os.path.basename(path).split(".")[0]) for path in glob.glob(KEPT + "/*.json"))
        assert versions == list(range(1, VERSION + 1)), f"tests/store/kept has versions {versions}, not 1 to {VERSION}: " + CHANGED.format(max(versions, default=0))
        for version in versions:
            for kind in (Sqlite, Postgres) if SERVER else (Sqlite,):
                test(Home(room + "/home"), kind, version)
finally:
    shutil.rmtree(room)
