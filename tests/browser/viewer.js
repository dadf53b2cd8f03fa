// SPDX-License-Identifier: MIT
// node viewer.js ROOM SHOTS: the pages of ROOM (NAME.html with NAME.json and NAME.replay beside)
// show each match as the replay has it. Pictures go to SHOTS.
"use strict";
const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const { checkAccess, checkMarkup, expect, finish, launch, open, serve } = require("./browser.js");

const [room, shots] = process.argv.slice(2);
const games = ["colored-2", "gray-2", "gray-3", "gray-4"];

// The scores at every step, the last ones at the end.
function readScores(game) {
  const lines = readFileSync(`${room}/${game}.json`, "utf8").trim().split("\n").map(JSON.parse);
  const turns = lines.filter((line) => "turn" in line);
  const end = lines.find((line) => line.end);
  return [...turns.map((line) => line.state.players.map((seat) => seat.score)), end.scores];
}

const shown = (page) => page.$$eval(".score", (all) => all.map((one) => Number(one.textContent)));
const address = (page) => new URL(page.url()).hash;
const nameOf = (t) => "#t=" + t; // the address of the position before decision t

// A match that ended early shows at its end the decision that went wrong: the table and the choices.
async function checkEarly(page, game, count, { said, field, strip }) {
  expect(said.startsWith("The match ended early") && said.includes("B is out: exit: the bot exited") &&
    field === `${count}` && strip === `decision ${count} of 0 to ${count}` &&
    (await page.textContent("#of")) === `0 to ${count}`, `${game}: the forfeit: ${field}, ${strip}, ${said}`);
  expect(await page.isVisible("#shared") && !(await page.isVisible("#final")), `${game}: the table at the forfeit`);
  await page.$eval("#choices summary", (summary) => summary.click());
  const choices = await page.$$eval("#choices li", (all) => all.map((one) => one.textContent));
  expect((await page.textContent("#choices summary")) === "All choices of B" && choices.length > 0 &&
    choices.every((one) => /^(takes|places|passes)/.test(one)), `${game}: choices at the forfeit: ${choices}`);
  await page.$eval("#choices summary", (summary) => summary.click());
}

// All steps in one go in the page, by the key: asking for each from here takes a minute.
async function stepThrough(page, game, scores) {
  const seen = await page.evaluate((count) => {
    const steps = [];
    for (let t = 0; t < count; t++) {
      if (t > 0) document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
      steps.push({ scores: [...document.querySelectorAll(".score")].map((one) => one.textContent).join(),
        said: document.getElementById("said").textContent, field: document.getElementById("at").value,
        strip: document.getElementById("seek").getAttribute("aria-valuetext"),
        current: document.querySelector("#moves [aria-current] b")?.textContent });
    }
    return steps;
  }, scores.length);
  const count = scores.length - 1;
  if (game === "gray-2") await checkEarly(page, game, count, seen.pop());
  seen.forEach(({ scores: now, said, field, strip, current }, t) => {
    expect(now === scores[t].join(), `${game}: before decision ${t}: ${now}, not ${scores[t]}`);
    expect(t === count ? said.startsWith("The match is over") && !field && strip === "the end" :
      said && field === `${t}` && current === field && strip.startsWith(`decision ${t} of`),
    `${game}: decision ${t}: the page shows ${field}, ${strip}, ${current}, and: ${said}`);
  });
  if (game === "gray-2") return;
  expect((await page.textContent("#of")) === `0 to ${count - 1}`, `${game}: the number of decisions`);
  expect(await page.$eval("#final", (final) => final.open), `${game}: final scoring is not open`);
}

// Waits until the position before decision t is shown: the caller looks at it anyway.
async function reach(page, t) {
  await page.waitForFunction((to) => at === to, t, { timeout: 60000 }).catch(() => {});
}

// Without scripts, and on paper: the final position, the scoring and all decisions.
async function checkStill(browser, file, game, scores) {
  const last = scores[scores.length - 1];
  const page = await open(browser, file, file, { javaScriptEnabled: false });
  const still = page.locator("svg.still");
  expect(await still.isVisible(), `${game}: without scripts the final position is not shown`);
  expect((await still.locator("text").allTextContents()).filter((_, i) => i % 2).join() === last.join(),
    `${game}: without scripts: other scores`);
  const row = page.locator("#final tr", { hasText: "Final score" });
  expect(await row.isVisible() && (await row.locator("td").allTextContents()).join() === last.join(),
    `${game}: without scripts the scoring is not shown`);
  expect(await page.locator("#moves li").last().isVisible(), `${game}: without scripts: no decisions`);
  await page.context().close();
  const printed = await open(browser, file, file);
  await printed.pdf();
  await printed.emulateMedia({ media: "print" });
  expect((await shown(printed)).join() === last.join(), `${game}: on paper: another position`);
  expect(await printed.isVisible("#final table") && !(await printed.isVisible("#keys")), `${game}: on paper`);
  await printed.context().close();
}

