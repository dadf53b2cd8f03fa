# SPDX-License-Identifier: MIT
"""What the scripts of this folder expect of a wrong call."""


def refused(error, words, call, *arguments, **keywords):
    try:
        call(*arguments, **keywords)
    except error as raised:
        assert words in str(raised), f"{raised!r} does not say {words!r}"
    else:
        raise AssertionError(f"no {error.__name__}: {words}")
