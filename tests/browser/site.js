// SPDX-License-Identifier: MIT
// node site.js ROOM SHOTS: the site in ROOM/web, from its folder and from a web server.
"use strict";
const { existsSync, mkdirSync, readdirSync, readFileSync, statSync } = require("node:fs");
const { checkAccess, checkMarkup, expect, finish, launch, open, serve } = require("./browser.js");

const [room, shots] = process.argv.slice(2);
const web = `file://${room}/web/`;
const ladder = JSON.parse(readFileSync(`${room}/ladder.json`, "utf8"));

const column = (page, id, index) => page.$$eval(`#${id} tbody tr`,
  (rows, at) => rows.map((row) => row.cells[at].textContent), index);

// Headings sort, downwards and upwards, by number where there are numbers.
async function checkSorting(page) {
  const names = (await column(page, "ladder", 1)).join();
  const listed = ladder.bots ?? ladder.rows ?? ladder.ladder;
  expect(names === listed.map((row) => row.bot).join(), `the ladder's order is ${names}`);
  const heads = await page.$$eval("#ladder thead th", (all) => all.map((one) => one.textContent));
  const elo = heads.indexOf("Elo");
  const games = heads.indexOf("games");
  for (const at of [elo, games]) {
    for (const way of ["descending", "ascending"]) {
      await page.click(`#ladder thead th:nth-child(${at + 1}) button`);
      const numbers = (await column(page, "ladder", at)).map(Number);
      const sorted = [...numbers].sort((a, b) => (way === "ascending" ? a - b : b - a));
      expect(numbers.join() === sorted.join(), `${heads[at]}, ${way}: ${numbers}`);
      const said = await page.$$eval("#ladder th[aria-sort]", (all) =>
        all.map((one) => one.getAttribute("aria-sort")));
      expect(said.join() === way, `aria-sort says ${said}, not ${way}`);
    }
  }
  await page.focus("#ladder thead th:nth-child(2) button");
  await page.keyboard.press("Enter");
  const byName = await column(page, "ladder", 1);
  expect(byName.join() === [...byName].sort().join(), `by name: ${byName}`);
  const hidden = await page.isHidden("#ladder .more");
  await page.click("button.all");
  expect(hidden && (await page.isVisible("#ladder .more")), "all columns are shown when asked for");
}

// A row of a phone's ladder is a card within the screen; a flag leads to what it means.
async function checkCards(browser) {
  const page = await open(browser, web + "cup/index.html", web, { viewport: { width: 390, height: 844 } });
  const cards = await page.$$eval("#ladder tbody tr", (rows) => rows.map((row) => ({
    right: Math.max(...[...row.cells].map((cell) => cell.getBoundingClientRect().right)),
    elo: row.cells[3].textContent, label: getComputedStyle(row.cells[3], "::before").content })));
  for (const { right, elo, label } of cards) {
    expect(label === '"Elo "', `a card calls the Elo ${label}`);
    expect(right <= 390, `a card is ${right} pixels wide`);
    expect(/^\d+$/.test(elo), `the Elo on a page is whole: ${elo}`);
  }
  await page.$eval("#ladder tbody tr", (row) => (row.hidden = true));
  expect(await page.isHidden("#ladder tbody tr"), "a card that the search leaves out is hidden");
  await page.$eval("#ladder tbody tr", (row) => (row.hidden = false));
  await page.click("#ladder td a[href^='#']");
  expect(await page.isVisible("dt:target"), "a flag leads to its meaning");
  await page.context().close();
}

