#!/bin/sh
# SPDX-License-Identifier: MIT
# Every language under the default profile: a thousand lines, each echoed before the next is sent.
# Then every build tool, as `arena build` runs it, by root and by an ordinary user. Takes the build
# folder; with --install behind it, installs what is missing (as root), else leaves those out and
# says so.
set -eu
usage="usage: sh tests/hostile/languages.sh [BUILD [--install]]"
case ${1-} in --help)
    echo "$usage"
    exit 0
    ;;
esac
build=$(cd "${1-build/release}" && pwd)
echo_many=$build/bin/echo_many
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
failed=0
with_gradle=

if [ "${2-}" = --install ]; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends gcc g++ libc6-dev \
        golang-go rustc cargo python3 lua5.4 perl ruby php-cli mono-runtime mono-mcs \
        libmono-system-core4.0-cil make cmake ninja-build node-typescript ant gradle >/dev/null
    with_gradle=1
    # Where another Node or JDK is installed, Debian's would fight with it.
    command -v node >/dev/null || apt-get install -y -q --no-install-recommends nodejs >/dev/null
    command -v javac >/dev/null ||
        apt-get install -y -q --no-install-recommends default-jdk-headless >/dev/null
fi

# language NAME NEEDED-PROGRAM: begins a folder for it; false if it is not installed.
language() {
    name=$1
    folder=$work/$1
    PATH=/usr/local/bin:/usr/bin:/bin command -v "$2" >/dev/null || {
        printf '%-14s not installed\n' "$name"
        return 1
    }
    mkdir "$folder"
    cd "$folder"
}

# echoes PROGRAM [ARGUMENT ...]: runs what is in the folder.
echoes() {
    chmod -R a+rX "$folder"
    printf '%-14s ' "$name"
    "$echo_many" "$folder" "$@" || failed=$((failed + 1))
    cd "$work"
}

for kind in -static -pie; do
    language c$kind gcc || continue
    cat >echo.c <<'C'
#include <stdio.h>
int main(void)
{
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        fputs(line, stdout);
        fflush(stdout);
    }
    return 0;
}
C
    gcc -O2 $kind echo.c -o echo
    echoes ./echo
done
if language c-threads gcc; then
    cat >echo.c <<'C'
#include <pthread.h>
#include <stdio.h>
static char line[256];
static void *echo(void *unused)
{
    fputs(line, stdout);
    fflush(stdout);
    return unused;
}
int main(void)
{
    while (fgets(line, sizeof line, stdin)) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, echo, NULL) != 0)
            return 1;
        pthread_join(thread, NULL);
    }
    return 0;
}
C
    gcc -O2 echo.c -o echo -lpthread
    echoes ./echo
fi
if language c++ g++; then
    cat >echo.cc <<'CC'
#include <future>
#include <iostream>
#include <string>
int main()
{
    std::string line;
    while (std::getline(std::cin, line))
        std::cout << std::async(std::launch::async, [&] { return line; }).get() << std::endl;
}
CC
    g++ -O2 echo.cc -o echo -lpthread
    echoes ./echo
fi
if language rust rustc; then
    cat >echo.rs <<'RUST'
use std::io::{self, BufRead, Write};
fn main() {
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let line = std::thread::spawn(move || line).join().unwrap();
        println!("{}", line);
        io::stdout().flush().unwrap();
    }
}
RUST
    PATH=/usr/local/bin:/usr/bin:/bin rustc -O echo.rs -o echo
    echoes ./echo
fi
if language go go; then
    cat >echo.go <<'GO'
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
)

func main() {
	scanner := bufio.NewScanner(os.Stdin)
	lines := make(chan string)
	go func() {
		for scanner.Scan() {
			lines <- scanner.Text()
		}
		close(lines)
	}()
	for line := range lines {
		fmt.Println(line)
		if len(line)%3 == 0 {
			runtime.GC()
		}
	}
}
GO
    HOME=$work GOFLAGS=-mod=mod GO111MODULE=off GOTOOLCHAIN=local \
        PATH=/usr/local/bin:/usr/bin:/bin go build -o echo echo.go
    echoes ./echo
fi
if language python-threads python3; then
    cat >echo.py <<'PYTHON'
import sys
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    for line in sys.stdin:
        print(pool.submit(str.rstrip, line).result(), flush=True)
