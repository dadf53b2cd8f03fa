#!/bin/sh
# SPDX-License-Identifier: MIT
# The site has all that an author needs: documents, none of whose links is dead, and each kit as a
# zip of what `arena new` writes. A second publication writes none of them again.
. tests/begin.inc
set +e
root=$PWD
cd "$folder"
"$arena" season new cup --clock turn=120,bank=3000,gain=5 >/dev/null || exit 1
"$arena" publish web >/dev/null || fail "not published"
for name in index without-linux learn bots rules protocol sdk python api keys seasons; do
    [ -s "web/docs/$name.html" ] || fail "docs/$name.html is missing"
done
cmp web/docs/openapi.json "$root/docs/openapi.json" || fail "openapi.json is another one"
python3 "$root/tests/site/links.py" web >out || fail "$(cat out)"
# Links are seen to be checked.
cp -r web broken
sed -i 's/href="rules.html"/href="rule.html"/' broken/docs/index.html
sed -i 's/href="protocol.html#the-clock"/href="protocol.html#the-clok"/; s/id="check-it"/id="check"/' broken/docs/bots.html
python3 "$root/tests/site/links.py" broken >out && fail "dead links were not found"
[ "$(grep -c 'leads nowhere' out)" -ge 2 ] || fail "$(cat out)"
python3 -c 'import pathlib, zipfile
for kit in pathlib.Path("web/kits").iterdir():
    zipfile.ZipFile(kit).extractall("unpacked/" + kit.stem)' || fail "the kits cannot be unpacked"
for kit in $("$arena" new --list | cut -d ' ' -f 1); do
    "$arena" new --lang "$kit" --name my-bot --author 'your name' my-bot >/dev/null || fail "$kit"
    diff -r my-bot "unpacked/$kit/my-bot" || fail "$kit.zip is not the kit"
    grep -q "href=\"../kits/$kit.zip\"" web/docs/index.html || fail "$kit.zip is not listed"
    rm -r my-bot
done
# Who has a kit from the site has its pages, and no docs/. Kits for C have sources of the arena in pavilion/.
grep -rnE --exclude-dir=pavilion '[^/]docs/[a-z]+\.md' unpacked && fail "a kit names a document of the sources alone"
grep -rhoE '/docs/[a-z]+\.html' unpacked | sort -u >named
[ -s named ] || fail "no kit names a page"
while read -r page; do
    [ -s "web$page" ] || fail "a kit names $page, which is missing"
done <named
# The test that the page names, of a kit whose language is here.
(cd unpacked/python/my-bot && /usr/bin/python3 test_bot.py 2>"$folder/err") || fail "the kit's test"
grep -q '<pre>unzip python.zip -d python &amp;&amp; cd python/my-bot$' web/docs/index.html ||
    fail "kits overwrite each other where they are unpacked"
# The home page tries a bot with the season's clock, and checks it where it is to play.
grep -q 'arena match --clock turn=120,bank=3000,gain=5 ' web/index.html || fail "a match has another clock than the season"
grep -q 'arena submit --check --wait my-bot ' web/index.html || fail "the arena's own check is not named"
# Who has no program learns that an answer may come before the end.
grep -q 'until its <code>state</code> is <code>admitted</code> or <code>refused</code>' web/docs/without-linux.html ||
    fail "when a submission has ended is not told"
# Both pages say which bots may be challenged, and follow the arena.
grep -q 'since this arena has no reference bot;.*or a bot of an author' web/docs/index.html || fail "no reference bot: not told"
grep -q 'opponent=OTHER"' web/docs/without-linux.html || fail "no reference bot: not in the command"
"$arena" submit --check-games 1 --reference "$build/bots/random" >/dev/null && "$arena" publish web >/dev/null || fail "no reference bot"
for name in index without-linux; do
    grep -q 'this arena has <code>random</code>; another bot of yours' "web/docs/$name.html" || fail "$name: who may be challenged"
done
! cat web/docs/index.html web/docs/without-linux.html | tr '\n' ' ' | grep -q 'challenges  *\.' || fail "a blank before a full stop"
grep -q 'opponent=random"' web/docs/without-linux.html || fail "the command names another bot"
find web/docs web/kits -type f -printf '%P %i\n' | sort >before
"$arena" publish web >/dev/null
find web/docs web/kits -type f -printf '%P %i\n' | sort >after
cmp before after || fail "written again"
"$arena" publish whole >/dev/null
diff -rq web/kits whole/kits || fail "kits differ from one publication to the next"
# The program, if the organizer gives it: the page has its sum, and its file is kept like others.
grep -q 'id="program"' web/docs/index.html && fail "a program that nobody gave is offered"
head -c 300000 /dev/urandom >program.tar.gz
"$arena" publish --program program.tar.gz web >/dev/null || fail "not published with the program"
cmp program.tar.gz web/program/arena-x86_64.tar.gz || fail "another program is served"
grep -q "$(sha256sum <program.tar.gz | cut -d ' ' -f 1)" web/docs/index.html || fail "its sum is not told"
"$arena" publish --program program.tar.gz --json web | grep -q '"written":0,' || fail "the program is written again"
python3 "$root/tests/site/links.py" web >out || fail "$(cat out)"
expect 2 'nothing.gz: No such file' "$arena" publish --program nothing.gz web
"$arena" season new docs >out 2>&1 && fail "a season has the documents' folder"
grep -q 'choose another name' out || fail "$(cat out)"
