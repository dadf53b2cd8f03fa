#include "arena/rating/csv_rows.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/wire.h"

static const char *const games_header[CSV_COLUMNS] = {"game", "group", "player", "seat", "rank"};
static const char *const results_header[CSV_COLUMNS] = {"first", "second", "first_wins", "draws",
                                                        "second_wins"};
static const int64_t group_max = 1000000000000000;

int csv_rows_refuse(struct csv_rows *rows, int64_t line, const char *format, ...)
{
    va_list arguments;

    rows->error->line = line;
    va_start(arguments, format);
    vsnprintf(rows->error->message, sizeof rows->error->message, format, arguments);
    va_end(arguments);
    for (char *c = rows->error->message; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c >= 0x7f)
            *c = '?';
    return -EINVAL;
}

/* Returns the end of the field at `at`: a comma, or the end of the line. */
static const char *field_end(const char *at, const char *end)
{
    if (at < end && *at == '"') {
        const char *quote = memchr(at + 1, '"', (size_t)(end - at - 1));

        if (quote && (quote + 1 == end || quote[1] == ','))
            return quote + 1;
    }
    while (at < end && *at != ',')
        at++;
    return at;
}

/* Splits a line into fields, as many as are needed; ignores the others. */
static void cut_fields(struct csv_rows *rows, const char *at, const char *end)
{
    int count_max = rows->form == CSV_HEADER ? CSV_COLUMNS_MAX
                    : rows->previous_column  ? rows->previous_column + 1
                                             : CSV_COLUMNS;
    int count = 0;

    for (;; at++) {
        const char *from = at;
        bool is_quoted;

        at = field_end(from, end);
        is_quoted = at - from > 1 && *from == '"' && at[-1] == '"';
        rows->fields[count++] =
            (struct csv_field){from + is_quoted, (size_t)(at - from) - 2 * is_quoted};
        if (count == count_max || at == end)
            break;
    }
    rows->field_count = count;
}

static bool field_is(struct csv_field field, const char *text)
{
    return field.size == strlen(text) && memcmp(field.bytes, text, field.size) == 0;
}

static bool header_is(const struct csv_rows *rows, const char *const names[static CSV_COLUMNS])
{
    for (int i = 0; i < CSV_COLUMNS; i++)
        if (i >= rows->field_count || !field_is(rows->fields[i], names[i]))
            return false;
    return true;
}

/* Parses an integer from low to high. */
static int read_number(struct csv_rows *rows, int column, const char *name, int64_t low,
                       int64_t high, int64_t *value)
{
    struct csv_field field = rows->fields[column];
    const char *at = field.bytes, *end = at + (field.size < 18 ? field.size : 18);
    int64_t number = 0;

    for (; at < end && (unsigned)(*at - '0') < 10; at++)
        number = 10 * number + (*at - '0');
    if (field.size == 0 || at < field.bytes + field.size || number < low || number > high)
        return csv_rows_refuse(
            rows, rows->line, "%s is a whole number from %lld to %lld, not '%.*s'", name,
            (long long)low, (long long)high, (int)(field.size < 30 ? field.size : 30), field.bytes);
    *value = number;
    return 0;
}

/* True for valid UTF-8 without control characters. */
static bool is_clean_text(const char *bytes, size_t size)
{
    for (size_t at = 0, count; at < size; at += count) {
        uint32_t code;

        count = wire_character(bytes + at, size - at, &code);
        if (count == 0 || code < ' ' || (code >= 0x7f && code < 0xa0))
            return false;
    }
    return true;
}

/* Reads a player and sets *bot to its number, in order of first rows. */
static int read_player(struct csv_rows *rows, int column, uint16_t *bot)
{
    struct csv_field field = rows->fields[column];
    uint32_t known_count = rows->players.count;

    if (field.size == 0 || field.size > CSV_NAME_BYTES_MAX)
        return csv_rows_refuse(rows, rows->line, "a player's name has 1 to %d bytes, not %zu",
                               CSV_NAME_BYTES_MAX, field.size);
    int64_t number = names_number(&rows->players, field.bytes, field.size);
    if (number < 0)
        return (int)number;
    if (rows->players.count > known_count && !is_clean_text(field.bytes, field.size))
        return csv_rows_refuse(rows, rows->line,
                               "a player's name is UTF-8 without control characters, not '%.*s'",
                               (int)(field.size < 30 ? field.size : 30), field.bytes);
    if (number >= GAMES_BOTS_MAX)
        return csv_rows_refuse(rows, rows->line, "more than %d players", GAMES_BOTS_MAX);
    *bot = (uint16_t)number;
    return 0;
}

/* Reads a player's previous version, which must be the same in every row. */
static int read_previous(struct csv_rows *rows, uint16_t bot)
{
    struct csv_player *fact = &rows->facts[bot];
    int32_t previous = CSV_NOBODY;

    if (rows->previous_column && rows->fields[rows->previous_column].size > 0) {
        uint16_t before;
        int error = read_player(rows, rows->previous_column, &before);

        if (error < 0)
            return error;
        previous = before;
    }
    if (fact->plays && fact->previous != previous)
        return csv_rows_refuse(rows, rows->line,
                               "names another previous version for the player than line %lld does",
                               (long long)fact->line);
    if (!fact->plays)
        *fact = (struct csv_player){rows->line, previous, true};
    return 0;
}

/* True if id is that of the last new game: the rows of a game are usually consecutive. */
static bool is_last_id(const struct csv_rows *rows, struct csv_field id)
{
    size_t size;
    const char *last;

    if (rows->game_count == 0)
        return false;
    last = names_text(&rows->game_ids, (uint32_t)rows->game_count - 1, &size);
    return size == id.size && last[size - 1] == id.bytes[size - 1] &&
           memcmp(last, id.bytes, size) == 0;
}

