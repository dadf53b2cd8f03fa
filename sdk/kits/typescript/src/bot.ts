// SPDX-License-Identifier: MIT
// The bot: choose() is all that the arena asks of it. Change it as you like.
import { Action, CENTER, Color, Turn, runLength } from "./pavilion.js";

/** One of turn.actions. */
export function choose(turn: Turn): Action {
  let best = turn.actions[0];
  for (const action of turn.actions) {
    if (worth(turn, action) > worth(turn, best)) best = action;
  }
  return best;
}

/** How good an action looks. What to try next: see the README. */
function worth(turn: Turn, action: Action): number {
  switch (action.kind) {
    case "draft":
      return draftWorth(turn, action.source, action.color);
    case "place": {
      // Points now. Wild tiles are worth keeping.
      const points = runLength(turn.me.stars[action.star], action.position);
      return 100 + 10 * points - action.wilds;
    }
    case "bonus": // what goes with the tiles that are in the hand already
      return sum(action.tiles.map((count, color) => count * (1 + turn.me.hand[color])));
    case "pass": // a last resort, keeping what can be kept
      return sum(action.tiles);
  }
}

function draftWorth(turn: Turn, source: number, color: Color): number {
  const tiles = turn.tilesAt(source);
  let worth = tiles[color];
  if (color !== turn.wild && tiles[turn.wild] > 0) worth += 2; // a wild tile comes along
  if (source === CENTER && turn.state.token === -1) worth -= 2; // it loses points
  return worth;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
