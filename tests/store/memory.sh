#!/bin/sh
# The tests of the interface once more, with the back end in memory.
STORE_TEST_BACKEND=memory exec "$1/bin/test_store" --filter '{store,interface}/*'
