// node live.js ADDRESS SHOTS: home page and live games of a daemon that plays a slow game.
"use strict";
const { checkAccess, expect, finish, launch, open } = require("./browser.js");

const [address, shots] = process.argv.slice(2);

// Chooses a game. Returns true once the page has told two of its decisions, false if it ended before.
async function watch(page) {
  await page.click("#games a");
  const told = await page.waitForFunction(() => {
    if (document.body.className === "list") return false; // the page of the game is not there yet
    const said = document.getElementById("said")?.textContent;
    globalThis.first ||= said;
    if (said && said !== globalThis.first) return "two decisions";
    const games = document.getElementById("state")?.textContent;
    return games && games !== "connecting…" && !document.querySelector("#games [aria-current]") && "over";
  });
  return (await told.jsonValue()) === "two decisions";
}

(async () => {
  const browser = await launch();
  const page = await open(browser, `${address}/`, address);
  expect(await page.isVisible("h1"), "the home page has a heading");
  const link = await page.$("a[href='/live']");
  expect(link && (await link.isVisible()), "the home page links to the live games");
  await link.click();
  await page.waitForSelector("#games a");
  expect(await page.isHidden("#table"), "without a chosen game there is only the list");
  while (!(await watch(page))) await page.goto(`${address}/live`);
  expect((await page.textContent("#name0")).startsWith("slow"), "the boards have the bots' names");
  for (const seat of [0, 1])
    expect(await page.isVisible(`#seat${seat} .board`), `the board of seat ${seat} is drawn`);
  expect(/^[0-9]+$/.test(await page.textContent("#seat0 .score")), "a score is shown");
  const said = await page.textContent("#said");
  expect(/^Decision \d+: (slow|slower)? ?(takes|places|passes)/.test(said), `the last decision in words: ${said}`);
  const tiles = await page.$$eval("#shared use, .board use, .hand use", (all) => all.length);
  expect(tiles > 10, `${tiles} tiles are drawn`);
  await checkAccess(page, "live games");
  await page.screenshot({ path: `${shots}/live.png` });
  await page.click("a.home");
  expect(page.url() === `${address}/`, "the page leads home");
  await browser.close();
  finish();
})();
