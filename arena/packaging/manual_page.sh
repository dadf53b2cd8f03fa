#!/bin/sh
# SPDX-License-Identifier: MIT
# A document of docs/ as a man page of section 5, by lowdown.
#     sh arena/packaging/manual_page.sh FILE NAME VERSION 'what it says' >NAME.5
set -eu

file=$1 name=$2 version=$3 says=$4
printf '.TH %s 5 "" "Pavilion %s" "Pavilion"\n.SH NAME\n%s \\- %s\n' "$(printf %s "$name" | tr a-z A-Z)" "$version" "$name" "$says"
# The title is the name; font C is groff's alone, and a paragraph that begins a section needs no .PP.
sed '1d; s/^#\(#\)/\1/' "$file" | lowdown -Tman --nroff-nolinks |
    sed 's/\\fC/\\fB/g' |
    awk '/^\.S[HS]$/ { printf "%s ", $0; begins = 2; next } begins && /^\.[PL]P$/ { begins = 0; next } { begins -= begins > 0; print }'
printf '.SH SEE ALSO\n.BR arena (1)'
for other in arena-api arena-bot arena-protocol; do
    [ "$other" = "$name" ] || printf ',\n.BR %s (5)' "$other"
done
echo
