// node live.js ADDRESS SHOTS: home page and live games of a daemon that plays a slow game.
"use strict";
const { checkAccess, expect, finish, launch, open } = require("./browser.js");

const [address, shots] = process.argv.slice(2);

(async () => {
  const browser = await launch();
  const page = await open(browser, `${address}/`, address);
  expect(await page.isVisible("h1"), "the home page has a heading");
  const link = await page.$("a[href='/live']");
  expect(link && (await link.isVisible()), "the home page links to the live games");
  await link.click();
  await page.waitForSelector("#games a");
  expect(await page.isHidden("main"), "without a chosen game there is only the list");
  await page.click("#games a");
  await page.waitForSelector("body.ready #shared use");
  expect((await page.textContent("#name0")).startsWith("slow"), "the boards have the bots' names");
  for (const seat of [0, 1])
    expect(await page.isVisible(`#seat${seat} .board`), `the board of seat ${seat} is drawn`);
  expect(/^[0-9]+$/.test(await page.textContent("#seat0 .score")), "a score is shown");
  const before = await page.textContent("#said");
  await page.waitForFunction((old) => document.getElementById("said").textContent !== old, before);
  const tiles = await page.$$eval("#shared use, .board use, .hand use", (all) => all.length);
  expect(tiles > 10, `${tiles} tiles are drawn`);
  await checkAccess(page, "live games");
  await page.screenshot({ path: `${shots}/live.png` });
  await page.click("a.home");
  expect(page.url() === `${address}/`, "the page leads home");
  await browser.close();
  finish();
})();
