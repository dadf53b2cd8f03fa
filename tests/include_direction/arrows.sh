#!/bin/sh
# Includes run one way: docs/architecture.md says why. First the check is checked: each
# planted include that goes against an arrow must be found.
set -eu

# Prints every include below the folder $1 that goes against an arrow.
find_wrong() {
    (cd "$1" && find engine sandbox sdk bots arena -path sdk/kits -prune -o -name '*.[ch]' -exec \
        grep -Hn '^[[:space:]]*#[[:space:]]*include' {} +) | awk -F: '
    BEGIN {
        own["engine"] = "^engine/"
        own["sandbox"] = "^sandbox/"
        own["sdk"] = "^(sdk|engine)/"
        own["bots"] = "^(bots|sdk|engine)/"
        own["arena"] = "^(arena/|engine/|sandbox/|sdk/wire\\.h$)"
        # The rules are pure: no input and output, no clock, no allocation.
        system_headers["engine"] = "^(assert|limits|stdbool|stddef|stdint|string|immintrin)\\.h$"
        # One confined child: no event loop, no wire, no database.
        foreign["sdk"] = "^(ev|sqlite3|libpq|jansson|archive|seccomp)"
        foreign["sandbox"] = "^(ev|msgpack|sqlite3|libpq|jansson|archive)"
    }
    {
        split($1, path, "/")
        folder = path[1]
        line = $0
        sub(/^[^:]*:[^:]*:/, "", line)
        name = line
        sub(/^[^<"]*[<"]/, "", name)
        sub(/[>"].*$/, "", name)
        # Pages are written for commands, and for whoever publishes: no other room knows them.
        if (line ~ /"arena\/site\//)
            wrong = $1 !~ /^arena\/(site|commands|serve)\//
        # Statements and tables are known to the store alone, and a library of a database to its driver.
        else if (line ~ /"arena\/store\/(sql|schema)\.h"/)
            wrong = $1 !~ /^arena\/store\//
        else if (line ~ /<(sqlite3|libpq-fe)\.h>/)
            wrong = $1 !~ /^arena\/store\/(sqlite|postgres|planted)\.c/
        else if (line ~ /"/)
            wrong = name !~ own[folder]
        else
            wrong = (folder in system_headers && name !~ system_headers[folder] &&
                     $1 !~ /\/make_[a-z_]*\.c$/) || # writes tables when the project is built
                    (folder in foreign && name ~ foreign[folder])
        if (wrong)
            print $1 ":" $2 ": " line
    }'
}

planted=$(mktemp -d)
trap 'rm -r "$planted"' EXIT
mkdir "$planted"/engine "$planted"/sandbox "$planted"/sdk "$planted"/bots "$planted"/arena
plant() {
    find "$planted" -name planted.c -delete
    mkdir -p "$planted/$1"
    echo "#include $2" >"$planted/$1/planted.c"
    count=$(find_wrong "$planted" | wc -l)
    [ "$count" -eq "$3" ] || { echo "$1 includes $2: $count found, not $3"; exit 1; }
}
plant engine '"engine/board.h"' 0
plant engine '<stdint.h>' 0
plant engine '<stdio.h>' 1
plant engine '<time.h>' 1
plant engine '"sdk/wire.h"' 1
plant engine '"arena/play/match.h"' 1
plant sandbox '"engine/game.h"' 1
plant sandbox '<ev.h>' 1
plant sandbox '<sys/prctl.h>' 0
plant sdk '"sandbox/sandbox.h"' 1
plant sdk '"engine/game.h"' 0
plant bots '"arena/play/clock.h"' 1
plant bots '"sdk/sdk.h"' 0
plant arena '"sdk/wire.h"' 0
plant arena '"sdk/sdk.h"' 1
plant arena '"sdk/wire_read.h"' 1
plant arena '"bots/lookahead/worth.h"' 1
plant arena '"sandbox/sandbox.h"' 0
plant arena '"tests/play/match.h"' 1
plant arena '"match.h"' 1
plant arena '"arena/site/html.h"' 1
plant arena/site '"arena/site/html.h"' 0
plant arena/commands '"arena/site/viewer.h"' 0
plant arena/play '"arena/site/viewer.h"' 1
plant engine '"arena/site/html.h"' 1
plant arena/season '"arena/store/sql.h"' 1
plant arena/store '"arena/store/sql.h"' 0
plant arena/season '<libpq-fe.h>' 1
plant arena/store '<libpq-fe.h>' 0

wrong=$(find_wrong .)
[ -z "$wrong" ] || { echo "includes against the arrows:"; echo "$wrong"; exit 1; }
echo "all includes run along the arrows"
