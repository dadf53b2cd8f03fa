#include "arena/rating/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/csv_reader.h"

/* Adds a game that must have a row for each of its seats; else sets the error. */
static int add_game(struct csv_reader *reader, const struct csv_game *game, struct games *games)
{
    struct games_result result = {.group = game->group};
    bool won = false;

    for (int seat = 0; seat < GAMES_PLAYERS_MAX; seat++) {
        result.player_count += game->ranks[seat] != 0;
        won |= game->ranks[seat] == 1;
    }
    if (result.player_count < GAMES_PLAYERS_MIN)
        return csv_reader_refuse(reader, game->line, "the game has one row only");
    for (int seat = 0; seat < result.player_count; seat++) {
        if (game->ranks[seat] == 0)
            return csv_reader_refuse(reader, game->line,
                                     "the game has %d rows but none for seat %d",
                                     result.player_count, seat);
        if (game->ranks[seat] > result.player_count)
            return csv_reader_refuse(reader, game->line, "the game has %d rows but a rank of %u",
                                     result.player_count, game->ranks[seat]);
        for (int other = 0; other < seat; other++)
            if (game->bots[other] == game->bots[seat])
                return csv_reader_refuse(reader, game->line,
                                         "seats %d and %d of the game have the same player", other,
                                         seat);
        result.bots[seat] = game->bots[seat];
        result.ranks[seat] = game->ranks[seat];
    }
    if (!won)
        return csv_reader_refuse(reader, game->line, "nobody has rank 1 in the game");
    return games_add(games, &result);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Writes the players' names in ascending order; places[number] is a player's index in names. */
static int sort_names(const struct names *players, char **names, uint16_t *places)
{
    for (uint32_t i = 0; i < players->count; i++)
        if (!(names[i] = strdup(names_text(players, i))))
            return -ENOMEM;
    qsort(names, players->count, sizeof *names, compare_names);
    for (uint32_t i = 0; i < players->count; i++) {
        const char *name = names_text(players, i);
        char **place = bsearch(&name, names, players->count, sizeof *names, compare_names);

        places[i] = (uint16_t)(place - names);
    }
    return 0;
}

/* Adds the rows of the second form; groups are numbered in the order of rows, wins before draws. */
static int add_pairings(const struct csv_reader *reader, struct games *games)
{
    static const uint8_t ranks[3][2] = {{1, 2}, {1, 1}, {2, 1}};
    struct games_result result = {.player_count = 2};

    for (size_t i = 0; i < reader->pairing_count; i++) {
        const struct csv_pairing *pairing = &reader->pairings[i];

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
static int set_previous(struct csv_reader *reader, const uint16_t *places, int *previous)
{
    int count = (int)reader->players.count;

    for (int i = 0; i < count; i++)
        previous[places[i]] = CSV_NOBODY;
    for (int i = 0; i < count && reader->previous_column; i++) {
        const struct csv_player *fact = &reader->facts[i];
        int steps = 0;

        if (fact->previous == CSV_NOBODY)
            continue;
        if (!reader->facts[fact->previous].plays)
            return csv_reader_refuse(reader, fact->line, "the previous version plays in no game");
        previous[places[i]] = places[fact->previous];
        for (int at = i; at != CSV_NOBODY && reader->facts[at].plays;
             at = reader->facts[at].previous)
            if (steps++ > count)
                return csv_reader_refuse(reader, fact->line, "the previous versions form a cycle");
    }
    return 0;
}

/* Creates the settled set from the rows. */
static int make_set(struct csv_reader *reader, struct csv *csv)
{
    uint32_t count = reader->players.count;
    uint16_t *places = calloc(count + 1, sizeof *places);
    int error = games_init(&csv->games, (int)count);

    csv->names = calloc(count + 1, sizeof *csv->names);
    csv->previous = calloc(count + 1, sizeof *csv->previous);
    if (error == 0 && !(places && csv->names && csv->previous))
        error = -ENOMEM;
    for (size_t i = 0; i < reader->game_ids.count && error == 0; i++)
        error = add_game(reader, &reader->games[i], &csv->games);
    if (error == 0)
        error = sort_names(&reader->players, csv->names, places);
    if (error == 0)
        error = set_previous(reader, places, csv->previous);
    if (error == 0)
        error = add_pairings(reader, &csv->games);
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
    int result;

    memset(csv, 0, sizeof *csv);
    reader->error = error;
    result = csv_reader_read(reader, rest, size_bytes);
    if (result == 0 && reader->form == CSV_HEADER)
        result = csv_reader_refuse(reader, reader->line > 0 ? reader->line : 1,
                                   "there is no header: game,group,player,seat,rank or "
                                   "first,second,first_wins,draws,second_wins");
    if (result == 0)
        result = make_set(reader, csv);
    if (result < 0)
        csv_finish(csv);
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
