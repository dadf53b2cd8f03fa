#!/bin/sh
# What nobody should type: one line on standard error that names it, nothing on standard
# output, exit status 2. A row a case: the words that the line has to say, then the arguments.
set -u
arena=$(realpath "$1")/bin/arena
bots=$(realpath "$1")/bots
room=$(mktemp -d)
trap 'rm -r "$room"' EXIT
export TMPDIR="$room"
cd "$room" || exit 1
failed=0

refuses() {
    words=$1
    shift
    "$arena" "$@" >out 2>err </dev/null
    status=$?
    if [ $status -ne 2 ] || [ -s out ] || [ "$(wc -l <err)" -ne 1 ] ||
        ! grep -qF -- "$words" err; then
        echo "arena $*: status $status, $(wc -c <out) bytes of output, and says:"
        cat err
        failed=1
    fi
}

make_bot() { # name, manifest
    mkdir "$1"
    printf '#!/bin/sh\n' >"$1/bot"
    chmod +x "$1/bot"
    [ -z "$2" ] || echo "$2" >"$1/bot.json"
}

random=$bots/random
make_bot bare ''
make_bot broken '{"run": ['
make_bot empty '{}'
make_bot odd '{"run": "./bot"}'
make_bot lost '{"run": ["./nothing"]}'
make_bot unbuilt '{"run": ["./bot"], "build": ["sh", "-c", "echo first >&2; echo last; exit 1"]}'
make_bot unbuildable '{"run": ["./bot"], "build": ["no-such-compiler"]}'
make_bot unrunnable '{"run": ["./bot"]}'
chmod -x unrunnable/bot
echo text >plain
mkdir taken shut
touch taken/000000-0.replay
"$arena" match --replays good --seed 000102030405060708090a0b0c0d0e0f "$random" "$random" >/dev/null
good=good/000000-0.replay
head -c 1000 "$good" >torn
{ cat "$good"; echo; } >longer
{ head -c 999 "$good"; printf X; tail -c +1001 "$good"; } >altered
: >nothing

refuses "2 to 4 bots" match "$random" "$random" "$random" "$random" "$random"
refuses "typo: no such folder or executable, and no bot of that name" play --home "$room/none" typo
refuses "TYPO: no such folder or executable, and no bot of that name" play TYPO

refuses "missing: no such folder or executable" match "$random" missing
refuses "stedy: no such folder or executable; did you mean 'steady', a bot that comes" match "$random" stedy
refuses "did you mean 'greedy'" play graedy
refuses "did you mean 'random'" check randm
refuses "bare" match "$random" bare
refuses "broken/bot.json" match "$random" broken
refuses '"run" is missing' match "$random" empty
refuses "odd/bot.json" match "$random" odd
refuses "./nothing" match "$random" lost
refuses "chmod +x" match "$random" unrunnable
refuses "plain: is not executable" match "$random" plain
refuses "unbuildable: the bot's build failed" match "$random" unbuildable
refuses "/dev/null" match "$random" /dev/null

refuses "--replays plain" match --replays plain "$random" "$random"
refuses "--replays plain/where" match --replays plain/where "$random" "$random"

refuses "missing.replay" replay missing.replay
refuses "taken" replay taken
refuses "nothing: offset 0: " replay nothing
refuses "torn: offset " replay --verify torn
refuses "torn: offset " replay --json torn
refuses "longer: offset " replay --verify longer
refuses "altered: offset " replay --verify altered
refuses "plain: offset " replay plain
refuses "$good: already exists and is not a page of the arena" replay --html "$good" "$good"
refuses "no/where.html: No such file" replay --html no/where.html "$good"
refuses "torn: offset " replay --html page.html torn

# Nothing says where the store is, or no system call can name it.
long=/$(head -c 5000 /dev/zero | tr '\0' x)
for command in bots "ladder one" "games one" "season list" "retire one" submissions status; do
    # shellcheck disable=SC2086
    (
        unset HOME ARENA_HOME ARENA_STORE
        refuses "no store: set HOME or ARENA_HOME, or name the arena's folder with --home" $command
        refuses "the path of the store is too long" $command --home "$long"
        exit $failed
    ) || failed=1
done

# A home of another user's: whose it is.
if [ "$(id -u)" -eq 0 ]; then
    "$arena" season new cup --home "$room/theirs" >out
    chown -R daemon "$room/theirs"
    for command in bots status "season list"; do
        # shellcheck disable=SC2086
        chmod 755 "$room"
        setpriv --reuid=65534 --regid=65534 --clear-groups "$arena" $command --home "$room/theirs" >out 2>err && failed=1
        grep -q "theirs: belongs to user daemon: run the command as that user" err || { cat err; failed=1; }
    done
fi

# What was there stays as it was, and nothing of any run is left.
[ ! -s taken/000000-0.replay ] || { echo "a replay was written over"; failed=1; }
left=$(find . -name 'arena-stage-*')
[ -z "$left" ] || { echo "copies left: $left"; failed=1; }
exit $failed
