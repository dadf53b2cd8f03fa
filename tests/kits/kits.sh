#!/bin/sh
# SPDX-License-Identifier: MIT
# `arena new`: what it lists and writes; and every kit that needs nothing but what the suite
# installs: its own test, its build in the sandbox, a check, and games against random.
# usage: kits.sh BUILD [LANG ...]
set -eu
build=$(realpath "$1")
shift
arena=$build/bin/arena
kits=$(realpath "$(dirname "$0")/../../sdk/kits")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
games=${KIT_GAMES:-40} # half of them in each seat

fail() {
    echo "$*"
    exit 1
}

# A name and an author that would break out of JSON do not.
"$arena" new --lang python --author 'A "quoted" \ one' --name quoted "$scratch/quoted" >/dev/null
python3 -c 'import json, sys
manifest = json.load(open(sys.argv[1]))
assert manifest["author"] == "A \"quoted\" \\ one", manifest
assert manifest["name"] == "quoted", manifest' "$scratch/quoted/bot.json"

# What people call languages.
for other in C++:cpp 'C#:csharp' JS:javascript Ts:typescript PYTHON:python golang:go; do
    "$arena" new --lang "${other%:*}" --name other "$scratch/other" >/dev/null || fail "--lang ${other%:*}"
    "$arena" new --lang "${other#*:}" --name other "$scratch/same" >/dev/null
    diff -r "$scratch/other" "$scratch/same" || fail "--lang ${other%:*}"
    rm -rf "$scratch/other" "$scratch/same"
done

# Libraries of any language read what the kits' own tests send, as the bundled bots' do: 11 messages, 9 of which are answered.
for program in "perl greedy-perl/greedy.pl" "python3 greedy-python/greedy.py" "lua5.4 random-lua/random.lua"; do
    (cd "$build/bots" && $program <"$kits/shared/turns.msgpack") >"$scratch/answers" 2>"$scratch/log" ||
        fail "$program: $(cat "$scratch/log")"
    [ "$(grep -ao type "$scratch/answers" | wc -l)" = 9 ] || fail "$program: not 9 answers: $(cat "$scratch/log")"
done

# follow_commands LANG DIR: the README's commands, as they stand, but for what installs and what
# needs a person.
follow_commands() {
    cp -r "$2" "$scratch/follower"
    mkdir "$scratch/path"
    ln -s "$(realpath "$arena")" "$scratch/path/arena"
    sed -n 's/^    //p' "$2/README.md" | sed 's/  *# .*//' |
        grep -v -e '^apt-get' -e '^npm install' -e '^arena play' -e debug -e '-m pdb' -e '^"' >"$scratch/commands"
    [ "$(wc -l <"$scratch/commands")" -ge 10 ] || fail "$1: $(cat "$scratch/commands")"
    while read -r command; do
        (cd "$scratch/follower" && PATH=$scratch/path:$PATH ARENA_HOME=$scratch/league \
            sh -c "$command") </dev/null >"$scratch/log" 2>&1 ||
            fail "$1: $command: $(cat "$scratch/log")"
        case $command in arena\ ladder*) cp "$scratch/log" "$scratch/ladder" ;; esac
    done <"$scratch/commands"
    ! ls "$scratch/follower" | grep -E '\.(html|replay)$' || fail "$1: games within the bot"
    grep -q kit- "$scratch/ladder" || fail "$1: not on the ladder: $(cat "$scratch/ladder")"
    rm -rf "$scratch/follower" "$scratch/path" "$scratch/league" "$scratch/games"
}

