/*
 * The two parts of the viewer's page that follow a match from its first decision to its last: the
 * list in words, and the data for the script. Both are generated in one pass over the replay.
 */
#ifndef ARENA_SITE_VIEWER_COURSE_H
#define ARENA_SITE_VIEWER_COURSE_H

#include "arena/site/course.h"

struct viewer_course {
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
 * Call viewer_course_finish in any case.
 */
int viewer_course_play(struct viewer_course *course, const struct replay *replay,
                       char error[static REPLAY_ERROR_BYTES]);
void viewer_course_finish(struct viewer_course *course);

#endif
