// SPDX-License-Identifier: MIT
// Names for what the arena tells. Rules and protocol: /docs/rules.html, /docs/protocol.html on its site.

export enum Color {
  Purple = 0,
  Green = 1,
  Orange = 2,
  Yellow = 3,
  Blue = 4,
  Red = 5,
}
export const COLOR_NAMES = ["purple", "green", "orange", "yellow", "blue", "red"] as const;
export const CENTER_STAR = 6; // stars 0 to 5 lie around it, clockwise from the top left
export const CENTER = -1; // a draft's source: the center of the table; displays are 0, 1, ...
export const EMPTY = -1; // on a star: no tile

export type Board = "colored" | "gray";
/** Tiles by color. */
export type Counts = number[];
/** The color on each space, or EMPTY. */
export type Star = number[];

/** The terms of a match. */
export interface Hello {
  seat: number;
  board: Board;
  clock: { turn_ms: number; bank_ms: number; gain_ms: number; start_ms: number };
  seed: number;
}

/** What everybody sees of one seat. */
export interface Player {
  score: number;
  hand: Counts;
  corners: Counts;
  passed: boolean;
  stars: Star[];
}

/** All that a player at the table can see. */
export interface State {
  round: number;
  phase: "draft" | "place" | "bonus" | "over";
  wild: Color;
  start: number;
  token: number; // who holds it, -1 while it lies in the center
  bonus: number;
  displays: Counts[];
  center: Counts;
  supply: Counts;
  bag: Counts;
  tower: Counts;
  players: Player[];
}

/** One decision. wilds: how many of the tiles spent are of the wild color. */
export type Action =
  | { kind: "draft"; source: number; color: Color }
  | { kind: "place"; star: number; position: number; color: Color; wilds: number }
  | { kind: "bonus"; tiles: Counts } // taken from the supply
  | { kind: "pass"; tiles: Counts }; // kept for the next round

type WireAction =
  | ["draft", number, number]
  | ["place", number, number, number, number]
  | ["bonus" | "pass", Counts];

export interface TurnMessage {
  turn: number;
  state: State;
  actions: WireAction[];
  bank_ms: number;
}

function toAction(wire: WireAction): Action {
  switch (wire[0]) {
    case "draft":
      return { kind: "draft", source: wire[1], color: wire[2] };
    case "place":
      return { kind: "place", star: wire[1], position: wire[2], color: wire[3], wilds: wire[4] };
    default:
      return { kind: wire[0], tiles: wire[1] };
  }
}

/** One decision that is due. */
export class Turn {
  readonly number: number;
  readonly state: State;
  readonly actions: Action[]; // every legal one
  readonly bankMs: number;
  note = ""; // set it, and the replay shows it with this decision

  constructor(
    readonly hello: Hello,
    message: TurnMessage,
  ) {
    this.number = message.turn;
    this.state = message.state;
    this.actions = message.actions.map(toAction);
    this.bankMs = message.bank_ms;
  }

  /** My score, hand, corners and stars. */
  get me(): Player {
    return this.state.players[this.hello.seat];
  }

  /** This round's wild color. */
  get wild(): Color {
    return this.state.wild;
  }

  /** The tiles of a display or of the center. */
  tilesAt(source: number): Counts {
    return source === CENTER ? this.state.center : this.state.displays[source];
  }
}

/** Colors of the outer stars on the colored side: orange, red, blue, yellow, green, purple. */
export const STAR_COLORS: readonly number[] = [2, 5, 4, 3, 1, 0];

/** Bonus features: the tiles that each gives once its spaces (star, position) are filled. */
export const FEATURES: readonly { tiles: number; spaces: [number, number][] }[] = [
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
export function cost(board: Board, star: number, position: number): number {
  if (board === "colored") return position + 1;
  return star === CENTER_STAR ? 3 : [3, 2, 1, 4, 5, 6][position];
}

/** The points for a tile on that position: the run of filled spaces that it joins. */
export function runLength(star: Star, position: number): number {
  let length = 1;
  for (const step of [1, 5]) {
    for (let at = (position + step) % 6; star[at] !== EMPTY && length < 6; at = (at + step) % 6) {
      length += 1;
    }
  }
  return length;
}
