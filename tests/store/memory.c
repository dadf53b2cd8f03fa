#include "tests/store/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/store/memory_leases.h"

struct kept_game {
    int64_t season_id;
    struct store_game game; /* its pointers are kept bytes */
    uint8_t *replay;
    size_t replay_bytes;
};

struct kept_package {
    char sha256[STORE_HASH_DIGITS + 1];
    uint8_t *bytes;
    size_t size;
};

struct kept_opening {
    int64_t season_id;
    struct store_opening opening;
};

struct kept_entry {
    int64_t season_id;
    struct store_entry entry;
};

struct kept_group {
    int64_t season_id;
    struct store_group group;
};

struct kept_batch {
    int64_t season_id;
    struct store_batch batch;
};

struct kept_ban {
    char *name, *author; /* either */
    bool void_games, lifted;
    int64_t banned_us;
};

struct kept_name {
    int64_t season_id; /* 0: taken off the roster */
    char name[STORE_NAME_BYTES_MAX + 1];
};

/* A growing array of rows of one kind. */
struct rows {
    char *rows;
    size_t count, row_bytes;
};

enum table {
    BOTS,
    PACKAGES,
    SUBMISSIONS,
    SEASONS,
    OPENINGS,
    ENTRIES,
    GROUPS,
    GAMES,
    EVENTS,
    BATCHES,
    BANS,
    ROSTER,
    TABLES,
};

static const size_t row_bytes[TABLES] = {
    [BOTS] = sizeof(struct store_bot),       [PACKAGES] = sizeof(struct kept_package),
    [SEASONS] = sizeof(struct store_season), [OPENINGS] = sizeof(struct kept_opening),
    [ENTRIES] = sizeof(struct kept_entry),   [GROUPS] = sizeof(struct kept_group),
    [GAMES] = sizeof(struct kept_game),      [EVENTS] = sizeof(struct store_event),
    [BATCHES] = sizeof(struct kept_batch),   [BANS] = sizeof(struct kept_ban),
    [ROSTER] = sizeof(struct kept_name),     [SUBMISSIONS] = sizeof(struct store_submission),
};

struct content {
    struct rows tables[TABLES];
};

/* The contents of one address. Bytes that rows point to are never freed: tests are short. */
struct world {
    struct world *next;
    char *address;
    char claimed[STORE_NAME_BYTES_MAX + 1]; /* "" for none */
    bool in_transaction;
    struct content content;
};

/* One open store. */
struct memory {
    struct world *world;
    enum store_mode mode;
    bool in_transaction, holds_claim;
    struct content draft; /* in a transaction */
};

static struct world *worlds;

/* ---- rows ---- */

static struct content *content_of(const struct store *store)
{
    struct memory *memory = store_state(store);

    return memory->in_transaction ? &memory->draft : &memory->world->content;
}

static size_t count_of(const struct store *store, enum table table)
{
    return content_of(store)->tables[table].count;
}

static void *row_of(const struct store *store, enum table table, size_t number)
{
    return content_of(store)->tables[table].rows + number * row_bytes[table];
}

static int append(struct store *store, enum table table, const void *row)
{
    struct rows *rows = &content_of(store)->tables[table];
    char *larger = realloc(rows->rows, (rows->count + 1) * row_bytes[table]);

    if (!larger)
        return -ENOMEM;
    memcpy(larger + rows->count++ * row_bytes[table], row, row_bytes[table]);
    rows->rows = larger;
    return 0;
}

static void free_content(struct content *content)
{
    for (int table = 0; table < TABLES; table++)
        free(content->tables[table].rows);
    memset(content, 0, sizeof *content);
}

static int copy_content(struct content *copy, const struct content *content)
{
    memset(copy, 0, sizeof *copy);
    for (int table = 0; table < TABLES; table++) {
        size_t size = content->tables[table].count * row_bytes[table];

        copy->tables[table].rows = malloc(size + 1);
        if (!copy->tables[table].rows) {
            free_content(copy);
            return -ENOMEM;
        }
        if (size)
            memcpy(copy->tables[table].rows, content->tables[table].rows, size);
        copy->tables[table].count = content->tables[table].count;
    }
    return 0;
}

