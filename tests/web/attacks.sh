#!/bin/sh
# Floods, slow and ambiguous requests, guessed tokens and a full disk: the arena stays reachable.
exec python3 "$(dirname "$0")/attacks.py" "$1"
