#include "arena/rating/csv_rows.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLAIN_BYTES = 256, /* no row that is read the plain way is longer */
};

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

/*
 * Keeps "id,group," of a row, to know the game of the next one by. Looks at eight bytes
 * for every word.
 */
static void keep_prefix(struct csv_rows *rows, const char *bytes, size_t size)
{
    uint64_t words[CSV_PREFIX_WORDS];

    memcpy(words, bytes, sizeof words);
    for (size_t i = 0; i < CSV_PREFIX_WORDS; i++) {
        uint64_t all = ~(uint64_t)0;

        rows->prefix_mask[i] = size >= 8 * (i + 1) ? all
                               : size > 8 * i      ? all >> 8 * (8 * (i + 1) - size)
                                                   : 0;
        rows->prefix[i] = words[i] & rows->prefix_mask[i];
    }
    rows->prefix_size = size <= sizeof words ? size : 0;
}

/* Finds or begins the game of an id, which becomes the last game. */
static int find_game(struct csv_rows *rows, const char *id, size_t id_size, int64_t group)
{
    uint32_t known_count = rows->game_ids.count;

    if (id_size == 0 || id_size > CSV_GAME_BYTES_MAX)
        return csv_rows_refuse(rows, rows->line, "a game's id has 1 to %d bytes, not %zu",
                               CSV_GAME_BYTES_MAX, id_size);
    int64_t number = names_number(&rows->game_ids, id, id_size);
    if (number < 0)
        return (int)number;
    rows->prefix_size = 0;
    rows->last_game = (uint32_t)number;
    if (rows->game_ids.count == known_count)
        return rows->games[number].group == group
                   ? 0
                   : csv_rows_refuse(rows, rows->line, "the game is in group %lld since line %lld",
                                     (long long)rows->games[number].group,
                                     (long long)rows->games[number].line);
    if (known_count == rows->game_capacity) {
        size_t capacity = 2 * rows->game_capacity + 1024;
        struct csv_game *games = realloc(rows->games, capacity * sizeof *games);

        if (!games)
            return -ENOMEM;
        rows->games = games;
        rows->game_capacity = capacity;
    }
    rows->games[number] = (struct csv_game){.group = group, .line = (uint32_t)rows->line};
    return 0;
}

/* Seats a player in the last game. */
static int seat_player(struct csv_rows *rows, uint16_t bot, int seat, int rank)
{
    struct csv_game *game = &rows->games[rows->last_game];

    if (game->ranks[seat] != 0)
        return csv_rows_refuse(rows, rows->line,
                               "the game that begins in line %lld has a seat %d already",
                               (long long)game->line, seat);
    game->bots[seat] = bot;
    game->ranks[seat] = (uint8_t)rank;
    return 0;
}

static int read_seat(struct csv_rows *rows)
{
    struct csv_field id = rows->fields[0];
    int64_t group = 0;
    int64_t seat = 0;
    int64_t rank = 0;
    uint16_t bot = 0;
    int error = read_number(rows, 1, "a group", 0, group_max, &group);

    if (error == 0)
        error = find_game(rows, id.bytes, id.size, group);
    if (error == 0)
        error = read_player(rows, 2, &bot);
    if (error == 0)
        error = read_number(rows, 3, "a seat", 0, GAMES_PLAYERS_MAX - 1, &seat);
    if (error == 0)
        error = read_number(rows, 4, "a rank", 1, GAMES_PLAYERS_MAX, &rank);
    return error == 0 ? seat_player(rows, bot, (int)seat, (int)rank) : error;
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

/* True if a row begins like the one before. Looks at eight bytes for every word. */
static bool has_prefix(const struct csv_rows *rows, const char *at)
{
    uint64_t words[CSV_PREFIX_WORDS];
    uint64_t differs = 0;

    memcpy(words, at, sizeof words);
    for (int i = 0; i < CSV_PREFIX_WORDS; i++)
        differs |= (words[i] & rows->prefix_mask[i]) ^ rows->prefix[i];
    return rows->prefix_size > 0 && differs == 0;
}

/*
 * Nearly all rows are plain: no quotes, no more columns, a player known by a short name.
 * Reads such a row, *at being at the next one then. Returns 1, or 0 with nothing done if
 * the row is anything else, right or wrong, or what is wrong with it. There are
 * PLAIN_BYTES at *at, and the text ends in a line's end.
 */
static int read_plain_seat(struct csv_rows *rows, const char **at)
{
    const char *id = *at;
    const char *after_id = id;
    const char *name = id + rows->prefix_size;
    int64_t group = 0;
    bool same_game = has_prefix(rows, id);

    if (!same_game) {
        while (*after_id != ',' && *after_id != '\n' && *after_id != '"')
            after_id++;
        if (*after_id != ',')
            return 0;
        name = after_id + 1;
        while (*name >= '0' && *name <= '9' && group < group_max / 10)
            group = 10 * group + (*name++ - '0');
        if (name == after_id + 1 || *name++ != ',' || name - id > PLAIN_BYTES / 2)
            return 0;
    }
    struct names_key key;
    const char *rest = name + names_cut_short(name, &key); /* ",S,R" and the line's end */
    int64_t bot = rest > name ? names_find_short(&rows->players, key) : -1;
    int seat = rest[1] - '0';
    int rank = rest[3] - '0';
    if (bot < 0 || rest[2] != ',' || rest[4] != '\n' || seat < 0 || seat >= GAMES_PLAYERS_MAX ||
        rank < 1 || rank > GAMES_PLAYERS_MAX)
        return 0;
    rows->line++;
    *at = rest + 5;
    int error = same_game ? 0 : find_game(rows, id, (size_t)(after_id - id), group);
    if (!same_game && error == 0)
        keep_prefix(rows, id, (size_t)(name - id));
    if (error == 0)
        error = seat_player(rows, (uint16_t)bot, seat, rank);
    return error < 0 ? error : 1;
}

int csv_rows_read(struct csv_rows *rows, const char *text, size_t size_bytes)
{
    const char *end = text + size_bytes;

    while (text < end) {
        int result = 0;

        if (rows->form == CSV_SEATS && end - text >= PLAIN_BYTES)
            result = read_plain_seat(rows, &text);
        if (result == 0) {
            const char *line_end = memchr(text, '\n', (size_t)(end - text));

            result = csv_rows_read_line(rows, text, (size_t)(line_end - text));
            text = line_end + 1;
        }
        if (result < 0)
            return result;
    }
    return 0;
}

void csv_rows_finish(struct csv_rows *rows)
{
    names_finish(&rows->players);
    names_finish(&rows->game_ids);
    free(rows->games);
    free(rows->pairings);
    memset(rows, 0, sizeof *rows);
}
