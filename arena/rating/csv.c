#include "arena/rating/csv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/wire.h"

/*
 * The reader turns each row into a csv_game or csv_pairing, in which names and ids are numbers in
 * the order of their first rows. After the last row it makes the set, with bots in the order of
 * their names.
 */

enum {
    CSV_COLUMNS = 5,      /* number of required columns in each form */
    CSV_COLUMNS_MAX = 32, /* number of columns in which "previous" is searched */
    CSV_NOBODY = -1,
    SLOTS_FIRST = 1024, /* initial number of slots; half of them may be used */
    SLOTS_MAX = 1 << 30,
};

static const char *const games_header[CSV_COLUMNS] = {"game", "group", "player", "seat", "rank"};
static const char *const results_header[CSV_COLUMNS] = {"first", "second", "first_wins", "draws",
                                                        "second_wins"};
static const int64_t group_max = 1000000000000000;

/*
 * Numbers texts: each new text gets the next number, from 0. Keeps copies of the texts. Small,
 * because touching fresh memory costs more than the computation.
 */
struct names {
    uint32_t count;
    uint32_t *starts; /* count + 1 entries: text i begins at bytes + starts[i]; its NUL is the last
                         byte before starts[i + 1] */
    char *bytes;      /* all texts, each followed by a NUL */
    size_t bytes_room;
    uint32_t *slots;     /* hash table: number of the text plus 1, or 0 for an empty slot */
    uint32_t slot_count; /* number of slots: 0 or a power of two that is at least twice count */
};

enum csv_form {
    CSV_HEADER, /* no header was read yet */
    CSV_SEATS,
    CSV_RESULTS,
};

struct csv_field {
    const char *bytes;
    size_t size;
};

/*
 * What the rows have said about a game so far. Players are numbered in the order of their first
 * rows.
 */
struct csv_game {
    int64_t group;
    uint32_t line; /* line number of the game's first row */
    uint16_t bots[GAMES_PLAYERS_MAX];
    uint8_t ranks[GAMES_PLAYERS_MAX]; /* by seat; 0: no row for this seat yet */
};

/* A row of the second form, with the results of one pairing. */
struct csv_pairing {
    uint16_t bots[2];
    uint32_t counts[3]; /* number of first player's wins, draws, second player's wins */
};

/* What the rows say about a player, apart from games. */
struct csv_player {
    int64_t line;     /* line number of the player's first row; 0: no row */
    int32_t previous; /* number of the older version, or CSV_NOBODY */
    bool plays;       /* the player has a row; if not, the other fields have no meaning */
};

struct csv_reader {
    enum csv_form form;
    int result; /* the first failure, -EINVAL or -ENOMEM, which the reader keeps; 0: none */
    int64_t line;
    int column_count;    /* number of columns that are read in each row */
    int previous_column; /* index of the column "previous"; 0: there is none */
    int field_count;
    struct csv_field fields[CSV_COLUMNS_MAX];
    struct names players, game_ids;
    /* What the rows say about each player, by number of the player. */
    struct csv_player facts[GAMES_BOTS_MAX];
    struct csv_game *games; /* by number of the game's id */
    size_t game_room;
    struct csv_pairing *pairings;
    size_t pairing_count, pairing_room;
    struct csv_error *error; /* where the caller wants an error described */
};

/* Returns the text with a number, NUL-terminated; valid until the next text is added. */
static const char *names_text(const struct names *names, uint32_t number)
{
    return names->bytes + names->starts[number];
}

/* Frees the table and zeroes it. A zeroed table is an empty table, ready for use. */
static void names_finish(struct names *names)
{
    free(names->starts);
    free(names->bytes);
    free(names->slots);
    memset(names, 0, sizeof *names);
}

/* Returns the FNV-1a hash of a text. */
static uint32_t hash_of(const char *bytes, size_t size)
{
    uint32_t hash = 2166136261;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)bytes[i]) * 16777619;
    return hash;
}

static size_t size_of(const struct names *names, uint32_t number)
{
    return names->starts[number + 1] - names->starts[number] - 1;
}

