/*
 * How a hundred thousand games are read in a few milliseconds. A plain row is
 *
 *     ID,GROUP,NAME,SEAT,RANK        and further columns, if any
 *
 * without quotes in these five, with a name that was seen before and is short, and with
 * numbers of few digits. Then each part is found by looking at whole words of eight
 * bytes instead of one byte after another, and the rows of a game, which mostly lie
 * together, begin with the same bytes. Whatever is not plain is left as it is to the
 * reader of any row, which also finds the words for what is wrong: here is nothing to
 * refuse but what only games can tell, a group that changes and a seat taken twice.
 */
#include "arena/rating/csv_plain.h"

#include <string.h>

enum {
    WORD_BYTES = 8,
    NUMBER_DIGITS = WORD_BYTES - 1, /* and a comma */
    TEXT_ID_BYTES = 64,             /* an id that is no short number ends within so many */
    PREFIX_WORDS = 2,               /* "ID,GROUP," is known again if it is no longer */
    /* Beyond a row's start no more is looked at before it is known to be there. */
    LOOK_BYTES = TEXT_ID_BYTES + 2 * WORD_BYTES + NAMES_SHORT_MAX + 2 * WORD_BYTES,
};

/* What a row is compared with that may be of the same game: the first bytes of one before it. */
struct prefix {
    const char *row;
    uint64_t masks[PREFIX_WORDS]; /* of "ID,GROUP," */
    size_t size;                  /* 0 if there is none to compare with */
};

/* "ID,GROUP," of a row. */
struct start {
    uint64_t id; /* if it is a number */
    uint64_t group;
    size_t id_size, size;
    bool id_is_number;
};

/* "NAME,SEAT,RANK" of a row. */
struct seating {
    unsigned bot, seat, rank;
};

/*
 * Reads a number of 1 to NUMBER_DIGITS digits, all at once: they go to the upper end of
 * a word, and neighbors are joined to tens, then to hundreds, then all. Returns false
 * if one is no digit.
 */
static inline bool read_digits(const char *bytes, size_t size, uint64_t *number)
{
    unsigned shift = 8 * (unsigned)(WORD_BYTES - size);
    uint64_t digits;

    memcpy(&digits, bytes, WORD_BYTES);
    digits = (digits << shift) ^ ((uint64_t)0x3030303030303030 << shift);
    if (((digits + 0x0606060606060606) | digits) & 0xf0f0f0f0f0f0f0f0)
        return false;
    digits = digits * 10 + (digits >> 8);
    *number = ((digits & 0xff000000ff) * (((uint64_t)1000000 << 32) + 100) +
               (digits >> 16 & 0xff000000ff) * (((uint64_t)10000 << 32) + 1)) >>
              32;
    return true;
}

/* The size of a number that a comma ends, 0 if it has none or too many bytes. */
static inline size_t number_size(const char *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, WORD_BYTES);
    uint64_t comma = names_find_comma(word);
    return comma ? names_size_before(comma) : 0;
}

/* True if a row begins like the one of the prefix. */
static inline bool has_prefix(const struct prefix *prefix, const char *row)
{
    uint64_t words[PREFIX_WORDS], known_words[PREFIX_WORDS];
    uint64_t differs = 0;

    if (prefix->size == 0)
        return false;
    memcpy(words, row, sizeof words);
    memcpy(known_words, prefix->row, sizeof words);
    for (int i = 0; i < PREFIX_WORDS; i++)
        differs |= (words[i] ^ known_words[i]) & prefix->masks[i];
    return differs == 0;
}

static inline void set_prefix(struct prefix *prefix, const char *row, size_t size)
{
    prefix->row = row;
    if (size == prefix->size)
        return;
    prefix->size = size <= sizeof prefix->masks ? size : 0;
    for (size_t i = 0; i < PREFIX_WORDS; i++)
        prefix->masks[i] = size >= WORD_BYTES * (i + 1) ? ~(uint64_t)0
                           : size > WORD_BYTES * i ? ~(~(uint64_t)0 << 8 * (size - WORD_BYTES * i))
                                                   : 0;
}