PYTHON
    echoes python3 echo.py
fi
if language python-asyncio python3; then
    cat >echo.py <<'PYTHON'
import asyncio, sys
async def main():
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        await asyncio.sleep(0)
        sys.stdout.write((await loop.run_in_executor(None, bytes.decode, line)))
        sys.stdout.flush()
asyncio.run(main())
PYTHON
    echoes python3 echo.py
fi
if language node node; then
    cat >echo.js <<'JS'
const lines = require('readline').createInterface({ input: process.stdin });
lines.on('line', async line => { await null; process.stdout.write(line + '\n'); });
JS
    echoes node echo.js
fi
if language java javac; then
    cat >Echo.java <<'JAVA'
import java.io.*;
public class Echo {
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            System.out.print(line + "\n");
            System.out.flush();
        }
    }
}
JAVA
    PATH=/usr/local/bin:/usr/bin:/bin javac Echo.java
    echoes java Echo
fi
if language lua lua5.4; then
    cat >echo.lua <<'LUA'
for line in io.lines() do io.write(line, "\n") io.flush() end
LUA
    echoes lua5.4 echo.lua
fi
if language perl perl; then
    echo '$| = 1; while (<STDIN>) { print }' >echo.pl
    echoes perl echo.pl
fi
if language ruby ruby; then
    cat >echo.rb <<'RUBY'
$stdout.sync = true
while line = gets
  print Thread.new(line) { |text| text }.value
end
RUBY
    echoes ruby echo.rb
fi
if language php php; then
    echo '<?php while (($line = fgets(STDIN)) !== false) { echo $line; }' >echo.php
    echoes php echo.php
fi

# built_by STATUS SECONDS COMMAND...: the arena ends the build of this folder so, within that time;
# once as this user, and once as an ordinary one if this is root.
built_by() {
    wanted=$1 seconds_max=$2
    shift 2
    words=$(printf ', "%s"' "$@")
    printf '{"name": "bot", "version": "1", "author": "A", "run": ["sh", "-c", "true"], "build": [%s]}\n' \
        "${words#, }" >bot.json
    chmod -R a+rX "$folder"
    for user in $(id -u) $([ "$(id -u)" -ne 0 ] || echo 65534); do
        rm -rf "$work/home"
        mkdir "$work/home"
        as=
        [ "$user" = "$(id -u)" ] || {
            chown "$user" "$work/home"
            as="setpriv --reuid=$user --regid=$user --clear-groups"
        }
        status=0
        begun=$(date +%s)
        HOME=$work/home ARENA_HOME=$work/home $as "$build/bin/arena" build "$folder" >"$work/log" 2>&1 ||
            status=$?
        took=$(($(date +%s) - begun))
        [ "$status" = "$wanted" ] && [ "$took" -le "$seconds_max" ] || {
            echo "failed: as user $user: status $status after $took s:"
            tail -30 "$work/log"
            return 1
        }
    done
}

# makes FILE COMMAND...: that command builds FILE.
makes() {
    file=$1
    shift
    printf '%-14s ' "$name"
    if ! built_by 0 300 "$@"; then
        failed=$((failed + 1))
    elif ! [ -n "$(find "$work/home/cache/builds" -path "*/$file")" ]; then
        echo "failed: no $file was made"
        failed=$((failed + 1))
    else
        echo "$file in $took s"
    fi
    cd "$work"
}

# refused_to COMMAND...: that command fails by itself, before the time limit of a build.
refused_to() {
    printf '%-14s ' "$name"
    if built_by 2 240 "$@"; then
        echo "fails in $took s, as it should"
    else
        failed=$((failed + 1))
    fi
    cd "$work"
}

if language make make; then
    echo 'int main(void) { return 0; }' >bot.c
    printf 'bot: bot.o\n\tcc -o bot bot.o\n' >Makefile
    makes bot make
fi
cmake_project() {
    echo 'int main(void) { return 0; }' >bot.c
    printf 'cmake_minimum_required(VERSION 3.20)\nproject(bot C)\nadd_executable(bot bot.c)\n' \
        >CMakeLists.txt
    printf 'set -e\ncmake -G "%s" -B out\ncmake --build out\n' "$1" >build.sh
}
if language coreutils install; then # what build scripts call
    cat >build.sh <<'SH'
