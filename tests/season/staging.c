/* The folder of a season's bots: the loop that serves other seasons' bots does not wait for it. */
#include <criterion/criterion.h>
#include <ev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/season/staging.h"

struct seen {
    struct ev_loop *loop;
    int count, entry;
    char error[SOURCE_ERROR_BYTES];
};

static void staged(void *owner, int entry, const char *error)
{
    struct seen *seen = owner;

    seen->entry = entry;
    seen->count++;
    snprintf(seen->error, sizeof seen->error, "%s", error ? error : "");
    ev_break(seen->loop, EVBREAK_ONE);
}

static struct staging *create(struct seen *seen)
{
    const struct staging_options options = {
        .url = "/no/such/store.db", .program = "/bin/false", .staged_fn = staged, .owner = seen};
    struct staging *staging = staging_create(seen->loop, &options);

    cr_assert_not_null(staging, "the folder was made at once, on the loop");
    return staging;
}

Test(staging, a_folder_that_cannot_be_made_is_told_with_each_bot)
{
    struct seen seen = {.loop = ev_loop_new(EVFLAG_AUTO)};
    const struct store_bot bot = {.id = 7, .name = "ann"};
    struct staging *staging;

    setenv("TMPDIR", "/no/such/folder", 1);
    staging = create(&seen);
    cr_assert_eq(staging_want(staging, 2, &bot, NULL), STAGING_WAITING);
    cr_assert_eq(seen.count, 0);
    ev_run(seen.loop, 0);
    cr_expect_eq(seen.entry, 2);
    cr_expect_str_eq(
        seen.error,
        "/no/such/folder: the arena cannot make its folder for copies of bots here: No such "
        "file or directory: set TMPDIR to another folder");
    cr_expect_eq(staging_want(staging, 3, &bot, NULL), STAGING_FAILED,
                 "the next one is told at once");
    cr_expect_eq(seen.count, 2);
    staging_destroy(staging);
    ev_loop_destroy(seen.loop);
}

/* A season that ends right after its start. */
Test(staging, destroyed_before_the_folder_is_made_nothing_is_left)
{
    struct seen seen = {.loop = ev_loop_new(EVFLAG_AUTO)};
    const struct store_bot bot = {.id = 7, .name = "ann"};
    char room[] = "/tmp/staging-XXXXXX";

    cr_assert_not_null(mkdtemp(room));
    setenv("TMPDIR", room, 1);
    for (int i = 0; i < 20; i++) {
        struct staging *staging = create(&seen);

        staging_want(staging, 0, &bot, NULL);
        staging_destroy(staging);
    }
    cr_expect_eq(rmdir(room), 0, "a folder is left in %s", room);
    ev_loop_destroy(seen.loop);
}
