#!/bin/sh
# SPDX-License-Identifier: MIT
# Every source file names its license, as machines read it.
set -eu
bare=$(find .ci engine sandbox sdk bots arena tests CMakeLists.txt -type d \( -name build -o -name node_modules -o -name __pycache__ \) -prune -o \
    -type f \( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.sh' -o -name '*.py' -o -name '*.pyi' -o -name '*.pl' -o -name '*.rb' -o -name '*.lua' -o \
    -name '*.js' -o -name '*.ts' -o -name '*.rs' -o -name '*.go' -o -name '*.java' -o -name '*.cs' -o -name '*.css' -o -name '*.sql' -o -name '*.inc' -o \
    -name '*.in' -o -name '*.cmake' -o -name '*.service' -o -name CMakeLists.txt -o -name Makefile \) \
    -exec grep -L 'SPDX-License-Identifier: MIT' {} +)
[ -z "$bare" ] || { printf '%s\n' "no line SPDX-License-Identifier: MIT:" "$bare"; exit 1; }
