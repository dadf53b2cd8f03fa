#!/bin/sh
# Every language under the default profile: a thousand lines, each echoed before the next
# is sent. Takes the build folder; with --install behind it, installs what is missing (as
# root), else leaves those languages out and says so.
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

if [ "${2-}" = --install ]; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends gcc g++ libc6-dev \
        golang-go rustc python3 lua5.4 perl ruby php-cli >/dev/null
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

c_source='#include <stdio.h>
int main(void)
{
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        fputs(line, stdout);
        fflush(stdout);
    }
    return 0;
}'

if language c-static gcc; then
    echo "$c_source" >echo.c
    gcc -O2 -static echo.c -o echo
    echoes ./echo
fi
if language c-dynamic gcc; then
    echo "$c_source" >echo.c
    gcc -O2 echo.c -o echo
    echoes ./echo
fi
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
if language python python3; then
    cat >echo.py <<'PYTHON'
import sys
for line in sys.stdin:
    print(line, end="", flush=True)
PYTHON
    echoes python3 echo.py
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
if language mono mcs; then
    cat >echo.cs <<'CS'
using System;
class Echo {
    static void Main() {
        for (string line; (line = Console.ReadLine()) != null;) Console.WriteLine(line);
    }
}
CS
    mcs echo.cs
    echoes mono echo.exe
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
if language sh sh; then
    echo 'while read -r line; do echo "$line"; done' >echo.sh
    echoes sh echo.sh
fi
[ "$failed" = 0 ] || {
    echo "$failed languages failed"
    exit 1
}