// A name that is looked for leads to its bot, in any case of letters; an unknown one is said to be unknown.
async function checkSearch(browser) {
  const page = await open(browser, web + "cup/index.html#find=Nobody", web);
  expect((await page.textContent("output")) === "No bot and no author of that name", "a name that nobody has");
  expect((await page.$$("#ladder tbody tr:not([hidden])")).length === 0, "no row for an unknown name");
  await page.fill("input[type=search]", "GREE");
  expect((await page.textContent("output")) === "", "a part of a name");
  await Promise.all([page.waitForURL("**/cup/bot/greedy.html"), page.press("input[type=search]", "Enter")]);
  await page.context().close();
  const found = await open(browser, web + "index.html", web);
  await found.fill("input[type=search]", "Greedy");
  await Promise.all([found.waitForURL("**/cup/bot/greedy.html"), found.press("input[type=search]", "Enter")]);
  await found.context().close();
  // Who is in no game waits in another of the open seasons; the field of the home page leads there, by a part of a name, too.
  for (const wanted of ["NEWCOMER", "newc", "late lovelace"]) {
    const waiting = await open(browser, web + "index.html", web);
    await waiting.fill("input[type=search]", wanted);
    await Promise.all([waiting.waitForURL("**/empty/bot/newcomer.html"), waiting.press("input[type=search]", "Enter")]);
    expect((await waiting.textContent("main")).includes("waits for its first game in season empty"), `${wanted} is not said to wait`);
    await waiting.context().close();
  }
  const nobody = await open(browser, web + "index.html", web);
  await nobody.fill("input[type=search]", "Nobody");
  await Promise.all([nobody.waitForURL("**/empty/index.html#find=Nobody&also="), nobody.press("input[type=search]", "Enter")]);
  await nobody.context().close();
  const author = await open(browser, web + "index.html", web);
  await author.fill("input[type=search]", (await author.textContent("main a[href^='author/']")).toUpperCase());
  await Promise.all([author.waitForURL(/\/author\/[^/]*\.html$/), author.press("input[type=search]", "Enter")]);
  await author.context().close();
}

// On a phone the row of an open season, with a long name and a date, is within the screen.
async function checkOpenSeasons(browser) {
  const page = await open(browser, web + "index.html", web, { viewport: { width: 390, height: 844 } });
  const over = await page.$eval("[aria-label='Open seasons']", (table) => {
    table.querySelector("tbody th a").textContent = "a-course-in-the-autumn-of-2026";
    table.querySelector("tbody td:last-child").innerHTML = "<time>2099-01-02 03:04</time>";
    return table.scrollWidth - table.clientWidth;
  });
  expect(over <= 0, `the open seasons are cut: ${over} pixels`);
  await page.context().close();
}

// The home page plays a match by itself, but not for a reader who prefers reduced motion.
async function checkHome(browser) {
  for (const reducedMotion of ["no-preference", "reduce"]) {
    const page = await open(browser, web + "index.html", web, { reducedMotion });
    const frame = await (await page.$("iframe")).contentFrame();
    await frame.waitForSelector("body.small");
    const at = () => frame.$eval("#at", (field) => field.value);
    const first = await at();
    await page.waitForTimeout(2000);
    expect((first === (await at())) === (reducedMotion === "reduce"), `${reducedMotion}: ${first}`);
    expect(await frame.isHidden("#story"), "the small viewer shows the boards alone");
    await page.context().grantPermissions(["clipboard-read"]);
    await page.click("[aria-label=Command] + button");
    expect((await page.evaluate(() => navigator.clipboard.readText())) === "arena submit --wait my-bot \\\n" +
      "  --token-file token.txt \\\n  --to https://ADDRESS", "the command that hands in a bot is copied whole");
    expect(await page.isVisible("a[href='mailto:league@arena.example']"), "the organizer's address");
    await page.click("main a[href^='author/']");
    expect(/author\/[\w-]+-[0-9a-f]{8}\.html$/.test(page.url()), `an author's page: ${page.url()}`);
    await page.context().close();
  }
  const page = await open(browser, web + "cup/bot/greedy.html", web);
  await page.click("main a[href*='/author/']");
  expect((await page.textContent(".lead")).includes("of 4, with greedy in season cup"), "the best place");
  expect((await page.$$("main tbody tr")).length === 2, "a row for each bot and season");
  expect((await page.textContent("[aria-label=empty] tbody td:last-child")).trim() === "waits for its first game", "where it waits");
  expect(/^(\d+ won, (\d+ shared, )?\d+ lost; )?\d+ games? at tables of 3: mean place [123]\.\d, \d+\u00a0% of the points\s*$/.test(await page.textContent("main tbody td:last-child")), "its last 24 hours");
  await page.context().close();
}

