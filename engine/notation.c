#include "engine/notation.h"

#include <string.h>

#include "engine/game.h"

const char notation_colors[] = "pgoybr";
const char *const notation_color_names[] = {"purple", "green", "orange", "yellow",
                                            "blue",   "red",   NULL};
const char *const notation_boards[] = {"colored", "gray", NULL};
const char *const notation_phases[] = {"draft", "place", "bonus", "over", NULL};
const char *const notation_kinds[] = {"draft", "place", "bonus", "pass", NULL};

/* Each put_ function writes at `text`, adds a NUL, and returns a pointer to the NUL. */
static char *put(char *text, const char *word)
{
    while (*word)
        *text++ = *word++;
    *text = '\0';
    return text;
}

static char *put_number(char *text, int number)
{
    char digits[12];
    char *digit = digits + sizeof digits - 1;

    *digit = '\0';
    do
        *--digit = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return put(text, digit);
}

/* Writes a number from 0 to `most`, or "?" for any other number. */
static char *put_small(char *text, int number, int most)
{
    return number >= 0 && number <= most ? put_number(text, number) : put(text, "?");
}

static char *put_color(char *text, int color)
{
    char letter[2] = {color >= 0 && color < GAME_COLORS ? notation_colors[color] : '?', '\0'};

    return put(text, letter);
}

/* Writes a seat, or "-" for GAME_NOBODY. */
static char *put_seat(char *text, int seat)
{
    return seat == GAME_NOBODY ? put(text, "-") : put_number(text, seat);
}

/* Writes tiles by color: "p2g" is two purple and one green; "-" is no tile. */
static char *put_tiles(char *text, const uint8_t counts[static GAME_COLORS])
{
    const char *start = text;

    for (int color = 0; color < GAME_COLORS; color++) {
        if (counts[color] == 0)
            continue;
        text = put_color(text, color);
        if (counts[color] > 1)
            text = put_number(text, counts[color]);
    }
    return text == start ? put(text, "-") : text;
}

size_t notation_write_action(struct action action, char text[static NOTATION_ACTION_BYTES])
{
    const int8_t *number = action.number;
    uint8_t counts[GAME_COLORS];
    char *next = text;

    if (action.kind > ACTION_PASS)
        return (size_t)(put(next, "?") - text);
    next = put(put(next, notation_kinds[action.kind]), " ");
    if (action.kind == ACTION_DRAFT) {
        next = number[0] == GAME_SOURCE_CENTER ? put(next, "center")
                                               : put_small(next, number[0], GAME_DISPLAYS_MAX - 1);
        next = put_color(put(next, " "), number[1]);
    } else if (action.kind == ACTION_PLACE) {
        next = put(put_small(next, number[0], GAME_STARS - 1), " ");
        next = put(put_small(next, number[1], GAME_SPACES - 1), " ");
        next = put(put_color(next, number[2]), " ");
        next = put_small(next, number[3], GAME_SPACES - 1);
    } else {
        memcpy(counts, number, sizeof counts);
        next = put_tiles(next, counts);
    }
    return (size_t)(next - text);
}

static char *put_player(char *text, const struct position_seat *seat)
{
    text = put_number(put(text, " | score:"), seat->score);
    text = put_tiles(put(text, " hand:"), seat->hand);
    text = put_tiles(put(text, " corners:"), seat->corners);
    text = put(put(text, " passed:"), seat->passed ? "yes" : "no");
    for (int star = 0; star < GAME_STARS; star++) {
        text = put(text, star == 0 ? " stars:" : "/");
        for (int space = 0; space < GAME_SPACES; space++)
            text = seat->stars[star][space] == GAME_EMPTY
                       ? put(text, ".")
                       : put_color(text, seat->stars[star][space]);
    }
    return text;
}

size_t notation_write_position(const struct position *position,
                               char text[static NOTATION_POSITION_BYTES])
{
    char *next = put(put(text, "board:"), notation_boards[position->board]);

    next = put_number(put(next, " round:"), position->round);
    next = put(put(next, " phase:"), notation_phases[position->phase]);
    next = put_seat(put(next, " player:"), position->player);
    next = put_number(put(next, " start:"), position->start);
    next = put_seat(put(next, " token:"), position->token);
    next = put_number(put(next, " bonus:"), position->bonus);
    for (int display = 0; display < 2 * position->player_count + 1; display++)
        next = put_tiles(put(next, display == 0 ? " displays:" : "/"), position->displays[display]);
    next = put_tiles(put(next, " center:"), position->center);
    next = put_tiles(put(next, " supply:"), position->supply);
    next = put_tiles(put(next, " bag:"), position->bag);
    next = put_tiles(put(next, " tower:"), position->tower);
    for (int seat = 0; seat < position->player_count; seat++)
        next = put_player(next, &position->seats[seat]);
    return (size_t)(next - text);
}

