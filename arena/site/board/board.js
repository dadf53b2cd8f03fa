// SPDX-License-Identifier: MIT
// <pavilion-board>: the boards of all seats and the table, as SVG, by the geometry of docs/rules.md. It
// serves the page of a match, over or under way, whole or in a frame, and the page for playing.
//
//   start(match)                   draws what is the same in all positions
//   show(position, {since, ms})    draws a position; tiles fly there in ms; marks what is new since another one
//   mark(seat, choice, className)  marks the tiles and the space of a choice, until the next position
//   offer(seat, spaces)            marks the spaces that can be filled, {star, p}, with what each is worth
//                                  if {points, bonus} say so, until the next call
//
// Events: "tile" {place, color} and "space" {seat, star, p} were clicked, "look": a pointer is on a space.
const SVG = "http://www.w3.org/2000/svg";
const SIDE = 20; // of a rhombus
const REACH = 64; // from the board's center to an outer star's
const COLORS = [0, 1, 2, 3, 4, 5];

const sum = (counts) => counts.reduce((a, b) => a + b, 0);
const letter = (seat) => "ABCD"[seat];

function draw(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

function make(name, text, properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text }, properties);
}

const polar = (degrees, r) => {
  const a = (degrees * Math.PI) / 180;
  return [r * Math.cos(a), r * Math.sin(a)];
};
const round2 = (x) => Math.round(x * 100) / 100;
const ring = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

const OUTLINE = "M0-16.6 9.6 0 0 16.6-9.6 0z";
const MARKS = [
  ring(0, -3.4, 2.8) + ring(0, 3.4, 2.8) + ring(-3.4, 0, 2.8) + ring(3.4, 0, 2.8),
  "M-3.6 6C-7-1-2-6.5 5.5-6 6 0 3 6-2.2 5L2-2z",
  ring(0, 0, 3) + "M-.8-7h1.600v2.600h-1.600zM-.8 4.400h1.600v2.600h-1.600zM-7-.8h2.600v1.600h-2.600z" +
    "M4.4-.8h2.600v1.600h-2.600zM-5.3-4.200l1.1-1.1 1.7 1.7-1.1 1.100zM2.5-3.600l1.7-1.7 1.1 1.1" +
    "-1.7 1.700zM-5.3 4.200l1.7-1.7 1.1 1.1-1.7 1.700zM3.6 2.500l1.7 1.7-1.1 1.1-1.7-1.700z",
  "M0-7.5 4.6 0 0 7.5-4.6 0z",
  "M0-7.500C1-4 4.6-.5 4.6 2.600a4.6 4.6 0 1 1-9.2 0C-4.6-.5-1-4 0-7.500z",
  "M-1.9-6h3.800v4.100h4.100v3.800h-4.100v4.100h-3.800v-4.100h-4.100v-3.800h4.100z",
];
const FEATURES = [
  "M-4-5.500h8v2h-1.200v7h1.200v2h-8v-2h1.200v-7h-1.200z",
  ring(0, -3.6, 2.2) + "M-3.6 6C-3.6 1-2.5-.8 0-.8S3.6 1 3.6 6z",
  "M-4 5.500V-1a4 4 0 0 1 8 0v6.500zM-2.6 4.100h1.900V-.5h-1.900zM.7 4.100h1.900V-.5H.7z",
];

const expand = (counts) => COLORS.flatMap((c) => Array(counts[c]).fill(c));

// ---- player boards ----

const starCenter = (star) => (star === 6 ? [0, 0] : polar(-120 + 60 * star, REACH));
const facing = (star, p) => (star === 6 ? -90 + 60 * p : -90 + 60 * (p + star - 5));

function featurePlace(feature) {
  const i = feature % 6;
  if (feature < 6) return polar(-120 + 60 * i, REACH / 2);
  if (feature >= 12) return polar(-120 + 60 * i, REACH + 30);
  const [x, y] = starCenter(i);
  const [u, v] = starCenter((i + 1) % 6);
  return [(x + u) / 2, (y + v) / 2];
}

const displayPlace = (d, count) => polar(-90 + (360 / count) * d, 105);

class PavilionBoard extends HTMLElement {
  tiles = {}; // each tile drawn: by place, such as "center" or "hand0"
  seats = [];
  position = null;

  start(match) {
    this.match = match;
    this.replaceChildren();
    this.drawTiles();
    for (let seat = 0; seat < match.players; seat++) this.seats.push(this.makeSeat(seat));
    this.makeTable(2 * match.players + 1);
    this.sky = new Sky(this);
  }

