-- SPDX-License-Identifier: MIT
-- Talks to the arena. Nothing here needs a change: bot.lua decides.
-- Debian installs lua-messagepack for other versions of Lua as well.
package.path = package.path .. ";/usr/share/lua/5.3/?.lua"
local MessagePack = require "MessagePack"
local bot = require "bot"
local pavilion = require "pavilion"

local function send(message)
    io.stdout:write(MessagePack.pack(message))
    io.stdout:flush()
end

-- The unpacker asks for one byte at a time, so that it never waits for more than a message; the
-- file's buffer makes that cheap.
local asked = arg[1] and assert(io.open(arg[1], "rb")) or io.stdin
local function read_byte()
    return asked:read(1)
end

local hello
for _, message in MessagePack.unpacker(read_byte) do
    if message.type == "hello" then
        hello = message
        send {type = "ready", name = "@NAME@"}
    elseif message.type == "turn" then
        local turn = pavilion.turn(hello, message)
        if arg[1] then -- a recorded request: the prompt of debug.debug() knows global names only
            _G.turn, _G.bot = turn, bot
            debug.debug()
        end
        local index = bot.choose(turn)
        -- The wire counts from 0.
        send {type = "act", turn = message.turn, action = index - 1, note = turn.note}
    end -- else: the end of the match, or something that a later arena says
end
