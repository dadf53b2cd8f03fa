/*
 * A match as the viewer's script reads it: positions as text, each decision as the places where
 * that text changes, what else could have been chosen, times. All of it follows from the rules
 * here, so that the script only puts characters in place.
 *
 * A position is a line of characters, numbers in base 36:
 *
 *     round phase player start token bonus | displays center supply bag tower, six counts each |
 *     and for each seat: score (2) passed hand (6) corners (6) stars (42, '.' for empty)
 *
 * without the bars and spaces; '-' is nobody. A change is three characters: where (2), and what.
 */
#ifndef ARENA_SITE_COURSE_H
#define ARENA_SITE_COURSE_H

#include <jansson.h>

#include "arena/replay/effect.h"
#include "arena/replay/replay.h"

enum course_text_limits {
    COURSE_POSITION_CHARS = 6 + 6 * (GAME_DISPLAYS_MAX + 4) + GAME_PLAYERS_MAX * 57,
    COURSE_LEGAL_CHARS = 512, /* room for what could be chosen, and its final 0 */
};

/* Writes a position and a final 0. Returns its characters. */
size_t course_position(const struct position *position,
                       char text[static COURSE_POSITION_CHARS + 1]);

/* What changed from one position to the next; both have the same length. A new reference. */
json_t *course_changes(const char *before, const char *after);

/*
 * Writes what the seat to act may choose, and a final 0:
 *
 *     D, and for each draft: source ('c' or a digit), color, tiles of it, wild tiles that come
 * along P, 42 spaces (points of the run, 4 times, and bonus tiles; '-' for none), colors by star
 *        (bits, 2 characters each), ways to pass (2), and for each color and cost that can be
 *        paid: color, cost, fewest and most wild tiles
 *     B, tiles to take, ways to take them (2)
 */
void course_legal(const struct game *game, char text[static COURSE_LEGAL_CHARS]);

#endif
