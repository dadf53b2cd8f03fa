/* SPDX-License-Identifier: MIT */
/*
 * Runs a command of an organizer, sent through the API, as a process of its own:
 *
 *     arena order PID WHO COMMAND ...     PID of the desk; WHO is the actor of the command's events
 *
 * in an empty folder with the files that were sent along. The process itself refuses commands and
 * options whose tables (commands/options.h) do not let an organizer send them. What it prints, the
 * time that it takes and the files that it makes are bounded.
 *
 * The order is an object {"arguments": ["season", "show", "cup"], "files": {"NAME": "TEXT"}}.
 */
#ifndef ARENA_WEB_ORDER_H
#define ARENA_WEB_ORDER_H

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#define ORDER_SIZE "1 MiB" /* of an order, files included, as refusals say it */

enum order_limits {
    ORDER_BYTES_MAX = 1 << 20, /* ORDER_SIZE */
    ORDER_WORDS_MAX = 64,      /* words of a command */
    ORDER_NAME_BYTES = 64,     /* room for the name of a file, NUL included */
    ORDER_OUTPUT_BYTES_MAX = 8 << 20,
    ORDER_MESSAGE_BYTES_MAX = 64 << 10,
    ORDER_MADE_BYTES_MAX = 32 << 20, /* of the files that a command makes */
    ORDER_S = 120,                   /* time limit of a command */
    ORDER_WORD_BYTES = 256,          /* room for one line */
    ANALYSIS_S = 120,                /* time limit of an analysis */
    ANALYSIS_WAIT_S = 8,             /* of it, for which a question waits */
};

/* True for a character that the name of a file may have. */
static inline bool order_name_has(char character)
{
    return character &&
           strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", character);
}

/* True for a name that leads nowhere else: 1 to 63 such characters, the first no dot. */
bool order_name_is_plain(const char *name);

/* Where an order runs, and until when. */
struct order_place {
    const char *room; /* folder that does not exist yet; NULL: there is none */
    bool (*is_over_fn)(
        void *owner); /* true if nobody waits for the outcome any more; may be NULL */
    void *owner;
};

/*
 * Runs the order in the file for `who`. Returns its outcome, whatever that is; or NULL, and then
 * the HTTP status and the words of a refusal.
 */
json_t *order_answer(const struct order_place *place, int order_fd, const char *who, int *status,
                     const char **words);

enum order_analysis {
    ANALYSIS_ENDED = 0,   /* the home folder has it */
    ANALYSIS_RUNS = 1,    /* it takes longer than ANALYSIS_WAIT_S: ask again */
    ANALYSIS_BUSY = 2,    /* another game is being analysed, or was just now */
    ANALYSIS_FAILED = -1, /* words say why */
};

/*
 * Has the arena analyse a game (`arena analyse MATCH`, at a lower priority), which keeps the result
 * in the home folder, and waits for its end for a while. One game is analysed at a time, for
 * ANALYSIS_S at most, with pauses as long as that took: strangers who ask for one game after
 * another take half a processor. Threads may call it.
 */
enum order_analysis order_analyse(const char *match, char words[static ORDER_WORD_BYTES]);

#endif
