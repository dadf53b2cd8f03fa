#include "arena/rating/games.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int games_kappa_twentieths(int player_count)
{
    return 60 / (player_count + 1); /* 20, 15, 12: exact */
}

/* The outcome whose number holds two bits a seat: its rank less 1. */
static void make_outcome(int player_count, int number, struct games_outcome *outcome)
{
    int winner_count = 0;

    for (int a = 0; a < player_count; a++) {
        for (int b = 0; b < player_count; b++) {
            int rank_a = number >> 2 * a & 3;
            int rank_b = number >> 2 * b & 3;

            if (a == b)
                continue;
            outcome->pair_halves[a][b] = (uint8_t)(1 + (rank_a < rank_b) - (rank_a > rank_b));
            outcome->halves[a] += outcome->pair_halves[a][b];
            outcome->places[a] += rank_b < rank_a;
            outcome->tie_halves += rank_a == rank_b;
        }
        winner_count += outcome->places[a] == 0;
    }
    outcome->shared_win = winner_count > 1;
}

int games_init(struct games *games, int bot_count)
{
    size_t bots = (size_t)bot_count;

    memset(games, 0, sizeof *games);
    if (bot_count < 0 || bot_count > GAMES_BOTS_MAX)
        return -EINVAL;
    games->bot_count = bot_count;
    /* One more of each than needed: an empty set is no failed allocation. */
    games->bots = calloc(bots + 1, sizeof *games->bots);
    games->pairs = calloc(bots * (bots + 1) / 2 + 1, sizeof *games->pairs);
    games->outcomes = calloc((GAMES_PLAYERS_MAX + 1) * GAMES_OUTCOMES, sizeof *games->outcomes);
    if (!games->bots || !games->pairs || !games->outcomes) {
        games_finish(games);
        return -ENOMEM;
    }
    for (int player_count = GAMES_PLAYERS_MIN; player_count <= GAMES_PLAYERS_MAX; player_count++)
        for (int number = 0; number < 1 << 2 * player_count; number++)
            make_outcome(player_count, number,
                         &games->outcomes[player_count * GAMES_OUTCOMES + number]);
    return 0;
}

void games_finish(struct games *games)
{
    free(games->bots);
    free(games->pairs);
    free(games->tables);
    free(games->outcomes);
    memset(games, 0, sizeof *games);
}

/* Makes room for one more table; they come by the ten thousand. */
static int reserve_table(struct games *games)
{
    if (games->table_count < games->table_capacity)
        return 0;
    size_t capacity = games->table_capacity ? 2 * games->table_capacity : 256;
    struct games_table *tables = realloc(games->tables, capacity * sizeof *tables);
    if (!tables)
        return -ENOMEM;
    games->tables = tables;
    games->table_capacity = capacity;
    return 0;
}

/* Seats by bot: where[seat] is the place of its bot among those of the game. */
static inline void sort_seats(const struct games_result *result, int player_count,
                              int where[static GAMES_PLAYERS_MAX])
{
    for (int seat = 0; seat < player_count; seat++)
        where[seat] = 0;
    for (int a = 0; a < player_count; a++)
        for (int b = a + 1; b < player_count; b++) {
            int ascends = result->bots[a] < result->bots[b];

            where[b] += ascends;
            where[a] += !ascends;
        }
}

/*
 * Adds the points of a game to a table of its bots. Which of two seats holds the lower
 * bot is as good as random: chosen without a branch.
 */
static inline void count_halves(struct games_table *table, const struct games_outcome *outcome,
                                int player_count, const int where[static GAMES_PLAYERS_MAX])
{
    /* The number of a pair of places, by how many players there are. */
    static const uint8_t pair_numbers[GAMES_PLAYERS_MAX + 1][GAMES_PLAYERS_MAX][GAMES_PLAYERS_MAX] =
        {
            [2] = {{0, 0}, {0, 0}},
            [3] = {{0, 0, 1}, {0, 0, 2}, {1, 2, 0}},
            [4] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}},
        };
    const uint8_t(*numbers)[GAMES_PLAYERS_MAX] = pair_numbers[player_count];

    table->game_count++;
    for (int a = 0; a < player_count; a++)
        for (int b = a + 1; b < player_count; b++) {
            int swapped = -(where[a] > where[b]); /* all bits or none */
            int first = a ^ ((a ^ b) & swapped);

            table->halves[numbers[where[a]][where[b]]] +=
                outcome->pair_halves[first][a ^ b ^ first];
        }
}

