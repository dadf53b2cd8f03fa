#!/bin/sh
# A limit of the shell (ulimit) that the arena cannot live with is one line that names it, and exit
# status 1; where it only allows fewer games at a time, fewer are played.
set -eu
arena=$1/bin/arena
bot=$1/bots/random
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refused LIMIT FLAG COMMAND...: under `ulimit LIMIT` the command names FLAG in its only line.
refused() {
    limit=$1
    flag=$2
    shift 2
    status=0
    told=$(
        ulimit $limit
        exec "$arena" "$@" 2>&1 >/dev/null
    ) || status=$?
    [ "$status" = 1 ] && [ "$(printf '%s\n' "$told" | wc -l)" = 1 ] || {
        printf 'ulimit %s: %s exits with %s:\n%s\n' "$limit" "$*" "$status" "$told"
        exit 1
    }
    case $told in *"(ulimit $flag)"*) ;; *)
        printf 'ulimit %s: %s: %s\n' "$limit" "$*" "$told"
        exit 1
        ;;
    esac
}

refused '-n 32' -n match "$bot" "$bot"
refused '-n 80' -n match "$bot" "$bot"
refused '-f 0' -f match "$bot" "$bot"
refused '-f 8' -f submit --store "$work/home" "$bot"
refused '-s 64' -s match "$bot" "$bot"
refused '-s 64' -s bots --store "$work/home"
# A sanitizer reserves more than such limits allow.
if ! grep -q __asan_init "$arena"; then
    refused '-d 1000' -d match "$bot" "$bot"
    refused '-v 100000' -v match "$bot" "$bot"
fi

(
    ulimit -n 150
    exec "$arena" match --games 12 --jobs 8 "$bot" "$bot"
) >"$work/out" 2>"$work/err"
grep -q '^arena: 2 of 8 games at a time: the limit on open files (ulimit -n) is 150' "$work/err"
[ "$(wc -l <"$work/err")" = 1 ]

# With 72 descriptors for the arena and 18 for each bot: just enough, and one too few.
for row in '108 1 2' '143 1 2' '144 2 3' '180 3 4'; do
    # shellcheck disable=SC2086
    set -- $row
    (
        ulimit -n "$1"
        exec "$arena" match --games 1 --jobs "$3" "$bot" "$bot"
    ) >"$work/out" 2>"$work/err"
    grep -q "^arena: $2 of $3 games at a time: the limit on open files (ulimit -n) is $1" "$work/err"
done
refused '-n 107' -n match "$bot" "$bot"

# A small stack that may grow is made larger.
(
    ulimit -S -s 512
    exec "$arena" match "$bot" "$bot"
) >"$work/out" 2>"$work/err"
[ ! -s "$work/err" ]
