/*
 * What the viewer's page shows of a match from its first decision to its last, made in one pass
 * over the replay: the list in words, and the data for the script: positions as text, each decision
 * as the changes of that text, the alternatives, and times. The rules are applied here, so the
 * script only replaces characters.
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

struct course {
    const struct replay *replay;
    char *names[GAME_PLAYERS_MAX]; /* from words_seat; owned */
    char *list;                    /* HTML: an item per decision; owned */
    size_t list_bytes;
    json_t *data; /* for the script; owned */
    bool scored;  /* the match reached its final scoring: */
    struct effect_final finals[GAME_PLAYERS_MAX];
};

/*
 * Plays the match again. course must be zeroed. Returns 0, or -1 after writing one line to error.
 * Call course_finish in any case.
 */
int course_play(struct course *course, const struct replay *replay,
                char error[static REPLAY_ERROR_BYTES]);
void course_finish(struct course *course);

#endif
