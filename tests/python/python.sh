#!/bin/sh
# SPDX-License-Identifier: MIT
# The Python package over the engine: wrong uses, environments, games of another implementation, random calls under
# the sanitizers, and the state as the wire has it. usage: python.sh BUILD [GAMES [CALLS]]; 10000 and
# 1000000 take a few minutes.
set -eu
build=$(realpath "$1")
games=${2-300}
calls=${3-30000}
here=$(dirname "$(realpath "$0")")
python=/usr/bin/python3
export PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1
$python -c 'import numpy' 2>/dev/null || { echo "numpy is not installed"; exit 77; }

PYTHONPATH=$build/python $python "$here/wrong.py"
PYTHONPATH=$build/python $python "$here/environments.py"
for example in game.py policy.py env.py solo.py; do # of docs/python.md
    awk -v name=$example '$1 == "```python" && $2 == name { inside = 1; next } /^```/ { inside = 0 } inside' \
        docs/python.md | PYTHONPATH=$build/python $python -
done
# The learner learns for a few seconds and then beats greedy; its bot plays two games in the sandbox without a fault,
# and takes a decision by playing its candidates out.
bot=$(mktemp -d)
trap 'rm -rf "$bot"' EXIT
chmod 755 "$bot"
cp -r sdk/python/examples/*.py sdk/python/examples/bot.json "$build/python/pavilion_lab" "$bot"
export PYTHONPATH="$build/python"
$python "$bot/learn.py" --help | grep -q '^usage: learn.py .*minutes'
if $python "$bot/learn.py" eight 2>"$bot/error"; then exit 1; fi
grep -q "error: argument minutes: invalid float value: 'eight'" "$bot/error"
$python "$bot/learn.py" 0.05 "$bot/learned.npz" "$bot/curve.csv" 2>"$bot/error"
grep -q '^minutes, games, decisions like steady, won against greedy, against steady$' "$bot/error"
unset PYTHONPATH
awk -F, 'END { exit !($4 > 0.4 && NF == 5) }' "$bot/curve.csv" || { cat "$bot/curve.csv"; exit 1; }
$python "$bot/curve.py" "$bot/curve.csv" "$bot/learning.svg"
"$build/bin/arena" match --rotate "$bot" greedy >"$bot/match"
grep -q '^learned  *2$' "$bot/match" || { cat "$bot/match"; exit 1; }
sed -i 's/"bot.py"/"bot.py", "ahead"/' "$bot/bot.json"
PYTHONPATH=$build/python $python - "$bot" <<'END'
import sys

from pavilion_lab import Game
from pavilion_lab.bots import Bot

game = Game(seed=1)
while game.round < 6:
    game.apply(game.greedy())
with Bot(sys.argv[1], timeout=300) as bot:
    bot.begin(2, "colored", game.player)
    bot.ask(game)
    print("played out:", bot.answer(game))
END

PYTHONPATH=$build/python $python "$here/games.py" "$games"
PYTHONPATH=$build/python $python "$here/opponents.py" "$build/bots/greedy"

# The wheel, built without an index and unpacked elsewhere, needs no tree. In the tree itself the package
# is not built, and says so.
mkdir "$bot/wheel"
PYTHONPATH=sdk/python CFLAGS=-O0 \
    $python -c 'import sys, build_wheel; build_wheel.build_wheel(sys.argv[1])' "$bot/wheel"
if $python -m pip --version >/dev/null 2>&1; then
    $python -m pip install -q --no-index --no-compile --target "$bot/site" "$bot"/wheel/*.whl
else
    $python -m zipfile -e "$bot"/wheel/*.whl "$bot/site"
fi
PYTHONPATH=sdk/python $python -c 'import pavilion_lab' 2>&1 | grep -q 'not built here: `pip install ./sdk/python`'
export PYTHONPATH="$bot/site"
(cd "$bot/wheel" && $python -m pavilion_lab) | grep "^in $bot/site"
$python "$here/wrong.py"
$python "$here/games.py" 5
unset PYTHONPATH
[ ! -d "$build/python-checked" ] ||
    LD_PRELOAD="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)" \
        ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=halt_on_error=1 \
        PYTHONPATH=$build/python-checked $python "$here/fuzz.py" "$calls"
