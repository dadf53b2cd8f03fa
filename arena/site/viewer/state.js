"use strict";
// The match as the arena wrote it into the page: positions are lines of characters, a decision is
// a list of changes to them (arena/site/viewer.c). No rule of the game is applied here.
const $ = (id) => document.getElementById(id);
const match = JSON.parse($("match").textContent);
const P = match.players;
const D = 2 * P + 1;
const N = match.steps.length;
const moves = [...document.querySelectorAll("#moves a")];

const lines = [match.first];
for (const step of match.steps) {
  const line = lines[lines.length - 1].split("");
  for (let i = 0; i < step.length; i += 3)
    line[parseInt(step.slice(i, i + 2), 36)] = step[i + 2];
  lines.push(line.join(""));
}

const number = (c) => (c === "-" || c === "." ? -1 : parseInt(c, 36));

// The position before decision t.
function positionAt(t) {
  const line = lines[t];
  let at = 0;
  const one = () => number(line[at++]);
  const two = () => parseInt(line.slice(at, (at += 2)), 36);
  const some = (count) => Array.from({ length: count }, one);
  const position = {
    t, round: one(), phase: one(), player: one(), start: one(), token: one(), bonus: one(),
    displays: Array.from({ length: D }, () => some(6)),
    center: some(6), supply: some(6), bag: some(6), tower: some(6),
  };
  position.wild = position.round - 1;
  position.seats = Array.from({ length: P }, () => ({
    score: two(), passed: one() === 1, hand: some(6), corners: some(6),
    stars: Array.from({ length: 7 }, () => some(6)),
  }));
  return position;
}

// The line of decision k in words.
const wordsOf = (k) => moves[k].textContent.slice(String(k).length + 1);