async function checkPage(browser, name, shot) {
  const views = {
    wide: { viewport: { width: 1280, height: 900 } },
    dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
    phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  };
  for (const view in views) {
    if (view === "dark" && shot !== "ladder" && shot !== "bot") continue;
    const page = await open(browser, web + name, web, views[view]);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over <= 0, `${name}, ${view}: ${over} pixels wider than the screen`);
    expect(await page.$$eval(".copy", (all) => all.every((box) => {
      const [code, button] = [...box.children].map((one) => one.getBoundingClientRect());
      return code.right <= button.left || code.bottom <= button.top || button.bottom <= code.top;
    })), `${name}, ${view}: a button covers what it copies`);
    if (view === "wide") checkMarkup(readFileSync(`${room}/web/${name}`, "utf8"), name);
    if (view === "wide" || shot === "ladder") await checkAccess(page, `${name}, ${view}`);
    await page.screenshot({ path: `${shots}/${shot}-${view}.png`, fullPage: view === "wide" });
    expect((await page.$$("td b, main script, pre script")).length === 0,
      `${name}: a bot's words became elements`);
    await page.context().close();
  }
}

// The tabulator key alone reaches whatever can be used.
async function checkKeys(browser, name) {
  const page = await open(browser, web + name, web);
  const wanted = await page.evaluate(() => [...document.querySelectorAll(
    "a[href], button, summary, input, iframe, [tabindex]")].filter((one) => one.checkVisibility())
    .map((one, i) => (one.dataset.stop = i)).length);
  const reached = new Set();
  for (let i = 0; i < wanted + 60; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.dataset.stop));
    if (reached.size > 1 && reached.has("0") && i > wanted) break;
  }
  reached.delete(undefined);
  expect(reached.size === wanted, `${name}: ${reached.size} of ${wanted} places are reached by key`);
  await page.context().close();
}

