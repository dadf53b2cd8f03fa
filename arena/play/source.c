/* SPDX-License-Identifier: MIT */
#include "arena/play/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "arena/play/build.h"
#include "arena/base/file.h"
#include "arena/base/tree.h"
#include "sandbox/sandbox.h"

#define MANIFEST_FILE "bot.json"

enum {
    PATH_BYTES = 4096,
    STAGE_ATTEMPTS = 10, /* attempts to make the arena's temporary folder, which another arena may
                            remove before it is locked */
};

static const char *const program_folders[] = {"/usr/local/bin", "/usr/bin", "/bin"};

static int refuse(char error[static SOURCE_ERROR_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int refuse(char error[static SOURCE_ERROR_BYTES], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error, SOURCE_ERROR_BYTES, format, arguments);
    va_end(arguments);
    return PACKAGE_REFUSED;
}

static int fail(char error[static SOURCE_ERROR_BYTES], const char *path, const char *what,
                int error_number)
{
    refuse(error, "%s: %s: %s", path, what, strerror(error_number));
    return PACKAGE_FAILED;
}

/*
 * Makes a bot's name of at most 64 bytes from the last part of a path. Returns 0 or PACKAGE_FAILED.
 */
static int name_after(char name[static WIRE_NAME_BYTES_MAX + 1], const char *path,
                      char error[static SOURCE_ERROR_BYTES])
{
    char *copy = realpath(path, NULL);
    char text[WIRE_TEXT_BYTES_MAX];
    const char *base = copy ? basename(copy) : "bot";

    if (!copy && package_is_arenas_error(errno))
        return fail(error, path, "the bot cannot be named after its path", errno);
    wire_repair_text(text, base, strlen(base), WIRE_NAME_BYTES_MAX);
    snprintf(name, WIRE_NAME_BYTES_MAX + 1, "%.*s", WIRE_NAME_BYTES_MAX, text);
    free(copy);
    return 0;
}

/* Reads the text of bot.json in folder. Returns 0 or another package_result. */
static int read_manifest_text(const char *folder, const char *called,
                              char text[static MANIFEST_BYTES_MAX + 1], size_t *size,
                              char error[static SOURCE_ERROR_BYTES])
{
    char file[PATH_BYTES];
    struct stat status;
    ssize_t got = -1;
    int fd, failure;

    snprintf(file, sizeof file, "%s/" MANIFEST_FILE, folder);
    fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    failure = fd < 0 ? errno : 0;
    if (fd >= 0 && fstat(fd, &status) < 0) {
        failure = errno;
    } else if (fd >= 0 && !S_ISREG(status.st_mode)) {
        close(fd);
        return refuse(
            error,
            "%s/bot.json: is not a file: write a manifest with this name into the bot's folder",
            called);
    }
    if (fd >= 0 && !failure && (got = read(fd, text, MANIFEST_BYTES_MAX + 1)) < 0)
        failure = errno;
    if (fd >= 0)
        close(fd);
    if (failure && (fd >= 0 || package_is_arenas_error(failure)))
        return fail(error, called, "the bot's bot.json cannot be read", failure);
    if (failure)
        return refuse(error,
                      "%s/bot.json: cannot be read (%s): write a manifest with this name into the "
                      "bot's folder",
                      called, strerror(failure));
    if (got > MANIFEST_BYTES_MAX)
        return refuse(error, "%s/bot.json: is larger than 64 KiB: shorten the manifest", called);
    *size = (size_t)got;
    return 0;
}

int source_read_manifest(struct manifest *manifest, const char *folder, const char *called,
                         char **text, char error[static SOURCE_ERROR_BYTES])
{
    char read[MANIFEST_BYTES_MAX + 1], what[MANIFEST_ERROR_BYTES];
    size_t size = 0;
    int result = read_manifest_text(folder, called, read, &size, error);

    *manifest = (struct manifest){0};
    if (result < 0)
        return result;
    if (manifest_parse(manifest, read, size, what) < 0)
        return refuse(error, "%s/bot.json: %s", called, what);
    result = *manifest->name ? 0 : name_after(manifest->name, called, error);
    if (result == 0 && text && !(*text = strndup(read, size)))
        result = fail(error, called, "the bot's bot.json cannot be kept", ENOMEM);
    if (result < 0)
        manifest_finish(manifest);
    return result;
}

/* If false, errno tells whether that is the arena's error. */
static bool is_installed(const char *program)
{
    for (size_t i = 0; i < sizeof program_folders / sizeof *program_folders; i++) {
        char file[PATH_BYTES];
        struct stat status;

        snprintf(file, sizeof file, "%s/%s", program_folders[i], program);
        errno = 0;
        if (stat(file, &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & 0111))
            return true;
        if (package_is_arenas_error(errno))
            return false;
    }
    return false;
}

/*
 * True if a file is in the bot's folder or is an installed program. Through a link, a bot could
 * name any other file of the organizer's; the arena must not tell anything about such a file. If
 * false, errno tells whether that is the arena's error.
 */
static bool is_within_reach(const struct source *source, const char *file)
{
    char folder[PATH_MAX], real[PATH_MAX];
    const bool found = realpath(source->folder, folder) && realpath(file, real);
    const size_t length = found ? strlen(folder) : 0;

    if (found)
        errno = 0;
    return found && ((strncmp(real, folder, length) == 0 && real[length] == '/') ||
                     strncmp(real, "/usr/", 5) == 0 || strncmp(real, "/opt/", 5) == 0);
}

/*
 * True for a script whose first line ends with "\r\n": the kernel takes the "\r" for a part of the
 * interpreter's name.
 */
static bool has_windows_line_end(const char *file)
{
    char line[256];
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t got = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
    const char *end;

    if (fd >= 0)
        close(fd);
    if (got < 3)
        return false;
    line[got] = '\0';
    end = strchr(line, '\n');
    return strncmp(line, "#!", 2) == 0 && end && end[-1] == '\r';
}

static int refuse_windows_line_end(const char *path, const char *program,
                                   char error[static SOURCE_ERROR_BYTES])
{
    return refuse(error,
                  "%s%s%s: the first line ends with a carriage return, so that Linux does not find "
                  "the interpreter: save the file with Unix line ends",
                  path, *program ? "/" : "", program);
}

static int fail_to_look(const char *path, char error[static SOURCE_ERROR_BYTES])
{
    return fail(error, path, "the arena cannot look for the bot's program", errno);
}

/*
 * Checks that the bot's program can be executed, as far as the arena can tell without starting it.
 */
static int check_program(const struct source *source, const char *path,
                         char error[static SOURCE_ERROR_BYTES])
{
    const char *program = source->manifest.run[0];
    char file[PATH_BYTES];
    struct stat status;

    if (strchr(program, '/')) {
        snprintf(file, sizeof file, "%s/%s", source->folder, program);
        errno = 0;
        if (*program == '/' || !is_within_reach(source, file) || stat(file, &status) < 0) {
            if (package_is_arenas_error(errno))
                return fail_to_look(path, error);
            return refuse(
                error,
                "%s: \"run\" in bot.json starts %s, which is not a file in the bot's folder%s",
                path, program,
                *program == '/' ? ": name an installed program without its folder, as in "
                                  "\"run\": [\"python3\", \"bot.py\"]"
                                : "");
        }
        if (!S_ISREG(status.st_mode) || !(status.st_mode & 0111))
            return refuse(error, "%s/%s: is not executable: run chmod +x on this file", path,
                          program);
        if (has_windows_line_end(file))
            return refuse_windows_line_end(path, program, error);
        return 0;
    }
    if (is_installed(program))
        return 0;
    if (package_is_arenas_error(errno))
        return fail_to_look(path, error);
    return refuse(error,
                  "%s: \"run\" in bot.json starts %s, which is not in /usr/local/bin, /usr/bin or "
                  "/bin: %s",
                  path, program,
                  strchr(program, ' ')
                      ? "each argument is a text of its own, as in [\"python3\", \"bot.py\"]"
                      : "name one that is there, or have this one installed");
}

/* Writes the submitted bot.json again, because the build may have changed it. */
static int restore_manifest(const struct source *source, const char *path,
                            char error[static SOURCE_ERROR_BYTES])
{
    const size_t size = strlen(source->manifest_text);
    char file[PATH_BYTES];
    int fd, result;

    snprintf(file, sizeof file, "%s/" MANIFEST_FILE, source->folder);
    tree_remove(file);
    fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    result =
        fd < 0 || fchmod(fd, 0644) < 0 ? -errno : file_write_all(fd, source->manifest_text, size);
    if (fd >= 0)
        close(fd);
    return result < 0
               ? fail(error, path, "the arena cannot write bot.json again after the build", -result)
               : 0;
}

/*
 * Replaces the bot's copy with its build from the cache. Returns 1; 0 if the cache has no such
 * build; or -errno, and then the copy may be gone.
 */
static int take_built(const struct source *source, const struct source_options *options,
                      const struct build_key *key)
{
    char built[PATH_BYTES];
    int error;

    snprintf(built, sizeof built, "%s.built", source->folder);
    if (!options->cache || options->rebuild || !build_cache_take(options->cache, key, built))
        return 0;
    error = tree_remove(source->folder);
    if (!error && rename(built, source->folder) < 0)
        error = -errno;
    return error ? error : 1;
}

/* Whether "keep" in bot.json names a path. */
enum keeping {
    KEEP_NOTHING,
    KEEP_WITHIN, /* the path is a folder that contains a path to keep */
    KEEP_ALL,
};

static enum keeping find_keeping(char *const *keep, const char *path)
{
    size_t size = strlen(path);

    for (; *keep; keep++) {
        size_t kept = strlen(*keep);

        if (strncmp(*keep, path, kept) == 0 && (path[kept] == '\0' || path[kept] == '/'))
            return KEEP_ALL;
        if (strncmp(*keep, path, size) == 0 && (*keep)[size] == '/')
            return KEEP_WITHIN;
    }
    return KEEP_NOTHING;
}

/* Removes all files that "keep" does not name. Returns 0 or -errno. */
static int remove_rest(const struct source *source)
{
    char *roots[] = {source->folder, NULL};
    size_t base = strlen(source->folder) + 1;
    FTS *files = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    int error = files ? 0 : -errno;
    FTSENT *file;

    while (!error && (errno = 0, file = fts_read(files))) {
        enum keeping keeping;

        if (file->fts_info == FTS_ERR || file->fts_info == FTS_NS || file->fts_info == FTS_DNR) {
            error = -file->fts_errno;
            break;
        }
        if (file->fts_level == 0 || file->fts_info == FTS_DP)
            continue;
        keeping = find_keeping(source->manifest.keep, file->fts_path + base);
        if (keeping == KEEP_NOTHING || (keeping == KEEP_WITHIN && file->fts_info != FTS_D))
            error = tree_remove(file->fts_path);
        if (keeping != KEEP_WITHIN)
            fts_set(files, file, FTS_SKIP);
    }
    if (!error)
        error = -errno; /* fts_read sets errno if it stopped before the last file */
    if (files)
        fts_close(files);
    return error;
}

/*
 * Checks that the folder has every path to keep. Through a link, "keep" could ask whether any file
 * of the machine exists.
 */
static int check_kept(const struct source *source, const char *path,
                      char error[static SOURCE_ERROR_BYTES])
{
    const int folder_fd = open(source->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int result = 0;

    if (folder_fd < 0)
        return fail(error, path, "files that the bot's build made cannot be read", errno);
    for (char **kept = source->manifest.keep; *kept && result == 0; kept++) {
        const int fd = tree_open_below(folder_fd, *kept, O_PATH);

        if (fd >= 0)
            close(fd);
        else if (package_is_arenas_error(errno))
            result = fail(error, path, "files that the bot's build made cannot be read", errno);
        else
            result =
                refuse(error, "%s/bot.json: \"keep\" names %s, which the bot's build did not make",
                       path, *kept);
    }
    close(folder_fd);
    return result;
}

static int keep_only(const struct source *source, const char *path,
                     char error[static SOURCE_ERROR_BYTES])
{
    int result = check_kept(source, path, error);

    if (result < 0)
        return result;
    result = remove_rest(source);
    return result < 0
               ? fail(error, path, "files that the bot's build made cannot be removed", -result)
               : 0;
}

/* Runs the build in the bot's copy, and removes what the build must not leave in the copy. */
static int build(struct source *source, const char *path, const struct source_options *options,
                 char error[static SOURCE_ERROR_BYTES])
{
    char what[PACKAGE_ERROR_BYTES];
    const struct build_order order = {.manifest = &source->manifest,
                                      .folder = source->folder,
                                      .sandbox = options->sandbox,
                                      .space_bytes = options->build_space_bytes,
                                      .time_ms = options->build_time_ms,
                                      .owner = options->owner,
                                      .progress_fn = options->progress_fn,
                                      .output_fn = options->output_fn};
    int result = build_run(&order, options->printed, what);
    int modes;

    if (result < 0) {
        if (result == PACKAGE_STARVED)
            refuse(error, "%s", what);
        else
            refuse(error, "%s: the bot's build failed: %s", path, what);
        return result;
    }
    modes = tree_set_plain_modes(source->folder);
    if (modes == -ELOOP)
        return refuse(error, "%s: the bot's build nests folders deeper than %d", path,
                      TREE_DEPTH_MAX);
    if (modes < 0)
        return fail(error, path, "files that the bot's build made cannot be read", -modes);
    if (source->manifest.keep) {
        result = keep_only(source, path, error);
        if (result < 0)
            return result;
    }
    return restore_manifest(source, path, error);
}

/* Takes the bot's build from the cache, or runs the build and stores it in the cache. */
static int make(struct source *source, const char *path, const struct source_options *options,
                char error[static SOURCE_ERROR_BYTES])
{
    const struct build_key key = {.package_sha256 = source->sha256,
                                  .command = (const char *const *)source->manifest.build,
                                  .tier = (int)sandbox_tier(options->sandbox)};
    const char *program = source->manifest.build[0];
    char file[PATH_BYTES];
    int result;

    if (!strchr(program, '/') && !is_installed(program))
        return package_is_arenas_error(errno)
                   ? fail_to_look(path, error)
                   : refuse(error,
                            "%s: the bot's build failed: %s is not in /usr/local/bin, /usr/bin or "
                            "/bin: "
                            "name one that is there, or have this one installed",
                            path, program);
    if (strchr(program, '/')) {
        snprintf(file, sizeof file, "%s/%s", source->folder, program);
        if (*program != '/' && is_within_reach(source, file) && has_windows_line_end(file))
            return refuse_windows_line_end(path, program, error);
    }
    result = take_built(source, options, &key);
    if (result)
        return result < 0
                   ? fail(error, path, "the bot's build cannot be taken from the cache", -result)
                   : 0;
    result = build(source, path, options, error);
    if (result == 0 && options->cache)
        build_cache_keep(options->cache, &key, source->folder);
    return result;
}

bool source_cannot_run(const struct source *source)
{
    struct statvfs system;

    return (source->manifest.build || strchr(source->manifest.run[0], '/')) &&
           statvfs(source->folder, &system) == 0 && system.f_flag & ST_NOEXEC;
}

/*
 * Fails if the bot has a program of its own but its copy is on a file system that runs no programs.
 */
static int check_place(const struct source *source, const char *path,
                       char error[static SOURCE_ERROR_BYTES])
{
    if (!source_cannot_run(source))
        return 0;
    refuse(error, "%s: " SOURCE_CANNOT_RUN, path);
    return PACKAGE_FAILED;
}

const char *source_lacks_tier(const struct manifest *manifest, const struct sandbox *sandbox,
                              bool is_built)
{
    if (!sandbox || sandbox_tier(sandbox) >= SANDBOX_TIER_FULL)
        return NULL;
    return manifest->build && !is_built  ? "build"
           : manifest->process_count > 1 ? "processes"
                                         : NULL;
}

static int check_tier(const struct source *source, const char *path,
                      const struct source_options *options, char error[static SOURCE_ERROR_BYTES])
{
    const char *key = source_lacks_tier(&source->manifest, options->sandbox, false);

    return key ? refuse(error,
                        "%s/bot.json: \"%s\" " SOURCE_LACKS_TIER ": %s, or use a machine with the "
                        "full tier (`arena doctor` says what is missing)",
                        path, key,
                        strcmp(key, "build") == 0 ? "build the bot before"
                                                  : "let the bot run as one process")
               : 0;
}

static int open_folder(struct source *source, const char *path,
                       const struct source_options *options, char error[static SOURCE_ERROR_BYTES])
{
    char what[PACKAGE_ERROR_BYTES];
    int result = package_copy(path, source->folder, source->sha256, what);

    if (result < 0) {
        refuse(error, "%s: %s", path, what);
        return result;
    }
    result =
        source_read_manifest(&source->manifest, source->folder, path, &source->manifest_text, error)
            ?: check_tier(source, path, options, error)
                        ?: check_place(source, path, error);
    if (result == 0 && source->manifest.build)
        result = make(source, path, options, error);
    return result < 0 ? result : check_program(source, path, error);
}

static int open_executable(struct source *source, const char *path, mode_t mode,
                           char error[static SOURCE_ERROR_BYTES])
{
    char what[PACKAGE_ERROR_BYTES];
    char file[PATH_BYTES];
    int result;

    if (!(mode & 0111))
        return refuse(error,
                      "%s: is not executable: run chmod +x on this file, or name a bot's folder",
                      path);
    snprintf(file, sizeof file, "%s/bot", source->folder);
    if (mkdir(source->folder, 0755) < 0 || chmod(source->folder, 0755) < 0)
        return fail(error, path, "a folder for the bot's copy cannot be made", errno);
    result = package_copy_file(path, file, source->sha256, what);
    if (result < 0) {
        refuse(error, "%s: %s", path, what);
        return result;
    }
    if (has_windows_line_end(file))
        return refuse_windows_line_end(path, "", error);
    source->manifest.process_count = 1;
    source->manifest.run = calloc(2, sizeof *source->manifest.run);
    if (!source->manifest.run || !(source->manifest.run[0] = strdup("./bot")))
        return fail(error, path, "the bot cannot be copied", ENOMEM);
    return check_place(source, path, error);
}

int source_open(struct source *source, const char *path, const char *stage, int number,
                const struct source_options *options, char error[static SOURCE_ERROR_BYTES])
{
    struct stat status;
    int result;

    *source = (struct source){0};
    if (stat(path, &status) < 0)
        return package_is_arenas_error(errno)
                   ? fail(error, path, "the bot cannot be read", errno)
                   : refuse(error, "%s: %s: name a bot's folder or an executable", path,
                            strerror(errno));
    if (asprintf(&source->folder, "%s/%d", stage, number) < 0) {
        source->folder = NULL;
        return fail(error, path, "the bot cannot be copied", ENOMEM);
    }
    if (S_ISDIR(status.st_mode))
        result = open_folder(source, path, options, error);
    else if (S_ISREG(status.st_mode))
        result = open_executable(source, path, status.st_mode, error);
    else
        result = refuse(error, "%s: is neither a bot's folder nor an executable", path);
    if (result == 0 && !*source->manifest.name)
        result = name_after(source->manifest.name, path, error);
    if (result < 0)
        source_close(source);
    return result;
}

void source_close(struct source *source)
{
    manifest_finish(&source->manifest);
    if (source->folder)
        tree_remove(source->folder);
    free(source->folder);
    free(source->manifest_text);
    *source = (struct source){0};
}

/* ---- the stage ---- */

#define STAGE_PREFIX "arena-stage-"

/*
 * Removes this user's temporary folders of arenas that no longer run: no arena has locked these
 * folders.
 */
static void remove_stale_stages(const char *parent)
{
    DIR *folder = opendir(parent);
    const struct dirent *entry;
    struct stat status;
    char path[PATH_BYTES];

    while (folder && (entry = readdir(folder))) {
        int fd;

        if (strncmp(entry->d_name, STAGE_PREFIX, strlen(STAGE_PREFIX)) != 0 ||
            snprintf(path, sizeof path, "%s/%s", parent, entry->d_name) >= (int)sizeof path)
            continue;
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        if (fd < 0)
            continue;
        if (fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
            flock(fd, LOCK_EX | LOCK_NB) == 0)
            tree_remove(path);
        close(fd);
    }
    if (folder)
        closedir(folder);
}

/*
 * Returns the mode of the arena's temporary folder. Bots in the lite tier run under other UIDs and
 * must be able to pass through the folder.
 */
static mode_t stage_mode(const struct sandbox *sandbox)
{
    return geteuid() == 0 && sandbox && sandbox_tier(sandbox) < SANDBOX_TIER_FULL ? 0711 : 0700;
}

/*
 * Makes and locks the arena's temporary folder. Returns 0 or -errno: -EAGAIN if another arena
 * removed the folder before it was locked.
 */
static int make_stage(struct stage *stage, const char *parent, mode_t mode)
{
    struct stat status;
    int error = 0;

    free(stage->path);
    if (asprintf(&stage->path, "%s/" STAGE_PREFIX "XXXXXX", parent) < 0) {
        stage->path = NULL;
        return -ENOMEM;
    }
    if (!mkdtemp(stage->path))
        return -errno;
    stage->lock_fd = open(stage->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (stage->lock_fd < 0)
        error = errno == ENOENT ? -EAGAIN : -errno;
    else if (flock(stage->lock_fd, LOCK_SH | LOCK_NB) < 0 || fchmod(stage->lock_fd, mode) < 0 ||
             fstat(stage->lock_fd, &status) < 0)
        error = -errno;
    else if (status.st_nlink == 0)
        error = -EAGAIN;
    if (error)
        tree_remove(stage->path);
    if (error && stage->lock_fd >= 0)
        close(stage->lock_fd);
    return error;
}

struct stage *stage_create(const struct sandbox *sandbox)
{
    const char *parent = getenv("TMPDIR");
    char *absolute = realpath(parent && *parent ? parent : "/tmp", NULL);
    struct stage *stage = absolute ? calloc(1, sizeof *stage) : NULL;
    int error = stage ? -EAGAIN : -errno;

    if (stage)
        remove_stale_stages(absolute);
    for (int i = 0; i < STAGE_ATTEMPTS && error == -EAGAIN; i++)
        error = make_stage(stage, absolute, stage_mode(sandbox));
    free(absolute);
    if (!error)
        return stage;
    if (stage)
        free(stage->path);
    free(stage);
    errno = -error;
    return NULL;
}

void stage_destroy(struct stage *stage)
{
    if (!stage)
        return;
    tree_remove(stage->path);
    close(stage->lock_fd); /* closed last, because other arenas remove an unlocked folder */
    free(stage->path);
    free(stage);
}