/* The bytes that rows point to: all that were ever stored, including those of undone changes. */
struct kept {
    struct kept *next;
    char bytes[];
};

static struct kept *all_kept;

static void *keep(const void *bytes, size_t size)
{
    struct kept *kept = bytes ? malloc(sizeof *kept + size + 1) : NULL;

    if (!kept)
        return NULL;
    kept->next = all_kept;
    all_kept = kept;
    memcpy(kept->bytes, bytes, size);
    kept->bytes[size] = '\0';
    return kept->bytes;
}

/* Returns a copy, which the caller frees. */
static void *copy_bytes(const void *bytes, size_t size)
{
    char *copy = malloc(size + 1);

    if (!copy)
        return NULL;
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    return copy;
}

static char *keep_text(const char *text)
{
    return text ? keep(text, strlen(text)) : NULL;
}

/* Adds an event, in the transaction of the change that it describes. */
static int add_event(struct store *store, int64_t season_id, const char *what, const char *about)
{
    struct store_event event = {.id = (int64_t)count_of(store, EVENTS) + 1, .season_id = season_id};

    snprintf(event.what, sizeof event.what, "%s", what);
    snprintf(event.about, sizeof event.about, "%s", about);
    return append(store, EVENTS, &event);
}

/* ---- opening, transactions, claims ---- */

static int memory_open(struct store *store, const char *address, enum store_mode mode)
{
    struct memory *memory = calloc(1, sizeof *memory);
    struct world *world = worlds;

    if (!memory)
        return -ENOMEM;
    store_set_state(store, memory);
    memory->mode = mode;
    while (world && strcmp(world->address, address) != 0)
        world = world->next;
    if (!world && mode != STORE_CREATE)
        return store_refuse(store, -ENOENT, "there is no store in %s", address);
    if (!world) {
        world = calloc(1, sizeof *world);
        if (!world || !(world->address = keep_text(address)))
            return -ENOMEM;
        world->next = worlds;
        worlds = world;
    }
    memory->world = world;
    return 0;
}

static void memory_rollback(struct store *store)
{
    struct memory *memory = store_state(store);

    if (!memory->in_transaction)
        return;
    free_content(&memory->draft);
    memory->in_transaction = memory->world->in_transaction = false;
}

static void memory_season_release(struct store *store)
{
    struct memory *memory = store_state(store);

    if (memory->holds_claim)
        memory->world->claimed[0] = '\0';
    memory->holds_claim = false;
}

static void memory_close(struct store *store)
{
    struct memory *memory = store_state(store);

    if (!memory)
        return;
    if (memory->world) {
        memory_rollback(store);
        memory_season_release(store);
    }
    free(memory);
}

static int memory_version(const struct store *store)
{
    (void)store;
    return 1;
}

static int memory_check(struct store *store)
{
    (void)store;
    return 0;
}

static int memory_backup(struct store *store, const char *path)
{
    return store_refuse(store, -ENOTSUP, "%s: memory has no files", path);
}

static int memory_begin(struct store *store)
{
    struct memory *memory = store_state(store);
    int error;

    if (memory->mode == STORE_READ)
        return store_explain(store, -EROFS, "opened to be read only");
    if (memory->world->in_transaction)
        return store_explain(store, -EBUSY, "another writes");
    if ((error = copy_content(&memory->draft, &memory->world->content)) < 0)
        return error;
    memory->in_transaction = memory->world->in_transaction = true;
    return 0;
}

static int memory_commit(struct store *store)
{
    struct memory *memory = store_state(store);

    free_content(&memory->world->content);
    memory->world->content = memory->draft;
    memset(&memory->draft, 0, sizeof memory->draft);
    memory->in_transaction = memory->world->in_transaction = false;
    return 0;
}

/* A write outside a transaction is one of its own; inside one it is part of it. */
static int begin_write(struct store *store, bool *own)
{
    struct memory *memory = store_state(store);

    *own = !memory->in_transaction;
    return *own ? memory_begin(store) : 0;
}

static int end_write(struct store *store, bool own, int error)
{
    if (own && error)
        memory_rollback(store);
    else if (own)
        memory_commit(store);
    return error;
}

