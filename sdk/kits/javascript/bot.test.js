// SPDX-License-Identifier: MIT
// Plays the bundled turns without an arena: npm test
import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { decodeMulti } from "@msgpack/msgpack";

test("every bundled turn gets a legal answer", () => {
  const asked = readFileSync(new URL("turns.msgpack", import.meta.url));
  const turns = [...decodeMulti(asked)].filter((message) => message.type === "turn");
  const main = fileURLToPath(new URL("main.js", import.meta.url));
  const bot = spawnSync(process.execPath, [main], { input: asked });
  assert.equal(bot.status, 0, String(bot.stderr));
  const [ready, ...acts] = decodeMulti(bot.stdout);
  assert.equal(ready.type, "ready");
  assert.deepEqual(
    acts.map((act) => act.turn),
    turns.map((turn) => turn.turn),
  );
  acts.forEach((act, i) => assert.ok(act.action >= 0 && act.action < turns[i].actions.length));
});
