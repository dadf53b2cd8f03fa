#include "arena/rating/csv_rows.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/csv_plain.h"

static const char *const games_header[CSV_COLUMNS] = {"game", "group", "player", "seat", "rank"};
static const char *const results_header[CSV_COLUMNS] = {"first", "second", "first_wins", "draws",
                                                        "second_wins"};
static const int64_t group_max = 1000000000000000;

int csv_rows_init(struct csv_rows *rows)
{
    memset(rows, 0, sizeof *rows);
    return csv_games_init(&rows->games);
}

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

/* Cuts a field off a line, *from being at the comma or the end then. */
static struct csv_field cut_field(const char **from, const char *end)
{
    const char *start = *from;
    const char *quote =
        start < end && *start == '"' ? memchr(start + 1, '"', (size_t)(end - start - 1)) : NULL;

    if (quote && (quote + 1 == end || quote[1] == ',')) {
        *from = quote + 1;
        return (struct csv_field){start + 1, (size_t)(quote - start - 1)};
    }
    const char *comma = memchr(start, ',', (size_t)(end - start));
    *from = comma ? comma : end;
    return (struct csv_field){start, (size_t)(*from - start)};
}

/* Cuts a line into its fields; those beyond the last column are passed over. */
static int cut_fields(struct csv_rows *rows, const char *at, const char *end)
{
    int count = 0;

    for (;; at++) {
        rows->fields[count++] = cut_field(&at, end);
        if (count == CSV_COLUMNS)
            return 0;
        if (at == end)
            return csv_rows_refuse(rows, rows->line, "%d fields are needed, here are %d",
                                   CSV_COLUMNS, count);
    }
}

static bool header_is(const struct csv_rows *rows, const char *const names[static CSV_COLUMNS])
{
    for (int i = 0; i < CSV_COLUMNS; i++)
        if (rows->fields[i].size != strlen(names[i]) ||
            memcmp(rows->fields[i].bytes, names[i], rows->fields[i].size) != 0)
            return false;
    return true;
}

/* Reads a whole number from low to high. */
static int read_number(struct csv_rows *rows, int column, const char *name, int64_t low,
                       int64_t high, int64_t *value)
{
    struct csv_field field = rows->fields[column];
    int64_t number = 0;
    size_t i = 0;

    for (; i < field.size && field.bytes[i] >= '0' && field.bytes[i] <= '9' && number <= high; i++)
        number = 10 * number + (field.bytes[i] - '0');
    if (field.size == 0 || i < field.size || number < low || number > high)
        return csv_rows_refuse(
            rows, rows->line, "%s is a whole number from %lld to %lld, not '%.*s'", name,
            (long long)low, (long long)high, (int)(field.size < 30 ? field.size : 30), field.bytes);
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

int csv_rows_enter_game(struct csv_rows *rows, int64_t number, int64_t group)
{
    if (number < 0)
        return (int)number;
    int error = csv_games_enter(&rows->games, (uint32_t)number, group, rows->line);
    if (error == -EINVAL)
        return csv_rows_refuse(rows, rows->line, "the game is in group %lld since line %lld",
                               (long long)rows->games.current->group,
                               (long long)rows->games.current->line);
    return error;
}

/* Finds or begins the game of an id. */
static int enter_game(struct csv_rows *rows, struct csv_field id, int64_t group)
{
    if (id.size == 0 || id.size > CSV_GAME_BYTES_MAX)
        return csv_rows_refuse(rows, rows->line, "a game's id has 1 to %d bytes, not %zu",
                               CSV_GAME_BYTES_MAX, id.size);
    return csv_rows_enter_game(rows, ids_number(&rows->game_ids, id.bytes, id.size), group);
}

int csv_rows_refuse_seat(struct csv_rows *rows, unsigned seat)
{
    return csv_rows_refuse(rows, rows->line,
                           "the game that begins in line %lld has a seat %u already",
                           (long long)rows->games.current->line, seat);
}

static int read_seat(struct csv_rows *rows)
{
    int64_t group = 0;
    int64_t seat = 0;
    int64_t rank = 0;
    uint16_t bot = 0;
    int error = read_number(rows, 1, "a group", 0, group_max, &group);

    if (error == 0)
        error = enter_game(rows, rows->fields[0], group);
    if (error == 0)
        error = read_player(rows, 2, &bot);
    if (error == 0)
        error = read_number(rows, 3, "a seat", 0, GAMES_PLAYERS_MAX - 1, &seat);
    if (error == 0)
        error = read_number(rows, 4, "a rank", 1, GAMES_PLAYERS_MAX, &rank);
    return error == 0 ? csv_rows_seat(rows, bot, (unsigned)seat, (unsigned)rank) : error;
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
        return csv_rows_refuse(rows, rows->line, "a player does not play itself");
    if (rows->pairing_count == rows->pairing_capacity) {
        size_t capacity = 2 * rows->pairing_capacity + 256;
        struct csv_pairing *pairings = realloc(rows->pairings, capacity * sizeof *pairings);

        if (!pairings)
            return -ENOMEM;
        rows->pairings = pairings;
        rows->pairing_capacity = capacity;
    }
    rows->pairings[rows->pairing_count++] = pairing;
    return 0;
}

static int read_header(struct csv_rows *rows, const char *line, const char *end)
{
    bool is_cut = cut_fields(rows, line, end) == 0;

    if (is_cut && header_is(rows, games_header))
        rows->form = CSV_SEATS;
    else if (is_cut && header_is(rows, results_header))
        rows->form = CSV_RESULTS;
    else
        return csv_rows_refuse(rows, rows->line,
                               "the header is game,group,player,seat,rank or "
                               "first,second,first_wins,draws,second_wins");
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
    if (rows->form == CSV_HEADER)
        return read_header(rows, line, end);
    int error = cut_fields(rows, line, end);
    if (error < 0)
        return error;
    return rows->form == CSV_SEATS ? read_seat(rows) : read_pairing(rows);
}

int csv_rows_read(struct csv_rows *rows, const char *text, size_t size_bytes)
{
    const char *end = text + size_bytes;
    int error = 0;

    while (error == 0) {
        if (rows->form == CSV_SEATS)
            error = csv_plain_read(rows, &text, end);
        if (error < 0 || text == end)
            break;
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        error = csv_rows_read_line(rows, text, (size_t)(line_end - text));
        text = line_end + 1;
    }
    return error;
}

void csv_rows_finish(struct csv_rows *rows)
{
    names_finish(&rows->players);
    ids_finish(&rows->game_ids);
    csv_games_finish(&rows->games);
    free(rows->pairings);
    memset(rows, 0, sizeof *rows);
}