# debugs LANG DIR: the README's command stops the bot at a request that was recorded, where the
# language's debugger is installed.
debugs() {
    case $1 in
    c | cpp | rust) debugger=gdb input='info args' shown='choose (.*turn=' ;;
    go) debugger=dlv input=args shown='turn = (\*main.Turn)' ;;
    java) debugger=jdb input=locals shown='turn = instance of Pavilion.Turn' ;;
    javascript | typescript) debugger=node input=cont shown='debugger; // stops' ;;
    lua) debugger=lua5.4 input='print("wild " .. turn.wild)' shown='wild [0-5]' ;;
    python) debugger=/usr/bin/python3 input='p turn.wild' shown='bot.py(.*choose()' ;;
    ruby) debugger=ruby input='p turn.wild' shown='Bot.choose' ;;
    csharp) debugger=mono input= shown='mono --debug' ;; # has none: runs, and exits with 0
    *) fail "$1: add a line to debugs() of tests/kits/kits.sh: the debugger, a command for it, what it prints" ;;
    esac
    command -v $debugger >/dev/null || return 0
    mkdir "$scratch/debugged"
    cp -r "$2" "$scratch/debugged/bot"
    (
        cd "$scratch/debugged/bot"
        PATH=$(dirname "$arena"):$PATH
        "$arena" match --games 1 --replays ../games greedy random >/dev/null
        sed -n '/^## Debug$/,/^## /s/^    //p' README.md | sed 's/   *# .*//' >../commands
        sh -c "$(head -1 ../commands)"
        while sleep 0.5; do echo "$input"; done | timeout 120 sh -c "$(tail -1 ../commands)" >../log 2>&1 &
        while ! grep -q "$shown" ../log 2>/dev/null && kill -0 $! 2>/dev/null; do sleep 0.2; done
        [ "$1" = csharp ] || kill $! 2>/dev/null || true
        wait $! 2>/dev/null || [ "$1" != csharp ]
        grep -q "$shown" ../log
    ) || fail "$1: debug: $(cat "$scratch/debugged/log")"
    rm -rf "$scratch/debugged"
}

# modules DIR: the way of the Go kit's README to dependencies of one's own, from files that are here.
modules() {
    cp -r "$1" "$scratch/modules"
    (
        cd "$scratch/modules"
        export GOFLAGS=-mod=mod GOPROXY=off GONOSUMDB='*'
        library=github.com/vmihailenco there=/usr/share/gocode/src/github.com/vmihailenco
        go mod init bot
        go mod edit -require $library/msgpack/v5@v5.0.0 -require $library/tagparser/v2@v2.0.0 \
            -replace $library/msgpack/v5=$there/msgpack/v5 \
            -replace $library/tagparser/v2=$there/tagparser/v2
        go mod vendor
        "$arena" build .
    ) >"$scratch/log" 2>&1 || fail "go with modules: $(cat "$scratch/log")"
    rm -rf "$scratch/modules"
}

# test_of LANG: runs the kit's own test, as kit.txt and its README have it.
test_of() {
    sh -c "$(sed -n 's/^test //p' "$kits/$1/kit.txt")"
}

# rebuilds LANG DIR: the arena builds what the source says now, not what lies there from before. A
# copy has the times of its copying, so that make and cargo would take an old build for a new one.
rebuilds() {
    ! grep -q '"build"' "$2/bot.json" || (
        cd "$2"
        case $1 in
        rust) cargo build --release --offline ;;
        typescript) npm run build ;;
        *) make ;;
        esac >"$scratch/log" 2>&1 || fail "$1: built by hand: $(cat "$scratch/log")"
        for source in bot.* Bot.* src/bot.*; do
            case $source in
            *'*'* | *.json | *.h | *.hpp | *.o | *.exe | *.test.js) ;;
            *) echo '(' >>"$source" ;;
            esac
        done
        ! "$arena" build . >"$scratch/log" 2>&1 || fail "$1: what is built was not what was written"
        grep -q 'larger than' "$scratch/log" && fail "$1: $(cat "$scratch/log")"
        true
    )
}

# links_built LANG DIR: the arena's build links the SDK that came with the kit. Where that cannot be linked,
# make builds the SDK from its sources.
links_built() {
    "$arena" build "$2" >"$scratch/log" 2>&1 || fail "$1: $(cat "$scratch/log")"
    grep -q ' pavilion/libpavilion-sdk.a' "$scratch/log" || fail "$1: not linked: $(cat "$scratch/log")"
    ! grep -q pavilion/engine/ "$scratch/log" || fail "$1: compiled the SDK: $(cat "$scratch/log")"
    (cd "$2" && make tree && make clean) >"$scratch/log" 2>&1 || fail "$1: make tree: $(cat "$scratch/log")"
    [ "$1" = c ] || return 0 # both kits have these lines
    cp -r "$2" "$scratch/sources"
    echo 'not a library' >"$scratch/sources/pavilion/libpavilion-sdk.a"
    (cd "$scratch/sources" && make CFLAGS=-O0 test tree) >"$scratch/log" 2>&1 || fail "$1, from sources: $(cat "$scratch/log")"
    grep -q pavilion/engine/ "$scratch/log" || fail "$1: nothing was built from sources: $(cat "$scratch/log")"
    rm -rf "$scratch/sources"
}

