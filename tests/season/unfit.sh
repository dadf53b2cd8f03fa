#!/bin/sh
# SPDX-License-Identifier: MIT
# Bots whose build, package or store is not what was checked: no season ends for one of them, and none forfeits for it.
. tests/season/league.inc

# built NAME BUILD: a bot with a build of its own, a line of sh
built()
{
    bot "$1" 1 "$1" ", \"build\": [\"sh\", \"-c\", \"$2\"]"
}

# --- what a build does to its manifest concerns nobody
built honest "true"
built removes "rm bot.json"
built links "rm bot.json && ln -s /etc/passwd bot.json"
built replaces "echo '{' > bot.json"
for name in honest removes links replaces; do
    expect 0 "is admitted" "$arena" submit "$folder/$name"
done
expect 0 "is open" "$arena" season new manifests --budget 12
expect 0 "12 of 12" "$arena" season run manifests
expect 0 "" "$arena" games manifests --json
grep -q '"reason":"start"' "$folder/out" && fail "a bot was not started"

# --- any name that is UTF-8, and no other
built names "mkdir 'Gänse' && echo 1 > 'Gänse/鴨' && ln -s 'Gänse/鴨' вниз"
touch "$folder/names/ação 🦆"
expect 0 "is admitted" "$arena" submit "$folder/names"
expect 0 "is retired" "$arena" retire names
built latin "true"
touch "$folder/latin/$(printf 'gr\374n')"
expect 2 "the file's name is not UTF-8: rename the file" "$arena" submit "$folder/latin"
built folder "true"
rm "$folder/folder/bot.json" && mkdir "$folder/folder/bot.json"
expect 1 "bot.json: is not a file" "$arena" check "$folder/folder"
expect 2 "bot.json: is not a file" "$arena" match "$folder/folder" "$build/bots/random"
for command in submit "check --trace"; do
    expect 2 "bot.json: is not a file" "$arena" $command "$folder/folder"
done

# --- packages that are not what was admitted: the arena's fault, so those bots play no games and forfeit none
cat >"$folder/change.py" <<'END'
import io, sqlite3, sys, tarfile