set -e
touch -d 2020-01-01 bot.txt
cp -a bot.txt copied
cp -p bot.txt kept
mv kept moved
install -D -m 755 bot.txt out/installed
tar cf out/bot.tar copied moved
tar xf out/bot.tar -C out
ls -l out >listed 2>&1
! grep . listed | grep 'not implemented\|not permitted'
ln -s out link
rm -r out/copied
cp -r out again
SH
    touch bot.txt
    makes again/bot.tar sh build.sh
fi
if language cmake-make cmake; then
    cmake_project 'Unix Makefiles'
    makes out/bot sh build.sh
fi
if language cmake-ninja ninja; then
    cmake_project Ninja
    makes out/bot sh build.sh
fi
if language cargo cargo; then
    mkdir -p src vendor/answer/src .cargo
    echo 'fn main() { println!("{}", answer::answer()); }' >src/main.rs
    printf '[package]\nname = "bot"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nanswer = "1"\n' >Cargo.toml
    echo 'pub fn answer() -> u32 { 42 }' >vendor/answer/src/lib.rs
    printf '[package]\nname = "answer"\nversion = "1.0.0"\nedition = "2021"\n' >vendor/answer/Cargo.toml
    echo '{"files": {}}' >vendor/answer/.cargo-checksum.json
    printf '[source.crates-io]\nreplace-with = "vendored"\n[source.vendored]\ndirectory = "vendor"\n' \
        >.cargo/config.toml
    makes target/release/bot cargo build --release --offline
fi
if language go-vendored go; then
    mkdir -p vendor/example.org/answer
    printf 'package main\n\nimport "example.org/answer"\n\nfunc main() { println(answer.Answer) }\n' >bot.go
    printf 'module bot\n\ngo 1.19\n\nrequire example.org/answer v1.0.0\n' >go.mod
    printf '# example.org/answer v1.0.0\n## explicit\nexample.org/answer\n' >vendor/modules.txt
    printf 'package answer\n\nconst Answer = 42\n' >vendor/example.org/answer/answer.go
    makes bot go build -mod=vendor -o bot
fi
if language javac javac; then
    echo 'public class Bot { public static void main(String[] arguments) { } }' >Bot.java
    makes Bot.class javac Bot.java
fi
if language ant ant; then
    echo 'public class Bot { public static void main(String[] arguments) { } }' >Bot.java
    echo '<project default="bot"><target name="bot"><javac srcdir="." includeantruntime="false"/>
<jar destfile="bot.jar" basedir="." includes="*.class"/></target></project>' >build.xml
    makes bot.jar ant
fi
# It talks to itself over the loopback interface: without a daemon over UDP, with one also over TCP.
gradle_project() {
    mkdir -p src/main/java
    echo 'public class Bot { public static void main(String[] arguments) { } }' \
        >src/main/java/Bot.java
    echo "apply plugin: 'java'" >build.gradle
    echo "rootProject.name = 'bot'" >settings.gradle
}
if [ -n "$with_gradle" ] && language gradle gradle; then # a minute or two
    gradle_project
    makes build/libs/bot.jar gradle --offline --no-daemon build
fi
if [ -n "$with_gradle" ] && language gradle-daemon gradle; then
    gradle_project
    makes build/libs/bot.jar gradle --offline build
fi
if language tsc tsc; then
    echo 'const answer: number = 42; console.log(answer);' >bot.ts
    makes bot.js tsc bot.ts
fi
if language mcs mcs; then
    echo 'class Bot { static void Main() { } }' >bot.cs
    makes bot.exe mcs bot.cs
fi
# What it lacks it would fetch: without a network that fails at once.
if language npm-ci npm; then
    echo '{"name": "bot", "version": "1.0.0", "dependencies": {"left-pad": "1.3.0"}}' >package.json
    cat >package-lock.json <<'JSON'
{"name": "bot", "version": "1.0.0", "lockfileVersion": 3, "requires": true, "packages": {
  "": {"name": "bot", "version": "1.0.0", "dependencies": {"left-pad": "1.3.0"}},
  "node_modules/left-pad": {"version": "1.3.0",
    "resolved": "https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz"}}}
JSON
    refused_to npm ci
fi
[ "$failed" = 0 ] || {
    echo "$failed languages or tools failed"
    exit 1
}
