// SPDX-License-Identifier: MIT
// node play.js ROOM: games on the page for playing in ROOM/web, from its folder, to their ends.
"use strict";
const { statSync } = require("node:fs");
const { checkAccess, expect, finish, launch, open } = require("./browser.js");

const web = `file://${process.argv[2]}/web/`;

const settled = (page) => page.waitForFunction(() =>
  document.body.classList.contains("over") || document.body.classList.contains("mine"));
const isOver = (page) => page.evaluate(() => document.body.classList.contains("over"));
const moves = (page) => page.$$eval("#moves li", (items) => items.length);

// One decision by the buttons: a draft or a space, then the first payment; tiles until they suffice.
async function decide(page, random) {
  const before = await moves(page);
  while ((await moves(page)) === before) {
    const done = await page.$("#ask p ~ button.main:not(:disabled)");
    const tile = await page.$("#ask p ~ button[aria-pressed=false]:not(:disabled)");
    const way = await page.$("#ask p ~ button");
    const all = await page.$$("#ask button");
    await (done || tile || way || all[random(all.length)]).click();
  }
}

async function play(browser, address, options, steps, atEnd) {
  const page = await open(browser, `${web}play.html#${address}`, web, options);
  let state = 7;
  const random = (below) => (state = (state * 48271) % 2147483647) % below;
  await page.waitForSelector("body.ready");
  await page.selectOption("#speed", "20");
  await checkAccess(page, `${address}, the start`);
  const firsts = [];
  const twice = [];
  const hidden = [];
  for (let i = 0; ; i++) {
    await settled(page);
    if (await isOver(page)) break;
    firsts.push(...(await tellFirst(page)));
    twice.push(...(await tellTwice(page)));
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    hidden.push(...(await tellHidden(page)));
    hidden.push(...(await tellHiddenPass(page)));
    if (steps[i]) await steps[i](page);
    await decide(page, random);
  }
  expect(hidden.length === 0, `newest decisions, or passes, that have to be scrolled to: ${hidden}`);
  await checkAccess(page, `${address}, the end`);
  const said = await page.textContent("#said");
  const sums = [...said.matchAll(/ (\d+) \((-?\d+) and \+?(\d+) at the end(?:: ([^)]*))?\)/g)];
  const total = (parts) => (parts ?? "0").split(", ").reduce((sum, part) => sum + Number(part.match(/\d+$/)[0]), 0);
  expect(sums.length > 1 && sums.every(([, score, before, end, parts]) =>
    Number(score) === Number(before) + Number(end) && total(parts) === Number(end)),
  `what the end brought is told by its parts, and adds up: ${said}`);
  const full = address.includes("gray") ? /^\+\d\d at the end in one color, \+12 in six$/ : /^\+12 at the end$/;
  expect(firsts.length > 0 && firsts.every((words) => full.test(words)), `what a full star will score: ${firsts[0]}`);
  expect(twice.length === 0, `what a space prepares is told twice: ${twice[0]}`);
  if (atEnd) await atEnd(page);
  await page.context().close();
}

// The game is in the address: a reload finds it again, and so does who comes back without an address.
async function survives(page) {
  const all = await page.textContent("#moves");
  await page.waitForFunction((count) => new URLSearchParams(location.hash.slice(1)).get("moves").length === count,
    2 * await moves(page));
  await page.reload();
  await settled(page);
  expect((await page.textContent("#moves")) === all, "the game survives a reload");
  await page.goto("about:blank");
  await page.goto(`${web}play.html`);
  await page.waitForSelector("body.ready");
  await settled(page);
  expect((await page.textContent("#moves")) === all, "the game is taken up again");
  await page.selectOption("#speed", "20");
}

// What the first tile of a star that has no color of its own is worth once the star is full.
const tellFirst = (page) => page.evaluate(() => spaces
  .filter(({ star, reason }) => reason.startsWith("1 of 6") && match.starColors[star] < 0)
  .map(({ reason }) => reason.match(/\(full: (.*?)\)/)[1]));

// What a space prepares, if a part of it is told twice.
const tellTwice = (page) => page.evaluate(() => spaces.map(({ reason }) => reason).filter((reason) => {
  const parts = reason.split(/[;.] /);
  return new Set(parts).size < parts.length;
}));

// The newest decision, if one has to scroll the list for it.
const tellHidden = (page) => page.$$eval("#moves li:last-of-type", (items) => items.filter((item) => {
  const [one, list] = [item, item.parentElement].map((of) => of.getBoundingClientRect());
  return one.bottom > list.bottom + 1 || one.top < list.top - 1;
}).map((item) => item.textContent));

// The pass, if the choices scroll and it is not among those that are seen.
const tellHiddenPass = (page) => page.$$eval("#ask .quiet", (passes) => passes.filter((pass) => {
  const [one, all] = [pass, pass.parentElement].map((of) => of.getBoundingClientRect());
  return one.bottom > all.bottom + 1;
}).map((pass) => pass.textContent));

