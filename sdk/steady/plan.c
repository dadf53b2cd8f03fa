/* SPDX-License-Identifier: MIT */
#include "sdk/steady/plan.h"

#include <string.h>

#include "engine/board.h"
#include "engine/choices.h"
#include "engine/draw.h"
#include "engine/tiles.h"
#include "engine/turn.h"
#include "engine/word.h"

enum {
    BONUS_CHOICES = 3, /* number of choices of bonus tiles to try at each step, the best first */
    THROWN_MAX = 3, /* largest number of tiles that a pass discards while a placement is possible */
    STEPS_MAX = 64, /* largest number of steps in a plan, rounded up: 42 placements and a pass */
};

/* A state within a plan. */
struct node {
    struct game_seat seat;
    uint64_t supply;
    int32_t worth;
    uint64_t first; /* the plan's first action as a word, 0 at the root of the search */
};

/* The best nodes found so far, the best first. */
struct node_list {
    size_t count, most;
    struct node nodes[PLAN_WIDTH_MAX];
};

/* The input of the beam search, and its lists. */
struct planner {
    const struct weights_set *set;
    const struct game *game;
    int seat;
    bool is_depleted;
    struct node_list next; /* nodes after one more step */
    struct node_list
        complete; /* complete plans, each with the supply 0: it decides nothing any more */
};

static int32_t weigh(const struct planner *planner, const struct game_seat *seat, uint64_t supply,
                     enum value_kind kind, int bonus)
{
    struct outlook outlook = outlook_of_place(planner->game, seat, planner->seat, kind, bonus);

    outlook.supply = supply;
    return VALUE_POINT * seat->score + value_of(planner->set, &outlook);
}

static bool is_same(const struct node *a, const struct node *b)
{
    return a->supply == b->supply && a->seat.tiles == b->seat.tiles &&
           a->seat.filled == b->seat.filled &&
           memcmp(a->seat.colors, b->seat.colors, sizeof a->seat.colors) == 0;
}

/*
 * Adds a node to a list if it is among the best. Of two nodes with equal positions, keeps only the
 * better one.
 */
static void keep(struct node_list *list, const struct node *node)
{
    size_t count = list->count, place;

    if (count == list->most && node->worth <= list->nodes[count - 1].worth)
        return;
    for (size_t i = 0; i < count; i++)
        if (is_same(&list->nodes[i], node)) {
            if (list->nodes[i].worth >= node->worth)
                return;
            memmove(&list->nodes[i], &list->nodes[i + 1], (count - 1 - i) * sizeof *node);
            count--;
            break;
        }
    if (count == list->most)
        count--;
    for (place = count; place > 0 && list->nodes[place - 1].worth < node->worth; place--)
        list->nodes[place] = list->nodes[place - 1];
    list->nodes[place] = *node;
    list->count = count + 1;
}

/*
 * Values a node and keeps it if it is among the best. Copies the value if another order of
 * placements has already led to an equal position.
 */
static void consider(struct planner *planner, struct node *node)
{
    for (size_t i = 0; i < planner->next.count; i++) {
        const struct node *known = &planner->next.nodes[i];

        if (is_same(known, node)) {
            node->worth = known->worth + VALUE_POINT * (node->seat.score - known->seat.score);
            keep(&planner->next, node);
            return;
        }
    }
    node->worth = weigh(planner, &node->seat, node->supply, VALUE_PLACE, 0);
    keep(&planner->next, node);
}

/*
 * Tries the best choices of bonus tiles: a placement and the choice of its bonus tiles are one step
 * of the search.
 */
static void take_bonus(struct planner *planner, const struct node *node, int bonus)
{
    struct action actions[GAME_ACTIONS_MAX];
    struct node best[BONUS_CHOICES];
    size_t count = (size_t)(choices_list_bonus(node->supply, bonus, actions) - actions), kept = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t taken = word_tiles(word_of(actions[i]));
        struct node after = *node;
        size_t place;

        after.seat.tiles += taken;
        if (planner->is_depleted)
            after.supply -= taken;
        if (after.first == 0)
            after.first = word_of(actions[i]);
        after.worth = weigh(planner, &after.seat, after.supply, VALUE_PLACE, 0);
        if (kept == BONUS_CHOICES && after.worth <= best[kept - 1].worth)
            continue;
        place = kept < BONUS_CHOICES ? kept++ : kept - 1;
        for (; place > 0 && best[place - 1].worth < after.worth; place--)
            best[place] = best[place - 1];
        best[place] = after;
    }
    for (size_t i = 0; i < kept; i++)
        keep(&planner->next, &best[i]);
}

