/* SPDX-License-Identifier: MIT */
#include "engine/notation.h"

#include <stddef.h>
#include <string.h>

#include "engine/game.h"

const char notation_colors[] = "pgoybr";
const char *const notation_color_names[] = {"purple", "green", "orange", "yellow",
                                            "blue",   "red",   NULL};
const char *const notation_boards[] = {"colored", "gray", NULL};
const char *const notation_phases[] = {"draft", "place", "bonus", "over", NULL};
const char *const notation_kinds[] = {"draft", "place", "bonus", "pass", NULL};

/* Each put_ function writes at `text`, adds a NUL, and returns the place of the NUL. */
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

/*
 * ---- Reading untrusted text. Each take_ and read_ function parses at *text, moves *text behind
 * the parsed part, and returns true on success. ----
 */

enum {
    TEXT_NUMBER_MAX = 100000000
}; /* largest number that the parser accepts */

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

/* Reads a name that is in the list, and sets *number to the index of the name. */
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
    [ACTION_DRAFT] =
        {"draft ", take_draft,
         "a draft must be 'draft SOURCE COLOR', such as 'draft center r' or 'draft 4 p': SOURCE is "
         "center or 0 to 8, COLOR one of pgoybr"},
    [ACTION_PLACE] = {"place ", take_place,
                      "a placement must be 'place STAR POSITION COLOR WILDS', such as "
                      "'place 6 0 b 2': STAR is 0 to 6, POSITION and WILDS are 0 to 5, COLOR is "
                      "one of pgoybr"},
    [ACTION_BONUS] = {"bonus ", take_counts,
                      "a choice of bonus tiles must be 'bonus TILES', such as 'bonus p2g'"},
    [ACTION_PASS] = {"pass ", take_counts,
                     "a pass must be 'pass TILES', with the tiles that the player keeps, such as "
                     "'pass p2g' or 'pass -'"},
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
            return "text follows the action";
        *action = read;
        return NULL;
    }
    return "an action must begin with 'draft ', 'place ', 'bonus ' or 'pass '";
}

/* ---- positions: a field has the form KEY:VALUE, and each seat's fields follow a '|' ---- */

enum field_kind {
    FIELD_NAME,  /* uint8_t: index into `names` */
    FIELD_BYTE,  /* number of the type uint8_t, from least to most */
    FIELD_SEAT,  /* int8_t */
    FIELD_SCORE, /* int32_t */
    FIELD_TILES, /* uint8_t[GAME_COLORS] */
    FIELD_DISPLAYS,
    FIELD_STARS,
};

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset; /* offset of the member in struct position or struct position_seat */
    uint8_t least, most;
    const char *const *names;
    const char *refusal;
    const char *unknown; /* refusal of what follows the field */
};

#define AT(member)      offsetof(struct position, member)
#define SEAT_AT(member) offsetof(struct position_seat, member)
#define AFTER(key)      "what follows " key " is no field, out of order, or there twice"
#define TILES(key, offset)                                                                         \
    {                                                                                              \
        key, FIELD_TILES, offset, 0, 0, NULL,                                                      \
            key " must be tiles, such as p2gr, up to 22 of a color, or '-' for none", AFTER(key)   \
    }

static const char *const passed_names[] = {"no", "yes", NULL};

/*
 * The fields of a position, in the order in which the notation writes them. A text may lack any
 * field.
 */
/* clang-format off */
static const struct field table_fields[] = {
    {"board:", FIELD_NAME, AT(board), 0, 0, notation_boards, "board: must be 'colored' or 'gray'", AFTER("board:")},
    {"round:", FIELD_BYTE, AT(round), 1, GAME_ROUNDS, NULL, "round: must be a number from 1 to 6", AFTER("round:")},
    {"phase:", FIELD_NAME, AT(phase), 0, 0, notation_phases, "phase: must be 'draft', 'place', 'bonus' or 'over'", AFTER("phase:")},
    {"player:", FIELD_SEAT, AT(player), 0, 0, NULL, "player: must be a seat from 0 to 3, or '-' for none", AFTER("player:")},
    {"start:", FIELD_BYTE, AT(start), 0, GAME_PLAYERS_MAX - 1, NULL, "start: must be a seat from 0 to 3", AFTER("start:")},
    {"token:", FIELD_SEAT, AT(token), 0, 0, NULL, "token: must be a seat from 0 to 3, or '-' for none", AFTER("token:")},
    {"bonus:", FIELD_BYTE, AT(bonus), 0, GAME_SUPPLY_TILES, NULL, "bonus: must be a number from 0 to 10", AFTER("bonus:")},
    {"displays:", FIELD_DISPLAYS, AT(displays), 0, 0, NULL, "displays: must be the tiles of each display, separated by '/', such as p2gr/-/y4/-/o", AFTER("displays:")},
    TILES("center:", AT(center)),
    TILES("supply:", AT(supply)),
    TILES("bag:", AT(bag)),
    TILES("tower:", AT(tower)),
    {0},
};

static const struct field seat_fields[] = {
    {"score:", FIELD_SCORE, SEAT_AT(score), 0, 0, NULL, "score: must be a number below 100000000", AFTER("score:")},
    TILES("hand:", SEAT_AT(hand)),
    TILES("corners:", SEAT_AT(corners)),
    {"passed:", FIELD_NAME, SEAT_AT(passed), 0, 0, passed_names, "passed: must be 'yes' or 'no'", AFTER("passed:")},
    {"stars:", FIELD_STARS, SEAT_AT(stars), 0, 0, NULL, "stars: must be 7 stars, separated by '/', of 6 spaces each: a color's letter, or '.' for an empty space", AFTER("stars:")},
    {0},
};
/* clang-format on */

