// SPDX-License-Identifier: MIT
// The table that the address asks for, and the game as the module (bots/browser) holds it. The address
// has the whole game: the terms, the seed and the decisions, so it can be kept, sent, and played on.
const $ = (id) => document.getElementById(id);
const page = JSON.parse($("page").textContent);
const wish = new URLSearchParams(location.hash.slice(1));

const P = Number(/^[234]$/.exec(wish.get("players"))?.[0] ?? 2);
const D = 2 * P + 1;
const side = wish.get("board") === "gray" ? "gray" : "colored";
const BOTS = { greedy: 0, steady: 1, maestro: 2, random: 3 };
const opponent = Object.hasOwn(BOTS, wish.get("bot")) ? wish.get("bot") : "steady";
const me = Math.min(P - 1, Number(/^[0-3]$/.exec(wish.get("seat"))?.[0] ?? 0));
const seed = /^[0-9a-f]{32}$/.test(wish.get("seed")) ? wish.get("seed")
  : [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

// The decisions so far, each the index of a legal action; in the address two digits of base 36 each.
const line = [];
const wished = (wish.get("moves")?.match(/[0-9a-z]{2}/g) ?? []).map((two) => parseInt(two, 36));
const addressOf = (moves) => `#players=${P}&board=${side}&bot=${opponent}&seat=${me}&seed=${seed}&moves=` +
  moves.map((index) => index.toString(36).padStart(2, "0")).join("");

// What <pavilion-board> needs to know of the table.
const match = { ...page[side], players: P, outs: [],
  names: Array.from({ length: P }, (_, seat) => seat === me ? "You"
    : P === 2 ? opponent : `${opponent} ${"ABCD"[seat]}`) };

document.body.className = "p" + P;

// Unpacks the module: base64 of a gzip file.
async function unpackModule() {
  const bytes = Uint8Array.from(atob($("module").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

let table = null; // the module's functions
const bytesAt = (at, size) => new Uint8Array(table.memory.buffer, at, size);

async function loadTable() {
  const code = await unpackModule();
  askWorker({ code });
  table = (await WebAssembly.instantiate(code)).instance.exports;
  table._initialize();
}

const deal = () => {
  bytesAt(table.table_seed(), 16).set(seed.match(/../g).map((two) => parseInt(two, 16)));
  return table.table_deal(P, side === "gray" ? 1 : 0);
};

// A copy of the game, and back to it. Returns the number of legal actions.
const copyGame = () => bytesAt(table.table_game(), table.table_game_bytes()).slice();
function restoreGame(copy) {
  bytesAt(table.table_game(), copy.length).set(copy);
  return table.table_view();
}

const signedByte = (byte) => (byte > 127 ? byte - 256 : byte);

// The position, as viewer/state.js gives it. Offsets: bots/browser/browser.c.
function readPosition(t) {
  const bytes = bytesAt(table.table_position(), 88 + 60 * P);
  const some = (offset, count) => [...bytes.subarray(offset, offset + count)];
  return {
    t, round: bytes[2], phase: bytes[3], player: signedByte(bytes[4]), wild: bytes[5],
    start: bytes[6], token: signedByte(bytes[7]), bonus: bytes[8],
    displays: Array.from({ length: D }, (_, d) => some(9 + 6 * d, 6)),
    center: some(63, 6), supply: some(69, 6), bag: some(75, 6), tower: some(81, 6),
    seats: Array.from({ length: P }, (_, seat) => {
      const at = 88 + 60 * seat;
      return {
        score: new DataView(table.memory.buffer).getInt32(table.table_position() + at, true),
        hand: some(at + 4, 6), corners: some(at + 10, 6), passed: bytes[at + 16] === 1,
        stars: Array.from({ length: 7 }, (_, star) => some(at + 17 + 6 * star, 6).map(signedByte)),
      };
    }),
  };
}

const DRAFT = 0, PLACE = 1, BONUS = 2, PASS = 3;

// The legal actions: {index, kind, number}, numbers as docs/protocol.md lists them.
function readActions(count) {
  const bytes = bytesAt(table.table_actions(), 8 * count);
  return Array.from({ length: count }, (_, index) => ({
    index, kind: bytes[8 * index],
    number: [...bytes.subarray(8 * index + 1, 8 * index + 8)].map(signedByte),
  }));
}
