#!/bin/sh
# SPDX-License-Identifier: MIT
# A daemon that runs for a while with all that an arena has: seasons of good, slow and hostile bots,
# submissions every few seconds, seasons that begin and end, publications, replays that are pruned. Prints every ten seconds what
# it holds, and fails if memory, descriptors, processes or folders grow.
#
# usage: sh tests/soak.sh [SECONDS [BUILD]]
exec python3 "$(dirname "$0")/serve/soak.py" "${2:-build/release}" "${1:-1800}"
