// SPDX-License-Identifier: MIT
// Names for what the arena tells. Rules and protocol: /docs/rules.html, /docs/protocol.html on its site.

export const Color = Object.freeze({ PURPLE: 0, GREEN: 1, ORANGE: 2, YELLOW: 3, BLUE: 4, RED: 5 });
export const COLOR_NAMES = ["purple", "green", "orange", "yellow", "blue", "red"];
export const CENTER_STAR = 6; // stars 0 to 5 lie around it, clockwise from the top left
export const CENTER = -1; // a draft's source: the center of the table; displays are 0, 1, ...
export const EMPTY = -1; // on a star: no tile

/**
 * An action by name: {kind: "draft", source, color}, {kind: "place", star, position, color, wilds},
 * {kind: "bonus", tiles} (taken from the supply) or {kind: "pass", tiles} (kept for the next round).
 * tiles are counts by color; wilds is how many of the tiles spent are of the wild color.
 */
function toAction([kind, ...numbers]) {
  if (kind === "draft") {
    const [source, color] = numbers;
    return { kind, source, color };
  }
  if (kind === "place") {
    const [star, position, color, wilds] = numbers;
    return { kind, star, position, color, wilds };
  }
  return { kind, tiles: numbers[0] };
}

/** One decision that is due. */
export class Turn {
  constructor(hello, message) {
    this.number = message.turn;
    this.seat = hello.seat;
    this.board = hello.board; // "colored" or "gray"
    this.clock = hello.clock; // turn_ms and more
    this.bankMs = message.bank_ms;
    this.state = message.state; // as the protocol lists it
    this.actions = message.actions.map(toAction); // every legal one
    this.note = ""; // set it, and the replay shows it with this decision
  }

  /** My score, hand, corners and stars. */
  get me() {
    return this.state.players[this.seat];
  }

  /** This round's wild color. */
  get wild() {
    return this.state.wild;
  }

  /** The tiles of a display or of the center, counts by color. */
  tilesAt(source) {
    return source === CENTER ? this.state.center : this.state.displays[source];
  }
}

/** Colors of the outer stars on the colored side: orange, red, blue, yellow, green, purple. */
export const STAR_COLORS = [2, 5, 4, 3, 1, 0];

/** Bonus features: the tiles that each gives once its spaces (star, position) are filled. */
export const FEATURES = [
  // pillars
  { tiles: 1, spaces: [[0, 1], [0, 2], [6, 5], [6, 0]] },
  { tiles: 1, spaces: [[1, 1], [1, 2], [6, 0], [6, 1]] },
  { tiles: 1, spaces: [[2, 1], [2, 2], [6, 1], [6, 2]] },
  { tiles: 1, spaces: [[3, 1], [3, 2], [6, 2], [6, 3]] },
  { tiles: 1, spaces: [[4, 1], [4, 2], [6, 3], [6, 4]] },
  { tiles: 1, spaces: [[5, 1], [5, 2], [6, 4], [6, 5]] },
  // statues
  { tiles: 2, spaces: [[0, 0], [0, 1], [1, 2], [1, 3]] },
  { tiles: 2, spaces: [[1, 0], [1, 1], [2, 2], [2, 3]] },
  { tiles: 2, spaces: [[2, 0], [2, 1], [3, 2], [3, 3]] },
  { tiles: 2, spaces: [[3, 0], [3, 1], [4, 2], [4, 3]] },
  { tiles: 2, spaces: [[4, 0], [4, 1], [5, 2], [5, 3]] },
  { tiles: 2, spaces: [[5, 0], [5, 1], [0, 2], [0, 3]] },
  // windows
  { tiles: 3, spaces: [[0, 4], [0, 5]] },
  { tiles: 3, spaces: [[1, 4], [1, 5]] },
  { tiles: 3, spaces: [[2, 4], [2, 5]] },
  { tiles: 3, spaces: [[3, 4], [3, 5]] },
  { tiles: 3, spaces: [[4, 4], [4, 5]] },
  { tiles: 3, spaces: [[5, 4], [5, 5]] },
];

/** How many tiles a space takes. */
export function cost(board, star, position) {
  if (board === "colored") return position + 1;
  return star === CENTER_STAR ? 3 : [3, 2, 1, 4, 5, 6][position];
}

/** The points for a tile on that position: the run of filled spaces that it joins. */
export function runLength(star, position) {
  let length = 1;
  for (const step of [1, 5]) {
    for (let at = (position + step) % 6; star[at] !== EMPTY && length < 6; at = (at + step) % 6) {
      length += 1;
    }
  }
  return length;
}
