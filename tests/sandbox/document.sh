#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/sandbox.md says what each ruling means that 'arena doctor --calls' prints.
set -eu
arena=$1/bin/arena
said=$(sed -n '/^| ruling | /,/^$/p' docs/sandbox.md)
rulings=$("$arena" doctor --calls | sed -n 's/^| `[^|]* | \([^|]*\) |.*/\1/p' | sort -u)
[ "$(echo "$rulings" | wc -l)" -ge 5 ] || { echo "arena doctor --calls prints no rulings"; exit 1; }
# "allowed if ..." and "allowed in a build ..." are one row.
echo "$rulings" | sed 's/^allowed.*/allowed/' | sort -u | while read -r ruling; do
    echo "$said" | grep -q "^| $ruling\( |\|;\)" || { echo "docs/sandbox.md does not say what '$ruling' means"; exit 1; }
done
