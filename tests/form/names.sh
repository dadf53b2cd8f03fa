#!/bin/sh
# SPDX-License-Identifier: MIT
# What is written down twice is there twice: a test names each file of tests/golden, and each table that
# docs/scale.md sizes is a table of the store. Who runs seasons is the organizer. No line of the docs is
# longer than 160 bytes but in tables and code. Pages are templates.
set -eu
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

# unnamed FOLDER: the files of FOLDER that no file of the tests names, in full or as "BEGINNING-$..."
unnamed()
{
    for file in "$1"/*; do
        name=${file##*/}
        grep -rqF -e "$name" -e "${name%-*}-\$" --include='*.c' --include='*.h' --include='*.inc' --include='*.sh' \
            --include='*.py' --include='CMakeLists.txt' tests || echo "$file"
    done
}

# strangers PAGE: the tables of its column of sizes that the store does not have
strangers()
{
    sed -n 's/^| `\([a-z_]*\)` | [0-9,]* .*/\1/p' "$1" | while read -r table; do
        grep -qF "] = {\"$table\"," arena/store/tables.c || echo "$table"
    done
}

# other_words FOLDER...: where somebody else runs seasons (a Python module has that name, too)
other_words()
{
    grep -rnwiE "operators?" "$@" --include='*.[ch]' --include='*.md' --include='*.py' --include='*.sh' --include='*.txt' \
        --exclude-dir=python --exclude=names.sh || true
}

# markup FOLDER...: HTML that is written in C: pages are templates (arena/site/templates), or made of Markdown
markup()
{
    grep -rnE '"[^"]*<(/[a-z]|[a-z][a-z0-9]*[ >])' "$@" --include='*.c' | grep -vE '/(html|template|embed_docs)\.c:' || true
}

# long_lines PAGE...: lines of more than 160 bytes outside tables and code
long_lines()
{
    awk 'FNR == 1 { code = 0 } /^ *```/ { code = !code }
        !code && !/^\|/ && !/^    / && length > 160 { print FILENAME ":" FNR ": " length " bytes" }' "$@"
}

# First the checks are checked.
touch "$scratch/planted$$"
[ "$(unnamed "$scratch")" = "$scratch/planted$$" ] || { echo "a planted file was not found"; exit 1; }
echo '| `no_table` | 550 |' >"$scratch/page.md"
[ "$(strangers "$scratch/page.md")" = no_table ] || { echo "a planted table was not found"; exit 1; }
echo "The operator decides." >"$scratch/page.md"
[ -n "$(other_words "$scratch")" ] || { echo "a planted word was not found"; exit 1; }
echo 'fputs("<p class=\"a\">", page);' >"$scratch/page.c"
[ -n "$(markup "$scratch")" ] || { echo "planted markup was not found"; exit 1; }
{
    printf '```\n%0161d\n```\n| %0161d |\n' 0 0
    printf '%0161d\n' 0
} >"$scratch/page.md"
[ "$(long_lines "$scratch/page.md")" = "$scratch/page.md:5: 161 bytes" ] || { echo "a long line was not found"; exit 1; }

[ -n "$(sed -n 's/^| `\([a-z_]*\)` | [0-9,]* .*/\1/p' docs/scale.md)" ] || { echo "docs/scale.md sizes no table"; exit 1; }
files=$(unnamed tests/golden) tables=$(strangers docs/scale.md)
[ -z "$files" ] || { echo "no test names: $files"; exit 1; }
[ -z "$tables" ] || { echo "docs/scale.md sizes tables that are gone: $tables"; exit 1; }
words=$(other_words arena bots docs engine sandbox sdk tests README.md)
[ -z "$words" ] || { echo "who runs seasons is the organizer: $words"; exit 1; }
html=$(markup arena/site arena/web)
[ -z "$html" ] || { echo "HTML in C, which belongs into a template: $html"; exit 1; }
lines=$(long_lines README.md docs/*.md sdk/kits/*/README.md)
[ -z "$lines" ] || { echo "break these lines after at most 160 bytes: $lines"; exit 1; }
echo "golden files are named by tests, sized tables exist, the organizer has one name, pages are templates"
