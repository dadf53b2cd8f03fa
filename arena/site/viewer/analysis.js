// SPDX-License-Identifier: MIT
// What an analyst said of the match (docs/site.md): what each decision cost, the costliest decisions
// of each seat, and a curve of the expected lead below the strip, with a triangle at each mistake. A script of its own after that of the page: only pages that carry an analysis
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

// One sentence on the decision that is shown: what it cost, what the bot did without what that
// scored, and what the analyst would have done.
function tellOpinion(t, position) {
  const one = judged.get(t);
  if (!one) return [];
  const better = readBetter(t, position);
  const grade = one.lost >= MISTAKE ? "Mistake" : one.lost >= 1 ? "Inaccuracy" : "Good move";
  return [make("b", better ? `${grade}, costs ${tellPoints(one.lost)} points: ` : "Best move: ",
    { className: !better ? "best" : one.lost < 1 ? "" : "lost" }),
  nameSeat(match.seats[t]), " ", make("span", actionOf(t).split(":")[0], { className: "marked chosen" }),
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
  why.append(" ", line);
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

// One curve of the expected lead on an axis: of two seats that of the first, at each decision of either; of
// three or four that of the seat in question over the mean of the others, at its own decisions. A triangle at
// each mistake, larger for more points, points where the curve went: down for the curve's seat, up for the other.
const curve = document.createElementNS(SVG, "svg");
curve.id = "expected";
curve.setAttribute("role", "img");
strip.after(curve);
const subject = () => (P === 2 ? 0 : whose);
const isOnCurve = (one) => P === 2 || match.seats[one.turn] === whose;
const leadOf = (one) => (match.seats[one.turn] === subject() ? one.expected : -one.expected);
const shownMistakes = () => (P === 2 ? [...mistakesOf(1 - whose), ...mistakes] : mistakes);

function drawAnalysis() {
  const width = strip.clientWidth;
  const height = curve.clientHeight;
  const all = [...judged.values()].filter(isOnCurve).sort((a, b) => a.turn - b.turn);
  const low = Math.min(-1, ...all.map(leadOf));
  const high = Math.max(1, ...all.map(leadOf));
  const y = (value) => 4 + (1 - (value - low) / (high - low)) * (height - 8);
  const seat = subject();
  curve.setAttribute("viewBox", `0 0 ${width} ${height}`);
  curve.replaceChildren();
  curve.setAttribute("aria-label", `The lead of ${match.names[seat]} that ${analysis.analyst} expected, ` +
    `from ${lead(low)} to ${lead(high)} points`);
  draw(curve, "rect", { width, height, fill: "transparent" });
  const points = (value) => all.map((one) => `${round2(scaleX(one.turn))} ${round2(y(value(leadOf(one))))}`).join("L");
  if (all.length) {
    const ends = [all[0], all.at(-1)].map((one) => round2(scaleX(one.turn)));
    for (const [part, who] of [[Math.max, seat], [Math.min, P === 2 ? 1 : seat]])
      draw(curve, "path", { class: "area s" + who,
        d: `M${ends[0]} ${round2(y(0))}L${points((value) => part(value, 0))}L${ends[1]} ${round2(y(0))}z` });
    draw(curve, "path", { class: "line", d: "M" + points((value) => value) });
  }
  draw(curve, "path", { class: "zero", d: `M0 ${round2(y(0))}H${width}` });
  for (const one of shownMistakes()) {
    const half = Math.min(9, 3 + one.lost / 4);
    const down = match.seats[one.turn] === seat ? 1 : -1;
    draw(curve, "path", { class: `mistake s${match.seats[one.turn]}${match.seats[one.turn] === whose ? "" : " other"}`,
      d: `M${round2(scaleX(one.turn) - half)} ${round2(y(leadOf(one)) - 2 * down * half - 2 * down)}h${2 * half}l${-half} ${2 * down * half}z` });
  }
  const zero = Math.max(10, Math.min(height - 1, y(0) + 3.5));
  for (const [text, at] of [["0", zero], [`${letter(seat)} ${lead(high)}`, 10],
    [P === 2 ? `${letter(1)} ${lead(-low)}` : `${letter(seat)} ${lead(low)}`, height - 1]])
    if (text === "0" || Math.abs(at - zero) > 11) draw(curve, "text", { x: 4, y: at }, text);
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
legend += `; below: expected lead${P === 2 ? "" : " over the mean of the others"}, \u25b2\u25bc mistakes`;
drawStrip();
showAnalysis(JSON.parse($("analysis").textContent));
new ResizeObserver(() => {
  drawStrip(); // its scale is that of the curve
  drawAnalysis();
}).observe(curve);
