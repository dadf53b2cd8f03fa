/* SPDX-License-Identifier: MIT */
/*
 * What becomes of each thing that play does with files if one call fails, whichever it is: what is
 * told, and what is left. The whole is tests/golden/play-faults.txt. Each folder has one entry,
 * since file systems list several in different orders.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/play/build.h"
#include "arena/play/channel.h"
#include "arena/play/source.h"
#include "arena/base/tree.h"
#include "sandbox/sandbox.h"
#include "tests/golden.h"
#include "tests/play_faults/fault.h"

enum {
    OUTCOME_BYTES_MAX = SOURCE_ERROR_BYTES + 256,
    CALLS_MAX = 400,
    SEEN_MAX = 64,
};

static char room[64]; /* "/dev/shm/faults-PID" */
static char error[SOURCE_ERROR_BYTES];
static struct sandbox *sandbox;
static char hash[PACKAGE_HASH_CHARS + 1];

static const char *below(const char *name)
{
    static char paths[4][256];
    static int next;
    char *path = paths[next++ % 4];

    snprintf(path, 256, "%s/%s", room, name);
    return path;
}

static void write_file(const char *name, const char *text, mode_t mode)
{
    FILE *file = fopen(below(name), "w");

    cr_assert_not_null(file, "%s", name);
    fputs(text, file);
    fclose(file);
    cr_assert_eq(chmod(below(name), mode), 0);
}

/* ---- what is done ---- */
static void make_tree(void)
{
    mkdir(below("a"), 0700);
    mkdir(below("a/b"), 0711);
    write_file("a/b/file", "content\n", 0700);
}

static void make_link(void)
{
    mkdir(below("a"), 0700);
    cr_assert_eq(symlink("to", below("a/link")), 0);
}

static void make_bot(void)
{
    mkdir(below("a"), 0700);
    write_file("a/bot.json", "{\"run\": [\"env\"]}", 0600);
}

static void make_cached(void)
{
    static const char *const command[] = {"make", NULL};

    make_tree();
    build_cache_keep(below("cache"), &(struct build_key){"1", command, 1}, below("a"));
}

static void make_stale_stage(void)
{
    mkdir(below("arena-stage-oldold"), 0700);
    write_file("arena-stage-oldold/left", "", 0600);
}

/* The lite tier makes no build, and does not even look for one in the cache. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
enum sandbox_tier __wrap_sandbox_tier(const struct sandbox *tested);
enum sandbox_tier __wrap_sandbox_tier(const struct sandbox *tested)
{
    (void)tested;
    return SANDBOX_TIER_FULL;
}
/* NOLINTEND(bugprone-reserved-identifier) */

/* Its build is made already: what it builds is only itself. */
static void make_built_bot(void)
{
    static const char *const command[] = {"true", NULL};

    mkdir(below("a"), 0700);
    write_file("a/bot.json", "{\"run\": [\"env\"], \"build\": [\"true\"]}", 0600);
    cr_assert_eq(package_copy(below("a"), below("b"), hash, error), 0);
    build_cache_keep(below("cache"), &(struct build_key){hash, command, (int)sandbox_tier(sandbox)},
                     below("b"));
    tree_remove(below("b"));
}

static int copy(void)
{
    return package_copy(below("a"), below("copy"), hash, error);
}

static int hash_it(void)
{
    return package_hash_content(below("a"), hash, error);
}

static int copy_file(void)
{
    return package_copy_file(below("a/b/file"), below("copy"), hash, error);
}

static int remove_it(void)
{
    return tree_remove(below("a"));
}

static int set_modes(void)
{
    return tree_set_plain_modes(below("a"));
}

static int measure(void)
{
    const struct tree_size enough = {.bytes = 1 << 20, .inode_count = 100};
    struct tree_size size;
    int result = tree_measure(below("a"), &enough, &size, NULL, NULL);

    snprintf(error, sizeof error, "%lld entries", (long long)size.inode_count);
    return result;
}

