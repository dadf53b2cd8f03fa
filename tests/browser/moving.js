// SPDX-License-Identifier: MIT
// node moving.js PAGE FILE: the last round of the match of PAGE (arena replay --html) as one animated PNG: few
// colors, and of each picture only what differs from the one before.
"use strict";
const { writeFileSync } = require("node:fs");
const { deflateSync, inflateSync } = require("node:zlib");
const { launch, open } = require("./browser.js");

const [path, file] = process.argv.slice(2);
const STEP_MS = 700, PHASE_MS = 1400, END_MS = 5000;
const COLORS = 64, CLOSE = 400, SAME = COLORS; // SAME: the color of what does not differ

// The pixels of a PNG of chromium: 8 bits a channel, with or without alpha, not interlaced.
function readPng(bytes) {
  const parts = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  const width = bytes.readUInt32BE(16), height = bytes.readUInt32BE(20), size = bytes[25] === 6 ? 4 : 3;
  const lines = inflateSync(Buffer.concat(parts)), row = width * size, pixels = new Uint32Array(width * height);
  const above = Buffer.alloc(row), line = Buffer.alloc(row);
  for (let y = 0; y < height; y++) {
    const start = y * (row + 1);
    for (let x = 0; x < row; x++) {
      const a = x < size ? 0 : line[x - size], b = above[x], c = x < size ? 0 : above[x - size];
      const p = a + b - c, pa = Math.abs(p - a), pb = Math.abs(p - b), pc = Math.abs(p - c);
      const guess = [0, a, b, (a + b) >> 1, pa <= pb && pa <= pc ? a : pb <= pc ? b : c][lines[start]];
      line[x] = lines[start + 1 + x] + guess;
    }
    for (let x = 0; x < width; x++) pixels[y * width + x] = line.readUIntBE(x * size, 3);
    line.copy(above);
  }
  return { width, height, pixels };
}

// A palette of the most frequent colors, no two of them close, and each color's place in it.
function choosePalette(pictures) {
  const counts = new Map();
  for (const { pixels } of pictures)
    for (const color of pixels) counts.set(color, (counts.get(color) || 0) + 1);
  const distance = (a, b) => [16, 8, 0].reduce((sum, shift) => sum + (((a >> shift) & 255) - ((b >> shift) & 255)) ** 2, 0);
  const palette = [];
  for (const [color] of [...counts].sort((a, b) => b[1] - a[1]))
    if (palette.length < COLORS && palette.every((other) => distance(color, other) > CLOSE)) palette.push(color);
  const places = new Map();
  for (const color of counts.keys()) {
    let best = 0;
    palette.forEach((other, i) => { if (distance(color, other) < distance(color, palette[best])) best = i; });
    places.set(color, best);
  }
  return { palette, places };
}

const sums = new Uint32Array(256).map((_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function chunk(type, ...bodies) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), ...bodies]);
  const crc = body.reduce((sum, byte) => sums[(sum ^ byte) & 255] ^ (sum >>> 8), 0xffffffff);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(body.length - 4);
  ends.writeUInt32BE((crc ^ 0xffffffff) >>> 0, 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

const numbers = (...values) => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => bytes.writeUInt32BE(value, i * 4));
  return bytes;
};

// The smallest rectangle of what differs, as a frame: [x, y, width, height, its bytes].
function cut(now, before, width, height) {
  let left = width, right = -1, top = height, bottom = -1;
  for (let i = 0; i < now.length; i++) {
    if (before && now[i] === before[i]) continue;
    const x = i % width, y = (i - x) / width;
    left = Math.min(left, x), right = Math.max(right, x), top = Math.min(top, y), bottom = Math.max(bottom, y);
  }
  if (right < 0) left = right = top = bottom = 0;
  const wide = right - left + 1, bytes = Buffer.alloc((wide + 1) * (bottom - top + 1));
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const i = y * width + x;
      bytes[(y - top) * (wide + 1) + 1 + x - left] = before && now[i] === before[i] ? SAME : now[i];
    }
  return [left, top, wide, bottom - top + 1, deflateSync(bytes, { level: 9, memLevel: 9 })];
}

(async () => {
  const browser = await launch();
  const page = await open(browser, `file://${path}`, "file:", { viewport: { width: 1180, height: 660 }, deviceScaleFactor: 0.75 });
  // The list of decisions would be half of the file; the current one stands above it anyway.
  const [first, last] = await page.evaluate(() => {
    const moves = document.getElementById("moves"), number = (item) => Number(item.querySelector("b").textContent);
    moves.style.visibility = "hidden";
    return [number([...moves.querySelectorAll(".round")].pop().nextElementSibling), number(moves.lastElementChild)];
  });
  const pictures = [];
  for (let turn = first; turn <= last + 1; turn++) {
    await page.evaluate((t) => { location.hash = `t=${t}`; }, turn);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    pictures.push({ ...readPng(await page.screenshot()), placing: await page.evaluate(() => document.body.classList.contains("placing")) });
  }
  await browser.close();
  const { width, height } = pictures[0], { palette, places } = choosePalette(pictures);
  const out = [Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", numbers(width, height), Buffer.from([8, 3, 0, 0, 0])),
    chunk("acTL", numbers(pictures.length, 0)),
    chunk("PLTE", Buffer.from([...palette, ...Array(COLORS + 1 - palette.length).fill(0)].flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]))),
    chunk("tRNS", Buffer.from(Array(COLORS).fill(255).concat(0)))];
  let before = null, order = 0;
  pictures.forEach(({ pixels, placing }, i) => {
    const now = Uint8Array.from(pixels, (color) => places.get(color));
    const [x, y, wide, high, bytes] = cut(now, before, width, height);
    const ms = i + 1 === pictures.length ? END_MS : i && placing !== pictures[i - 1].placing ? PHASE_MS : STEP_MS;
    // Over what was there (blend 1), which stays (dispose 0).
    out.push(chunk("fcTL", numbers(order++, wide, high, x, y), Buffer.from([ms >> 8, ms & 255, 1000 >> 8, 1000 & 255, 0, 1])));
    out.push(before ? chunk("fdAT", numbers(order++), bytes) : chunk("IDAT", bytes));
    before = now;
  });
  out.push(chunk("IEND"));
  writeFileSync(file, Buffer.concat(out));
  console.log(`${file}: ${pictures.length} pictures of ${width} x ${height}, ${Buffer.concat(out).length} bytes`);
})();