async function showsDecision(page, t, words) {
  await reach(page, t);
  const field = await page.inputValue("#at");
  expect(field === `${t}`, `${words}: the field shows ${field}`);
}

async function checkKeys(page, url, scores) {
  const last = scores.length - 1;
  const press = async (key, t) => {
    await page.keyboard.press(key);
    await page.waitForFunction((hash) => location.hash === hash, nameOf(t), { timeout: 60000 })
      .catch(() => expect(false, `${url}: ${key} leads to ${address(page)}, not ${nameOf(t)}`));
  };
  await press("Home", 0);
  await press("ArrowRight", 1);
  await press("ArrowLeft", 0);
  await press("ArrowLeft", 0);
  await press("End", last);
  await press("ArrowRight", last);
  await press("Home", 0);
  const rounds = await page.evaluate(() => match.rounds);
  expect(rounds.length === 6, `${url}: ${rounds.length} rounds`);
  await press("]", rounds[1]);
  await press("]", rounds[2]);
  await press("ArrowRight", rounds[2] + 1);
  await press("[", rounds[2]);
  await press("[", rounds[1]);
  await page.click("#seek");
  await page.keyboard.type("39"); // no Enter is needed, and the field need not be found
  await showsDecision(page, 39, `${url}: the number 39 was typed`);
  expect(await page.isHidden("#hint"), `${url}: the tip of another decision stays`);
  await press("ArrowUp", 40);
  await press("ArrowDown", 39);
  await press("Enter", 39);
  await press("ArrowRight", 40);
}


async function checkAddresses(browser, url, scores) {
  const last = scores.length - 1;
  for (const [hash, t] of [["#t=42", 42], ["#t=" + last, last], ["#t=99999", last], ["#t=x", 0],
    ["#<script>", 0], ["#d=42", 42], ["#t=42&seat=0", 42], ["#seat=1", last], ["#t=3&seat=9", 3]]) {
    const page = await open(browser, url + hash, url);
    expect((await shown(page)).join() === scores[t].join(), `${url}${hash}: not the scores of ${t}`);
    await page.evaluate(() => (location.hash = "#t=7"));
    await reach(page, 7);
    expect((await shown(page)).join() === scores[7].join(), `${url}${hash} to #t=7`);
    await page.context().close();
  }
}

async function checkMotion(browser, url, scores) {
  const last = scores.length - 1;
  const page = await open(browser, `${url}#t=${last - 8}`, url, { reducedMotion: "no-preference" });
  await page.evaluate(() => new MutationObserver(() => (globalThis.flew = true))
    .observe(document.getElementById("sky"), { childList: true }));
  await page.keyboard.press("ArrowRight");
  expect(await page.evaluate(() => globalThis.flew === true), `${url}: no tile moves at a step`);
  await page.waitForFunction(() => !document.querySelector("#sky use"), null, { timeout: 60000 });
  expect((await page.$$('use[style*="opacity: 0"]')).length === 0, `${url}: tiles stay hidden`);
  await page.selectOption("#speed", "16");
  await page.click("#play");
  await page.waitForFunction((end) => at === end, last, { timeout: 60000 });
  await page.waitForFunction(() => !document.querySelector("#sky use"), null, { timeout: 60000 });
  expect((await shown(page)).join() === scores.at(-1).join(), `${url}: scores after playing`);
  await page.context().close();
  const calm = await open(browser, url, url);
  await calm.keyboard.press("ArrowRight");
  expect((await calm.$$("#sky use")).length === 0, `${url}: tiles move against the preference`);
  await calm.context().close();
}