static int enter_stage(void)
{
    struct stage *stage = stage_create(NULL);

    if (!stage)
        return -errno;
    snprintf(error, sizeof error, "%s", stage->path);
    stage_destroy(stage);
    return 0;
}

static int keep_build(void)
{
    static const char *const command[] = {"make", "-s", NULL};

    build_cache_keep(below("cache"), &(struct build_key){"1", command, 1}, below("a"));
    return 0;
}

static int take_build(void)
{
    static const char *const command[] = {"make", NULL};

    return build_cache_take(below("cache"), &(struct build_key){"1", command, 1}, below("copy"));
}

static int keep_again(void)
{
    static const char *const command[] = {"make", NULL};

    build_cache_keep(below("cache"), &(struct build_key){"1", command, 1}, below("a"));
    return 0;
}

static int write_errors(void)
{
    static struct tail errors;

    errors.total_bytes = 0;
    tail_add(&errors, "last words\n", 11);
    return error_file_write(room, "match", 1, "alice", &errors);
}

static int open_source(const char *path)
{
    const struct source_options options = {.sandbox = sandbox, .cache = below("cache")};
    struct source source;
    int result = source_open(&source, path, room, 7, &options, error);

    if (result == 0)
        snprintf(error, sizeof error, "%s in %s starts %s, %d processes", source.manifest.name,
                 source.folder, source.manifest.run[0], source.manifest.process_count);
    source_close(&source);
    return result;
}

static int open_folder(void)
{
    return open_source(below("a"));
}

static int open_executable(void)
{
    return open_source(below("a/b/file"));
}

static int read_manifest(void)
{
    struct manifest manifest;
    int result = source_read_manifest(&manifest, below("a"), "a", NULL, error);

    if (result == 0)
        snprintf(error, sizeof error, "%s", manifest.name);
    manifest_finish(&manifest);
    return result;
}

static const struct row {
    const char *name;
    void (*make_fn)(void);
    int (*run_fn)(void);
} rows[] = {
    {"a folder is copied", make_tree, copy},
    {"a link is copied", make_link, copy},
    {"a folder is hashed", make_tree, hash_it},
    {"a link is hashed", make_link, hash_it},
    {"a file is copied", make_tree, copy_file},
    {"a folder is removed", make_tree, remove_it},
    {"a folder gets plain modes", make_tree, set_modes},
    {"a folder is measured", make_tree, measure},
    {"a stage is made and removed", make_link, enter_stage},
    {"a build is kept", make_tree, keep_build},
    {"a build is taken from the cache", make_cached, take_build},
    {"what a bot wrote to standard error is kept", make_link, write_errors},
    {"a bot's folder is taken in", make_bot, open_folder},
    {"an executable is taken in", make_tree, open_executable},
    {"a manifest is read", make_bot, read_manifest},
    {"a stage is made beside one that its arena has left", make_stale_stage, enter_stage},
    {"a build is kept in place of an older one", make_cached, keep_again},
    {"a bot whose build is in the cache is taken in", make_built_bot, open_folder},
};

/* ---- what came of it ---- */

/* Counts what is in a folder, at any depth. */
static int count_entries(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    int count = 0;

    while (folder && (entry = readdir(folder))) {
        char inner[512];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        count += 1 + count_entries(inner); /* of a file: 0 */
    }
    if (folder)
        closedir(folder);
    return count;
}

static int count_descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* Replaces the room, whose name varies. */
static char *without_room(char *text)
{
    for (char *rest = text; (rest = strstr(rest, room));) {
        memcpy(rest, "ROOM", 4);
        memmove(rest + 4, rest + strlen(room), strlen(rest + strlen(room)) + 1);
    }
    return text;
}

