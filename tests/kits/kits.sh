#!/bin/sh
# `arena new`: what it lists, writes and refuses; and every kit that needs nothing but what the suite
# installs: its own test, its build in the sandbox, a check, and games against random.
# usage: kits.sh BUILD [LANG ...]
set -eu
build=$1
shift
arena=$build/bin/arena
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
games=${KIT_GAMES:-40} # half of them in each seat

fail() {
    echo "$*"
    exit 1
}

# refused EXPECTED ARGUMENT...: one line with that text on standard error, exit status 2.
refused() {
    expected=$1
    shift
    status=0
    "$arena" new "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 2 ] || fail "new $*: exit status $status"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "new $*: $(cat "$scratch/err")"
    grep -qF "$expected" "$scratch/err" || fail "new $*: $(cat "$scratch/err")"
}
mkdir "$scratch/there"
refused 'choose a language' "$scratch/a"
refused "no kit for 'cobol'" --lang cobol "$scratch/a"
refused 'name one folder' --lang python
refused 'already exists; choose another folder' --lang python "$scratch/there"
refused 'cannot be written' --lang python "$scratch/not/there"
refused 'give another with --name' --lang python "$scratch/A B"
refused '1 to 64 bytes' --lang python --author "$(printf 'a\033b')" "$scratch/a"
[ ! -e "$scratch/a" ] || fail 'a refused kit was written'

# A name and an author that would break out of JSON do not.
"$arena" new --lang python --author 'A "quoted" \ one' --name quoted "$scratch/quoted" >/dev/null
python3 -c 'import json, sys
manifest = json.load(open(sys.argv[1]))
assert manifest["author"] == "A \"quoted\" \\ one", manifest
assert manifest["name"] == "quoted", manifest' "$scratch/quoted/bot.json"

# prepare LANG: what a kit's README has under Install, beside Debian's packages.
prepare() {
    case $1 in
    javascript | typescript) npm install --silent --no-audit --no-fund >/dev/null ;;
    esac
}

# test_of LANG: the kit's own test, as its README has it.
test_of() {
    case $1 in
    python) /usr/bin/python3 test_bot.py ;;
    lua) lua5.4 test_bot.lua ;;
    ruby) ruby test_bot.rb ;;
    javascript | typescript) npm test ;;
    rust) PATH=/usr/bin:/bin cargo test --offline ;;
    *) make test ;;
    esac
}

[ $# -gt 0 ] || set -- c python lua
"$arena" new --list >"$scratch/list"
for lang; do
    grep -q "^$lang " "$scratch/list" || fail "new --list does not name $lang"
    kit=$scratch/kit-$lang
    "$arena" new --lang "$lang" --author Tester "$kit" >/dev/null
    ! grep -rl '@NAME@\|@AUTHOR@' "$kit" || fail "$lang: a name was left open"
    (cd "$kit" && prepare "$lang")
    cp -r "$kit" "$scratch/tested"
    (cd "$scratch/tested" && test_of "$lang") >"$scratch/log" 2>&1 ||
        fail "$lang: its own test: $(cat "$scratch/log")"
    rm -rf "$scratch/tested"
    "$arena" check "$kit" >"$scratch/log" 2>&1 || fail "$lang: $(cat "$scratch/log")"
    if [ "$(id -u)" -eq 0 ]; then # and as an ordinary user; else that was one
        chmod -R a+rX "$kit"
        HOME=/nowhere TMPDIR=/tmp setpriv --reuid=65534 --regid=65534 --clear-groups \
            "$arena" check "$kit" >"$scratch/log" 2>&1 || fail "$lang, not root: $(cat "$scratch/log")"
    fi
    "$arena" match --games $((games / 2)) --rotate --jobs 2 --json --clock turn=5000,bank=60000 \
        "$kit" "$build/bots/random" >"$scratch/games"
    python3 - "$scratch/games" "$lang" <<'PYTHON'
import json, sys

rows = [json.loads(line) for line in open(sys.argv[1])]
games = [row for row in rows if "ranks" in row]
won = sum(row["ranks"][row["bots"].index(f"kit-{sys.argv[2]}")] == 1 for row in games)
assert all(set(row["reason"]) == {"played"} for row in games), "a forfeit"
assert won >= 0.9 * len(games), f"{sys.argv[2]} won {won} of {len(games)}"
print(f"{sys.argv[2]}: won {won} of {len(games)}")
PYTHON
done
