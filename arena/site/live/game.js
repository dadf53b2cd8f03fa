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

document.body.className = wish.get("game") ? `p${P} match` : "list";
addEventListener("hashchange", () => location.reload());