/* The size of an id that is any text, 0 if it is not plain. */
static size_t cut_text(const char *bytes)
{
    const char *comma = memchr(bytes, ',', TEXT_ID_BYTES);
    size_t size = comma ? (size_t)(comma - bytes) : 0;

    return *bytes == '"' || memchr(bytes, '\n', size) ? 0 : size;
}

/*
 * Reads "ID,GROUP,"; false if it is not plain. start is that of an earlier row or zeroed:
 * mostly the commas are where they were then, and to look there first is what lets the
 * processor begin with the next row before it has found this one's.
 */
static inline bool read_start(const char *row, struct start *start)
{
    if (!start->id_is_number || row[start->id_size] != ',' || row[start->size - 1] != ',' ||
        !read_digits(row, start->id_size, &start->id)) {
        size_t id_size = number_size(row);

        start->id_is_number = id_size > 0 && read_digits(row, id_size, &start->id);
        start->id_size = start->id_is_number ? id_size : cut_text(row);
        size_t group_size = start->id_size > 0 ? number_size(row + start->id_size + 1) : 0;
        start->size = group_size > 0 ? start->id_size + 1 + group_size + 1 : 0;
    }
    return start->size > 0 &&
           read_digits(row + start->id_size + 1, start->size - start->id_size - 2, &start->group);
}

/* Reads "NAME,SEAT,RANK"; returns its size, 0 if it is not plain. */
static inline size_t cut_seating(const struct names *players, const char *name,
                                 struct seating *seating)
{
    struct names_key key;
    size_t size = names_cut_short(name, &key);
    int64_t bot = names_find_short(players, key);
    uint32_t tail;

    /* ",S,R" as one number, less ",0,1": what is left is the seat and the rank less 1. */
    memcpy(&tail, name + size, sizeof tail);
    tail -= 0x312c302c;
    if (size == 0 || *name == '"' || bot < 0 || (tail & 0xfcfffcff) != 0)
        return 0;
    seating->bot = (unsigned)bot;
    seating->seat = tail >> 8 & 3;
    seating->rank = (tail >> 24) + 1;
    return size + sizeof tail;
}

/* Where the next row begins if this one, read up to its fifth column's end, ends plainly. */
static inline const char *end_row(const char *row, const char *at, const char *end)
{
    if (*at == '\n')
        return at + 1;
    if (at[0] == '\r' && at[1] == '\n')
        return at + 2;
    if (*at != ',')
        return NULL;
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    return line_end - row <= CSV_LINE_BYTES_MAX ? line_end + 1 : NULL;
}

static inline int enter_game(struct csv_rows *rows, const char *row, const struct start *start)
{
    int64_t number = -1;

    if (start->id_is_number && (*row != '0' || start->id_size == 1))
        number = ids_count_up(&rows->game_ids, start->id);
    if (number < 0)
        number = ids_number(&rows->game_ids, row, start->id_size);
    return csv_rows_enter_game(rows, number, (int64_t)start->group);
}

int csv_plain_read(struct csv_rows *rows, const char **at, const char *end)
{
    struct prefix prefix = {.row = NULL};
    struct start start = {.size = 0};
    const char *row = *at;
    int error = 0;

    while (end - row >= LOOK_BYTES && error == 0) {
        struct seating seating;
        bool same_game = has_prefix(&prefix, row);

        if (!same_game && !read_start(row, &start))
            break;
        size_t seating_size = cut_seating(&rows->players, row + start.size, &seating);
        const char *next =
            seating_size > 0 ? end_row(row, row + start.size + seating_size, end) : NULL;
        if (!next)
            break;
        rows->line++;
        if (!same_game) {
            error = enter_game(rows, row, &start);
            set_prefix(&prefix, row, start.size);
        }
        if (error == 0)
            error = csv_rows_seat(rows, seating.bot, seating.seat, seating.rank);
        row = next;
    }
    *at = row;
    return error;
}
