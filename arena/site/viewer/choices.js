// What else could have been chosen at a decision, listed and marked on the board.
const choices = $("choices");
const signed = (points) => (points > 0 ? "+" + points : String(points));

function listDrafts(legal) {
  return legal.match(/.{4}/g).map((one) => {
    const [color, count, wild] = [...one.slice(1)].map(number);
    return `takes ${count} ${match.colors[color]}${wild ? " and a wild tile" : ""} from ` +
      (one[0] === "c" ? "the center" : "display " + one[0]);
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
    .map(({ star, p, points, bonus, colors }) =>
      `places ${match.costs[star][p]} on the ${match.stars[star]}: ${signed(points)}` +
      (bonus ? `, ${bonus} bonus tile${bonus > 1 ? "s" : ""}` : "") + " (" +
      colors.map(([color, fewest, most]) => match.colors[color] +
        (most ? ` with ${fewest === most ? most : fewest + " to " + most} wild` : ""))
        .join(", ") + ")");
  const passes = parseInt(legal.slice(56, 58), 36);
  list.push(passes === 1 ? "passes" : `passes, in ${passes} ways to keep up to 4 tiles`);
  return list;
}

function listChoices(t) {
  const legal = match.legal[t] || "";
  if (legal[0] === "D") return listDrafts(legal.slice(1));
  if (legal[0] === "P") return listPlaces(legal.slice(1));
  if (legal[0] === "B")
    return [`takes any ${number(legal[1])} tiles of the supply: ` +
      `${parseInt(legal.slice(2), 36)} ways`];
  return [];
}

// The list is made when it is asked for.
function showChoices(t) {
  const summary = choices.firstElementChild;
  const list = choices.querySelector("ul");
  for (const board of boards)
    for (const star of board.spaces)
      for (const space of star) space.outline.classList.remove("can");
  list.replaceChildren();
  choices.hidden = t >= N;
  if (t >= N) return;
  summary.textContent = `${match.names[match.seats[t]]} decides next: all choices`;
  if (!choices.open) return;
  const add = (text, className) => {
    const item = document.createElement("li");
    item.textContent = text;
    item.className = className;
    list.append(item);
  };
  add("Chosen: " + wordsOf(t).slice(match.names[match.seats[t]].length + 1), "chosen");
  for (const text of listChoices(t)) add(text, "");
  if (match.legal[t][0] === "P")
    for (const { star, p } of readPlaces(match.legal[t].slice(1)))
      boards[match.seats[t]].spaces[star][p].outline.classList.add("can");
}
