-- SPDX-License-Identifier: MIT
-- The bot: choose() is all that the arena asks of it. Change it as you like.
local pavilion = require "pavilion"

local bot = {}

local function draft_worth(turn, action)
    local tiles = pavilion.tiles_at(turn, action.source)
    local worth = tiles[action.color]
    if action.color ~= turn.wild and tiles[turn.wild] > 0 then
        worth = worth + 2 -- a wild tile comes along
    end
    if action.source == pavilion.CENTER and turn.state.token == -1 then
        worth = worth - 2 -- the first to take from the center loses points
    end
    return worth
end

-- How good an action looks. What to try next: see the README.
local function worth(turn, action)
    if action.kind == "draft" then
        return draft_worth(turn, action)
    elseif action.kind == "place" then
        -- Points now. Wild tiles are worth keeping.
        return 100 + 10 * pavilion.run_length(turn, action.star, action.position) - action.wilds
    end
    local sum = 0
    local hand = pavilion.by_color(turn.me.hand)
    for color = 0, 5 do
        -- Bonus: what goes with the hand. Passing: a last resort, keeping what can be kept.
        sum = sum + action.tiles[color] * (action.kind == "bonus" and 1 + hand[color] or 1)
    end
    return sum
end

-- The number of one of turn.actions, counted from 1.
function bot.choose(turn)
    local best, best_worth
    for i, action in ipairs(turn.actions) do
        local action_worth = worth(turn, action)
        if not best or action_worth > best_worth then
            best, best_worth = i, action_worth
        end
    end
    return best
end

return bot