static int memory_season_claim(struct store *store, const char *name, bool waits)
{
    struct memory *memory = store_state(store);

    (void)waits;
    if (*memory->world->claimed && !memory->holds_claim)
        return store_refuse(store, -EBUSY, "season %s is being played elsewhere", name);
    strcpy(memory->world->claimed, name);
    memory->holds_claim = true;
    return 0;
}

/* ---- bots ---- */

/* Returns the bot of that version, or the newest (NULL); -1 if there is none. */
static int find_bot(const struct store *store, const char *name, const char *version)
{
    for (int i = (int)count_of(store, BOTS) - 1; i >= 0; i--) {
        const struct store_bot *bot = row_of(store, BOTS, (size_t)i);

        if (strcmp(bot->name, name) == 0 && (!version || strcmp(bot->version, version) == 0))
            return i;
    }
    return -1;
}

static void tell_bot(const struct store *store, int number, struct store_bot *bot)
{
    *bot = *(const struct store_bot *)row_of(store, BOTS, (size_t)number);
    bot->manifest = NULL;
    bot->newest = find_bot(store, bot->name, NULL) == number;
    for (size_t i = 0; i < count_of(store, BANS); i++) {
        const struct kept_ban *ban = row_of(store, BANS, i);

        if (ban->lifted ||
            (ban->name ? strcmp(ban->name, bot->name) != 0 : strcmp(ban->author, bot->author) != 0))
            continue;
        bot->banned_us = ban->banned_us;
        bot->voided = bot->voided || ban->void_games;
    }
}

static int add_package(struct store *store, const char *sha256, struct store_package package)
{
    struct kept_package row = {.size = package.size};

    for (size_t i = 0; i < count_of(store, PACKAGES); i++)
        if (strcmp(((struct kept_package *)row_of(store, PACKAGES, i))->sha256, sha256) == 0)
            return 0;
    strcpy(row.sha256, sha256);
    row.bytes = keep(package.bytes, package.size);
    return row.bytes ? append(store, PACKAGES, &row) : -ENOMEM;
}

static int memory_bot_add(struct store *store, struct store_bot *bot, struct store_package given,
                          struct store_package built)
{
    struct store_bot row = *bot;
    int previous = find_bot(store, bot->name, NULL);
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    if (find_bot(store, bot->name, bot->version) >= 0)
        error = -EEXIST;
    if (!error)
        error = add_package(store, bot->sha256, given);
    if (!error)
        error = add_package(store, bot->built_sha256, built);
    row.id = (int64_t)count_of(store, BOTS) + 1;
    row.previous_id = previous + 1;
    row.manifest = keep_text(bot->manifest);
    if (!error)
        error = append(store, BOTS, &row);
    if (!error)
        error = add_event(store, 0, "submit", bot->name);
    if (!error)
        tell_bot(store, (int)row.id - 1, bot);
    return end_write(store, own, error);
}

static int memory_bot_find(struct store *store, const char *name, const char *version,
                           struct store_bot *bot)
{
    int number = find_bot(store, name, version);

    if (number < 0)
        return -ENOENT;
    tell_bot(store, number, bot);
    return 0;
}

static int memory_bots_each(struct store *store, store_bot_fn *each_fn, void *context)
{
    for (size_t i = 0; i < count_of(store, BOTS); i++) {
        struct store_bot bot;

        tell_bot(store, (int)i, &bot);
        if (each_fn(context, &bot) != 0)
            return -EINTR;
    }
    return 0;
}

static int memory_bot_retire(struct store *store, const char *name, int64_t now_us)
{
    int newest = find_bot(store, name, NULL);
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    if (newest < 0)
        error = -ENOENT;
    else if (((struct store_bot *)row_of(store, BOTS, (size_t)newest))->retired_us)
        error = -EEXIST;
    for (size_t i = 0; i < count_of(store, BOTS) && !error; i++) {
        struct store_bot *bot = row_of(store, BOTS, i);

        if (strcmp(bot->name, name) == 0 && !bot->retired_us)
            bot->retired_us = now_us;
    }
    if (!error)
        error = add_event(store, 0, "retire", name);
    return end_write(store, own, error);
}

