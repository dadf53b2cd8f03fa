/*
 * A bot that looks ahead with copies of the game. It plans its next placements as if the other
 * seats passed, because no seat can take another seat's spaces. It judges drafts, bonus tiles and
 * passes by the position that follows. It searches a fixed number of positions, so that a repeated
 * match has the same moves.
 */
#include <stdio.h>
#include <stdlib.h>

#include "engine/board.h"
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

static int cost_of(const struct position *position, int star, int space)
{
    return board_costs[position->board][star][space];
}

/*
 * Returns the worth of a prize that a seat has earned in part: the prize times (done / whole)
 * squared and, unless done equals whole, times `hope` percent.
 */
static int share(int prize, int done, int whole, int hope)
{
    int points = WORTH_POINT * prize * done * done / (whole * whole);

    return done == whole ? points : points * hope / 100;
}

/* Returns the only color that a star accepts, or -1 if the star may have several colors. */
static int bound_color(const struct position *position, const int8_t *spaces, int star)
{
    int first = -1;

    if (position->board == BOARD_COLORED)
        return star < GAME_STAR_CENTER ? board_star_colors[star] : -1;
    for (int space = 0; space < GAME_SPACES; space++) {
        if (spaces[space] == GAME_EMPTY)
            continue;
        if (first != -1)
            return spaces[space] == first ? first : -1;
        first = spaces[space];
    }
    return -1;
}

/* Returns how many spaces of a star, the cheapest first, `tiles` tiles of one color can pay for. */
static int payable(const struct position *position, const int8_t *spaces, int star, int tiles)
{
    int count = 0;

    for (int cost = 1; cost <= GAME_SPACES; cost++)
        for (int space = 0; space < GAME_SPACES; space++)
            if (spaces[space] == GAME_EMPTY && cost_of(position, star, space) == cost &&
                tiles >= cost) {
                tiles -= cost;
                count++;
            }
    return count;
}

/* Returns the worth of the spaces of a star that the hand's tiles of `color` can fill. */
static int worth_of_payable(const struct position *position, const struct position_seat *seat,
                            int star, int color, int filled, int hope)
{
    int tiles = seat->hand[color] + seat->corners[color];
    int more = payable(position, seat->stars[star], star, tiles);
    int gain = share(color_points[color], filled + more, GAME_SPACES, hope) -
               share(color_points[color], filled, GAME_SPACES, hope);

    return gain * 2 / 3 + WORTH_POINT * more * (filled + 1) / 3;
}

/* Returns the worth of the hand for a star that accepts each color once. */
static int worth_of_mixed(const struct position *position, const struct position_seat *seat,
                          int star, int filled, int hope)
{
    int8_t spaces[GAME_SPACES];
    unsigned held = 0;
    int more = 0;

    for (int space = 0; space < GAME_SPACES; space++) {
        spaces[space] = seat->stars[star][space];
        if (spaces[space] != GAME_EMPTY)
            held |= 1u << spaces[space];
    }
    for (int color = 0; color < GAME_COLORS; color++) {
        int tiles = seat->hand[color] + seat->corners[color];
        int best = -1;

        for (int space = 0; space < GAME_SPACES && !(held & 1u << color); space++)
            if (spaces[space] == GAME_EMPTY && cost_of(position, star, space) <= tiles &&
                (best == -1 || cost_of(position, star, space) > cost_of(position, star, best)))
                best = space; /* the most expensive space of this color that the hand can pay for */
        if (best != -1) {
            spaces[best] = (int8_t)color;
            more++;
        }
    }
    return (share(MIXED_POINTS, filled + more, GAME_SPACES, hope) -
            share(MIXED_POINTS, filled, GAME_SPACES, hope)) *
               2 / 3 +
           WORTH_POINT * more * (filled + 1) / 3;
}

static int worth_of_stars(const struct position *position, const struct position_seat *seat,
                          int hope)
{
    int payable_worths[GAME_COLORS] = {
        0}; /* best worth of each color's tiles for any star: a tile pays for only one star */
    int mixed_worth = 0;
    int worth = 0;

    for (int star = 0; star < GAME_STARS; star++) {
        const int8_t *spaces = seat->stars[star];
        int color = bound_color(position, spaces, star);
        int filled = 0, more;

        for (int space = 0; space < GAME_SPACES; space++)
            filled += spaces[space] != GAME_EMPTY;
        worth += share(color == -1 ? MIXED_POINTS : color_points[color], filled, GAME_SPACES, hope);
        if (color == -1) {
            more = worth_of_mixed(position, seat, star, filled, hope);
            if (more > mixed_worth)
                mixed_worth = more;
        } else {
            more = worth_of_payable(position, seat, star, color, filled, hope);
            if (more > payable_worths[color])
                payable_worths[color] = more;
        }
    }
    for (int color = 0; color < GAME_COLORS; color++)
        worth += payable_worths[color];
    return worth + mixed_worth;
}

