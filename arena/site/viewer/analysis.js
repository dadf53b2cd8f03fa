// SPDX-License-Identifier: MIT
// What an analyst said of the match (docs/site.md): what each decision cost, the costliest decisions
// of each seat, and a curve of the expected results below the strip, with a triangle at each mistake
// of the seat in question. A script of its own after that of the page: only pages that carry an analysis
// contain it, others receive it from the page for playing when their reader asks (analyst.js).
const MISTAKE = 3; // points
let analysis = { decisions: [] };
let judged = new Map(); // by number of the decision
const nameAnalyst = () => analysis.analyst + (analysis.analyst === "maestro" ? " (the strongest bundled bot)" : "");
const tellPoints = (points) => points.toFixed(1).replace("-", "−");
const loss = (one) => tellPoints(-one.lost);
const tenth = (points) => Number(points.toFixed(1));
// The lead expected after the chosen action, so that it and the cost add up to that of the best one.
const chosenLead = (one) => (one.lost > 0.05 ? tenth(one.best_expected) - tenth(one.lost) : one.expected);
const lead = (points) => (points < 0 ? "" : "+") + tellPoints(points);
const mistakesOf = (seat) => [...judged.values()].filter((one) => one.lost >= MISTAKE &&
  match.seats[one.turn] === seat).sort((a, b) => a.turn - b.turn);
let mistakes = [];

// The numbers by color of "p2gr3".
const countTiles = (text) => [..."pgoybr"].map((letter) =>
  Number(new RegExp(letter + "(\\d*)").exec(text)?.[1].replace(/^$/, "1") ?? 0));

// What the analyst would play at decision t, as in chosenAt, with its words: null if it would play
// the same, or if its action is not in the notation of docs/rules.md.
function readBetter(t, position) {
  const one = judged.get(t);
  if (!one || !(one.lost > 0.05)) return null;
  const [kind, a, b, c, wilds] = one.best.split(" ");
  const all = { words: `plays "${one.best}"`, key: "" };
  const counts = countTiles(kind === "place" ? c : kind === "draft" ? b : a);
  const color = counts.indexOf(1);
  if (kind === "draft" && b) {
    const from = a === "center" ? a : "display" + a;
    const lie = COLORS.map((i) => (board.tiles[from] || []).filter((tile) => tile.color === i).length);
    const taken = COLORS.map((i) => (i === position.wild ? Math.min(1, lie[i]) : i === color ? lie[i] : 0));
    const key = (a === "center" ? "c" : a) + color;
    return { ...all, from, counts: taken, key,
      words: listChoices(t, position).find((choice) => choice.key === key)?.words ?? one.best };
  }
  if (kind === "place" && c) {
    const cost = match.costs[a]?.[b] ?? 0;
    const paid = COLORS.map((i) => (i === color ? cost - wilds : i === position.wild ? Number(wilds) : 0));
    return { ...all, from: "hand" + match.seats[t], counts: paid, star: Number(a), p: Number(b), key: a + b,
      words: `places ${cost} on the ${match.stars[a]}, ${board.tell(paid)}` };
  }
  if (kind === "bonus" && a)
    return { ...all, from: "supply", counts, words: `takes ${board.tell(counts)} from the supply` };
  return kind === "pass" && a ? { ...all, from: "hand" + match.seats[t], counts,
    words: `passes and keeps ${board.tell(counts)}` } : all;
}

const would = (words) => words.replace(/\b(take|place|keep|play)s\b/g, "$1").replace(/^passes/, "pass");

// One sentence on the decision that is shown: what it cost, what the bot did without what that
// scored, and what the analyst would have done.
function tellOpinion(t, position) {
  const one = judged.get(t);
  if (!one) return [];
  const better = readBetter(t, position);
  const grade = one.lost >= MISTAKE ? "Mistake" : one.lost >= 1 ? "Inaccuracy" : "Good move";
  return [make("b", better ? `${grade}, costs ${tellPoints(one.lost)} points: ` : "Best move: ",
    { className: !better ? "best" : one.lost < 1 ? "" : "lost" }),
  make("span", `${match.names[match.seats[t]]} ${actionOf(t).split(":")[0]}`, { className: "marked chosen" }),
  better ? "; " : ".",
  make("span", better ? `${analysis.analyst} would ${would(better.words)}.` : "", { className: better ? "marked better" : "" })];
}

// The leads expected after decision t and after the best choice, and what they are.
function tellLeads(t) {
  const one = judged.get(t);
  return one ? [lead(chosenLead(one)), lead(one.best_expected), `Lead: the points by which ${nameAnalyst()} expects ` +
    `${match.names[match.seats[t]]} to win. It judges the best and the chosen action only.`] : ["", "", ""];
}

// Losses in the list of decisions.
function listLosses() {
  for (const one of judged.values())
    moves[one.turn].after(one.lost > 0.05 ? make("em", loss(one), { title: "points of expected lead lost",
      className: one.lost >= MISTAKE ? "lost mistake" : one.lost >= 1 ? "lost" : "slight" })
      : make("em", "best", { title: `${analysis.analyst} would play the same`, className: "slight" }));
}

