/* The bots of leased groups: fetches and unpacks them, and starts games when they are ready. */
#include <stdlib.h>

#include "arena/play/alarm.h"
#include "arena/worker/host_state.h"

enum {
    BAR_US_MIN = 1000000,
    BAR_US_MAX = 300000000,
};

static const int64_t keep_us = 3600000000; /* what was unpacked, after the last group with it */

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

/* ---- fetching: a few at a time, so that the cache has what is to be unpacked ---- */

static int busy_count(const struct host *host)
{
    int count = 0;

    for (const struct host_bot *bot = host->bots; bot; bot = bot->next)
        count += bot->state == HOST_BOT_FETCHING || bot->state == HOST_BOT_STAGING;
    return count;
}

static void fetch_next(struct host *host)
{
    for (struct host_bot *bot = host->bots; bot && busy_count(host) < HOST_FETCHED_MAX;
         bot = bot->next) {
        if (bot->state != HOST_BOT_WAITING)
            continue;
        bot->state = HOST_BOT_FETCHING;
        bot->fetch_count++;
        if (lessee_fetch(host->lessee, &bot->bot) < 0)
            host_fail(host, "out of memory");
    }
}

struct host_bot *host_bot(struct host *host, const struct store_bot *bot)
{
    struct host_bot *at = host->bots;

    while (at && at->bot.id != bot->id)
        at = at->next;
    if (!at) {
        at = calloc(1, sizeof *at);
        if (!at)
            return NULL;
        at->bot = *bot;
        at->next = host->bots;
        at->state = HOST_BOT_GONE;
        at->entry = -1;
        host->bots = at;
    }
    at->used_us = alarm_now_us();
    if (at->state == HOST_BOT_GONE) {
        at->state = HOST_BOT_WAITING;
        fetch_next(host);
    }
    return at;
}

size_t host_bots_refused(struct host *host)
{
    int64_t now_us = alarm_now_us();
    size_t count = 0;

    for (const struct host_bot *bot = host->bots; bot && count < LEASE_REFUSED_MAX; bot = bot->next)
        if (bot->state == HOST_BOT_REFUSED ||
            (bot->state == HOST_BOT_GONE && now_us < bot->barred_until_us))
            host->refused[count++] = bot->bot.id;
    return count;
}

static void stage(struct host *host, struct host_bot *bot)
{
    bot->state = HOST_BOT_STAGING;
    bot->entry = host->staged_count++;
    if (staging_want(host->staging, bot->entry, &bot->bot) < 0)
        host_fail(host, "out of memory");
}

/* Groups with it are left to others, the longer the oftener it fails. */
static void bar(struct host *host, struct host_bot *bot)
{
    bot->state = HOST_BOT_GONE;
    bot->bar_us = bot->bar_us ? bot->bar_us * 2 : (int64_t)BAR_US_MIN;
    if (bot->bar_us > BAR_US_MAX)
        bot->bar_us = BAR_US_MAX;
    bot->barred_until_us = alarm_now_us() + bot->bar_us;
    drop_groups(host, bot);
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
        bot->bar_us = 0;
        stage(host, bot);
        break;
    case LESSEE_FOREIGN:
        bot->state = HOST_BOT_REFUSED;
        drop_groups(host, bot);
        break;
    case LESSEE_UNFETCHED:
        host->options.log_fn(HOST_ERROR, bot->bot.name, words);
        bar(host, bot);
        break;
    }
    fetch_next(host);
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
        bot->state = HOST_BOT_WAITING;
    } else {
        bot->state = HOST_BOT_GONE;
        host_fail(host, error);
    }
    fetch_next(host);
    host_go_on(host);
}

/* ---- forgetting ---- */

static bool is_needed(const struct host *host, const struct host_bot *bot)
{
    for (const struct field *field = host->fields; field; field = field->next)
        for (const struct held *held = field->held; held; held = held->next)
            if (has_bot(held, bot))
                return true;
    return false;
}

void host_bots_forget(struct host *host)
{
    int64_t now_us = alarm_now_us();

    for (struct host_bot *bot = host->bots; bot; bot = bot->next) {
        if (bot->state != HOST_BOT_READY)
            continue;
        if (is_needed(host, bot)) {
            bot->used_us = now_us;
        } else if (now_us - bot->used_us >= keep_us) {
            staging_drop(host->staging, bot->entry);
            bot->state = HOST_BOT_GONE;
        }
    }
}
