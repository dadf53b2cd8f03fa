/* The results of a check, as commands read them. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "arena/store/store.h"
#include "arena/trial/check.h"

static const char *const step_names[CHECK_STEP_COUNT] = {
    [CHECK_MANIFEST] = "manifest",
    [CHECK_BUILD] = "build",
    [CHECK_START] = "start",
    [CHECK_HELLO] = "hello",
    [CHECK_DRAFT] = "turn: draft",
    [CHECK_PLACE] = "turn: place",
    [CHECK_BONUS] = "turn: bonus",
    [CHECK_END] = "end",
    [CHECK_SETTINGS] = "2 players, colored",
    [CHECK_SETTINGS + 1] = "2 players, gray",
    [CHECK_SETTINGS + 2] = "3 players, colored",
    [CHECK_SETTINGS + 3] = "3 players, gray",
    [CHECK_SETTINGS + 4] = "4 players, colored",
    [CHECK_SETTINGS + 5] = "4 players, gray",
    [CHECK_UNKNOWN_KEYS] = "unknown keys",
    [CHECK_END_OF_INPUT] = "end of input",
    [CHECK_EXIT] = "exit",
    [CHECK_SELF_PLAY] = "a game against itself",
    [CHECK_RANDOM] = "a game against chance",
};

const char *check_step_name(enum check_step step)
{
    return step_names[step];
}

bool check_manifest(const struct manifest *manifest, char error[static MANIFEST_ERROR_BYTES])
{
    const struct {
        const char *key, *text;
        bool may_lack;
    } texts[] = {{"version", manifest->version, false},
                 {"author", manifest->author, false},
                 {"language", manifest->language, true}};

    if (!store_name_is_valid(manifest->name)) {
        snprintf(error, MANIFEST_ERROR_BYTES, "\"name\" must be 1 to %d of a-z 0-9 - _",
                 STORE_NAME_BYTES_MAX);
        return false;
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if ((texts[i].may_lack && !*texts[i].text) || store_text_is_valid(texts[i].text))
            continue;
        snprintf(error, MANIFEST_ERROR_BYTES,
                 "\"%s\" must be 1 to %d bytes of UTF-8 without control characters", texts[i].key,
                 STORE_TEXT_BYTES_MAX);
        return false;
    }
    return true;
}

void check_enter(struct check *check, enum check_step step, enum check_result result,
                 const char *words)
{
    struct check_entry *entry = &check->entries[step];

    entry->result = result;
    snprintf(entry->words, sizeof entry->words, "%s", words ? words : "");
    if (check->step_fn)
        check->step_fn(check->owner, check, step);
}

static int compare_us(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

void check_sort(struct check *check)
{
    if (check->us_count > 0)
        qsort(check->us, check->us_count, sizeof *check->us, compare_us);
}

bool check_is_fit(const struct check *check)
{
    for (int step = 0; step < CHECK_STEP_COUNT; step++)
        if (check->entries[step].result == CHECK_FAILED)
            return false;
    return true;
}

int64_t check_share_us(const struct check *check, int per_mille)
{
    size_t rank = (check->us_count * (size_t)per_mille + 999) / 1000;

    assert(per_mille >= 0 && per_mille <= 1000);
    if (check->us_count == 0)
        return 0;
    return check->us[rank > 0 ? rank - 1 : 0];
}

void check_finish(struct check *check)
{
    for (int step = 0; step < CHECK_STEP_COUNT; step++)
        forfeit_destroy(check->entries[step].forfeit);
    free(check->us);
    *check = (struct check){0};
}
