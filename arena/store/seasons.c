/* Seasons and their schedule: checks rows and words the messages, for any back end. */
#include <errno.h>
#include <string.h>

#include "arena/store/core.h"

int store_season_add(struct store *store, struct store_season *season,
                     const struct store_opening *opening)
{
    struct row_fault fault;
    int error = core_begin_write(store);

    season->id = 0;
    if (!error && (!row_season_is_sound(season, &fault) || !row_opening_is_sound(opening, &fault)))
        error = core_refuse_row(store, &fault);
    if (!error)
        error = store->backend->season_add(store, season, opening);
    if (error == -EEXIST)
        store_refuse(store, error, "season %s already exists: choose another name", season->name);
    return core_end_write(store, error);
}

int store_season_find(struct store *store, const char *name, struct store_season *season)
{
    struct row_fault fault;
    int error;

    core_begin(store);
    error = store->backend->season_find(store, name, season);
    if (!error && !row_season_is_sound(season, &fault))
        error = core_damaged(store, &fault);
    if (error == -ENOENT)
        store_refuse(store, error, "there is no season %s: `arena season list` lists them", name);
    return core_end(store, error);
}

static int explain_budget(struct store *store, int error)
{
    return error == -ERANGE
               ? store_refuse(store, error, "a season's budget is %d games at most: add fewer",
                              (int)STORE_BUDGET_GAMES_MAX)
               : error;
}

int store_season_extend(struct store *store, int64_t season_id, int64_t more_games)
{
    int error = core_begin_write(store);

    if (!error && (more_games < 0 || more_games > STORE_BUDGET_GAMES_MAX))
        error = -ERANGE;
    if (!error)
        error = store->backend->season_extend(store, season_id, more_games);
    if (error == -EEXIST)
        store_explain(store, error,
                      "the season is closed: `arena season reopen NAME --budget GAMES` opens it "
                      "anew");
    return core_end_write(store, explain_budget(store, error));
}

int store_season_begin_close(struct store *store, int64_t season_id, int64_t until_us)
{
    int error = core_begin_write(store);

    if (!error)
        error = store->backend->season_begin_close(store, season_id, until_us);
    if (error == -EEXIST)
        store_explain(store, error, "the season is already closed");
    return core_end_write(store, error);
}

int store_season_go_on(struct store *store, int64_t season_id)
{
    int error = core_begin_write(store);

    if (!error)
        error = store->backend->season_go_on(store, season_id);
    if (error == -EEXIST)
        store_explain(store, error, "the season is open");
    return core_end_write(store, error);
}

struct finding {
    int64_t id;
    struct store_season season;
};

static int find_id(void *context, const struct store_season *season)
{
    struct finding *finding = context;

    if (season->id == finding->id)
        finding->season = *season;
    return 0;
}

int store_season_take_processor(struct store *store, int64_t season_id, const char *processor)
{
    struct finding finding = {.id = season_id};
    int error = core_begin_write(store);

    if (!error)
        error = store->backend->season_take_processor(store, season_id, processor);
    if (!error)
        error = store->backend->seasons_each(store, find_id, &finding);
    if (!error && finding.season.same_cpu && strcmp(finding.season.processor, processor) != 0)
        error = store_refuse(store, -EPERM,
                             "season %s is played on processors of one model only (--same-cpu), "
                             "'%s', and this machine's is '%s'",
                             finding.season.name, finding.season.processor, processor);
    return core_end_write(store, error);
}

int store_season_close(struct store *store, int64_t season_id, int64_t now_us)
{
    int error = core_begin_write(store);

    if (!error)
        error = store->backend->season_close(store, season_id, now_us);
    if (error == -EEXIST)
        store_explain(store, error, "the season is already closed");
    return core_end_write(store, error);
}

int store_season_reopen(struct store *store, int64_t season_id, int64_t budget_games,
                        const struct store_opening *opening)
{
    struct row_fault fault;
    int error = core_begin_write(store);

    if (!error && !row_opening_is_sound(opening, &fault))
        error = core_refuse_row(store, &fault);
    if (!error && (budget_games < 0 || budget_games > STORE_BUDGET_GAMES_MAX))
        error = -ERANGE;
    if (!error)
        error = store->backend->season_reopen(store, season_id, budget_games, opening);
    if (error == -EEXIST)
        store_explain(store, error, "the season is open");
    return core_end_write(store, explain_budget(store, error));
}

