#include "arena/rating/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/csv_rows.h"

struct csv_reader {
    struct csv_rows rows;
};

struct csv_reader *csv_reader_create(void)
{
    return calloc(1, sizeof(struct csv_reader));
}

void csv_reader_destroy(struct csv_reader *reader)
{
    if (reader)
        csv_rows_finish(&reader->rows);
    free(reader);
}

int csv_reader_feed(struct csv_reader *reader, const char *piece, size_t size_bytes,
                    size_t *taken_bytes, struct csv_error *error)
{
    const char *last = size_bytes > 0 ? memrchr(piece, '\n', size_bytes) : NULL;

    reader->rows.error = error;
    *taken_bytes = last ? (size_t)(last + 1 - piece) : 0;
    if (!last && size_bytes >= CSV_LINE_BYTES_MAX)
        return csv_rows_refuse(&reader->rows, reader->rows.line + 1,
                               "the line is longer than %d bytes", CSV_LINE_BYTES_MAX);
    return csv_rows_read(&reader->rows, piece, *taken_bytes);
}

/* Adds a game that must have a row for each of its seats; else sets the error. */
static int add_game(struct csv_rows *rows, const struct csv_game *game, struct games *games)
{
    struct games_result result = {.group = game->group};
    bool won = false;

    for (int seat = 0; seat < GAMES_PLAYERS_MAX; seat++) {
        result.player_count += game->ranks[seat] != 0;
        won |= game->ranks[seat] == 1;
    }
    if (result.player_count < GAMES_PLAYERS_MIN)
        return csv_rows_refuse(rows, game->line, "the game has one row only");
    for (int seat = 0; seat < result.player_count; seat++) {
        if (game->ranks[seat] == 0)
            return csv_rows_refuse(rows, game->line, "the game has %d rows but none for seat %d",
                                   result.player_count, seat);
        if (game->ranks[seat] > result.player_count)
            return csv_rows_refuse(rows, game->line, "the game has %d rows but a rank of %u",
                                   result.player_count, game->ranks[seat]);
        for (int other = 0; other < seat; other++)
            if (game->bots[other] == game->bots[seat])
                return csv_rows_refuse(rows, game->line,
                                       "seats %d and %d of the game have the same player", other,
                                       seat);
        result.bots[seat] = game->bots[seat];
        result.ranks[seat] = game->ranks[seat];
    }
    if (!won)
        return csv_rows_refuse(rows, game->line, "nobody has rank 1 in the game");
    return games_add(games, &result);
}

