#!/bin/sh
# SPDX-License-Identifier: MIT
# The SDK as others get it: installed to a prefix with a space, used from outside the tree by CMake
# and by pkg-config, in C and in C++, with the listings of docs/sdk.md; the bots do what it says.
# usage: installed.sh BUILD [GAMES]: GAMES (20) of the search bot against greedy
set -eu
build=$(realpath "$1")
games=${2-20}
root=$PWD
arena=$build/bin/arena
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
prefix="$scratch/a prefix"

# listing NAME: the code block of docs/sdk.md that is called so, without its indentation in a list.
listing() {
    awk -v name="$1" '
        $1 ~ /^```/ && $2 == name { inside = 1; indent = index($0, "`") - 1; next }
        inside && $1 == "```" { exit }
        inside { print substr($0, indent + 1) }' "$root/docs/sdk.md"
}

cmake --install "$build" --prefix "$prefix" >"$scratch/install.log"
[ -x "$prefix/bin/arena" ]

# Each header alone, and all in both orders, in C and in C++.
headers=$(cd "$prefix/include/pavilion" && find . -name '*.h' | sed 's,^\./,,' | sort)
[ "$(echo "$headers" | wc -l)" -ge 7 ]
mkdir "$scratch/headers"
for header in $headers; do
    echo "#include \"$header\"" >"$scratch/headers/$(echo "$header" | tr / _)"
done
cat "$scratch"/headers/*.h >"$scratch/headers/all"
tac "$scratch/headers/all" >"$scratch/headers/reversed"
for source in "$scratch"/headers/*; do
    echo 'struct here { int nothing; };' >>"$source"
    for compiler in 'gcc -std=c11 -x c' 'g++ -std=c++11 -x c++' 'g++ -std=c++20 -x c++'; do
        $compiler -Wall -Wextra -pedantic -Wconversion -Werror -fsyntax-only \
            -I "$prefix/include/pavilion" "$source"
    done
done

# folder NAME: an entry for the arena, to put a program called NAME into.
folder() {
    mkdir -p "$scratch/entries/$1"
    listing bot.json | sed "s/mine/$1/g" >"$scratch/entries/$1/bot.json"
}

# CMake, in C and in C++: the listings as they stand.
mkdir "$scratch/mine" "$scratch/search"
for name in mine.c CMakeLists.txt mine.cpp; do
    listing "$name" >"$scratch/mine/$name"
done
listing search.c >"$scratch/search/search.c"
[ "$(wc -l <"$scratch/search/search.c")" -le 105 ]
listing CMakeLists.txt | sed 's/mine/search/g' >"$scratch/search/CMakeLists.txt"
mkdir "$scratch/mine-cpp"
cp "$scratch/mine/mine.cpp" "$scratch/mine-cpp"
listing CMakeLists.txt | sed 's/project(mine C)/project(mine CXX)/; s/mine\.c/mine.cpp/' \
    >"$scratch/mine-cpp/CMakeLists.txt"
for name in mine mine-cpp search; do
    cmake -S "$scratch/$name" -B "$scratch/$name/build" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS='-Wall -Wextra -pedantic -Werror' \
        -DCMAKE_CXX_FLAGS='-Wall -Wextra -pedantic -Werror' \
        -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/cmake.log" || { cat "$scratch/cmake.log"; exit 1; }
    cmake --build "$scratch/$name/build" >"$scratch/cmake.log" 2>&1 ||
        { cat "$scratch/cmake.log"; exit 1; }
    folder "$name"
    cp "$scratch/$name/build/${name%-cpp}" "$scratch/entries/$name/$name"
done

# pkg-config: the shared library in the bot's own folder, and the static one. Flags with escaped
# spaces are for a shell to read.
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
flags=$(pkg-config --cflags --libs pavilion-sdk)
folder shared
eval "cc -O2 '$scratch/mine/mine.c' $flags -Wl,-rpath,'\$ORIGIN' -o '$scratch/entries/shared/shared'"
cp "$prefix"/lib/libpavilion-sdk.so.?.? "$scratch/entries/shared/"
folder shared-cpp
eval "g++ -O2 '$scratch/mine/mine.cpp' $(pkg-config --cflags pavilion-sdk) \
    '$prefix/lib/libpavilion-sdk.a' -o '$scratch/entries/shared-cpp/shared-cpp'"

[ "$(pkg-config --modversion pavilion-sdk)" = \
    "$(sed -n 's/^project(pavilion VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)" ]
readelf -d "$prefix/lib/libpavilion-sdk.so" >"$scratch/dynamic"
grep -q 'SONAME.*\[libpavilion-sdk\.so\.[0-9]*\.[0-9]*\]' "$scratch/dynamic"
[ "$(grep -c NEEDED "$scratch/dynamic")" -eq 1 ] # the C library

# What programs rely on: the names that Debian's package lists, no fewer and no others, with the project's version.
sed -n 's/^ \([a-z_0-9]*\)@PAVILION.*/\1/p' arena/packaging/debian/libpavilion-sdk.symbols >"$scratch/listed"
version=$(pkg-config --modversion pavilion-sdk)
nm -D --defined-only "$prefix/lib/libpavilion-sdk.so" | sed -n "s/.* \(.*\)@@PAVILION_${version%.*}\$/\1/p" | LC_ALL=C sort >"$scratch/exported"
diff "$scratch/listed" "$scratch/exported" || {
    echo "the SDK's names changed: mend arena/packaging/debian/libpavilion-sdk.symbols; if one left, raise the version"
    exit 1
}
# All of them, and what the static library has besides, begin alike (LINK_NAME in engine/public.h) ...
nm -g --defined-only "$prefix/lib/libpavilion-sdk.a" | awk 'NF == 3 { print $3 }' | cat - "$scratch/exported" >"$scratch/names"
! grep -v '^pavilion_[a-z]' "$scratch/names" || { echo "these names of the SDK do not begin with pavilion_"; exit 1; }
# ... so that a bot may use the short names for something else.
echo 'int drafts, turn_pass, game_init, board_run; int value_of(void) { return drafts + turn_pass + game_init + board_run; }' >"$scratch/own.c"
for library in "'$prefix/lib/libpavilion-sdk.a'" "$(pkg-config --libs pavilion-sdk)"; do
    eval "cc -O2 '$scratch/mine/mine.c' '$scratch/own.c' $(pkg-config --cflags pavilion-sdk) $library -o '$scratch/own'"