  show(position, { since = null, ms = 0 } = {}) {
    const moving = ms > 0 && this.position && !still.matches && !document.hidden;
    this.sky.land();
    const from = moving ? survey(this.tiles) : null;
    this.tiles = {};
    this.drawTable(position);
    this.seats.forEach((board, seat) => this.drawSeat(board, seat, position, since));
    if (moving) this.sky.fly(matchTiles(from, survey(this.tiles), this.position, position, this.stock), ms);
    this.position = position;
  }

  // A choice: {from: where tiles are taken, paid or kept, counts of these, star, p}.
  mark(seat, { from, counts, star, p }, className) {
    for (const c of COLORS)
      for (const { element } of (this.tiles[from] || []).filter(({ color }) => color === c)
        .slice(0, Math.max(0, counts[c]))) element.classList.add(className);
    if (star === undefined) return;
    const { loose, spaces } = this.seats[seat];
    draw(loose, "path", { class: "ring " + className, d: OUTLINE,
      transform: spaces[star][p].outline.getAttribute("transform") });
  }

  offer(seat, spaces) {
    for (const space of this.querySelectorAll(".can")) space.classList.remove("can");
    this.worth?.remove();
    if (!spaces.length) return;
    this.worth = draw(this.seats[seat].svg, "g", { class: "worth", "aria-hidden": "true" });
    for (const { star, p, points, bonus } of spaces) {
      const { outline, cost, x, y } = this.seats[seat].spaces[star][p];
      outline.classList.add("can");
      if (points === undefined) continue;
      cost.classList.add("can");
      draw(this.worth, "text", { x: round2(x), y: round2(y + 6.500) }, `+${points}`);
      for (let i = 0; i < bonus; i++)
        draw(this.worth, "path", { d: "M0-3 1.800 0 0 3-1.800 0z",
          transform: `translate(${round2(x + 3.6 * (i - (bonus - 1) / 2))} ${round2(y - 8.500)})` });
    }
  }

  // "3 blue, 1 green", or "nothing".
  tell(counts) {
    const parts = COLORS.filter((c) => counts[c]).map((c) => counts[c] + " " + this.match.colors[c]);
    return parts.join(", ") || "nothing";
  }

  // What the drawings of tiles and of the start token refer to.
  drawTiles() {
    const defs = draw(this, "svg", { width: 0, height: 0, class: "defs", "aria-hidden": "true" });
    for (const c of COLORS) {
      const tile = draw(defs, "g", { id: "t" + c, class: "c" + c });
      draw(tile, "path", { class: "body", d: OUTLINE });
      draw(tile, "path", { class: "edge", d: "M-8.4 0 0-14.5 8.4 0" });
      draw(tile, "path", { class: "mark", d: MARKS[c] });
    }
    const token = draw(defs, "g", { id: "token" });
    draw(token, "circle", { r: 9 });
    draw(token, "text", { y: 4.5 }, "1");
  }

  drawTile(parent, place, color, x, y, turn, size, wild) {
    const element = draw(parent, "use", {
      href: "#t" + color,
      transform: `translate(${round2(x)} ${round2(y)}) rotate(${turn}) scale(${size})`,
    });
    if (color === wild) element.setAttribute("class", "wild");
    (this.tiles[place] ||= []).push({ color, element, turn, size });
    return element;
  }

