// SPDX-License-Identifier: MIT
// What steady and maestro say of decisions: of one's own at the end of a game, and of all decisions of a
// match, whose page has this one in a frame that nobody sees (arena/site/viewer/analyst.js).

// What a bot says of decision t: the index of the best action, and points as in docs/keys.md, "decision".
async function judge(moves, t, bot) {
  const { best, leads } = await ask(moves.slice(0, t), { judge: moves[t], bot: BOTS[bot] });
  const lost = best === moves[t] ? 0 : Math.max(0, leads[0] - leads[1]);
  return { best: lost ? best : moves[t], expected: leads[1] / 100, best_expected: (leads[1] + lost) / 100,
    lost: lost / 100 };
}

// An action in the notation of docs/rules.md.
function noteOf({ kind, number }) {
  const color = (c) => "pgoybr"[c];
  if (kind === DRAFT) return `draft ${number[0] < 0 ? "center" : number[0]} ${color(number[1])}`;
  if (kind === PLACE) return `place ${number[0]} ${number[1]} ${color(number[2])} ${number[3]}`;
  const tiles = COLORS.map((c) => (number[c] ? color(c) + (number[c] > 1 ? number[c] : "") : "")).join("");
  return `${kind === BONUS ? "bonus" : "pass"} ${tiles || "-"}`;
}

const tellMatch = (words) => parent.postMessage(words, "*"); // from a folder no page has an origin

// First steady, which takes a second, then maestro. The match's page shows what they say by a script and
// a style that this page brings, because few readers ask.
async function analyse() {
  tellMatch(JSON.parse($("brings").textContent));
  worker.onerror = () => tellMatch({ error: "this browser runs no workers here" });
  await loadTable();
  const choices = [readActions(deal())];
  for (const index of wished) choices.push(readActions(table.table_play(index)));
  for (const analyst of ["steady", "maestro"]) {
    const decisions = [];
    for (const turn of wished.keys()) {
      const { best, ...points } = await judge(wished, turn, analyst);
      decisions.push({ turn, best: noteOf(choices[turn][best]), ...points });
      tellMatch({ analyst, turn });
    }
    tellMatch({ analyst, decisions });
  }
}
