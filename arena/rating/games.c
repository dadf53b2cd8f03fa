#include "arena/rating/games.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Games are added by the hundred thousand, so the code that runs for each game is compiled once per
 * number of players and then has no loop over seats. It also has no branch that depends on who won,
 * because the processor could not predict such a branch.
 */

/* Computes the outcome with a number, in which two bits per seat hold the seat's rank minus 1. */
static void make_outcome(int player_count, int number, struct games_outcome *outcome)
{
    int winner_count = 0;

    for (int a = 0; a < player_count; a++) {
        int rank_a = number >> 2 * a & 3;

        for (int b = 0; b < player_count; b++) {
            int rank_b = number >> 2 * b & 3;

            if (a == b)
                continue;
            outcome->pair_halves[a][b] = (uint8_t)(1 + (rank_a < rank_b) - (rank_a > rank_b));
            outcome->halves[a] += outcome->pair_halves[a][b];
            if (rank_b < rank_a)
                outcome->places[a]++;
            if (rank_a == rank_b)
                outcome->tie_halves++;
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
    /* calloc may return NULL for 0 elements, so allocate one more than needed. */
    games->bots = calloc(bots + 1, sizeof *games->bots);
    games->outcomes = calloc((GAMES_PLAYERS_MAX + 1) * GAMES_OUTCOMES, sizeof *games->outcomes);
    if (!games->bots || !games->outcomes) {
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
    free(games->halves);
    free(games->outcomes);
    memset(games, 0, sizeof *games);
}

/* Doubles the capacity of an array. Returns NULL, with the array unchanged, if memory runs out. */
static void *grow(void *array, size_t *capacity, size_t item_bytes)
{
    size_t grown_capacity = *capacity ? 2 * *capacity : 256;
    void *grown = realloc(array, grown_capacity * item_bytes);

    if (grown)
        *capacity = grown_capacity;
    return grown;
}

static int games_grow_tables(struct games *games)
{
    if (games->table_count == games->table_capacity) {
        struct games_table *tables = grow(games->tables, &games->table_capacity, sizeof *tables);

        if (!tables)
            return -ENOMEM;
        games->tables = tables;
    }
    if (games->halves_capacity - games->halves_count < GAMES_PAIRS_MAX) {
        uint32_t *halves = games->halves_count > UINT32_MAX / 2
                               ? NULL
                               : grow(games->halves, &games->halves_capacity, sizeof *halves);

        if (!halves)
            return -ENOMEM;
        games->halves = halves;
    }
    return 0;
}

static inline int games_count_pairs(int player_count)
{
    return player_count * (player_count - 1) / 2;
}

/* Returns the index of the pair of a and b, in either order, among the pairs of a table. */
static inline int games_pair_number(int player_count, int a, int b)
{
    static const uint8_t pair_numbers[GAMES_PLAYERS_MAX + 1][GAMES_PLAYERS_MAX][GAMES_PLAYERS_MAX] =
        {
            [3] = {{0, 0, 1}, {0, 0, 2}, {1, 2, 0}},
            [4] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}},
        };

    return player_count == 2 ? 0 : pair_numbers[player_count][a][b];
}

/* Returns the points of a table, which the caller may change. */
static inline uint32_t *games_halves_of(const struct games *games, struct games_table *table,
                                        int player_count)
{
    return player_count == 2 ? &table->halves : games->halves + table->halves_at;
}

/*
 * Returns the outcome that counts games with this number of players and the ranks of this game;
 * each rank is 1..GAMES_PLAYERS_MAX.
 */
static inline struct games_outcome *
games_outcome_of(const struct games *games, const struct games_result *result, int player_count)
{
    int number = 0;

    for (int seat = 0; seat < player_count; seat++)
        number |= (result->ranks[seat] - 1) << 2 * seat;
    return &games->outcomes[player_count * GAMES_OUTCOMES + number];
}

/* Sorts the seats by bot: sets where[seat] to the position of the seat's bot in ascending order. */
static inline void games_sort_seats(const uint16_t *bots, int player_count,
                                    int where[static GAMES_PLAYERS_MAX])
{
    for (int seat = 0; seat < player_count; seat++)
        where[seat] = 0;
    for (int a = 0; a < player_count; a++)
        for (int b = a + 1; b < player_count; b++) {
            int ascends = bots[a] < bots[b];

            where[b] += ascends;
            where[a] += !ascends;
        }
}

/*
 * Adds the points of a game to its table. A mask instead of a branch, which the processor could not
 * predict, puts each pair of seats into the order of their bots.
 */
static inline void games_count_halves(uint32_t *halves, const struct games_outcome *outcome,
                                      int player_count, const int where[static GAMES_PLAYERS_MAX])
{
    for (int a = 0; a < player_count; a++)
        for (int b = a + 1; b < player_count; b++) {
            int swapped = -(where[a] > where[b]); /* a mask: all bits set, or none */
            int first = a ^ ((a ^ b) & swapped);

            halves[games_pair_number(player_count, where[a], where[b])] +=
                outcome->pair_halves[first][a ^ b ^ first];
        }
}

/* Counts places and shared wins, which a table does not store. */
static inline void games_count_places(struct games *games, const struct games_result *result,
                                      const struct games_outcome *outcome, int player_count,
                                      uint32_t count)
{
    for (int seat = 0; seat < player_count; seat++)
        games->bots[result->bots[seat]].place_counts[outcome->places[seat]] += count;
    if (outcome->shared_win)
        for (int seat = 0; seat < player_count; seat++)
            if (outcome->places[seat] == 0)
                games->bots[result->bots[seat]].shared_win_count += count;
}

/* True if a game has the same group and bots as a table. */
static inline bool games_belongs_to_table(const struct games_table *table,
                                          const struct games_result *result, int player_count,
                                          const int where[static GAMES_PLAYERS_MAX])
{
    bool belongs = table->group == result->group && games_table_repeats(table) == 1 &&
                   table->player_count == player_count;

    for (int seat = 0; seat < player_count && belongs; seat++)
        belongs = table->bots[where[seat]] == result->bots[seat];
    return belongs;
}

/* Adds a table without games. The array must have room for the table. */
static inline void games_add_table(struct games *games, const struct games_result *result,
                                   uint32_t count, int player_count,
                                   const int where[static GAMES_PLAYERS_MAX])
{
    struct games_table *added = &games->tables[games->table_count++];

    games->groups_fall |= games->table_count > 1 && added[-1].group >= result->group;
    *added = (struct games_table){
        .group = result->group,
        .halves_at = player_count == 2 ? 0 : (uint32_t)games->halves_count,
        .player_count = (unsigned)player_count & 7,
    };
    if (player_count == 2)
        added->repeat_count = count;
    for (int seat = 0; seat < player_count; seat++)
        added->bots[where[seat]] = result->bots[seat];
    for (int pair = 0; pair < games_count_pairs(player_count) && player_count > 2; pair++)
        games->halves[games->halves_count++] = 0;
}

/* Does what games_add_alike does, for a constant number of players. */
static inline __attribute__((always_inline)) int games_add_sized(struct games *games,
                                                                 const struct games_result *result,
                                                                 uint32_t count, int player_count)
{
    struct games_outcome *outcome = games_outcome_of(games, result, player_count);
    int where[GAMES_PLAYERS_MAX];

    for (int seat = 0; seat < player_count; seat++)
        assert(result->bots[seat] < games->bot_count);
    games_sort_seats(result->bots, player_count, where);
    /*
     * The games of a group usually follow each other: add a game to the last table if it belongs
     * there.
     */
    if (games->table_count == 0 || count > 1 ||
        !games_belongs_to_table(&games->tables[games->table_count - 1], result, player_count,
                                where)) {
        bool is_full =
            games->table_count == games->table_capacity ||
            (player_count > 2 && games->halves_capacity - games->halves_count < GAMES_PAIRS_MAX);

        if (is_full && games_grow_tables(games) < 0)
            return -ENOMEM;
        games_add_table(games, result, count, player_count, where);
    }
    struct games_table *table = &games->tables[games->table_count - 1];
    table->game_count++;
    outcome->game_count += count;
    games_count_halves(games_halves_of(games, table, player_count), outcome, player_count, where);
    games_count_places(games, result, outcome, player_count, count);
    return 0;
}

int games_add(struct games *games, const struct games_result *result)
{
    return games_add_alike(games, result, 1);
}

int games_add_alike(struct games *games, const struct games_result *result, uint32_t count)
{
    assert(result->player_count >= GAMES_PLAYERS_MIN && result->player_count <= GAMES_PLAYERS_MAX);
    assert(count <= 1 || result->player_count == 2);
    if (count == 0)
        return 0;
    switch (result->player_count) {
    case 2:
        return games_add_sized(games, result, count, 2);
    case 3:
        return games_add_sized(games, result, count, 3);
    default:
        return games_add_sized(games, result, count, 4);
    }
}

/* Renumbers the bots of a table, sorts them again and rearranges the table's points. */
static inline __attribute__((always_inline)) void renumber_table(struct games *games,
                                                                 struct games_table *table,
                                                                 const uint16_t *places,
                                                                 int player_count)
{
    uint32_t *halves = games_halves_of(games, table, player_count);
    uint32_t old_halves[GAMES_PAIRS_MAX];
    uint16_t bots[GAMES_PLAYERS_MAX];
    int where[GAMES_PLAYERS_MAX];

    memcpy(old_halves, halves, (size_t)games_count_pairs(player_count) * sizeof *halves);
    for (int i = 0; i < player_count; i++)
        bots[i] = places[table->bots[i]];
    games_sort_seats(bots, player_count, where);
    for (int i = 0, pair = 0; i < player_count; i++) {
        table->bots[where[i]] = bots[i];
        for (int j = i + 1; j < player_count; j++, pair++)
            halves[games_pair_number(player_count, where[i], where[j])] =
                where[i] < where[j] ? old_halves[pair] : 2 * table->game_count - old_halves[pair];
    }
}

int games_renumber(struct games *games, const uint16_t *places, int bot_count)
{
    struct games_bot *bots = calloc((size_t)bot_count + 1, sizeof *bots);

    assert(!games->pairs);
    if (!bots)
        return -ENOMEM;
    for (int i = 0; i < bot_count; i++)
        bots[places[i]] = games->bots[i];
    free(games->bots);
    games->bots = bots;
    games->bot_count = bot_count;
    for (size_t i = 0; i < games->table_count; i++) {
        struct games_table *table = &games->tables[i];

        if (table->player_count == 2)
            renumber_table(games, table, places, 2);
        else if (table->player_count == 3)
            renumber_table(games, table, places, 3);
        else
            renumber_table(games, table, places, 4);
    }
    return 0;
}

/* True if two tables have the same group and bots. */
static bool tables_match(const struct games_table *a, const struct games_table *b)
{
    return a->group == b->group && a->player_count == b->player_count &&
           memcmp(a->bots, b->bots, a->player_count * sizeof *a->bots) == 0;
}

/* Adds the games of the table `added` to a table with the same group and bots. */
static void join_table(struct games *games, struct games_table *table,
                       const struct games_table *added)
{
    uint32_t *halves = games_halves_of(games, table, table->player_count);
    const uint32_t *added_halves = games_table_halves(games, added);

    table->game_count += added->game_count;
    for (int pair = 0; pair < games_count_pairs(table->player_count); pair++)
        halves[pair] += added_halves[pair];
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

/* Sorts the tables and merges tables with the same group and bots. */
static void sort_tables(struct games *games)
{
    size_t kept = 0;

    if (!games->groups_fall)
        return;
    qsort(games->tables, games->table_count, sizeof *games->tables, compare_tables);
    for (size_t i = 1; i < games->table_count; i++) {
        if (tables_match(&games->tables[kept], &games->tables[i]))
            join_table(games, &games->tables[kept], &games->tables[i]);
        else
            games->tables[++kept] = games->tables[i];
    }
    games->table_count = kept + 1;
}

/* What has been counted so far of the tables of a bot. */
struct company {
    int64_t last_group;
    /* Sums of the bot's first table; pair_count is 0 before that table. */
    int64_t pair_count, halves;
};

/*
 * Adds a table to the sums of its pairs, and to the sums of its bots that do not follow from pairs.
 * player_count is a compile-time constant.
 */
static inline __attribute__((always_inline)) void count_table(struct games *games,
                                                              const struct games_table *table,
                                                              struct company *companies,
                                                              int player_count)
{
    const uint32_t *table_halves =
        player_count == 2 ? &table->halves : games->halves + table->halves_at;
    int64_t repeat_count = player_count == 2 ? table->repeat_count : 1;
    int64_t game_count = table->game_count * repeat_count;
    int kappa = games_kappa_twentieths(player_count);
    int64_t taken[GAMES_PLAYERS_MAX] = {0};

    for (int i = 0, pair = 0; i < player_count; i++)
        for (int j = i + 1; j < player_count; j++, pair++) {
            size_t a = table->bots[i];
            size_t b = table->bots[j];
            struct games_pair *sum = &games->pairs[b * (b - 1) / 2 + a];
            int64_t halves = table_halves[pair];

            taken[i] += halves;
            taken[j] += 2 * (int64_t)table->game_count - halves;
            sum->game_count += game_count;
            sum->halves += halves * repeat_count;
            sum->weight += kappa * game_count;
            sum->points += kappa * halves * repeat_count;
        }
    for (int i = 0; i < player_count; i++) {
        struct games_bot *bot = &games->bots[table->bots[i]];
        struct company *company = &companies[table->bots[i]];
        int64_t pair_count = (player_count - 1) * (int64_t)table->game_count;

        if (company->pair_count == 0)
            *company = (struct company){table->group - 1, pair_count, taken[i]};
        if (company->last_group != table->group)
            bot->group_count += repeat_count;
        company->last_group = table->group;
        if (!bot->share_varies)
            bot->share_varies = taken[i] * company->pair_count != company->halves * pair_count;
    }
}

/* Adds a pair to the sums of one of its bots. */
static void count_pair(struct games_bot *bot, const struct games_pair *pair, int64_t halves)
{
    bot->pair_count += pair->game_count;
    bot->halves += halves;
    bot->information_tenths += pair->weight; /* doubled here; halved once all pairs are added */
}

/* Computes the sums over each bot's places and pairs, and over all pairs. */
static void sum_pairs(struct games *games)
{
    for (int b = 0; b < games->bot_count; b++) {
        struct games_bot *bot = &games->bots[b];

        for (int place = 0; place < GAMES_PLAYERS_MAX; place++)
            bot->game_count += bot->place_counts[place];
        for (int a = 0; a < b; a++) {
            const struct games_pair *pair = games_pair_of(games, a, b);

            count_pair(&games->bots[a], pair, pair->halves);
            count_pair(bot, pair, 2 * pair->game_count - pair->halves);
            games->pair_count += pair->game_count;
        }
    }
    for (int i = 0; i < games->bot_count; i++)
        games->bots[i].information_tenths /= 2;
}

/*
 * Allocates the sums, or clears the sums of an earlier call, except places, which are counted when
 * games are added.
 */
static int clear_sums(struct games *games)
{
    size_t bot_count = (size_t)games->bot_count;
    size_t pair_count = bot_count * (bot_count + 1) / 2;

    if (games->pairs)
        memset(games->pairs, 0, pair_count * sizeof *games->pairs);
    else
        games->pairs = calloc(pair_count + 1, sizeof *games->pairs);
    if (!games->pairs)
        return -ENOMEM;
    games->game_count = games->group_count = games->pair_count = 0;
    for (size_t i = 0; i < bot_count; i++) {
        struct games_bot kept = {.shared_win_count = games->bots[i].shared_win_count};

        memcpy(kept.place_counts, games->bots[i].place_counts, sizeof kept.place_counts);
        games->bots[i] = kept;
    }
    return 0;
}

/* Adds the games that ended with an outcome to the sums of their seats. */
static void count_outcome(struct games *games, const struct games_outcome *outcome,
                          int player_count)
{
    games->tie_halves += outcome->tie_halves * outcome->game_count;
    for (int i = 0; i < player_count; i++) {
        struct games_seat *seat = &games->seats[player_count][i];
        int halves = outcome->halves[i];

        seat->game_count += outcome->game_count;
        seat->halves += halves * outcome->game_count;
        seat->halves_squared += halves * halves * outcome->game_count;
    }
}

static void sum_outcomes(struct games *games)
{
    games->tie_halves = 0;
    memset(games->seats, 0, sizeof games->seats);
    for (int player_count = GAMES_PLAYERS_MIN; player_count <= GAMES_PLAYERS_MAX; player_count++)
        for (int number = 0; number < 1 << 2 * player_count; number++)
            count_outcome(games, &games->outcomes[player_count * GAMES_OUTCOMES + number],
                          player_count);
}

int games_settle(struct games *games)
{
    struct company *companies = calloc((size_t)games->bot_count + 1, sizeof *companies);

    if (!companies || clear_sums(games) < 0) {
        free(companies);
        return -ENOMEM;
    }
    sort_tables(games);
    for (size_t at = 0; at < games->table_count; at++) {
        const struct games_table *table = &games->tables[at];

        if (at == 0 || table[-1].group != table->group)
            games->group_count += games_table_repeats(table);
        games->game_count += (int64_t)table->game_count * games_table_repeats(table);
        if (table->player_count == 2)
            count_table(games, table, companies, 2);
        else if (table->player_count == 3)
            count_table(games, table, companies, 3);
        else
            count_table(games, table, companies, 4);
    }
    sum_pairs(games);
    sum_outcomes(games);
    free(companies);
    return 0;
}

int64_t games_halves(const struct games *games, int a, int b)
{
    const struct games_pair *pair = a < b ? games_pair_of(games, a, b) : games_pair_of(games, b, a);

    return a < b ? pair->halves : 2 * pair->game_count - pair->halves;
}
