#include "tests/store/memory_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const size_t row_bytes[TABLES] = {
    [BOTS] = sizeof(struct store_bot),       [PACKAGES] = sizeof(struct kept_package),
    [SEASONS] = sizeof(struct store_season), [OPENINGS] = sizeof(struct kept_opening),
    [ENTRIES] = sizeof(struct kept_entry),   [GROUPS] = sizeof(struct kept_group),
    [GAMES] = sizeof(struct kept_game),      [EVENTS] = sizeof(struct store_event),
    [BATCHES] = sizeof(struct kept_batch),   [BANS] = sizeof(struct kept_ban),
    [ROSTER] = sizeof(struct kept_name),     [SUBMISSIONS] = sizeof(struct store_submission),
};

static struct content *content_of(const struct store *store)
{
    struct memory *memory = store_state(store);

    return memory->in_transaction ? &memory->draft : &memory->world->content;
}

size_t row_count(const struct store *store, enum table table)
{
    return content_of(store)->tables[table].count;
}

void *row_at(const struct store *store, enum table table, size_t number)
{
    return content_of(store)->tables[table].rows + number * row_bytes[table];
}

int row_append(struct store *store, enum table table, const void *row)
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

void *keep_bytes(const void *bytes, size_t size)
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

char *keep_text(const char *text)
{
    return text ? keep_bytes(text, strlen(text)) : NULL;
}

void *copy_bytes(const void *bytes, size_t size)
{
    char *copy = malloc(size + 1);

    if (!copy)
        return NULL;
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    return copy;
}

/* ---- transactions ---- */

int memory_begin(struct store *store)
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

int memory_commit(struct store *store)
{
    struct memory *memory = store_state(store);

    free_content(&memory->world->content);
    memory->world->content = memory->draft;
    memset(&memory->draft, 0, sizeof memory->draft);
    memory->in_transaction = memory->world->in_transaction = false;
    return 0;
}

void memory_rollback(struct store *store)
{
    struct memory *memory = store_state(store);

    if (!memory->in_transaction)
        return;
    free_content(&memory->draft);
    memory->in_transaction = memory->world->in_transaction = false;
}

int write_begin(struct store *store, bool *own)
{
    struct memory *memory = store_state(store);

    *own = !memory->in_transaction;
    return *own ? memory_begin(store) : 0;
}

int write_end(struct store *store, bool own, int error)
{
    if (own && error)
        memory_rollback(store);
    else if (own)
        memory_commit(store);
    return error;
}
