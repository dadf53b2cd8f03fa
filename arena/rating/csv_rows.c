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

    if (rows->result < 0)
        return rows->result;
    rows->error->line = line;
    va_start(arguments, format);
    vsnprintf(rows->error->message, sizeof rows->error->message, format, arguments);
    va_end(arguments);
    for (char *c = rows->error->message; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c >= 0x7f)
            *c = '?';
    return rows->result = -EINVAL;
}

/* Splits a line into fields, as many as are needed; ignores the others. */
static void cut_fields(struct csv_rows *rows, const char *at, const char *end)
{
    int count_max = rows->form == CSV_HEADER ? CSV_COLUMNS_MAX
                    : rows->previous_column  ? rows->previous_column + 1
                                             : CSV_COLUMNS;
    int count = 0;

    for (;; at++) {
        const char *from = at, *quote = NULL;

        if (at < end && *at == '"')
            quote = memchr(at + 1, '"', (size_t)(end - at - 1));
        if (quote && (quote + 1 == end || quote[1] == ',')) {
            at = quote + 1;
            rows->fields[count++] = (struct csv_field){from + 1, (size_t)(quote - from - 1)};
        } else {
            while (at < end && *at != ',')
                at++;
            rows->fields[count++] = (struct csv_field){from, (size_t)(at - from)};
        }
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

/* Reads a whole number from low to high. */
static int64_t read_number(struct csv_rows *rows, int column, const char *name, int64_t low,
                           int64_t high)
{
    struct csv_field field = rows->fields[column];
    const char *at = field.bytes, *end = at + (field.size < 18 ? field.size : 18);
    int64_t number = 0;

    for (; at < end && (unsigned)(*at - '0') < 10; at++)
        number = 10 * number + (*at - '0');
    if (field.size == 0 || at < field.bytes + field.size || number < low || number > high) {
        csv_rows_refuse(rows, rows->line, "%s is a whole number from %lld to %lld, not '%.*s'",
                        name, (long long)low, (long long)high,
                        (int)(field.size < 30 ? field.size : 30), field.bytes);
        return low;
    }
    return number;
}

/* True for UTF-8 without control characters. */
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

/* Returns the number of a player; players are numbered in order of their first row. */
static uint16_t read_player(struct csv_rows *rows, int column)
{
    struct csv_field field = rows->fields[column];
    uint32_t known_count = rows->players.count;
    int64_t number = 0;

    if (field.size == 0 || field.size > CSV_NAME_BYTES_MAX)
        csv_rows_refuse(rows, rows->line, "a player's name has 1 to %d bytes, not %zu",
                        CSV_NAME_BYTES_MAX, field.size);
    else if ((number = names_number(&rows->players, field.bytes, field.size)) < 0)
        rows->result = (int)number;
    else if (rows->players.count > known_count && !is_clean_text(field.bytes, field.size))
        csv_rows_refuse(rows, rows->line,
                        "a player's name is UTF-8 without control characters, not '%.*s'",
                        (int)(field.size < 30 ? field.size : 30), field.bytes);
    else if (number >= GAMES_BOTS_MAX)
        csv_rows_refuse(rows, rows->line, "more than %d players", GAMES_BOTS_MAX);
    return rows->result < 0 ? 0 : (uint16_t)number;
}

/* Reads a player's previous version, which must be the same in each of its rows. */
static void read_previous(struct csv_rows *rows, uint16_t bot)
{
    struct csv_player *fact = &rows->facts[bot];
    int32_t previous = CSV_NOBODY;

    if (rows->previous_column && rows->fields[rows->previous_column].size > 0)
        previous = read_player(rows, rows->previous_column);
    if (!fact->plays)
        *fact = (struct csv_player){rows->line, previous, true};
    else if (fact->previous != previous)
        csv_rows_refuse(rows, rows->line,
                        "names another previous version for the player than line %lld does",
                        (long long)fact->line);
}

/* Returns an array with room for one more element, moved if need be; NULL without memory. */
static void *make_room(struct csv_rows *rows, void *array, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return array;
    array = reallocarray(array, 2 * count + 256, size);
    if (array)
        *room = 2 * count + 256;
    else
        rows->result = -ENOMEM;
    return array;
}

/* Returns the game of the line's id, a new one if the id is new; NULL on failure. */
static struct csv_game *enter_game(struct csv_rows *rows, int64_t group)
{
    struct csv_field id = rows->fields[0];
    struct csv_game *game;
    int64_t number;

    if (id.size == 0 || id.size > CSV_GAME_BYTES_MAX) {
        csv_rows_refuse(rows, rows->line, "a game's id has 1 to %d bytes, not %zu",
                        CSV_GAME_BYTES_MAX, id.size);
        return NULL;
    }
    number = names_number(&rows->game_ids, id.bytes, id.size);
    if (number < 0) {
        rows->result = (int)number;
        return NULL;
    }
    game = make_room(rows, rows->games, &rows->game_room, rows->game_count, sizeof *game);
    if (!game)
        return NULL;
    rows->games = game;
    game += number;
    if ((size_t)number == rows->game_count) {
        *game = (struct csv_game){.group = group, .line = (uint32_t)rows->line};
        rows->game_count++;
    }
    if (game->group != group)
        csv_rows_refuse(rows, rows->line, "the game is in group %lld according to line %lld",
                        (long long)game->group, (long long)game->line);
    return game;
}

static void read_seat(struct csv_rows *rows)
{
    int64_t group = read_number(rows, 1, "a group", 0, group_max);
    struct csv_game *game = enter_game(rows, group);
    uint16_t bot = read_player(rows, 2);
    int seat = (int)read_number(rows, 3, "a seat", 0, GAMES_PLAYERS_MAX - 1);
    int rank = (int)read_number(rows, 4, "a rank", 1, GAMES_PLAYERS_MAX);

    read_previous(rows, bot);
    if (rows->result == 0 && game->ranks[seat])
        csv_rows_refuse(rows, rows->line, "seat %d of the game that begins in line %lld is taken",
                        seat, (long long)game->line);
    if (rows->result < 0)
        return;
    game->bots[seat] = bot;
    game->ranks[seat] = (uint8_t)rank;
}

static void read_pairing(struct csv_rows *rows)
{
    struct csv_pairing pairing = {.bots = {read_player(rows, 0)}}, *pairings;

    pairing.bots[1] = read_player(rows, 1);
    for (int i = 0; i < 3; i++)
        pairing.counts[i] =
            (uint32_t)read_number(rows, 2 + i, results_header[2 + i], 0, CSV_COUNT_MAX);
    if (pairing.bots[0] == pairing.bots[1])
        csv_rows_refuse(rows, rows->line, "a player cannot play itself");
    pairings =
        make_room(rows, rows->pairings, &rows->pairing_room, rows->pairing_count, sizeof pairing);
    if (!pairings)
        return;
    rows->pairings = pairings;
    rows->pairings[rows->pairing_count++] = pairing;
}

static void read_header(struct csv_rows *rows)
{
    if (header_is(rows, games_header))
        rows->form = CSV_SEATS;
    else if (header_is(rows, results_header))
        rows->form = CSV_RESULTS;
    else
        csv_rows_refuse(rows, rows->line,
                        "the header is game,group,player,seat,rank or "
                        "first,second,first_wins,draws,second_wins");
    for (int i = CSV_COLUMNS; i < rows->field_count && rows->form == CSV_SEATS; i++)
        if (field_is(rows->fields[i], "previous"))
            rows->previous_column = i;
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
    int needed = rows->previous_column ? rows->previous_column + 1 : CSV_COLUMNS;
    if (rows->form == CSV_HEADER)
        read_header(rows);
    else if (rows->field_count < needed)
        csv_rows_refuse(rows, rows->line, "the line has %d fields, %d are needed",
                        rows->field_count, needed);
    else if (rows->form == CSV_SEATS)
        read_seat(rows);
    else
        read_pairing(rows);
    return rows->result;
}

int csv_rows_read(struct csv_rows *rows, const char *text, size_t size_bytes)
{
    for (const char *end = text + size_bytes, *line_end; text < end && rows->result == 0;
         text = line_end + 1) {
        line_end = memchr(text, '\n', (size_t)(end - text));
        csv_rows_read_line(rows, text, (size_t)(line_end - text));
    }
    return rows->result;
}

void csv_rows_finish(struct csv_rows *rows)
{
    names_finish(&rows->players);
    names_finish(&rows->game_ids);
    free(rows->games);
    free(rows->pairings);
    memset(rows, 0, sizeof *rows);
}
