#!/bin/sh
# SPDX-License-Identifier: MIT
# The tests of the store's interface once more, with PostgreSQL.
set -u
here=$(dirname "$0")
[ -n "${POSTGRES_TEST_URL-}" ] || exec sh "$here/with_server" sh "$0" "$@"

said=$(STORE_TEST_BACKEND=postgres "$1/bin/test_store" \
    --filter "@(store|interface|control|submissions|authors|challenges|leases|upgrades|copy)/*" 2>&1)
status=$?
echo "$said"
[ $status -eq 0 ] || tail -n 40 "$POSTGRES_TEST_FOLDER/log"
# A filter that finds nothing would pass.
echo "$said" | grep -q "Tested: [1-9][0-9]" || exit 1
exit $status
