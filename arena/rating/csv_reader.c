#include "arena/rating/csv_reader.h"

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

struct csv_reader *csv_reader_create(void)
{
    return calloc(1, sizeof(struct csv_reader));
}

void csv_reader_destroy(struct csv_reader *reader)
{
    if (!reader)
        return;
    names_finish(&reader->players);
    names_finish(&reader->game_ids);
    free(reader->games);
    free(reader->pairings);
    free(reader);
}

int csv_reader_refuse(struct csv_reader *reader, int64_t line, const char *format, ...)
{
    va_list arguments;

    if (reader->result < 0)
        return reader->result;
    reader->error->line = line;
    va_start(arguments, format);
    vsnprintf(reader->error->message, sizeof reader->error->message, format, arguments);
    va_end(arguments);
    for (char *c = reader->error->message; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c >= 0x7f)
            *c = '?';
    return reader->result = -EINVAL;
}

/* Splits a line into fields, as many as are needed; ignores the others. */
static void cut_fields(struct csv_reader *reader, const char *at, const char *end)
{
    int count_max = reader->form == CSV_HEADER ? CSV_COLUMNS_MAX : reader->column_count;
    int count = 0;

    for (;; at++) {
        const char *from = at, *quote = NULL;

        if (at < end && *at == '"')
            quote = memchr(at + 1, '"', (size_t)(end - at - 1));
        if (quote && (quote + 1 == end || quote[1] == ',')) {
            at = quote + 1;
            reader->fields[count++] = (struct csv_field){from + 1, (size_t)(quote - from - 1)};
        } else {
            while (at < end && *at != ',')
                at++;
            reader->fields[count++] = (struct csv_field){from, (size_t)(at - from)};
        }
        if (count == count_max || at == end)
            break;
    }
    reader->field_count = count;
}

static bool field_is(struct csv_field field, const char *text)
{
    return field.size == strlen(text) && memcmp(field.bytes, text, field.size) == 0;
}

static bool header_is(const struct csv_reader *reader, const char *const names[static CSV_COLUMNS])
{
    for (int i = 0; i < CSV_COLUMNS; i++)
        if (i >= reader->field_count || !field_is(reader->fields[i], names[i]))
            return false;
    return true;
}