// A bot's page says where it stands, why it forfeits, how it plays; a pair's page compares the two.
async function checkBot(browser) {
  const page = await open(browser, web + "cup/bot/late.html", web, { timezoneId: "America/New_York" });
  const said = await page.textContent("main");
  expect(/Rank [1-4–]+ of 4/.test(said), "late's rank, which the luck of 24 games decides");
  expect(await page.isVisible("footer a[href='mailto:league@arena.example']"), "whom to ask, on a bot's page");
  expect(/exit × \d+: /.test(said), "late's forfeits by cause");
  expect(/Since yesterdayPlace \d, new; .*\d+ games? at tables of 3: .* \(\d+ by exit\) until /.test(said),
    "late's last 24 hours name its place, games, and causes of forfeits");
  for (const [text, after, href] of await page.$$eval("details a[href*='/game/']", (all) => all
    .filter((one) => one.closest("dd")).map((one) =>
      [one.textContent, one.nextSibling.textContent, one.getAttribute("href")])))
    expect(href.includes(`#t=${/decision (\d+)/.exec(after)?.[1]}&seat=`), `${text}${after} leads to ${href}`);
  expect(/stderrshown only to the bot's author .*GET \/api\/v1\/me/.test(said), "a forfeit says who sees what the bot wrote");
  for (const href of await page.$$eval("details > p a[href*='/game/']", (all) => all.map((one) => one.href)))
    expect(/#t=\d+&seat=\d$/.test(href), `an older forfeit leads to ${href}`);
  for (const words of ["Runs of tiles", "Start token", "Tiles discarded", "Score by round", "Against whom"])
    expect(said.includes(words), `late's page has no "${words}"`);
  const time = await page.textContent("time");
  expect(/^\d{4}-\d\d-\d\d \d\d:\d\d (GMT|UTC)[−-]\d$|E[SD]T$/.test(time), `New York's time is ${time}`);
  await page.fill("input[name='t']", "3");
  await page.press("input[name='t']", "Enter");
  // The viewer writes the address again in its own order, soon after the load.
  await page.waitForURL(/\/cup\/game\/cup-.*\.html#(seat=\d&t=3|t=3(&seat=\d)?)$/);
  await page.goBack();
  await page.click("main a[href*='/pair/']");
  const pair = await page.textContent("main");
  for (const words of ["was ahead in", "Score by round", "Closest games", "Widest games", "Points ahead"])
    expect(pair.includes(words), `the pair's page has no "${words}"`);
  const numbers = await page.$$eval(".bars table tbody", ([table]) =>
    [...table.rows].map((row) => Number(row.cells[1].textContent)));
  const total = numbers.slice(0, -1).reduce((a, b) => a + b, 5);
  expect(Math.abs(total - numbers.at(-1)) < 0.4, `points by source: ${numbers} make ${total}`);
  await page.context().close();
}

// Follows every link from the index; each leads to a file.
async function checkLinks(browser) {
  const seen = new Set(["index.html"]);
  const page = await open(browser, web + "index.html", web);
  for (const name of seen) {
    // The documents also speak to organizers; site.documents follows their links.
    if (!name.endsWith(".html") || name.includes("/game/") || name.startsWith("docs/")) continue;
    await page.goto(web + name);
    // A visitor has the replays that he saved, and no store.
    for (const command of await page.$$eval("code, p", (all) => all.map((one) => one.textContent)))
      expect(!/arena (season|ladder|export|games|replay (?!\S+\.replay ))/.test(command),
        `${name}: needs the store: ${command}`);
    for (const href of await page.$$eval("a:not([href^='mailto:'])", (all) => all.map((one) => one.href.split("#")[0]))) {
      const target = decodeURIComponent(href.replace(web, ""));
      const path = `${room}/web/${target}`;
      if (seen.has(target)) continue;
      expect(existsSync(path) && statSync(path).isFile(), `${name}: ${href} leads nowhere`);
      seen.add(target);
    }
  }
  await page.context().close();
  return seen;
}

// Another line from a decision of a match, and by one key back to it.
async function checkPlayOn(page) {
  const match = page.url().split("#")[0];
  await page.evaluate(() => go(7));
  const scores = await page.$$eval(".score", (all) => all.map((one) => one.textContent).join());
  await page.keyboard.press("p");
  await page.waitForSelector("body.ready.mine");
  expect((await page.$$("#moves li")).length === 7 &&
    (await page.$$eval(".score", (all) => all.map((one) => one.textContent).join())) === scores, "the position of the match");
  await page.keyboard.press("b");
  await page.waitForSelector("#on-here");
  expect(page.url() === match + "#t=7", `back at ${page.url()}`);
}

// Steady and maestro judge a match in the page; the arena's stand-ins are not judged. Where the page for playing is missing, the page says so.
async function checkAnalyst(page) {
  const words = "#analyst [role=status]";
  await page.route("**/play.html", (route) => route.fulfill({ contentType: "text/html", body: "<p>not this one" }));
  await page.click("#analyst button");
  await page.waitForFunction((at) => /cannot be loaded from here/.test(document.querySelector(at).textContent), words);
  await page.unroute("**/play.html");
  await page.evaluate(() => new Promise((ended) => { // stops it at once when steady has spoken, before maestro can end
    const [button] = analyst.children;
    button.click();
    addEventListener("message", function stop({ data }) {
      if (!data.decisions) return;
      removeEventListener("message", stop);
      button.click();
      ended();
    });
  }));
  expect((await page.textContent("#analyst button")) === "Analyse this game" && (await page.$$("iframe")).length === 0 &&
    (await page.textContent(words)) === "", "stopped");
  expect(/(Costliest decisions|No decision cost 3 points), says steady/.test(await page.textContent("#why")), "steady's words");
  expect((await page.$$("#moves em")).length === await page.evaluate(() => match.times.filter((time) => time >= 0).length),
    "each decision of a bot is judged");
  await checkAccess(page, "a match that the page analyses");
  await page.click("#analyst button");
  await page.waitForFunction(() => analysis.analyst === "maestro");
  expect((await page.isHidden("#analyst")) && / says maestro/.test(await page.textContent("#why")) &&
    !/ says steady/.test(await page.textContent("#why")), "maestro's words");
  await page.keyboard.press("Home");
  await page.waitForFunction(() => location.hash.startsWith("#t=0") && location.hash.endsWith("&analyse"));
  const costly = () => page.$$eval("#why a", (all) => all.map((one) => one.textContent).join());
  const shown = await costly();
  await page.reload();
  await page.waitForFunction(() => typeof analysis !== "undefined" && analysis.analyst === "maestro");
  const again = await costly();
  expect(again === shown && shown, `a link to an analysed decision shows ${again}, not ${shown}`);
}

async function checkGames(browser) {
  const games = readFileSync(`${room}/games.json`, "utf8").trim().split("\n").map(JSON.parse);
  const pages = readdirSync(`${room}/web/cup/game`);
  const forfeits = games.filter((game) => game.reason.some((reason) => reason !== "played"));
  expect(forfeits.length > 0, "late leaves no game");
  for (const game of forfeits)
    expect(pages.includes(game.match + ".html"), `the forfeit ${game.match} has no page`);
  for (const game of [games.at(-1), forfeits.at(-1)]) {
    const page = await open(browser, `${web}cup/game/${game.match}.html#t=9999`, web);
    const scores = await page.$$eval(".score", (all) => all.map((one) => Number(one.textContent)));
    expect(scores.join() === game.scores.join(), `${game.match}: ${scores}, not ${game.scores}`);
    expect(!(await page.content()).includes("alert(1)&lt;/script&gt;\n") &&
      !(await page.textContent("body")).includes("</pre><script>"), `${game.match}: tells stderr`);
    const named = await page.$$eval(".seat h2 a", (all) => all.map((one) => one.href));
    expect(named.length === scores.length && named.every((bot) => bot.startsWith(`${web}cup/bot/`) &&
      existsSync(bot.replace(web, `${room}/web/`))), `${game.match}: names lead to ${named}`);
    if (game === games.at(-1))
      expect(/^live Elo \d+$/.test(await page.textContent("#seat0 small[title]")),
        `${game.match}: no rating before the game`);
    const picture = /og:image" content="([^"]*)"/.exec(await page.content())[1];
    expect(readFileSync(picture.replace("https://arena.example", `${room}/web`)).subarray(1, 4).toString() === "PNG",
      `${game.match}: picture ${picture}`);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    const bots = await open(browser, `${web}cup/bot/late.html`, web);
    expect(game !== forfeits.at(-1) || (await bots.textContent("main")).includes(
      `arena replay ${saved.suggestedFilename()} --at `), `${game.match}: saved under another name`);
    await bots.context().close();
    if (existsSync(room + "/web/play.html")) {
      if (game === games.at(-1)) await checkAnalyst(page);
      await checkPlayOn(page);
    }
    await page.click("a.home");
    expect(page.url() === web + "cup/index.html", `${game.match} leads back to ${page.url()}`);
    await page.context().close();
  }
}

// From each address of a match one can play on, and comes back to that address. In a frame, which cannot have
// the page for playing, a link leads to the match's own page for the analysis.
async function checkServed(page, url) {
  const path = `/cup/game/${readdirSync(`${room}/web/cup/game`).find((name) => name.endsWith(".html"))}`;
  await page.goto(url + path.slice(1));
  await page.evaluate(() => document.body.append(Object.assign(document.createElement("iframe"), { src: location.pathname })));
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  const href = await (await frame.waitForSelector("#analyst a")).getAttribute("href");
  expect(href === path && !(await frame.$("#analyst button")), `a framed match is analysed at ${href}`);
  for (const [here, play] of [[path, "../../play.html"], ["/game/cup-000000-0", "/play.html"],
    ["/api/v1/games/cup-000000-0/page", "/play.html"]]) {
    const link = await page.evaluate((at) => {
      history.replaceState(null, "", at[0]);
      match.play = at[1];
      nameLine(0);
      return document.getElementById("on-here").href;
    }, [here, play]);
    const back = new URL(/&game=([^&]*)/.exec(link)[1], link).pathname;
    expect(back === here && link.startsWith(`${url}play.html#`), `from ${here} one comes back to ${back}`);
  }
}

(async () => {
  mkdirSync(shots, { recursive: true });
  const browser = await launch();
  const season = await open(browser, web + "cup/index.html", web);
  await checkSorting(season);
  expect(await season.isHidden(".chart.many .band"), "bands of a chart of many lines are hidden");
  await season.hover(".chart.many g[tabindex] text");
  expect(await season.isVisible(".chart.many g:hover .band"), "the band of a name that is pointed at");
  await season.focus(".chart.many g[tabindex]:last-of-type");
  expect(await season.isVisible(".chart.many g:focus .band"), "the band of a name that is chosen by a key");
  const curve = () => season.getAttribute(".chart.many g[tabindex] path:last-of-type", "d");
  const byGames = await curve();
  await season.click("button.axis");
  expect((await curve()) !== byGames && (await season.isVisible(".chart .axis + .axis")), "time as the axis");
  await season.click("button.axis");
  expect((await curve()) === byGames, "games as the axis again");
  const seats = await season.$$eval("[aria-label='Score by seat'] tr", (rows) => rows.slice(1).map((row) =>
    [...row.cells].slice(2).map((cell) => parseFloat(cell.textContent))));
  for (const row of seats) {
    const scores = row.filter((score) => !Number.isNaN(score));
    const sum = scores.reduce((a, b) => a + b, 0);
    expect(row.length === 3 && Math.abs(sum - 50 * scores.length) < 0.05, `scores of seats: ${row} make ${sum}`);
  }
  expect(seats.length === 2, "a row for each table size");
  await season.context().close();
  const seen = await checkLinks(browser);
  expect(seen.has("cup/pair/greedy+late.html") && seen.has("empty/index.html"), "pages are missing");
  await checkPage(browser, "index.html", "index");
  await checkPage(browser, "cup/index.html", "ladder");
  await checkPage(browser, "cup/bot/late.html", "bot");
  await checkPage(browser, "cup/pair/greedy+late.html", "pair");
  await checkPage(browser, "empty/index.html", "empty");
  for (const name of ["index", "without-linux", "learn", "bots", "rules", "api"])
    await checkPage(browser, `docs/${name}.html`, `docs-${name}`);
  await checkPage(browser, [...seen].find((name) => name.startsWith("author/")), "author");
  await checkCards(browser);
  await checkBot(browser);
  for (const name of ["index.html", "cup/index.html", "cup/bot/late.html", "cup/pair/greedy+late.html"])
    await checkKeys(browser, name);
  await checkSearch(browser);
  await checkOpenSeasons(browser);
  await checkHome(browser);
  await checkGames(browser);
  const server = await serve(room + "/web");
  const page = await open(browser, server.url + "cup/index.html", server.url);
  expect((await page.$$("#ladder tbody tr")).length === 4, "the ladder from a web server");
  expect(server.asked.join() === "/cup/index.html", `asked for ${server.asked}`);
  if (existsSync(room + "/web/play.html")) await checkServed(page, server.url);
  server.close();
  await browser.close();
  finish();
})().catch((error) => {
  console.log(error);
  process.exit(1);
});
