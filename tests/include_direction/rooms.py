#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the folders and the rooms of arena/ to what docs/architecture.md says of each: what their
files include, what they refuse to call, that no cycle joins rooms, or files of one room; and that a
function fits a screen.

usage: rooms.py BUILD-FOLDER     from the project's root; what is called is read from the objects there
"""
import graphlib
import os
import re
import subprocess
import sys
import tempfile

# Files of one thing in two or more: a private header, which includes the public one.
ONE_THING = [
    {"arena/store/sql", "arena/store/store"},  # an open store, over its driver
    {"sdk/wire", "sdk/wire_read"},  # single values
]

PRINTS = r"printf|vprintf|puts|putchar|stdout|stderr|__printf_chk|__vprintf_chk"
FILES = (r"f?open(at|dir)?(64)?|openat2|creat|fopen|unlink(at)?|rename(at2?)?|mkdir(at)?|rmdir|read|write|pread"
         r"|pwrite|fsync|fdatasync|truncate|stat|lstat|fstat(at)?|file_(read|read_open|write_all)")
CLOCKS = r"clock_gettime|time|gettimeofday|clock_now_us|clock_time_us|ev_now|ev_time"
PROCESSES = r"fork|vfork|clone|execve?|posix_spawnp?|system|popen|sandbox_spawn"
LOOP = r"ev_(run|break|default_loop|loop_new)"
TERMINAL = r"isatty|tc[gs]etattr|ioctl"

# What a room refuses to call, and which of its files may: the sentences are in docs/architecture.md.
REFUSED = {
    "rating": [(f"{PRINTS}|{FILES}|{CLOCKS}|getenv", ())],
    "base": [(f"{PRINTS}|{PROCESSES}|{LOOP}", ())],
    "replay": [(f"{PRINTS}|{FILES}|{CLOCKS}|getenv", ())],
    "site": [(f"{PRINTS}|{PROCESSES}|game_apply|game_play|{LOOP}", ())],
    "person": [(f"{PRINTS}|{TERMINAL}", ())],
    "trial": [(f"{PRINTS}|{FILES}", ())],
    "intake": [(PRINTS, ())],
    "season": [(f"{PROCESSES}|{LOOP}|{TERMINAL}", ()), (PRINTS, ("staging",))],
    "serve": [(FILES, ("scout", "live")), (r"store_open|store_close|store_season_claim", ("scout",))],
    "web": [(f"{PRINTS}|{LOOP}", ()), (f"{PROCESSES}|subprocess_spawn", ("order",)), (r"store_open", ("desk",))],
    "store": [(f"{PRINTS}|{PROCESSES}|{LOOP}", ())],
    "report": [(f"{PRINTS}|{FILES}|{CLOCKS}|{PROCESSES}|getopt_long|getenv", ())],
}
# Calls that only these files of arena/ make, in whatever room.
ALONE = [(r"ev_(io|signal|async|child|stat|embed)_start", ("play/watch",)),
         (r"realloc(array)?", ("base/array", "base/memory", "replay/replay")),  # msgpack's buffer is inlined there
         (r"clock_gettime|gettimeofday|time", ("base/clock",))]
# No floating point at all, or only in these files.
WITHOUT_FLOATS = {"engine": (), "sandbox": (), "sdk": ("choose", "tree"), "arena/store": (), "arena/intake": (),
                  "arena/trial": (), "arena/person": (), "arena/kits": (),
                  "arena/play": ("subprocess",), "arena/replay": ("forfeit_text",),
                  "arena/base": ("plain_text",)}
WITHOUT_GLOBALS = ("engine", "arena/rating")
FUNCTION_LINES_MAX = 80

# What a folder includes of the project; and of the system: this alone, or anything but this.
OWN = {
    "engine": r"engine/",
    "sandbox": r"sandbox/",
    "sdk": r"(sdk|engine)/",
    "sdk/python": r"(sdk/python|bots|engine)/|sdk/(policy\.h$|steady/)",  # bots as policies beside the engine
    "bots": r"(bots|sdk|engine)/",
    "arena": r"(arena|engine|sandbox)/|sdk/wire\.h$",
}
SYSTEM_ALONE = {"engine": r"(assert|limits|stdbool|stddef|stdint|string|immintrin)\.h$"}
SYSTEM_NEVER = {"sdk": r"ev|sqlite3|libpq|jansson|archive|seccomp",
                "sandbox": r"ev|msgpack|sqlite3|libpq|jansson|archive"}
# What only some files may include: pages are for commands, for whoever publishes, and for who answers
# with the page of one match or compresses it; statements and tables are the store's alone, and a database's library its
# driver's.
FOR_SOME = [
    (r'"arena/site/', r"arena/(site|commands|serve)/|arena/web/(api|clerks|desk)\.c$"),
    (r'"arena/store/(sql|schema)\.h"', r"arena/store/"),
    (r"<(sqlite3|libpq-fe)\.h>", r"arena/store/(sqlite|postgres)\.c"),
]


def sources(root, *folders):
    for folder in folders:
        for at, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(at, name), root)


def includes(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return re.findall(r'^\s*#\s*include\s*"([^"]+)"', file.read(), re.M)


def wrong_arrow(path, name):
    """What is wrong with a file's including name, which has its quotes or brackets; or None."""
    folder, bare = "sdk/python" if path.startswith("sdk/python/") else path.split("/")[0], name[1:-1]
    for included, files in FOR_SOME:
        if re.match(included, name):
            return None if re.match(files, path) else f"{path}: includes {name}"
    if name[0] == '"':
        right = re.match(OWN[folder], bare)
    else:
        right = ((folder not in SYSTEM_ALONE or re.match(SYSTEM_ALONE[folder], bare)
                  or re.search(r"/make_[a-z_]*\.c$", path))  # writes tables when the project is built
                 and not (folder in SYSTEM_NEVER and re.match(SYSTEM_NEVER[folder], bare)))
    return None if right else f"{path}: includes {name}"


