-- SPDX-License-Identifier: MIT
-- Places by chance while it can place, else does anything by chance.
-- Needs lua-messagepack, which Debian installs for other versions of Lua as well.
package.path = package.path .. ";/usr/share/lua/5.3/?.lua"
local MessagePack = require "MessagePack"

-- splitmix64, seeded by the arena: the same choices in a re-run.
local random = {state = 0}

function random.below(count)
    random.state = random.state + 0x9e3779b97f4a7c15
    local bits = random.state
    bits = (bits ~ (bits >> 30)) * 0xbf58476d1ce4e5b9
    bits = (bits ~ (bits >> 27)) * 0x94d049bb133111eb
    bits = bits ~ (bits >> 31)
    return ((bits >> 32) * count) >> 32
end

-- An index into actions, counted from 0 as the wire wants it.
local function choose(actions)
    local first, count = 0, 0
    for i, action in ipairs(actions) do
        if action[1] == "place" then
            if count == 0 then first = i - 1 end
            count = count + 1
        end
    end
    if count == 0 then count = #actions end
    return first + random.below(count)
end

local function send(message)
    io.stdout:write(MessagePack.pack(message))
    io.stdout:flush()
end

-- The unpacker asks for one byte at a time, so that it never waits for more than a message;
-- the buffer of io.stdin makes that cheap.
local function read_byte()
    return io.stdin:read(1)
end

for _, message in MessagePack.unpacker(read_byte) do
    if message.type == "hello" then
        random.state = message.seed
        send {type = "ready", name = "random-lua", version = "1"}
    elseif message.type == "turn" then
        send {type = "act", turn = message.turn, action = choose(message.actions)}
    end
end