// Under the sentence about each seat: its costliest decisions.
function listCostly(why, seat) {
  const costly = mistakesOf(seat).sort((a, b) => b.lost - a.lost).slice(0, 3);
  const line = make("span", costly.length ? `Costliest decisions, says ${analysis.analyst}: `
    : `No decision cost ${MISTAKE} points, says ${analysis.analyst}.`);
  costly.forEach((one, i) => line.append(i ? ", " : "",
    make("a", `${one.turn} (${loss(one)}${i ? "" : " points"})`, { href: "#t=" + one.turn, className: "lost" })));
  why.append(line);
}

// The buttons and keys that lead from mistake to mistake of the seat in question.
function addMistakes() {
  const add = (id, key, text, find) => {
    const button = make("button", text, { id, type: "button" });
    button.setAttribute("aria-keyshortcuts", key === "M" ? "Shift+M" : key);
    $("play").before(button);
    KEYS[key] = id;
    actions[id] = () => {
      const one = find();
      if (one) go(one.turn);
    };
    button.addEventListener("click", () => press(id));
  };
  add("worse", "M", "‹ Mistake", () => mistakes.findLast((one) => one.turn < at));
  add("bad", "m", "Mistake ›", () => mistakes.find((one) => one.turn > at));
}

function showMistakes() {
  mistakes = mistakesOf(whose);
  for (const [id, words, key] of [["worse", "Previous", "M"], ["bad", "Next", "m"]]) {
    const button = $(id);
    button.disabled = !mistakes.length;
    button.setAttribute("aria-label", `${words} mistake of ${match.names[whose]}`);
    button.title = `${words} mistake of ${match.names[whose]} (${key})`;
  }
  drawAnalysis();
}

// The curve of each seat's expected result, with a triangle at each mistake: larger for more points.
const curve = document.createElementNS(SVG, "svg");
curve.id = "expected";
curve.setAttribute("role", "img");
strip.after(curve);
function drawAnalysis() {
  const width = strip.clientWidth;
  const height = curve.clientHeight;
  const all = [...judged.values()];
  const low = Math.min(0, ...all.map((one) => one.expected));
  const high = Math.max(1, ...all.map((one) => one.expected));
  const y = height < 40 ? () => height // on a phone there is room for the triangles only
    : (value) => 4 + (1 - (value - low) / (high - low)) * (height - 20); // 20: with the legend
  curve.setAttribute("viewBox", `0 0 ${width} ${height}`);
  curve.replaceChildren();
  curve.setAttribute("aria-label", `The lead at the end that ${analysis.analyst} expected of each seat`);
  draw(curve, "rect", { width, height, fill: "transparent" });
  draw(curve, "path", { class: "zero", d: `M0 ${round2(y(0))}H${width}` });
  for (let seat = 0; seat < P; seat++) {
    const own = all.filter((one) => match.seats[one.turn] === seat);
    if (own.length) draw(curve, "path", { class: `line s${seat}${seat === whose ? "" : " other"}`,
      "stroke-dasharray": DASHES[seat],
      d: "M" + own.map((one) => `${round2(scaleX(one.turn))} ${round2(y(one.expected))}`).join("L") });
  }
  for (const one of mistakes) {
    const half = Math.min(9, 3 + one.lost / 4, height / 2);
    draw(curve, "path", { class: "mistake s" + match.seats[one.turn],
      d: `M${round2(scaleX(one.turn) - half)} ${round2(Math.max(0, y(one.expected) - 2 * half))}h${2 * half}l${-half} ${2 * half}z` });
  }
  const words = `lead that ${analysis.analyst} expected; triangles: ${MISTAKE} points or more of it lost by ` +
    match.names[whose];
  draw(curve, "text", { class: "legend", x: 4, y: height - 3 }, words);
  $("legend").textContent = `${LEGEND}; \u25bc ${MISTAKE} points or more lost by ${match.names[whose]}`;
}

// The decision that a pointer on the curve means: the mistake nearest to it, or just there.
function pointed(event) {
  const x = event.clientX - strip.getBoundingClientRect().x;
  const away = (one) => Math.abs(scaleX(one.turn) - x);
  const nearest = mistakes.reduce((a, b) => (!a || away(b) < away(a) ? b : a), null);
  if (nearest && away(nearest) <= 14) return nearest.turn;
  return Math.max(0, Math.min(N, Math.round((x / strip.clientWidth) * N)));
}
curve.addEventListener("click", (event) => {
  play(false);
  go(pointed(event));
});
curve.addEventListener("pointermove", (event) => {
  const t = pointed(event);
  const cost = judged.get(t)?.lost ?? 0;
  showHint(event, (t < N ? `${t}: ${wordsOf(t)}` : "The end") +
    (cost > 0.05 ? ` (${tellPoints(-cost)} points of expected lead, says ${analysis.analyst})` : ""));
});
curve.addEventListener("pointerleave", () => (hint.hidden = true));

// Shows what an analyst said, in the place of what another one did.
function showAnalysis(said) {
  analysis = said;
  judged = new Map(said.decisions.filter((one) => moves[one.turn]).map((one) => [one.turn, one]));
  document.querySelectorAll("#moves em, #why > p > span").forEach((old) => old.remove());
  listLosses();
  document.querySelectorAll("#why > p").forEach(listCostly);
  showMistakes();
  show(at);
}
addMistakes();
showAnalysis(JSON.parse($("analysis").textContent));
new ResizeObserver(() => {
  drawStrip(); // its scale is that of the curve
  drawAnalysis();
}).observe(curve);
