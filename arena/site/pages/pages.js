// SPDX-License-Identifier: MIT
"use strict";
// Tables sort by the column whose heading is pressed; by rank means the order of the page.
document.body.classList.add("js");
function compare(a, b) {
  const x = Number(a);
  const y = Number(b);
  return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
}
function sortBy(heading) {
  const table = heading.closest("table");
  const column = heading.cellIndex;
  const old = heading.getAttribute("aria-sort");
  const down = old ? old === "ascending" : heading.dataset.down === "1";
  for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = [...table.tBodies[0].rows];
  table.order ??= new Map(rows.map((row, i) => [row, String(i)]));
  const valueOf = (row) => heading.textContent === "rank" ? table.order.get(row) : row.cells[column].textContent;
  rows.sort((a, b) => {
    const x = valueOf(a);
    const y = valueOf(b);
    // Missing values come last.
    if (x === "" || y === "") return (x === "") - (y === "");
    return down ? compare(y, x) : compare(x, y);
  });
  table.tBodies[0].append(...rows);
}
for (const table of document.querySelectorAll("table.sorts"))
  for (const heading of table.tHead.rows[0].cells) {
    if (!heading.textContent || heading.className === "bar") continue;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sortBy(heading));
  }
for (const button of document.querySelectorAll("button.axis"))
  button.addEventListener("click", () => {
    const chart = button.parentElement.nextElementSibling.querySelector(".chart");
    const byTime = chart.classList.toggle("by-time");
    button.setAttribute("aria-pressed", byTime);
    for (const path of chart.querySelectorAll("path[data-d]")) {
      const other = path.dataset.d;
      path.dataset.d = path.getAttribute("d");
      path.setAttribute("d", other);
    }
  });
// The columns on request are words in the rows' data-more until then.
function addColumns(table) {
  const headings = table.querySelectorAll("th.more");
  for (const row of table.tBodies[0].rows) {
    row.dataset.more.split("\t").forEach((text, i) => {
      const cell = row.insertCell();
      cell.className = "more";
      cell.textContent = text;
      cell.dataset.l = headings[i].textContent;
    });
    delete row.dataset.more;
  }
}
for (const button of document.querySelectorAll("button[aria-controls]"))
  button.addEventListener("click", () => {
    const all = document.getElementById(button.getAttribute("aria-controls"));
    if (all.querySelector("tr[data-more]")) addColumns(all);
    const shown = all.classList.toggle("full");
    all.parentElement.classList.toggle("wider", shown);
    button.setAttribute("aria-expanded", shown);
    button.textContent = shown ? "Fewer columns" : "All columns";
  });
// Moments in the reader's own time zone.
const zoned = new Intl.DateTimeFormat("sv-SE", { year: "numeric", month: "2-digit", day: "2-digit",
  hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
const { timeZone } = zoned.resolvedOptions();
for (const time of document.querySelectorAll("time")) {
  time.title = time.textContent;
  time.textContent = zoned.format(new Date(time.dateTime));
  if (!time.closest("td")) continue;
  // A table says the zone once, in the heading: the cells keep "2026-11-21 20:15".
  time.textContent = time.textContent.slice(0, 16);
  const heading = time.closest("table").tHead.rows[0].cells[time.closest("td").cellIndex];
  if (!heading.title) (heading.querySelector("button") ?? heading).append(`, ${timeZone}`);
  heading.title = timeZone;
}
// How long a season will take is hidden, in case its newest game is old: then the season stands still.
for (const left of document.querySelectorAll("[data-at]"))
  left.hidden = Date.now() - left.dataset.at > 9e5;
// Where the web server of the arena sent this page, its address is known.
if (document.querySelector("nav a[href='/live']") && location.protocol !== "file:") {
  document.body.classList.add("known");
  for (const address of document.querySelectorAll(".address")) address.textContent = location.origin;
}
// A command is copied whole; the selection shows what was copied.
for (const box of document.querySelectorAll(".copy")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", () => {
    getSelection().selectAllChildren(box.querySelector("pre"));
    button.textContent = document.execCommand("copy") ? "Copied" : "Selected";
  });
  box.append(button);
}
// The field on a bot's page leads to a decision of its last lost game.
for (const form of document.querySelectorAll("form"))
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.href = form.dataset.to + form.elements.t.value;
  });
// A season of many bots can be searched by name and author. Enter leads to the bot found first; the
// home page has the same field, which leads to the ladder.
function addSearch(where, found) {
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "Bot or author";
  input.ariaLabel = "Find a bot or an author";
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && input.value.trim()) found(input.value.trim());
  });
  where.before(input);
  return input;
}
for (const link of document.querySelectorAll("a.find")) {
  addSearch(link, (name) => (location.href =
    `${link.href}#find=${encodeURIComponent(name)}&also=${encodeURIComponent(link.dataset.also)}`));
  link.remove();
}
const sought = new URLSearchParams(location.hash.slice(1));
const asked = sought.get("find") ?? "";
for (const table of document.querySelectorAll(".ladder table")) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length <= 10 && !asked) continue;
  // The name of an author leads to the author, unless a bot has that name, too.
  const linkOf = (row, wanted) => (!row.querySelector("th").textContent.toLowerCase().includes(wanted) &&
    row.querySelector("td.author a") || row.querySelector("th a")).href;
  const input = addSearch(table.closest(".ladder"), (name) => {
    const row = rows.find((one) => !one.hidden);
    if (row) location.href = linkOf(row, name.toLowerCase());
  });
  const none = document.createElement("output");
  input.after(none);
  const filter = () => {
    const wanted = input.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    none.value = rows.every((row) => row.hidden) ? "No bot and no author of that name" : "";
  };
  input.addEventListener("input", filter);
  if (!asked) continue;
  input.value = asked;
  filter();
  const only = rows.filter((row) => !row.hidden);
  const wanted = asked.trim().toLowerCase();
  const isNamed = (row, of) => row.querySelector(of)?.textContent.toLowerCase() === wanted;
  const named = rows.find((row) => isNamed(row, "th")) ?? rows.find((row) => isNamed(row, "td.author"));
  if (named || only.length === 1) location.replace(linkOf(named ?? only[0], wanted));
}
// Who is not on the ladder may wait for a first game, or play in another of the seasons that are open.
if (asked && ![...document.querySelectorAll(".ladder tbody tr")].some((row) => !row.hidden)) {
  const wanted = asked.trim().toLowerCase();
  const waiting = [...document.querySelectorAll(".waiting a, .waiting span")]
    .find((one) => one.textContent.toLowerCase().includes(wanted));
  const [next, ...rest] = (sought.get("also") ?? "").split(" ");
  if (waiting) location.replace((waiting.href ? waiting : waiting.previousElementSibling).href);
  else if (next)
    location.replace(`../${next}/index.html#find=${encodeURIComponent(asked)}&also=${encodeURIComponent(rest.join(" "))}`);
}