/*
 * Returns the slot that holds a text, or else the empty slot where the text belongs. There is
 * always an empty slot.
 */
static uint32_t *find_slot(const struct names *names, const char *bytes, size_t size)
{
    for (uint32_t i = hash_of(bytes, size);; i++) {
        uint32_t *slot = &names->slots[i & (names->slot_count - 1)];

        if (*slot == 0 || (size_of(names, *slot - 1) == size &&
                           memcmp(names_text(names, *slot - 1), bytes, size) == 0))
            return slot;
    }
}

static int grow_slots(struct names *names)
{
    uint32_t slot_count = names->slot_count ? 4 * names->slot_count : SLOTS_FIRST;
    uint32_t *slots = names->slot_count < SLOTS_MAX ? calloc(slot_count, sizeof *slots) : NULL;
    uint32_t *starts =
        slots ? reallocarray(names->starts, slot_count / 2 + 1, sizeof *starts) : NULL;

    if (!starts) {
        free(slots);
        return -ENOMEM;
    }
    free(names->slots);
    names->slots = slots;
    names->slot_count = slot_count;
    names->starts = starts;
    if (names->count == 0)
        starts[0] = 0;
    for (uint32_t i = 0; i < names->count; i++)
        *find_slot(names, names_text(names, i), size_of(names, i)) = i + 1;
    return 0;
}

static int make_bytes(struct names *names, size_t end)
{
    char *bytes;

    if (end <= names->bytes_room)
        return 0;
    bytes = realloc(names->bytes, 2 * end);
    if (!bytes)
        return -ENOMEM;
    names->bytes = bytes;
    names->bytes_room = 2 * end;
    return 0;
}

/*
 * Returns the number of a text, which may contain any bytes, and adds the text if it is new; or
 * -ENOMEM.
 */
static int64_t names_number(struct names *names, const char *bytes, size_t size)
{
    uint32_t *slot;
    size_t start;

    if (2 * names->count >= names->slot_count && grow_slots(names) < 0)
        return -ENOMEM;
    slot = find_slot(names, bytes, size);
    if (*slot)
        return *slot - 1;
    start = names->starts[names->count];
    if (size >= UINT32_MAX - start || make_bytes(names, start + size + 1) < 0)
        return -ENOMEM;
    memcpy(names->bytes + start, bytes, size);
    names->bytes[start + size] = '\0';
    names->starts[names->count + 1] = (uint32_t)(start + size + 1);
    *slot = ++names->count;
    return *slot - 1;
}

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

/* Sets the error of a line, unless the reader has failed before. Returns the reader's result. */
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

/* Splits a line into fields. Ignores fields after the last column that is read. */
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
        refuse(reader, reader->line, "%s is a whole number from %lld to %lld, not '%.*s'", name,
               (long long)low, (long long)high, (int)(field.size < 30 ? field.size : 30),
               field.bytes);
        return low;
    }
    return number;
}

/* True if a text is UTF-8 without control characters. */
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

/* Returns the number of the text in a column, and numbers the text if it is new. */
static int64_t number_text(struct csv_reader *reader, int column, struct names *texts,
                           const char *what)
{
    struct csv_field field = reader->fields[column];
    int64_t number = 0;

    if (field.size == 0 || field.size > CSV_TEXT_BYTES_MAX)
        refuse(reader, reader->line, "%s has 1 to %d bytes, not %zu", what, CSV_TEXT_BYTES_MAX,
               field.size);
    else if ((number = names_number(texts, field.bytes, field.size)) < 0)
        reader->result = (int)number;
    return number;
}

/*
 * Returns the number of the player in a column; players are numbered in the order of their first
 * rows.
 */
static uint16_t read_player(struct csv_reader *reader, int column)
{
    struct csv_field field = reader->fields[column];
    uint32_t known_count = reader->players.count;
    int64_t number = number_text(reader, column, &reader->players, "a player's name");

    if (reader->players.count > known_count && !is_clean_text(field.bytes, field.size))
        refuse(reader, reader->line,
               "a player's name is UTF-8 without control characters, not '%.*s'",
               (int)(field.size < 30 ? field.size : 30), field.bytes);
    else if (number >= GAMES_BOTS_MAX)
        refuse(reader, reader->line, "more than %d players", GAMES_BOTS_MAX);
    return reader->result < 0 ? 0 : (uint16_t)number;
}

