-- SPDX-License-Identifier: MIT
-- Plays the bundled turns without an arena: lua5.4 test_bot.lua
package.path = package.path .. ";/usr/share/lua/5.3/?.lua"
local MessagePack = require "MessagePack"

local function read_all(path)
    local file = assert(io.open(path, "rb"))
    local text = file:read("a")
    file:close()
    return text
end

local answers = os.tmpname()
assert(os.execute(arg[-1] .. " main.lua <turns.msgpack >" .. answers))

local turns, acts = {}, {}
for _, message in MessagePack.unpacker(read_all("turns.msgpack")) do
    if message.type == "turn" then turns[#turns + 1] = message end
end
for _, message in MessagePack.unpacker(read_all(answers)) do
    if message.type == "act" then acts[#acts + 1] = message end
end
os.remove(answers)

assert(#turns > 0 and #acts == #turns, #acts .. " answers to " .. #turns .. " turns")
for i, turn in ipairs(turns) do
    assert(acts[i].turn == turn.turn)
    assert(acts[i].action >= 0 and acts[i].action < #turn.actions)
end
print(#turns .. " turns answered")
