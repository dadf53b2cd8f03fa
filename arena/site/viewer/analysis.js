// What an analyst said of the match (docs/site.md): what each decision cost, a curve of the expected
// results below the strip, and blunders. Only pages that carry an analysis contain this file.
const BLUNDER = 3; // points
const analysis = JSON.parse($("analysis").textContent);
const judged = new Map(analysis.decisions.map((one) => [one.seq, one]));
const points = (count) => `${count.toFixed(1)} point${count.toFixed(1) === "1.0" ? "" : "s"}`;

// "p2gr3" in words; "-" is nothing.
function tellTiles(text) {
  const letters = "pgoybr";
  return [...text.matchAll(/([pgoybr])(\d*)/g)].map(([, color, count]) =>
    `${count || 1} ${match.colors[letters.indexOf(color)]}`).join(", ") || "nothing";
}

// An action of docs/rules.md in words; another text stays as it is.
function tellAction(text) {
  const [kind, a, b, c, wild] = text.split(" ");
  if (kind === "draft" && b) return `take ${tellTiles(b).slice(2)} from ${a === "center" ? "the center" : "display " + a}`;
  if (kind === "place" && c) return `place ${match.costs[a]?.[b]} on the ${match.stars[a]} with ` +
    `${tellTiles(c).slice(2)}${Number(wild) ? `, ${wild} wild` : ""}`;
  if (kind === "bonus" && a) return `take ${tellTiles(a)} from the supply`;
  if (kind === "pass" && a) return `pass and keep ${tellTiles(a)}`;
  return text;
}

// What the analyst said of decision k, or "".
function tellAnalysis(k) {
  const one = judged.get(k);
  if (!one) return "";
  if (!(one.lost > 0.05)) return `${analysis.analyst} would play the same.`;
  return `${analysis.analyst} would ${tellAction(one.best)}: +${points(one.lost)}.`;
}

// Blunders in the list of decisions.
for (const { seq, lost } of judged.values()) {
  if (!(lost >= 1) || !moves[seq]) continue;
  const mark = document.createElement("em");
  mark.textContent = `−${lost.toFixed(1)}`;
  mark.className = lost >= BLUNDER ? "blunder" : "";
  mark.title = lost >= BLUNDER ? "blunder: points lost" : "points lost";
  moves[seq].after(mark);
}

// The curve of each seat's expected result, with a mark at each blunder.
const curve = document.createElementNS(SVG, "svg");
curve.id = "expected";
curve.setAttribute("role", "img");
curve.setAttribute("aria-label", `What ${analysis.analyst} expected of each seat`);
strip.after(curve);
function drawAnalysis() {
  const width = strip.clientWidth;
  const height = 44;
  const all = [...judged.values()];
  const low = Math.min(0, ...all.map((one) => one.expected));
  const high = Math.max(1, ...all.map((one) => one.expected));
  const y = (value) => 4 + (1 - (value - low) / (high - low)) * (height - 8);
  curve.setAttribute("viewBox", `0 0 ${width} ${height}`);
  curve.replaceChildren();
  draw(curve, "path", { class: "zero", d: `M0 ${round2(y(0))}H${width}` });
  for (let seat = 0; seat < P; seat++) {
    const own = all.filter((one) => match.seats[one.seq] === seat);
    if (own.length) draw(curve, "path", { class: "line s" + seat, "stroke-dasharray": DASHES[seat],
      d: "M" + own.map((one) => `${round2(scaleX(one.seq))} ${round2(y(one.expected))}`).join("L") });
  }
  for (const { seq, expected, lost } of all)
    if (lost >= BLUNDER) draw(curve, "path", { class: "blunder",
      d: `M${round2(scaleX(seq) - 4)} ${round2(y(expected) - 8)}h8l-4 7z` });
}
new ResizeObserver(() => {
  drawStrip(); // its scale is that of the curve
  drawAnalysis();
}).observe(curve);