static int memory_bot_unretire(struct store *store, const char *name)
{
    bool own, found = false;
    int error = begin_write(store, &own);

    if (error)
        return error;
    for (size_t i = 0; i < count_of(store, BOTS); i++) {
        struct store_bot *bot = row_of(store, BOTS, i);

        if (strcmp(bot->name, name) != 0 || !bot->retired_us)
            continue;
        bot->retired_us = 0;
        found = true;
    }
    return end_write(store, own, found ? add_event(store, 0, "unretire", name) : -EEXIST);
}

/* Ends the current bans of a name or an author; with voiding, those with void_games too. */
static bool lift(struct store *store, const char *name, const char *author, bool voiding)
{
    bool found = false;

    for (size_t i = 0; i < count_of(store, BANS); i++) {
        struct kept_ban *ban = row_of(store, BANS, i);

        if (ban->lifted || (ban->void_games && !voiding) || !ban->name != !name ||
            strcmp(ban->name ? ban->name : ban->author, name ? name : author) != 0)
            continue;
        ban->lifted = found = true;
    }
    return found;
}

static bool is_banned(struct store *store, const char *name, const char *author)
{
    for (size_t i = 0; i < count_of(store, BANS); i++) {
        const struct kept_ban *ban = row_of(store, BANS, i);

        if (!ban->lifted && !ban->name == !name &&
            strcmp(ban->name ? ban->name : ban->author, name ? name : author) == 0)
            return true;
    }
    return false;
}

static int memory_ban_add(struct store *store, const char *name, const char *author,
                          bool void_games, int64_t now_us)
{
    struct kept_ban row = {keep_text(name), keep_text(author), void_games, false, now_us};
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    if (void_games)
        lift(store, name, author, false);
    error = is_banned(store, name, author) ? -EEXIST : append(store, BANS, &row);
    if (!error)
        error = add_event(store, 0, void_games ? "void" : "ban", name ? name : author);
    return end_write(store, own, error);
}

static int memory_ban_lift(struct store *store, const char *name, const char *author,
                           int64_t now_us)
{
    bool own;
    int error = begin_write(store, &own);

    (void)now_us;
    if (error)
        return error;
    error = lift(store, name, author, true) ? add_event(store, 0, "unban", name ? name : author)
                                            : -EEXIST;
    return end_write(store, own, error);
}

static int memory_event_latest(struct store *store, int64_t *event)
{
    *event = (int64_t)count_of(store, EVENTS);
    return 0;
}

static int memory_events_each(struct store *store, int64_t season_id, store_event_fn *each_fn,
                              void *context)
{
    for (size_t i = 0; i < count_of(store, EVENTS); i++) {
        const struct store_event *event = row_of(store, EVENTS, i);

        if ((!event->season_id || event->season_id == season_id) && each_fn(context, event) != 0)
            return -EINTR;
    }
    return 0;
}

static int memory_roster_set(struct store *store, int64_t season_id, const char *const *names,
                             size_t count)
{
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    for (size_t i = 0; i < count_of(store, ROSTER); i++) {
        struct kept_name *row = row_of(store, ROSTER, i);

        if (row->season_id == season_id)
            row->season_id = 0;
    }
    for (size_t i = 0; i < count && !error; i++) {
        struct kept_name row = {.season_id = season_id};

        strcpy(row.name, names[i]);
        error = append(store, ROSTER, &row);
    }
    if (!error)
        error = add_event(store, season_id, "roster", "");
    return end_write(store, own, error);
}

static int memory_roster_each(struct store *store, int64_t season_id, store_name_fn *each_fn,
                              void *context)
{
    for (size_t i = 0; i < count_of(store, ROSTER); i++) {
        const struct kept_name *row = row_of(store, ROSTER, i);

        if (row->season_id == season_id && each_fn(context, row->name) != 0)
            return -EINTR;
    }
    return 0;
}

