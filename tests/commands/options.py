"""The least and the greatest value of each option are taken, the next ones are refused, in one line,
and so are options that a command does not have.

A value is taken if what the command complains of is the unknown option after it. Nothing is run.

usage: options.py BUILD
"""
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ARENA = os.path.abspath(sys.argv[1]) + "/bin/arena"
HOURS = 86400

# command, option, least, greatest, what a refusal says
NUMBERS = [
    ("match", "--games", 1, 999999, "is not a number from 1 to 999999"),
    ("match", "--jobs", 1, 512, "is not a number from 1 to 512"),
    ("match", "--memory", 16, 1 << 20, "is not a number of MiB from 16 to 1048576"),
    ("match", "--build-space", 1, 1 << 20, "is not a number of MiB from 1 to 1048576"),
    ("check", "--check-games", 1, 9, "is not a number from 1 to 9"),
    ("submit", "--check-games", 1, 9, "is not a number from 1 to 9"),
    ("sprt", "--max-groups", 1, 1000000, "is not a number from 1 to 1000000"),
    ("season new", "--budget", 1, 1000000000, "is not a number of games from 1 to 1000000000"),
    ("season run", "--games", 1, (1 << 63) - 1, "is not a number of games from 1 on"),
    ("season close", "--wait", 0, 1000000, "is not a number of seconds from 0 to 1000000"),
    ("serve", "--every", 0, HOURS, "is not a number of seconds from 0 to 86400"),
    ("serve", "--drain", 0, HOURS, "is not a number of seconds from 0 to 86400"),
    ("serve", "--packages-a-day", 1, 1 << 40, "is not a number from 1 to 1099511627776"),
    ("serve", "--package-bytes", 1, 1 << 40, "is not a number from 1 to 1099511627776"),
    ("serve", "--bots-an-author", 1, 1 << 40, "is not a number from 1 to 1099511627776"),
    ("serve", "--build-seconds", 1, HOURS, "is not a number of seconds from 1 to 86400"),
    ("serve", "--check-seconds", 1, HOURS, "is not a number of seconds from 1 to 86400"),
    ("worker", "--lease", 3, HOURS, "is not a number of seconds from 3 to 86400"),
    ("worker", "--drain", 0, HOURS, "is not a number of seconds from 0 to 86400"),
    ("worker", "--cache-bytes", 512 << 20, 1 << 50, "is not a number of bytes from 536870912"),
]

# command, option, words that are taken, words that are not
WORDS = [
    ("match", "--board", ("colored", "gray"), ("grey", "Gray", "", "colored "), "is neither colored nor gray"),
    ("match", "--require", ("full", "lite", "none"), ("most", ""), "is neither none, lite nor full"),
    ("match", "--seed", ("00112233445566778899aAbBcCdDeEfF",),
     ("0011223344556677889900112233445", "001122334455667788990011223344556", "g" * 32, "0" * 31 + ":"),
     "is not 32 hex digits"),
    ("match", "--clock", ("turn=1,bank=0,gain=0,start=1", "gain=5", "bank=0"), ("turn=0,bank=0", "trun=5", "turn"), ""),
    ("season new", "--authors", ("apart", "free"), ("a part", ""), "is neither apart nor free"),
    ("season new", "--stderr", ("private", "publish"), ("none", ""), "is neither private nor publish"),
    ("season new", "--players", ("2", "2,3", "4,2"), ("1", "5", "2,", "2;3", "x", ""), ""),
    ("season new", "--board", ("colored", "gray"), ("grey", ""), ""),
    ("season new", "--keep", ("all",), ("some", ""), ""),
    ("season new", "--seed", ("0" * 32,), ("0" * 31,), "is not 32 hex digits"),
    ("sprt", "--elo0", ("-5", "0.5", "1e1"), ("x", "", "1x", "inf", "nan"), ""),
    ("sprt", "--beta", ("0.05", "0.2"), ("b", "0.05x"), ""),
    ("worker", "--name", ("a", "x" * 64), ("", "x" * 65, "a\nb"), "is 1 to 64 bytes of text"),
]

# what is typed, what the refusal says: mistyped names, and options that only other subcommands have
UNKNOWN = [
    ("match --job 2", "match: unknown option '--job'; did you mean '--jobs'?"),
    ("match --gmaes=3", "unknown option '--gmaes'; did you mean '--games'?"),
    ("match --open=x", "match: --open takes no argument"),
    ("match --xyzzy", "match: unknown option '--xyzzy': see `arena match --help`"),
    ("mach", "unknown command 'mach'; did you mean 'arena match'?"),
    ("season shwo x", "season: unknown command 'shwo'; did you mean 'arena season show'?"),
    ("season new x --all", "season new: unknown option '--all'"),
    ("season new x --wait 5", "season new: unknown option '--wait'"),
    ("season show x --wait 5", "season show: unknown option '--wait'"),
    ("season list --budget 3", "season list: unknown option '--budget'"),
    ("season close x --json", "season close: unknown option '--json'"),
    ("season extend x --players 2", "season extend: unknown option '--players'"),
    ("season roster x --seed 1", "season roster: unknown option '--seed'"),
    ("submit x --pin", "submit: unknown option '--pin'"),
    ("submit x --jobs 3", "submit: unknown option '--jobs'"),
    ("store copy a b --replays", "store copy: unknown option '--replays'"),
    ("season roster x --only a --all", "--all cannot be combined with --only"),
    ("match --freeze --no-freeze a b", "--freeze cannot be combined with --no-freeze"),
]

failures = []


def run(*arguments):
    with tempfile.TemporaryDirectory() as room:
        done = subprocess.run([ARENA, *arguments], capture_output=True, text=True, timeout=60, cwd=room,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, ARENA_HOME=room + "/home"))
        if os.listdir(room):
            failures.append(f"{arguments}: left {os.listdir(room)}")
    return done


def takes(command, option, value):
    done = run(*command.split(), option, value, "--no-such-option")
    if done.returncode != 2 or "--no-such-option" not in done.stderr or done.stdout:
        failures.append(f"{command} {option} {value!r}: {done.returncode}: {done.stderr}{done.stdout}")


def refuses(command, option, value, words):
    done = run(*command.split(), option, value, "--no-such-option")
    one_line = done.stderr.count("\n") == 1
    if done.returncode != 2 or not one_line or option not in done.stderr or words not in done.stderr or done.stdout:
        failures.append(f"{command} {option} {value!r}: {done.returncode}: {done.stderr}{done.stdout}")


def check_number(row):
    command, option, least, greatest, words = row
    strange = ("", " 1", "+1", "1.0", str(1 << 64)) if option == "--games" else ()
    for value in least, greatest:
        takes(command, option, str(value))
    for value in least - 1, greatest + 1, f"{least}x", *strange:
        refuses(command, option, str(value), words)


def check_word(row):
    command, option, taken, refused, words = row
    for value in taken:
        takes(command, option, value)
    for value in refused:
        refuses(command, option, value, words)


def check_unknown(row):
    typed, said = row
    done = run(*typed.split())
    if done.returncode != 2 or done.stderr.count("\n") != 1 or said not in done.stderr or done.stdout:
        failures.append(f"{typed}: {done.returncode}: {done.stderr}{done.stdout}")


with ThreadPoolExecutor(4) as pool:
    list(pool.map(check_number, NUMBERS))
    list(pool.map(check_word, WORDS))
    list(pool.map(check_unknown, UNKNOWN))
for failure in failures:
    print(failure)
sys.exit(bool(failures))