done

# Nor may a struct change that a program has laid out.
{
    for header in $headers; do
        echo "#include \"$header\""
    done
    echo '#include <stdio.h>'
    echo 'int main(void) {'
    (cd "$prefix/include/pavilion" && sed -n 's/^struct \([a-z_]*\) {$/\1/p' $headers) |
        sort | sed 's/.*/printf("& %zu\\n", sizeof(struct &));/'
    echo 'return 0; }'
} >"$scratch/sizes.c"
cc -I "$prefix/include/pavilion" "$scratch/sizes.c" -o "$scratch/sizes"
"$scratch/sizes" >"$scratch/sizes.txt"
[ "$(getconf LONG_BIT)" -ne 64 ] || diff tests/golden/sdk-sizes.txt "$scratch/sizes.txt" || {
    echo "these structs of the SDK changed: raise the version, and mend tests/golden/sdk-sizes.txt"
    exit 1
}

# The Python package, if it was built, needs nothing but itself and numpy.
if [ -d "$build/python" ]; then
    (cd "$scratch" && PYTHONPATH="$prefix/lib/python3/dist-packages" /usr/bin/python3 -c '
from pavilion_lab import Game
game = Game(seed=1)
game.play_out()
assert game.over')
fi

# What is installed finds its own bots.
(cd "$scratch" && "$prefix/bin/arena" match --json random greedy) | grep -q '"ranks"'

# The bot with a tree.
folder tree
eval "cc -O2 -Wall -Wextra -pedantic -Werror '$prefix/share/pavilion/sdk/tree.c' $(pkg-config --cflags pavilion-sdk) \
    '$prefix/lib/libpavilion-sdk.a' -lm -o '$scratch/entries/tree/tree'"

# played PERCENT OPTION... BOT BOT: matches in which nobody is out and the first bot wins as often.
played() {
    percent=$1
    shift
    "$arena" match --rotate --jobs 2 --json "$@" >"$scratch/match"
    python3 - "$scratch/match" "$percent" <<'PYTHON'
import json, sys

rows = [json.loads(line) for line in open(sys.argv[1])]
games = [row for row in rows if "reason" in row]
assert games and all(set(game["reason"]) == {"played"} for game in games), rows
first = games[0]["bots"][0]
points = [1 / game["ranks"].count(1) for game in games if game["ranks"][game["bots"].index(first)] == 1]
print(f"{first}: {sum(points)} of {len(games)} games")
assert sum(points) * 100 >= int(sys.argv[2]) * len(games), rows
PYTHON
}
cd "$scratch/entries"
played 0 --games 2 mine mine-cpp shared shared-cpp
played 90 --games 10 mine random
played 70 --games $((games / 2)) --clock turn=30,bank=250 search greedy # 27 ms a decision
played 60 --games $((games / 2)) --clock turn=20,bank=1000 tree lookahead
played 0 --games 1 --board gray tree random greedy # three players
