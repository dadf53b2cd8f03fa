/*
 * A match in the form that the viewer's script reads: positions as text, each decision as the
 * changes of that text, the alternatives, and times. The rules are applied here, so the script only
 * replaces characters.
 *
 * A position is a line of characters, numbers in base 36:
 *
 *   round phase player start token bonus | displays center supply bag tower, six counts each |
 *   and for each seat: score (2) passed hand (6) corners (6) stars (42, '.' for empty)
 *
 * without the bars and spaces; '-' is GAME_NOBODY. A change is three characters: the offset (2) and
 * the new character.
 */
#ifndef ARENA_SITE_COURSE_H
#define ARENA_SITE_COURSE_H

#include <jansson.h>

#include "arena/replay/effect.h"
#include "arena/replay/replay.h"

enum course_text_limits {
    COURSE_POSITION_CHARS = 6 + 6 * (GAME_DISPLAYS_MAX + 4) + GAME_PLAYERS_MAX * 57,
    COURSE_LEGAL_CHARS = 512, /* room for the choices and the terminating NUL */
};

/* Writes a position and a terminating NUL. Returns its length. */
size_t course_position(const struct position *position,
                       char text[static COURSE_POSITION_CHARS + 1]);

/* Returns the changes from one position to the next, which has the same length; a new reference. */
json_t *course_changes(const char *before, const char *after);

/*
 * Writes what the seat to act may choose, and a terminating NUL:
 *
 *   D, and for each draft: source ('c' or a digit), color, tiles of it, wild tiles taken too
 *   P, 42 spaces (4 * points of the run + bonus tiles; '-' for none), colors by star (bits,
 *      2 characters each), ways to pass (2), and for each color and cost that can be paid:
 *      color, cost, fewest and most wild tiles
 *   B, tiles to take, ways to take them (2)
 */
void course_legal(const struct game *game, char text[static COURSE_LEGAL_CHARS]);

#endif
