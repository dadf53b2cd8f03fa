#include "bots/lookahead/worth.h"

enum {
    BONUS_TILE_WORTH = 2400, /* worth of an expected bonus tile */
    HAND_TILE_WORTH = 1000,  /* worth of any tile in the hand */
    WILD_TILE_WORTH = 500,   /* added if it is wild now or in the next round */
    MIXED_POINTS = 24,       /* worth of a star of six colors: 12, doubled because it is easier */
};

/* Of a finished star of one color. */
static const int color_points[GAME_COLORS] = {20, 18, 17, 16, 15, 14};
static const int star_colors[GAME_STARS] = {2, 5, 4, 3, 1, 0, -1}; /* on the colored side */

static int cost_of(const struct position *position, int star, int space)
{
    static const int gray_costs[GAME_SPACES] = {3, 2, 1, 4, 5, 6};

    if (position->board == BOARD_COLORED)
        return space + 1;
    return star == GAME_STAR_CENTER ? 3 : gray_costs[space];
}

/*
 * Returns the worth of a prize that is partly earned: the square of the part done and, while it is
 * unfinished, hope percent of that.
 */
static int share(int prize, int done, int whole, int hope)
{
    int points = WORTH_POINT * prize * done * done / (whole * whole);

    return done == whole ? points : points * hope / 100;
}

/* Returns the color that a star is bound to, -1 if it may have several. */
static int bound_color(const struct position *position, const int8_t *spaces, int star)
{
    int first = -1;

    if (position->board == BOARD_COLORED)
        return star_colors[star];
    for (int space = 0; space < GAME_SPACES; space++) {
        if (spaces[space] == GAME_EMPTY)
            continue;
        if (first != -1)
            return spaces[space] == first ? first : -1;
        first = spaces[space];
    }
    return -1;
}

/* Returns how many spaces of a star, the cheapest first, that many tiles of its color pay for. */
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

/* Returns what the spaces of a star are worth that the tiles of its color in the hand can fill. */
static int worth_of_payable(const struct position *position, const struct position_seat *seat,
                            int star, int color, int filled, int hope)
{
    int tiles = seat->hand[color] + seat->corners[color];
    int more = payable(position, seat->stars[star], star, tiles);
    int gain = share(color_points[color], filled + more, GAME_SPACES, hope) -
               share(color_points[color], filled, GAME_SPACES, hope);

    return gain * 2 / 3 + WORTH_POINT * more * (filled + 1) / 3;
}

/* Returns the worth of other colors in the hand for a star that accepts each color once. */
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
                best = space; /* the most expensive one that it can pay */
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
    int payable_worths[GAME_COLORS] = {0}; /* by color, because tiles can pay for one star only */
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

/* Returns the worth of unfinished features; bonus tiles of finished ones have been taken. */
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
    if (position->phase == PHASE_PLACE && tiles > GAME_CORNERS) /* the rest will be discarded */
        worth -= (tiles - GAME_CORNERS) * (HAND_TILE_WORTH + WORTH_POINT);
    return worth * hope / 100;
}

int worth_of_seat(const struct position *position, int seat)
{
    /* Probability, in percent, by round, that something begun will be finished. */
    static const int hopes[GAME_ROUNDS + 1] = {0, 100, 95, 85, 70, 45, 15};
    const struct position_seat *view = &position->seats[seat];
    int hope = hopes[position->round];
    int worth = WORTH_POINT * view->score;

    if (position->phase == PHASE_OVER)
        return worth; /* the score includes everything */
    worth += worth_of_stars(position, view, hope) + worth_of_costs(position, view, hope);
    worth += worth_of_features(view, hope);
    /* Tiles are certain to be useful while drafting, even in the last round. */
    worth += worth_of_hand(position, view, position->phase == PHASE_DRAFT ? 100 : hope);
    if (position->player == seat)
        worth += BONUS_TILE_WORTH * position->bonus;
    return worth;
}