def wrong_arrows(root):
    for path in sources(root, *{folder.split("/")[0]: None for folder in OWN}):
        if not path.startswith("sdk/kits/"):
            with open(os.path.join(root, path), encoding="utf-8") as file:
                for name in re.findall(r'^\s*#\s*include\s*(["<][^">]+[">])', file.read(), re.M):
                    wrong = wrong_arrow(path, name)
                    if wrong:
                        yield wrong


def long_functions(path, text):
    """A function has a '{' and a '}' of its own in the first column."""
    lines, start = text.splitlines(), None
    for number, line in enumerate(lines):
        if line == "{":
            start = number
        elif line == "}" and start is not None:
            head = start
            while head > 0 and (not lines[head - 1] or lines[head - 1][0] in " \t"):
                head -= 1
            if number - start + 1 > FUNCTION_LINES_MAX:
                name = lines[head - 1].split("(")[0].split()[-1].lstrip("*")
                yield f"{path}: {name} has {number - start + 1} lines, {FUNCTION_LINES_MAX} at most: split it"
            start = None


def wrong_sizes(root):
    for path in sources(root, *OWN, "tests"):
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            yield from long_functions(path, file.read())


def room_of(path):
    parts = path.split("/")
    return parts[1] if parts[0] == "arena" and len(parts) > 2 else None


def read_table(text):
    """Which rooms each room includes, from the table of rooms; a name twice is an error."""
    rooms = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        name = re.fullmatch(r"`([a-z]+)/`", cells[0])
        if name and len(cells) == 4:
            if name[1] in rooms:
                raise SystemExit(f"docs/architecture.md: {name[1]}/ has two rows")
            rooms[name[1]] = set(re.findall(r"[a-z]+", cells[1].replace("none", "")))
    return rooms