/*
 * ---- Reading untrusted text. Each take_ and read_ function parses at *text, moves *text behind
 * the parsed part, and returns true on success. ----
 */

enum {
    TEXT_NUMBER_MAX = 100000000
}; /* largest number accepted in a text */

static bool take(const char **text, const char *word)
{
    const char *next = *text;

    for (; *word; word++, next++)
        if (*next != *word)
            return false;
    *text = next;
    return true;
}

static void take_spaces(const char **text)
{
    while (**text == ' ')
        ++*text;
}

static bool take_number(const char **text, int most, int *number)
{
    if (**text < '0' || **text > '9')
        return false;
    *number = 0;
    for (; **text >= '0' && **text <= '9'; ++*text) {
        if (*number >= TEXT_NUMBER_MAX / 10)
            return false;
        *number = *number * 10 + (**text - '0');
    }
    return *number <= most;
}

static bool take_byte(const char **text, int most, uint8_t *byte)
{
    int number;

    if (!take_number(text, most, &number))
        return false;
    *byte = (uint8_t)number;
    return true;
}

/* Parses a name of the list and sets *number to the index of that name. */
static bool take_name(const char **text, const char *const names[], uint8_t *number)
{
    for (uint8_t i = 0; names[i]; i++)
        if (take(text, names[i])) {
            *number = i;
            return true;
        }
    return false;
}

static bool take_color(const char **text, int *color)
{
    for (*color = 0; *color < GAME_COLORS; ++*color)
        if (**text == notation_colors[*color]) {
            ++*text;
            return true;
        }
    return false;
}

static bool take_seat(const char **text, int8_t *seat)
{
    uint8_t number;

    if (take(text, "-")) {
        *seat = GAME_NOBODY;
        return true;
    }
    if (!take_byte(text, GAME_PLAYERS_MAX - 1, &number))
        return false;
    *seat = (int8_t)number;
    return true;
}

static bool take_tiles(const char **text, uint8_t counts[static GAME_COLORS])
{
    int color;

    memset(counts, 0, GAME_COLORS);
    if (take(text, "-"))
        return true;
    if (!take_color(text, &color))
        return false;
    do {
        int count = 1;

        if (**text >= '0' && **text <= '9' && !take_number(text, GAME_TILES_PER_COLOR, &count))
            return false;
        if (count == 0 || counts[color] > 0)
            return false;
        counts[color] = (uint8_t)count;
    } while (take_color(text, &color));
    return true;
}

static bool take_draft(const char **text, int8_t number[static GAME_ACTION_NUMBERS])
{
    int source = GAME_SOURCE_CENTER, color;

    if (!take(text, "center") && !take_number(text, GAME_DISPLAYS_MAX - 1, &source))
        return false;
    if (!take(text, " ") || !take_color(text, &color))
        return false;
    number[0] = (int8_t)source;
    number[1] = (int8_t)color;
    return true;
}

static bool take_place(const char **text, int8_t number[static GAME_ACTION_NUMBERS])
{
    int star, space, color, wilds;

    if (!take_number(text, GAME_STARS - 1, &star) || !take(text, " ") ||
        !take_number(text, GAME_SPACES - 1, &space) || !take(text, " ") ||
        !take_color(text, &color) || !take(text, " ") ||
        !take_number(text, GAME_SPACES - 1, &wilds))
        return false;
    number[0] = (int8_t)star;
    number[1] = (int8_t)space;
    number[2] = (int8_t)color;
    number[3] = (int8_t)wilds;
    return true;
}

static bool take_counts(const char **text, int8_t number[static GAME_ACTION_NUMBERS])
{
    uint8_t counts[GAME_COLORS];

    if (!take_tiles(text, counts))
        return false;
    memcpy(number, counts, sizeof counts);
    return true;
}

static const struct {
    const char *name;
    bool (*take_fn)(const char **text, int8_t number[static GAME_ACTION_NUMBERS]);
    const char *refusal;
} kinds[] = {
    [ACTION_DRAFT] = {"draft ", take_draft,
                      "a draft is 'draft SOURCE COLOR', such as 'draft center r' or 'draft 4 p'"},
    [ACTION_PLACE] = {"place ", take_place,
                      "a placement is 'place STAR POSITION COLOR WILDS', such as 'place 6 0 b 2'"},
    [ACTION_BONUS] = {"bonus ", take_counts,
                      "a choice of bonus tiles is 'bonus TILES', such as 'bonus p2g'"},
    [ACTION_PASS] = {"pass ", take_counts,
                     "passing is 'pass TILES', the tiles kept, such as 'pass p2g' or 'pass -'"},
};

