// SPDX-License-Identifier: MIT
// "Analyse this game": steady and then maestro judge each decision, by the page for playing in a frame that
// nobody sees (arena/site/play/judge.js). It brings analysis.js and its style, too: this page's policy
// allows these two by their hashes, and no others.
const analyst = $("analyst");
const [asker, progress, told] = analyst?.children ?? [];
const FRAME_MS = 20000; // most that the other page takes to load
let frame = null;
let deadline = 0;

function endAnalysis(words) {
  clearTimeout(deadline);
  frame?.remove();
  frame = null;
  asker.textContent = "Analyse this game";
  progress.hidden = true;
  told.textContent = words;
}

function beginAnalysis() {
  const fails = () => endAnalysis("The page for playing, which has maestro, cannot be loaded from here.");
  frame = make("iframe", "", { hidden: true, title: "maestro", src: addressOf(N) + "&analyse=1" });
  frame.addEventListener("load", () => {
    clearTimeout(deadline);
    deadline = setTimeout(fails, FRAME_MS / 4);
  });
  deadline = setTimeout(fails, FRAME_MS);
  analyst.append(frame);
  asker.textContent = "Stop";
  progress.removeAttribute("value");
  progress.hidden = false;
  told.textContent = "maestro is being loaded";
}

let brought = {}; // script and style
function takeAnalysis(said) {
  if (typeof showAnalysis === "function") showAnalysis(said);
  else {
    document.head.append(make("style", brought.style));
    document.body.append(make("script", JSON.stringify(said), { type: "application/json", id: "analysis" }),
      make("script", brought.script));
    if (typeof showAnalysis !== "function")
      endAnalysis("This page and that for playing are of different versions of the arena: reload both.");
  }
}

function hear({ source, data }) {
  if (!frame || source !== frame.contentWindow) return;
  clearTimeout(deadline);
  if (data.error) endAnalysis(`maestro cannot think here: ${data.error}.`);
  if (data.script) brought = data;
  if (data.turn >= 0) {
    progress.max = N;
    progress.value = data.turn + 1;
    if (!data.turn) told.textContent = `${data.analyst} judges each decision`;
  }
  if (!data.decisions) return;
  takeAnalysis({ ...data, decisions: data.decisions.filter(({ turn }) => match.times[turn] >= 0) });
  if (frame && data.analyst === "maestro") {
    endAnalysis("");
    analyst.hidden = true;
    nameAddress();
  }
}

if (analyst && parent !== window) {
  // Other sites may show this page in a frame, but not the page for playing, which has maestro.
  analyst.replaceChildren(make("a", "Analyse this game on a page of its own",
    { href: location.pathname.replace(/\/embed$/, ""), target: "_blank" }));
} else if (analyst) {
  addEventListener("message", hear);
  asker.addEventListener("click", () => (frame ? endAnalysis("") : beginAnalysis()));
  if (location.hash.endsWith("&analyse")) beginAnalysis();
}
