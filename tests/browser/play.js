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

async function play(browser, address, options, steps) {
  const page = await open(browser, `${web}play.html#${address}`, web, options);
  let state = 7;
  const random = (below) => (state = (state * 48271) % 2147483647) % below;
  await page.waitForSelector("body.ready");
  await page.selectOption("#speed", "20");
  await checkAccess(page, `${address}, the start`);
  for (let i = 0; ; i++) {
    await settled(page);
    if (await isOver(page)) break;
    if (steps[i]) await steps[i](page);
    await decide(page, random);
  }
  await checkAccess(page, `${address}, the end`);
  expect(/ \(\+?\d+ at the end\)/.test(await page.textContent("#said")), "the end is told");
  await page.context().close();
}

const SEED = "seed=00112233445566778899aabbccddeeff";

async function main() {
  const browser = await launch();
  expect(statSync(`${process.argv[2]}/web/play.html`).size < 600000, "the page is below 600 kB");
  await play(browser, `players=2&board=colored&bot=steady&seat=0&${SEED}`, {}, {
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
      expect(/^steady takes \d/.test(await page.textContent("#times")), "steady advises");
      await page.focus("#ask button");
      await page.keyboard.press("Enter");
      await settled(page);
      expect(await page.evaluate(() => Boolean(document.activeElement.closest("#ask"))),
        "the keyboard stays where decisions are made");
    },
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
  });
  await play(browser, `players=4&board=gray&bot=greedy&seat=2&${SEED}`,
    { viewport: { width: 390, height: 844 }, colorScheme: "dark" }, {});
  await browser.close();
  finish();
}

main();
