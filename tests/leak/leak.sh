#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a leaking test program, in the environment in which all tests run, and sees that this
# run fails although its only test passes. Without that environment it does not fail, which is
# why it is there.
leaking=$1
output=$("$leaking" 2>&1) && { echo "a leak passed: $output"; exit 1; }
case $output in
*LeakSanitizer*"Passing: 1"* | *"Passing: 1"*LeakSanitizer*) echo "a leak fails the run" ;;
*) echo "it failed for another reason: $output"; exit 1 ;;
esac
