// SPDX-License-Identifier: MIT
"use strict";
// The match as the arena wrote it into the page: positions are lines of characters, a decision is
// a list of changes to them (arena/site/viewer.c). No rule of the game is applied here.
const $ = (id) => document.getElementById(id);
const match = JSON.parse($("match").textContent);
const P = match.players;
let N = 0; // decisions; a match under way has more and more
const moves = [];
const lines = [match.first];
match.seats = [];

// Takes in the decisions that were added to the match and to the list.
function takeSteps() {
  for (; N < match.steps.length; N++) {
    const line = lines[N].split("");
    match.seats.push(Number(line[2]));
    for (let i = 0; i < match.steps[N].length; i += 3)
      line[parseInt(match.steps[N].slice(i, i + 2), 36)] = match.steps[N][i + 2];
    lines.push(line.join(""));
  }
  for (const move of [...document.querySelectorAll("#moves a")].slice(moves.length))
    moves[moves.push(move) - 1].href = "#t=" + (moves.length - 1);
}
takeSteps();

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
