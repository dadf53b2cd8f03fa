// Talks to the arena. Nothing here needs a change: bot.js decides.
import { writeSync } from "node:fs";
import { decodeMultiStream, encode } from "@msgpack/msgpack";
import { choose } from "./bot.js";
import { Turn } from "./pavilion.js";

function send(message) {
  let bytes = encode(message);
  while (bytes.length > 0) bytes = bytes.subarray(writeSync(1, bytes));
}

let hello;
for await (const message of decodeMultiStream(process.stdin)) {
  if (message.type === "hello") {
    hello = message;
    send({ type: "ready", name: "@NAME@" });
  } else if (message.type === "turn") {
    const turn = new Turn(hello, message);
    const act = { type: "act", turn: turn.number, action: turn.actions.indexOf(choose(turn)) };
    send(turn.note ? { ...act, note: turn.note } : act);
  } // else: the end of the match, or something that a later arena says
}
