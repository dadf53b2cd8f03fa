// SPDX-License-Identifier: MIT
// The engine as WebAssembly, under node: node engine.js PAGE NATIVE COUNT [LOOKS], or node engine.js
// PAGE TESTS. The module of PAGE, the page for playing, plays the COUNT games of which NATIVE has what
// tests/browser/wasm/table_games.c printed; TESTS is the engine's tests as a module.
"use strict";
const { readFileSync } = require("node:fs");
const { WASI } = require("node:wasi");
const { gunzipSync } = require("node:zlib");

const [page, file, games, looks = 0] = process.argv.slice(2);
const html = readFileSync(page, "utf8");
const part = (id) => gunzipSync(Buffer.from(
  html.match(new RegExp(`<script type="application/octet-stream" id="${id}">([^<]*)`))[1], "base64"));

// What the choice of decision `turn` is, and what table_games prints before it.
function choose(table, who, turn, count) {
  const any = turn % count;
  if (looks > 0) {
    const said = [1, 2].map((bot) => {
      const best = table.table_judge(bot, any);
      return `${best} ${new Int32Array(table.memory.buffer, table.table_leads(), 2).join(" ")} `;
    });
    return [said.join(""), table.table_choose(2)];
  }
  return ["", who < 2 ? table.table_choose(who) : any];
}

async function compareGames() {
  const table = (await WebAssembly.instantiate(part("module"), {})).instance.exports;
  const lines = [];
  table._initialize();
  for (let number = 0; number < games; number++) {
    const players = 2 + (number % 3);
    const side = Math.floor(number / 3) % 2;
    new Uint8Array(table.memory.buffer, table.table_seed(), 16).fill(number);
    table.table_think(looks);
    let count = table.table_deal(players, side);
    for (let decision = 0; count > 0; decision++) {
      const [said, index] = choose(table, (decision + number) % 3, decision * 7919 + number, count);
      lines.push(`${said}${count} ${index} ${BigInt.asUintN(64, table.table_hash())}`);
      count = table.table_play(index);
    }
    for (let seat = 0; seat < players; seat++)
      lines.push(`${table.table_rank(seat)} ${table.table_final_points(seat)}`);
  }
  const expected = readFileSync(file, "utf8").trimEnd().split("\n");
  const at = lines.findIndex((line, i) => line !== expected[i]);
  console.log(`${games} games, ${lines.length} lines, the native engine's ${expected.length}`);
  if (at >= 0 || lines.length !== expected.length) {
    console.log(`line ${at + 1}: ${lines[at]}, the native engine: ${expected[at]}`);
    process.exit(1);
  }
}

async function runTests() {
  const wasi = new WASI({ version: "preview1", returnOnExit: true });
  const { instance } = await WebAssembly.instantiate(readFileSync(file),
    { wasi_snapshot_preview1: wasi.wasiImport });
  process.exitCode = wasi.start(instance);
}

if (games) compareGames();
else runTests();
