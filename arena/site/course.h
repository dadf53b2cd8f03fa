/*
 * The data that the viewer's page shows of a match, made in one pass over the replay: an HTML list
 * that describes each decision in words, and JSON for the page's script. The JSON has the positions
 * as text (each decision as the changes of that text), the alternatives of each decision, and
 * times. The rules are applied here, so the script only replaces characters.
 *
 * A position is a line of characters, numbers in base 36:
 *
 *   round phase player start token bonus | displays center supply bag tower, six counts each |
 *   and for each seat: score (2) passed hand (6) corners (6) stars (42, '.' for empty)
 *
 * The line has neither bars nor spaces; '-' is GAME_NOBODY. A change is three characters: the
 * offset in the line (2) and the new character.
 */
#ifndef ARENA_SITE_COURSE_H
#define ARENA_SITE_COURSE_H

#include <jansson.h>

#include "arena/replay/effect.h"
#include "arena/replay/replay.h"

struct course {
    const struct replay *replay;
    char *names[GAME_PLAYERS_MAX]; /* display names, made by words_seat; owned */
    char *list;                    /* HTML list items, one per decision; owned */
    size_t list_bytes;
    json_t *data;         /* JSON for the page's script; owned */
    struct position last; /* the final position */
    bool scored;          /* the match reached its final scoring; finals is set */
    struct effect_final finals[GAME_PLAYERS_MAX];
};

/*
 * Returns what the scripts of pages need to know of a side of the board: the names of colors and
 * stars, the costs of spaces, and the spaces of features; a new reference.
 */
json_t *course_board(enum board_side side);

/*
 * Fills course by playing the replay's match again. Returns 0, or -1 after writing one line to
 * error. The caller must call course_finish even after a failure.
 */
int course_play(struct course *course, const struct replay *replay,
                char error[static REPLAY_ERROR_BYTES]);
void course_finish(struct course *course);

/* Writes the final position as an SVG file. */
void course_picture(FILE *svg, const struct course *course);

#endif