static int memory_manifest_read(struct store *store, int64_t bot_id, char **text)
{
    const struct store_bot *bot;

    if (bot_id < 1 || bot_id > (int64_t)count_of(store, BOTS))
        return -ENOENT;
    bot = row_of(store, BOTS, (size_t)bot_id - 1);
    if (bot->manifest && !(*text = copy_bytes(bot->manifest, strlen(bot->manifest))))
        return -ENOMEM;
    return 0;
}

static int memory_package_read(struct store *store, const char *sha256, uint8_t **package,
                               size_t *size)
{
    for (size_t i = 0; i < count_of(store, PACKAGES); i++) {
        const struct kept_package *row = row_of(store, PACKAGES, i);

        if (strcmp(row->sha256, sha256) != 0)
            continue;
        *size = row->size;
        *package = copy_bytes(row->bytes, row->size);
        return *package ? 0 : -ENOMEM;
    }
    return -ENOENT;
}

/* ---- submissions ---- */

static int memory_submission_add(struct store *store, struct store_submission *submission,
                                 struct store_package package)
{
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    error = add_package(store, submission->sha256, package);
    submission->id = (int64_t)count_of(store, SUBMISSIONS) + 1;
    if (!error)
        error = append(store, SUBMISSIONS, submission);
    return end_write(store, own, error);
}

static int memory_submissions_each(struct store *store, bool only_open,
                                   store_submission_fn *each_fn, void *context)
{
    for (size_t i = 0; i < count_of(store, SUBMISSIONS); i++) {
        struct store_submission submission =
            *(const struct store_submission *)row_of(store, SUBMISSIONS, i);

        if (only_open && submission.report)
            continue;
        if (each_fn(context, &submission) != 0)
            return -EINTR;
    }
    return 0;
}

/* Changes a submission that has not ended: sets its state, or ends it with a report. */
static int change_submission(struct store *store, int64_t id, const struct store_submission *to)
{
    struct store_submission *submission;
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    if (id < 1 || id > (int64_t)count_of(store, SUBMISSIONS))
        return end_write(store, own, -ENOENT);
    submission = row_of(store, SUBMISSIONS, (size_t)id - 1);
    if (submission->report)
        return end_write(store, own, -ECANCELED);
    submission->state = to->state;
    if (to->building_us)
        submission->building_us = to->building_us;
    if (!to->ended_us)
        submission->checking_us = to->checking_us;
    submission->ended_us = to->ended_us;
    submission->bot_id = to->bot_id;
    submission->report = keep_text(to->report);
    return end_write(store, own, 0);
}

static int memory_submission_advance(struct store *store, int64_t id,
                                     enum store_submission_state state, int64_t now_us)
{
    struct store_submission to = {.state = state};

    *(state == STORE_BUILDING ? &to.building_us : &to.checking_us) = now_us;
    return change_submission(store, id, &to);
}

static int memory_submission_end(struct store *store, int64_t id, int64_t bot_id,
                                 const char *report, int64_t now_us)
{
    struct store_submission to = {.state = bot_id ? STORE_ADMITTED : STORE_REFUSED,
                                  .ended_us = now_us,
                                  .bot_id = bot_id,
                                  .report = report};

    return change_submission(store, id, &to);
}

/* ---- seasons ---- */

static struct store_season *season_of(struct store *store, int64_t id)
{
    return row_of(store, SEASONS, (size_t)id - 1);
}

static int add_opening(struct store *store, int64_t season_id, const struct store_opening *opening)
{
    struct kept_opening row = {season_id, *opening};

    row.opening.closed_us = 0;
    return append(store, OPENINGS, &row);
}

static int memory_season_find(struct store *store, const char *name, struct store_season *season)
{
    for (size_t i = 0; i < count_of(store, SEASONS); i++) {
        const struct store_season *row = row_of(store, SEASONS, i);

        if (strcmp(row->name, name) != 0)
            continue;
        *season = *row;
        return 0;
    }
    return -ENOENT;
}

static int memory_season_add(struct store *store, struct store_season *season,
                             const struct store_opening *opening)
{
    struct store_season row = *season;
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    if (memory_season_find(store, season->name, &row) == 0)
        error = -EEXIST;
    row.id = (int64_t)count_of(store, SEASONS) + 1;
    row.closed_us = 0;
    if (!error)
        error = append(store, SEASONS, &row);
    if (!error)
        error = add_opening(store, row.id, opening);
    if (!error)
        error = add_event(store, row.id, "new", "");
    if (!error)
        season->id = row.id;
    return end_write(store, own, error);
}

