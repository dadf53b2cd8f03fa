-- SPDX-License-Identifier: MIT
-- Names for what the arena tells. Rules and protocol: /docs/rules.html, /docs/protocol.html on its site.
local pavilion = {
    PURPLE = 0, GREEN = 1, ORANGE = 2, YELLOW = 3, BLUE = 4, RED = 5, -- colors count from 0
    COLOR_NAMES = {[0] = "purple", "green", "orange", "yellow", "blue", "red"},
    CENTER_STAR = 6, -- stars 0 to 5 lie around it, clockwise from the top left
    CENTER = -1,     -- a draft's source: the center of the table; displays are 0, 1, ...
    EMPTY = -1,      -- on a star: no tile
}

-- An action by name: kind, and what the kind has of source, color, star, position, wilds, tiles.
-- tiles are counts by color, taken from the supply (bonus) or kept for the next round (pass).
local function to_action(wire)
    if wire[1] == "draft" then
        return {kind = "draft", source = wire[2], color = wire[3]}
    elseif wire[1] == "place" then
        return {kind = "place", star = wire[2], position = wire[3], color = wire[4], wilds = wire[5]}
    end
    return {kind = wire[1], tiles = pavilion.by_color(wire[2])}
end

-- Lua's tables count from 1, colors from 0: counts by color, indexed by color.
function pavilion.by_color(counts)
    local indexed = {}
    for color = 0, 5 do
        indexed[color] = counts[color + 1]
    end
    return indexed
end

-- One decision that is due. state is as the protocol lists it; set note, and the replay shows it.
function pavilion.turn(hello, message)
    local turn = {
        number = message.turn,
        seat = hello.seat,
        board = hello.board, -- "colored" or "gray"
        clock = hello.clock, -- turn_ms and more
        bank_ms = message.bank_ms,
        state = message.state,
        wild = message.state.wild,
        me = message.state.players[hello.seat + 1], -- my score, hand, corners and stars
        actions = {},                               -- every legal one
    }
    for i, action in ipairs(message.actions) do
        turn.actions[i] = to_action(action)
    end
    return turn
end

-- The tiles of a display or of the center, counts by color.
function pavilion.tiles_at(turn, source)
    local state = turn.state
    return pavilion.by_color(source == pavilion.CENTER and state.center or state.displays[source + 1])
end

-- STAR_COLORS[star + 1]. Colors of the outer stars on the colored side: orange, red, blue, yellow, green, purple.
pavilion.STAR_COLORS = {2, 5, 4, 3, 1, 0}

-- Bonus features: the tiles that each gives once its spaces (star, position) are filled.
pavilion.FEATURES = {
    -- pillars
    {tiles = 1, spaces = {{0, 1}, {0, 2}, {6, 5}, {6, 0}}},
    {tiles = 1, spaces = {{1, 1}, {1, 2}, {6, 0}, {6, 1}}},
    {tiles = 1, spaces = {{2, 1}, {2, 2}, {6, 1}, {6, 2}}},
    {tiles = 1, spaces = {{3, 1}, {3, 2}, {6, 2}, {6, 3}}},
    {tiles = 1, spaces = {{4, 1}, {4, 2}, {6, 3}, {6, 4}}},
    {tiles = 1, spaces = {{5, 1}, {5, 2}, {6, 4}, {6, 5}}},
    -- statues
    {tiles = 2, spaces = {{0, 0}, {0, 1}, {1, 2}, {1, 3}}},
    {tiles = 2, spaces = {{1, 0}, {1, 1}, {2, 2}, {2, 3}}},
    {tiles = 2, spaces = {{2, 0}, {2, 1}, {3, 2}, {3, 3}}},
    {tiles = 2, spaces = {{3, 0}, {3, 1}, {4, 2}, {4, 3}}},
    {tiles = 2, spaces = {{4, 0}, {4, 1}, {5, 2}, {5, 3}}},
    {tiles = 2, spaces = {{5, 0}, {5, 1}, {0, 2}, {0, 3}}},
    -- windows
    {tiles = 3, spaces = {{0, 4}, {0, 5}}},
    {tiles = 3, spaces = {{1, 4}, {1, 5}}},
    {tiles = 3, spaces = {{2, 4}, {2, 5}}},
    {tiles = 3, spaces = {{3, 4}, {3, 5}}},
    {tiles = 3, spaces = {{4, 4}, {4, 5}}},
    {tiles = 3, spaces = {{5, 4}, {5, 5}}},
}

-- How many tiles a space takes.
function pavilion.cost(board, star, position)
    if board == "colored" then
        return position + 1
    end
    return star == pavilion.CENTER_STAR and 3 or ({3, 2, 1, 4, 5, 6})[position + 1]
end

-- The points for a tile on that position of one of my stars: the run of filled spaces it joins.
function pavilion.run_length(turn, star, position)
    local spaces = turn.me.stars[star + 1]
    local length = 1
    for _, step in ipairs {1, -1} do
        local at = (position + step) % 6
        while spaces[at + 1] ~= pavilion.EMPTY and length < 6 do
            length = length + 1
            at = (at + step) % 6
        end
    end
    return length
end

return pavilion
