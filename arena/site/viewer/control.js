// SPDX-License-Identifier: MIT
// Stepping, playing, keys, the address, the theme and the saved replay.
const board = document.querySelector("pavilion-board");
board.start(match);
const field = $("at");
let at = -1;
let timer = 0;
let hashTimer = 0;
let typing = 0;
// The home page shows a match in a frame: only the boards, which play by themselves over and over.
const small = location.hash === "#small";
// On a site the names lead to the bots' pages.
if (!small)
  match.links?.forEach((link, seat) => {
    const name = $("name" + seat);
    name.innerHTML = `<a>${name.innerHTML}`;
    name.firstChild.href = link;
  });

// Words for a time, which is given in tenths of a millisecond.
function tellTime(time) {
  return time < 1e4 ? (time / 10).toFixed(1) + " ms" : (time / 1e4).toFixed(2) + " s";
}

// The decision that is shown, at the top of the story. tellOpinion is in pages with an analysis.
function showDecision(t, position) {
  const said = $("said");
  const times = $("times");
  times.replaceChildren();
  if (t < N) {
    const opinion = typeof tellOpinion === "function" ? tellOpinion(t, position) : [];
    said.replaceChildren(...(opinion.length ? opinion : [nameSeat(match.seats[t]), " ",
      make("span", actionOf(t) + ".", { className: "marked chosen" })]));
    $("reason").textContent = reasonOf(position, positionAt(t + 1), match.seats[t], match, board);
    const note = moves[t].parentElement.querySelector("i");
    if (match.times[t] >= 0)
      times.append(make("span", `${tellTime(match.times[t])}, ${(match.banks[t] / 10).toFixed(1)} s left in the bank`));
    if (note) times.append(make("i", `${match.names[match.seats[t]]}'s note: ${note.textContent}`));
  } else {
    said.replaceChildren(...(match.live ? [nameSeat(position.player), " is to decide."]
      : [isAsked(t) ? "The match ended early." : "The match is over."]));
    $("reason").textContent = "";
  }
  for (const [when, seat, words] of match.outs)
    if (when === t) said.append(" ", nameSeat(seat), ` ${words}${words.endsWith("?") ? "" : "."}`);
}

function nameField() {
  field.value = isAsked(at) ? at : "";
}

function markMove(t) {
  const old = document.querySelector("#moves [aria-current]");
  if (old) old.removeAttribute("aria-current");
  const list = $("moves");
  const now = moves[t];
  if (now) now.setAttribute("aria-current", "step");
  const item = now ? now.parentElement : list.lastElementChild;
  if (item) list.scrollTop = item.offsetTop - list.clientHeight / 2 + item.offsetHeight / 2;
}

// Shows the position before decision t; moves tiles if it is the next one.
function go(t, ms = 0) {
  t = Math.max(0, Math.min(N, t));
  hint.hidden = true; // the tip is about another decision
  if (t !== at) show(t, ms);
}

// The address of the page for playing with the decisions before t, for the seat that decides there; the
// page of this match is named by its path from there.
const addressOf = (t) => `${match.play}#players=${P}&board=${match.starColors[0] < 0 ? "gray" : "colored"}` +
  `&bot=maestro&seat=${Number(lines[t][2]) || 0}&seed=${match.seed}&moves=` +
  match.indexes.slice(0, t).map((index) => index.toString(36).padStart(2, "0")).join("");
function nameLine(t) {
  const link = $("on-here");
  if (!link) return;
  if (parent !== window) link.target = "_blank"; // other sites may show this page in a frame, but no other one
  link.hidden = !isAsked(t);
  const site = new URL(".", new URL(match.play, location)).pathname;
  link.href = `${addressOf(t)}&game=${location.pathname.slice(site.length)}&t=${t}`;
}

// Draws the position before decision t, and all that is said of it.
function show(t, ms = 0) {
  const position = positionAt(t);
  board.show(position, { ms: Math.abs(t - at) === 1 ? ms : 0 });
  at = t;
  showChoices(t, position, true);
  showDecision(t, position);
  showCursor(t);
  if (Math.min(N, parseInt(field.value)) !== t) nameField();
  const isEarly = t === N && isAsked(t);
  const over = t === N && !match.live && !isEarly;
  if ($("final")) $("final").open = over;
  document.body.classList.toggle("over", over);
  document.body.classList.toggle("early", isEarly);
  markMove(t);
  nameLine(t);
  nameAddress();
}

// Waits, because browsers limit how often a page may change its address. Does nothing if the reader
// changed the address meanwhile.
function nameAddress() {
  clearTimeout(hashTimer);
  const was = location.hash;
  hashTimer = setTimeout(() => {
    if (!small && location.hash === was && was !== nameOf(at))
      history.replaceState(null, "", nameOf(at));
  }, timer ? 400 : 100);
}

// Explains the result of a seat, and makes its mistakes those that the page counts. On a phone the
// board of a seat that the reader or the link named comes first.
const titles = [...document.querySelectorAll("h1 button")];
function choose(seat, isNamed = true) {
  whose = seat;
  board.seats.forEach(({ root }, i) => root.classList.toggle("mine", isNamed && i === seat));
  titles.forEach((title, i) => title.setAttribute("aria-pressed", i === seat));
  document.querySelectorAll("#why > p").forEach((why, i) => (why.hidden = i !== seat));
  if (typeof showMistakes === "function") showMistakes();
}
titles.forEach((title, seat) => title.addEventListener("click", () => {
  choose(seat);
  if (!$("why").clientHeight) go(N); // on a phone the result is explained at the end
  nameAddress();
}));

