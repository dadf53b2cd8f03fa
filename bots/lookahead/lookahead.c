/* SPDX-License-Identifier: MIT */
/*
 * A bot that looks ahead with copies of the game. It plans its next placements as if the other
 * seats passed, because no seat can take another seat's spaces. It judges drafts, bonus tiles and
 * passes by the position that follows. It searches a fixed number of positions, so that a repeated
 * match has the same moves.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sdk/steady/value.h"
#include "engine/board.h"
#include "engine/tiles.h"
#include "sdk/sdk.h"

/* ---- the worth of a position ---- */

enum {
    WORTH_POINT = 1000,      /* units of worth per point */
    BONUS_TILE_WORTH = 2400, /* worth of a bonus tile that the seat will probably get */
    HAND_TILE_WORTH = 1000,  /* worth of any tile in the hand */
    WILD_TILE_WORTH = 500,   /* extra worth of a tile that is wild in this round or the next */
    /* Worth of a star of six colors: its 12 points, doubled because it is easier to fill. */
    MIXED_POINTS = 24,
};

/* Points for a finished star of one color, by color. */
static const int color_points[GAME_COLORS] = {20, 18, 17, 16, 15, 14};

/*
 * Returns the worth of a prize that a seat has earned in part: the prize times (done / whole)
 * squared and, unless done equals whole, times `hope` percent.
 */
static int share(int prize, int done, int whole, int hope)
{
    int points = WORTH_POINT * prize * done * done / (whole * whole);

    return done == whole ? points : points * hope / 100;
}

/* A star of a seat. */
struct star {
    const uint8_t *costs; /* by position */
    unsigned filled;      /* filled positions, a bit each */
    int fill;             /* number of filled positions */
};

static bool can_fill(const struct star *star, int position, int cost)
{
    return !(star->filled >> position & 1) && star->costs[position] == cost;
}

/* Returns the worth of filling `more` further spaces of a star, for which a tile is in the hand. */
static int worth_of_more(const struct star *star, int points, int more, int hope)
{
    int gain = share(points, star->fill + more, GAME_SPACES, hope) -
               share(points, star->fill, GAME_SPACES, hope);

    return gain * 2 / 3 + WORTH_POINT * more * (star->fill + 1) / 3;
}

/* Returns how many spaces of a star, the cheapest first, `tiles` tiles of one color can pay for. */
static int count_payable(const struct star *star, int tiles)
{
    int count = 0;

    for (int cost = 1; cost <= GAME_SPACES; cost++)
        for (int position = 0; position < GAME_SPACES; position++)
            if (can_fill(star, position, cost) && tiles >= cost) {
                tiles -= cost;
                count++;
            }
    return count;
}

/*
 * Returns the number of spaces of a star that accepts each color once that the hand can fill: for
 * each color that the star lacks, the most expensive space that the color's tiles can pay for.
 */
static int count_mixed(struct star star, const struct game_seat *seat, uint32_t colors)
{
    unsigned held = 0;
    int count = 0;

    for (unsigned left = star.filled; left; left &= left - 1)
        held |= 1u << (colors >> (4 * __builtin_ctz(left)) & 0xf);
    for (int color = 0; color < GAME_COLORS; color++) {
        int best = -1;

        for (int cost = 1; cost <= tiles_of(seat->tiles, color); cost++)
            for (int position = GAME_SPACES - 1; position >= 0; position--)
                if (can_fill(&star, position, cost))
                    best = position;
        if (best == -1 || held >> color & 1)
            continue;
        star.filled |= 1u << best;
        count++;
    }
    return count;
}

static int worth_of_stars(const struct game *game, const struct game_seat *seat, int hope)
{
    const enum board_side side = (enum board_side)game->board;
    int bound_worths[GAME_COLORS] = {
        0}; /* best worth of each color's tiles for any star: a tile pays for only one star */
    int mixed_worth = 0, worth = 0;

    for (int number = 0; number < GAME_STARS; number++) {
        const unsigned filled = board_star(seat->filled, number);
        const struct star star = {board_costs[side][number], filled, __builtin_popcount(filled)};
        const bool is_bound = star_sort_of(seat, side, number) == STAR_BOUND;
        const int color = is_bound ? star_color_of(seat, side, number) : 0;
        const int points = is_bound ? color_points[color] : MIXED_POINTS;
        int *best = is_bound ? &bound_worths[color] : &mixed_worth;
        int more = is_bound ? count_payable(&star, tiles_of(seat->tiles, color))
                            : count_mixed(star, seat, seat->colors[number]);

        worth += share(points, star.fill, GAME_SPACES, hope);
        more = worth_of_more(&star, points, more, hope);
        if (more > *best)
            *best = more;
    }
    for (int color = 0; color < GAME_COLORS; color++)
        worth += bound_worths[color];
    return worth + mixed_worth;
}

static int worth_of_costs(const struct game *game, const struct game_seat *seat, int hope)
{
    int worth = 0;

    for (int cost = 1; cost <= BOARD_REWARDED_COSTS; cost++) {
        uint64_t spaces = board_cost_spaces[game->board][cost - 1];

        worth += share(4 * cost, __builtin_popcountll(spaces & seat->filled),
                       __builtin_popcountll(spaces), hope);
    }
    return worth;
}