// Clicks, choices, the saved replay.
async function checkUse(page, game, scores) {
  await page.keyboard.press("Home");
  await page.click('#moves a[href="#t=10"]');
  await reach(page, 10);
  expect((await shown(page)).join() === scores[10].join(), `${game}: a click on a decision`);
  const box = await (await page.$("#seek")).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const t = Math.round((scores.length - 1) / 2);
  const reached = await page.evaluate(() => at);
  expect(Math.abs(reached - t) <= 1, `${game}: a click on the strip leads to ${reached}, not ${t}`);
  expect((await page.$$("use.chosen, .ring.chosen")).length > 0, `${game}: the choice is not marked`);
  // A name is told in the title and at its board, then the letter stands for it; and an action has its reason.
  const said = await page.evaluate(() => moves.map((_, t) => [wordsOf(t), match.seats[t], positionAt(t).phase,
    reasonOf(positionAt(t), positionAt(t + 1), match.seats[t], match, board)]));
  for (const [words, seat, phase, reason] of said) {
    expect(words.startsWith("ABCD"[seat] + " "), `${game}: ${words}`);
    expect([/^Then pays for up to: |^Leaves |^$/, /(?: on the | is full).*Leaves |In round \d |^Discards |^$/, /^Then pays/][phase].test(reason),
      `${game}: the reason of "${words}": ${reason}`);
  }
  expect(said.filter(([, , , reason]) => reason).length > said.length * 0.9, `${game}: few reasons`);
  expect((await page.textContent("#reason")) === said[await page.evaluate(() => at)][3], `${game}: the reason is shown`);
  await page.$eval("#choices summary", (summary) => summary.click());
  await page.waitForSelector("#choices li:nth-child(2)", { timeout: 60000 }).catch(() => {});
  const count = (await page.$$("#choices li")).length;
  expect(count >= 2, `${game}: ${count} choices are listed`);
  // The marked choice is what the next position has: asked of every decision that is no pass.
  const wrong = await page.evaluate(() => match.seats.map((seat, t) => {
    const { key, counts } = chosenAt(t, positionAt(t));
    const words = actionOf(t);
    const listed = listChoices(t, positionAt(t)).some((one) => one.key === key);
    return listed && (words.startsWith("passes") ? key === "pass" : counts.some((n) => n > 0)) ? "" : t + words;
  }).filter(Boolean));
  expect(!wrong.length, `${game}: chosen, but not listed: ${wrong}`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  const saved = readFileSync(await download.path());
  expect(saved.equals(readFileSync(`${room}/${game}.replay`)), `${game}: the saved replay differs`);
}

async function checkViews(browser, url, game) {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const views = game === "colored-2" ? { phone } : {
    phone,
    wide: { viewport: { width: 1440, height: 900 } },
    dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
    small: { viewport: { width: 320, height: 600 }, colorScheme: "dark" },
    tablet: { viewport: { width: 820, height: 1100 } },
  };
  for (const name in views) {
    const page = await open(browser, url + "#t=60", url, views[name]);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over <= 0, `${game}, ${name}: ${over} pixels wider than the screen`);
    await page.screenshot({ path: `${shots}/${game}-${name}.png` });
    if (name === "dark") {
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(ground === "rgb(20, 22, 26)", `${game}: dark is ${ground}`);
    }
    if (name === "dark" || name === "phone") await checkAccess(page, `${game}, ${name}`);
    if (name === "phone") {
      await page.keyboard.press("End");
      const tops = await page.evaluate(() => [0, 1].map((seat) => document.querySelector(`#seat${seat} .board`).offsetTop));
      expect(tops[0] === tops[1], `${game}: at the end the boards of seats 0 and 1 lie at ${tops}`);
    }
    await page.context().close();
  }
}

// On a phone with four players the seat to move is in sight, above the controls.
async function checkPhone(browser, url) {
  const page = await open(browser, url, url, { viewport: { width: 390, height: 844 } });
  for (const t of [0, 20, 60, 100]) {
    await page.evaluate((to) => (location.hash = to), nameOf(t));
    await reach(page, t);
    const [seat, controls] = await page.evaluate(() => [".turn .board", "footer"].map((one) => {
      const { top, bottom } = document.querySelector(one).getBoundingClientRect();
      return { top, bottom };
    }));
    expect(seat.top >= 0 && seat.bottom <= controls.top, `decision ${t}: the seat to move is out of sight`);
    expect(await page.$eval("#at", (field) => {
      const { left, top } = field.getBoundingClientRect();
      return document.elementFromPoint(left + 9, top + 9) === field;
    }), `decision ${t}: something covers the field for a decision`);
  }
  await page.evaluate(() => (location.hash = "#seat=3"));
  await page.waitForFunction(() => at === N, null, { timeout: 60000 });
  const [own, first] = await page.evaluate(() => [3, 0].map((seat) => {
    const { left, top } = board.seats[seat].root.getBoundingClientRect();
    return [top, left];
  }));
  expect(own[0] === first[0] && own[1] < first[1], `the board of the seat in the address lies at ${own}, that of seat 0 at ${first}`);
  await page.fill("#at", "40");
  await showsDecision(page, 40, "the number 40 was typed on a phone");
  const card = await page.$eval("#now", (now) => now.getBoundingClientRect().bottom);
  expect(card <= 422, `on a phone the answer ends at ${card}: not in the upper half of the page`);
  expect((await page.$eval("#legend", (one) => one.clientHeight)) > 0, "no legend on a phone");
  await page.fill("#at", "100");
  await page.press("#at", "Enter");
  await page.click("#link");
  expect(address(page) === "#t=100" + (await page.evaluate(() => (LOSER === 3 ? "" : "&seat=3"))), `the link leads to ${address(page)}`);
  await page.context().close();
}