/* Counts what a table forgets: seats, places, shared ranks. */
static inline void count_seats(struct games *games, const struct games_result *result,
                               const struct games_outcome *outcome, int player_count,
                               uint32_t count)
{
    games->tie_halves += (int64_t)outcome->tie_halves * count;
    for (int seat = 0; seat < player_count; seat++) {
        struct games_bot *bot = &games->bots[result->bots[seat]];
        int place = outcome->places[seat];

        bot->place_counts[place] += count;
        if (outcome->shared_win && place == 0)
            bot->shared_win_count += count;
        games->seats[player_count][seat].halves_counts[outcome->halves[seat]] += count;
    }
}

/* True if a game is one more of the group and bots of a table. */
static inline bool belongs_to_table(const struct games_table *table,
                                    const struct games_result *result, int player_count,
                                    const int where[static GAMES_PLAYERS_MAX])
{
    bool belongs = table->group == result->group && table->repeat_count == 1 &&
                   table->player_count == player_count;

    for (int seat = 0; seat < player_count && belongs; seat++)
        belongs = table->bots[where[seat]] == result->bots[seat];
    return belongs;
}

/* True if both count games of one group between the same bots. */
static bool tables_match(const struct games_table *a, const struct games_table *b)
{
    return a->group == b->group && a->player_count == b->player_count &&
           memcmp(a->bots, b->bots, sizeof a->bots) == 0;
}

/* Adds the games of one table to another of the same group and bots. */
static void join_table(struct games_table *table, const struct games_table *added)
{
    table->game_count += added->game_count;
    for (int pair = 0; pair < GAMES_PAIRS_MAX; pair++)
        table->halves[pair] += added->halves[pair];
}

/* games_add_alike for one number of players: all loops over seats have a constant end. */
static inline __attribute__((always_inline)) int
add_sized(struct games *games, const struct games_result *result, uint32_t count, int player_count)
{
    int where[GAMES_PLAYERS_MAX];
    int number = 0;

    for (int seat = 0; seat < player_count; seat++) {
        assert(result->bots[seat] < games->bot_count);
        number |= ((result->ranks[seat] - 1) & 3) << 2 * seat;
    }
    sort_seats(result, player_count, where);
    /* The games of a group come one after another in practice: join them at once. */
    if (games->table_count == 0 || count > 1 ||
        !belongs_to_table(&games->tables[games->table_count - 1], result, player_count, where)) {
        if (reserve_table(games) < 0)
            return -ENOMEM;
        struct games_table *added = &games->tables[games->table_count++];
        *added = (struct games_table){
            .group = result->group,
            .repeat_count = count,
            .player_count = (uint8_t)player_count,
        };
        for (int seat = 0; seat < player_count; seat++)
            added->bots[where[seat]] = result->bots[seat];
    }
    const struct games_outcome *outcome = &games->outcomes[player_count * GAMES_OUTCOMES + number];
    count_halves(&games->tables[games->table_count - 1], outcome, player_count, where);
    count_seats(games, result, outcome, player_count, count);
    return 0;
}

int games_add(struct games *games, const struct games_result *result)
{
    return games_add_alike(games, result, 1);
}

int games_add_alike(struct games *games, const struct games_result *result, uint32_t count)
{
    assert(result->player_count >= GAMES_PLAYERS_MIN && result->player_count <= GAMES_PLAYERS_MAX);
    if (count == 0)
        return 0;
    switch (result->player_count) {
    case 2:
        return add_sized(games, result, count, 2);
    case 3:
        return add_sized(games, result, count, 3);
    default:
        return add_sized(games, result, count, 4);
    }
}

static int compare_tables(const void *a_pointer, const void *b_pointer)
{
    const struct games_table *a = a_pointer;
    const struct games_table *b = b_pointer;

    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->player_count != b->player_count)
        return a->player_count - b->player_count;
    for (int i = 0; i < a->player_count; i++)
        if (a->bots[i] != b->bots[i])
            return a->bots[i] - b->bots[i];
    return 0;
}

/* Ascending tables, each group and set of bots once. */
static void sort_tables(struct games *games)
{
    bool sorted = true;
    size_t kept = 0;

    for (size_t i = 1; i < games->table_count && sorted; i++)
        sorted = compare_tables(&games->tables[i - 1], &games->tables[i]) < 0;
    if (sorted)
        return;
    qsort(games->tables, games->table_count, sizeof *games->tables, compare_tables);
    for (size_t i = 1; i < games->table_count; i++) {
        if (tables_match(&games->tables[kept], &games->tables[i]))
            join_table(&games->tables[kept], &games->tables[i]);
        else
            games->tables[++kept] = games->tables[i];
    }
    games->table_count = kept + 1;
}

