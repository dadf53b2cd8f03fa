// A person's game: what can be chosen, by buttons and on the boards; the bots' answers; taking back.
const board = document.querySelector("pavilion-board");
board.start(match);
board.seats[me].root.classList.add("me");
const tell = (counts) => board.tell(counts);
const past = []; // {game, position, item}: before each decision, and its line in the list
let position = null;
let actions = [];
let waiting = 0;

const signed = (points) => (points > 0 ? "+" + points : String(points));
const samePlace = (a, b) => a.number[0] === b.number[0] && a.number[1] === b.number[1];

// An action in words, from the positions before and after it.
function wordsOf({ kind, number }, before, after) {
  const seat = before.player;
  const won = after.seats[seat].score - before.seats[seat].score;
  const points = won ? `: ${signed(won)}` : "";
  if (kind === DRAFT) {
    const got = COLORS.map((c) => after.seats[seat].hand[c] - before.seats[seat].hand[c]);
    const first = before.token < 0 && after.token === seat ? ", and the start token" : "";
    return `takes ${tell(got)} from ${number[0] < 0 ? "the center" : "factory " + number[0]}${first}${points}`;
  }
  if (kind === PLACE)
    return `places ${match.costs[number[0]][number[1]]} on the ${match.stars[number[0]]}${points}`;
  if (kind === BONUS) return `takes ${tell(number.slice(0, 6))} from the supply`;
  return `passes, keeps ${tell(number.slice(0, 6))}${points}`;
}

// The position after an action, which is not played.
function tryAction({ index }) {
  const game = copyGame();
  table.table_play(index);
  const after = readPosition(0);
  restoreGame(game);
  return after;
}

// ---- the page after each decision ----

function addMove(t, seat, words) {
  const told = seat !== me ? words : words.replace(/^takes/, "take").replace(/^places/, "place")
    .replace(/^passes, keeps/, "pass, keep");
  const item = make("li", `${t} ${match.names[seat]} ${told}`, { className: "s" + seat });
  $("moves").append(item);
  $("moves").scrollTop = $("moves").scrollHeight;
  return item;
}

function decide(index, ms) {
  const action = actions[index];
  const entry = { game: copyGame(), position };
  const count = table.table_play(index);
  const after = readPosition(past.length + 1);
  entry.item = addMove(past.length, position.player, wordsOf(action, position, after));
  past.push(entry);
  position = after;
  actions = readActions(count);
  board.show(position, { since: entry.position, ms });
  next();
}

function tellRank() {
  const rank = table.table_rank(me);
  if (match.names.some((_, seat) => seat !== me && table.table_rank(seat) === rank))
    return `You tie for the ${["first", "second", "third"][rank - 1]} place`;
  if (rank === 1) return "You win";
  return P === 2 ? "You lose" : `You come ${["second", "third", "fourth"][rank - 2]} of ${P}`;
}

// Waits for the person, or lets a bot decide a little later.
function next() {
  clearTimeout(waiting);
  const mine = position.player === me;
  document.body.classList.toggle("mine", mine);
  document.body.classList.toggle("over", position.phase === 3);
  $("back").disabled = !past.some((entry) => entry.position.player === me);
  $("advice").disabled = !mine;
  $("times").textContent = "";
  ask();
  if (position.phase === 3) {
    $("said").textContent = `${tellRank()}: ` + match.names.map((name, seat) =>
      `${name} ${position.seats[seat].score} (${signed(table.table_final_points(seat))} at the end)`)
      .join(", ") + ".";
    addButton("New game", [], "New game", () => $("new").click(), "main");
  } else if (mine) {
    $("said").textContent = ["Take tiles of one color from a factory or the center.",
      "Place a tile on your board, or pass.",
      `Take ${position.bonus} bonus ${position.bonus === 1 ? "tile" : "tiles"} from the supply.`][position.phase];
  } else {
    $("said").textContent = `${match.names[position.player]} decides.`;
    const ms = 1000 / Number($("speed").value);
    waiting = setTimeout(() => decide(table.table_choose(BOTS[opponent]), Math.min(400, ms * 0.7)), ms);
  }
}

