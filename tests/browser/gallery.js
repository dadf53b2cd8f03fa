// SPDX-License-Identifier: MIT
// node gallery.js FOLDER [PART]: pictures of the sites in FOLDER/site-*, of every kind of page in every
// view; with PART only of pages whose name contains it.
"use strict";
const { existsSync, readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { checkAccess, checkMarkup, expect, finish, launch, open } = require("./browser.js");

const [folder, part = ""] = process.argv.slice(2);
const views = {
  light: { viewport: { width: 1280, height: 900 } },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  "phone-dark": { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: "dark" },
};

// One page of each kind of a site; of games one with each number of players.
function listPages(site) {
  const pages = ["index.html", "404.html", "play.html"].filter((name) => existsSync(`${site}/${name}`));
  const first = (path) => {
    if (existsSync(`${site}/${path}`)) pages.push(...readdirSync(`${site}/${path}`)
      .filter((name) => name.endsWith(".html")).slice(0, 1).map((name) => `${path}/${name}`));
  };
  first("author");
  // The same on every site.
  if (site.endsWith("-0")) pages.push(...readdirSync(`${site}/docs`).filter((name) => name.endsWith(".html"))
    .map((name) => `docs/${name}`));
  for (const season of readdirSync(site).filter((name) => existsSync(`${site}/${name}/index.html`))) {
    for (const name of ["index", "ladder-2", "ladder-4"])
      if (existsSync(`${site}/${season}/${name}.html`)) pages.push(`${season}/${name}.html`);
    first(`${season}/bot`);
    first(`${season}/pair`);
    for (const name of ["late", "stella"])
      if (existsSync(`${site}/${season}/bot/${name}.html`)) pages.push(`${season}/bot/${name}.html`);
    if (!existsSync(`${site}/${season}/game`)) continue;
    const games = readdirSync(`${site}/${season}/game`).filter((name) => name.endsWith(".html"));
    const tables = new Map(games.map((name) => [
      /<body class="(p\d)/.exec(readFileSync(`${site}/${season}/game/${name}`, "utf8"))?.[1], name]));
    for (const name of tables.values())
      pages.push(`${season}/game/${name}#t=50`, `${season}/game/${name}#t=9999`);
  }
  return pages;
}

// Many pictures side by side on one.
async function makeSheet(browser, name, shots) {
  const page = await browser.newPage({ viewport: { width: 1800, height: 1100 } });
  const images = shots.map(({ path, title }) => `<figure><figcaption>${title}</figcaption><img src="data:image/png;base64,` +
    `${readFileSync(path).toString("base64")}"></figure>`);
  page.setDefaultTimeout(300000);
  await page.setContent(`<style>body{display:flex;flex-wrap:wrap;gap:8px;font:13px sans-serif}figure{margin:0}` +
    `img{height:${name.includes("phone") ? 800 : 480}px;border:1px solid #888}</style>` + images.join(""));
  writeFileSync(`${folder}/SHEET-${name}.png`, await page.screenshot({ fullPage: true }));
  await page.close();
}

(async () => {
  const browser = await launch();
  for (const site of readdirSync(folder).filter((name) => name.startsWith("site-"))) {
    const pages = listPages(`${folder}/${site}`).filter((name) => `${site}/${name}`.includes(part));
    for (const view in views) {
      const shots = [];
      for (const name of pages) {
        const base = `file://${folder}/${site}/`;
        const page = await open(browser, base + name, base, views[view]);
        const path = `${folder}/${site.slice(5)}-${name.replace(/\.html(#t=)?/, "").replaceAll("/", "-")}-${view}.png`;
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(over <= 0, `${site}/${name}, ${view}: ${over} pixels wider than the screen`);
        if (view === "light" || view === "phone-dark") await checkAccess(page, `${site}/${name}, ${view}`);
        if (view === "light") checkMarkup(readFileSync(`${folder}/${site}/${name.split("#")[0]}`, "utf8"), `${site}/${name}`);
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.screenshot({ path, fullPage: height < 12000 });
        shots.push({ path, title: name });
        await page.context().close();
      }
      if (shots.length) await makeSheet(browser, `${site.slice(5)}-${view}`, shots);
    }
  }
  await browser.close();
  finish();
})().catch((error) => {
  console.log(error);
  process.exit(1);
});