// What an analyst said: sentences, a curve, blunders of the seat in question. The page is put together
// as the arena does it.
async function checkAnalysis(browser, game, scores) {
  const loser = scores.at(-1).indexOf(Math.min(...scores.at(-1)));
  const turns = readFileSync(`${room}/${game}.json`, "utf8").trim().split("\n").map(JSON.parse);
  const of = (seat, from) => turns.find((line) => line.turn >= from && line.seat === seat).turn;
  const [soon, late, foreign] = [of(loser, 2), of(loser, 40), of(1 - loser, 2)];
  const analysis = { analyst: "maestro", decisions: [
    { turn: 0, expected: 12.3, best: "draft 3 r", best_expected: 14, lost: 1.7 },
    { turn: 1, expected: 8, best: "draft center p", best_expected: 8, lost: 0 },
    { turn: soon, expected: 5, best: "pass g2b", best_expected: 10.2, lost: 5.2 },
    { turn: foreign, expected: -9.5, best: "place 2 5 b 3", best_expected: -2, lost: 7.5 },
    { turn: late, expected: 0, best: "pass -", best_expected: 4.4, lost: 4.4 }] };
  const read = (name) => readFileSync(`${__dirname}/../../arena/site/viewer/${name}`, "utf8");
  const html = readFileSync(`${room}/${game}.html`, "utf8").replace(/<meta http-equiv[^>]*>/, "")
    .replace("</style>", read("analysis.css") + "</style>")
    .replace("</body>", () => `<script type="application/json" id="analysis">${JSON.stringify(analysis)}</script>` +
      `<script>${read("analysis.js")}</script></body>`);
  writeFileSync(`${room}/analysed.html`, html);
  const page = await open(browser, `file://${room}/analysed.html`, `file://${room}/analysed.html`);
  const said = async (t) => {
    await page.evaluate((to) => (location.hash = "#t=" + to), t);
    await reach(page, t);
    return page.textContent("#said");
  };
  for (const [t, words] of [
    [0, "Inaccuracy, costs 1.7 points: DONE; maestro would take 1 red from factory 3."],
    [1, "Best move: DONE."],
    [soon, "Mistake, costs 5.2 points: DONE; maestro would pass and keep 2 green, 1 blue."],
    [foreign, "Mistake, costs 7.5 points: DONE; maestro would place 6 on the blue star, 3 purple, 3 blue."]]) {
    const told = (await said(t)).replace(await page.evaluate((to) => wordsOf(to).split(":")[0], t), "DONE");
    expect(told === words, `decision ${t}: ${told}, not ${words}`);
  }
  await page.$eval("#choices summary", (summary) => summary.click());
  const leads = await page.$$eval("#choices li", (all) => all.slice(0, 3).map((one) => one.textContent));
  expect(leads[0].startsWith("Lead: ") && leads[1].endsWith("(lead −2.0)") && leads[2].endsWith("(lead −9.5)"), `the choices: ${leads}`);
  await page.$eval("#choices summary", (summary) => summary.click());
  expect((await page.textContent(`#moves li:has([href="#t=${soon}"]) .mistake`)) === "−5.2", "the mistake in the list");
  expect((await page.textContent('#moves li:has([href="#t=1"]) em')) === "best", "a faultless decision in the list");
  expect((await page.$$("#expected .mistake:not(.other)")).length === 2 && (await page.$$("#expected .other")).length === 1,
    "the mistakes on the curve, the other seat's paler");
  // The line under the result says why the loser lost, and names its costliest decisions.
  const why = await page.textContent("#why p:not([hidden])");
  expect(/ lost to \w+ by \d+.* Costliest decisions, says maestro: \d+ \(−5\.2 points\), \d+ \(−4\.4\)/
    .test(why), `why: ${why}`);
  const found = async (words) => {
    const to = Number(words.match(/\d+/)[0]);
    await showsDecision(page, to, `${words} leads elsewhere`);
  };
  await page.click("#why p:not([hidden]) a");
  await found(String(soon));
  await page.click("#bad");
  await found(String(late));
  await page.keyboard.press("M");
  await found(String(soon));
  const { x, y, width } = await (await page.$("#expected .mistake:not(.other)")).boundingBox();
  await page.keyboard.press("End");
  await page.mouse.click(x + width / 2 + 5, y + 3);
  await found(String(soon));
  // A link that names the other seat explains that seat's result; its mistakes are then the ones.
  await page.evaluate((hash) => (location.hash = hash), `#t=0&seat=${1 - loser}`);
  await reach(page, 0);
  expect(/ beat \w+ by \d+/.test(await page.textContent("#why p:not([hidden])")), "why the winner won");
  await page.click("#bad");
  await found(String(foreign));
  await page.waitForFunction((hash) => location.hash === hash, `#t=${foreign}&seat=${1 - loser}`, { timeout: 60000 })
    .catch(() => expect(false, `the address is ${address(page)}`));
  await page.focus(`h1 button.s${loser}`);
  await page.keyboard.press("Enter");
  expect((await page.$$("#expected .mistake:not(.other)")).length === 2, "the loser's mistakes again");
  expect(await page.$eval("#moves", (list) => list.clientHeight) >= 200, "the list is a slit");
  // One curve, of the first seat's lead: what the second seat expects counts with the other sign.
  const axis = await page.$$eval("#expected text", (all) => all.map((one) => one.textContent));
  const leads0 = analysis.decisions.map((one) => turns.find((line) => line.turn === one.turn).seat ? -one.expected : one.expected);
  const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(1);
  expect((await page.$$("#expected .line")).length === 1 && axis.join() ===
    ["0", `A ${signed(Math.max(...leads0))}`, `B ${signed(-Math.min(...leads0))}`].join(), `the axis: ${axis}`);
  await checkAccess(page, "an analysed match");
  await page.screenshot({ path: `${shots}/analysed.png` });
  await page.context().close();
}