# grows_tree LANG DIR: the README's way from the example with a tree to a bot of one's own.
grows_tree() {
    cp -r "$2" "$scratch/grown"
    cat >"$scratch/to_tree.py" <<'PYTHON'
import json, sys

manifest = json.load(open("bot.json"))
manifest |= json.loads("{" + "".join(line for line in open(sys.argv[1]) if line.startswith('"')) + "}")
json.dump(manifest, open("bot.json", "w"))
PYTHON
    (
        cd "$scratch/grown" && PATH=$(dirname "$arena"):$PATH &&
            sed -n '/^## From a tree$/,$s/^    //p' README.md >../lines &&
            sh -ec "$(grep '^make' ../lines)" && sh -ec "$(grep '^cp' ../lines)" &&
            sed -i 's/"tree", .version/"mine", .version/' tree.c && make tree && grep -q mine tree &&
            python3 ../to_tree.py ../lines && arena build . && arena check --quick .
    ) >"$scratch/log" 2>&1 || fail "$1: from a tree: $(cat "$scratch/log")"
    rm -rf "$scratch/grown"
}

# follows_readme LANG DIR: what the README shows compiles in worth(), where it is wanted.
follows_readme() {
    cp -r "$2" "$scratch/followed"
    (cd "$scratch/followed" && python3 - && make CFLAGS=-DNDEBUG test) >"$scratch/log" 2>&1 <<'PYTHON' ||
import glob
import re

readme = open("README.md").read()
look = re.search(r"- Look ahead: `(.*)`", readme)[1]
clock = re.search(r"- The clock: `(.*?)`", readme)[1]
note = re.search(r"`(sdk_note\(.*?\))`", readme)[1]
path = glob.glob("bot.c*")[0]
source = open(path).read()
body = re.search(r"int worth\(.*\)\n{\n", source).end()
open(path, "w").write(f"{source[:body]}{look} (void)({clock}); {note};\n{source[body:]}")
PYTHON
        fail "$1: as its README has it: $(cat "$scratch/log")"
    rm -rf "$scratch/followed"
}

[ $# -gt 0 ] || set -- c python lua
"$arena" new --list >"$scratch/list"
for lang; do
    grep -q "^$lang " "$scratch/list" || fail "new --list does not name $lang"
    kit=$scratch/kit-$lang
    "$arena" new --lang "$lang" --author Tester "$kit" >"$scratch/said"
    ! grep -rl '@NAME@\|@AUTHOR@\|@VERSION@' "$kit" || fail "$lang: a name was left open"
    sh -c "$(sed -n 's/^  \((cd .*)\)$/\1/p' "$scratch/said")" >/dev/null # npm install, say
    cp -r "$kit" "$scratch/tested hére"
    (cd "$scratch/tested hére" && test_of "$lang") >"$scratch/log" 2>&1 ||
        fail "$lang: its own test: $(cat "$scratch/log")"
    debugs "$lang" "$kit"
    rebuilds "$lang" "$scratch/tested hére"
    rm -rf "$scratch/tested hére"
    case $lang in
    c | cpp)
        links_built "$lang" "$kit"
        grows_tree "$lang" "$kit"
        follows_readme "$lang" "$kit"
        ;;
    go) modules "$kit" ;;
    esac
    [ "$lang" != python ] && [ "$games" -lt 100 ] || follow_commands "$lang" "$kit"
    "$arena" check "$kit" >"$scratch/log" 2>&1 || fail "$lang: $(cat "$scratch/log")"
    if [ "$(id -u)" -eq 0 ]; then # and as an ordinary user; else that was one
        chmod -R a+rX "$kit"
        HOME=/nowhere TMPDIR=/tmp setpriv --reuid=65534 --regid=65534 --clear-groups \
            "$arena" check "$kit" >"$scratch/log" 2>&1 || fail "$lang, not root: $(cat "$scratch/log")"
    fi
    "$arena" match --games $((games / 2)) --rotate --jobs 2 --json --clock turn=5000,bank=60000 \
        "$kit" random >"$scratch/rows"
    python3 - "$scratch/rows" "$lang" <<'PYTHON'
import json, sys

rows = [json.loads(line) for line in open(sys.argv[1])]
games = [row for row in rows if "ranks" in row]
won = sum(row["ranks"][row["bots"].index(f"kit-{sys.argv[2]}")] == 1 for row in games)
assert all(set(row["reason"]) == {"played"} for row in games), "a forfeit"
assert won >= 0.9 * len(games), f"{sys.argv[2]} won {won} of {len(games)}"
print(f"{sys.argv[2]}: won {won} of {len(games)}")
PYTHON
done