/* Finds the game with the id in this row, or begins one. */
static int enter_game(struct csv_rows *rows, struct csv_game **game, int64_t group)
{
    struct csv_field id = rows->fields[0];
    int64_t number;

    if (id.size == 0 || id.size > CSV_GAME_BYTES_MAX)
        return csv_rows_refuse(rows, rows->line, "a game's id has 1 to %d bytes, not %zu",
                               CSV_GAME_BYTES_MAX, id.size);
    number = is_last_id(rows, id) ? (int64_t)rows->game_count - 1
                                  : names_number(&rows->game_ids, id.bytes, id.size);
    if (number < 0)
        return (int)number;
    if ((size_t)number == rows->game_room) {
        size_t room = 2 * rows->game_room + 256;
        struct csv_game *games = realloc(rows->games, room * sizeof *games);

        if (!games)
            return -ENOMEM;
        rows->games = games;
        rows->game_room = room;
    }
    *game = &rows->games[number];
    if ((size_t)number == rows->game_count) {
        **game = (struct csv_game){.group = group, .line = (uint32_t)rows->line};
        rows->game_count++;
    }
    if ((*game)->group != group)
        return csv_rows_refuse(rows, rows->line, "the game is in group %lld according to line %lld",
                               (long long)(*game)->group, (long long)(*game)->line);
    return 0;
}

static int read_seat(struct csv_rows *rows)
{
    struct csv_game *game = NULL;
    int64_t group = 0, seat = 0, rank = 0;
    uint16_t bot = 0;
    int error = read_number(rows, 1, "a group", 0, group_max, &group);

    if (error == 0)
        error = enter_game(rows, &game, group);
    if (error == 0)
        error = read_player(rows, 2, &bot);
    if (error == 0)
        error = read_number(rows, 3, "a seat", 0, GAMES_PLAYERS_MAX - 1, &seat);
    if (error == 0)
        error = read_number(rows, 4, "a rank", 1, GAMES_PLAYERS_MAX, &rank);
    if (error == 0)
        error = read_previous(rows, bot);
    if (error < 0)
        return error;
    if (game->ranks[seat])
        return csv_rows_refuse(rows, rows->line,
                               "the game that begins in line %lld has a seat %d already",
                               (long long)game->line, (int)seat);
    game->bots[seat] = bot;
    game->ranks[seat] = (uint8_t)rank;
    return 0;
}

static int read_pairing(struct csv_rows *rows)
{
    struct csv_pairing pairing = {0};
    int error = read_player(rows, 0, &pairing.bots[0]);

    if (error == 0)
        error = read_player(rows, 1, &pairing.bots[1]);
    for (int i = 0; i < 3 && error == 0; i++) {
        int64_t count = 0;
        error = read_number(rows, 2 + i, results_header[2 + i], 0, CSV_COUNT_MAX, &count);
        pairing.counts[i] = (uint32_t)count;
    }
    if (error < 0)
        return error;
    if (pairing.bots[0] == pairing.bots[1])
        return csv_rows_refuse(rows, rows->line, "a player cannot play itself");
    if (rows->pairing_count == rows->pairing_room) {
        size_t room = 2 * rows->pairing_room + 256;
        struct csv_pairing *pairings = realloc(rows->pairings, room * sizeof *pairings);

        if (!pairings)
            return -ENOMEM;
        rows->pairings = pairings;
        rows->pairing_room = room;
    }
    rows->pairings[rows->pairing_count++] = pairing;
    return 0;
}

static int read_header(struct csv_rows *rows)
{
    if (header_is(rows, games_header))
        rows->form = CSV_SEATS;
    else if (header_is(rows, results_header))
        rows->form = CSV_RESULTS;
    else
        return csv_rows_refuse(rows, rows->line,
                               "the header is game,group,player,seat,rank or "
                               "first,second,first_wins,draws,second_wins");
    for (int i = CSV_COLUMNS; i < rows->field_count && rows->form == CSV_SEATS; i++)
        if (field_is(rows->fields[i], "previous"))
            rows->previous_column = i;
    return 0;
}

int csv_rows_read_line(struct csv_rows *rows, const char *line, size_t size_bytes)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    const char *end = line + size_bytes;

    rows->line++;
    if (rows->line == 1 && size_bytes >= 3 && memcmp(line, byte_order_mark, 3) == 0)
        line += 3;
    if (line < end && end[-1] == '\r')
        end--;
    if (line == end)
        return 0;
    if (end - line > CSV_LINE_BYTES_MAX)
        return csv_rows_refuse(rows, rows->line, "the line is longer than %d bytes",
                               CSV_LINE_BYTES_MAX);
    cut_fields(rows, line, end);
    if (rows->form == CSV_HEADER)
        return read_header(rows);
    int needed = rows->previous_column ? rows->previous_column + 1 : CSV_COLUMNS;
    if (rows->field_count < needed)
        return csv_rows_refuse(rows, rows->line, "%d fields are needed, here are %d", needed,
                               rows->field_count);
    return rows->form == CSV_SEATS ? read_seat(rows) : read_pairing(rows);
}

int csv_rows_read(struct csv_rows *rows, const char *text, size_t size_bytes)
{
    const char *end = text + size_bytes;
    int error = 0;

    while (text < end && error == 0) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));

        error = csv_rows_read_line(rows, text, (size_t)(line_end - text));
        text = line_end + 1;
    }
    return error;
}

void csv_rows_finish(struct csv_rows *rows)
{
    names_finish(&rows->players);
    names_finish(&rows->game_ids);
    free(rows->games);
    free(rows->pairings);
    memset(rows, 0, sizeof *rows);
}
