/* Operators' changes: checks rows and words the messages, for any back end. */
#include <errno.h>
#include <string.h>

#include "arena/store/core.h"

/* ---- bans ---- */

struct seeking {
    const char *author;
    bool found;
};

static int seek_author(void *context, const struct store_bot *bot)
{
    struct seeking *seeking = context;

    seeking->found = strcmp(bot->author, seeking->author) == 0;
    return seeking->found;
}

/* Returns 0, or -ENOENT if there is no bot of that name or author. */
static int find_somebody(struct store *store, const char *name, const char *author)
{
    struct seeking seeking = {author, false};
    struct store_bot bot;
    int error = name ? store->backend->bot_find(store, name, NULL, &bot)
                     : store->backend->bots_each(store, seek_author, &seeking);

    if (!name && (error == 0 || error == -EINTR))
        error = seeking.found ? 0 : -ENOENT;
    if (error == -ENOENT)
        store_refuse(store, error, "there is no bot %s%s: `arena bots` lists them",
                     name ? "" : "of author ", name ? name : author);
    return error;
}

int store_ban_add(struct store *store, const char *name, const char *author, bool void_games,
                  int64_t now_us)
{
    int error = core_begin_write(store);

    if (!error)
        error = find_somebody(store, name, author);
    if (!error)
        error = store->backend->ban_add(store, name, author, void_games, now_us);
    if (error == -EEXIST)
        store_refuse(store, error, "%s is already banned", name ? name : author);
    return core_end_write(store, error);
}

int store_ban_lift(struct store *store, const char *name, const char *author, int64_t now_us)
{
    int error = core_begin_write(store);

    if (!error)
        error = store->backend->ban_lift(store, name, author, now_us);
    if (error == -EEXIST)
        store_refuse(store, error, "%s is not banned", name ? name : author);
    return core_end_write(store, error);
}

/* ---- events ---- */

int store_event_latest(struct store *store, int64_t *event)
{
    core_begin(store);
    return core_end(store, store->backend->event_latest(store, event));
}

static int pass_event(void *context, const struct store_event *event)
{
    struct passing *passing = context;
    struct row_fault fault;
    int result;

    if (!row_event_is_sound(event, &fault)) {
        passing->error = core_damaged(passing->store, &fault);
        return 1;
    }
    passing->store->each_depth++;
    result = ((store_event_fn *)passing->each_fn)(passing->context, event);
    passing->store->each_depth--;
    return result;
}

int store_events_each(struct store *store, int64_t season_id, store_event_fn *each_fn,
                      void *context)
{
    struct passing passing = {store, (void *)each_fn, context, .next = 0};

    core_begin(store);
    return core_end_passing(&passing,
                            store->backend->events_each(store, season_id, pass_event, &passing));
}

/* ---- who may take part ---- */

bool store_roster_words(const char *const *names, size_t count, size_t *from,
                        char about[static STORE_ABOUT_BYTES])
{
    size_t first = *from, size = 5;

    if (first > 0 && first >= count)
        return false;
    strcpy(about, count == 0 ? "all" : first == 0 ? "only " : "and ");
    if (count == 0)
        *from = 1;
    else
        size = strlen(about);
    while (*from < count && size + strlen(names[*from]) + 1 < STORE_ABOUT_BYTES) {
        if (*from > first)
            about[size++] = ',';
        strcpy(about + size, names[*from]);
        size += strlen(names[(*from)++]);
    }
    return true;
}

int store_roster_set(struct store *store, int64_t season_id, const char *const *names, size_t count)
{
    int error = core_begin_write(store);

    for (size_t i = 0; i < count && !error; i++)
        error = find_somebody(store, names[i], NULL);
    if (!error)
        error = store->backend->roster_set(store, season_id, names, count);
    return core_end_write(store, error);
}

static int pass_name(void *context, const char *name)
{
    struct passing *passing = context;
    int result;

    if (!name || !store_name_is_valid(name)) {
        passing->error = store_damaged(passing->store, "roster", name ? name : "", "name",
                                       "not 1 to 32 characters from a-z, 0-9, - and _");
        return 1;
    }
    passing->store->each_depth++;
    result = ((store_name_fn *)passing->each_fn)(passing->context, name);
    passing->store->each_depth--;
    return result;
}

int store_roster_each(struct store *store, int64_t season_id, store_name_fn *each_fn, void *context)
{
    struct passing passing = {store, (void *)each_fn, context, .next = 0};

    core_begin(store);
    return core_end_passing(&passing,
                            store->backend->roster_each(store, season_id, pass_name, &passing));
}
