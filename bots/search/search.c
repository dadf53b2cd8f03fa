/* SPDX-License-Identifier: MIT */
#include "bots/search/search.h"

#include <limits.h>

#include "engine/turn.h"
#include "engine/draw.h"
#include "engine/word.h"

enum search_bound {
    BOUND_NONE = 0, /* the entry is empty */
    BOUND_EXACT = 1,
    BOUND_LEAST = 2, /* the worth is at least entry.worth */
    BOUND_MOST = 3,  /* the worth is at most entry.worth */
};

enum {
    NO_BEST = 255,
    WORTH_MAX = INT_MAX / 2,
};

/* A draft and the position after it. */
struct child {
    struct game game;
    int32_t worth;
    uint8_t bit;
};

static uint64_t mix(uint64_t word)
{
    word = (word ^ word >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return word ^ word >> 29;
}

/*
 * Returns a key for the transposition table. Within a draft phase, positions that differ only in
 * the order of displays have equal keys.
 */
static uint64_t key_of(const struct game *game)
{
    uint64_t key = mix(game->sources[0] * 3 + (uint64_t)(game->token + 2) * 977 +
                       (uint64_t)(game->player + 2) * 131071);

    for (int i = 1; i <= 2 * game->player_count + 1; i++)
        key += mix(game->sources[i] + UINT64_C(0x1234567));
    for (int seat = 0; seat < game->player_count; seat++)
        key = mix(key + game->seats[seat].tiles * (uint64_t)(2 * seat + 5) +
                  ((uint64_t)game->seats[seat].score << 50));
    return key;
}

/*
 * How far, in points, a network's worth may be from that of the weights, by round: leaves that the
 * weights put further outside the alpha-beta window are not looked at.
 */
static const uint8_t net_reach[GAME_ROUNDS + 1] = {0, 5, 5, 6, 6, 9, 9};

/* Sets worths to the score plus value of each seat, by the weights alone, without plans. */
static void weigh(struct search *search, const struct game *game,
                  int32_t worths[static GAME_PLAYERS_MAX])
{
    uint64_t table = drafting_table(game), groups = outlook_groups(game);

    search->leaf_count++;
    for (int i = 0; i < game->player_count; i++)
        worths[i] = drafting_worth(&search->values, game, i, table, groups);
}

static void ask_whether_enough(struct search *search)
{
    if (search->enough_fn && search->enough_fn(search->context))
        search->is_stopped = true;
}

/*
 * Returns the worth of a seat at the end of the draft phase, computed with a plan for the place
 * phase.
 */
static int32_t plan_for(const struct search *search, const struct game *game, int seat, int plays)
{
    if (plays > 0)
        return plan_play(search->set, game, seat, search->plan_width, plays);
    return plan_make(search->set, game, seat, 0, search->plan_width, false).worth;
}

/* Returns the cache entry of a seat's hand; sets *is_known if its plan is valid. */
static struct search_plan *find_plan(struct search *search, const struct game *game, int seat,
                                     int plays, bool *is_known)
{
    uint64_t tiles = game->seats[seat].tiles;
    bool is_start = game->start == seat;
    uint64_t key = mix(mix(tiles) + 2 * (uint64_t)seat + is_start + 1);
    struct search_plan *plan = &search->plans[key % SEARCH_PLANS];

    *is_known = plan->age == search->plan_age && plan->tiles == tiles && plan->seat == seat &&
                plan->is_start == is_start && plan->play_count == plays;
    if (*is_known)
        return plan;
    search->plan_count++;
    plan->age = search->plan_age;
    plan->is_start = is_start;
    plan->play_count = (uint8_t)plays;
    plan->tiles = tiles;
    plan->seat = (int8_t)seat;
    plan->is_half = false;
    return plan;
}

static int32_t plan_worth(struct search *search, const struct game *game, int seat)
{
    int plays = game->round == GAME_ROUNDS ? search->play_count : 0;
    bool is_known;
    struct search_plan *plan = find_plan(search, game, seat, plays, &is_known);

    if (!is_known) {
        plan->worth = plan_for(search, game, seat, plays) - VALUE_POINT * game->seats[seat].score;
        ask_whether_enough(search);
    }
    return plan->worth + VALUE_POINT * game->seats[seat].score;
}

/* Returns what a seat contributes to the networks' worths; from the cache if it is known. */
static struct net_half halve(struct search *search, const struct game *game, int seat,
                             int32_t linear)
{
    bool is_known;
    struct search_plan *entry = find_plan(search, game, seat, 0, &is_known);

    if (!is_known || !entry->is_half) {
        struct plan plan = plan_make(search->set, game, seat, 0, NET_PLAN_WIDTH, false);
        struct net_view view = net_view_of(game, seat, &plan, linear);

        entry->worth = plan.worth - VALUE_POINT * game->seats[seat].score;
        net_halve(&search->nets[game->round - 1], &view, &entry->half);
        entry->is_half = true;
        ask_whether_enough(search);
    }
    return entry->half;
}

/* Replaces the worths of both seats at the end of a draft phase, which the weights gave, by those
 * of the network. */
static void weigh_by_net(struct search *search, const struct game *game,
                         int32_t worths[static GAME_PLAYERS_MAX])
{
    struct net_half halves[2];

    for (int i = 0; i < 2; i++)
        halves[i] = halve(search, game, i, worths[i]);
    for (int i = 0; i < 2; i++)
        worths[i] = VALUE_POINT * game->seats[i].score +
                    net_worth(&search->nets[game->round - 1], &halves[i], &halves[1 - i]);
}

/*
 * Returns the worth of the end of a draft phase to the searching seat; exact if it is between low
 * and high. Uses plans, which are more accurate than the weights, as far as the search's parameters
 * say.
 */
static int32_t weigh_end(struct search *search, const struct game *game, int32_t low, int32_t high)
{
    int percent = search->plan_percent ? search->plan_percent[game->round] : 0;
    bool is_by_net = search->nets && search->play_count == 0;
    int32_t reach = is_by_net && search->plan_reach > 0 ? net_reach[game->round] * VALUE_POINT
                                                        : search->plan_reach;
    int32_t worths[GAME_PLAYERS_MAX], worth;

    weigh(search, game, worths);
    worth = value_relative(game, search->seat, search->lambda, worths);
    if (reach > 0 && worth + reach <= low)
        return worth + reach;
    if (reach > 0 && worth - reach >= high)
        return worth - reach;
    if (is_by_net) {
        weigh_by_net(search, game, worths);
        return value_relative(game, search->seat, search->lambda, worths);
    }
    for (int i = 0; i < game->player_count && percent > 0 && !search->is_stopped; i++) {
        int64_t more = plan_worth(search, game, i) - worths[i];

        worths[i] += (int32_t)(more * percent / 100);
    }
    return value_relative(game, search->seat, search->lambda, worths);
}

/* True if another display, with a lower number, has equal tiles. */
static bool is_repeated(const struct game *game, uint64_t source)
{
    for (uint64_t i = 1; i < source; i++)
        if (game->sources[i] == game->sources[source])
            return true;
    return false;
}

/*
 * Lists the drafts to search: first the best draft of an earlier search (best_bit), then the drafts
 * that look best to the seat to act; all drafts, or search->replies[seat] of them. Returns the
 * number of drafts.
 */
static int list_children(struct search *search, const struct game *game, int best_bit,
                         struct child *children, uint8_t order[static SEARCH_DRAFTS_MAX])
{
    int seat = game->player, replies = search->replies[seat];
    int32_t looks[SEARCH_DRAFTS_MAX];
    int count = 0;

    for (uint64_t offers = game->offers; offers; offers &= offers - 1) {
        int bit = __builtin_ctzll(offers), place;
        struct child *child = &children[count];
        int32_t worths[GAME_PLAYERS_MAX], look;

        if (is_repeated(game, drafts[bit].source))
            continue;
        child->game = *game;
        child->bit = (uint8_t)bit;
        turn_draft(&child->game, drafts[bit].word);
        weigh(search, &child->game, worths);
        child->worth = value_relative(game, search->seat, search->lambda, worths);
        look = value_relative(game, seat, search->lambda, worths);
        if (bit == best_bit && (seat == search->seat || replies == 0))
            look = INT_MAX;
        for (place = count; place > 0 && looks[place - 1] < look; place--) {
            looks[place] = looks[place - 1];
            order[place] = order[place - 1];
        }
        looks[place] = look;
        order[place] = (uint8_t)count++;
    }
    if (seat != search->seat && replies > 0 && count > replies)
        return replies;
    return count;
}

static struct search_entry *find_entry(struct search *search, uint64_t key)
{
    return &search->entries[key % SEARCH_ENTRIES];
}

static void store(struct search *search, uint64_t key, int depth, int32_t worth,
                  enum search_bound bound, int best, bool is_cut)
{
    struct search_entry *entry = find_entry(search, key);

    if (entry->age == (uint8_t)search->age && entry->bound != BOUND_NONE && entry->depth > depth &&
        entry->check != (uint32_t)(key >> 32))
        return;
    *entry = (struct search_entry){.check = (uint32_t)(key >> 32),
                                   .worth = worth,
                                   .depth = (uint8_t)depth,
                                   .bound = bound & 0x7f,
                                   .is_cut = is_cut,
                                   .best = (uint8_t)best,
                                   .age = (uint8_t)search->age};
}

/*
 * Returns the worth of a position to the searching seat, searched to `depth`; exact if it is
 * between low and high. Sets *best to the bit of the best draft.
 */
static int32_t look(struct search *search, const struct game *game, int depth, int32_t low,
                    int32_t high, int *best)
{
    bool is_own = game->player == search->seat;
    struct child children[SEARCH_DRAFTS_MAX];
    uint8_t order[SEARCH_DRAFTS_MAX];
    uint64_t key = key_of(game);
    struct search_entry *entry = find_entry(search, key);
    int32_t best_worth = is_own ? -WORTH_MAX : WORTH_MAX, first_low = low, first_high = high;
    bool was_cut = search->is_cut;
    int hint = NO_BEST, count;

    *best = NO_BEST;
    if (++search->node_count % SEARCH_ENOUGH_NODES == 0)
        ask_whether_enough(search);
    if (search->is_stopped)
        return 0;
    if (entry->bound != BOUND_NONE && entry->age == (uint8_t)search->age &&
        entry->check == (uint32_t)(key >> 32)) {
        hint = entry->best;
        if (entry->depth >= depth &&
            (entry->bound == BOUND_EXACT || (entry->bound == BOUND_LEAST && entry->worth >= high) ||
             (entry->bound == BOUND_MOST && entry->worth <= low))) {
            *best = hint;
            search->is_cut |= entry->is_cut;
            return entry->worth;
        }
    }
    search->is_cut = false;
    count = list_children(search, game, hint, children, order);
    if (count > 0) /* always true: a draft phase that is not over has legal drafts */
        *best = children[order[0]].bit;
    for (int i = 0; i < count && low < high; i++) {
        struct child *child = &children[order[i]];
        int32_t worth = child->worth;
        int reply;

        if (child->game.phase != PHASE_DRAFT)
            worth = weigh_end(search, &child->game, low, high);
        else if (depth > 1)
            worth = look(search, &child->game, depth - 1, low, high, &reply);
        else
            search->is_cut = true;
        if (search->is_stopped)
            return 0;
        if (is_own ? worth > best_worth : worth < best_worth) {
            best_worth = worth;
            *best = child->bit;
        }
        if (is_own && worth > low)
            low = worth;
        if (!is_own && worth < high)
            high = worth;
    }
    store(search, key, depth, best_worth,
          best_worth <= first_low    ? BOUND_MOST
          : best_worth >= first_high ? BOUND_LEAST
                                     : BOUND_EXACT,
          *best, search->is_cut);
    search->is_cut |= was_cut;
    return best_worth;
}

struct action search_draft(struct search *search, const struct game *game, int32_t *worth)
{
    int chosen = NO_BEST;

    search->seat = game->player;
    search->node_count = search->leaf_count = search->plan_count = 0;
    search->depth = 0;
    search->is_stopped = false;
    search->is_exact = false;
    search->age++;
    if ((uint8_t)search->age == 0)
        search->age++;
    if (drafting_prepare(&search->values, search->set, game))
        search->plan_age++;
    for (int depth = 1; depth <= search->depth_max && !search->is_exact; depth++) {
        int best;
        int32_t found;

        search->is_cut = false;
        found = look(search, game, depth, -WORTH_MAX, WORTH_MAX, &best);
        if (best != NO_BEST) /* the best of the drafts whose search is complete */
            chosen = best;
        if (search->is_stopped)
            break;
        *worth = found;
        search->depth = depth;
        search->is_exact = !search->is_cut;
    }
    if (chosen == NO_BEST) /* enough_fn has stopped the search before its first result */
        chosen = __builtin_ctzll(game->offers);
    return word_action(drafts[chosen].word);
}

bool search_worth(struct search *search, const struct game *game, struct action action, int depth,
                  int32_t *worth)
{
    struct game after = *game;
    int32_t worths[GAME_PLAYERS_MAX];
    int reply;

    search->is_stopped = false;
    turn_draft(&after, word_of(action));
    if (after.phase != PHASE_DRAFT) {
        *worth = weigh_end(search, &after, -WORTH_MAX, WORTH_MAX);
    } else if (depth > 1) {
        *worth = look(search, &after, depth - 1, -WORTH_MAX, WORTH_MAX, &reply);
    } else {
        weigh(search, &after, worths);
        *worth = value_relative(game, search->seat, search->lambda, worths);
    }
    return !search->is_stopped;
}

/*
 * Plays a draft phase to its end, with the drafts that the search found best. If the transposition
 * table has no entry for a position, plays the draft that looks best.
 */
static void follow(struct search *search, struct game *game)
{
    while (game->phase == PHASE_DRAFT) {
        uint64_t key = key_of(game);
        const struct search_entry *entry = find_entry(search, key);
        struct child children[SEARCH_DRAFTS_MAX];
        uint8_t order[SEARCH_DRAFTS_MAX];

        if (entry->bound != BOUND_NONE && entry->age == (uint8_t)search->age &&
            entry->check == (uint32_t)(key >> 32) && entry->best != NO_BEST &&
            (game->offers >> entry->best & 1)) {
            turn_draft(game, drafts[entry->best].word);
        } else {
            list_children(search, game, NO_BEST, children, order);
            *game = children[order[0]].game;
        }
    }
}

static struct search_line line_of(struct search *search, const struct game *after, uint64_t word,
                                  int32_t worth)
{
    struct search_line line = {.action = word_action(word), .worth = worth, .last = *after};

    follow(search, &line.last);
    return line;
}

/* True if the same tiles were drafted by the same seats, in whatever order. */
static bool is_same_end(const struct game *a, const struct game *b)
{
    if (a->start != b->start)
        return false;
    for (int i = 0; i < a->player_count; i++)
        if (a->seats[i].tiles != b->seats[i].tiles || a->seats[i].score != b->seats[i].score)
            return false;
    return true;
}

static bool is_known(const struct search_line *lines, int count, const struct search_line *line)
{
    for (int i = 0; i < count; i++)
        if (is_same_end(&lines[i].last, &line->last))
            return true;
    return false;
}

int search_lines(struct search *search, const struct game *game, struct action best, int32_t worth,
                 int32_t margin, int most, struct search_line lines[static SEARCH_LINES])
{
    struct child children[SEARCH_DRAFTS_MAX];
    uint8_t order[SEARCH_DRAFTS_MAX];
    int count = list_children(search, game, NO_BEST, children, order), kept = 1;
    struct game after = *game;

    turn_draft(&after, word_of(best));
    lines[0] = line_of(search, &after, word_of(best), worth);
    for (int i = 0; i < count; i++) {
        const struct child *child = &children[order[i]];
        uint64_t word = drafts[child->bit].word;
        int32_t low = kept == most ? lines[kept - 1].worth : worth - margin, found;
        struct search_line line;
        int reply, place;

        if (word == word_of(best))
            continue;
        found = child->game.phase == PHASE_DRAFT
                    ? look(search, &child->game, SEARCH_DEPTH_MAX, low, WORTH_MAX, &reply)
                    : weigh_end(search, &child->game, low, WORTH_MAX);
        if (search->is_stopped)
            break;
        if (found <= low)
            continue;
        line = line_of(search, &child->game, word, found);
        if (is_known(lines, kept, &line))
            continue;
        place = kept < most ? kept++ : kept - 1;
        for (; place > 1 && lines[place - 1].worth < found; place--)
            lines[place] = lines[place - 1];
        lines[place] = line;
    }
    return kept;
}

static int32_t look_of(struct search *search, const struct game *game, uint64_t word)
{
    struct game after = *game;
    int32_t worths[GAME_PLAYERS_MAX];

    turn_draft(&after, word);
    weigh(search, &after, worths);
    return value_relative(&after, game->player, search->lambda, worths);
}

bool search_is_best_look(struct search *search, const struct game *game, struct action action)
{
    int32_t look;

    if (drafting_prepare(&search->values, search->set, game))
        search->plan_age++;
    look = look_of(search, game, word_of(action));
    for (uint64_t offers = game->offers; offers; offers &= offers - 1)
        if (look_of(search, game, drafts[__builtin_ctzll(offers)].word) > look)
            return false;
    return true;
}
