// SPDX-License-Identifier: MIT
// What the tests of the pages share: one browser, pages that may say and ask for nothing, and the
// opinions of axe-core and html-validate.
"use strict";
const { readFileSync } = require("node:fs");
const { createServer } = require("node:http");
const { join, normalize } = require("node:path");
const { HtmlValidate } = require("html-validate");
const { chromium } = require("playwright-core");

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const faults = [];
let checks = 0;

function expect(holds, words) {
  checks++;
  if (!holds) faults.push(words);
  if (!holds) console.log("not so: " + words);
}

const launch = () => chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

// A page that must stay within allowed (a prefix of addresses) and print nothing.
async function open(browser, url, allowed, options = {}) {
  const context = await browser.newContext({ reducedMotion: "reduce", acceptDownloads: true,
    viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(300000); // a busy machine may take minutes
  const page = await context.newPage();
  page.on("console", (message) => expect(false, `${url}: console: ${message.text()}`));
  page.on("pageerror", (error) => expect(false, `${url}: ${error.message}`));
  page.on("dialog", (dialog) => expect(false, `${url}: a dialog: ${dialog.message()}`));
  page.on("request", (request) => {
    const asked = request.url();
    if (!/^(data|blob):/.test(asked))
      expect(asked.startsWith(allowed), `${url}: asked for ${asked}`);
  });
  await page.goto(url);
  return page;
}

async function checkAccess(page, words) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ iframes: false }));
  for (const violation of violations)
    expect(false, `${words}: axe: ${violation.id}: ${violation.help}: ` +
      violation.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | "));
  expect(true, "axe ran");
}

// The standard's rules and accessibility; style is our own. Elements may have text of any length.
const validator = new HtmlValidate({ extends: ["html-validate:standard", "html-validate:a11y"],
  rules: { "long-title": "off", "no-inline-style": "error" } });

function checkMarkup(html, words) {
  for (const { messages } of validator.validateStringSync(html).results)
    for (const { ruleId, message, line, column } of messages)
      expect(false, `${words}:${line}:${column}: html-validate: ${ruleId}: ${message}`);
  expect(true, "html-validate ran");
}

// Serves a folder; asked is every path that was asked for.
function serve(folder) {
  const asked = [];
  const types = { html: "text/html", json: "application/json", xml: "application/atom+xml" };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url.split("?")[0]);
    asked.push(path);
    try {
      const bytes = readFileSync(join(folder, normalize(path)));
      response.writeHead(200, { "content-type": types[path.split(".").pop()] || "text/plain" });
      response.end(bytes);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () =>
    resolve({ asked, close: () => server.close(), url: `http://127.0.0.1:${server.address().port}/` })));
}

function finish() {
  console.log(`${checks} checks, ${faults.length} faults`);
  process.exit(faults.length || checks < 10 ? 1 : 0);
}

module.exports = { checkAccess, checkMarkup, expect, finish, launch, open, serve };