/* Returns the worth of unfinished features. Finished features have already given bonus tiles. */
static int worth_of_features(const struct game_seat *seat, int hope)
{
    int worth = 0;

    for (int i = 0; i < BOARD_FEATURES; i++) {
        const struct board_feature *feature = &board_features[i];
        int whole = __builtin_popcountll(feature->spaces);
        int done = __builtin_popcountll(feature->spaces & seat->filled);

        if (done < whole)
            worth += BONUS_TILE_WORTH * feature->tiles * done * done / (whole * whole);
    }
    return worth * hope / 100;
}

static int worth_of_hand(const struct game *game, const struct game_seat *seat, int hope)
{
    const int tiles = tiles_total(seat->tiles), next_wild = game->round % GAME_COLORS;
    int worth = tiles * HAND_TILE_WORTH;

    worth += WILD_TILE_WORTH *
             (tiles_of(seat->tiles, game->round - 1) + tiles_of(seat->tiles, next_wild));
    if (game->phase == PHASE_PLACE &&
        tiles > GAME_CORNERS) /* a pass discards all tiles but GAME_CORNERS */
        worth -= (tiles - GAME_CORNERS) * (HAND_TILE_WORTH + WORTH_POINT);
    return worth * hope / 100;
}

/*
 * Returns the worth of one seat's position: the points so far plus an estimate of future points.
 * Ignores all other seats.
 */
static int weigh(const struct game *game, int number)
{
    /*
     * Estimated chance, in percent by round, that the seat finishes a star or feature that it has
     * begun.
     */
    static const int hopes[GAME_ROUNDS + 1] = {0, 100, 95, 85, 70, 45, 15};
    const struct game_seat *seat = &game->seats[number];
    int hope = hopes[game->round];
    int worth = WORTH_POINT * seat->score;

    if (game->phase == PHASE_OVER)
        return worth; /* the final score includes all points */
    worth += worth_of_stars(game, seat, hope) + worth_of_costs(game, seat, hope);
    worth += worth_of_features(seat, hope);
    /* During the draft phase the seat can still use its tiles, even in the last round. */
    worth += worth_of_hand(game, seat, game->phase == PHASE_DRAFT ? 100 : hope);
    if (game->player == number)
        worth += BONUS_TILE_WORTH * game->bonus;
    return worth;
}

/* ---- the choice ---- */

enum {
    DEPTH = 3, /* number of the seat's own placements to plan ahead */
    WIDTH = 4, /* number of best-looking placements to try at each step */
};

/* An action with the worth of the position after it. */
struct choice {
    int worth;
    struct action action;
};

/* Plays passes for the other seats until `seat` may place again or the round ends. */
static void skip_others(struct game *game, int seat)
{
    struct action actions[GAME_ACTIONS_MAX];

    while (game_phase(game) == PHASE_PLACE && game_turn(game) != seat) {
        size_t count = game_legal_actions(game, actions);

        /* Plays a pass: passes are last in the list of legal actions. */
        game_apply(game, actions[count - 1]);
    }
}

static int by_worth_descending(const void *a, const void *b)
{
    const struct choice *left = a, *right = b;

    return (left->worth < right->worth) - (left->worth > right->worth);
}

/*
 * Lists the legal placements or bonus choices, but no passes; those with the highest worth first.
 */
static size_t list_choices(const struct game *game, int seat,
                           struct choice choices[static GAME_ACTIONS_MAX])
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t action_count = game_legal_actions(game, actions);
    size_t count = 0;

    for (size_t i = 0; i < action_count && actions[i].kind != ACTION_PASS; i++) {
        struct game after = *game;

        game_apply(&after, actions[i]);
        choices[count++] = (struct choice){weigh(&after, seat), actions[i]};
    }
    qsort(choices, count, sizeof *choices, by_worth_descending);
    return count;
}

/* Returns the best worth that the seat's next placements can reach. */
static int plan(const struct game *game, int seat, int depth)
{
    struct choice choices[GAME_ACTIONS_MAX];
    struct game mine = *game;
    int best;
    size_t count;

    skip_others(&mine, seat);
    best = weigh(&mine, seat);
    if (depth == 0 || game_phase(&mine) == PHASE_DRAFT || game_phase(&mine) == PHASE_OVER)
        return best;
    count = list_choices(&mine, seat, choices);
    for (size_t i = 0; i < count && i < WIDTH; i++) {
        struct game after = mine;
        int worth;

        game_apply(&after, choices[i].action);
        worth = plan(&after, seat, depth - 1);
        if (worth > best)
            best = worth;
    }
    return best;
}

static struct action play(void *self, const struct sdk_turn *turn)
{
    int seat = turn->hello->seat;
    size_t best = 0;
    int best_worth = INT32_MIN;

    (void)self;
    for (size_t i = 0; i < turn->action_count; i++) {
        struct game after = *turn->game;
        int worth;

        game_apply(&after, turn->actions[i]);
        worth = turn->actions[i].kind == ACTION_PLACE ? plan(&after, seat, DEPTH - 1)
                                                      : weigh(&after, seat);
        if (worth > best_worth) {
            best = i;
            best_worth = worth;
        }
    }
    snprintf(turn->note, WIRE_NOTE_BYTES_MAX + 1, "the best of %zu actions: worth %d points",
             turn->action_count, best_worth / WORTH_POINT);
    return turn->actions[best];
}

int main(void)
{
    return sdk_run(&(struct sdk_bot){.name = "lookahead", .version = "1", .play_fn = play}, NULL);
}
