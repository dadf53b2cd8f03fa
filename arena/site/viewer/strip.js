// SPDX-License-Identifier: MIT
// The match at a glance: scores, rounds, features, long thoughts, who went out.
const strip = $("strip");
const chart = strip.querySelector("svg");
const seek = $("seek");
const hint = $("hint");
let legend = "bars: bonus tiles; lines: score";
const DASHES = ["", "7 3", "2 3", "9 3 2 3"];
const scores = [];
let cursor = null;
let scaleX = () => 0;

function drawStrip() {
  for (let t = scores.length; t <= N; t++) scores.push(positionAt(t).seats.map((seat) => seat.score));
  seek.max = N;
  const width = strip.clientWidth;
  const height = strip.clientHeight;
  const top = Math.max(20, ...scores.flat());
  const x = (t) => (t / Math.max(1, N)) * (width - 2) + 1;
  const y = (points) => 12 + (1 - points / top) * (height - 30);
  scaleX = x;
  chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
  chart.replaceChildren();
  match.rounds.forEach((t, i) => {
    const end = match.rounds[i + 1] ?? N;
    draw(chart, "rect", { class: i % 2 ? "band odd" : "band", x: x(t), y: 0, height,
      width: Math.max(0, x(end) - x(t)) });
    if (width > 420 || x(end) - x(t) > 44)
      draw(chart, "text", { x: x(t) + 4, y: 10 }, "Round " + (i + 1));
  });
  for (const [k, earned] of match.bonus)
    draw(chart, "path", { class: "tick s" + match.seats[k],
      d: `M${round2(x(k))} ${height}v${-2 - 3 * earned}` });
  for (let seat = 0; seat < P; seat++)
    draw(chart, "path", { class: "line s" + seat, "stroke-dasharray": DASHES[seat],
      d: "M" + scores.map((at, t) => `${round2(x(t))} ${round2(y(at[seat]))}`).join("L") });
  for (const k of match.longs)
    draw(chart, "circle", { class: "long s" + match.seats[k], r: 3,
      cx: x(k), cy: y(scores[k][match.seats[k]]) });
  for (const [t, seat] of match.outs)
    draw(chart, "path", { class: "gone s" + seat, d: `M${x(t)} ${height - 2}v-22h11l-4 5 4 5h-11` });
  const ends = scores[N].map((points, seat) => ({ y: y(points), seat })).sort((a, b) => a.y - b.y);
  ends.forEach((end, i) => {
    end.y = Math.max(end.y, i ? ends[i - 1].y + 11 : 9);
    draw(chart, "text", { class: "end s" + end.seat, x: width + 5, y: end.y + 4 }, letter(end.seat));
  });
  draw(chart, "text", { class: "legend", x: 4, y: height - 4 }, legend);
  $("legend").textContent = legend; // on a phone, where the chart has no room for it
  cursor = draw(chart, "path", { class: "cursor" });
}

function showCursor(t) {
  cursor.setAttribute("d", `M${round2(scaleX(t))} 0V${strip.clientHeight}`);
  seek.value = t;
  seek.setAttribute("aria-valuetext", isAsked(t) ? `decision ${t} of ${tellRange()}` : "the end");
}

function showHint(event, text) {
  const box = strip.getBoundingClientRect();
  hint.textContent = text;
  hint.hidden = event.pointerType === "touch";
  hint.style.left = Math.max(0, Math.min(event.clientX - box.x - 130, box.width - 270)) + "px";
}

seek.addEventListener("pointermove", (event) => {
  const box = strip.getBoundingClientRect();
  const t = Math.max(0, Math.min(N, Math.round(((event.clientX - box.x) / box.width) * N)));
  const words = t < N ? `${t}: ${wordsOf(t)}` : "The end";
  showHint(event, `${words} (${scores[t].map((s, i) => letter(i) + " " + s).join(", ")})`);
});
seek.addEventListener("pointerleave", () => (hint.hidden = true));
