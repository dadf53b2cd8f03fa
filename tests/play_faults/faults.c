/*
 * What becomes of each thing that play does with files if one call fails, whichever it is: what is
 * told, and what is left. The whole is tests/golden/play-faults.txt. Each folder has one entry,
 * since file systems list several in different orders.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/play/build_cache.h"
#include "arena/play/build_log.h"
#include "arena/play/error_file.h"
#include "arena/play/source.h"
#include "arena/play/stage.h"
#include "arena/play/tree.h"
#include "tests/play_faults/fault.h"

enum {
    OUTCOME_BYTES_MAX = SOURCE_ERROR_BYTES + 256,
    CALLS_MAX = 400,
};

static char room[64]; /* "/dev/shm/faults-PID" */
static char error[SOURCE_ERROR_BYTES];
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
    int result = tree_measure(below("a"), &enough, &size);

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

static int keep_log(void)
{
    char *path = build_log_keep("printed\n", 8);

    snprintf(error, sizeof error, "%s", path ? path : "nothing");
    free(path);
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
    const struct source_options options = {0};
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
    int result = source_read_manifest(&manifest, below("a"), "a", error);

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
    {"what a build printed is kept", make_link, keep_log},
    {"what a bot wrote to standard error is kept", make_link, write_errors},
    {"a bot's folder is taken in", make_bot, open_folder},
    {"an executable is taken in", make_tree, open_executable},
    {"a manifest is read", make_bot, read_manifest},
};

/* ---- what came of it ---- */

/* Counts what is in a folder, at any depth, with the modes of all of it. */
static void count_entries(const char *path, int *count, unsigned *modes)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;

    while (folder && (entry = readdir(folder))) {
        char inner[512];
        struct stat status;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (lstat(inner, &status) < 0)
            continue;
        ++*count;
        *modes += status.st_mode & 0777;
        if (S_ISDIR(status.st_mode))
            count_entries(inner, count, modes);
    }
    if (folder)
        closedir(folder);
}

static int count_descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* Runs a row; call is the index of the call that fails. */
static void run(const struct row *row, int call, int fails_with, char outcome[OUTCOME_BYTES_MAX])
{
    const int descriptor_count = count_descriptors();
    char *rest = error;
    int result, entry_count = 0;
    unsigned modes = 0;

    cr_assert_eq(mkdir(room, 0700), 0);
    row->make_fn();
    *error = *hash = '\0';
    fault = (struct fault){.counts = true, .at = call, .error = fails_with};
    result = row->run_fn();
    fault.counts = false;
    count_entries(room, &entry_count, &modes);
    if (call != FAULT_NONE && result < 0)
        *hash = '\0';
    while ((rest = strstr(rest, room))) {
        memcpy(rest, "ROOM", 4);
        memmove(rest + 4, rest + strlen(room), strlen(rest + strlen(room)) + 1);
    }
    snprintf(outcome, OUTCOME_BYTES_MAX, "%d %s%s%.8s, %d entries of modes %o%s", result, error,
             *error ? " " : "", hash, entry_count, modes,
             count_descriptors() == descriptor_count ? "" : ", DESCRIPTORS LEFT");
    cr_assert_eq(tree_remove(room), 0);
}

static void write_row(FILE *file, const struct row *row)
{
    static const int errors[] = {EIO, ENOENT, EEXIST, FAULT_SHORT};
    static char usual[OUTCOME_BYTES_MAX],
        outcomes[sizeof errors / sizeof *errors][OUTCOME_BYTES_MAX];
    int count;

    run(row, FAULT_NONE, EIO, usual);
    count = fault.count;
    cr_assert_lt(count, CALLS_MAX);
    fprintf(file, "\n%s: %s\n", row->name, usual);
    for (int call = 0; call < count; call++)
        for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
            run(row, call, errors[i], outcomes[i]);
            if (!fault.name)
                continue;
            if (i == 0)
                fprintf(file, "  %d %s: %s\n", call, fault.name,
                        strcmp(outcomes[i], usual) == 0 ? "as usual" : outcomes[i]);
            else if (strcmp(outcomes[i], outcomes[0]) != 0)
                fprintf(file, "    %s: %s\n",
                        errors[i] == FAULT_SHORT ? "short" : strerror(errors[i]),
                        strcmp(outcomes[i], usual) == 0 ? "as usual" : outcomes[i]);
        }
}

Test(faults, are_one_golden_text)
{
    static const char golden_path[] = TEST_SOURCE_DIR "/tests/golden/play-faults.txt";
    static const char made_path[] = TEST_BINARY_DIR "/play-faults.txt";
    char *text = NULL, *golden = NULL;
    size_t size, golden_room = 0;
    FILE *file = open_memstream(&text, &size);

    umask(022);
    /* In memory where that is possible: thousands of files are made. */
    snprintf(room, sizeof room, "%s/faults-%d", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (int)getpid());
    setenv("TMPDIR", room, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        write_row(file, &rows[i]);
    fclose(file);
    file = fopen(made_path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
    file = fopen(golden_path, "r");
    cr_assert(file, "no tests/golden/play-faults.txt: what came is in %s", made_path);
    cr_assert_gt(getdelim(&golden, &golden_room, '\0', file), 0);
    fclose(file);
    cr_expect(strcmp(golden, text) == 0,
              "differs from tests/golden/play-faults.txt: what came is in %s", made_path);
    free(golden);
    free(text);
}
