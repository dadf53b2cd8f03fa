// SPDX-License-Identifier: MIT
// node live.js ADDRESS SHOTS: home page, list and page of a live game of a daemon that plays slow games.
"use strict";
const { checkAccess, checkMarkup, expect, finish, launch, open } = require("./browser.js");

const [address, shots] = process.argv.slice(2);

// Chooses a game under way. Returns its name once its page has played on by two decisions, "" if the game
// was over before.
async function watch(page) {
  await page.click("#games li:has-text('round') a");
  const played = await page.waitForFunction(() => {
    if (location.pathname.endsWith(".html")) return "over";
    if (!document.body.classList.contains("ready")) return false;
    const at = Number(document.getElementById("at").value) || document.querySelectorAll("#moves li[class^=s]").length;
    globalThis.begun ??= at;
    return at > globalThis.begun + 1 && location.pathname;
  });
  return (await played.jsonValue()).match(/^\/live\/(.+)/)?.[1] ?? "";
}

(async () => {
  const browser = await launch();
  const page = await open(browser, `${address}/`, address);
  expect(await page.isVisible("h1"), "the home page has a heading");
  const link = await page.$("a[href='/live']");
  expect(link && (await link.isVisible()), "the home page links to the live games");
  await link.click();
  await page.waitForSelector("#games li:has-text('round')");
  await checkAccess(page, "the list of live games");
  checkMarkup(await (await fetch(`${address}/live`)).text(), "the list of live games");
  await page.screenshot({ path: `${shots}/live-list.png` });
  let game;
  while (!(game = await watch(page))) await page.goto(`${address}/live`);
  checkMarkup(await (await fetch(`${address}/live/${game}`)).text(), "a live game");
  expect((await page.textContent("#live")) === "Live", "the page says that the game is live");
  expect(/^slow/.test(await page.textContent("#name0")), "the boards have the bots' names");
  for (const seat of [0, 1])
    expect(await page.isVisible(`#seat${seat} .board`), `the board of seat ${seat} is drawn`);
  const tiles = await page.$$eval("#shared use, .board use, .hand use", (all) => all.length);
  expect(tiles > 10, `${tiles} tiles are drawn`);
  // At the edge of the game the page says who is to decide, until the next decision comes.
  await page.waitForFunction(() => /(takes|places|passes)/.test(document.getElementById("said").textContent));
  await page.click("#first");
  await checkAccess(page, "a live game");
  await page.screenshot({ path: `${shots}/live.png` });
  await page.selectOption("#speed", "16");
  await page.click("#play");
  await page.waitForURL(`${address}/cup/game/${game}.html#*`);
  await page.waitForSelector("body.ready");
  expect(await page.isVisible("#save"), "at the end it is the match's page");
  expect(await page.$eval("body", (body) => body.classList.contains("over")), "at its end");
  const answer = await fetch(`${address}/live/${game}`);
  expect(answer.url === `${address}/cup/game/${game}.html`, "the game's address leads there from now on");
  await page.goto(`${address}/live`);
  await page.click("nav a");
  expect(page.url() === `${address}/`, "the list leads home");
  await browser.close();
  finish();
})();
