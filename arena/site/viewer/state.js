"use strict";
// The match as the arena wrote it into the page: positions are lines of characters, a decision is
// a list of changes to them (arena/site/viewer.c). No rule of the game is applied here.
const $ = (id) => document.getElementById(id);
const match = JSON.parse($("match").textContent);
const P = match.players;
const D = 2 * P + 1;
const N = match.steps.length;
const moves = [...document.querySelectorAll("#moves a")];
moves.forEach((move, t) => (move.href = "#t=" + t));

const lines = [match.first];
for (const step of match.steps) {
  const line = lines[lines.length - 1].split("");
  for (let i = 0; i < step.length; i += 3)
    line[parseInt(step.slice(i, i + 2), 36)] = step[i + 2];
  lines.push(line.join(""));
}

match.seats = lines.slice(0, N).map((line) => Number(line[2]));

// The seat whose result the page explains and whose mistakes it counts: the loser, or the seat that
// a link names.
const LOSER = match.ranks.lastIndexOf(Math.max(...match.ranks));
let whose = LOSER;

// Position t is the one before decision t; position N is the end. #t=39 shows decision 39.
const nameOf = (t) => "#t=" + t + (whose === LOSER ? "" : "&seat=" + whose);
const positionAt = (t) => parsePosition(lines[t], t, P);

// Decision k in words, with and without the name of the seat.
const wordsOf = (k) => moves[k].textContent.slice(String(k).length + 1);
const actionOf = (k) => wordsOf(k).slice(match.names[match.seats[k]].length + 1);