static char *put_stars(char *text, const int8_t (*stars)[GAME_SPACES])
{
    for (int star = 0; star < GAME_STARS; star++) {
        text = put(text, star == 0 ? "" : "/");
        for (int space = 0; space < GAME_SPACES; space++)
            text = stars[star][space] == GAME_EMPTY ? put(text, ".")
                                                    : put_color(text, stars[star][space]);
    }
    return text;
}

/* Writes the fields of a position or of a seat. The position has display_count displays. */
static char *put_fields(char *text, const struct field *field, const void *owner, int display_count)
{
    for (; field->key; field++) {
        const void *member = (const char *)owner + field->offset;
        const uint8_t(*displays)[GAME_COLORS] = member;

        text = put(put(text, " "), field->key);
        switch (field->kind) {
        case FIELD_NAME:
            text = put(text, field->names[*(const uint8_t *)member]);
            break;
        case FIELD_BYTE:
            text = put_number(text, *(const uint8_t *)member);
            break;
        case FIELD_SEAT:
            text = put_seat(text, *(const int8_t *)member);
            break;
        case FIELD_SCORE:
            text = put_number(text, *(const int32_t *)member);
            break;
        case FIELD_TILES:
            text = put_tiles(text, member);
            break;
        case FIELD_DISPLAYS:
            for (int i = 0; i < display_count; i++)
                text = put_tiles(put(text, i == 0 ? "" : "/"), displays[i]);
            break;
        case FIELD_STARS:
            text = put_stars(text, member);
            break;
        }
    }
    return text;
}

size_t notation_write_position(const struct position *position,
                               char text[static NOTATION_POSITION_BYTES])
{
    char *next = put_fields(text, table_fields, position, 2 * position->player_count + 1);

    for (int seat = 0; seat < position->player_count; seat++)
        next = put_fields(put(next, " |"), seat_fields, &position->seats[seat], 0);
    memmove(text, text + 1, (size_t)(next - text)); /* remove the space before the first field */
    return (size_t)(next - text) - 1;
}

/* Reads displays, and sets *count to their number. */
static bool take_displays(const char **text, uint8_t (*displays)[GAME_COLORS], int *count)
{
    *count = 0;
    do
        if (*count == GAME_DISPLAYS_MAX || !take_tiles(text, displays[(*count)++]))
            return false;
    while (take(text, "/"));
    return true;
}

static bool take_stars(const char **text, int8_t (*stars)[GAME_SPACES])
{
    for (int star = 0; star < GAME_STARS; star++) {
        if (star > 0 && !take(text, "/"))
            return false;
        for (int space = 0; space < GAME_SPACES; space++) {
            int color = GAME_EMPTY;

            if (!take(text, ".") && !take_color(text, &color))
                return false;
            stars[star][space] = (int8_t)color;
        }
    }
    return true;
}

static bool take_score(const char **text, int32_t *score)
{
    int number;

    if (!take_number(text, TEXT_NUMBER_MAX, &number))
        return false;
    *score = number;
    return true;
}

static bool take_field(const char **text, const struct field *field, void *member,
                       int *display_count)
{
    switch (field->kind) {
    case FIELD_NAME:
        return take_name(text, field->names, member);
    case FIELD_BYTE:
        return take_byte(text, field->most, member) && *(uint8_t *)member >= field->least;
    case FIELD_SEAT:
        return take_seat(text, member);
    case FIELD_SCORE:
        return take_score(text, member);
    case FIELD_TILES:
        return take_tiles(text, member);
    case FIELD_DISPLAYS:
        return take_displays(text, member, display_count);
    case FIELD_STARS:
        return take_stars(text, member);
    }
    return false;
}

/*
 * Reads the fields of `owner` (a position or a seat) up to a '|' or the end of the text. Returns
 * NULL, or a line that says what is wrong with the text.
 */
static const char *take_fields(const char **text, const struct field *field, void *owner,
                               int *display_count, bool *has_bag)
{
    const char *unknown = field == table_fields
                              ? "the text must begin with a field, such as board:colored, or a '|'"
                              : "after a '|' must come a field of a player, such as score:5";

    for (; field->key; field++) {
        take_spaces(text);
        if (!take(text, field->key))
            continue;
        if (!take_field(text, field, (char *)owner + field->offset, display_count) ||
            (**text != ' ' && **text != '|' && **text != '\0'))
            return field->refusal;
        *has_bag |= strcmp(field->key, "bag:") == 0;
        unknown = field->unknown;
    }
    take_spaces(text);
    if (**text != '|' && **text != '\0')
        return unknown;
    return NULL;
}

/*
 * Returns how many tiles of a color are not in the bag: on the table, in hands, on corners and on
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
    struct position read = {.round = 1, .token = GAME_NOBODY};
    int display_count = 0;
    bool has_bag = false;
    const char *refusal = take_fields(&text, table_fields, &read, &display_count, &has_bag);

    while (!refusal && take(&text, "|")) {
        struct position_seat *seat = &read.seats[read.player_count];

        if (read.player_count++ == GAME_PLAYERS_MAX)
            return "the text describes more than 4 players";
        seat->score = GAME_SCORE_START;
        memset(seat->stars, GAME_EMPTY, sizeof seat->stars);
        refusal = take_fields(&text, seat_fields, seat, &display_count, &has_bag);
    }
    if (refusal)
        return refusal;
    if (read.player_count < GAME_PLAYERS_MIN)
        return "the text describes fewer than 2 players; write a '|' before the fields of each "
               "player";
    if (display_count != 0 && display_count != 2 * read.player_count + 1)
        return "displays: the number of displays must be twice the number of players, plus one";
    read.wild = (uint8_t)(read.round - 1);
    for (int color = 0; color < GAME_COLORS && !has_bag; color++) {
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
