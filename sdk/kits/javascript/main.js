// SPDX-License-Identifier: MIT
// Talks to the arena. Nothing here needs a change: bot.js decides.
import { createReadStream, writeSync } from "node:fs";
import { choose } from "./bot.js";
import { Turn } from "./pavilion.js";

const { decodeMultiStream, encode } = await import("@msgpack/msgpack").catch(() => {
  throw new Error("@msgpack/msgpack is missing: run `npm install` in the bot's folder before you check or submit it");
});

function send(message) {
  let bytes = encode(message);
  while (bytes.length > 0) bytes = bytes.subarray(writeSync(1, bytes));
}

const asked = process.argv[2] ? createReadStream(process.argv[2]) : process.stdin;
let hello;
for await (const message of decodeMultiStream(asked)) {
  if (message.type === "hello") {
    hello = message;
    send({ type: "ready", name: "@NAME@" });
  } else if (message.type === "turn") {
    const turn = new Turn(hello, message);
    debugger; // stops here in `npm run debug` only
    const action = turn.actions.indexOf(choose(turn));
    if (action < 0) throw new Error("choose() must return one of turn.actions itself, at once");
    const act = { type: "act", turn: turn.number, action };
    send(turn.note ? { ...act, note: turn.note } : act);
  } // else: the end of the match, or something that a later arena says
}