/* Compares the names of two players, which are numbers in `players`. */
static int compare_names(const void *a, const void *b, void *players)
{
    size_t a_size, b_size;
    const char *a_name = names_text(players, *(const uint32_t *)a, &a_size);
    const char *b_name = names_text(players, *(const uint32_t *)b, &b_size);
    int order = memcmp(a_name, b_name, a_size < b_size ? a_size : b_size);

    return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

/*
 * Writes the players' names in ascending order; places[number] is the position of a player's name.
 */
static int sort_names(struct names *players, char **names, uint16_t *places)
{
    uint32_t *sorted = calloc(players->count + 1, sizeof *sorted);
    int error = sorted ? 0 : -ENOMEM;

    for (uint32_t i = 0; i < players->count && error == 0; i++)
        sorted[i] = i;
    if (error == 0)
        qsort_r(sorted, players->count, sizeof *sorted, compare_names, players);
    for (uint32_t i = 0; i < players->count && error == 0; i++) {
        size_t size;
        const char *name = names_text(players, sorted[i], &size);

        names[i] = strndup(name, size);
        error = names[i] ? 0 : -ENOMEM;
        places[sorted[i]] = (uint16_t)i;
    }
    free(sorted);
    return error;
}

/* Adds the rows of the second form; groups are numbered in the order of rows, wins before draws. */
static int add_pairings(const struct csv_rows *rows, struct games *games)
{
    static const uint8_t ranks[3][2] = {{1, 2}, {1, 1}, {2, 1}};
    struct games_result result = {.player_count = 2};

    for (size_t i = 0; i < rows->pairing_count; i++) {
        const struct csv_pairing *pairing = &rows->pairings[i];

        result.bots[0] = pairing->bots[0];
        result.bots[1] = pairing->bots[1];
        for (int outcome = 0; outcome < 3; outcome++) {
            memcpy(result.ranks, ranks[outcome], sizeof ranks[outcome]);
            int error = games_add_alike(games, &result, pairing->counts[outcome]);
            if (error < 0)
                return error;
            result.group += pairing->counts[outcome];
        }
    }
    return 0;
}

/* Sets the previous versions. Each must have played, and there must be no cycles. */
static int set_previous(struct csv_rows *rows, const uint16_t *places, int *previous)
{
    int count = (int)rows->players.count;

    for (int i = 0; i < count; i++)
        previous[places[i]] = CSV_NOBODY;
    for (int i = 0; i < count && rows->previous_column; i++) {
        const struct csv_player *fact = &rows->facts[i];
        int steps = 0;

        if (fact->previous == CSV_NOBODY)
            continue;
        if (!rows->facts[fact->previous].plays)
            return csv_rows_refuse(rows, fact->line, "the previous version plays in no game");
        previous[places[i]] = places[fact->previous];
        for (int at = i; at != CSV_NOBODY; at = rows->facts[at].previous)
            if (steps++ > count)
                return csv_rows_refuse(rows, fact->line, "the previous versions form a cycle");
    }
    return 0;
}

/* Creates the settled set from the rows. */
static int make_set(struct csv_rows *rows, struct csv *csv)
{
    uint32_t count = rows->players.count;
    uint16_t *places = calloc(count + 1, sizeof *places);
    int error = games_init(&csv->games, (int)count);

    csv->names = calloc(count + 1, sizeof *csv->names);
    csv->previous = calloc(count + 1, sizeof *csv->previous);
    if (error == 0 && !(places && csv->names && csv->previous))
        error = -ENOMEM;
    for (size_t i = 0; i < rows->game_count && error == 0; i++)
        error = add_game(rows, &rows->games[i], &csv->games);
    if (error == 0)
        error = sort_names(&rows->players, csv->names, places);
    if (error == 0)
        error = set_previous(rows, places, csv->previous);
    if (error == 0)
        error = add_pairings(rows, &csv->games);
    if (error == 0)
        error = games_renumber(&csv->games, places, (int)count);
    if (error == 0)
        error = games_settle(&csv->games);
    free(places);
    return error;
}

int csv_reader_end(struct csv_reader *reader, const char *rest, size_t size_bytes, struct csv *csv,
                   struct csv_error *error)
{
    struct csv_rows *rows = &reader->rows;
    int result = 0;

    memset(csv, 0, sizeof *csv);
    rows->error = error;
    if (size_bytes > 0)
        result = csv_rows_read_line(rows, rest, size_bytes);
    if (result == 0 && rows->form == CSV_HEADER)
        result = csv_rows_refuse(rows, rows->line > 0 ? rows->line : 1,
                                 "there is no header: game,group,player,seat,rank or "
                                 "first,second,first_wins,draws,second_wins");
    if (result == 0)
        result = make_set(rows, csv);
    if (result < 0)
        csv_finish(csv);
    return result;
}

int csv_read(const char *text, size_t size_bytes, struct csv *csv, struct csv_error *error)
{
    struct csv_reader *reader = csv_reader_create();
    size_t taken_bytes = 0;
    int result = -ENOMEM;

    memset(csv, 0, sizeof *csv);
    if (reader)
        result = csv_reader_feed(reader, text, size_bytes, &taken_bytes, error);
    if (result == 0)
        result = csv_reader_end(reader, text + taken_bytes, size_bytes - taken_bytes, csv, error);
    csv_reader_destroy(reader);
    return result;
}

void csv_finish(struct csv *csv)
{
    for (int i = 0; csv->names && csv->names[i]; i++)
        free(csv->names[i]);
    free(csv->names);
    free(csv->previous);
    games_finish(&csv->games);
    memset(csv, 0, sizeof *csv);
}
