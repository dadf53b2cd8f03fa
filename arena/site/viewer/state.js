// SPDX-License-Identifier: MIT
"use strict";
// The match as the arena wrote it into the page: positions are lines of characters, a decision is
// a list of changes to them (arena/site/viewer.c). No rule of the game is applied here.
const $ = (id) => document.getElementById(id);
const match = JSON.parse($("match").textContent);
const P = match.players;
let N = 0; // decisions; a match under way has more and more
const moves = [];
// A seat's name is told in the title and at its board, elsewhere the letter in the seat's color.
const nameSeat = (seat) => make("span", "ABCD"[seat], { className: "letter s" + seat, title: match.names[seat] });
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
  for (const move of [...document.querySelectorAll("#moves a")].slice(moves.length)) {
    move.href = "#t=" + moves.length;
    const text = move.childNodes[1]; // " A takes ..."
    text.before(" ", nameSeat(match.seats[moves.length]));
    text.data = text.data.slice(2);
    moves.push(move);
  }
}
takeSteps();

// The seat whose result the page explains and whose mistakes it counts: the loser, or the seat that
// a link names.
const LOSER = match.ranks.lastIndexOf(Math.max(...match.ranks));
let whose = LOSER;

// Position t is the one before decision t; position N is the end. #t=39 shows decision 39,
// #t=39&analyse with what maestro says, which it thinks of in the reader's browser.
const nameOf = (t) => "#t=" + t + (whose === LOSER ? "" : "&seat=" + whose) + ($("analyst")?.hidden ? "&analyse" : "");
// A match that ended early has choices at position N, too: those of the seat that then went out.
const isAsked = (t) => t < match.legal.length;
const tellRange = () => `0 to ${isAsked(N) ? N : N - 1}`;
const positionAt = (t) => parsePosition(lines[t], t, P);

// Decision k in words, with and without the letter of the seat.
const wordsOf = (k) => moves[k].textContent.slice(String(k).length + 1);
const actionOf = (k) => wordsOf(k).slice(2);
