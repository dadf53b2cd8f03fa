/* The bots of leased groups: fetches and unpacks them, and starts games when they are ready. */
#include <stdlib.h>

#include "arena/worker/host_state.h"

static bool has_bot(const struct held *held, const struct host_bot *bot)
{
    for (int i = 0; i < held->lease.group.player_count; i++)
        if (held->bots[i] == bot)
            return true;
    return false;
}

/* Gives back all groups with a bot. */
static void drop_groups(struct host *host, const struct host_bot *bot)
{
    for (struct field *field = host->fields; field; field = field->next)
        for (struct held *held = field->held, *next; held; held = next) {
            next = held->next;
            if (has_bot(held, bot))
                host_drop(field, held);
        }
}

static void fetch(struct host *host, struct host_bot *bot)
{
    bot->state = HOST_BOT_FETCHING;
    bot->fetch_count++;
    if (lessee_fetch(host->lessee, &bot->bot) < 0)
        host_fail(host, "out of memory");
}

struct host_bot *host_bot(struct host *host, const struct store_bot *bot)
{
    struct host_bot *at = host->bots;

    while (at && at->bot.id != bot->id)
        at = at->next;
    if (at && at->state == HOST_BOT_GONE)
        fetch(host, at);
    if (at)
        return at;
    at = calloc(1, sizeof *at);
    if (!at)
        return NULL;
    at->bot = *bot;
    at->next = host->bots;
    host->bots = at;
    fetch(host, at);
    return at;
}

static void refuse(struct host *host, struct host_bot *bot)
{
    bot->state = HOST_BOT_REFUSED;
    if (host->refused_count < LEASE_REFUSED_MAX)
        host->refused[host->refused_count++] = bot->bot.id;
    drop_groups(host, bot);
}

static void stage(struct host *host, struct host_bot *bot)
{
    bot->state = HOST_BOT_STAGING;
    bot->entry = host->staged_count++;
    if (staging_want(host->staging, bot->entry, &bot->bot) < 0)
        host_fail(host, "out of memory");
}

void host_bot_fetched(void *owner, int64_t bot_id, enum lessee_fetch outcome, const char *words)
{
    struct host *host = owner;
    struct host_bot *bot = host->bots;

    while (bot && bot->bot.id != bot_id)
        bot = bot->next;
    if (!bot || host->state == HOST_ENDING)
        return;
    switch (outcome) {
    case LESSEE_FETCHED:
        stage(host, bot);
        break;
    case LESSEE_FOREIGN:
        refuse(host, bot);
        break;
    case LESSEE_UNFETCHED:
        bot->state = HOST_BOT_GONE;
        host->options.log_fn(HOST_ERROR, bot->bot.name, words);
        drop_groups(host, bot);
        break;
    }
    host_go_on(host);
}

/* Fetches a package that could not be unpacked again: the cache may have lost it. */
void host_bot_staged(void *owner, int entry, const char *error)
{
    struct host *host = owner;
    struct host_bot *bot = host->bots;

    while (bot && (bot->state != HOST_BOT_STAGING || bot->entry != entry))
        bot = bot->next;
    if (!bot)
        return;
    if (!error) {
        bot->state = HOST_BOT_READY;
        bot->fetch_count = 0;
    } else if (bot->fetch_count < HOST_FETCHES_MAX) {
        fetch(host, bot);
    } else {
        bot->state = HOST_BOT_GONE;
        host_fail(host, error);
    }
    host_go_on(host);
}