// Nothing that a bot said became markup.
async function checkRude(page, game) {
  expect((await page.$$("img, h1 ~ h1, iframe, #moves script, #forfeits script")).length === 0,
    `${game}: a bot's words became elements`);
  const text = await page.evaluate(() => document.body.innerText + document.title);
  expect(!/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text),
    `${game}: control characters reach the page`);
  const notes = (await page.$$eval("#moves i", (all) => all.map((one) => one.textContent))).join();
  for (const said of ["<script>alert(1)</script>", '"><img src=x', "\\x1b[31m", "a\\x00b", "${document"])
    expect(notes.includes(said), `${game}: the note ${said} is not shown as it is`);
  expect((await page.$$eval(".flag", (all) => all.map((one) => one.textContent))).some((text) =>
    text.startsWith("out")),
    `${game}: nobody is shown as out`);
  expect((await page.textContent("#forfeits")).includes("<script>"), `${game}: no stderr is shown`);
  const noted = page.locator("#moves li:has(i)").first();
  const whose = await page.evaluate((seat) => match.names[seat], (await noted.getAttribute("class")).slice(1));
  await noted.locator("a").click();
  const told = await page.textContent("#times i");
  expect(told === `${whose}'s note: ${await noted.locator("i").textContent()}`, `${game}: whose note is it? ${told}`);
}

(async () => {
  mkdirSync(shots, { recursive: true });
  const browser = await launch();
  const server = await serve(room);
  for (const game of games) {
    const scores = readScores(game);
    const file = `file://${room}/${game}.html`;
    const page = await open(browser, file, file);
    await stepThrough(page, game, scores);
    if (game === "gray-3") await checkAccess(page, game);
    checkMarkup(readFileSync(`${room}/${game}.html`, "utf8"), game);
    if (game === "gray-3") await checkRude(page, game);
    if (game === "gray-4") await checkPhone(browser, file);
    if (game !== "gray-2") await checkStill(browser, file, game, scores);
    if (game === "colored-2") await checkAnalysis(browser, game, scores);
    if (game === "gray-4") await checkKeys(page, file, scores);
    if (game === "gray-4") await checkUse(page, game, scores);
    if (!["gray-2", "gray-3"].includes(game)) await checkViews(browser, file, game);
    await page.context().close();
  }
  const url = server.url + "colored-2.html";
  const scores = readScores("colored-2");
  await checkAddresses(browser, url, scores);
  await checkMotion(browser, url, scores);
  expect(server.asked.every((path) => path === "/colored-2.html"), `asked for ${server.asked}`);
  server.close();
  await browser.close();
  finish();
})().catch((error) => {
  console.log(error);
  process.exit(1);
});