// ---- what the person can choose ----

// A button that shows tiles and a short text; its label says the same in words.
function addButton(label, icons, text, choose, className = "") {
  const button = make("button", "", { type: "button", className });
  for (const color of icons)
    draw(draw(button, "svg", { viewBox: "-11 -18 22 36", "aria-hidden": "true" }), "use",
      { href: "#t" + color, class: color === position.wild ? "wild" : "" });
  if (text !== label) button.setAttribute("aria-label", label);
  if (text !== "") button.append(make("span", text));
  button.addEventListener("click", choose);
  $("ask").append(button);
  return button;
}

let resume = false; // the focus was on one of these buttons before the bots decided

function begin(question) {
  resume ||= $("ask").contains(document.activeElement);
  $("ask").replaceChildren();
  board.offer(me, []);
  if (question) $("ask").append(make("p", question));
  queueMicrotask(() => {
    const button = resume && $("ask").querySelector("button:not(:disabled)");
    if (!button) return;
    resume = false;
    button.focus({ preventScroll: true });
  });
}

const chosen = (action) => decide(action.index, 350);

function ask() {
  begin();
  if (position.player !== me) return;
  if (position.phase === 0) askDraft();
  else if (position.phase === 1) askPlace();
  else askTiles(BONUS, "take", `Which ${position.bonus}?`, position.supply);
}

function askDraft() {
  for (const action of actions) {
    const [source, color] = action.number;
    const from = source < 0 ? position.center : position.displays[source];
    const icons = Array(from[color]).fill(color);
    if (color !== position.wild && from[position.wild]) icons.push(position.wild);
    const got = COLORS.map((c) => icons.filter((icon) => icon === c).length);
    const place = source < 0 ? "center" : source;
    addButton(`${tell(got)} from ${source < 0 ? "the center" : "factory " + source}`, icons, place,
      () => chosen(action));
  }
}

function askPlace() {
  const passes = actions.filter(({ kind }) => kind === PASS);
  const places = actions.filter(({ kind }) => kind === PLACE);
  const spaces = places.filter((action, i) => i === 0 || !samePlace(action, places[i - 1]));
  board.offer(me, spaces.map(({ number: [star, p] }) => ({ star, p })));
  for (const action of spaces) {
    const [star, p] = action.number;
    const after = tryAction(action);
    const points = signed(after.seats[me].score - position.seats[me].score);
    const bonus = after.bonus ? `, ${after.bonus} bonus tile${after.bonus > 1 ? "s" : ""}` : "";
    const cost = match.costs[star][p];
    addButton(`${cost} on the ${match.stars[star]}: ${points}${bonus}`, [],
      `${match.stars[star].replace(" star", "")} ${cost}: ${points}${bonus}`, () => askPayment(action));
  }
  addButton("Pass", [], "Pass", () => (passes.length === 1 ? chosen(passes[0])
    : askTiles(PASS, "keep", "Keep up to 4 tiles for the next round:", position.seats[me].hand)), "main");
}

function askPayment(space) {
  const ways = actions.filter((action) => action.kind === PLACE && samePlace(action, space));
  if (ways.length === 1) {
    chosen(ways[0]);
    return;
  }
  const [star, p] = space.number;
  begin(`Pay for the ${match.costs[star][p]} on the ${match.stars[star]}:`);
  board.offer(me, [{ star, p }]);
  for (const action of ways) {
    const [, , color, wilds] = action.number;
    const icons = [...Array(match.costs[star][p] - wilds).fill(color), ...Array(wilds).fill(position.wild)];
    const paid = COLORS.map((c) => icons.filter((icon) => icon === c).length);
    addButton(`pay ${tell(paid)}`, icons, "", () => chosen(action));
  }
  addButton("Back", [], "Back", ask);
}