const interval = () => 1000 / Number($("speed").value);
const step = (by) => go(at + by, Math.min(280, interval() * 0.75));

function play(on) {
  clearTimeout(timer);
  timer = 0;
  const button = $("play");
  button.setAttribute("aria-label", on ? "Pause" : "Play");
  button.querySelector("path").setAttribute("d", on ? "M3 2h4v12H3zM9 2h4v12H9z" : "M4 2l10 6-10 6z");
  if (!on) return;
  const next = () => {
    if (at >= N && !small && !match.live) {
      play(false);
      return;
    }
    if (at < N) step(1);
    else if (small) go(0);
    timer = setTimeout(next, at < N || match.live ? interval() : 5000);
  };
  if (at >= N && !match.live) go(0);
  timer = setTimeout(next, at === 0 ? interval() / 2 : 0);
}

function goRound(by) {
  const marks = [...match.rounds, N];
  go(by > 0 ? marks.find((t) => t > at) ?? N : marks.findLast((t) => t < at) ?? 0);
}

const actions = {
  first: () => go(0), back: () => goRound(-1), prev: () => step(-1), play: () => play(!timer),
  next: () => step(1), on: () => goRound(1), last: () => go(N),
};
if ($("on-here")) actions.line = () => isAsked(at) && $("on-here").click();
const KEYS = { p: "line", Home: "first", "[": "back", ArrowLeft: "prev", " ": "play", ArrowRight: "next",
  "]": "on", End: "last" };
function press(id) {
  if (id !== "play") play(false);
  actions[id]();
}
for (const id in actions) $(id)?.addEventListener("click", () => press(id));

// A digit begins a number in the field.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.id === "speed") return;
  const inField = event.target === field;
  if (inField && event.key === "Enter") field.blur();
  if (!inField && /^\d$/.test(event.key)) field.focus();
  const id = inField ? { ArrowUp: "next", ArrowDown: "prev" }[event.key] : KEYS[event.key];
  if (!actions[id] || (event.key === " " && event.target.closest?.("button, a, summary"))) return;
  event.preventDefault();
  press(id);
});
seek.addEventListener("input", () => {
  play(false);
  go(Number(seek.value));
});

// Goes where the field says. A number that is still being typed stays as it is.
function readField() {
  clearTimeout(typing);
  const typed = Math.min(N, parseInt(field.value));
  if (!(typed >= 0) || typed === at) return;
  play(false);
  go(typed);
  $("now").scrollIntoView({ block: "nearest" });
}
for (const when of ["focus", "click"]) field.addEventListener(when, () => field.select());
field.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(readField, 250);
});
field.addEventListener("blur", () => {
  readField();
  nameField();
});

// A swipe goes one decision on or back, except on elements that scroll sideways.
let swipe = null;
const main = document.querySelector("main");
main.addEventListener("touchstart", (event) => {
  swipe = event.touches.length === 1 && !event.target.closest(".wide, pre") ? event.touches[0] : null;
}, { passive: true });
main.addEventListener("touchend", (event) => {
  if (!swipe) return;
  const dx = event.changedTouches[0].clientX - swipe.clientX;
  const dy = event.changedTouches[0].clientY - swipe.clientY;
  if (Math.abs(dx) > 50 && Math.abs(dx) > 2 * Math.abs(dy)) {
    play(false);
    step(dx < 0 ? 1 : -1);
  }
}, { passive: true });

// Takes the seat from the address, and returns the decision: "#t=39&seat=1" ("d" is another name for
// "t"); "#seat=1" is the end.
function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1));
  const [t, seat] = [said.get("t") ?? said.get("d"), said.get("seat")].map((text) => parseInt(text, 10));
  if (seat >= 0 && seat < P) choose(seat);
  else if (at < 0) choose(whose, false);
  return t >= 0 ? t : seat >= 0 ? N : 0;
}
addEventListener("hashchange", () => {
  play(false);
  go(readAddress());
});

$("save")?.addEventListener("click", () => {
  const bytes = Uint8Array.from(atob($("replay").textContent), (c) => c.charCodeAt(0));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  link.download = match.id.replace(/[^\w.-]+/g, "_") + ".replay";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
});

// Without a secure address the browser lets no page write to the clipboard.
$("link").addEventListener("click", async () => {
  const address = location.href.split("#")[0] + nameOf(at);
  history.replaceState(null, "", nameOf(at));
  const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
  $("link").textContent = copied ? "Copied" : "See the address";
  setTimeout(() => ($("link").textContent = "Link"), 2000);
});

for (const time of document.querySelectorAll("time"))
  time.textContent = new Date(time.dateTime).toLocaleString("sv-SE", { year: "numeric",
    month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });

choices.addEventListener("toggle", () => showChoices(at, positionAt(at)));
function drawAll() {
  $("of").textContent = N > 1 ? tellRange() : "";
  drawStrip();
  showCursor(at);
}
new ResizeObserver(drawAll).observe(strip);
drawAll();
addEventListener("beforeprint", () => go(N));
document.body.classList.add("ready");
document.body.classList.toggle("small", small);
go(small && still.matches ? N : readAddress());
if (small) $("speed").value = 2;
if (small && !still.matches) play(true);
