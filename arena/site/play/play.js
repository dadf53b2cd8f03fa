// SPDX-License-Identifier: MIT
// A person's game: what can be chosen, by buttons and on the boards; the bots' answers; taking back.
const board = document.querySelector("pavilion-board");
board.start(match);
board.seats[me].root.classList.add("me");
const tell = (counts) => board.tell(counts);
const past = []; // {game, position, item}: before each decision, and its line in the list
const SELECTS = ["players", "board", "bot", "seat"];
[P, side, opponent, me].forEach((value, i) => ($(SELECTS[i]).value = value));
let position = null;
let actions = [];
let turns = 0; // of bots that were asked; an answer to an older question is not played

const signed = (points) => (points > 0 ? "+" + points : String(points));
const samePlace = (a, b) => a.number[0] === b.number[0] && a.number[1] === b.number[1];

// An action in words, from the positions before and after it.
function wordsOf({ kind, number }, before, after) {
  const seat = before.player;
  const end = after.phase === 3 ? table.table_final_points(seat) : 0; // is told when the game is over
  const won = after.seats[seat].score - before.seats[seat].score - end;
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
  item.addEventListener("click", () => position.phase === 3 && look(t));
  $("moves").append(item);
  $("moves").scrollTop = $("moves").scrollHeight;
  return item;
}

function take(index) {
  const action = actions[index];
  const entry = { game: copyGame(), position };
  const count = table.table_play(index);
  const after = readPosition(past.length + 1);
  entry.item = addMove(past.length, position.player, wordsOf(action, position, after));
  past.push(entry);
  line.push(index);
  position = after;
  actions = readActions(count);
}

function decide(index, ms) {
  const since = position;
  take(index);
  board.show(position, { since, ms });
  keep();
  next();
}

// The game is in the address, so that it survives a reload and can be sent, and is found again by who
// comes back. Browsers limit how often a page may change its address, and may refuse to store.
const KEY = "pavilion game";
let keeping = 0;
function keep() {
  clearTimeout(keeping);
  keeping = setTimeout(keepNow, 150);
}
function keepNow() {
  history.replaceState({ isGame: true }, "", addressOf(line) + from);
  try {
    if (position.phase === 3) localStorage.removeItem(KEY);
    else if (line.length) localStorage.setItem(KEY, location.hash);
  } catch { /* the address has it */ }
}
addEventListener("pagehide", () => position && keepNow());

function tellRank() {
  const rank = table.table_rank(me);
  if (match.names.some((_, seat) => seat !== me && table.table_rank(seat) === rank))
    return `You tie for the ${["first", "second", "third"][rank - 1]} place`;
  if (rank === 1) return "You win";
  return P === 2 ? "You lose" : `You come ${["second", "third", "fourth"][rank - 2]} of ${P}`;
}

async function letBotDecide() {
  const turn = ++turns;
  const ms = 1000 / Number($("speed").value);
  const [{ index }] = await Promise.all([ask(line, { bot: BOTS[opponent] }),
    new Promise((resolve) => setTimeout(resolve, ms))]);
  if (turn === turns) decide(index, Math.min(400, ms * 0.7));
}

function showEnd() {
  $("moves").scrollTop = $("moves").scrollHeight;
}

// What is complete on a board at the end, and what each of it brought.
function tellComplete(seat) {
  const { stars } = position.seats[seat];
  const parts = stars.flatMap((spaces, star) => (spaces.some((color) => color < 0) ? []
    : [`the ${match.stars[star]} ${spaces.every((color) => color === spaces[0]) ? STAR_POINTS[spaces[0]] : 12}`]));
  for (const cost of [1, 2, 3, 4])
    if (stars.every((spaces, star) => spaces.every((color, p) => color >= 0 || match.costs[star][p] !== cost)))
      parts.push(`all ${cost}s ${4 * cost}`);
  return parts.length ? `: ${parts.join(", ")}` : "";
}

