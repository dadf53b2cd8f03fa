#!/bin/sh
# SPDX-License-Identifier: MIT
# Stores of each version of the schema that are kept are upgraded on both servers (tests/store/upgrades.py).
exec sh "$(dirname "$0")/with_server" /usr/bin/python3 tests/store/upgrades.py "$1"
