/* SPDX-License-Identifier: MIT */
#include "arena/rating/csv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/wire.h"

/*
 * The reader numbers games and players in the order of their first rows, and collects the rows of
 * each game. After the last row it makes the set, with the bots in the order of their names. It
 * allocates all arrays at the start, for as many rows as a text of this size can have; the kernel
 * provides memory only for the parts that are used.
 */

enum {
    CSV_COLUMNS = 5,        /* number of columns that each form of the file requires */
    CSV_COLUMNS_MAX = 32,   /* the reader looks for "previous" in so many columns */
    CSV_ROW_BYTES_MIN = 10, /* size of the shortest row: "1,0,a,0,1" and a line end */
    CSV_NOBODY = -1,
};

static const char *const games_header[CSV_COLUMNS] = {"game", "group", "player", "seat", "rank"};
static const char *const results_header[CSV_COLUMNS] = {"first", "second", "first_wins", "draws",
                                                        "second_wins"};
static const int64_t group_max = 1000000000000000;

/* One field of a row, as a part of the input text. */
struct csv_field {
    const char *bytes;
    size_t size;
};

/* The numbers of texts: each new text gets the next number, from 0. */
struct names {
    struct csv_field *texts; /* by number */
    uint32_t count;
    uint32_t last;       /* number that names_number returned last */
    uint32_t *slots;     /* hash table: number of a text plus 1, or 0 for an empty slot */
    uint32_t slot_count; /* a power of two, greater than the number of texts */
};

enum csv_form {
    CSV_HEADER, /* no header was read yet */
    CSV_SEATS,
    CSV_RESULTS,
};

/* A game; in the file with one row per pairing, `count` games with equal results, each a group. */
struct csv_game {
    int64_t group;
    uint32_t line; /* line number of the game's first row */
    uint32_t count;
    uint16_t bots[GAMES_PLAYERS_MAX];
    uint8_t ranks[GAMES_PLAYERS_MAX]; /* rank of each seat; 0: no row for this seat yet */
};

/* What the file says about a player. */
struct csv_player {
    int64_t line;     /* line number of the player's first row */
    int32_t previous; /* number of the older version, or CSV_NOBODY */
    bool plays;       /* the player has a row */
};

struct csv_reader {
    enum csv_form form;
    int result; /* the first failure, -EINVAL or -ENOMEM; 0: none */
    int64_t line;
    int column_count;    /* number of columns that the reader uses in each row */
    int previous_column; /* index of the column "previous"; 0: none */
    int field_count;
    struct csv_field fields[CSV_COLUMNS_MAX];
    struct names players, game_ids;
    struct csv_player facts[GAMES_BOTS_MAX]; /* by number of the player */
    struct csv_game
        *games; /* games; in the file with one row per seat, by number of the game's ID */
    size_t game_count;
    int64_t group; /* in the file with one row per pairing: group of the next game */
    struct csv_error *error;
};

/* ---- numbering texts ---- */

static int names_init(struct names *names, size_t count_max)
{
    names->slot_count = 1;
    while (names->slot_count <= count_max)
        names->slot_count *= 2;
    names->texts = calloc(count_max, sizeof *names->texts);
    names->slots = calloc(names->slot_count, sizeof *names->slots);
    return names->texts && names->slots ? 0 : -ENOMEM;
}

static void names_finish(struct names *names)
{
    free(names->texts);
    free(names->slots);
}

