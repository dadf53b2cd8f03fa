#include "arena/play/bot_errand.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/mailbox.h"

/* Either errand. It may outlive the bot, and the game for which the bot was started. */
struct bot_errand {
    struct errand errand;
    const struct transport *transport;
    struct bot *bot; /* used on the loop only; NULL: abandoned */
    void (*spawned_fn)(struct bot *bot, int error);
    int64_t (*now_fn)(void);
    _Atomic int64_t begun_us; /* when the thread came to it; 0: it waits for others */
    atomic_bool abandoned;    /* whether bot is NULL, for use by the thread */
    struct sandbox_command command;
    struct sandbox_child child;
    struct sandbox_failure failure;
    int error;
};

static struct bot_errand *of(struct errand *errand)
{
    return (struct bot_errand *)errand; /* errand is its first member */
}

static void destroy(struct bot_errand *errand)
{
    const char *const *argv = errand->command.argv;

    for (int i = 0; argv && argv[i]; i++)
        free((char *)argv[i]);
    free((void *)argv);
    free((char *)errand->command.folder);
    free((char *)errand->command.name);
    free(errand);
}

/* ---- the end ---- */

static void run_finish(struct errand *errand)
{
    of(errand)->transport->finish_fn(&of(errand)->child);
}

static void finished(struct errand *errand)
{
    destroy(of(errand));
}

static void add_finish(struct bot_errand *errand)
{
    errand->errand.run_fn = run_finish;
    errand->errand.done_fn = finished;
    mailbox_add(errand->transport->errands, &errand->errand);
}

void bot_errand_finish(struct bot *bot)
{
    struct bot_errand *errand = calloc(1, sizeof *errand);

    if (!errand) {
        bot->transport->finish_fn(&bot->child);
        return;
    }
    errand->transport = bot->transport;
    errand->child = bot->child;
    add_finish(errand);
}

/* ---- the start ---- */

static char *copy_text(const char *text, bool *whole)
{
    char *copy = text ? strdup(text) : NULL;

    *whole &= copy || !text;
    return copy;
}

static bool copy_command(struct sandbox_command *copy, const struct sandbox_command *command)
{
    bool whole = true;
    int count = 0;
    char **argv;

    *copy = *command;
    copy->folder = copy_text(command->folder, &whole);
    copy->name = copy_text(command->name, &whole);
    copy->argv = NULL;
    while (command->argv && command->argv[count])
        count++;
    argv = calloc((size_t)count + 1, sizeof *argv);
    for (int i = 0; argv && i < count; i++)
        if (!(argv[i] = copy_text(command->argv[i], &whole)))
            break;
    copy->argv = (const char *const *)argv;
    return argv && whole;
}

static void run_start(struct errand *errand)
{
    struct bot_errand *start = of(errand);

    atomic_store(&start->begun_us, start->now_fn());
    start->error = atomic_load(&start->abandoned)
                       ? -ECANCELED
                       : start->transport->spawn_fn(start->transport->context, &start->command,
                                                    &start->child, &start->failure);
}

static void spawned(struct errand *errand)
{
    struct bot_errand *start = of(errand);
    struct bot *bot = start->bot;
    int error = start->error;

    if (!bot && error == 0) {
        add_finish(start);
        return;
    }
    if (bot) {
        bot->starting = NULL;
        bot->child = start->child;
        bot->failure = start->failure;
        start->spawned_fn(bot, error);
    }
    destroy(start);
}

int bot_errand_start(struct bot *bot, const struct sandbox_command *command,
                     void (*spawned_fn)(struct bot *bot, int error))
{
    struct bot_errand *start = calloc(1, sizeof *start);

    if (!start)
        return -ENOMEM;
    if (!copy_command(&start->command, command)) {
        destroy(start);
        return -ENOMEM;
    }
    start->errand = (struct errand){.run_fn = run_start, .done_fn = spawned};
    start->transport = bot->transport;
    start->bot = bot;
    start->now_fn = bot->pace->now_fn;
    start->spawned_fn = spawned_fn;
    bot->starting = start;
    mailbox_add(bot->transport->errands, &start->errand);
    return 0;
}

bool bot_errand_is_late(struct bot *bot)
{
    int64_t now_us = bot->pace->now_fn(), begun_us = atomic_load(&bot->starting->begun_us);
    int64_t due_us = (begun_us ? begun_us : now_us) + (int64_t)BOT_STARTING_MS * 1000;

    if (now_us >= due_us)
        return true;
    alarm_set(&bot->alarm, due_us);
    return false;
}

void bot_errand_abandon(struct bot *bot)
{
    bot->starting->bot = NULL;
    atomic_store(&bot->starting->abandoned, true);
    bot->starting = NULL;
}
