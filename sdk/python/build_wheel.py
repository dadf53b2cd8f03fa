# SPDX-License-Identifier: MIT
"""Builds the wheel of pavilion_lab for pip: compiles the engine, the bots and the module, and packs them.

It is a build backend (PEP 517) of Python's own library, so that `pip install ./sdk/python` works without an index: no
setuptools, no wheel. Sources are taken from the project's tree; the wheel needs no tree. CFLAGS are added to the
compiler's options, CC names another compiler.
"""

import base64
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sysconfig
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TAG = f"cp311-abi3-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"  # Py_LIMITED_API of lab.h
OPTIONS = ["-O3", "-fPIC", "-std=gnu11", "-fno-strict-aliasing", "-fno-semantic-interposition", "-fvisibility=hidden",
           "-D_GNU_SOURCE", f"-I{ROOT}"]


def _run(*command):
    words = [str(word) for word in command]
    try:
        result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except FileNotFoundError:
        raise SystemExit(f"pavilion_lab: there is no C compiler '{words[0]}': install gcc, or name one in CC") from None
    if result.returncode != 0:
        raise SystemExit(f"pavilion_lab: {shlex.join(words)}: {result.stderr.decode(errors='replace')}")
    return result.stdout


def _compile(folder):
    """Makes the module in folder, and returns its path."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    flags = shlex.split(os.environ.get("CFLAGS", ""))
    headers = sysconfig.get_path("include")
    if not pathlib.Path(headers, "Python.h").exists():
        raise SystemExit(f"pavilion_lab: {headers}/Python.h is missing: install Python's headers (Debian: python3-dev)")
    _run(*compiler, *OPTIONS, *flags, ROOT / "engine/tables/make_lists.c", "-o", folder / "make_lists")
    (folder / "lists.c").write_bytes(_run(folder / "make_lists"))
    engine = [path for path in sorted(ROOT.glob("engine/*.c")) if path.name != "notation.c"]
    whole = folder / "engine.c"  # one piece, so that all of it can be inlined (engine/CMakeLists.txt)
    whole.write_text("".join(f'#include "{path}"\n' for path in (*engine, folder / "lists.c")))
    sources = [whole, ROOT / "engine/notation.c", ROOT / "sdk/policy.c", *sorted(HERE.glob("*.c")),
               *sorted(ROOT.glob("sdk/steady/*.c")), *sorted(ROOT.glob("bots/search/*.c"))]
    options = [*OPTIONS, f'-DTABLES_FOLDER="{ROOT}/sdk/steady/tables"',
               f'-DNET_FILE="{ROOT}/bots/search/2-colored.net"', f"-I{headers}", *flags]

    def compile_one(numbered):
        number, source = numbered
        _run(*compiler, *options, "-c", source, "-o", folder / f"{number}.o")
        return folder / f"{number}.o"

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        objects = list(threads.map(compile_one, enumerate(sources)))
    module = folder / "_engine.abi3.so"
    _run(*compiler, "-shared", "-s", *flags, *objects, "-lm", "-lpthread", "-o", module)
    return module


def _version():
    return re.search(r"project\(pavilion VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def _metadata():
    return f"""Metadata-Version: 2.1
Name: pavilion-lab
Version: {_version()}
Summary: Azul: Summer Pavilion in your process: the engine and bots of a bot arena, for search and for learning
License: MIT
Requires-Python: >=3.11
Provides-Extra: arrays
Requires-Dist: numpy; extra == "arrays"
"""


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel into a folder and returns its name."""
    name, about = f"pavilion_lab-{_version()}-{TAG}.whl", f"pavilion_lab-{_version()}.dist-info"
    record = []

    with tempfile.TemporaryDirectory() as folder, \
            zipfile.ZipFile(pathlib.Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        def put(place, content):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            wheel.writestr(zipfile.ZipInfo(place, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
            record.append(f"{place},sha256={digest},{len(content)}\n")

        for path in sorted(HERE.glob("pavilion_lab/*.py*")):
            put(f"pavilion_lab/{path.name}", path.read_bytes())
        put("pavilion_lab/py.typed", b"")
        put("pavilion_lab/_engine.abi3.so", _compile(pathlib.Path(folder)).read_bytes())
        put(f"{about}/LICENSE", (ROOT / "LICENSE").read_bytes())
        put(f"{about}/METADATA", _metadata().encode())
        put(f"{about}/WHEEL", f"Wheel-Version: 1.0\nGenerator: build_wheel\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode())
        wheel.writestr(f"{about}/RECORD", "".join(record) + f"{about}/RECORD,,\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("pavilion_lab: its sources are those of the project's tree: build a wheel there (pip wheel)")