static bool is_same(struct csv_field a, struct csv_field b)
{
    return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

/* Returns the number of a text, which may contain any bytes. Adds a new text. */
static uint32_t names_number(struct names *names, struct csv_field text)
{
    uint32_t hash = 0; /* g1, g2, g3 get slots side by side: one line of the processor's cache */
    uint32_t *slot;

    /* The last text first, because the rows of a game usually follow each other. */
    if (names->count > 0 && is_same(names->texts[names->last], text))
        return names->last;
    for (size_t i = 0; i < text.size; i++)
        hash = 31 * hash + (uint8_t)text.bytes[i];
    for (;; hash++) {
        slot = &names->slots[hash & (names->slot_count - 1)];
        if (*slot == 0 || is_same(names->texts[*slot - 1], text))
            break;
    }
    if (*slot == 0) {
        names->texts[names->count] = text;
        *slot = ++names->count;
    }
    return names->last = *slot - 1;
}

/* ---- reading rows ---- */

/* Records the first error and its line. Returns the reader's result. */
__attribute__((format(printf, 3, 4))) static int refuse(struct csv_reader *reader, int64_t line,
                                                        const char *format, ...)
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

/* Splits a line into fields. Ignores the fields after the last column that the reader uses. */
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

/* Reads a whole number between low and high from a column. */
static int64_t read_number(struct csv_reader *reader, int column, const char *name, int64_t low,
                           int64_t high)
{
    struct csv_field field = reader->fields[column];
    const char *at = field.bytes, *end = at + (field.size < 18 ? field.size : 18);
    int64_t number = 0;

    for (; at < end && (unsigned)(*at - '0') < 10; at++)
        number = 10 * number + (*at - '0');
    if (field.size == 0 || at < field.bytes + field.size || number < low || number > high) {
        refuse(reader, reader->line, "%s must be a whole number from %lld to %lld, not '%.*s'",
               name, (long long)low, (long long)high, (int)(field.size < 30 ? field.size : 30),
               field.bytes);
        return low;
    }
    return number;
}

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

/*
 * Returns the number of the text in a column. Adds a new text. If the text is empty or too long,
 * sets the error and returns 0.
 */
static uint32_t number_text(struct csv_reader *reader, int column, struct names *texts,
                            const char *what)
{
    struct csv_field field = reader->fields[column];

    if (field.size > 0 && field.size <= CSV_TEXT_BYTES_MAX)
        return names_number(texts, field);
    refuse(reader, reader->line, "%s must have 1 to %d bytes, not %zu", what, CSV_TEXT_BYTES_MAX,
           field.size);
    return 0;
}

/* Returns the number of the player whose name is in a column. */
static uint16_t read_player(struct csv_reader *reader, int column)
{
    struct csv_field field = reader->fields[column];
    uint32_t known_count = reader->players.count;
    uint32_t number = number_text(reader, column, &reader->players, "a player's name");

    if (reader->players.count > known_count && !is_clean_text(field.bytes, field.size))
        refuse(reader, reader->line,
               "a player's name must be UTF-8 without control characters, not '%.*s'",
               (int)(field.size < 30 ? field.size : 30), field.bytes);
    else if (number >= GAMES_BOTS_MAX)
        refuse(reader, reader->line, "more than %d players", GAMES_BOTS_MAX);
    return reader->result < 0 ? 0 : (uint16_t)number;
}

/* Reads the previous version of a player, which must be the same in all rows of the player. */
static void read_previous(struct csv_reader *reader, uint16_t bot)
{
    struct csv_player *fact = &reader->facts[bot];
    int32_t previous = CSV_NOBODY;

    if (reader->previous_column && reader->fields[reader->previous_column].size > 0)
        previous = read_player(reader, reader->previous_column);
    if (!fact->plays)
        *fact = (struct csv_player){reader->line, previous, true};
    else if (fact->previous != previous)
        refuse(reader, reader->line,
               "the player has a different previous version in line %lld; give all rows of a "
               "player the same previous version",
               (long long)fact->line);
}

static void read_seat(struct csv_reader *reader)
{
    int64_t group = read_number(reader, 1, "a group", 0, group_max);
    struct csv_game *game =
        &reader->games[number_text(reader, 0, &reader->game_ids, "a game's id")];
    uint16_t bot = read_player(reader, 2);
    int seat = (int)read_number(reader, 3, "a seat", 0, GAMES_PLAYERS_MAX - 1);
    int rank = (int)read_number(reader, 4, "a rank", 1, GAMES_PLAYERS_MAX);

    if (reader->game_ids.count > reader->game_count) {
        *game = (struct csv_game){.group = group, .line = (uint32_t)reader->line, .count = 1};
        reader->game_count++;
    }
    if (game->group != group)
        refuse(reader, reader->line,
               "the game belongs to group %lld in line %lld; all rows of a game must agree",
               (long long)game->group, (long long)game->line);
    read_previous(reader, bot);
    if (game->ranks[seat])
        refuse(reader, reader->line,
               "seat %d of the game from line %lld already has a row; give each seat one row", seat,
               (long long)game->line);
    game->bots[seat] = bot;
    game->ranks[seat] = (uint8_t)rank;
}

/*
 * Adds the games of a row of a pairing, each as a group of its own: the first player's wins, then
 * draws, then losses.
 */
static void read_pairing(struct csv_reader *reader)
{
    static const uint8_t ranks[3][2] = {{1, 2}, {1, 1}, {2, 1}};
    uint16_t first = read_player(reader, 0), second = read_player(reader, 1);

    for (int i = 0; i < 3; i++) {
        uint32_t count =
            (uint32_t)read_number(reader, 2 + i, results_header[2 + i], 0, CSV_COUNT_MAX);

        reader->games[reader->game_count++] = (struct csv_game){
            .group = reader->group,
            .line = (uint32_t)reader->line,
            .count = count,
            .bots = {first, second},
            .ranks = {ranks[i][0], ranks[i][1]},
        };
        reader->group += count;
    }
    if (first == second)
        refuse(reader, reader->line, "a player cannot play itself");
    if (reader->group > CSV_GAMES_MAX)
        refuse(reader, reader->line,
               "more than %d games up to this line; rate fewer games at a time", CSV_GAMES_MAX);
}

static void read_header(struct csv_reader *reader)
{
    if (header_is(reader, games_header))
        reader->form = CSV_SEATS;
    else if (header_is(reader, results_header))
        reader->form = CSV_RESULTS;
    else
        refuse(reader, reader->line,
               "the header must be game,group,player,seat,rank or "
               "first,second,first_wins,draws,second_wins");
    reader->column_count = CSV_COLUMNS;
    for (int i = CSV_COLUMNS; i < reader->field_count && reader->form == CSV_SEATS; i++)
        if (field_is(reader->fields[i], "previous")) {
            reader->previous_column = i;
            reader->column_count = i + 1;
        }
}

/* Reads one line, which may be empty; end points to its line end. */
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
    if (reader->form == CSV_HEADER)
        read_header(reader);
    else if (reader->field_count < reader->column_count)
        refuse(reader, reader->line, "the line has %d fields, but the header needs %d",
               reader->field_count, reader->column_count);
    else if (reader->form == CSV_SEATS)
        read_seat(reader);
    else
        read_pairing(reader);
}

