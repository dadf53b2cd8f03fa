"use strict";
// The table of the game that the address chooses, #game=ID&players=N&board=SIDE; without one the
// page only lists the games.
const $ = (id) => document.getElementById(id);
const wish = new URLSearchParams(location.hash.slice(1));
const P = Math.min(4, Math.max(2, Number(wish.get("players")) || 2));
const D = 2 * P + 1;

// What draw.js needs to know of the table.
const match = { ...boards[wish.get("board") === "gray" ? "gray" : "colored"], players: P, outs: [],
  names: Array.from({ length: P }, (_, seat) => "ABCD"[seat]) };

for (let seat = 0; seat < P; seat++) {
  const section = document.createElement("section");
  section.className = `seat s${seat}`;
  section.id = "seat" + seat;
  section.setAttribute("aria-labelledby", "name" + seat);
  section.innerHTML = `<div class="who"><span class="letter" aria-hidden="true">${"ABCD"[seat]}</span>` +
    `<h2 id="name${seat}"></h2><span class="flag"></span><output class="score"></output></div>` +
    '<svg class="board" viewBox="-106 -106 212 212" role="img"></svg>' +
    '<svg class="hand" viewBox="0 0 212 24" role="img"></svg>';
  $("table").before(section);
}
document.body.className = wish.get("game") ? "p" + P : "list";
addEventListener("hashchange", () => location.reload());
