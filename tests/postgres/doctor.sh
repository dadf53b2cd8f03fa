#!/bin/sh
# SPDX-License-Identifier: MIT
# What `arena doctor --store` tells of a server: as it is, and after each thing that can be wrong.
. tests/postgres/begin.inc

# says STATUS LINE...: the exit status and what lines there are, as patterns
says()
{
    wanted=$1
    shift
    expect "$wanted" "" "$arena" doctor --store "$url"
    for line; do
        grep -q "^$line" "$folder/out" || fail "no line '$line'"
    done
}
url=$POSTGRES_TEST_URL
says 1 "PASS  reachable .*postgresql://postgres@127.0.0.1" "FAIL  schema .*there is no store in .*; fix: .*season new"
! grep -q firewall "$folder/out" || fail "an empty database is said to be out of reach"
"$arena" doctor --store "$url" --json >"$folder/json" || true
grep -q '"reachable":true' "$folder/json" || fail "an empty database: $(cat "$folder/json")"
"$arena" season new spring --store "$url" >/dev/null
says 0 "PASS  reachable .*postgresql://postgres@127.0.0.1" "PASS  schema " "PASS  server .*PostgreSQL" \
    "PASS  connection .*direct" "PASS  encryption .*none, on this machine" "PASS  clock .*0.0" \
    "WARN  durability .*fsync off.*; fix: "
"$arena" doctor --store "$url" --json | python3 -c '
import json, sys
told = json.load(sys.stdin)
assert told["reachable"] is True
assert {check["check"]: check["result"] for check in told["checks"]}["clock"] == "PASS"
assert all(check["cure"] for check in told["checks"] if check["result"] != "PASS")'

# hold SQL: a session that stays open after these statements, until let_go
hold()
{
    rm -f "$folder/statements"
    mkfifo "$folder/statements"
    $psql <"$folder/statements" >/dev/null 2>&1 &
    held=$! children=$!
    exec 3>"$folder/statements"
    echo "$1" >&3
}
let_go()
{
    exec 3>&-
    kill "$held" 2>/dev/null || true
    wait "$held" 2>/dev/null || true
    children=
}

# A transaction that stays open: its age is told; it is no fault before a minute has passed.
hold "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM bot;"
wait_until "the age of a transaction is not told" \
    '"$arena" doctor --store "$url" | grep -q "oldest xmin .*held for [0-9]* s by session"'
let_go

url=postgresql://postgres:secret@127.0.0.1:9/postgres
says 1 "FAIL  reachable .*cannot connect.*; fix: "
! grep -q secret "$folder/out" || exit 1
url=sqlite:$folder/here
says 1 "FAIL  schema .*there is no store in .*; fix: .*season new"
"$arena" season new spring --store "$url" >/dev/null
says 0 "PASS  reachable " "PASS  schema "
