// What an analyst said of the match (docs/site.md): the costliest decisions of those who lost, what
// each decision cost, and a curve of the expected results below the strip, with a triangle at each
// mistake. Only pages that carry an analysis contain this file.
const MISTAKE = 3; // points
const analysis = JSON.parse($("analysis").textContent);
const judged = new Map(analysis.decisions.map((one) => [one.seq, one]));
const mistakes = analysis.decisions.filter((one) => one.lost >= MISTAKE && moves[one.seq])
  .sort((a, b) => a.seq - b.seq);
const loss = (one) => "−" + one.lost.toFixed(1);

function make(name, text, properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text }, properties);
}

// "p2gr3" in words; "-" is nothing.
function tellTiles(text) {
  const letters = "pgoybr";
  return [...text.matchAll(/([pgoybr])(\d*)/g)].map(([, color, count]) =>
    `${count || 1} ${match.colors[letters.indexOf(color)]}`).join(", ") || "nothing";
}

// An action of docs/rules.md in words; another text stays as it is.
function tellAction(text) {
  const [kind, a, b, c, wild] = text.split(" ");
  if (kind === "draft" && b) return `takes ${tellTiles(b).slice(2)} from ${a === "center" ? "the center" : "display " + a}`;
  if (kind === "place" && c) return `places ${match.costs[a]?.[b]} on the ${match.stars[a]} with ` +
    `${tellTiles(c).slice(2)}${Number(wild) ? `, ${wild} wild` : ""}`;
  if (kind === "bonus" && a) return `takes ${tellTiles(a)} from the supply`;
  if (kind === "pass" && a) return `passes and keeps ${tellTiles(a)}`;
  return text;
}

// What the analyst said of decision k, as nodes and texts.
function tellAnalysis(k) {
  const one = judged.get(k);
  if (!(one.lost > 0.05)) return [`${analysis.analyst} would play the same.`];
  return [make("em", loss(one), { className: "lost" }),
    ` Better by ${one.lost.toFixed(1)}, says ${analysis.analyst}: ${tellAction(one.best)}.`];
}

// Losses in the list of decisions.
for (const one of judged.values()) {
  if (!(one.lost >= 1) || !moves[one.seq]) continue;
  moves[one.seq].after(make("em", loss(one), { title: "points lost",
    className: one.lost >= MISTAKE ? "lost mistake" : "lost" }));
}

// Under the result: why those who lost did.
const why = make("p", "", { id: "why" });
const best = match.ranks.indexOf(1);
for (let seat = 0; seat < P; seat++) {
  if (match.ranks[seat] === 1) continue;
  const by = scores[N][best] - scores[N][seat];
  const out = match.outs.find(([, who]) => who === seat);
  const costly = mistakes.filter((one) => match.seats[one.seq] === seat)
    .sort((a, b) => b.lost - a.lost).slice(0, 3);
  const says = `says ${analysis.analyst}` +
    (analysis.analyst === "maestro" ? " (the strongest bundled bot)" : "");
  why.append(make("b", match.names[seat]), out ? ` ${out[2]}` : by > 0 ? ` lost by ${by}` : " lost",
    costly.length ? `; its costliest decisions, ${says}: ` :
      `; none of its decisions cost ${MISTAKE} points, ${says}`);
  costly.forEach((one, i) => why.append(i ? ", " : "",
    make("a", `${one.seq} (${loss(one)})`, { href: "#t=" + one.seq, className: "lost" })));
  why.append(". ");
}
if (why.firstChild) document.querySelector("header").append(why);

// The buttons and keys that lead from mistake to mistake.
function addMistakes() {
  const add = (id, key, words, text, find) => {
    const button = make("button", text, { id, type: "button", title: `${words} (${key})` });
    button.setAttribute("aria-label", words);
    button.setAttribute("aria-keyshortcuts", key === "M" ? "Shift+M" : key);
    button.disabled = !mistakes.length;
    $("keys").insertBefore(button, $("speed").parentElement);
    KEYS[key] = id;
    actions[id] = () => {
      const one = find();
      if (one) go(one.seq + 1);
    };
  };
  add("worse", "M", "Previous mistake", "‹ Mistake", () => mistakes.findLast((one) => one.seq + 1 < at));
  add("bad", "m", "Next mistake", "Mistake ›", () => mistakes.find((one) => one.seq + 1 > at));
}

// The curve of each seat's expected result, with a triangle at each mistake: larger for more points.
const curve = document.createElementNS(SVG, "svg");
curve.id = "expected";
curve.setAttribute("role", "img");
curve.setAttribute("aria-label", `The lead at the end that ${analysis.analyst} expected of each seat`);
strip.after(curve);
function drawAnalysis() {
  const width = strip.clientWidth;
  const height = 56;
  const all = [...judged.values()];
  const low = Math.min(0, ...all.map((one) => one.expected));
  const high = Math.max(1, ...all.map((one) => one.expected));
  const y = (value) => 4 + (1 - (value - low) / (high - low)) * (height - 20);
  curve.setAttribute("viewBox", `0 0 ${width} ${height}`);
  curve.replaceChildren();
  draw(curve, "rect", { width, height, fill: "transparent" });
  draw(curve, "path", { class: "zero", d: `M0 ${round2(y(0))}H${width}` });
  for (let seat = 0; seat < P; seat++) {
    const own = all.filter((one) => match.seats[one.seq] === seat);
    if (own.length) draw(curve, "path", { class: "line s" + seat, "stroke-dasharray": DASHES[seat],
      d: "M" + own.map((one) => `${round2(scaleX(one.seq + 1))} ${round2(y(one.expected))}`).join("L") });
  }
  for (const one of mistakes) {
    const half = Math.min(9, 3 + one.lost / 4);
    draw(curve, "path", { class: "mistake s" + match.seats[one.seq],
      d: `M${round2(scaleX(one.seq + 1) - half)} ${round2(Math.max(0, y(one.expected) - 2 * half))}h${2 * half}l${-half} ${2 * half}z` });
  }
  draw(curve, "text", { x: 4, y: height - 3 }, width > 420 ?
    `expected lead at the end, says ${analysis.analyst}; triangles: ${MISTAKE} points lost or more` : "expected lead");
}

// The position that a pointer on the curve means: after the mistake nearest to it, or just there.
function pointed(event) {
  const x = event.clientX - strip.getBoundingClientRect().x;
  const away = (one) => Math.abs(scaleX(one.seq + 1) - x);
  const nearest = mistakes.reduce((a, b) => (!a || away(b) < away(a) ? b : a), null);
  if (nearest && away(nearest) <= 14) return nearest.seq + 1;
  return Math.max(0, Math.min(N, Math.round((x / strip.clientWidth) * N)));
}
curve.addEventListener("click", (event) => {
  play(false);
  go(pointed(event));
});
curve.addEventListener("pointermove", (event) => {
  const t = pointed(event);
  const words = t ? `${t - 1}: ${wordsOf(t - 1)}. ` : "The deal";
  showHint(event, words + (judged.has(t - 1) ?
    tellAnalysis(t - 1).map((part) => part.textContent ?? part).join("") : ""));
});
curve.addEventListener("pointerleave", () => (hint.hidden = true));
new ResizeObserver(() => {
  drawStrip(); // its scale is that of the curve
  drawAnalysis();
}).observe(curve);