const char *notation_read_action(struct action *action, const char *text)
{
    for (int kind = ACTION_DRAFT; kind <= ACTION_PASS; kind++) {
        struct action read = {.kind = (uint8_t)kind};

        if (!take(&text, kinds[kind].name))
            continue;
        if (!kinds[kind].take_fn(&text, read.number))
            return kinds[kind].refusal;
        if (*text != '\0')
            return "something follows behind the action";
        *action = read;
        return NULL;
    }
    return "an action begins with 'draft ', 'place ', 'bonus ' or 'pass '";
}

struct reader {
    const char *text;
    struct position *position;
    struct position_seat *seat; /* the seat being parsed */
    int display_count;          /* displays parsed so far */
};

static bool read_board(struct reader *reader)
{
    return take_name(&reader->text, notation_boards, &reader->position->board);
}

static bool read_round(struct reader *reader)
{
    return take_byte(&reader->text, GAME_ROUNDS, &reader->position->round) &&
           reader->position->round > 0;
}

static bool read_phase(struct reader *reader)
{
    return take_name(&reader->text, notation_phases, &reader->position->phase);
}

static bool read_player(struct reader *reader)
{
    return take_seat(&reader->text, &reader->position->player);
}

static bool read_start(struct reader *reader)
{
    return take_byte(&reader->text, GAME_PLAYERS_MAX - 1, &reader->position->start);
}

static bool read_token(struct reader *reader)
{
    return take_seat(&reader->text, &reader->position->token);
}

static bool read_bonus(struct reader *reader)
{
    return take_byte(&reader->text, GAME_SUPPLY_TILES, &reader->position->bonus);
}

static bool read_displays(struct reader *reader)
{
    reader->display_count = 0;
    do
        if (reader->display_count == GAME_DISPLAYS_MAX ||
            !take_tiles(&reader->text, reader->position->displays[reader->display_count++]))
            return false;
    while (take(&reader->text, "/"));
    return true;
}

static bool read_center(struct reader *reader)
{
    return take_tiles(&reader->text, reader->position->center);
}

static bool read_supply(struct reader *reader)
{
    return take_tiles(&reader->text, reader->position->supply);
}

static bool read_bag(struct reader *reader)
{
    return take_tiles(&reader->text, reader->position->bag);
}

static bool read_tower(struct reader *reader)
{
    return take_tiles(&reader->text, reader->position->tower);
}

static bool read_score(struct reader *reader)
{
    int score;

    if (!take_number(&reader->text, TEXT_NUMBER_MAX, &score))
        return false;
    reader->seat->score = score;
    return true;
}

static bool read_hand(struct reader *reader)
{
    return take_tiles(&reader->text, reader->seat->hand);
}

static bool read_corners(struct reader *reader)
{
    return take_tiles(&reader->text, reader->seat->corners);
}

static bool read_passed(struct reader *reader)
{
    static const char *const passed_names[] = {"no", "yes", NULL};
    uint8_t passed;

    if (!take_name(&reader->text, passed_names, &passed))
        return false;
    reader->seat->passed = passed;
    return true;
}

static bool read_stars(struct reader *reader)
{
    for (int star = 0; star < GAME_STARS; star++) {
        if (star > 0 && !take(&reader->text, "/"))
            return false;
        for (int space = 0; space < GAME_SPACES; space++) {
            int color = GAME_EMPTY;

            if (!take(&reader->text, ".") && !take_color(&reader->text, &color))
                return false;
            reader->seat->stars[star][space] = (int8_t)color;
        }
    }
    return true;
}

struct field {
    const char *key;
    bool (*read_fn)(struct reader *reader);
    const char *refusal;
};

/* The fields of a position, in the order in which they are written. Any field may be missing. */
static const struct field table_fields[] = {
    {"board:", read_board, "board: is 'colored' or 'gray'"},
    {"round:", read_round, "round: is a number from 1 to 6"},
    {"phase:", read_phase, "phase: is 'draft', 'place', 'bonus' or 'over'"},
    {"player:", read_player, "player: is a seat from 0 to 3, or '-'"},
    {"start:", read_start, "start: is a seat from 0 to 3"},
    {"token:", read_token, "token: is a seat from 0 to 3, or '-'"},
    {"bonus:", read_bonus, "bonus: is a number from 0 to 10"},
    {"displays:", read_displays,
     "displays: is a list of tiles for each display, with '/' between, such as p2gr/-/y4/-/o"},
    {"center:", read_center, "center: is a list of tiles, such as p2gr, or '-'"},
    {"supply:", read_supply, "supply: is a list of tiles, such as p2gr, or '-'"},
    {"bag:", read_bag, "bag: is a list of tiles, such as p2gr, or '-'"},
    {"tower:", read_tower, "tower: is a list of tiles, such as p2gr, or '-'"},
    {NULL, NULL, NULL},
};