/* Runs a row; call is the index of the call that fails. */
static void run(const struct row *row, int call, int fails_with, char outcome[OUTCOME_BYTES_MAX])
{
    const int descriptor_count = count_descriptors();
    char *rest;
    int result, entry_count;

    cr_assert_eq(mkdir(room, 0700), 0);
    row->make_fn();
    entry_count = count_entries(room);
    *error = *hash = '\0';
    fault = (struct fault){.counts = true, .at = call, .error = fails_with};
    result = row->run_fn();
    fault.counts = false;
    entry_count = count_entries(room) - entry_count;
    if (call != FAULT_NONE && result < 0)
        *hash = '\0';
    if (fails_with > 0 && (rest = strstr(error, strerror(fails_with)))) {
        memcpy(rest, "ERR", 3);
        memmove(rest + 3, rest + strlen(strerror(fails_with)),
                strlen(rest + strlen(strerror(fails_with))) + 1);
    }
    if (call != FAULT_NONE && result == -fails_with && result < PACKAGE_FAILED)
        result = -99;
    snprintf(outcome, OUTCOME_BYTES_MAX, "%d %s%s%.8s%s%s", result, without_room(error),
             *error && *hash ? " " : "", hash, result < 0 && entry_count > 0 ? ", files left" : "",
             count_descriptors() == descriptor_count ? "" : ", DESCRIPTORS LEFT");
    cr_assert_eq(tree_remove(room), 0);
}

/* An outcome that differs from the usual one, and the errors that bring it about at some call. */
struct seen {
    char outcome[OUTCOME_BYTES_MAX];
    unsigned errors; /* a bit each */
};

static const int errors[] = {EIO,   ENOENT, EEXIST, EACCES,     ELOOP,
                             EXDEV, ENOSPC, EMFILE, FAULT_SHORT};

static int compare_seen(const void *a, const void *b)
{
    return strcmp(((const struct seen *)a)->outcome, ((const struct seen *)b)->outcome);
}

static void see(struct seen seen[static SEEN_MAX], const char *outcome, size_t error_index)
{
    int i = 0;

    while (*seen[i].outcome && strcmp(seen[i].outcome, outcome) != 0)
        i++;
    cr_assert_lt(i, SEEN_MAX - 1);
    strcpy(seen[i].outcome, outcome);
    seen[i].errors |= 1u << error_index;
}

static const char *name_of(int fails_with)
{
    return fails_with == FAULT_SHORT ? "short" : strerrorname_np(fails_with);
}

/* Has each call fail once with each error. Calls and their order are the implementation's. */
static void write_row(FILE *file, const struct row *row)
{
    static char usual[OUTCOME_BYTES_MAX], outcome[OUTCOME_BYTES_MAX];
    static struct seen seen[SEEN_MAX];
    int count;

    memset(seen, 0, sizeof seen);
    run(row, FAULT_NONE, EIO, usual);
    count = fault.count;
    cr_assert_lt(count, CALLS_MAX);
    for (int call = 0; call < count; call++)
        for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
            run(row, call, errors[i], outcome);
            if (fault.name && strcmp(outcome, usual) != 0)
                see(seen, outcome, i);
        }
    for (count = 0; *seen[count].outcome; count++)
        ;
    qsort(seen, (size_t)count, sizeof *seen, compare_seen);
    fprintf(file, "\n%s: %s\n", row->name, usual);
    for (int i = 0; i < count; i++) {
        fprintf(file, "  %s:", seen[i].outcome);
        for (size_t bit = 0; bit < sizeof errors / sizeof *errors; bit++)
            if (seen[i].errors >> bit & 1)
                fprintf(file, " %s", name_of(errors[bit]));
        fputc('\n', file);
    }
}

Test(faults, are_one_golden_text)
{
    struct sandbox_failure failure = {0};
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    umask(022);
    /* In memory where that is possible: thousands of files are made. */
    snprintf(room, sizeof room, "%s/faults-%d", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (int)getpid());
    setenv("TMPDIR", room, 1);
    signal(SIGPIPE, SIG_IGN);
    cr_assert_eq(
        sandbox_create(&sandbox, &(struct sandbox_options){.at_most = SANDBOX_TIER_LITE}, &failure),
        0, "%s", failure.step);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        write_row(file, &rows[i]);
    sandbox_destroy(sandbox);
    fclose(file);
    golden_expect("play-faults.txt", text);
    free(text);
}
