#!/bin/sh
# From nothing to a ladder: installs what is missing, builds, and lets the bundled bots play.
set -e
cd "$(dirname "$0")/.."

usage="usage: sh arena/demo.sh

Installs missing Debian packages (root or sudo), builds build/release, plays matches between the
bundled bots and says what to try next. Takes about two minutes the first time."

case ${1-} in
-h | --help)
    echo "$usage"
    exit 0
    ;;
"") ;;
*)
    echo "$usage" >&2
    exit 2
    ;;
esac

. arena/setup.sh
setup_install $packages_to_build $packages_of_bots
echo "building"
setup_build release

arena=build/release/bin/arena
bots=build/release/bots
replays=build/demo-replays
rm -rf "$replays"

echo
echo "four bots in four languages at one table, in every rotation of the seats:"
"$arena" match --rotate --jobs 2 --replays "$replays" \
    "$bots/greedy" "$bots/greedy-python" "$bots/greedy-perl" "$bots/random-lua"
echo
echo "what to try next:
  $arena replay $replays/000000-0.replay         a match, decision by decision
  $arena match --games 20 --rotate $bots/greedy $bots/random
  $arena --help                                  all commands
  docs/bots.md                                   write a bot of your own"
