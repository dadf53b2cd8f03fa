#include "arena/rating/csv_games.h"

#include <stdlib.h>
#include <string.h>

#include "arena/rating/games_add.h"

int csv_games_init(struct csv_games *games)
{
    memset(games, 0, sizeof *games);
    games->records = malloc(CSV_GAMES_KEPT * sizeof *games->records);
    games->record_capacity = CSV_GAMES_KEPT;
    if (!games->records || games_init(&games->set, GAMES_BOTS_MAX) < 0) {
        free(games->records);
        return -ENOMEM;
    }
    return 0;
}

void csv_games_finish(struct csv_games *games)
{
    games_finish(&games->set);
    free(games->records);
    free(games->seats);
    memset(games, 0, sizeof *games);
}

/*
 * Adds a game with a row for each of its seats. Returns 0, -ENOMEM, or -EINVAL if it is
 * none: a rank beyond their number, no winner, a player twice.
 */
static inline __attribute__((always_inline)) int
add_sized(struct games *set, const struct csv_game *game, int player_count)
{
    struct games_result result = {.group = game->group, .player_count = player_count};
    bool meets_itself = false;

    for (int seat = 0; seat < player_count; seat++) {
        result.bots[seat] = (uint16_t)csv_game_bot(game, seat);
        result.ranks[seat] = (uint8_t)csv_game_rank(game, seat);
        for (int other = 0; other < seat; other++)
            meets_itself |= result.bots[other] == result.bots[seat];
    }
    if (meets_itself || !games_outcome_of(set, &result, player_count)->is_ranking)
        return -EINVAL;
    return games_add_sized(set, &result, 1, player_count);
}

/* The same for any game; one with a gap between its seats is none either. */
static inline int add_game(struct games *set, const struct csv_game *game)
{
    uint64_t seats; /* 16 bits each; of one that is taken below 1 << 15 and not 0 */

    _Static_assert(sizeof seats == sizeof game->seats, "the seats of a game are a word");
    memcpy(&seats, game->seats, sizeof seats);
    switch ((seats + 0x7fff7fff7fff7fff) & 0x8000800080008000) {
    case 0x80008000:
        return add_sized(set, game, 2);
    case 0x800080008000:
        return add_sized(set, game, 3);
    case 0x8000800080008000:
        return add_sized(set, game, 4);
    default:
        return -EINVAL;
    }
}

/* Makes room for the seats of so many games. */
static int reserve_seats(struct csv_games *games, size_t count)
{
    if (games->seat_capacity - games->seat_count >= GAMES_PLAYERS_MAX * count)
        return 0;
    size_t capacity = 2 * games->seat_capacity + GAMES_PLAYERS_MAX * count;
    uint16_t *seats = realloc(games->seats, capacity * sizeof *seats);
    if (!seats)
        return -ENOMEM;
    games->seats = seats;
    games->seat_capacity = capacity;
    return 0;
}

/*
 * Moves all games but the last to the set. Returns 0, -ENOMEM, or -EINVAL if one of them
 * is not whole or not where the rows of those before it end: it and the rest stay.
 */
static int move_to_set(struct csv_games *games)
{
    uint32_t count = games->count - games->first - 1;
    int error = reserve_seats(games, count);
    uint32_t i = 0;

    if (games->first == 0)
        games->first_line = games->records[0].line;
    for (; i < count && error == 0; i++) {
        const struct csv_game *game = &games->records[i];

        error = game->line == (uint32_t)games->first_line + (uint32_t)games->seat_count
                    ? add_game(&games->set, game)
                    : -EINVAL;
        if (error < 0)
            break;
        memcpy(games->seats + games->seat_count, game->seats, sizeof game->seats);
        games->seat_count += games->set.tables[games->set.table_count - 1].player_count;
    }
    games->first += i;
    memmove(games->records, games->records + i,
            (games->count - games->first) * sizeof *games->records);
    return error;
}

/* Makes records of all games; those of the set are those of one table after another. */
static int scatter(struct csv_games *games)
{
    size_t capacity = games->count + (size_t)CSV_GAMES_KEPT;
    struct csv_game *records = malloc(capacity * sizeof *records);
    struct csv_game *record = records;
    size_t seat_count = 0;

    if (!records)
        return -ENOMEM;
    for (size_t t = 0; t < games->set.table_count; t++) {
        const struct games_table *table = &games->set.tables[t];

        for (uint32_t i = 0; i < table->game_count; i++, record++) {
            *record = (struct csv_game){
                .group = table->group,
                .line = (uint32_t)games->first_line + (uint32_t)seat_count,
            };
            memcpy(record->seats, games->seats + seat_count,
                   table->player_count * sizeof *record->seats);
            seat_count += table->player_count;
        }
    }
    memcpy(record, games->records, (games->count - games->first) * sizeof *record);
    free(games->records);
    games->records = records;
    games->record_capacity = (uint32_t)capacity;
    games->first = 0;
    games->order = CSV_GAMES_SCATTERED;
    free(games->seats);
    games->seats = NULL;
    games_finish(&games->set);
    return games_init(&games->set, GAMES_BOTS_MAX);
}

int csv_games_make_room(struct csv_games *games, uint32_t number)
{
    if (games->order == CSV_GAMES_TOGETHER) {
        int error = number < games->first ? -EINVAL : move_to_set(games);

        return error == -EINVAL ? scatter(games) : error;
    }
    size_t capacity = 2 * (size_t)games->record_capacity;
    struct csv_game *records = realloc(games->records, capacity * sizeof *records);
    if (!records)
        return -ENOMEM;
    games->records = records;
    games->record_capacity = (uint32_t)capacity;
    return 0;
}

int csv_games_end(struct csv_games *games, struct games *set, struct csv_game *wrong)
{
    int error = 0;

    for (uint32_t i = 0; i < games->count - games->first && error == 0; i++) {
        error = add_game(&games->set, &games->records[i]);
        if (error == -EINVAL)
            *wrong = games->records[i];
    }
    if (error == 0) {
        *set = games->set;
        memset(&games->set, 0, sizeof games->set);
    }
    return error;
}