/* Reads a player's previous version, which must be the same in all rows of the player. */
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
               "names another previous version for the player than line %lld does",
               (long long)fact->line);
}

/*
 * Returns an array with room for one more element, perhaps at another address; NULL if memory runs
 * out.
 */
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

/*
 * Returns the game with the id of the current line, and begins a game if the id is new; NULL on
 * failure.
 */
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
        refuse(reader, reader->line, "the game is in group %lld according to line %lld",
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
        refuse(reader, reader->line, "seat %d of the game that begins in line %lld is taken", seat,
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
        refuse(reader, reader->line, "a player cannot play itself");
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
    if (end - line > CSV_LINE_BYTES_MAX)
        refuse(reader, reader->line, "the line is longer than %d bytes", CSV_LINE_BYTES_MAX);
    else if (reader->form == CSV_HEADER)
        read_header(reader);
    else if (reader->field_count < reader->column_count)
        refuse(reader, reader->line, "the line has %d fields, %d are needed", reader->field_count,
               reader->column_count);
    else if (reader->form == CSV_SEATS)
        read_seat(reader);
    else
        read_pairing(reader);
}

/* Reads lines; the last line may lack its line end. Returns 0, -EINVAL or -ENOMEM. */
static int read_lines(struct csv_reader *reader, const char *text, size_t size_bytes)
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
        return refuse(reader, reader->line + 1, "the line is longer than %d bytes",
                      CSV_LINE_BYTES_MAX);
    return read_lines(reader, piece, *taken_bytes);
}

/* Adds a game to the set; if a seat of the game has no row, sets the error instead. */
static int add_game(struct csv_reader *reader, const struct csv_game *game, struct games *games)
{
    struct games_result result = {.group = game->group};
    bool won = false;

    for (int seat = 0; seat < GAMES_PLAYERS_MAX; seat++) {
        result.player_count += game->ranks[seat] != 0;
        won |= game->ranks[seat] == 1;
    }
    if (result.player_count < GAMES_PLAYERS_MIN)
        return refuse(reader, game->line, "the game has one row only");
    for (int seat = 0; seat < result.player_count; seat++) {
        if (game->ranks[seat] == 0)
            return refuse(reader, game->line, "the game has %d rows but none for seat %d",
                          result.player_count, seat);
        if (game->ranks[seat] > result.player_count)
            return refuse(reader, game->line, "the game has %d rows but a rank of %u",
                          result.player_count, game->ranks[seat]);
        for (int other = 0; other < seat; other++)
            if (game->bots[other] == game->bots[seat])
                return refuse(reader, game->line,
                              "seats %d and %d of the game have the same player", other, seat);
        result.bots[seat] = game->bots[seat];
        result.ranks[seat] = game->ranks[seat];
    }
    if (!won)
        return refuse(reader, game->line, "nobody has rank 1 in the game");
    return games_add(games, &result);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/*
 * Writes the players' names to names in ascending order; sets places[number] to each player's index
 * in names.
 */
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

/*
 * Adds the rows of the second form. Groups are numbered in the order of rows; in a row, the first
 * player's wins come first, then draws, then losses.
 */
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

/*
 * Sets the previous versions by bot. Each previous version must have played, and there must be no
 * cycles.
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
            return refuse(reader, fact->line, "the previous version plays in no game");
        previous[places[i]] = places[fact->previous];
        for (int at = i; at != CSV_NOBODY && reader->facts[at].plays;
             at = reader->facts[at].previous)
            if (steps++ > count)
                return refuse(reader, fact->line, "the previous versions form a cycle");
    }
    return 0;
}

/* Creates the settled set from all rows. */
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
    result = read_lines(reader, rest, size_bytes);
    if (result == 0 && reader->form == CSV_HEADER)
        result = refuse(reader, reader->line > 0 ? reader->line : 1,
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
