#!/bin/sh
# SPDX-License-Identifier: MIT
# From nothing to a ladder: installs what is missing, builds, and lets the bundled bots play.
set -e
cd "$(dirname "$0")/.."

usage="usage: sh arena/demo.sh

Installs missing Debian packages (root or sudo), builds build/release, submits the bundled bots,
plays a season of about a minute between them and prints its ladder. What it plays is kept in
build/demo: run again, it goes on where it was, and once the season is played shows its ladder."

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
setup_build release arena/all bots/all

arena=build/release/bin/arena
bots=build/release/bots
export ARENA_HOME="$PWD/build/demo"

# Each step is left out if an earlier run has done it.
for bot in maestro steady lookahead greedy greedy-python greedy-perl random-lua random; do
    "$arena" bots 2>/dev/null | grep -q "^$bot " || "$arena" submit --ranked "$bots/$bot"
done
"$arena" season show demo >/dev/null 2>&1 ||
    "$arena" season new demo --players 2 --board colored --budget 800 --clock turn=20,bank=500
"$arena" season run demo --jobs "$(nproc)"
echo
"$arena" ladder demo
echo
"$arena" publish build/demo/site
echo "a site to look at: open build/demo/site/index.html in a browser, or serve the folder:
  python3 -m http.server --bind 127.0.0.1 --directory build/demo/site"
echo
echo "what to try next (with ARENA_HOME=build/demo):
  $arena games demo | tail                         the season's games, by id
  $arena replay demo-000000-0                      one of them, decision by decision
  $arena season new mine --players 2,3,4 --board both --budget 600
  $arena match --games 20 --rotate $bots/greedy $bots/random
  $arena check MY-BOT                              is my bot fit to play?
  docs/bots.md                                     write a bot of your own"
