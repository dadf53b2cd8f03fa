# SPDX-License-Identifier: MIT
# Asks the bot what `arena replay --request` saved.
set -e
PATH=/usr/bin:/bin cargo build --offline
exec gdb -ex 'break bot::bot::choose' -ex 'run <../turn.msgpack >/dev/null' target/debug/bot
