#include "engine/board.h"
#include "engine/draw.h"
#include "engine/game.h"
#include "engine/pay.h"
#include "engine/tiles.h"

static struct action *list_drafts(const struct game *game, struct action *next)
{
    for (int source = 0; source <= GAME_DISPLAYS_MAX; source++)
        for (int color = 0; color < GAME_COLORS; color++)
            if (game->offers >> (6 * source + color) & 1)
                *next++ = (struct action){ACTION_DRAFT,
                                          {(int8_t)(source + GAME_SOURCE_CENTER), (int8_t)color}};
    return next;
}

static struct action *list_payments(const struct game *game, int star, int position, int color,
                                    struct action *next)
{
    struct pay_range range =
        pay_range(game->seats[game->player].tiles, board_costs[game->board][star][position], color,
                  game->round - 1);

    for (int wilds = range.least; wilds <= range.most; wilds++)
        *next++ = (struct action){ACTION_PLACE,
                                  {(int8_t)star, (int8_t)position, (int8_t)color, (int8_t)wilds}};
    return next;
}

static struct action *list_placements(const struct game *game, struct action *next)
{
    const struct game_seat *seat = &game->seats[game->player];

    for (int star = 0; star < GAME_STARS; star++)
        for (int position = 0; position < GAME_SPACES; position++) {
            if (seat->filled & board_space(star, position))
                continue;
            for (int color = 0; color < GAME_COLORS; color++)
                if (seat->takes >> (8 * star + color) & 1)
                    next = list_payments(game, star, position, color, next);
        }
    return next;
}

/* Every choice of least..most of the tiles, in ascending order, as numbers of an action. */
static struct action *list_choices(uint64_t tiles, int least, int most, struct action choice,
                                   int color, struct action *next)
{
    int there = tiles_of(tiles, color);

    if (color == GAME_COLORS) {
        if (least <= 0)
            *next++ = choice;
        return next;
    }
    for (int taken = 0; taken <= there && taken <= most; taken++) {
        choice.number[color] = (int8_t)taken;
        next = list_choices(tiles, least - taken, most - taken, choice, color + 1, next);
    }
    return next;
}

size_t game_legal_actions(const struct game *game, struct action actions[static GAME_ACTIONS_MAX])
{
    struct action *next = actions;

    switch (game->phase) {
    case PHASE_DRAFT:
        next = list_drafts(game, next);
        break;
    case PHASE_PLACE:
        next = list_placements(game, next);
        next = list_choices(game->seats[game->player].tiles, 0, GAME_CORNERS,
                            (struct action){.kind = ACTION_PASS}, 0, next);
        break;
    case PHASE_BONUS:
        next = list_choices(game->supply, game->bonus, game->bonus,
                            (struct action){.kind = ACTION_BONUS}, 0, next);
        break;
    default:
        break;
    }
    return (size_t)(next - actions);
}

int action_compare(struct action a, struct action b)
{
    if (a.kind != b.kind)
        return a.kind < b.kind ? -1 : 1;
    for (int i = 0; i < GAME_ACTION_NUMBERS; i++)
        if (a.number[i] != b.number[i])
            return a.number[i] < b.number[i] ? -1 : 1;
    return 0;
}

struct action game_draw_action(const struct game *game, uint64_t number)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions);

    return actions[draw_below(number, (uint32_t)count)];
}

size_t game_play_out(struct game *game, uint64_t *random)
{
    size_t decisions = 0;

    for (; !game_is_over(game); decisions++)
        game_apply(game, game_draw_action(game, draw_next(random)));
    return decisions;
}
