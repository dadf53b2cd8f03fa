// SPDX-License-Identifier: MIT
"use strict";
// The games that can be watched now, by the list that the arena writes.
async function list() {
  const state = document.getElementById("state");
  try {
    const answer = await fetch("/live/games.json");
    const games = answer.ok ? (await answer.json()).games : [];
    state.textContent = games.length ? "" : "No game can be watched now.";
    document.getElementById("games").replaceChildren(...games.map((game) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = "/live/" + game.match;
      link.textContent = game.bots.map((name, seat) => `${name} ${game.scores[seat]}`).join(" – ");
      item.append(link, ` ${game.season}, ${game.board} board, ${game.over ? "over" : "round " + game.round}`);
      return item;
    }));
  } catch {
    state.textContent = "The connection was lost: trying again.";
  }
  setTimeout(list, 2000);
}
list();