static void place(struct planner *planner, const struct node *node, int star, int position,
                  int color, int wilds)
{
    int cost = board_costs[planner->game->board][star][position];
    int wild = planner->game->round - 1;
    int supplied = tiles_total(node->supply);
    struct node after = *node;
    int bonus;

    after.seat.tiles -= ((uint64_t)(cost - wilds) << (8 * color)) + ((uint64_t)wilds << (8 * wild));
    board_fill(&after.seat, (enum board_side)planner->game->board, star, position, color);
    after.seat.score += board_run(board_star(after.seat.filled, star), position);
    if (after.first == 0)
        after.first = (uint64_t)ACTION_PLACE | (uint64_t)star << 8 | (uint64_t)position << 16 |
                      (uint64_t)color << 24 | (uint64_t)wilds << 32;
    bonus = board_bonus(after.seat.filled, star, position);
    bonus = bonus < supplied ? bonus : supplied;
    if (bonus > 0) {
        take_bonus(planner, &after, bonus);
        return;
    }
    consider(planner, &after);
}

/*
 * Tries every placement, paid with as few wild tiles as possible. Returns the number of placements.
 */
static int place_all(struct planner *planner, const struct node *node)
{
    int wild = planner->game->round - 1, count = 0;

    for (int star = 0; star < GAME_STARS; star++) {
        unsigned open = ~board_star(node->seat.filled, star) & BOARD_STAR_FULL;
        unsigned colors = board_star(node->seat.takes, star) & tiles_colors(node->seat.tiles);

        for (; colors; colors &= colors - 1) {
            int color = __builtin_ctz(colors);
            int own = tiles_of(node->seat.tiles, color);
            int wilds = color == wild ? 0 : tiles_of(node->seat.tiles, wild);

            for (unsigned left = open; left; left &= left - 1) {
                int position = __builtin_ctz(left);
                int cost = board_costs[planner->game->board][star][position];

                if (cost > own + wilds)
                    continue;
                place(planner, node, star, position, color, cost > own ? cost - own : 0);
                count++;
            }
        }
    }
    return count;
}

/* Ends the plan of a node with each possible pass. */
static void end(struct planner *planner, const struct node *node)
{
    int held = tiles_total(node->seat.tiles);
    int kept = held < GAME_CORNERS ? held : GAME_CORNERS;
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = (size_t)(choices_list_passes(node->seat.tiles, actions) - actions);

    for (size_t i = 0; i < count; i++) {
        uint64_t tiles = word_tiles(word_of(actions[i]));
        struct game_seat seat = node->seat;

        if (tiles_total(tiles) != kept)
            continue;
        turn_lose_points(&seat, held - kept);
        seat.tiles = tiles;
        keep(&planner->complete,
             &(struct node){.worth = weigh(planner, &seat, node->supply, VALUE_END, 0),
                            .first = node->first ? node->first : word_of(actions[i]),
                            .seat = seat});
    }
}

int plan_list(const struct weights_set *set, const struct game *game, int seat, int bonus,
              int width, bool is_depleted, struct plan *plans, int most)
{
    struct planner planner = {.set = set,
                              .game = game,
                              .seat = seat,
                              .is_depleted = is_depleted,
                              .next.most = (size_t)width,
                              .complete.most = (size_t)most};
    struct node_list *next = &planner.next, *complete = &planner.complete;
    struct node nodes[PLAN_WIDTH_MAX] = {{.seat = game->seats[seat], .supply = game->supply}};
    size_t count = 1;

    if (bonus > 0) {
        take_bonus(&planner, &nodes[0], bonus);
        count = next->count;
        memcpy(nodes, next->nodes, count * sizeof *nodes);
    }
    for (int step = 0; count > 0 && step < STEPS_MAX; step++) {
        next->count = 0;
        for (size_t i = 0; i < count; i++) {
            int placements = place_all(&planner, &nodes[i]);

            if (placements == 0 || tiles_total(nodes[i].seat.tiles) <= GAME_CORNERS + THROWN_MAX)
                end(&planner, &nodes[i]);
        }
        count = next->count;
        memcpy(nodes, next->nodes, count * sizeof *nodes);
    }
    for (size_t i = 0; i < complete->count; i++)
        plans[i] = (struct plan){.worth = complete->nodes[i].worth,
                                 .first = word_action(complete->nodes[i].first),
                                 .seat = complete->nodes[i].seat};
    return (int)complete->count;
}

struct plan plan_make(const struct weights_set *set, const struct game *game, int seat, int bonus,
                      int width, bool is_depleted)
{
    struct plan plan = {0};

    plan_list(set, game, seat, bonus, width, is_depleted, &plan, 1);
    return plan;
}

int32_t plan_play(const struct weights_set *set, const struct game *game, int seat, int width,
                  int count)
{
    int64_t sum = 0;

    for (uint64_t number = 0; number < (uint64_t)count; number++) {
        uint64_t random = number, halves[2] = {draw_next(&random), draw_next(&random)};
        struct game alone = *game;
        uint8_t seed[GAME_SEED_BYTES];
        struct plan plan;

        memcpy(seed, halves, sizeof seed);
        game_reseed(&alone, seed);
        alone.passed = (uint8_t)(((1u << game->player_count) - 1) & ~(1u << seat));
        alone.player = (int8_t)seat;
        for (;;) {
            plan = plan_make(set, &alone, seat, alone.bonus, width, true);
            if (plan.first.kind == ACTION_PASS)
                break;
            game_play(&alone, plan.first);
        }
        sum += plan.worth;
    }
    return (int32_t)(sum / count);
}