static int memory_seasons_each(struct store *store, store_season_fn *each_fn, void *context)
{
    for (size_t i = 0; i < count_of(store, SEASONS); i++)
        if (each_fn(context, row_of(store, SEASONS, i)) != 0)
            return -EINTR;
    return 0;
}

static int memory_season_extend(struct store *store, int64_t season_id, int64_t more_games)
{
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    if (season_of(store, season_id)->closed_us)
        return end_write(store, own, -EEXIST);
    if (season_of(store, season_id)->budget_games > STORE_BUDGET_GAMES_MAX - more_games)
        return end_write(store, own, -ERANGE);
    season_of(store, season_id)->budget_games += more_games;
    return end_write(store, own, add_event(store, season_id, "extend", ""));
}

static int memory_season_begin_close(struct store *store, int64_t season_id, int64_t until_us)
{
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    if (season_of(store, season_id)->closed_us)
        return end_write(store, own, -EEXIST);
    season_of(store, season_id)->closing_us = until_us;
    return end_write(store, own, add_event(store, season_id, "closing", ""));
}

static int memory_season_go_on(struct store *store, int64_t season_id)
{
    struct store_season *season;
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    season = season_of(store, season_id);
    if (season->closed_us || !season->closing_us)
        return end_write(store, own, -EEXIST);
    season->closing_us = 0;
    return end_write(store, own, add_event(store, season_id, "reopen", ""));
}

static int memory_season_take_processor(struct store *store, int64_t season_id,
                                        const char *processor)
{
    struct store_season *season;
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    season = season_of(store, season_id);
    if (season->same_cpu && !*season->processor)
        strcpy(season->processor, processor);
    return end_write(store, own, 0);
}

static int memory_season_close(struct store *store, int64_t season_id, int64_t now_us)
{
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    if (season_of(store, season_id)->closed_us)
        error = -EEXIST;
    else
        season_of(store, season_id)->closed_us = now_us;
    for (size_t i = 0; i < count_of(store, OPENINGS) && !error; i++) {
        struct kept_opening *row = row_of(store, OPENINGS, i);

        if (row->season_id == season_id && !row->opening.closed_us)
            row->opening.closed_us = now_us;
    }
    if (!error)
        error = add_event(store, season_id, "close", "");
    return end_write(store, own, error);
}

static int memory_season_reopen(struct store *store, int64_t season_id, int64_t budget_games,
                                const struct store_opening *opening)
{
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    if (!season_of(store, season_id)->closed_us)
        error = -EEXIST;
    if (!error) {
        season_of(store, season_id)->closed_us = season_of(store, season_id)->closing_us = 0;
        season_of(store, season_id)->budget_games = budget_games;
        error = add_opening(store, season_id, opening);
    }
    if (!error)
        error = add_event(store, season_id, "reopen", "");
    return end_write(store, own, error);
}

/* Rows are stored in order of their numbers. */
#define DEFINE_EACH(plural, noun, TABLE)                                                           \
    static int memory_##plural##_each(struct store *store, int64_t season_id,                      \
                                      store_##noun##_fn *each_fn, void *context)                   \
    {                                                                                              \
        for (size_t i = 0; i < count_of(store, TABLE); i++) {                                      \
            const struct kept_##noun *row = row_of(store, TABLE, i);                               \
                                                                                                   \
            if (row->season_id == season_id && each_fn(context, &row->noun) != 0)                  \
                return -EINTR;                                                                     \
        }                                                                                          \
        return 0;                                                                                  \
    }

DEFINE_EACH(openings, opening, OPENINGS)
DEFINE_EACH(entries, entry, ENTRIES)
DEFINE_EACH(groups, group, GROUPS)
DEFINE_EACH(batches, batch, BATCHES)

