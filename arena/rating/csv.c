#include "arena/rating/csv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/names.h"

enum {
    COLUMNS = 5, /* of both forms */
};

static const char *const games_header[COLUMNS] = {"game", "group", "player", "seat", "rank"};
static const char *const results_header[COLUMNS] = {"first", "second", "first_wins", "draws",
                                                    "second_wins"};
static const int64_t group_max = 1000000000000000;

struct field {
    const char *bytes;
    size_t size;
};

/* A game whose rows are being gathered, by seat. */
struct game {
    int64_t group;
    int64_t line; /* of its first row */
    uint16_t bots[GAMES_PLAYERS_MAX];
    uint8_t ranks[GAMES_PLAYERS_MAX];
    uint8_t seats; /* a bit for each seat seen */
};

/* A row of results. */
struct pairing {
    uint16_t bots[2];
    uint32_t counts[3]; /* first wins, draws, second wins */
};

struct reader {
    const char *at, *end; /* what is still unread */
    int64_t line;
    struct field fields[COLUMNS];
    struct names players;
    struct names game_ids;
    struct game *games; /* by number of its id */
    size_t game_capacity;
    struct pairing *pairings;
    size_t pairing_count, pairing_capacity;
    struct csv_error *error;
};

/* Tells what is wrong with a line. Returns -EINVAL. */
static int refuse(struct reader *reader, int64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int refuse(struct reader *reader, int64_t line, const char *format, ...)
{
    va_list arguments;

    reader->error->line = line;
    va_start(arguments, format);
    vsnprintf(reader->error->message, sizeof reader->error->message, format, arguments);
    va_end(arguments);
    for (char *c = reader->error->message; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c >= 0x7f)
            *c = '?';
    return -EINVAL;
}

/* Cuts a field at *from, which is then at the comma or the end of the line. */
static struct field cut_field(const char **from, const char *end)
{
    const char *at = *from;
    struct field field = {at, 0};

    if (at < end && *at == '"') {
        const char *quote = memchr(at + 1, '"', (size_t)(end - at - 1));
        const char *line_end = memchr(at, '\n', (size_t)(end - at));

        if (quote && (!line_end || quote < line_end)) {
            field.bytes = at + 1;
            field.size = (size_t)(quote - at - 1);
            at = quote + 1;
            if (end - at >= 2 && at[0] == '\r' && at[1] == '\n')
                at++;
            if (at == end || *at == ',' || *at == '\n') {
                *from = at;
                return field;
            }
            field.bytes--; /* stray bytes after the quote: the field as it stands */
        }
    }
    while (at < end && *at != ',' && *at != '\n')
        at++;
    field.size = (size_t)(at - field.bytes);
    if (field.size > 0 && field.bytes[field.size - 1] == '\r' && (at == end || *at == '\n'))
        field.size--;
    *from = at;
    return field;
}

/* Reads the next line that is not empty. Returns 1, 0 at the end, or -EINVAL. */
static int read_row(struct reader *reader)
{
    const char *at = reader->at;
    int count = 0;

    for (; at < reader->end && (*at == '\n' || *at == '\r'); at++)
        reader->line += *at == '\n';
    if (at == reader->end)
        return 0;
    reader->line++;
    for (;;) {
        reader->fields[count++] = cut_field(&at, reader->end);
        if (count == COLUMNS || at == reader->end || *at == '\n')
            break;
        at++;
    }
    if (count < COLUMNS)
        return refuse(reader, reader->line, "%d fields are needed, here are %d", COLUMNS, count);
    if (at < reader->end && *at != '\n')
        at = memchr(at, '\n', (size_t)(reader->end - at));
    reader->at = at && at < reader->end ? at + 1 : reader->end;
    return 1;
}

static bool header_is(const struct reader *reader, const char *const names[static COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++)
        if (reader->fields[i].size != strlen(names[i]) ||
            memcmp(reader->fields[i].bytes, names[i], reader->fields[i].size) != 0)
            return false;
    return true;
}

/* Reads a whole number from low to high. */
static int read_number(struct reader *reader, int column, const char *name, int64_t low,
                       int64_t high, int64_t *value)
{
    struct field field = reader->fields[column];
    int64_t number = 0;
    size_t i = 0;

    for (; i < field.size && field.bytes[i] >= '0' && field.bytes[i] <= '9' && number <= high; i++)
        number = 10 * number + (field.bytes[i] - '0');
    if (field.size == 0 || i < field.size || number < low || number > high)
        return refuse(reader, reader->line, "%s is a whole number from %lld to %lld, not '%.*s'",
                      name, (long long)low, (long long)high,
                      (int)(field.size < 30 ? field.size : 30), field.bytes);
    *value = number;
    return 0;
}

/* True for UTF-8 without control characters; cut short, overlong or surrogate is false. */
static bool is_clean_text(const char *bytes, size_t size)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};

    for (size_t i = 0; i < size;) {
        uint8_t lead = (uint8_t)bytes[i++];
        int more = lead < 0x80 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        uint32_t point = more == 0 ? lead : lead & (0x3fu >> more);

        if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4 || size - i < (size_t)more)
            return false;
        for (int k = 0; k < more; k++, i++) {
            if (((uint8_t)bytes[i] & 0xc0) != 0x80)
                return false;
            point = point << 6 | ((uint8_t)bytes[i] & 0x3f);
        }
        if (point < ' ' || (point >= 0x7f && point < 0xa0) || point < least[more] ||
            (point >= 0xd800 && point < 0xe000) || point > 0x10ffff)
            return false;
    }
    return true;
}