static int read_lines(struct csv_reader *reader, const char *text, size_t size_bytes)
{
    const char *end = text + size_bytes;

    while (text < end && reader->result == 0) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));

        read_line(reader, text, line_end ? line_end : end);
        text = line_end ? line_end + 1 : end;
    }
    if (reader->form == CSV_HEADER)
        refuse(reader, reader->line > 0 ? reader->line : 1,
               "the header is missing: begin with game,group,player,seat,rank or "
               "first,second,first_wins,draws,second_wins");
    return reader->result;
}

/* ---- making the set ---- */

/*
 * Adds a game to the games for the rating; if a seat of the game has no row in the file, sets the
 * error instead.
 */
static int add_game(struct csv_reader *reader, const struct csv_game *game, const uint16_t *places,
                    struct games *games)
{
    struct games_result result = {.group = game->group};
    bool won = false;

    for (int seat = 0; seat < GAMES_PLAYERS_MAX; seat++) {
        result.player_count += game->ranks[seat] != 0;
        won |= game->ranks[seat] == 1;
    }
    if (result.player_count < GAMES_PLAYERS_MIN)
        return refuse(reader, game->line, "the game has only one row; give each seat a row");
    for (int seat = 0; seat < result.player_count; seat++) {
        if (game->ranks[seat] == 0)
            return refuse(reader, game->line, "the game has %d rows but no row for seat %d",
                          result.player_count, seat);
        if (game->ranks[seat] > result.player_count)
            return refuse(reader, game->line, "the game has %d players, but a player has rank %u",
                          result.player_count, game->ranks[seat]);
        for (int other = 0; other < seat; other++)
            if (game->bots[other] == game->bots[seat])
                return refuse(reader, game->line,
                              "seats %d and %d of the game have the same player", other, seat);
        result.bots[seat] = places[game->bots[seat]];
        result.ranks[seat] = game->ranks[seat];
    }
    if (!won)
        return refuse(reader, game->line, "nobody has rank 1 in the game");
    for (uint32_t i = 0; i < game->count; i++, result.group++) {
        int error = games_add(games, &result);

        if (error)
            return error;
    }
    return 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/*
 * Writes the players' names in ascending order to names; sets places[number] to each player's index
 * there.
 */
static int sort_names(const struct names *players, char **names, uint16_t *places)
{
    for (uint32_t i = 0; i < players->count; i++)
        if (!(names[i] = strndup(players->texts[i].bytes, players->texts[i].size)))
            return -ENOMEM;
    qsort(names, players->count, sizeof *names, compare_names);
    for (uint32_t i = 0; i < players->count; i++) {
        uint16_t place = 0;

        while (strncmp(names[place], players->texts[i].bytes, players->texts[i].size) != 0 ||
               names[place][players->texts[i].size] != '\0')
            place++;
        places[i] = place;
    }
    return 0;
}

/*
 * Sets the previous version of each bot. Refuses a previous version that has not played, and cycles
 * of versions.
 */
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
            return refuse(reader, fact->line,
                          "the player's previous version has no game in this file");
        previous[places[i]] = places[fact->previous];
        for (int at = i; at != CSV_NOBODY && reader->facts[at].plays;
             at = reader->facts[at].previous)
            if (steps++ > count)
                return refuse(reader, fact->line,
                              "the player is its own previous version, directly or through others");
    }
    return 0;
}

