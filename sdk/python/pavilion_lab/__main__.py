# SPDX-License-Identifier: MIT
"""python -m pavilion_lab: what this package is, where it is, and that it plays."""

import os
import sys

import pavilion_lab


def main():
    try:
        import numpy
        arrays = f"numpy {numpy.__version__}"
    except ImportError:
        arrays = "numpy is not installed: Game works; Batch, masks and observations need it"
    game = pavilion_lab.Game(seed=1)
    while not game.over:
        game.apply(game.greedy())
    print(pavilion_lab.__doc__.strip())
    print(f"\nin {os.path.dirname(pavilion_lab.__file__)}, Python {sys.version.split()[0]}, {arrays}")
    print(f"a game of greedy against itself: {' to '.join(map(str, game.scores()))}")


main()
