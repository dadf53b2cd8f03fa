"use strict";
// Tables sort by the column whose heading is pressed; cells say by what in data-v.
document.body.classList.add("js");
const valueOf = (cell) => cell.dataset.v ?? cell.textContent;
function compare(a, b) {
  const x = Number(a);
  const y = Number(b);
  if (a === "" || b === "") return (a === "") - (b === "");
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
  rows.sort((a, b) => {
    const x = valueOf(a.cells[column]);
    const y = valueOf(b.cells[column]);
    const order = compare(x, y);
    return x === "" || y === "" ? order : down ? -order : order;
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
for (const button of document.querySelectorAll("button[aria-controls]"))
  button.addEventListener("click", () => {
    const all = document.getElementById(button.getAttribute("aria-controls"));
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
  // A table says the zone once, in the heading.
  time.textContent = time.textContent.slice(0, "2026-11-21 20:15".length);
  const heading = time.closest("table").tHead.rows[0].cells[time.closest("td").cellIndex];
  if (!heading.title) (heading.querySelector("button") ?? heading).append(`, ${timeZone}`);
  heading.title = timeZone;
}
// Where the web server of the arena sent this page, its address is known.
if (document.querySelector("nav a[href='/live']") && location.protocol !== "file:") {
  document.body.classList.add("known");
  for (const address of document.querySelectorAll(".address")) address.textContent = location.origin;
}
// A season of many bots can be searched by name and author; a phone shows each row as a small card,
// whose values have the headings before them.
for (const table of document.querySelectorAll(".ladder table")) {
  const rows = [...table.tBodies[0].rows];
  const titles = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  const extra = [...table.tHead.rows[0].cells].map((cell) => cell.classList.contains("more"));
  for (const row of rows)
    for (const cell of row.cells) {
      if (extra[cell.cellIndex]) cell.classList.add("more");
      if (cell.tagName === "TD" && !cell.querySelector("svg")) cell.dataset.l = titles[cell.cellIndex];
    }
  if (rows.length <= 10) continue;
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "Find a bot";
  input.setAttribute("aria-label", "Find a bot or an author");
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  table.closest(".ladder").before(input);
}