/* The number of a player, in order of appearance. */
static int read_player(struct reader *reader, int column, uint16_t *bot)
{
    struct field field = reader->fields[column];
    uint32_t known = reader->players.count;

    if (field.size == 0 || field.size > CSV_NAME_BYTES_MAX)
        return refuse(reader, reader->line, "a player's name has 1 to %d bytes, not %zu",
                      CSV_NAME_BYTES_MAX, field.size);
    int64_t number = names_number(&reader->players, field.bytes, (uint32_t)field.size);
    if (number < 0)
        return (int)number;
    if (reader->players.count > known && !is_clean_text(field.bytes, field.size))
        return refuse(reader, reader->line,
                      "a player's name is UTF-8 without control characters, not '%.*s'",
                      (int)(field.size < 30 ? field.size : 30), field.bytes);
    if (number >= GAMES_BOTS_MAX)
        return refuse(reader, reader->line, "more than %d players", GAMES_BOTS_MAX);
    *bot = (uint16_t)number;
    return 0;
}

/* The game of a row: the one before, as a rule, else one found or begun by its id. */
static int find_game(struct reader *reader, struct game **found)
{
    struct field id = reader->fields[0];

    if (id.size == 0 || id.size > CSV_GAME_BYTES_MAX)
        return refuse(reader, reader->line, "a game's id has 1 to %d bytes, not %zu",
                      CSV_GAME_BYTES_MAX, id.size);
    int64_t number = names_number(&reader->game_ids, id.bytes, (uint32_t)id.size);
    if (number < 0)
        return (int)number;
    if ((size_t)number == reader->game_capacity) {
        size_t capacity = reader->game_capacity ? 4 * reader->game_capacity : 1024;
        struct game *games = realloc(reader->games, capacity * sizeof *games);

        if (!games)
            return -ENOMEM;
        memset(games + reader->game_capacity, 0,
               (capacity - reader->game_capacity) * sizeof *games);
        reader->games = games;
        reader->game_capacity = capacity;
    }
    *found = &reader->games[number];
    return 0;
}