static bool is_open(struct store *store, int64_t season_id, int opening)
{
    for (size_t i = 0; i < count_of(store, OPENINGS); i++) {
        const struct kept_opening *row = row_of(store, OPENINGS, i);

        if (row->season_id == season_id && row->opening.number == opening &&
            !row->opening.closed_us)
            return true;
    }
    return false;
}

static int memory_batch_add(struct store *store, int64_t season_id, const struct store_batch *batch,
                            const struct store_entry *entries, size_t entry_count,
                            const struct store_group *groups, size_t group_count)
{
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    if (!is_open(store, season_id, batch->opening))
        error = -ECANCELED;
    else if (batch->event != (int64_t)count_of(store, EVENTS))
        error = -ESTALE;
    else
        error = append(store, BATCHES, &(struct kept_batch){season_id, *batch});
    for (size_t i = 0; i < entry_count && !error; i++)
        error = append(store, ENTRIES, &(struct kept_entry){season_id, entries[i]});
    for (size_t i = 0; i < group_count && !error; i++)
        error = append(store, GROUPS, &(struct kept_group){season_id, groups[i]});
    return end_write(store, own, error);
}

/* ---- games ---- */

static int place_of(const struct store_game *game)
{
    return game->group * GAME_PLAYERS_MAX + game->rotation;
}

static struct kept_game *find_game(struct store *store, int64_t season_id, int group, int rotation)
{
    for (size_t i = 0; i < count_of(store, GAMES); i++) {
        struct kept_game *row = row_of(store, GAMES, i);

        if (row->season_id == season_id && row->game.group == group &&
            row->game.rotation == rotation)
            return row;
    }
    return NULL;
}

/* Returns 0 if a game may be added. */
static int judge_game(struct store *store, int64_t season_id, const struct store_game *game)
{
    bool scheduled = false;

    for (size_t i = 0; i < count_of(store, GROUPS); i++) {
        const struct kept_group *row = row_of(store, GROUPS, i);

        scheduled = scheduled || (row->season_id == season_id && row->group.number == game->group);
    }
    if (!is_open(store, season_id, game->opening))
        return -ECANCELED;
    if (!scheduled)
        return store_refuse(store, -EINVAL, "group %d is not scheduled", game->group);
    return find_game(store, season_id, game->group, game->rotation) ? -EEXIST : 0;
}

static int memory_game_add(struct store *store, int64_t season_id, const struct store_game *game,
                           const uint8_t *replay, size_t replay_bytes)
{
    struct kept_game row = {.season_id = season_id, .game = *game, .replay_bytes = replay_bytes};
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    error = judge_game(store, season_id, game);
    row.replay = keep(replay, replay_bytes);
    row.game.seed_known = true;
    row.game.forfeits = keep_text(game->forfeits);
    for (int seat = 0; seat < game->player_count; seat++)
        row.game.seats[seat].times = keep(game->seats[seat].times, game->seats[seat].times_bytes);
    if (!error)
        error = append(store, GAMES, &row);
    return end_write(store, own, error);
}

/* Returns the game after a position, or NULL. */
static const struct kept_game *next_game(struct store *store, int64_t season_id, int after)
{
    const struct kept_game *next = NULL;

    for (size_t i = 0; i < count_of(store, GAMES); i++) {
        const struct kept_game *row = row_of(store, GAMES, i);

        if (row->season_id == season_id && place_of(&row->game) > after &&
            (!next || place_of(&row->game) < place_of(&next->game)))
            next = row;
    }
    return next;
}

static int memory_results_each(struct store *store, int64_t season_id, int first_group,
                               store_game_fn *each_fn, void *context)
{
    const struct kept_game *row;

    for (int after = first_group * GAME_PLAYERS_MAX - 1; (row = next_game(store, season_id, after));
         after = place_of(&row->game))
        if (each_fn(context, &row->game) != 0)
            return -EINTR;
    return 0;
}

static int memory_heads_each(struct store *store, int64_t season_id, store_game_fn *each_fn,
                             void *context)
{
    return memory_results_each(store, season_id, 0, each_fn, context);
}

