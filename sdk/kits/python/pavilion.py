# SPDX-License-Identifier: MIT
"""Names for what the arena tells. Rules and protocol: /docs/rules.html, /docs/protocol.html on its site."""

from typing import NamedTuple

PURPLE, GREEN, ORANGE, YELLOW, BLUE, RED = range(6)
COLOR_NAMES = ("purple", "green", "orange", "yellow", "blue", "red")
CENTER_STAR = 6  # stars 0 to 5 lie around it, clockwise from the top left
CENTER = -1  # a draft's source: the center of the table; displays are 0, 1, ...
EMPTY = -1  # on a star: no tile


# Colors of the outer stars on the colored side: orange, red, blue, yellow, green, purple.
STAR_COLORS = (2, 5, 4, 3, 1, 0)
# Bonus features: the tiles that each gives once its spaces (star, position) are filled.
FEATURES = (
    # pillars
    (1, ((0, 1), (0, 2), (6, 5), (6, 0))),
    (1, ((1, 1), (1, 2), (6, 0), (6, 1))),
    (1, ((2, 1), (2, 2), (6, 1), (6, 2))),
    (1, ((3, 1), (3, 2), (6, 2), (6, 3))),
    (1, ((4, 1), (4, 2), (6, 3), (6, 4))),
    (1, ((5, 1), (5, 2), (6, 4), (6, 5))),
    # statues
    (2, ((0, 0), (0, 1), (1, 2), (1, 3))),
    (2, ((1, 0), (1, 1), (2, 2), (2, 3))),
    (2, ((2, 0), (2, 1), (3, 2), (3, 3))),
    (2, ((3, 0), (3, 1), (4, 2), (4, 3))),
    (2, ((4, 0), (4, 1), (5, 2), (5, 3))),
    (2, ((5, 0), (5, 1), (0, 2), (0, 3))),
    # windows
    (3, ((0, 4), (0, 5))),
    (3, ((1, 4), (1, 5))),
    (3, ((2, 4), (2, 5))),
    (3, ((3, 4), (3, 5))),
    (3, ((4, 4), (4, 5))),
    (3, ((5, 4), (5, 5))),
)


class Draft(NamedTuple):
    source: int
    color: int


class Place(NamedTuple):
    star: int
    position: int
    color: int
    wilds: int  # how many of the tiles spent are of the wild color


class Bonus(NamedTuple):
    tiles: tuple  # taken from the supply, counts by color


class Pass(NamedTuple):
    tiles: tuple  # kept for the next round, counts by color


def to_action(wire):
    kind, *numbers = wire
    if kind == "draft":
        return Draft(*numbers)
    if kind == "place":
        return Place(*numbers)
    return (Bonus if kind == "bonus" else Pass)(tuple(numbers[0]))


class Turn:
    """One decision that is due."""

    def __init__(self, hello, message):
        self.number = message["turn"]
        self.seat = hello["seat"]
        self.board = hello["board"]  # "colored" or "gray"
        self.clock = hello["clock"]  # turn_ms and more
        self.bank_ms = message["bank_ms"]
        self.state = message["state"]  # as the protocol lists it
        self.actions = [to_action(action) for action in message["actions"]]  # every legal one
        self.note = ""  # set it, and the replay shows it with this decision

    @property
    def me(self):
        """My score, hand, corners and stars."""
        return self.state["players"][self.seat]

    @property
    def wild(self):
        """This round's wild color."""
        return self.state["wild"]

    def tiles_at(self, source):
        """The tiles of a display or of the center, counts by color."""
        return self.state["center"] if source == CENTER else self.state["displays"][source]


def cost(board, star, position):
    """How many tiles a space takes."""
    if board == "colored":
        return position + 1
    return 3 if star == CENTER_STAR else (3, 2, 1, 4, 5, 6)[position]


def run_length(star, position):
    """The points for a tile on that position: the run of filled spaces that it joins."""
    length = 1
    for step in (1, -1):
        at = (position + step) % 6
        while star[at] != EMPTY and length < 6:
            length += 1
            at = (at + step) % 6
    return length
