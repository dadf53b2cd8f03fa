# SPDX-License-Identifier: MIT
"""Edits every column of a small store that real bots filled, with values that no arena writes,
and runs a command that reads it: the next value, the next command. Whatever the value: exit status 0 or 2, one line on
standard error at most, no finding of a sanitizer; a value that cannot be right is named with
its table, row and column.

usage: edited.py BUILD
"""
import concurrent.futures
import itertools
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.abspath(__file__)) + "/..")
from home import ARENA, BUILD

room = tempfile.mkdtemp(prefix="edited-")
faults = []
VALUES = [-1, "x", b"\xff" * 16, 2**63 - 1, "a\0b", None, "9" * 5000]
VALUES_A_COLUMN = 3 # the next column has the next ones
COMMANDS = {
    "bots": ["bots"],
    "ladder": ["ladder", "cup", "--json"],
    "cross": ["ladder", "cup", "--cross"],
    "games": ["games", "cup", "--json"],
    "text": ["games", "cup"],
    "season": ["season", "show", "cup"],
    "seasons": ["season", "list"],
    "leagues": ["league", "list"],
    "replay": ["replay", "cup-000000-0"],
    "export": ["export", "cup", "OUT"],
    "submissions": ["submissions"],
    "authors": ["author", "list"],
    "tokens": ["author", "list", "ada"],
    "challenges": ["challenge"],
    "challenge": ["challenge", "1"],
}
# Which commands read the rows of a table.
READERS = {
    "bot": ["bots", "cross", "text"],
    "challenge": ["challenges", "challenge"],
    "bout": ["challenge"],
    "season": ["season", "seasons", "replay"],
    "league": ["leagues"],
    "opening": ["season"],
    "entry": ["ladder", "text"],
    "game_group": ["games", "season"],
    "game": ["games", "season", "text", "ladder", "export"],
    "replay": ["replay", "export"],
    "package": [],
    "worker": [],
    "submission": ["submissions"],
    "event": ["season"],
    "batch": ["season"],
    "roster": ["season", "ladder"],
    "author": ["authors", "tokens"],
    "token": ["tokens"],
    "ban": ["bots", "ladder"],
    "pavilion": ["season"], # but its version: another one is refused before anything is read
}


def arena(home, *arguments):
    environment = dict(os.environ, ARENA_HOME=home, TMPDIR=home)
    return subprocess.run([ARENA, *arguments], env=environment,
                          capture_output=True, stdin=subprocess.DEVNULL, timeout=120)


def make_store(home):
    for bot in ("random", "random-lua", "random-perl"):
        path = f"{BUILD}/bots/{bot}"
        if os.path.isdir(path):
            result = arena(home, "submit", path)
            assert result.returncode == 0, result
    result = arena(home, "submit", "--queue", f"{BUILD}/bots/greedy")
    assert result.returncode == 0, result
    for arguments in (["new", "ada"], ["token", "ada"]):
        result = arena(home, "author", *arguments)
        assert result.returncode == 0, result
    for arguments in (["new", "cup", "--budget", "4"], ["run", "cup"]):
        result = arena(home, "season", *arguments)
        assert result.returncode == 0, result
    result = arena(home, "league", "new", "term", "--divisions", "gold", "--places", "2",
                   "--budget", "4")
    assert result.returncode == 0, result
    for arguments in (["challenge", "random", "random-lua", "--games", "1"], ["contest", "1"]):
        result = arena(home, *arguments)
        assert result.returncode == 0, result
    with sqlite3.connect(home + "/arena.db") as store:
        store.execute("PRAGMA journal_mode = DELETE")
        # Rules of the tables would refuse most of the values: they are the first thing to go.
        store.execute("PRAGMA writable_schema = ON")
        store.execute("UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT, ', ''), 'STRICT', '') WHERE type = 'table'")
        store.execute("UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'")
        store.execute("UPDATE package SET bytes = x'00'") # big, and read by nobody here


def columns(home):
    with sqlite3.connect(home + "/arena.db") as store:
        tables = [name for name, in store.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"
                                                  " AND name NOT LIKE 'sqlite_%'")]
        return [(table, row[1]) for table in tables for row in store.execute(f"PRAGMA table_info({table})")]


def try_value(original, number, table, column, value):
    home = f"{room}/{number}"
    os.makedirs(home, 0o700)
    try:
        shutil.copy(original + "/arena.db", home)
        connection = sqlite3.connect(home + "/arena.db")
        try:
            where = {"game": "rotation = 0", "replay": "rotation = 0",
                     "bot": "name = 'random'", "game_group": "number = 0", "entry": "number = 0"}
            connection.execute(f"UPDATE {table} SET {column} = ?"
                               f" WHERE {where.get(table, '1')}", (value,))
            connection.commit()
        except sqlite3.Error:
            return False # two rows of one key: SQLite itself refuses
        finally:
            connection.close()
        if not READERS[table]:
            return False
        command = COMMANDS[READERS[table][number % len(READERS[table])]]
        result = arena(home, *(home + "/out" if word == "OUT" else word for word in command))
        said = result.stderr.decode(errors="replace")
        case = f"{table}.{column} = {str(value)[:20]!r}: arena {' '.join(command)}"
        if command[0] == "export" and result.returncode == 1 and "Sanitizer" not in said and all(
                "its replay is damaged" in line for line in said.splitlines()):
            return True
        if result.returncode not in (0, 2) or said.count("\n") > 1 or "Sanitizer" in said:
            faults.append(f"{case}: status {result.returncode}: {said[:1500]}")
        is_named = result.returncode == 2 and "is damaged" in said
        if is_named and not re.search(r"table \w+, row .*column \w+: ", said):
            faults.append(f"{case}: names no row: {said}")
        return is_named
    finally:
        shutil.rmtree(home, ignore_errors=True)


def main():
    original = room + "/original"
    os.makedirs(original, 0o700)
    make_store(original)
    edited = [(table, column) for table, column in columns(original) if table in READERS
              and (table, column) != ("pavilion", "version")]
    values = itertools.cycle(VALUES)
    cases = [(table, column, next(values)) for table, column in edited for _ in range(VALUES_A_COLUMN)]
    unknown = {table for table, _ in columns(original)} - set(READERS)
    assert not unknown, f"tables that this test does not know: {unknown}"
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        named = list(pool.map(lambda case: try_value(original, case[0], *case[1]), enumerate(cases)))
    told = sum(named)
    print(f"{len(cases)} edited stores, {told} of them refused by name")
    if told < len(cases) / 3:
        faults.append("too few were refused: the test tests nothing")


try:
    main()
finally:
    shutil.rmtree(room, ignore_errors=True)
print("\n".join(faults))
sys.exit(1 if faults else 0)