static int read_seat(struct reader *reader)
{
    struct game *game = NULL;
    int64_t group = 0;
    int64_t seat = 0;
    int64_t rank = 0;
    uint16_t bot = 0;
    int error = find_game(reader, &game);

    if (error == 0)
        error = read_number(reader, 1, "a group", 0, group_max, &group);
    if (error == 0)
        error = read_player(reader, 2, &bot);
    if (error == 0)
        error = read_number(reader, 3, "a seat", 0, GAMES_PLAYERS_MAX - 1, &seat);
    if (error == 0)
        error = read_number(reader, 4, "a rank", 1, GAMES_PLAYERS_MAX, &rank);
    if (error < 0)
        return error;
    if (game->seats == 0) {
        game->group = group;
        game->line = reader->line;
    }
    if (game->group != group)
        return refuse(reader, reader->line, "the game is in group %lld since line %lld",
                      (long long)game->group, (long long)game->line);
    if (game->seats & 1 << seat)
        return refuse(reader, reader->line,
                      "the game that begins in line %lld has a seat %d already",
                      (long long)game->line, (int)seat);
    for (int other = 0; other < GAMES_PLAYERS_MAX; other++)
        if (game->seats & 1 << other && game->bots[other] == bot)
            return refuse(reader, reader->line, "the player sits at seat %d of this game already",
                          other);
    game->seats |= (uint8_t)(1 << seat);
    game->bots[seat] = bot;
    game->ranks[seat] = (uint8_t)rank;
    return 0;
}

static int read_pairing(struct reader *reader)
{
    struct pairing pairing = {0};
    int error = read_player(reader, 0, &pairing.bots[0]);

    if (error == 0)
        error = read_player(reader, 1, &pairing.bots[1]);
    for (int i = 0; i < 3 && error == 0; i++) {
        int64_t count = 0;
        error = read_number(reader, 2 + i, results_header[2 + i], 0, CSV_COUNT_MAX, &count);
        pairing.counts[i] = (uint32_t)count;
    }
    if (error < 0)
        return error;
    if (pairing.bots[0] == pairing.bots[1])
        return refuse(reader, reader->line, "a player does not play itself");
    if (reader->pairing_count == reader->pairing_capacity) {
        size_t capacity = reader->pairing_capacity ? 2 * reader->pairing_capacity : 256;
        struct pairing *pairings = realloc(reader->pairings, capacity * sizeof *pairings);

        if (!pairings)
            return -ENOMEM;
        reader->pairings = pairings;
        reader->pairing_capacity = capacity;
    }
    reader->pairings[reader->pairing_count++] = pairing;
    return 0;
}

/* All rows, whichever form the header announces. */
static int read_rows(struct reader *reader)
{
    int (*read_fn)(struct reader * reader) = NULL;
    int got = read_row(reader);

    if (got == 1 && header_is(reader, games_header))
        read_fn = read_seat;
    else if (got == 1 && header_is(reader, results_header))
        read_fn = read_pairing;
    else
        return refuse(reader, reader->line > 0 ? reader->line : 1,
                      "the header is game,group,player,seat,rank or "
                      "first,second,first_wins,draws,second_wins");
    while ((got = read_row(reader)) == 1) {
        int error = read_fn(reader);
        if (error < 0)
            return error;
    }
    return got;
}

/* What only shows once all rows of a game are there. */
static int check_game(struct reader *reader, const struct game *game)
{
    int player_count = __builtin_popcount(game->seats);
    int best = GAMES_PLAYERS_MAX;

    if (player_count < GAMES_PLAYERS_MIN)
        return refuse(reader, game->line, "the game has one row only");
    for (int seat = 0; seat < player_count; seat++) {
        if (!(game->seats & 1 << seat))
            return refuse(reader, game->line, "the game has %d rows but none for seat %d",
                          player_count, seat);
        if (game->ranks[seat] > player_count)
            return refuse(reader, game->line, "the game has %d rows but a rank of %d", player_count,
                          game->ranks[seat]);
        if (game->ranks[seat] < best)
            best = game->ranks[seat];
    }
    if (best != 1)
        return refuse(reader, game->line, "nobody has rank 1 in the game");
    return 0;
}

