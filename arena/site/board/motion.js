// SPDX-License-Identifier: MIT
// Tiles that fly: a copy of each tile travels between its two places on a layer above the page.
const still = matchMedia("(prefers-reduced-motion: reduce)");

// From which places a tile may have come, most likely first. Tiles never move between seats.
const ORIGINS = {
  star: ["hand"], corner: ["hand"], hand: ["display", "center", "supply", "corner"],
  center: ["display"], display: ["bag", "tower"], supply: ["bag", "tower"],
  tower: ["hand", "corner"], bag: ["tower"],
};
const kind = (place) => place.replace(/[-\d]+$/, "");
const owner = (place) => (/^(star|hand|corner)/.test(place) ? place.match(/\d/)[0] : "");

function where(element, turn, size) {
  const box = element.getBoundingClientRect();
  const scale = box.width ? element.ownerSVGElement.getScreenCTM().a : 0; // 0: the table is hidden
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, turn, size: size * scale };
}

// Where each tile lies on the screen, by place and color.
function survey(tiles) {
  const found = {};
  for (const place in tiles)
    found[place] = tiles[place].map(({ color, element, turn, size }) =>
      ({ color, element, ...where(element, turn, size) }));
  return found;
}

// The tiles of a color that lie in a place of `these`, and not in that place of `those`.
function surplus(these, those, color) {
  const more = [];
  for (const place in these) {
    const mine = these[place].filter((tile) => tile.color === color);
    const others = (those[place] || []).filter((tile) => tile.color === color);
    for (const tile of mine.slice(Math.min(others.length, mine.length))) more.push({ place, tile });
  }
  return more;
}

function stockSurplus(list, stock, name, position, before, color, sign) {
  const count = sign * (position[name][color] - before[name][color]);
  for (let i = 0; i < count; i++)
    list.push({ place: name, tile: { color, ...where(stock[name].element, 0, 0.5) } });
}

// Pairs the tiles that left a place with those that came to one, between two positions.
function matchTiles(before, after, from, to, stock) {
  const pairs = [];
  for (const color of COLORS) {
    const left = surplus(before, after, color);
    const came = surplus(after, before, color);
    for (const name of ["bag", "tower"]) {
      stockSurplus(left, stock, name, to, from, color, -1);
      stockSurplus(came, stock, name, to, from, color, 1);
    }
    for (const target of came)
      for (const origin of ORIGINS[kind(target.place)]) {
        const i = left.findIndex(({ place }) => kind(place) === origin &&
          (!owner(place) || !owner(target.place) || owner(place) === owner(target.place)));
        if (i < 0) continue;
        pairs.push([left.splice(i, 1)[0].tile, target.tile]);
        break;
      }
  }
  return pairs;
}

class Sky {
  flights = [];

  constructor(parent) {
    this.svg = draw(parent, "svg", { id: "sky", "aria-hidden": "true" });
  }

  land() {
    for (const { flight, copy, element } of this.flights) {
      flight.cancel();
      copy.remove();
      if (element) element.style.opacity = "";
    }
    this.flights = [];
  }

  fly(all, ms) {
    const pairs = all.filter(([from, to]) => from.size && to.size);
    const css = ({ x, y, turn, size }, dy = 0) =>
      `translate(${x}px,${y + dy}px) rotate(${turn}deg) scale(${size})`;
    pairs.forEach(([from, to], i) => {
      const copy = draw(this.svg, "use", { href: "#t" + to.color });
      const turn = from.turn + ((((to.turn - from.turn) % 180) + 270) % 180) - 90;
      const goal = { ...to, turn };
      const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, turn: (from.turn + turn) / 2,
        size: Math.max(from.size, to.size) * 1.15 };
      const rise = -Math.min(40, Math.hypot(to.x - from.x, to.y - from.y) / 5);
      const flight = copy.animate([{ transform: css(from) }, { transform: css(middle, rise) },
        { transform: css(goal) }],
      { duration: ms, delay: Math.min(i * 12, ms / 2), easing: "ease-in-out", fill: "both" });
      if (to.element) to.element.style.opacity = 0;
      const entry = { flight, copy, element: to.element };
      flight.onfinish = () => {
        copy.remove();
        if (to.element) to.element.style.opacity = "";
        this.flights = this.flights.filter((other) => other !== entry);
      };
      this.flights.push(entry);
    });
  }
}
