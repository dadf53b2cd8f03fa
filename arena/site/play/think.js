// SPDX-License-Identifier: MIT
"use strict";
// The worker in which bots think, so that the page never stands still: a second module, which plays the
// decisions so far and then chooses, or judges a decision as maestro judges those of finished matches.
const LOOKS = 4000; // of maestro, see bots/browser/browser.h; a fifth of a second on a laptop

function think() {
  let table, ready;
  const at = (from, size) => new Uint8Array(table.memory.buffer, from, size);
  async function load(code) {
    table = (await WebAssembly.instantiate(code)).instance.exports;
    table._initialize();
  }
  // As bots/random: any placement if there is one, else any action; the same whenever the game is played again.
  function chooseAny(count, number) {
    const kinds = at(table.table_actions(), 8 * count).filter((_, byte) => byte % 8 === 0);
    const places = [...kinds.keys()].filter((index) => kinds[index] === 1);
    const from = places.length ? places : [...kinds.keys()];
    return from[(Math.imul(number, 0x9e3779b1) >>> 8) % from.length];
  }
  function answer({ id, players, board, seed, moves, looks, bot, judge }) {
    at(table.table_seed(), 16).set(seed);
    let count = table.table_deal(players, board);
    for (const index of moves) count = table.table_play(index);
    if (bot === 3) return { id, index: chooseAny(count, 256 * moves.length + seed[moves.length % 16]) };
    table.table_think(looks);
    if (judge === undefined) return { id, index: table.table_choose(bot) };
    const best = table.table_judge(bot, judge);
    return { id, best, leads: [...new Int32Array(table.memory.buffer, table.table_leads(), 2)] };
  }
  onmessage = async ({ data }) => {
    if (data.code) ready = load(data.code);
    await ready;
    if (!data.code) postMessage(answer(data));
  };
}

const worker = new Worker(URL.createObjectURL(new Blob([`(${think})()`], { type: "text/javascript" })));
const askWorker = (words) => worker.postMessage(words);
const asked = new Map(); // by number of the question: who waits for the answer
let questions = 0;
worker.onmessage = ({ data }) => {
  asked.get(data.id)?.(data);
  asked.delete(data.id);
};

// Asks a bot about the game after some moves: it chooses, or judges the action at an index, {judge}.
const ask = (moves, what) => new Promise((resolve) => {
  asked.set(++questions, resolve);
  askWorker({ id: questions, players: P, board: side === "gray" ? 1 : 0, moves, looks: LOOKS,
    seed: seed.match(/../g).map((two) => parseInt(two, 16)), ...what });
});
