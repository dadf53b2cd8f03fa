// SPDX-License-Identifier: MIT
// A match under way. Its file has a line for each part that was added; the page has the first one.
// The viewer plays on as parts come, and at the end the match's own page takes over.
const address = match.live;
const state = $("live");
let taken = 1;

// A line that is still being written has no end yet.
function takeLines(text) {
  const parts = text.split("\n").slice(0, -1).slice(taken).map((line) => JSON.parse(line));
  const isAtEdge = at === N;
  for (const part of parts) {
    for (const key in part) match[key]?.push(...part[key]);
    $("moves").insertAdjacentHTML("beforeend", part.list ?? "");
    if (part.result) match.live = null;
  }
  if (!parts.length) return;
  if (taken === 1 && !location.hash) setTimeout(begin);
  taken += parts.length;
  takeSteps();
  drawAll();
  if (isAtEdge) show(at);
}

// A match under way begins where it is, one that is over at its beginning.
function begin() {
  go(match.live ? N : 0);
  play(true);
}

async function poll() {
  try {
    const answer = await fetch(address);
    if (answer.ok) takeLines(await answer.text());
    state.textContent = answer.ok ? "Live" : `Live, but the arena answers ${answer.status}: trying again`;
    if (answer.status === 404) {
      state.textContent = "Stopped without a result";
      return;
    }
  } catch {
    state.textContent = "Live, but the connection was lost: trying again";
  }
  if (match.live) setTimeout(poll, 2000);
  else leave();
}

// Once the reader has seen the end, the match's own page follows, as soon as its address leads there.
async function leave() {
  state.textContent = "Over";
  if (at === N) {
    const answer = await fetch(location.pathname, { method: "HEAD" }).catch(() => null);
    if (answer?.status === 404) return; // the match is void, or was given up
    if (answer?.redirected && answer.ok) {
      location.replace(answer.url + nameOf(at));
      return;
    }
  }
  setTimeout(leave, 2000);
}
poll();
