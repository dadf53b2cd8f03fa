// SPDX-License-Identifier: MIT
// The decision that is shown: marked on the boards and the table, and all that could have been chosen.
const choices = $("choices");
const signed = (points) => (points > 0 ? "+" + points : String(points));

// The choices in words, each with its key as in chosenAt.
function listDrafts(legal, position) {
  return legal.match(/.{4}/g).map((one) => {
    const [color, count, wild] = [...one.slice(1)].map(number);
    const tiles = color === position.wild ? `1 wild ${match.colors[color]}`
      : `${count} ${match.colors[color]}${wild ? ` and the wild ${match.colors[position.wild]}` : ""}`;
    return { key: one.slice(0, 2), words: `takes ${tiles} from ` +
      (one[0] === "c" ? "the center" : "factory " + one[0]) };
  });
}

// Spaces with what they score: {star, p, points, bonus, colors: [[color, fewest, most wild]]}.
function readPlaces(legal) {
  const spaces = [];
  const masks = legal.slice(42, 56).match(/../g).map((two) => parseInt(two, 36));
  const payments = (legal.slice(58).match(/.{4}/g) || []).map((four) => [...four].map(number));
  for (let i = 0; i < 42; i++) {
    if (legal[i] === "-") continue;
    const star = Math.floor(i / 6);
    const p = i % 6;
    const worth = number(legal[i]);
    spaces.push({ star, p, points: worth >> 2, bonus: worth & 3,
      colors: payments.filter(([color, cost]) => masks[star] >> color & 1 &&
        cost === match.costs[star][p]).map(([color, , fewest, most]) => [color, fewest, most]) });
  }
  return spaces;
}

function listPlaces(legal) {
  const list = readPlaces(legal).sort((a, b) => b.points + b.bonus - a.points - a.bonus)
    .map(({ star, p, points, bonus, colors }) => ({ key: `${star}${p}`, words:
      `places ${match.costs[star][p]} on the ${match.stars[star]}: ${signed(points)}` +
      (bonus ? `, ${bonus} bonus tile${bonus > 1 ? "s" : ""}` : "") + " (" +
      colors.map(([color, fewest, most]) => match.colors[color] +
        (most ? ` with ${fewest === most ? most : fewest + " to " + most} wild` : ""))
        .join(", ") + ")" }));
  const ways = parseInt(legal.slice(56, 58), 36);
  list.push({ key: "pass", words: ways === 1 ? "passes" :
    `passes: ${ways} ways to keep up to 4 tiles` });
  return list;
}

function listChoices(t, position) {
  const legal = match.legal[t] || "";
  if (legal[0] === "D") return listDrafts(legal.slice(1), position);
  if (legal[0] === "P") return listPlaces(legal.slice(1));
  const count = number(legal[1]);
  const ways = parseInt(legal.slice(2), 36);
  return [{ key: "bonus", words: `takes ${count} tile${count > 1 ? "s" : ""} from the supply: ` +
    (ways > 1 ? ways + " ways" : "no choice") }];
}

// What decision t did: {key, from: where tiles were taken, paid or kept, counts of these, star, p}.
function chosenAt(t, position) {
  const seat = match.seats[t];
  const next = positionAt(t + 1);
  const change = COLORS.map((c) => next.seats[seat].hand[c] - position.seats[seat].hand[c]);
  if (position.phase === 0) {
    const display = position.displays.findIndex((one, d) => sum(one) && !sum(next.displays[d]));
    const color = COLORS.findLast((c) => change[c] && (c !== position.wild || sum(change) === 1));
    return { key: (display < 0 ? "c" : display) + String(color), counts: change,
      from: display < 0 ? "center" : "display" + display };
  }
  if (position.phase === 2) return { key: "bonus", from: "supply", counts: change };
  for (let star = 0; star < 7; star++)
    for (const p of COLORS)
      if (position.seats[seat].stars[star][p] < 0 && next.seats[seat].stars[star][p] >= 0)
        return { key: `${star}${p}`, from: "hand" + seat, counts: change.map((n) => -n), star, p };
  return { key: "pass", from: "hand" + seat,
    counts: next.seats[seat][next.round === position.round ? "corners" : "hand"] };
}

// The list is made when it is asked for.
function showChoices(t, position, isNew = false) {
  const list = choices.querySelector("ul");
  const isPlacing = choices.open && match.legal[t]?.[0] === "P";
  list.replaceChildren();
  const seat = position.player;
  board.offer(seat, isPlacing ? readPlaces(match.legal[t].slice(1)) : []);
  choices.hidden = !isAsked(t);
  if (!isAsked(t)) return;
  const chosen = t < N ? chosenAt(t, position) : null;
  const better = chosen && typeof readBetter === "function" ? readBetter(t, position) : null;
  const all = listChoices(t, position);
  if (isNew && better) board.mark(seat, better, "better");
  if (isNew && chosen) board.mark(seat, chosen, "chosen");
  choices.firstElementChild.replaceChildren("All choices of ", nameSeat(seat));
  if (!choices.open) return;
  const add = (text, className) => list.append(make("li", text, { className }));
  const [lead, worth, about] = chosen && typeof tellLeads === "function" ? tellLeads(t) : ["", "", ""];
  if (about) add(about, "");
  if (better) add(`Best: ${better.words} (lead ${worth})`, "better");
  if (chosen) add(`Chosen: ${actionOf(t)}${lead && ` (lead ${lead})`}`, "chosen");
  for (const { key, words } of all)
    if (key !== chosen?.key && key !== better?.key) add(words, "");
}
