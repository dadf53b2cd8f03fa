#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, and runs every test. Ends with ctest's summary.
set -e
cd "$(dirname "$0")/.."

usage="usage: sh tests/run.sh [CTEST-OPTION ...]

Runs the whole suite: installs missing Debian packages (root or sudo), builds build/release, which most
scripts run, and build/debug (ASan and UBSan), and runs every test, four at a time, most of which wait. Options go to
ctest: -R REGEX runs those whose name matches, -N only lists them, -j 1 runs one at a time. Slower
suites have commands of their own: docs/operations.md."

case ${1-} in
-h | --help)
    echo "$usage"
    exit 0
    ;;
esac

. arena/setup.sh
setup_install $packages_to_build $packages_of_bots libcriterion-dev clang g++ libasan8 libubsan1 make \
    lld wasi-libc libclang-rt-14-dev-wasm32 bubblewrap procps util-linux clang-format clang-tidy curl strace openssl python3-dev python3-numpy python3-yaml lowdown librsvg2-2
# For the stores of PostgreSQL; the package would make and start a server of its own otherwise.
if ! [ -d /usr/lib/postgresql ]; then
    as_root=
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    $as_root mkdir -p /etc/postgresql-common &&
        echo "create_main_cluster = false" |
        $as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
fi
setup_install postgresql libpq-dev ||
    echo "PostgreSQL cannot be installed: the tests of its stores are skipped"
# Where systemd runs, the package would start a pooler of its own; the test starts its own.
[ -d /run/systemd/system ] || setup_install pgbouncer ||
    echo "pgbouncer cannot be installed: the test behind a pooler is skipped"
# For the test of the API behind a proxy; where systemd runs, the package would start a proxy.
[ -d /run/systemd/system ] || setup_install nginx-light caddy ||
    echo "nginx and caddy cannot be installed: the tests behind a proxy are skipped"
# For the tests of the pages, which are skipped without them.
setup_install chromium || echo "chromium cannot be installed: the tests of the pages are skipped"
command -v npm >/dev/null || setup_install nodejs npm ||
    echo "npm cannot be installed: the tests of the pages are skipped"
setup_build release arena/all bots/all sdk/all programs_of_scripts # what users run
setup_build debug
status=0
ctest --preset debug "$@" || status=$?
# Once more, below all that passed: the last lines of what each test that failed printed.
[ $status -eq 0 ] || awk -F: '
    FNR == NR { failed[$2]; next }
    / Testing: / { name = substr($2, 2) }
    /^Output:$/ { count = 0; next }
    /^<end of output>/ && name in failed {
        print "\n" name " failed; its last lines:"
        for (i = count > 30 ? count - 30 : 0; i < count; i++) print substr(lines[i], 1, 400)
    }
    { lines[count++] = $0 }
' build/debug/Testing/Temporary/LastTestsFailed.log build/debug/Testing/Temporary/LastTest.log
exit $status
