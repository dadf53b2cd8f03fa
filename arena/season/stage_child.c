#include "arena/season/stage_child.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/play/runner.h"
#include "arena/season/unpack.h"
#include "arena/store/depot/depot.h"

#define STAGE_CHILD_URL "ARENA_STORE" /* environment variable with the store's URL */

/* ---- the arena's side ---- */

static void ended(struct subprocess *process, int status)
{
    struct stage_child *child = process->owner;

    if (status == SUBPROCESS_KILLED)
        child->error = 0;
    else if (status == SUBPROCESS_UNSTARTED)
        child->error = process->start_error;
    if (status == SUBPROCESS_KILLED ||
        (status == SUBPROCESS_UNSTARTED && runner_is_exhaustion(-child->error)))
        status = STAGE_CHILD_NO_ROOM;
    else if (status < 0)
        status = STAGE_CHILD_FAILED;
    child->ended_fn(child, status);
}

int stage_child_start(struct stage_child *child, struct ev_loop *loop, struct mailbox *errands,
                      const char *program, const char *url, int64_t bot_id, const char *stage,
                      int number, int limit_s)
{
    char bot[24], entry[16], parent[16];
    char *arguments[] = {(char *)"arena", (char *)"unpack", bot, (char *)stage,
                         entry,           parent,           NULL};
    char *variable; /* not an argument, because the URL may contain a password */
    int error;

    if (asprintf(&variable, STAGE_CHILD_URL "=%s", url) < 0)
        return -ENOMEM;

    snprintf(bot, sizeof bot, "%" PRId64, bot_id);
    snprintf(entry, sizeof entry, "%d", number);
    snprintf(parent, sizeof parent, "%d", (int)getpid());
    child->process.owner = child;
    child->process.ended_fn = ended;
    child->process.variable = variable;
    error = subprocess_start_aside(&child->process, loop, errands, program, arguments,
                                   STAGE_CHILD_OUTPUT_BYTES, limit_s);
    child->process.variable = NULL;
    free(variable);
    return error;
}

void stage_child_finish(struct stage_child *child)
{
    subprocess_finish(&child->process);
}

/* ---- the process's side ---- */

/* Finds a bot by its id. */
struct search {
    int64_t id;
    struct store_bot bot;
};

static int look_at(void *context, const struct store_bot *bot)
{
    struct search *search = context;

    if (bot->id == search->id)
        search->bot = *bot;
    return 0;
}

static int unpack(struct store *store, int64_t bot_id, const char *stage, int number)
{
    struct search search = {.id = bot_id};
    char error[SOURCE_ERROR_BYTES];
    struct source source;
    int result;

    if (store_bots_each(store, look_at, &search) < 0) {
        printf("%s", store_failure(store));
        return STAGE_CHILD_FAILED;
    }
    result = unpack_bot(&source, store, &search.bot, stage, number, error);
    if (result < 0) {
        printf("%s", error);
        return result == PACKAGE_REFUSED ? STAGE_CHILD_REFUSED : STAGE_CHILD_FAILED;
    }
    printf("%s", source.manifest_text);
    free(source.folder); /* the arena owns its contents now */
    source.folder = NULL;
    source_close(&source);
    return STAGE_CHILD_DONE;
}

/* A worker's packages are in its depot. */
static int open_store(struct store **store, const char *url)
{
    size_t scheme = strlen(depot_backend.scheme);

    if (strncmp(url, depot_backend.scheme, scheme) == 0 && url[scheme] == ':')
        return store_open_backend(store, &depot_backend, url + scheme + 1, STORE_READ);
    return store_open(store, url, STORE_READ);
}

int stage_child_run(char **arguments)
{
    const char *url = getenv(STAGE_CHILD_URL), *stage = arguments[1];
    struct store *store;
    int status = STAGE_CHILD_FAILED;

    if (!url || !subprocess_settle(atoi(arguments[3])))
        return status;
    if (open_store(&store, url) < 0)
        printf("%s", store_failure(store));
    else
        status = unpack(store, atoll(arguments[0]), stage, atoi(arguments[2]));
    store_close(store);
    return fflush(stdout) == 0 ? status : STAGE_CHILD_FAILED;
}
