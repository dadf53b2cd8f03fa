// The games under way, as the arena sends them: a list of all, and the boards of the chosen one.
const table = Array.from({ length: P }, (_, seat) => makeBoard(seat));
let before = null;

function entry(game) {
  const item = make("li", "");
  const link = make("a", game.names.map((name, seat) => `${name} ${game.scores[seat]}`).join(" – "),
    { href: "#" + new URLSearchParams({ game: game.game, players: game.names.length, board: game.board }) });
  if (game.game === wish.get("game")) link.setAttribute("aria-current", "true");
  item.append(link, ` ${game.season}, ${game.board} board, round ${game.round}`);
  return item;
}

// An action in words, from its notation (docs/rules.md): "draft center r", "place 2 5 b 3".
function tellAction(text) {
  const [kind, a, b] = text.split(" ");
  if (kind === "draft")
    return `takes ${match.colors["pgoybr".indexOf(b)]} from ${a === "center" ? "the center" : "factory " + a}`;
  if (kind === "place") return `places ${match.costs[a][b]} on the ${match.stars[a]}`;
  return kind === "bonus" ? "takes bonus tiles from the supply" : "passes";
}

function showGame(game) {
  const position = parsePosition(game.position, game.decisions, P);
  const moving = before && position.t === before.t + 1 && !still.matches && !document.hidden;
  land();
  const from = moving ? survey() : null;
  match.names = game.names;
  tiles = {};
  drawTable(position);
  table.forEach((board, seat) => {
    $("name" + seat).textContent = game.names[seat];
    drawBoard(board, seat, position, before);
  });
  if (moving) fly(matchTiles(from, survey(), before, position), 280);
  const name = before && before.t + 1 === position.t ? game.names[before.player] + " " : "";
  $("said").textContent = game.last ? `Decision ${position.t - 1}: ${name}${tellAction(game.last)}.` : "The game begins.";
  before = position;
  document.body.classList.add("ready");
}

function show(games) {
  const chosen = games.find(({ game }) => game === wish.get("game"));
  $("state").textContent = wish.get("game") && !chosen && before ? "The game is over."
    : games.length ? `${games.length} ${games.length === 1 ? "game" : "games"} under way`
      : "No game is under way now.";
  $("games").replaceChildren(...games.map(entry));
  if (chosen) showGame(chosen);
}

const source = new EventSource("/api/v1/live");
source.addEventListener("games", (event) => show(JSON.parse(event.data).games));
source.addEventListener("error", () => { $("state").textContent = "connection lost, trying again…"; });