enum {
    TABLE_FIELD_BAG = 10
}; /* index in table_fields of the field "bag:" */

static const struct field seat_fields[] = {
    {"score:", read_score, "score: is a number below 100000000"},
    {"hand:", read_hand, "hand: is a list of tiles, such as p2gr, or '-'"},
    {"corners:", read_corners, "corners: is a list of tiles, such as p2gr, or '-'"},
    {"passed:", read_passed, "passed: is 'yes' or 'no'"},
    {"stars:", read_stars,
     "stars: is 7 stars with '/' between, of 6 spaces each: a color's letter, or '.' if empty"},
    {NULL, NULL, NULL},
};

static bool field_ends(char next)
{
    return next == ' ' || next == '|' || next == '\0';
}

/*
 * Parses fields up to a '|' or the end of the text. Sets a bit in *given for each field that is
 * present. Returns NULL, or a line that says what is wrong.
 */
static const char *read_fields(struct reader *reader, const struct field *fields, unsigned *given)
{
    *given = 0;
    for (int i = 0; fields[i].key; i++) {
        take_spaces(&reader->text);
        if (!take(&reader->text, fields[i].key))
            continue;
        if (!fields[i].read_fn(reader) || !field_ends(*reader->text))
            return fields[i].refusal;
        *given |= 1u << i;
    }
    take_spaces(&reader->text);
    if (*reader->text != '|' && *reader->text != '\0')
        return "a field is unknown, out of its order, or there twice";
    return NULL;
}

static const char *read_seats(struct reader *reader)
{
    unsigned given;

    while (take(&reader->text, "|")) {
        struct position *position = reader->position;
        const char *refusal;

        if (position->player_count == GAME_PLAYERS_MAX)
            return "more than 4 players are described";
        reader->seat = &position->seats[position->player_count++];
        reader->seat->score = GAME_SCORE_START;
        memset(reader->seat->stars, GAME_EMPTY, sizeof reader->seat->stars);
        refusal = read_fields(reader, seat_fields, &given);
        if (refusal)
            return refusal;
    }
    if (reader->position->player_count < GAME_PLAYERS_MIN)
        return "fewer than 2 players are described, each behind a '|'";
    return NULL;
}

/*
 * Returns how many tiles of a color are outside the bag: on the table, in hands, on corners and on
 * stars.
 */
static int count_outside(const struct position *position, int color)
{
    int count = position->center[color] + position->supply[color] + position->tower[color];

    for (int display = 0; display < GAME_DISPLAYS_MAX; display++)
        count += position->displays[display][color];
    for (int i = 0; i < position->player_count; i++) {
        const struct position_seat *seat = &position->seats[i];

        count += seat->hand[color] + seat->corners[color];
        for (int star = 0; star < GAME_STARS; star++)
            for (int space = 0; space < GAME_SPACES; space++)
                count += seat->stars[star][space] == color;
    }
    return count;
}

const char *notation_read_position(struct position *position, const char *text)
{
    struct position read;
    struct reader reader = {.text = text, .position = &read};
    unsigned given;
    const char *refusal;

    memset(&read, 0, sizeof read);
    read.round = 1;
    read.token = GAME_NOBODY;
    refusal = read_fields(&reader, table_fields, &given);
    if (!refusal)
        refusal = read_seats(&reader);
    if (refusal)
        return refusal;
    if (reader.display_count != 0 && reader.display_count != 2 * read.player_count + 1)
        return "the displays are not two for each player and one";
    read.wild = (uint8_t)(read.round - 1);
    for (int color = 0; color < GAME_COLORS && !(given & 1u << TABLE_FIELD_BAG); color++) {
        int outside = count_outside(&read, color);

        if (outside < GAME_TILES_PER_COLOR)
            read.bag[color] = (uint8_t)(GAME_TILES_PER_COLOR - outside);
    }
    *position = read;
    return NULL;
}

const char *game_from_text(struct game *game, const char *text,
                           const uint8_t seed[static GAME_SEED_BYTES])
{
    struct position position;
    const char *refusal = notation_read_position(&position, text);

    return refusal ? refusal : game_from_position(game, &position, seed);
}