int store_batch_add(struct store *store, int64_t season_id, const struct store_batch *batch,
                    const struct store_entry *entries, size_t entry_count,
                    const struct store_group *groups, size_t group_count)
{
    struct row_fault fault;
    int error = core_begin_write(store);

    if (!error && !row_batch_is_sound(batch, &fault))
        error = core_refuse_row(store, &fault);
    for (size_t i = 0; i < entry_count && !error; i++)
        if (!row_entry_is_sound(&entries[i], &fault))
            error = core_refuse_row(store, &fault);
    for (size_t i = 0; i < group_count && !error; i++)
        if (!row_group_is_sound(&groups[i], &fault))
            error = core_refuse_row(store, &fault);
    if (!error)
        error = store->backend->batch_add(store, season_id, batch, entries, entry_count, groups,
                                          group_count);
    if (error == -ESTALE)
        store_explain(store, error, "something was changed while a batch was chosen");
    if (error == -ECANCELED)
        store_explain(store, error, "the season was closed while a batch was chosen");
    return core_end_write(store, error);
}

/* ---- iteration: each row is checked before it is passed on ---- */

/* Returns whether a row may be passed on; numbers that start from 0 must have no gaps. */
static bool accept(struct passing *passing, bool sound, struct row_fault *fault, int64_t number,
                   bool without_gaps)
{
    if (!sound)
        passing->error = core_damaged(passing->store, fault);
    else if (without_gaps ? number != passing->next : number < passing->next)
        passing->error =
            store_damaged(passing->store, fault->table, fault->row, without_gaps ? "number" : "id",
                          without_gaps ? "a row before it is missing" : "out of order");
    if (!passing->error)
        passing->next = number + 1;
    return !passing->error;
}

#define DEFINE_PASS(noun, key, without_gaps)                                                       \
    static int pass_##noun(void *context, const struct store_##noun *noun)                         \
    {                                                                                              \
        struct passing *passing = context;                                                         \
        struct row_fault fault;                                                                    \
        int result;                                                                                \
                                                                                                   \
        if (!accept(passing, row_##noun##_is_sound(noun, &fault), &fault, noun->key,               \
                    without_gaps))                                                                 \
            return 1;                                                                              \
        passing->store->each_depth++;                                                              \
        result = ((store_##noun##_fn *)passing->each_fn)(passing->context, noun);                  \
        passing->store->each_depth--;                                                              \
        return result;                                                                             \
    }

DEFINE_PASS(season, id, false)
DEFINE_PASS(opening, number, true)
DEFINE_PASS(entry, number, true)
DEFINE_PASS(batch, number, false)
DEFINE_PASS(group, number, true)

int store_seasons_each(struct store *store, store_season_fn *each_fn, void *context)
{
    struct passing passing = {store, (void *)each_fn, context, .next = 1};

    core_begin(store);
    return core_end_passing(&passing, store->backend->seasons_each(store, pass_season, &passing));
}

int store_openings_each(struct store *store, int64_t season_id, store_opening_fn *each_fn,
                        void *context)
{
    struct passing passing = {store, (void *)each_fn, context, .next = 0};

    core_begin(store);
    return core_end_passing(
        &passing, store->backend->openings_each(store, season_id, pass_opening, &passing));
}

int store_entries_each(struct store *store, int64_t season_id, store_entry_fn *each_fn,
                       void *context)
{
    struct passing passing = {store, (void *)each_fn, context, .next = 0};

    core_begin(store);
    return core_end_passing(&passing,
                            store->backend->entries_each(store, season_id, pass_entry, &passing));
}

int store_groups_each(struct store *store, int64_t season_id, store_group_fn *each_fn,
                      void *context)
{
    struct passing passing = {store, (void *)each_fn, context, .next = 0};

    core_begin(store);
    return core_end_passing(&passing,
                            store->backend->groups_each(store, season_id, pass_group, &passing));
}

int store_batches_each(struct store *store, int64_t season_id, store_batch_fn *each_fn,
                       void *context)
{
    struct passing passing = {store, (void *)each_fn, context, .next = 0};

    core_begin(store);
    return core_end_passing(&passing,
                            store->backend->batches_each(store, season_id, pass_batch, &passing));
}
