#!/bin/sh
# SPDX-License-Identifier: MIT
# The package as a user of pip gets it, without an index: a fresh virtual environment builds the wheel, another one,
# in a folder without the project's tree, installs it and runs the package's own tests. Needs python3-venv, a C
# compiler and python3-dev; the tests that take arrays need python3-numpy and python3-msgpack.
# usage: venv.sh [FOLDER]
set -eu
cd "$(dirname "$0")/../.."
python=/usr/bin/python3
folder=$(realpath "${1:-$(mktemp -d)}")
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1
unset PYTHONPATH

$python -m venv "$folder/builder"
"$folder/builder/bin/pip" -q wheel --wheel-dir "$folder/wheel" ./sdk/python
"$folder/builder/bin/pip" -q install ./sdk/python
mkdir -p "$folder/elsewhere/tests" "$folder/elsewhere/sdk/kits"
cp -r tests/python tests/golden "$folder/elsewhere/tests"
cp -r sdk/kits/shared "$folder/elsewhere/sdk/kits"
cd "$folder/elsewhere"
"$folder/builder/bin/python" -m pavilion_lab | grep "^in $folder/builder/"

$python -m venv --system-site-packages "$folder/user"
"$folder/user/bin/pip" -q install "$folder"/wheel/pavilion_lab-*.whl
"$folder/user/bin/python" -m pavilion_lab | grep "^in $folder/user/.*, numpy"
"$folder/user/bin/python" tests/python/wrong.py
"$folder/user/bin/python" tests/python/environments.py
"$folder/user/bin/python" tests/python/games.py 50
"$folder/user/bin/pip" -q uninstall -y pavilion-lab
# (The machine may have one of its own: python3-pavilion-lab.)
if "$folder/user/bin/python" -c 'import pavilion_lab; print(pavilion_lab.__file__)' 2>/dev/null | grep "^$folder/user/"; then
    echo "venv: the package is still there after pip uninstall"
    exit 1
fi
echo "venv: wheel built in one environment, installed and tested in another"
