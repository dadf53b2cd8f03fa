/*
 * The two parts of the viewer's page that follow a match from its first decision to its last: the
 * list in words, and what the script reads. Both come out of one pass over the replay.
 */
#ifndef ARENA_SITE_VIEWER_COURSE_H
#define ARENA_SITE_VIEWER_COURSE_H

#include "arena/site/course.h"

struct viewer_course {
    const struct replay *replay;
    char *names[GAME_PLAYERS_MAX]; /* as words_seat has them, owned */
    char *list;                    /* HTML: an item a decision, owned */
    size_t list_bytes;
    json_t *data; /* for the script, owned */
    bool scored;  /* the match came to its final scoring: */
    struct effect_final finals[GAME_PLAYERS_MAX];
};

/*
 * Plays the match again. Returns 0, or -1 after writing one line to error. Finish it with
 * viewer_course_finish in any case; course is zeroed before.
 */
int viewer_course_play(struct viewer_course *course, const struct replay *replay,
                       char error[static REPLAY_ERROR_BYTES]);
void viewer_course_finish(struct viewer_course *course);

#endif