/* Reads a whole number from low to high. */
static int64_t read_number(struct csv_reader *reader, int column, const char *name, int64_t low,
                           int64_t high)
{
    struct csv_field field = reader->fields[column];
    const char *at = field.bytes, *end = at + (field.size < 18 ? field.size : 18);
    int64_t number = 0;

    for (; at < end && (unsigned)(*at - '0') < 10; at++)
        number = 10 * number + (*at - '0');
    if (field.size == 0 || at < field.bytes + field.size || number < low || number > high) {
        csv_reader_refuse(
            reader, reader->line, "%s is a whole number from %lld to %lld, not '%.*s'", name,
            (long long)low, (long long)high, (int)(field.size < 30 ? field.size : 30), field.bytes);
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

/* Returns the number of the text in a column, a new number if the text is new. */
static int64_t number_text(struct csv_reader *reader, int column, struct names *texts,
                           const char *what)
{
    struct csv_field field = reader->fields[column];
    int64_t number = 0;

    if (field.size == 0 || field.size > CSV_TEXT_BYTES_MAX)
        csv_reader_refuse(reader, reader->line, "%s has 1 to %d bytes, not %zu", what,
                          CSV_TEXT_BYTES_MAX, field.size);
    else if ((number = names_number(texts, field.bytes, field.size)) < 0)
        reader->result = (int)number;
    return number;
}

/* Returns the number of a player; players are numbered in order of their first row. */
static uint16_t read_player(struct csv_reader *reader, int column)
{
    struct csv_field field = reader->fields[column];
    uint32_t known_count = reader->players.count;
    int64_t number = number_text(reader, column, &reader->players, "a player's name");

    if (reader->players.count > known_count && !is_clean_text(field.bytes, field.size))
        csv_reader_refuse(reader, reader->line,
                          "a player's name is UTF-8 without control characters, not '%.*s'",
                          (int)(field.size < 30 ? field.size : 30), field.bytes);
    else if (number >= GAMES_BOTS_MAX)
        csv_reader_refuse(reader, reader->line, "more than %d players", GAMES_BOTS_MAX);
    return reader->result < 0 ? 0 : (uint16_t)number;
}

/* Reads a player's previous version, which must be the same in each of its rows. */
static void read_previous(struct csv_reader *reader, uint16_t bot)
{
    struct csv_player *fact = &reader->facts[bot];
    int32_t previous = CSV_NOBODY;

    if (reader->previous_column && reader->fields[reader->previous_column].size > 0)
        previous = read_player(reader, reader->previous_column);
    if (!fact->plays)
        *fact = (struct csv_player){reader->line, previous, true};
    else if (fact->previous != previous)
        csv_reader_refuse(reader, reader->line,
                          "names another previous version for the player than line %lld does",
                          (long long)fact->line);
}

/* Returns an array with room for one more element, moved if need be; NULL without memory. */
static void *make_room(struct csv_reader *reader, void *array, size_t *room, size_t count,
                       size_t size)
{
    if (count < *room)
        return array;
    array = reallocarray(array, 2 * count + 256, size);
    if (array)
        *room = 2 * count + 256;
    else
        reader->result = -ENOMEM;
    return array;
}

/* Returns the game of the line's id, a new one if the id is new; NULL on failure. */
static struct csv_game *enter_game(struct csv_reader *reader, int64_t group)
{
    uint32_t known_count = reader->game_ids.count;
    int64_t number = number_text(reader, 0, &reader->game_ids, "a game's id");
    struct csv_game *game;

    if (reader->result < 0)
        return NULL;
    game = make_room(reader, reader->games, &reader->game_room, known_count, sizeof *game);
    if (!game)
        return NULL;
    reader->games = game;
    game += number;
    if (reader->game_ids.count > known_count)
        *game = (struct csv_game){.group = group, .line = (uint32_t)reader->line};
    if (game->group != group)
        csv_reader_refuse(reader, reader->line, "the game is in group %lld according to line %lld",
                          (long long)game->group, (long long)game->line);
    return game;
}

static void read_seat(struct csv_reader *reader)
{
    int64_t group = read_number(reader, 1, "a group", 0, group_max);
    struct csv_game *game = enter_game(reader, group);
    uint16_t bot = read_player(reader, 2);
    int seat = (int)read_number(reader, 3, "a seat", 0, GAMES_PLAYERS_MAX - 1);
    int rank = (int)read_number(reader, 4, "a rank", 1, GAMES_PLAYERS_MAX);

    read_previous(reader, bot);
    if (reader->result == 0 && game->ranks[seat])
        csv_reader_refuse(reader, reader->line,
                          "seat %d of the game that begins in line %lld is taken", seat,
                          (long long)game->line);
    if (reader->result < 0)
        return;
    game->bots[seat] = bot;
    game->ranks[seat] = (uint8_t)rank;
}

static void read_pairing(struct csv_reader *reader)
{
    struct csv_pairing pairing = {.bots = {read_player(reader, 0)}}, *pairings;

    pairing.bots[1] = read_player(reader, 1);
    for (int i = 0; i < 3; i++)
        pairing.counts[i] =
            (uint32_t)read_number(reader, 2 + i, results_header[2 + i], 0, CSV_COUNT_MAX);
    if (pairing.bots[0] == pairing.bots[1])
        csv_reader_refuse(reader, reader->line, "a player cannot play itself");
    pairings = make_room(reader, reader->pairings, &reader->pairing_room, reader->pairing_count,
                         sizeof pairing);
    if (!pairings)
        return;
    reader->pairings = pairings;
    reader->pairings[reader->pairing_count++] = pairing;
}

static void read_header(struct csv_reader *reader)
{
    if (header_is(reader, games_header))
        reader->form = CSV_SEATS;
    else if (header_is(reader, results_header))
        reader->form = CSV_RESULTS;
    else
        csv_reader_refuse(reader, reader->line,
                          "the header is game,group,player,seat,rank or "
                          "first,second,first_wins,draws,second_wins");
    reader->column_count = CSV_COLUMNS;
    for (int i = CSV_COLUMNS; i < reader->field_count && reader->form == CSV_SEATS; i++)
        if (field_is(reader->fields[i], "previous")) {
            reader->previous_column = i;
            reader->column_count = i + 1;
        }
}

/* Reads one line, perhaps empty; end is where its line end begins. */
static void read_line(struct csv_reader *reader, const char *line, const char *end)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";

    reader->line++;
    if (reader->line == 1 && end - line >= 3 && memcmp(line, byte_order_mark, 3) == 0)
        line += 3;
    if (line < end && end[-1] == '\r')
        end--;
    if (line == end)
        return;
    cut_fields(reader, line, end);
    if (end - line > CSV_LINE_BYTES_MAX)
        csv_reader_refuse(reader, reader->line, "the line is longer than %d bytes",
                          CSV_LINE_BYTES_MAX);
    else if (reader->form == CSV_HEADER)
        read_header(reader);
    else if (reader->field_count < reader->column_count)
        csv_reader_refuse(reader, reader->line, "the line has %d fields, %d are needed",
                          reader->field_count, reader->column_count);
    else if (reader->form == CSV_SEATS)
        read_seat(reader);
    else
        read_pairing(reader);
}

int csv_reader_read(struct csv_reader *reader, const char *text, size_t size_bytes)
{
    const char *end = size_bytes ? text + size_bytes : text;

    while (text < end && reader->result == 0) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));

        read_line(reader, text, line_end ? line_end : end);
        text = line_end ? line_end + 1 : end;
    }
    return reader->result;
}

int csv_reader_feed(struct csv_reader *reader, const char *piece, size_t size_bytes,
                    size_t *taken_bytes, struct csv_error *error)
{
    const char *last = size_bytes > 0 ? memrchr(piece, '\n', size_bytes) : NULL;

    reader->error = error;
    *taken_bytes = last ? (size_t)(last + 1 - piece) : 0;
    if (!last && size_bytes >= CSV_LINE_BYTES_MAX)
        return csv_reader_refuse(reader, reader->line + 1, "the line is longer than %d bytes",
                                 CSV_LINE_BYTES_MAX);
    return csv_reader_read(reader, piece, *taken_bytes);
}
