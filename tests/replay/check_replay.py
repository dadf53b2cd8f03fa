"""Checks replays as JSON Lines (arena replay FILE --json [--legal]) against docs/rules.md.

Read straight from the rules, slowly, with nothing of the project's own code: its own SipHash,
its own draws, its own board. The state before every decision must be exact, the legal actions
too if they are told, every stand-in, the final scores and the ranks. For tests that play matches.
"""
import itertools
import re

COLORS = range(6)
PURPLE, GREEN, ORANGE, YELLOW, BLUE, RED = COLORS
STAR_COLORS = [ORANGE, RED, BLUE, YELLOW, GREEN, PURPLE]  # of the colored side's outer stars
CENTER = 6
STAR_POINTS = {PURPLE: 20, GREEN: 18, ORANGE: 17, YELLOW: 16, BLUE: 15, RED: 14}
COST_POINTS = {1: 4, 2: 8, 3: 12, 4: 16}


class Wrong(Exception):
    """What is wrong with a replay."""


# ---- section 8: randomness ----


def siphash(key, message):
    """SipHash-2-4, from its paper."""
    mask = (1 << 64) - 1

    def rotate(x, bits):
        return (x << bits | x >> (64 - bits)) & mask

    def round_of(v):
        v[0] = (v[0] + v[1]) & mask
        v[1] = rotate(v[1], 13) ^ v[0]
        v[0] = rotate(v[0], 32)
        v[2] = (v[2] + v[3]) & mask
        v[3] = rotate(v[3], 16) ^ v[2]
        v[0] = (v[0] + v[3]) & mask
        v[3] = rotate(v[3], 21) ^ v[0]
        v[2] = (v[2] + v[1]) & mask
        v[1] = rotate(v[1], 17) ^ v[2]
        v[2] = rotate(v[2], 32)

    k0 = int.from_bytes(key[:8], "little")
    k1 = int.from_bytes(key[8:], "little")
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D,
         k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]
    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) & 255])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at : at + 8], "little")
        v[3] ^= word
        round_of(v)
        round_of(v)
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(4):
        round_of(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def number(seed, stream, index):
    return siphash(seed, (stream << 32 | index).to_bytes(8, "little"))


# ---- section 2: the board ----


def cost(board, star, position):
    if board == "colored":
        return position + 1
    return 3 if star == CENTER else [3, 2, 1, 4, 5, 6][position]


def features():
    """Each as the spaces that it touches and the bonus tiles that it is worth."""
    for i in range(6):
        j = (i + 1) % 6
        yield {(i, 1), (i, 2), (CENTER, (i + 5) % 6), (CENTER, i)}, 1
        yield {(i, 0), (i, 1), (j, 2), (j, 3)}, 2
        yield {(i, 4), (i, 5)}, 3


FEATURES = list(features())


class Game:
    """A match: `state` is what the protocol shows, the rest is what nobody sees."""

    def __init__(self, players, board, seed):
        self.seed = seed
        self.supply_index = 0
        self.state = {
            "board": board, "round": 1, "phase": "draft", "player": 0, "wild": 0, "start": 0,
            "token": -1, "bonus": 0, "displays": [[0] * 6 for _ in range(2 * players + 1)],
            "center": [0] * 6, "supply": [0] * 6, "bag": [22] * 6, "tower": [0] * 6,
            "players": [
                {"score": 5, "hand": [0] * 6, "corners": [0] * 6, "passed": False,
                 "stars": [[-1] * 6 for _ in range(7)]}
                for _ in range(players)
            ],
        }
        self.fill_supply()
        self.fill_displays()

    # ---- drawing ----

    def draw(self, stream, index):
        """A color, or None when bag and tower are empty."""
        state = self.state
        if sum(state["bag"]) == 0:
            state["bag"], state["tower"] = state["tower"], [0] * 6
        count = sum(state["bag"])
        if count == 0:
            return None
        which = ((number(self.seed, stream, index) >> 32) * count) >> 32
        for color in COLORS:
            if which < state["bag"][color]:
                state["bag"][color] -= 1
                return color
            which -= state["bag"][color]
        raise AssertionError

    def fill_supply(self):
        while sum(self.state["supply"]) < 10:
            color = self.draw(0, self.supply_index)
            if color is None:
                return
            self.supply_index += 1
            self.state["supply"][color] += 1

    def fill_displays(self):
        for at, display in enumerate(self.state["displays"]):
            for place in range(4):
                color = self.draw(self.state["round"], 4 * at + place)
                if color is not None:
                    display[color] += 1
        self.check_draft_over()

    # ---- legal actions, in the promised order ----

    def legal(self):
        state = self.state
        return {"draft": self.legal_drafts, "place": self.legal_placements,
                "bonus": self.legal_bonuses, "over": list}[state["phase"]]()

    def legal_drafts(self):
        state = self.state
        actions = []
        for source, tiles in enumerate([state["center"]] + state["displays"], start=-1):
            others = [c for c in COLORS if tiles[c] and c != state["wild"]]
            if others:
                actions += [["draft", source, color] for color in others]
            elif tiles[state["wild"]]:
                actions.append(["draft", source, state["wild"]])
        return actions

    def takes(self, player, star, color):
        """Whether a star takes a tile of that color next (section 5)."""
        tiles = [c for c in player["stars"][star] if c >= 0]
        if self.state["board"] == "colored":
            return color not in tiles if star == CENTER else color == STAR_COLORS[star]
        if len(tiles) < 2:
            return True
        # All equal or all different so far: the first two decided which.
        return color == tiles[0] if len(set(tiles)) == 1 else color not in tiles

    def legal_placements(self):
        state = self.state
        player = state["players"][state["player"]]
        hand, wild = player["hand"], state["wild"]
        actions = []
        for star, position, color in itertools.product(range(7), range(6), COLORS):
            if player["stars"][star][position] >= 0 or not self.takes(player, star, color):
                continue
            price = cost(state["board"], star, position)
            for wilds in range(price):
                if wilds and color == wild:
                    break
                if hand[color] >= price - wilds and hand[wild] >= wilds:
                    actions.append(["place", star, position, color, wilds])
        for kept in itertools.product(*(range(min(4, count) + 1) for count in hand)):
            if sum(kept) <= 4:
                actions.append(["pass", list(kept)])
        return actions

    def legal_bonuses(self):
        state = self.state
        return [["bonus", list(taken)]
                for taken in itertools.product(*(range(count + 1) for count in state["supply"]))
                if sum(taken) == state["bonus"]]

    # ---- playing ----

    def lose(self, player, points):
        player["score"] = max(1, player["score"] - points)

    def play(self, action):
        getattr(self, "play_" + action[0])(*action[1:])

    def play_draft(self, source, color):
        state = self.state
        seat = state["player"]
        tiles = state["center"] if source == -1 else state["displays"][source]
        taken = [0] * 6
        if color == state["wild"]:
            taken[color] = 1
        else:
            taken[color] = tiles[color]
            taken[state["wild"]] = min(1, tiles[state["wild"]])
        for c in COLORS:
            tiles[c] -= taken[c]
            state["players"][seat]["hand"][c] += taken[c]
        if source == -1:
            if state["token"] == -1:
                state["token"] = seat
                self.lose(state["players"][seat], sum(taken))
        else:
            for c in COLORS:
                state["center"][c] += tiles[c]
                tiles[c] = 0
        state["player"] = (seat + 1) % len(state["players"])
        self.check_draft_over()

    def check_draft_over(self):
        state = self.state
        if any(map(sum, [state["center"]] + state["displays"])):
            return
        if state["token"] != -1:
            state["start"] = state["token"]
        state["phase"] = "place"
        state["player"] = state["start"]

    def play_place(self, star, position, color, wilds):
        state = self.state
        player = state["players"][state["player"]]
        price = cost(state["board"], star, position)
        player["hand"][color] -= price - wilds
        player["hand"][state["wild"]] -= wilds
        state["tower"][color] += price - wilds - 1
        state["tower"][state["wild"]] += wilds
        spaces = player["stars"][star]
        spaces[position] = color
        run = {position}
        for step in (1, -1):
            at = (position + step) % 6
            while spaces[at] >= 0 and at not in run:
                run.add(at)
                at = (at + step) % 6
        player["score"] += len(run)
        bonus = sum(
            tiles for touched, tiles in FEATURES
            if (star, position) in touched and all(player["stars"][s][p] >= 0 for s, p in touched)
        )
        state["bonus"] = min(bonus, sum(state["supply"]))
        if state["bonus"]:
            state["phase"] = "bonus"
        else:
            self.end_turn()

    def play_bonus(self, taken):
        state = self.state
        for color in COLORS:
            state["supply"][color] -= taken[color]
            state["players"][state["player"]]["hand"][color] += taken[color]
        state["bonus"] = 0
        state["phase"] = "place"
        self.end_turn()

    def play_pass(self, kept):
        state = self.state
        player = state["players"][state["player"]]
        lost = 0
        for color in COLORS:
            state["tower"][color] += player["hand"][color] - kept[color]
            lost += player["hand"][color] - kept[color]
        player["hand"] = [0] * 6
        player["corners"] = list(kept)
        player["passed"] = True
        self.lose(player, lost)
        self.end_turn()

    def end_turn(self):
        state = self.state
        players = state["players"]
        self.fill_supply()
        if all(player["passed"] for player in players):
            self.end_round()
            return
        state["player"] = (state["player"] + 1) % len(players)
        while players[state["player"]]["passed"]:
            state["player"] = (state["player"] + 1) % len(players)

    def end_round(self):
        state = self.state
        if state["round"] == 6:
            self.end_game()
            return
        state["round"] += 1
        state["wild"] = state["round"] - 1
        state["token"] = -1
        state["phase"] = "draft"
        state["player"] = state["start"]
        for player in state["players"]:
            for color in COLORS:
                player["hand"][color] += player["corners"][color]
            player["corners"] = [0] * 6
            player["passed"] = False
        self.fill_displays()

    def end_game(self):
        state = self.state
        state["phase"] = "over"
        state["player"] = -1
        for player in state["players"]:
            for star in player["stars"]:
                if -1 in star:
                    continue
                if len(set(star)) == 1:
                    player["score"] += STAR_POINTS[star[0]]
                elif len(set(star)) == 6:
                    player["score"] += 12
            for price, points in COST_POINTS.items():
                if all(player["stars"][s][p] >= 0
                       for s in range(7) for p in range(6) if cost(state["board"], s, p) == price):
                    player["score"] += points
            self.lose(player, sum(player["corners"]))
            for color in COLORS:
                state["tower"][color] += player["corners"][color]
            player["corners"] = [0] * 6


# ---- the replay around it ----


def require(holds, *what):
    if not holds:
        raise Wrong(" ".join(map(str, what)))


def check_same(found, right, what):
    if found == right:
        return
    for key in right:
        if not isinstance(right, dict) or found.get(key) != right[key]:
            require(False, what, key, "is", found.get(key), "not", right[key])
    require(False, what, "has more keys than it should:", sorted(found))


def check_header(line):
    require(re.fullmatch(r"([a-z0-9_-]+-)?\d{6}-\d", line["match"]), "match", line["match"])
    require(re.fullmatch(r"[0-9a-f]{32}", line["seed"]), "seed", line["seed"])
    require(line["board"] in ("colored", "gray"), "board", line["board"])
    require(line["players"] in (2, 3, 4), "players", line["players"])
    require(len(line["bots"]) == line["players"], "bots", len(line["bots"]))
    for bot in line["bots"]:
        require(isinstance(bot["name"], str) and isinstance(bot["version"], str), "bot", bot)
        require(re.fullmatch(r"[0-9a-f]{64}", bot["sha256"]), "sha256", bot["sha256"])
    require({"turn_ms", "bank_ms", "gain_ms", "start_ms"} == set(line["clock"]), "clock")
    require(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", line["started"]), "started")


def stand_in(game, turn):
    if game.state["phase"] == "place":
        return ["pass", [0] * 6]
    legal = game.legal()
    return legal[((number(game.seed, 7, turn) >> 32) * len(legal)) >> 32]


def check_decision(game, line, turn, out_turns):
    where = f"decision {turn}:"
    seat = game.state["player"]
    require(line["turn"] == turn, where, "is told as", line["turn"])
    require(line["seat"] == seat, where, "seat", line["seat"], "not", seat)
    check_same(line["state"], game.state, where + " state:")
    legal = game.legal()
    if "legal" in line:
        require(line["legal"] == legal, where, "legal actions differ")
    require(line["action"] in legal, where, "illegal:", line["action"])
    out = out_turns[seat] is not None and turn >= out_turns[seat]
    require(line["by"] == ("arena" if out else "bot"), where, "by", line["by"])
    if out:
        right = stand_in(game, turn)
        require(line["action"] == right, where, "stand-in", line["action"], "not", right)
    require(isinstance(line["us"], int) and line["us"] >= 0, where, "us", line["us"])
    require(isinstance(line.get("note", ""), str), where, "note")
    game.play(line["action"])


def right_ranks(scores, out_turns):
    """Those who stayed by score, then those who are out, the later the better."""
    standings = [(1, score) if out is None else (0, out) for score, out in zip(scores, out_turns)]
    return [1 + sum(other > mine for other in standings) for mine in standings]


def check_end(game, line, out_turns):
    scores = [player["score"] for player in game.state["players"]]
    check_same(line["state"], game.state, "end: state:")
    require(line["scores"] == scores, "end: scores", line["scores"], "not", scores)
    ranks = right_ranks(scores, out_turns)
    require(line["ranks"] == ranks, "end: ranks", line["ranks"], "not", ranks)
    if game.state["phase"] != "over":
        in_count = sum(out is None for out in out_turns)
        require(in_count <= 1, "end: ended early with", in_count, "bots in")


def read_out_turns(end):
    """The decision from which on each seat was out: None for who played, -1 for the hello."""
    forfeits = end.get("forfeits", [None] * len(end["reason"]))
    for reason, forfeit in zip(end["reason"], forfeits):
        require((reason == "played") == (forfeit is None), "end: forfeit of", reason)
        require(not forfeit or forfeit["reason"] == reason, "end: two reasons for one forfeit")
    return [forfeit and (-1 if forfeit["turn"] is None else forfeit["turn"])
            for forfeit in forfeits]


def check_replay(lines):
    """Takes the lines' objects. Returns the number of decisions; raises Wrong."""
    require(len(lines) >= 2 and lines[-1].get("end") is True, "the last line is no end")
    header, decisions, end = lines[0], lines[1:-1], lines[-1]
    check_header(header)
    out_turns = read_out_turns(end)
    game = Game(header["players"], header["board"], bytes.fromhex(header["seed"]))
    for turn, line in enumerate(decisions):
        require(sum(out is None or out > turn for out in out_turns) >= 2,
                "decision", turn, "is played although one bot is left")
        check_decision(game, line, turn, out_turns)
    check_end(game, end, out_turns)
    return len(decisions)