  send(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  // ---- a seat: its name, board and hand ----

  makeSeat(seat) {
    const { match } = this;
    const root = make("section", "", { className: `seat s${seat}`, id: "seat" + seat });
    root.setAttribute("aria-labelledby", "name" + seat);
    root.innerHTML = `<div class="who"><span class="letter" aria-hidden="true">${letter(seat)}</span>` +
      `<div><h2 id="name${seat}"></h2><p><span class="flag"></span></p></div><output class="score"></output></div>` +
      '<svg class="board" viewBox="-106 -106 212 212" role="img"></svg>' +
      '<svg class="hand" viewBox="0 0 212 24" role="img"></svg>';
    root.querySelector("h2").textContent = match.names[seat];
    for (const [text, title] of match.details?.[seat] ?? [])
      root.querySelector(".flag").before(make("small", text, title && { title }));
    this.append(root);
    const svg = root.querySelector(".board");
    draw(svg, "circle", { class: "disc", r: 105 });
    for (let corner = 0; corner < 4; corner++)
      draw(svg, "path", {
        class: "socket", d: OUTLINE,
        transform: `translate(${corner % 2 ? 95 : -95} ${corner < 2 ? -89 : 89}) scale(.8)`,
      });
    const spaces = Array.from({ length: 7 }, (_, star) => this.makeStar(svg, seat, star));
    const features = match.features.map((_, f) => {
      const [x, y] = featurePlace(f);
      const group = draw(svg, "g", {
        class: "feature", transform: `translate(${round2(x)} ${round2(y)})`,
      });
      draw(group, "path", { d: FEATURES[Math.floor(f / 6)] });
      return group;
    });
    return { root, svg, spaces, features, loose: draw(svg, "g", {}), hand: root.querySelector(".hand"),
      score: root.querySelector(".score"), flag: root.querySelector(".flag") };
  }

  makeStar(svg, seat, star) {
    const { match } = this;
    const [x, y] = starCenter(star);
    const group = draw(svg, "g", {
      class: match.starColors[star] < 0 ? "star" : "star c" + match.starColors[star],
    });
    return COLORS.map((p) => {
      const [u, v] = polar(facing(star, p), SIDE * 0.866);
      const turn = facing(star, p) + 90;
      const space = { star, x: x + u, y: y + v, turn };
      space.outline = draw(group, "path", {
        class: "space", d: OUTLINE,
        transform: `translate(${round2(x + u)} ${round2(y + v)}) rotate(${turn})`,
      });
      space.cost = draw(group, "text", { x: round2(x + u), y: round2(y + v + 4.2) },
        match.costs[star][p]);
      for (const part of [space.outline, space.cost]) {
        part.addEventListener("click", () => this.send("space", { seat, star, p }));
        part.addEventListener("pointerenter", () => this.send("look", { seat, star, p }));
      }
      return space;
    });
  }

  tellSeat(seat, position) {
    const { stars, corners } = position.seats[seat];
    const told = stars.map((star, s) => {
      const covered = COLORS.filter((p) => star[p] >= 0).map((p) => this.match.costs[s][p]);
      return covered.length ? `${this.match.stars[s]}: ${covered.sort().join(" ")}` : "";
    }).filter(Boolean);
    return `Board of ${this.match.names[seat]}. ${told.join("; ") || "Empty"}. Corners: ${this.tell(corners)}.`;
  }

  drawHand(board, seat, position) {
    const { hand } = position.seats[seat];
    const all = expand(hand);
    const groups = COLORS.filter((c) => hand[c]).length;
    const step = Math.min(13, (196 - 5 * groups) / Math.max(1, all.length));
    let x = 106 - (step * (all.length - 1) + 5 * (groups - 1)) / 2;
    board.hand.replaceChildren();
    all.forEach((color, i) => {
      if (i && all[i - 1] !== color) x += 5;
      this.drawTile(board.hand, "hand" + seat, color, x, 12, 0, 0.64, position.wild);
      x += step;
    });
    board.hand.setAttribute("aria-label", `Hand of ${this.match.names[seat]}: ${this.tell(hand)}`);
  }

  drawSeat(board, seat, position, since) {
    const now = position.seats[seat];
    let latest = null;
    board.loose.replaceChildren();
    board.spaces.forEach((star, s) => star.forEach((space, p) => {
      const color = now.stars[s][p];
      const filled = color >= 0;
      space.outline.classList.toggle("filled", filled);
      space.cost.classList.toggle("filled", filled);
      if (!filled) return;
      const element = this.drawTile(board.loose, `star${seat}-${s}-${p}`, color, space.x, space.y,
        space.turn, 1, -1);
      if (since && since.seats[seat].stars[s][p] < 0) latest = element;
    }));
    if (latest) {
      latest.setAttribute("class", "new");
      board.loose.append(latest); // its ring lies above the neighbors
    }
    this.match.features.forEach((spaces, f) => board.features[f].classList.toggle("on",
      spaces.every(([s, p]) => now.stars[s][p] >= 0)));
    expand(now.corners).forEach((color, i) => this.drawTile(board.loose, "corner" + seat, color,
      i % 2 ? 95 : -95, i < 2 ? -89 : 89, 0, 0.8, position.wild));
    board.score.textContent = now.score;
    board.svg.setAttribute("aria-label", this.tellSeat(seat, position));
    this.drawHand(board, seat, position);
    board.root.classList.toggle("turn", position.player === seat);
    const out = this.match.outs.some(([turn, who]) => who === seat && turn <= position.t);
    board.flag.classList.toggle("gone", out);
    board.flag.textContent = [out && "out", ...(position.phase === 3 ? [] : [position.token === seat &&
      "start token", now.passed && "passed"])].filter(Boolean).join(", ");
  }

  // ---- the table ----

  makeTable(displayCount) {
    const table = make("section", "", { id: "table" });
    table.setAttribute("aria-label", "Table");
    table.innerHTML = '<p id="wild"><span id="round"></span> <svg viewBox="-12 -19 24 38" aria-hidden="true">' +
      '</svg> <strong id="wildname"></strong></p><svg id="shared" viewBox="-152 -152 304 334" role="img"></svg>' +
      '<details id="stock"><summary>Bag and tower</summary><div></div></details>';
    this.append(table);
    const shared = this.shared = $("shared");
    draw(shared, "circle", { class: "disc", r: 146 });
    for (let d = 0; d < displayCount; d++) {
      const [x, y] = displayPlace(d, displayCount);
      draw(shared, "circle", { class: "plate", cx: round2(x), cy: round2(y), r: 32.5 });
      const [u, v] = polar(-90 + (360 / displayCount) * d, 142);
      draw(shared, "text", { class: "label", x: round2(u), y: round2(v + 3) }, d);
    }
    for (let i = 0; i < 10; i++)
      draw(shared, "path", {
        class: "socket", d: OUTLINE, transform: `translate(${-74 + 16.5 * i} 166) scale(.74)`,
      });
    this.stock = {};
    for (const [name, x, d] of [
      ["bag", -126, "M-5-13h10l-2.5 4C9-6 13 0 13 6c0 5-4 8-13 8s-13-3-13-8c0-6 4-12 10.5-15z"],
      ["tower", 126, "M-11 14V-6h-2v-8h5v4h4.500v-4h7v4h4.500v-4h5v8h-2v20z"]]) {
      const group = draw(shared, "g", { class: "stock", transform: `translate(${x} 165)` });
      this.stock[name] = { element: draw(group, "path", { d }), count: draw(group, "text", { y: 8 }) };
    }
    this.loose = draw(shared, "g", {});
    shared.addEventListener("click", ({ target }) => {
      for (const place in this.tiles)
        for (const { color, element } of this.tiles[place])
          if (element === target) this.send("tile", { place, color });
    });
  }

  drawCenter(position) {
    const all = expand(position.center);
    const free = position.token < 0 && position.phase === 0;
    const count = all.length + (free ? 1 : 0);
    const columns = Math.max(1, Math.min(8, Math.ceil(Math.sqrt(count * 1.9))));
    const rows = Math.ceil(count / columns);
    const place = (i) => {
      const row = Math.floor(i / columns);
      const inRow = Math.min(columns, count - row * columns);
      return [((i % columns) - (inRow - 1) / 2) * 18.5, (row - (rows - 1) / 2) * 30];
    };
    if (free) {
      const [x, y] = place(0);
      draw(this.loose, "use", { href: "#token", transform: `translate(${x} ${y})` });
    }
    all.forEach((color, i) => this.drawTile(this.loose, "center", color, ...place(i + (free ? 1 : 0)), 0,
      0.84, position.wild));
  }

  // While tiles are placed, displays are empty: boards get their room. The page's styles lay it out by
  // the class "placing" of its body.
  drawTable(position) {
    const page = document.body.classList;
    page.toggle("placing", position.phase % 3 > 0);
    this.shared.setAttribute("viewBox", page.contains("placing") && !page.contains("small")
      ? "-152 146 304 38" : "-152 -152 304 334");
    this.loose.replaceChildren();
    position.displays.forEach((counts, d) => {
      const [x, y] = displayPlace(d, position.displays.length);
      expand(counts).forEach((color, i) => {
        const [u, v] = polar(45 + 90 * i, 15.5);
        this.drawTile(this.loose, "display" + d, color, x + u, y + v, 135 + 90 * i, 0.84, position.wild);
      });
    });
    this.drawCenter(position);
    expand(position.supply).forEach((color, i) =>
      this.drawTile(this.loose, "supply", color, -74 + 16.5 * i, 166, 0, 0.74, position.wild));
    this.tellTable(position);
  }

  tellTable(position) {
    this.stock.bag.count.textContent = sum(position.bag);
    this.stock.tower.count.textContent = sum(position.tower);
    const told = position.displays.map((counts, d) => `factory ${d}: ${this.tell(counts)}`);
    this.shared.setAttribute("aria-label", `${told.join("; ")}; center: ${this.tell(position.center)}; supply: ` +
      `${this.tell(position.supply)}; ${sum(position.bag)} tiles in the bag, ` +
      `${sum(position.tower)} in the tower`);
    $("stock").lastElementChild.textContent = `Bag: ${this.tell(position.bag)}. ` +
      `Tower: ${this.tell(position.tower)}.`;
    $("round").textContent = position.phase === 3 ? "Match over" : `Round ${position.round} of 6`;
    $("wildname").textContent = this.match.colors[position.wild] + " is wild";
    const sample = $("wild").querySelector("svg");
    sample.replaceChildren();
    draw(sample, "use", { href: "#t" + position.wild, class: "wild" });
  }
}
customElements.define("pavilion-board", PavilionBoard);