// Waits for the person, or lets a bot decide a little later.
function next() {
  turns++;
  const mine = position.player === me;
  document.body.classList.toggle("mine", mine);
  document.body.classList.toggle("over", position.phase === 3);
  $("back").disabled = !past.some((entry) => entry.position.player === me);
  $("advice").disabled = !mine;
  $("times").textContent = $("reason").textContent = "";
  offer();
  if (position.phase === 3) {
    $("said").textContent = `${tellRank()}: ` + match.names.map((name, seat) => {
      const [score, end] = [position.seats[seat].score, table.table_final_points(seat)];
      return `${name} ${score} (${score - end} and ${signed(end)} at the end${tellComplete(seat)})`;
    }).join(", ") + ".";
    addButton("New game", [], "New game", () => $("new").click(), "main");
    judgeAll();
    offerLook(past.length);
  } else if (mine) {
    $("said").textContent = ["Take tiles of one color: from the table, or here, where the number names the factory.",
      "Place a tile: on a dashed space, or here; or pass.",
      `Take ${position.bonus} bonus ${position.bonus === 1 ? "tile" : "tiles"} from the supply.`][position.phase];
  } else {
    $("said").textContent = `${match.names[position.player]} decides.`;
    letBotDecide();
  }
}

// ---- what the person can choose ----

// What a choice prepares; it names the choice, since the pointer may be elsewhere than the focus.
function tellReason(label, reason) {
  $("reason").textContent = `${label[0].toUpperCase()}${label.slice(1)}. ${reason}`.trim();
}

// A button that shows tiles and a short text; its label says the same in words.
function addButton(label, icons, text, choose, className = "", reason = null) {
  const button = make("button", "", { type: "button", className });
  for (const color of icons)
    draw(draw(button, "svg", { viewBox: "-11 -18 22 36", "aria-hidden": "true" }), "use",
      { href: "#t" + color, class: color === position.wild ? "wild" : "" });
  if (text !== label) button.setAttribute("aria-label", label);
  if (text !== "") button.append(make("span", text));
  button.addEventListener("click", choose);
  for (const when of reason ? ["pointerenter", "focus"] : [])
    button.addEventListener(when, () => tellReason(label, reason()));
  $("ask").append(button);
  return button;
}

let resume = false; // the focus was on one of these buttons before the bots decided

function begin(question) {
  resume ||= $("ask").contains(document.activeElement);
  $("ask").replaceChildren();
  $("reason").textContent = "";
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

// The list of decisions is the shorter, the more choices there are: each time it becomes so, its end is shown again.
new ResizeObserver(() => {
  if (!document.body.dataset.look) showEnd();
}).observe($("moves"));

function offer() {
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
      () => chosen(action), "", () => reasonOf(position, tryAction(action), me, match, board));
  }
}

// The spaces that can be filled, the best first: {action, star, p, points, bonus, reason}.
const spaceOf = (action) => {
  const after = tryAction(action);
  return { action, star: action.number[0], p: action.number[1], bonus: after.bonus,
    points: after.seats[me].score - position.seats[me].score,
    reason: reasonOf(position, after, me, match, board) };
};
let spaces = [];

function askPlace() {
  const passes = actions.filter(({ kind }) => kind === PASS);
  const places = actions.filter(({ kind }) => kind === PLACE);
  spaces = places.filter((action, i) => i === 0 || !samePlace(action, places[i - 1])).map(spaceOf)
    .sort((a, b) => b.points + b.bonus - a.points - a.bonus);
  board.offer(me, spaces);
  for (const space of spaces) {
    const { action, star, p, points, bonus, reason } = space;
    const more = `${signed(points)}${bonus ? `, ${bonus} bonus tile${bonus > 1 ? "s" : ""}` : ""}`;
    const cost = match.costs[star][p];
    space.label = `${cost} on the ${match.stars[star]}: ${more}`;
    addButton(space.label, [], `${match.stars[star].replace(" star", "")} ${cost}: ${more}`,
      () => askPayment(action), "", () => reason);
  }
  const { hand } = position.seats[me];
  const words = `Pass${tellDiscard(hand, Math.min(4, sum(hand)))}`;
  const later = position.round === 6 ? "" : `${match.colors[position.wild + 1]} is wild`;
  addButton(words, [], words, () => (passes.length === 1 || position.round === 6
    ? chosen(passes.find(({ number }) => sum(number.slice(0, 6)) === Math.min(4, sum(hand))))
    : askTiles(PASS, "keep", `Keep up to 4 tiles for round ${position.round + 1}, in which ${later}:`, hand, keepBest(hand))),
  "quiet", () => later && `In round ${position.round + 1} ${later}.`);
}