static int compare_texts(const void *a_pointer, const void *b_pointer)
{
    const struct names_text *a = *(const struct names_text *const *)a_pointer;
    const struct names_text *b = *(const struct names_text *const *)b_pointer;
    int order = memcmp(a->bytes, b->bytes, a->size < b->size ? a->size : b->size);

    return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

/*
 * Writes the players' names in ascending order, and by number in order of appearance
 * the place each has there.
 */
static int sort_names(const struct reader *reader, struct csv *csv, uint16_t *places)
{
    uint32_t count = reader->players.count;
    const struct names_text **sorted = calloc(count + 1, sizeof(*sorted));
    int error = -ENOMEM;

    csv->names = calloc(count + 1, sizeof *csv->names);
    if (!sorted || !csv->names)
        goto out;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &reader->players.texts[i];
    qsort(sorted, count, sizeof(*sorted), compare_texts);
    for (uint32_t i = 0; i < count; i++) {
        csv->names[i] = strndup(sorted[i]->bytes, sorted[i]->size);
        if (!csv->names[i])
            goto out;
        places[sorted[i] - reader->players.texts] = (uint16_t)i;
    }
    error = 0;
out:
    free(sorted);
    return error;
}

/* Checks the games and adds them to the set, players numbered by name. */
static int add_games(struct reader *reader, const uint16_t *places, struct games *games)
{
    for (uint32_t i = 0; i < reader->game_ids.count; i++) {
        const struct game *game = &reader->games[i];
        struct games_result result = {.group = game->group};
        int error = check_game(reader, game);

        if (error < 0)
            return error;
        result.player_count = __builtin_popcount(game->seats);
        for (int seat = 0; seat < result.player_count; seat++) {
            result.bots[seat] = places[game->bots[seat]];
            result.ranks[seat] = game->ranks[seat];
        }
        error = games_add(games, &result);
        if (error < 0)
            return error;
    }
    return 0;
}

static int add_pairings(const struct reader *reader, const uint16_t *places, struct games *games)
{
    static const uint8_t ranks[3][2] = {{1, 2}, {1, 1}, {2, 1}};
    struct games_result result = {.player_count = 2};

    for (size_t i = 0; i < reader->pairing_count; i++) {
        const struct pairing *pairing = &reader->pairings[i];

        result.bots[0] = places[pairing->bots[0]];
        result.bots[1] = places[pairing->bots[1]];
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

/* From rows to the settled set. */
static int make_games(struct reader *reader, struct csv *csv)
{
    uint16_t *places = calloc(reader->players.count + 1, sizeof *places);
    int error = places ? sort_names(reader, csv, places) : -ENOMEM;

    if (error == 0)
        error = games_init(&csv->games, (int)reader->players.count);
    if (error == 0)
        error = add_games(reader, places, &csv->games);
    if (error == 0)
        error = add_pairings(reader, places, &csv->games);
    if (error == 0)
        error = games_settle(&csv->games);
    free(places);
    return error;
}

int csv_read(const char *text, size_t size_bytes, struct csv *csv, struct csv_error *error)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    struct reader reader = {.at = text, .end = text + size_bytes, .error = error};
    int result = names_init(&reader.players);

    memset(csv, 0, sizeof *csv);
    if (size_bytes >= 3 && memcmp(text, byte_order_mark, 3) == 0)
        reader.at += 3;
    if (result == 0)
        result = names_init(&reader.game_ids);
    if (result == 0)
        result = read_rows(&reader);
    if (result == 0)
        result = make_games(&reader, csv);
    if (result < 0)
        csv_finish(csv);
    names_finish(&reader.players);
    names_finish(&reader.game_ids);
    free(reader.games);
    free(reader.pairings);
    return result;
}

void csv_finish(struct csv *csv)
{
    for (int i = 0; csv->names && csv->names[i]; i++)
        free(csv->names[i]);
    free(csv->names);
    games_finish(&csv->games);
    memset(csv, 0, sizeof *csv);
}