// What placing offers: points at the spaces, a reason, and last what passing discards.
async function placing(page) {
  while (!(await page.$("#ask .quiet")) && !(await isOver(page))) {
    await decide(page, () => 0);
    await settled(page);
  }
  const spaces = await page.$$(".space.can");
  expect((await page.$$(".worth text")).length === spaces.length && spaces.length > 0, "points at each space");
  await page.hover(".star text.can");
  expect(/^\d on the .*: \+\d.*\. \d of 6 on the .*Leaves /.test(await page.textContent("#reason")),
    "what a space prepares");
  expect(/^Pass: (keep (all|\d tiles?))?(, )?(discard \d+, -\d+)?$/.test(await page.textContent("#ask button:last-child")),
    `passing is last: ${await page.textContent("#ask button:last-child")}`);
  await page.hover("#ask button:last-child");
  expect(/^Pass.*\. In round \d \w+ is wild\.$/.test(await page.textContent("#reason")),
    `what is known of passing: ${await page.textContent("#reason")}`);
}

// What maestro says of one's own decisions, and another line from the costliest.
async function analysed(page) {
  await page.click("#times button >> nth=0");
  expect(/^Costs \d+\.\d points: maestro would (take|place|pass)\b/.test(await page.textContent("#reason")), "what the decision cost");
  const t = parseInt(await page.textContent("#said"), 10);
  const marked = () => page.$$eval("#moves [aria-current]", (items) => items.map(({ textContent }) => parseInt(textContent, 10)));
  expect(`${await marked()}` === `${t}`, `the list marks decision ${t}: ${await marked()}`);
  await page.keyboard.press("ArrowRight");
  expect(parseInt(await page.textContent("#said"), 10) === t + 1, "the next decision by a key");
  await page.keyboard.press("ArrowLeft");
  await page.click("text=Play on from here");
  expect((await moves(page)) === t && !(await isOver(page)), "played on from a decision");
  expect((await marked()).length === 0, "no decision is marked while the game goes on");
  await page.goBack();
  await page.waitForSelector("body.ready.over");
}

async function readRules(page) {
  await page.click("#help");
  expect(await page.isVisible("#rules img >> nth=0"), "the rules have pictures");
  await checkAccess(page, "the rules");
  await page.keyboard.press("Escape");
  expect(!(await page.isVisible("#rules")), "the rules are closed by a key");
}

// An address may say anything, and browsers that have all else lack URLSearchParams.size (Chrome 112).
async function strange(browser) {
  const page = await open(browser, `${web}play.html#bot=toString&seat=1`, web);
  await page.waitForSelector("body.ready");
  await settled(page);
  expect((await moves(page)) > 0 && page.url().includes("bot=steady"), "a bot that is none");
  await page.addInitScript(() => delete URLSearchParams.prototype.size);
  for (const [address, players] of [["#players=3&seat=1", 3], ["", 3]]) {
    await page.goto("about:blank");
    await page.goto(`${web}play.html${address}`);
    const found = await page.waitForSelector("body.ready", { timeout: 60000 }).then(() => true, () => false);
    expect(found && (await page.evaluate("P")) === players, `the game of the address, or the kept one: '${address}'`);
    if (!found) break;
    await settled(page);
  }
  await page.context().close();
}

const SEED = "seed=00112233445566778899aabbccddeeff";

async function main() {
  const browser = await launch();
  expect(statSync(`${process.argv[2]}/web/play.html`).size < 800000, "the page is below 800 kB");
  await play(browser, `players=2&board=colored&bot=maestro&seat=0&${SEED}`, {}, {
    0: async (page) => {
      expect((await page.textContent("#ask")).includes("center") === false, "nothing in the center");
      await page.click("#seat0 .star text >> nth=0");
      expect(/^Now tiles are taken/.test(await page.textContent("#times")), "a space cannot be filled yet");
      await page.click("#shared use[href='#t4'] >> nth=0");
      expect((await page.textContent("#moves li")) === "0 You take 1 blue from factory 0",
        `a tile on the table is taken: ${await page.textContent("#moves li")}`);
      await settled(page);
      await page.click("#back");
      expect((await moves(page)) === 0, "taken back to the start");
      await page.click("#advice");
      await page.waitForFunction(() => /^maestro would take \d.*(Leaves|Then pays)/.test(
        document.getElementById("times").textContent));
      await page.focus("#ask button");
      await page.keyboard.press("Enter");
      await settled(page);
      expect(await page.evaluate(() => Boolean(document.activeElement.closest("#ask"))),
        "the keyboard stays where decisions are made");
    },
    2: survives,
    3: async (page) => {
      const before = await moves(page);
      await page.keyboard.press("Backspace");
      await settled(page);
      expect((await moves(page)) < before, "taken back by a key");
    },
    5: readRules,
    7: placing,
    9: async (page) => {
      const spaces = await page.$$(".space.can");
      if (spaces.length === 0) return;
      const before = await moves(page);
      await page.click(".space.can + text");
      const asked = (await page.$("#ask p")) !== null;
      expect(asked || (await moves(page)) > before, "a space on the board is chosen");
      if (asked) await page.click("#ask button:last-child");
      await settled(page);
    },
  }, analysed);
  await play(browser, `players=4&board=gray&bot=greedy&seat=2&${SEED}`,
    { viewport: { width: 390, height: 844 }, colorScheme: "dark" }, {});
  await strange(browser);
  await browser.close();
  finish();
}

main();