def set_modes(package, mode):
    made = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(package)) as given, tarfile.open(
            fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as changed:
        for entry in given:
            if entry.isreg():
                entry.mode = mode
            changed.addfile(entry, given.extractfile(entry) if entry.isreg() else None)
    return made.getvalue()

store = sqlite3.connect(sys.argv.pop(1))
def change(name, make):
    sha256, = store.execute("SELECT built_sha256 FROM bot WHERE name = ?", [name]).fetchone()
    package, = store.execute("SELECT bytes FROM package WHERE sha256 = ?", [sha256]).fetchone()
    store.execute("UPDATE package SET bytes = ? WHERE sha256 = ?", [make(package), sha256])

for name in sys.argv[1:]:
    if name == "replaces":
        store.execute("UPDATE bot SET manifest = '{}' WHERE name = 'replaces'")
    elif name == "links":
        change(name, lambda package: package[:-20000])
    elif name in ("first", "second"):
        store.execute("UPDATE bot SET manifest = replace(manifest, './greedy', './nothing') WHERE name = ?", [name])
    elif name == "flips":
        change(name, lambda package: package.replace(b"flips", b"flipt", 1))
    else:
        change(name, lambda package: set_modes(package, 0o6755))
store.commit()
END
built flips "true"
built steadfast "true"
for name in flips steadfast; do
    expect 0 "is admitted" "$arena" submit "$folder/$name"
done
expect 0 ": sound" "$arena" store check
python3 "$folder/change.py" "$ARENA_HOME/arena.db" removes links replaces flips
"$arena" store check >"$folder/check" && fail "damaged packages are sound"
for words in "^bot removes 1: the package in the store is damaged: .*neither 0755 nor 0644: restore a backup$" \
    "^bot links 1: the package in the store is damaged: " "^bot flips 1: the package in the store is damaged: "; do
    grep -q "$words" "$folder/check" || fail "store check: no '$words' in $(cat "$folder/check")"
done
expect 0 "is open" "$arena" season new damaged --players 2 --budget 60
"$arena" season run damaged --jobs 2 >"$folder/out" 2>"$folder/err" && fail "a season is played without its bots, and nobody is told"
tail -n 1 "$folder/err" | grep -q "games of bot [a-z]* 1 wait: .*restore a backup, or ban the bot with its games (.arena ban [a-z]* --void.)" || fail "the run does not end with what it waits for"
for words in "removes 1 are left out: .*has a file whose mode is neither 0755 nor 0644: restore" \
    "links 1 are left out: the package in the store is damaged: " "flips 1 are left out: the package in the store is damaged: " \
    "replaces 1 are left out: bot.json in the store is damaged: \"run\" is missing: .*: restore a backup"; do
    grep -q "^arena: games of bot $words" "$folder/err" "$folder/out" || fail "no '$words' in $(cat "$folder/err" "$folder/out")"
done
expect 0 "is open" "$arena" season new three --only honest,steadfast,flips --players 2 --budget 24
"$arena" season run three >"$folder/out" 2>&1 && fail "a season is played without a bot, and nobody is told"
{ "$arena" games damaged --json; "$arena" games three --json; } >"$folder/out"
python3 - "$folder/out" <<'END' || fail "damaged bots played, or forfeited"
import json, sys
games = [json.loads(line) for line in open(sys.argv[1])]
assert games
for game in games:
    assert set(game["bots"]) == {"honest", "steadfast"} and not game["forfeits"], game
END
expect 2 "neither 0755 nor 0644" "$arena" replay manifests-000000-0 --at 0 --bot removes
"$arena" serve --jobs 2 >"$folder/log" 2>&1 &
runner=$!
wait_until "the daemon logs no error" 'grep -q " error *damaged: games of bot flips 1 are left out: the package" "$folder/log"'
wait_until "the daemon's season does not wait" 'grep -q " season rests *damaged: games of bot [a-z]* 1 wait: " "$folder/log"'
kill $runner
wait $runner || :
runner=

# --- a season pauses itself if all its bots forfeit, and not for one of them
for name in first second; do
    built $name "echo $name > name"
    expect 0 "is admitted" "$arena" submit "$folder/$name"
done
expect 0 "is open" "$arena" season new sick --only first,second --players 2 --budget 200
python3 "$folder/change.py" "$ARENA_HOME/arena.db" first
expect 0 "24 games played" "$arena" season run sick --games 24
expect 0 '"state":"idle"' "$arena" season show sick --json
python3 "$folder/change.py" "$ARENA_HOME/arena.db" second
"$arena" season run sick >"$folder/run" 2>&1 & # it would go on after a resume
runner=$!
while ! "$arena" season show sick --json | grep -q '"state":"paused"'; do
    kill -0 $runner || fail "a sick season was not paused: $(cat "$folder/run")"
    sleep 0.2
done
expect 0 "paused: a bot forfeited in each of the last 16 games, and no bot was spared: .arena season resume sick" "$arena" season show sick
# said WORDS: waits until the run has said them.
said()
{
    while ! grep -q "$1" "$folder/run"; do
        kill -0 $runner || fail "the run did not say '$1': $(cat "$folder/run")"
        sleep 0.2
    done
}
said "^season sick is paused: a bot forfeited in each .*: .arena season resume sick. lets games begin again"
expect 0 "." "$arena" season resume sick
said "^season sick is resumed: games begin again"
kill $runner
wait $runner || :
runner=
"$arena" season resume sick >"$folder/run" 2>&1 || : # it may have been paused again before that
expect 0 '"state":"idle"' "$arena" season show sick --json
expect 0 "." "$arena" season pause sick
expect 0 '"state":"paused"' "$arena" season show sick --json

# --- many forfeits are news, and so is a full disk, once until there is room again
# await FILE WORDS: waits for the words in a file of the program that tells news.
await()
{
    while ! grep -q "$2" "$1" 2>/dev/null; do
        kill -0 $runner || fail "no news: $2"
        sleep 0.2
    done
}
disk()
{
    printf '{"disk_free_bytes": %s}' "$1" >"$folder/status.new"
    mv "$folder/status.new" "$folder/status"
}
printf '#!/bin/sh\n{ cat; echo; } >>"$0.told"\n' >"$folder/program"
chmod +x "$folder/program"
disk 1999999999
"$arena" tell --status "$folder/status" --state "$folder/state" "$folder/program" >"$folder/run" 2>&1 &
runner=$!
await "$folder/program.told" '"news":"disk low","words":"the arena.s disk has 1907 MiB left"'
await "$folder/program.told" '"news":"forfeits many","words":"season sick: [0-9]* of the [0-9]* games of the last hour have a forfeit'
disk 3900000000
disk 9000000000
await "$folder/state" '"disk_low":false'
disk 2097152
await "$folder/program.told" "2 MiB left"
[ "$(grep -c "disk low" "$folder/program.told")" = 2 ] || fail "a full disk is told again and again"
kill $runner
wait $runner || :
runner=

# --- a bot is checked against the clocks of the seasons that it would enter
mkdir "$folder/sleeper"
cat >"$folder/sleeper/bot.json" <<END
{"name": "sleeper", "version": "1", "author": "x", "language": "Python", "run": ["python3", "bot.py"]}
END
cat >"$folder/sleeper/bot.py" <<'END'
import msgpack, os, time
unpacker = msgpack.Unpacker(raw=False)
slept = False
while data := os.read(0, 65536):
    unpacker.feed(data)
    for message in unpacker:
        if message["type"] == "hello":
            os.write(1, msgpack.packb({"type": "ready"}))
        elif message["type"] == "turn":
            if not slept and message["state"]["phase"] == "place":
                time.sleep(0.3)
                slept = True
            os.write(1, msgpack.packb({"type": "act", "turn": message["turn"], "action": 0}))
END
for season in manifests damaged three sick; do
    expect 0 "is closed" "$arena" season close $season
done
expect 0 "is open" "$arena" season new blitz --clock turn=100,bank=0 --players 2
expect 1 "too slow for season blitz, which allows 100 ms a turn" "$arena" submit "$folder/sleeper"
mkdir "$folder/dawdler"
sed 's/sleeper/dawdler/' "$folder/sleeper/bot.json" >"$folder/dawdler/bot.json"
echo 'import time; time.sleep(600)' >"$folder/dawdler/bot.py"
expect 1 "too slow for season blitz, which allows 5000 ms from its start to ready" "$arena" submit "$folder/dawdler"
expect 0 "is open" "$arena" season new spring --players 2
expect 0 "is open" "$arena" season new long --clock turn=2000 --players 2
expect 0 "is submission 1" "$arena" submit --queue "$folder/sleeper"
expect 0 "is admitted, enters spring (1000 ms a turn), long (2000 ms a turn); too slow for blitz (100 ms a turn)" "$arena" admit 1
expect 0 "too slow for blitz" "$arena" submissions 1
expect 0 '"too_slow_for":"turn=100,bank=0,gain=0,start=5000"' "$arena" bots --json
expect 0 "too slow *1" "$arena" season show blitz
expect 0 "too slow *0" "$arena" season show long
expect 0 "is open" "$arena" season new flash --clock turn=50,bank=0 --players 2
expect 0 "too slow *1" "$arena" season show flash
expect 2 "submission 1 is not refused" "$arena" submissions retry 1