// What passing does with the hand when some of its tiles are kept; in the last round these cost, too.
function tellDiscard(hand, kept) {
  const lost = sum(hand) - kept;
  if (!sum(hand)) return "";
  const { score } = position.seats[me];
  const less = signed(Math.max(1, score - lost) - score - (position.round === 6 ? kept : 0));
  if (position.round === 6) return `: a point less for each tile left, ${less}`;
  const tiles = (count) => `${count} tile${count === 1 ? "" : "s"}`;
  return `: ${kept ? `keep ${lost ? tiles(kept) : "all"}` : ""}` +
    (lost ? `${kept ? ", " : ""}discard ${lost}, ${less}` : "");
}

// Four tiles to begin with: of the next round's wild color, then of the colors of which there are most.
function keepBest(hand) {
  const kept = [0, 0, 0, 0, 0, 0];
  const order = COLORS.toSorted((a, b) => (b === position.wild + 1) - (a === position.wild + 1) || hand[b] - hand[a]);
  for (const c of order) kept[c] = Math.min(hand[c], 4 - sum(kept));
  return kept;
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
  addButton("Back", [], "Back", offer);
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
  const words = verb === "keep" ? `Pass, keep ${tell(counts)}${sum(available) > sum(counts)
    ? ` (discard ${sum(available) - sum(counts)})` : ""}` : sum(counts) ? `Take ${tell(counts)}` : "Take …";
  const done = addButton(words, [], words, () => chosen(now), "main");
  done.disabled = !now;
  if (kind === PASS) addButton("Back", [], "Back", offer);
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
board.addEventListener("look", ({ detail: { seat, star, p } }) => {
  const space = seat === me && position?.player === me && position.phase === 1 &&
    spaces.find((one) => one.star === star && one.p === p);
  if (space) tellReason(space.label, space.reason);
});
board.addEventListener("tile", ({ detail: { place, color } }) => {
  if (position?.player === me) chooseTile(place, color);
});
board.addEventListener("space", ({ detail: { seat, star, p } }) => {
  if (position?.player === me && seat === me) chooseSpace(star, p);
});

// ---- the game that is over, decision by decision, and what maestro says of one's own ----

const MISTAKE = 3; // points, as in the pages of matches
let judging = 0; // changes when the game goes on

async function judgeAll() {
  const turn = ++judging;
  for (const [t, entry] of past.entries()) {
    if (entry.position.player !== me || entry.lost !== undefined) continue;
    const said = await judge(line, t, "maestro");
    if (turn !== judging) return;
    Object.assign(entry, said);
    if (entry.lost > 0.05)
      entry.item.append(" ", make("em", `\u2212${entry.lost.toFixed(1)}`, { className: entry.lost >= MISTAKE ? "lost" : "" }));
  }
  const costly = past.filter(({ lost }) => lost >= 1).sort((a, b) => b.lost - a.lost).slice(0, 3);
  $("times").textContent = costly.length
    ? "What cost you most, in points of the lead that maestro expects: decisions "
    : "maestro would have decided nearly the same.";
  costly.forEach((entry, i) => {
    const t = past.indexOf(entry);
    const button = make("button", `${t} (\u2212${entry.lost.toFixed(1)})`, { type: "button" });
    button.addEventListener("click", () => look(t));
    $("times").append(button, " ");
  });
}

// What maestro would have done at decision t, in words.
function tellBest(t) {
  const { game, position: before, best } = past[t];
  const now = copyGame();
  const action = readActions(restoreGame(game))[best];
  const words = wordsOf(action, before, tryAction(action));
  restoreGame(now);
  return words;
}

function offerLook(t) {
  const entry = past[t];
  const add = (text, label, choose) => (addButton(label, [], text, choose).disabled = !choose);
  add("‹", "The decision before", t > 0 ? () => look(t - 1) : null);
  add("›", "The next decision", entry ? () => look(t + 1) : null);
  if (entry?.position.player === me) add("Play on from here", "Play on from here", () => goBackTo(t));
}

const unmark = () => $("moves").querySelector("[aria-current]")?.removeAttribute("aria-current");

function look(t) {
  const entry = past[t];
  begin();
  unmark();
  document.body.classList.toggle("over", !entry);
  document.body.dataset.look = t;
  board.show(entry ? entry.position : position, { since: past[t - 1]?.position });
  if (!entry) {
    next();
    return;
  }
  resume = true;
  entry.item.setAttribute("aria-current", "step");
  $("moves").scrollTop = entry.item.offsetTop - $("moves").clientHeight / 2;
  $("said").textContent = entry.item.firstChild.textContent + ".";
  $("reason").textContent = entry.lost === undefined ? "" : entry.lost <= 0.05 ? "Best move, says maestro."
    : `Costs ${entry.lost.toFixed(1)} points: maestro would ${would(tellBest(t))}.`;
  offerLook(t);
}

// Another line: the address before it stays in the browser's history.
function goBackTo(t) {
  keepNow();
  history.pushState({ isGame: true }, "", location.hash);
  while (past.length > t) restoreLast();
  show();
}
addEventListener("popstate", ({ state }) => state?.isGame && location.reload());
addEventListener("keydown", ({ key }) => {
  if (position?.phase !== 3 || !/^Arrow(Left|Right)$/.test(key)) return;
  const t = Number(document.body.dataset.look ?? past.length) + (key === "ArrowLeft" ? -1 : 1);
  if (t >= 0 && t <= past.length) look(t);
});

// ---- taking back, help, a new game ----

function restoreLast() {
  const entry = past.pop();
  entry.item.remove();
  line.length = past.length;
  position = entry.position;
  actions = readActions(restoreGame(entry.game));
}

function show() {
  judging++;
  delete document.body.dataset.look;
  unmark();
  board.show(position, { since: past.at(-1)?.position });
  keep();
  next();
}

// Before one's first decision in another line of a match it leads back to the match.
function takeBack() {
  if (from && !past.slice(wished.length).some((entry) => entry.position.player === me)) {
    location.href = $("match").href;
    return;
  }
  do restoreLast(); while (position.player !== me);
  show();
}
$("back").addEventListener("click", takeBack);
addEventListener("keydown", ({ key, target }) => {
  if (key === "b" && from) location.href = $("match").href;
  if (key === "Backspace" && !$("back").disabled && !target.closest?.("select, dialog")) takeBack();
});

$("advice").addEventListener("click", async () => {
  const turn = turns;
  $("times").textContent = "maestro thinks …";
  const { index } = await ask(line, { bot: BOTS.maestro });
  if (turn !== turns) return;
  const action = actions[index];
  const after = tryAction(action);
  $("times").textContent = `maestro would ${would(wordsOf(action, position, after))}. ${reasonOf(position, after, me, match, board)}`;
});

$("new").addEventListener("click", () => {
  location.hash = SELECTS.map((id) => `${id}=${$(id).value}`).join("&");
  location.reload();
});
$("link").addEventListener("click", async () => {
  keepNow();
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  $("link").textContent = copied ? "Copied" : "See the address";
  setTimeout(() => ($("link").textContent = "Link"), 2000);
});
$("help").addEventListener("click", () => {
  $("rules").showModal();
  $("rules").querySelector("form button").focus({ preventScroll: true });
});
$("rules").addEventListener("click", (event) => event.target.closest("h2") && event.preventDefault()); // the address is the game

// The match that somebody plays on from: "game" in the address, a path within the site.
const from = /^\w[\w.+/-]*$/.test(wish.get("game") ?? "") && !wish.get("game").includes("..")
  ? `&game=${wish.get("game")}&t=${parseInt(wish.get("t"), 10) || 0}` : "";
if (from) {
  $("match").href = `${wish.get("game")}#t=${parseInt(wish.get("t"), 10) || 0}`;
  $("match").hidden = false;
}

// Without an address: the game that was not finished.
function findKept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
const kept = location.hash ? null : findKept();
if (kept) {
  location.hash = kept;
  location.reload();
} else if (wish.has("analyse")) analyse().catch((error) => tellMatch({ error: error.message }));
else loadTable().then(() => {
  actions = readActions(deal());
  position = readPosition(0);
  for (const index of wished) {
    if (index >= actions.length) break;
    take(index);
  }
  document.body.classList.add("ready");
  keepNow();
  board.show(position, { since: past.at(-1)?.position });
  next();
}, (error) => ($("said").textContent = `The game cannot be loaded: ${error.message}.`));