static int memory_replay_read(struct store *store, int64_t season_id, int group, int rotation,
                              uint8_t **replay, size_t *size)
{
    const struct kept_game *row = find_game(store, season_id, group, rotation);

    if (!row || row->game.is_pruned)
        return row ? -ENODATA : -ENOENT;
    *size = row->replay_bytes;
    *replay = copy_bytes(row->replay, row->replay_bytes);
    return *replay ? 0 : -ENOMEM;
}

/* Prunes the oldest count_max replays, or only measures them. */
static void prune(struct store *store, int64_t season_id, int64_t keep_games, int64_t count_max,
                  bool only_sum, struct store_pruned *pruned)
{
    const struct kept_game *row;
    int64_t played = 0, seen = 0;

    for (int after = -1; (row = next_game(store, season_id, after)); after = place_of(&row->game))
        played += !row->game.forfeits;
    for (int after = -1; (row = next_game(store, season_id, after)) && pruned->count < count_max;
         after = place_of(&row->game)) {
        if (row->game.forfeits || ++seen > played - keep_games || row->game.is_pruned)
            continue;
        pruned->count++;
        pruned->bytes += (int64_t)row->replay_bytes;
        if (!only_sum)
            find_game(store, season_id, row->game.group, row->game.rotation)->game.is_pruned = true;
    }
}

static int memory_replays_prunable(struct store *store, int64_t season_id, int64_t keep_games,
                                   struct store_pruned *pruned)
{
    prune(store, season_id, keep_games, INT64_MAX, true, pruned);
    return 0;
}

static int memory_replays_prune(struct store *store, int64_t season_id, int64_t keep_games,
                                int64_t count_max, struct store_pruned *pruned)
{
    bool own;
    int error = begin_write(store, &own);

    if (error)
        return error;
    prune(store, season_id, keep_games, count_max, false, pruned);
    return end_write(store, own, 0);
}

const struct store_backend memory_backend = {
    .scheme = "memory",
    .open = memory_open,
    .close = memory_close,
    .version = memory_version,
    .check = memory_check,
    .backup = memory_backup,
    .begin = memory_begin,
    .commit = memory_commit,
    .rollback = memory_rollback,
    .season_claim = memory_season_claim,
    .season_release = memory_season_release,
    .bot_add = memory_bot_add,
    .bot_find = memory_bot_find,
    .bots_each = memory_bots_each,
    .bot_retire = memory_bot_retire,
    .bot_unretire = memory_bot_unretire,
    .ban_add = memory_ban_add,
    .ban_lift = memory_ban_lift,
    .event_latest = memory_event_latest,
    .events_each = memory_events_each,
    .roster_set = memory_roster_set,
    .roster_each = memory_roster_each,
    .season_extend = memory_season_extend,
    .season_begin_close = memory_season_begin_close,
    .season_go_on = memory_season_go_on,
    .season_take_processor = memory_season_take_processor,
    .batches_each = memory_batches_each,
    .manifest_read = memory_manifest_read,
    .package_read = memory_package_read,
    .submission_add = memory_submission_add,
    .submissions_each = memory_submissions_each,
    .submission_advance = memory_submission_advance,
    .submission_end = memory_submission_end,
    .season_add = memory_season_add,
    .season_find = memory_season_find,
    .seasons_each = memory_seasons_each,
    .season_close = memory_season_close,
    .season_reopen = memory_season_reopen,
    .openings_each = memory_openings_each,
    .entries_each = memory_entries_each,
    .groups_each = memory_groups_each,
    .batch_add = memory_batch_add,
    .game_add = memory_game_add,
    .results_each = memory_results_each,
    .games_each = memory_results_each,
    .heads_each = memory_heads_each,
    .replay_read = memory_replay_read,
    .replays_prunable = memory_replays_prunable,
    .replays_prune = memory_replays_prune,
    .worker_add = memory_worker_add,
    .workers_each = memory_workers_each,
    .worker_seats_each = memory_worker_seats_each,
    .season_deal = memory_season_deal,
    .lease_claim = memory_lease_claim,
    .lease_renew = memory_lease_renew,
    .leases_count = memory_leases_count,
    .lease_return = memory_lease_return,
    .lease_game_add = memory_lease_game_add,
    .lease_manifest_read = memory_lease_manifest_read,
    .lease_package_read = memory_lease_package_read,
};
