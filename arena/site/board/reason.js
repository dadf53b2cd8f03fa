// SPDX-License-Identifier: MIT
// What an action prepares and what it costs, in words, from the positions before and after it.
const FEATURE_NAMES = ["pillar", "statue", "window"];
const STAR_POINTS = [20, 18, 17, 16, 15, 14]; // by color, of a full star

// The dearest space of each color that tiles pay for: "Then pays for up to: green 2, blue 4."
function tellReach(tiles, wild, match) {
  const can = COLORS.filter((c) => c !== wild && tiles[c]).map((c) => [c, Math.min(6, tiles[c] + tiles[wild])]);
  if (tiles[wild]) can.push([wild, Math.min(6, tiles[wild])]);
  return can.length ? `Then pays for up to: ${can.map(([c, most]) => `${match.colors[c]} ${most}`).join(", ")}.` : "";
}

// The words of a decision that was not made: "take 2 green" for "takes 2 green".
const would = (words) => words.replace(/\b(take|place|keep|play)s\b/g, "$1").replace(/^passes/, "pass");

// What a star scores when it is full: its color is given, or what lies there decides. One tile decides
// nothing on a star that takes any color, and in the center of the colored side each color lies once.
function tellFull(filled, star, match) {
  const one = `+${STAR_POINTS[filled[0]]} at the end`;
  if (match.starColors[star] >= 0 || filled[1] === filled[0]) return one;
  return filled.length === 1 && match.starColors[0] < 0 ? `${one} in one color, +12 in six` : "+12 at the end";
}

function reasonOfPlace(before, after, seat, match, board) {
  const [was, now] = [before.seats[seat], after.seats[seat]];
  const star = now.stars.findIndex((spaces, s) => spaces.some((color, p) => color >= 0 && was.stars[s][p] < 0));
  const p = now.stars[star].findIndex((color, i) => color >= 0 && was.stars[star][i] < 0);
  const parts = [];
  const filled = now.stars[star].filter((color) => color >= 0);
  const whole = tellFull(filled, star, match);
  parts.push(filled.length === 6 ? `The ${match.stars[star]} is full: ${whole}`
    : `${filled.length} of 6 on the ${match.stars[star]} (full: ${whole})`);
  FEATURE_NAMES.forEach((name, kind) => {
    const count = match.features.slice(6 * kind, 6 * kind + 6).filter((spaces) =>
      spaces.some(([s, q]) => s === star && q === p) && spaces.filter(([s, q]) => now.stars[s][q] < 0).length === 1).length;
    if (count)
      parts.push(`1 space left for ${count > 1 ? `each of ${count} ${name}s` : `a ${name}`} (${kind + 1} bonus tile${kind ? "s" : ""})`);
  });
  const cost = match.costs[star][p];
  const left = match.costs.flatMap((costs, s) => costs.filter((one, q) => one === cost && now.stars[s][q] < 0)).length;
  if (cost <= 4 && left <= 3)
    parts.push(left ? `${left} more ${cost}${left > 1 ? "s" : ""} for all of them (+${4 * cost})` : `all ${cost}s are filled: +${4 * cost}`);
  return `${parts.join("; ")}. Leaves ${board.tell(now.hand)}.`;
}

function reasonOf(before, after, seat, match, board) {
  const [was, now] = [before.seats[seat], after.seats[seat]];
  if (before.phase === 1 && sum(now.stars.flat().map((c) => c >= 0)) > sum(was.stars.flat().map((c) => c >= 0)))
    return reasonOfPlace(before, after, seat, match, board);
  if (before.phase === 0) {
    const more = after.phase === 0 ? sum(after.center) - sum(before.center) : 0;
    const first = before.token < 0 && after.token === seat;
    return tellReach(now.hand, before.wild, match) +
      (more > 0 ? ` Leaves ${more} tile${more > 1 ? "s" : ""} to the center.` : "") +
      (first ? ` The start token costs ${was.score - now.score} point${was.score - now.score === 1 ? "" : "s"}.` : "");
  }
  if (before.phase === 2) return tellReach(now.hand, before.wild, match);
  const kept = after.round === before.round ? now.corners : now.hand;
  const lost = sum(was.hand) - sum(kept);
  return (lost > 0 ? `Discards ${lost} tile${lost === 1 ? "" : "s"}. ` : "") + (before.round === 6 ? ""
    : `In round ${before.round + 1} ${match.colors[before.wild + 1]} is wild. ` + tellReach(kept, before.wild + 1, match));
}
