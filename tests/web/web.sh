#!/bin/sh
# `arena serve --web` over loopback with curl: the contract of docs/api.md, status by status.
exec python3 "$(dirname "$0")/web.py" "$1"
