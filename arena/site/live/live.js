"use strict";
const state = document.getElementById("state"), room = document.getElementById("games");

function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function card(game) {
  const made = element("section", "", "game");
  const most = Math.max(40, ...game.scores);
  made.append(element("h2", game.game));
  made.append(element("p", game.season + ", " + game.board + " board, round " + (game.round + 1) +
    ", decision " + game.decisions + (game.last ? ": " + game.last : "")));
  game.names.forEach((name, seat) => {
    const row = element("p", "", seat === game.seat ? "seat turn" : "seat");
    const bar = element("meter", "");
    bar.max = most;
    bar.value = Math.max(0, game.scores[seat]);
    bar.setAttribute("aria-label", name + " " + game.scores[seat]);
    row.append(element("span", name, "name"), bar, element("span", game.scores[seat], "points"));
    made.append(row);
  });
  return made;
}

function show(games) {
  state.textContent = games.length ? games.length + (games.length === 1 ? " game" : " games") + " under way" :
    "no games under way that may be shown";
  room.replaceChildren(...games.map(card));
}

const source = new EventSource("/api/v1/live");
source.addEventListener("games", event => show(JSON.parse(event.data).games));
source.addEventListener("error", () => { state.textContent = "connection lost, trying again…"; });