/* Adds a table to the sums of its pairs; returns by bot of the table what it took. */
static void count_pairs(struct games *games, const struct games_table *table,
                        int64_t taken[static GAMES_PLAYERS_MAX])
{
    int64_t game_count = (int64_t)table->game_count * table->repeat_count;
    int kappa = games_kappa_twentieths(table->player_count);
    int pair = 0;

    for (int i = 0; i < table->player_count; i++) {
        for (int j = i + 1; j < table->player_count; j++, pair++) {
            size_t a = table->bots[i];
            size_t b = table->bots[j];
            struct games_pair *sum = &games->pairs[b * (b - 1) / 2 + a];
            int64_t halves = table->halves[pair];

            taken[i] += halves;
            taken[j] += 2 * (int64_t)table->game_count - halves;
            sum->game_count += game_count;
            sum->halves += halves * table->repeat_count;
            sum->weight += kappa * game_count;
            sum->points += kappa * halves * table->repeat_count;
        }
    }
}

/* Adds a table to the sums of its bots; last_groups is the group each met before. */
static void count_bots(struct games *games, const struct games_table *table,
                       const int64_t taken[static GAMES_PLAYERS_MAX], int64_t *last_groups)
{
    int opponent_count = table->player_count - 1;
    int64_t game_count = (int64_t)table->game_count * table->repeat_count;
    int64_t pairs = opponent_count * (int64_t)table->game_count;

    for (int i = 0; i < table->player_count; i++) {
        struct games_bot *bot = &games->bots[table->bots[i]];
        int64_t *last_group = &last_groups[table->bots[i]];

        if (bot->group_count == 0 || *last_group != table->group)
            bot->group_count += table->repeat_count;
        *last_group = table->group;
        if (bot->pair_count > 0 && taken[i] * bot->pair_count != bot->halves * pairs)
            bot->share_varies = true;
        bot->game_count += game_count;
        bot->pair_count += pairs * table->repeat_count;
        bot->halves += taken[i] * table->repeat_count;
        bot->information_tenths +=
            game_count * opponent_count * games_kappa_twentieths(table->player_count) / 2;
    }
}

/* Forgets what an earlier call counted; places and seats are counted as games come. */
static void clear_sums(struct games *games)
{
    size_t bot_count = (size_t)games->bot_count;

    games->game_count = games->group_count = games->pair_count = 0;
    memset(games->pairs, 0, bot_count * (bot_count + 1) / 2 * sizeof *games->pairs);
    for (size_t i = 0; i < bot_count; i++) {
        struct games_bot kept = {.shared_win_count = games->bots[i].shared_win_count};

        memcpy(kept.place_counts, games->bots[i].place_counts, sizeof kept.place_counts);
        games->bots[i] = kept;
    }
}

static void sum_seats(struct games *games)
{
    for (int player_count = GAMES_PLAYERS_MIN; player_count <= GAMES_PLAYERS_MAX; player_count++)
        for (int i = 0; i < player_count; i++) {
            struct games_seat *seat = &games->seats[player_count][i];

            seat->game_count = seat->halves = seat->halves_squared = 0;
            for (int halves = 0; halves <= GAMES_HALVES_MAX; halves++) {
                seat->game_count += seat->halves_counts[halves];
                seat->halves += halves * seat->halves_counts[halves];
                seat->halves_squared += halves * halves * seat->halves_counts[halves];
            }
        }
}

int games_settle(struct games *games)
{
    int64_t *last_groups = calloc((size_t)games->bot_count + 1, sizeof *last_groups);

    if (!last_groups)
        return -ENOMEM;
    sort_tables(games);
    clear_sums(games);
    for (size_t at = 0; at < games->table_count; at++) {
        const struct games_table *table = &games->tables[at];
        int64_t taken[GAMES_PLAYERS_MAX] = {0};

        if (at == 0 || table[-1].group != table->group)
            games->group_count += table->repeat_count;
        games->game_count += (int64_t)table->game_count * table->repeat_count;
        count_pairs(games, table, taken);
        count_bots(games, table, taken, last_groups);
    }
    sum_seats(games);
    for (int i = 0; i < games->bot_count; i++)
        games->pair_count += games->bots[i].pair_count;
    games->pair_count /= 2;
    free(last_groups);
    return 0;
}

int64_t games_halves(const struct games *games, int a, int b)
{
    const struct games_pair *pair = a < b ? games_pair_of(games, a, b) : games_pair_of(games, b, a);

    return a < b ? pair->halves : 2 * pair->game_count - pair->halves;
}