static int worth_of_costs(const struct position *position, const struct position_seat *seat,
                          int hope)
{
    int done[GAME_SPACES + 1] = {0}, whole[GAME_SPACES + 1] = {0};
    int worth = 0;

    for (int star = 0; star < GAME_STARS; star++)
        for (int space = 0; space < GAME_SPACES; space++) {
            int cost = cost_of(position, star, space);

            whole[cost]++;
            done[cost] += seat->stars[star][space] != GAME_EMPTY;
        }
    for (int cost = 1; cost <= 4; cost++)
        worth += share(4 * cost, done[cost], whole[cost], hope);
    return worth;
}

static bool is_filled(const struct position_seat *seat, int star, int space)
{
    return seat->stars[star][space] != GAME_EMPTY;
}

/* Returns the worth of unfinished features. Finished features have already given bonus tiles. */
static int worth_of_features(const struct position_seat *seat, int hope)
{
    int worth = 0;

    for (int i = 0; i < GAME_STAR_CENTER; i++) {
        int next = (i + 1) % GAME_STAR_CENTER;
        int pillar = is_filled(seat, i, 1) + is_filled(seat, i, 2) +
                     is_filled(seat, GAME_STAR_CENTER, (i + 5) % GAME_SPACES) +
                     is_filled(seat, GAME_STAR_CENTER, i);
        int statue = is_filled(seat, i, 0) + is_filled(seat, i, 1) + is_filled(seat, next, 2) +
                     is_filled(seat, next, 3);
        int window = is_filled(seat, i, 4) + is_filled(seat, i, 5);

        worth += pillar < 4 ? BONUS_TILE_WORTH * 1 * pillar * pillar / 16 : 0;
        worth += statue < 4 ? BONUS_TILE_WORTH * 2 * statue * statue / 16 : 0;
        worth += window < 2 ? BONUS_TILE_WORTH * 3 * window * window / 4 : 0;
    }
    return worth * hope / 100;
}

static int worth_of_hand(const struct position *position, const struct position_seat *seat,
                         int hope)
{
    int worth = 0, tiles = 0;

    for (int color = 0; color < GAME_COLORS; color++) {
        int count = seat->hand[color] + seat->corners[color];

        tiles += count;
        worth += count * HAND_TILE_WORTH;
        if (color == position->wild || color == position->round % GAME_COLORS)
            worth += count * WILD_TILE_WORTH;
    }
    if (position->phase == PHASE_PLACE &&
        tiles > GAME_CORNERS) /* a pass discards all tiles but GAME_CORNERS */
        worth -= (tiles - GAME_CORNERS) * (HAND_TILE_WORTH + WORTH_POINT);
    return worth * hope / 100;
}

/*
 * Returns the worth of one seat's position: the points so far plus an estimate of future points.
 * Ignores all other seats.
 */
static int worth_of_seat(const struct position *position, int seat)
{
    /*
     * Estimated chance, in percent by round, that the seat finishes a star or feature that it has
     * begun.
     */
    static const int hopes[GAME_ROUNDS + 1] = {0, 100, 95, 85, 70, 45, 15};
    const struct position_seat *view = &position->seats[seat];
    int hope = hopes[position->round];
    int worth = WORTH_POINT * view->score;

    if (position->phase == PHASE_OVER)
        return worth; /* the final score includes all points */
    worth += worth_of_stars(position, view, hope) + worth_of_costs(position, view, hope);
    worth += worth_of_features(view, hope);
    /* During the draft phase the seat can still use its tiles, even in the last round. */
    worth += worth_of_hand(position, view, position->phase == PHASE_DRAFT ? 100 : hope);
    if (position->player == seat)
        worth += BONUS_TILE_WORTH * position->bonus;
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

static int weigh(const struct game *game, int seat)
{
    struct position position;

    game_view(game, &position);
    return worth_of_seat(&position, seat);
}

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