// Tiles by color, one click each: the bonus to take, or what to keep at a pass.
function askTiles(kind, verb, question, available, counts = [0, 0, 0, 0, 0, 0]) {
  const ways = actions.filter((action) => action.kind === kind);
  const now = ways.find(({ number }) => COLORS.every((c) => number[c] === counts[c]));
  begin(question);
  for (const c of COLORS)
    for (let i = 0; i < available[c]; i++) {
      const is = i < counts[c];
      const wanted = counts.map((n, other) => (other === c ? n + (is ? -1 : 1) : n));
      const can = ways.some(({ number }) => COLORS.every((other) => number[other] >= wanted[other]));
      const button = addButton(`${verb} ${match.colors[c]}`, [c], "",
        () => askTiles(kind, verb, question, available, wanted), is ? "kept" : "");
      button.setAttribute("aria-pressed", is);
      button.disabled = !can;
    }
  const words = verb === "keep" ? `Pass, keep ${tell(counts)}` : sum(counts) ? `Take ${tell(counts)}` : "Take …";
  const done = addButton(words, [], words, () => chosen(now), "main");
  done.disabled = !now;
  if (kind === PASS) addButton("Back", [], "Back", ask);
}

addEventListener("keydown", ({ key }) => {
  if (key === "Escape") [...$("ask").children].find((one) => one.textContent === "Back")?.click();
});

// A click on a tile or a space does what its button does, or tells why that cannot be done.
const refuse = (words) => ($("times").textContent = words);

function chooseTile(place, color) {
  if (place === "supply") {
    const button = $("ask").querySelector(
      `[aria-label="take ${match.colors[color]}"][aria-pressed=false]:not(:disabled)`);
    if (button) button.click();
    else if (position.phase !== 2) refuse("The supply is for bonus tiles: surround a pillar, a statue or a window.");
  } else {
    const source = place === "center" ? -1 : Number(place.replace("display", ""));
    const action = actions.find(({ number }) => number[0] === source && number[1] === color);
    if (action) chosen(action);
    else refuse(`A wild ${match.colors[color]} comes with another color: take that one.`);
  }
}

function chooseSpace(star, p) {
  const action = actions.find(({ kind, number }) => kind === PLACE && number[0] === star && number[1] === p);
  if (action) askPayment(action);
  else if (position.phase === 0) refuse("Now tiles are taken. They are placed when the factories and the center are empty.");
  else if (position.phase === 2) refuse("First take your bonus tiles from the supply.");
  else refuse(`Your tiles cannot pay for the ${match.costs[star][p]} on the ${match.stars[star]}.`);
}
board.addEventListener("tile", ({ detail: { place, color } }) => {
  if (position?.player === me) chooseTile(place, color);
});
board.addEventListener("space", ({ detail: { seat, star, p } }) => {
  if (position?.player === me && seat === me) chooseSpace(star, p);
});

// ---- taking back, help, a new game ----

$("back").addEventListener("click", () => {
  let entry;
  do {
    entry = past.pop();
    entry.item.remove();
  } while (entry.position.player !== me);
  position = entry.position;
  actions = readActions(restoreGame(entry.game));
  board.show(position, { since: past.at(-1)?.position });
  next();
});

$("advice").addEventListener("click", () => {
  const action = actions[table.table_choose(BOTS.steady)];
  $("times").textContent = `steady ${wordsOf(action, position, tryAction(action))}.`;
});

$("new").addEventListener("click", () => {
  location.hash = SELECTS.map((id) => `${id}=${$(id).value}`).join("&");
  location.reload();
});

loadTable().then(() => {
  actions = readActions(deal());
  position = readPosition(0);
  document.body.classList.add("ready");
  history.replaceState(null, "", "#" + SELECTS.map((id) => `${id}=${$(id).value}`).join("&") + "&seed=" + seed);
  board.show(position);
  next();
}, (error) => ($("said").textContent = `The game cannot be loaded: ${error.message}.`));