def wrong_edges(root, rooms):
    for path in sources(root, "arena"):
        room = room_of(path)
        if room is None:
            continue
        if room not in rooms:
            yield f"{path}: docs/architecture.md has no row for arena/{room}/: say what it includes and refuses"
            continue
        for name in includes(root, path):
            other = room_of(name)
            if other and other != room and room != "commands" and other not in rooms[room]:
                yield f"{path}: arena/{room}/ does not include arena/{other}/ (docs/architecture.md)"


def cycle_of(graph):
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return None


def wrong_cycles(root):
    between, within = {}, {}
    thing_of = {name: " with ".join(sorted(thing)) for thing in ONE_THING for name in thing}
    for path in sources(root, "engine", "sandbox", "sdk", "arena"):
        for name in includes(root, path):
            a, b = (thing_of.get(os.path.splitext(each)[0], os.path.splitext(each)[0]) for each in (path, name))
            if room_of(path) and room_of(name) and room_of(path) != room_of(name):
                between.setdefault(room_of(path), set()).add(room_of(name))
            if a != b:
                within.setdefault(a, set()).add(b)
    for what, graph in ("rooms", between), ("files", within):
        if found := cycle_of(graph):
            yield f"{what} include each other in a circle: " + ", ".join(found)


def wrong_floats(root):
    for folder, free in WITHOUT_FLOATS.items():
        for path in sources(root, folder):
            with open(os.path.join(root, path), encoding="utf-8") as file:
                text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(\\.|[^\"\\])*\"", "", file.read(), flags=re.S)
            if re.search(r"\b(float|double)\b", text) and \
                    os.path.splitext(os.path.basename(path))[0] not in free:
                yield f"{path}: floating point"


def wrong_streams(root):
    """glibc's streams into memory leave out what finds no memory, and tell nobody."""
    for path in sources(root, *{folder.split("/")[0]: None for folder in OWN}):
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            if re.search(r"\bopen_(w?)memstream\s*\(", file.read()):
                yield f"{path}: calls open_memstream: use memory_stream of arena/base/memory.h"


def undefined(path):
    out = subprocess.run(["nm", "-u", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0].removeprefix("pavilion_") for line in out.splitlines() if line.strip()}


def wrong_calls(room, stem, symbols):
    for pattern, free in REFUSED.get(room, ()):
        if stem in free:
            continue
        for symbol in sorted(symbols):
            if re.fullmatch(pattern, symbol):
                yield f"arena/{room}/{stem}.c: calls {symbol} (docs/architecture.md)"


def stray_calls(stem, symbols):
    for pattern, homes in ALONE:
        for symbol in sorted(symbols):
            if stem not in homes and re.fullmatch(pattern, symbol):
                yield f"arena/{stem}.c: calls {symbol}, which only arena/{homes[0]}.c may"


def globals_of(path):
    out = subprocess.run(["objdump", "-t", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in out.splitlines():
        parts = line.split()
        if len(parts) > 4 and " O " in line and re.match(r"\.(data|bss|tbss|tdata)(?!\.rel\.ro)", parts[-3]):
            if not re.match(r"(__|\.L|\*|_ZZ)", parts[-1]):
                yield parts[-1]


def objects(build, folder, target):
    base = os.path.join(build, folder, "CMakeFiles", target + ".dir")
    for at, _, names in os.walk(base):
        for name in sorted(names):
            relative = os.path.relpath(os.path.join(at, name), base)
            if name.endswith(".c.o") and os.path.exists(os.path.join(folder, relative[:-2])):
                yield os.path.join(at, name), relative[:-4]


def wrong_objects(build):
    count = 0
    for path, stem in objects(build, "arena", "arena_core"):
        count += 1
        room = stem.split("/")[0]
        yield from wrong_calls(room, stem.split("/")[-1], undefined(path))
        yield from stray_calls(stem, undefined(path))
        if "arena/" + room in WITHOUT_GLOBALS:
            yield from (f"arena/{stem}.c: global {name}" for name in globals_of(path))
    for path, stem in objects(build, "engine", "engine"):
        yield from (f"engine/{stem}.c: global {name}" for name in globals_of(path))
    if count < 50:
        yield f"{build}: only {count} objects of arena/ found"


def check_the_check(rooms, room):
    """Each planted fault must be found, and what is right must pass."""
    def planted(files):
        root = tempfile.mkdtemp(dir=room)
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        return root

    def expect(what, found, count):
        found = list(found)
        if len(found) != count:
            raise SystemExit(f"{what}: {count} expected, found {found}")

    for path, name, count in [
        ("engine/a.c", "<stdint.h>", 0), ("engine/a.c", "<stdio.h>", 1), ("sandbox/a.c", '"engine/game.h"', 1),
        ("sandbox/a.c", "<ev.h>", 1), ("sdk/a.c", '"engine/game.h"', 0), ("arena/a.c", '"sdk/sdk.h"', 1),
        ("arena/play/a.c", '"arena/site/viewer.h"', 1), ("arena/store/postgres.c", "<libpq-fe.h>", 0)]:
        expect(f"{path} includes {name}", wrong_arrows(planted({path: f"#include {name}\n"})), count)
    body = "int f(void)\n{\n" + "    g();\n" * 78 + "}\n"
    expect("a function of 80 lines", long_functions("a.c", body), 0)
    expect("a function of 81 lines", long_functions("a.c", body.replace("{\n", "{\n\n")), 1)
    include = '#include "arena/%s/x.h"\n'
    for name, other, count in [("play", "season", 1), ("season", "play", 0), ("commands", "season", 0),
                               ("nowhere", "play", 1)]:
        root = planted({f"arena/{name}/planted.c": include % other})
        expect(f"{name} includes {other}", wrong_edges(root, rooms), count)
    a, b = '#include "arena/play/b.h"\n', '#include "arena/play/a.h"\n'
    expect("two files in a circle", wrong_cycles(planted({"arena/play/a.h": a, "arena/play/b.h": b})), 1)
    expect("no circle", wrong_cycles(planted({"arena/play/a.h": a, "arena/play/b.h": ""})), 0)
    expect("two rooms in a circle", wrong_cycles(planted(
        {"arena/play/a.h": include % "season", "arena/season/c.h": include % "play"})), 1)
    expect("a double", wrong_floats(planted({"arena/store/a.c": "double share;\n"})), 1)
    expect("a double in a comment", wrong_floats(planted({"arena/store/a.c": "/* double */\n"})), 0)
    expect("a stream that loses text", wrong_streams(planted({"arena/site/a.c": "f = open_memstream(&text, &size);\n"})), 1)
    expect("a stream of base", wrong_streams(planted({"arena/site/a.c": "/* not open_memstream */ memory_stream(&text, &size);\n"})), 0)
    expect("a room prints", wrong_calls("trial", "check", {"printf", "malloc"}), 1)
    expect("a watcher that may fail", stray_calls("play/bot", {"ev_io_start", "ev_timer_start"}), 1)
    expect("a clock of its own", stray_calls("store/postgres", {"clock_gettime", "clock_now_us"}), 1)
    expect("an array of its own", stray_calls("season/roster", {"realloc", "array_grow"}), 1)
    expect("the file of watchers", stray_calls("play/watch", {"ev_io_start"}), 0)


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with open("docs/architecture.md", encoding="utf-8") as file:
        rooms = read_table(file.read())
    with tempfile.TemporaryDirectory() as room:
        check_the_check(rooms, room)
    wrong = [*wrong_arrows("."), *wrong_sizes("."), *wrong_edges(".", rooms), *wrong_cycles("."), *wrong_floats("."), *wrong_streams("."),
             *wrong_objects(sys.argv[1])]
    wrong += [f"docs/architecture.md: there is no arena/{room}/"
              for room in rooms if not os.path.isdir(os.path.join("arena", room))]
    for line in wrong:
        print(line)
    if not wrong:
        print(f"{len(rooms)} rooms keep to what docs/architecture.md says")
    return 1 if wrong else 0


sys.exit(main())