static int make_set(struct csv_reader *reader, struct csv *csv)
{
    uint32_t count = reader->players.count;
    uint16_t places[GAMES_BOTS_MAX]; /* number of the bot in the set, by number of the player in the
                                        reader */
    int error = games_init(&csv->games, (int)count);

    csv->names = calloc(count + 1, sizeof *csv->names);
    csv->previous = calloc(count + 1, sizeof *csv->previous);
    if (error == 0 && !(csv->names && csv->previous))
        error = -ENOMEM;
    if (error == 0)
        error = sort_names(&reader->players, csv->names, places);
    for (size_t i = 0; i < reader->game_count && error == 0; i++)
        error = add_game(reader, &reader->games[i], places, &csv->games);
    if (error == 0)
        error = set_previous(reader, places, csv->previous);
    return error ? error : games_settle(&csv->games);
}

int csv_read(const char *text, size_t size_bytes, struct csv *csv, struct csv_error *error)
{
    size_t row_max = size_bytes / CSV_ROW_BYTES_MIN + 2;
    struct csv_reader *reader = calloc(1, sizeof *reader);
    int result = -ENOMEM;

    memset(csv, 0, sizeof *csv);
    if (!reader)
        return -ENOMEM;
    reader->error = error;
    reader->games = calloc(3 * row_max, sizeof *reader->games);
    if (reader->games && names_init(&reader->game_ids, row_max) == 0 &&
        names_init(&reader->players, GAMES_BOTS_MAX + 2) == 0)
        result = read_lines(reader, text, size_bytes);
    if (result == 0)
        result = make_set(reader, csv);
    if (result < 0)
        csv_finish(csv);
    names_finish(&reader->players);
    names_finish(&reader->game_ids);
    free(reader->games);
    free(reader);
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
