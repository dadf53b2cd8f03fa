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

match.seats = lines.slice(0, N).map((line) => Number(line[2]));

// Positions count from the deal, 0; position t is the one that decision t - 1 leads to. What a
// person reads or types is the number of a decision, as in turns and replays: #t=39 is position 40.
const nameOf = (t) => (t ? "#t=" + (t - 1) : "#deal");
const positionAt = (t) => parsePosition(lines[t], t, P);

// The line of decision k in words.
const wordsOf = (k) => moves[k].textContent.slice(String(k).length + 1);
