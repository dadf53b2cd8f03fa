// SPDX-License-Identifier: MIT
// Talks to the arena. Nothing here needs a change: bot.ts decides.
import { createReadStream, writeSync } from "node:fs";
import { decodeMultiStream, encode } from "@msgpack/msgpack";
import { choose } from "./bot.js";
import { Hello, Turn, TurnMessage } from "./pavilion.js";

type Message = ({ type: "hello" } & Hello) | ({ type: "turn" } & TurnMessage) | { type: "other" };

function send(message: object): void {
  let bytes = encode(message);
  while (bytes.length > 0) bytes = bytes.subarray(writeSync(1, bytes));
}

const asked = process.argv[2] ? createReadStream(process.argv[2]) : process.stdin;
let hello: Hello | undefined;
for await (const received of decodeMultiStream(asked)) {
  const message = received as Message;
  if (message.type === "hello") {
    hello = message;
    send({ type: "ready", name: "@NAME@" });
  } else if (message.type === "turn" && hello) {
    const turn = new Turn(hello, message);
    debugger; // stops here in `npm run debug` only
    const action = turn.actions.indexOf(choose(turn));
    if (action < 0) throw new Error("choose() must return one of turn.actions itself, at once");
    const act = { type: "act", turn: turn.number, action };
    send(turn.note ? { ...act, note: turn.note } : act);
  } // else: the end of the match, or something that a later arena says
}
