// SPDX-License-Identifier: MIT
const number = (c) => (c === "-" || c === "." ? -1 : parseInt(c, 36));

// Reads a position of P players before decision t from its line of characters (arena/site/viewer.c).
function parsePosition(line, t, P) {
  let at = 0;
  const one = () => number(line[at++]);
  const two = () => parseInt(line.slice(at, (at += 2)), 36);
  const some = (count) => Array.from({ length: count }, one);
  const position = {
    t, round: one(), phase: one(), player: one(), start: one(), token: one(), bonus: one(),
    displays: Array.from({ length: 2 * P + 1 }, () => some(6)),
    center: some(6), supply: some(6), bag: some(6), tower: some(6),
  };
  position.wild = position.round - 1;
  position.seats = Array.from({ length: P }, () => ({
    score: two(), passed: one() === 1, hand: some(6), corners: some(6),
    stars: Array.from({ length: 7 }, () => some(6)),
  }));
  return position;
}
