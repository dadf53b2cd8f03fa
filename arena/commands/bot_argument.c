/* SPDX-License-Identifier: MIT */
#include "arena/commands/bot_argument.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/play/build.h"
#include "arena/play/match.h"
#include "arena/play/foreground.h"
#include "arena/base/memory.h"
#include "arena/base/plain_text.h"
#include "arena/season/seed.h"
#include "arena/season/staging.h"
#include "arena/store/store.h"

/* ---- options ---- */

enum {
    FILES_MIN = 144, /* file descriptors for one game of four bots and the arena itself */
};

int play_options_take_clock(void *options, const char *parts)
{
    const char *fault = clock_parse(parts, &((struct play_options *)options)->clock);

    return fault ? command_refuse("--clock %s: %s", parts, fault) : COMMAND_DONE;
}

int play_options_take_no_freeze(void *options, const char *nothing)
{
    ((struct play_options *)options)->rules.freeze = false;
    return COMMAND_DONE;
}

int play_options_open_sandbox(const struct play_options *options, struct sandbox **sandbox)
{
    struct sandbox_options wanted = {.require = options->require, .lost_fn = command_tell_lost};
    struct sandbox_failure failure = {0};
    struct rlimit files;

    /*
     * With fewer than FILES_MIN descriptors libev may abort; with few more, the runner plays fewer
     * games at a time.
     */
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_max < FILES_MIN)
        return command_fail("the limit on open files (ulimit -n) is %llu: raise it to %d at least",
                            (unsigned long long)files.rlim_max, FILES_MIN);
    stop_hold();
    if (sandbox_create(sandbox, &wanted, &failure) == 0)
        return COMMAND_DONE;
    return command_fail(
        "this machine cannot confine bots: %s: %s: `arena doctor` says how to fix that",
        failure.step, strerror(failure.error));
}

int play_options_draw_seed(uint8_t seed[static GAME_SEED_BYTES])
{
    int error = options_given("seed") ? 0 : seed_draw(seed);

    return error ? command_fail("the system provides no random bytes: %s", strerror(-error))
                 : COMMAND_DONE;
}

/* ---- bots that come with the program ---- */

/*
 * Folders of bundled bots, relative to the parent of the program's folder: in a build tree, and
 * after `cmake --install`.
 */
static const char *const folders[] = {"bots", ARENA_LIBEXEC "/pavilion/bots"};

/*
 * Writes the path of the folder above the program's folder. Returns false if the kernel does not
 * know the program's path.
 */
static bool find_root(char *path, size_t room)
{
    ssize_t size = readlink("/proc/self/exe", path, room - 1);

    if (size < 0)
        return false;
    path[size] = '\0';
    for (int i = 0; i < 2; i++) { /* cuts off the program's name, then the name of its folder */
        char *slash = strrchr(path, '/');

        if (!slash)
            return false;
        *slash = '\0';
    }
    return true;
}

/*
 * Returns the folder of the bundled bot with the given name, which the caller frees; NULL: none, or
 * the arena cannot look, which errno tells.
 */
static char *find_bundled(const char *name)
{
    char root[4096], path[sizeof root + 512];

    errno = ENOENT;
    if (!*name || *name == '.' || strchr(name, '/') || !find_root(root, sizeof root))
        return NULL;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        struct stat status;
        int size = snprintf(path, sizeof path, "%s/%s/%s/bot.json", root, folders[i], name);

        if (size < (int)sizeof path && stat(path, &status) == 0) {
            *strrchr(path, '/') = '\0';
            return strcpy(memory_need(strlen(path) + 1), path);
        }
        if (size < (int)sizeof path && package_is_arenas_error(errno))
            return NULL;
    }
    return NULL;
}

char *bot_argument_opponent(void)
{
    char *path = find_bundled("steady");

    return path ? path : find_bundled("greedy");
}

/* Returns 1 if there is a file with this name, 0 if not, or -errno if the arena cannot look. */
static int exists(const char *path)
{
    return access(path, F_OK) == 0 ? 1 : package_is_arenas_error(errno) ? -errno : 0;
}

char *bot_argument_path(const char *argument)
{
    const int there = exists(argument);
    char *path = there == 0 ? find_bundled(argument) : NULL;

    if (!path && there >= 0 && (there == 1 || !package_is_arenas_error(errno)))
        path = strdup(argument);
    if (!path)
        command_fail("%s: the arena cannot look for this bot: %s", argument, strerror(errno));
    return path;
}

static bool has_bot(const char *name)
{
    char *path = find_bundled(name);

    free(path);
    return path != NULL;
}

/* Returns the name of the bundled bot that the user may have meant; NULL: none. */
static char *nearest_bundled(const char *typed)
{
    size_t least = SIZE_MAX;
    char root[4096], path[sizeof root + 64], *nearest = NULL;

    for (size_t i = 0; i < sizeof folders / sizeof *folders && find_root(root, sizeof root); i++) {
        const struct dirent *entry;
        DIR *folder;

        snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        folder = opendir(path);
        while (folder && (entry = readdir(folder)))
            if (has_bot(entry->d_name) && options_is_nearer(typed, entry->d_name, &least)) {
                free(nearest);
                nearest = strdup(entry->d_name);
            }
        if (folder)
            closedir(folder);
    }
    return nearest;
}

int bot_argument_refuse_missing(const char *argument, const char *where)
{
    char *nearest = nearest_bundled(argument);
    int status =
        nearest ? command_refuse("%s: no such folder or executable; did you mean '%s', a bot that "
                                 "comes with the arena?",
                                 argument, nearest)
                : command_refuse("%s: no such folder or executable%s", argument,
                                 where ? where
                                       : ": name a bot's folder, an executable or a bundled bot");

    free(nearest);
    return status;
}

/* ---- opening a bot ---- */

int bot_room_open_stage(struct bot_room *room)
{
    const char *parent = getenv("TMPDIR");

    room->stage = stage_create(room->sandbox);
    return room->stage ? COMMAND_DONE
                       : command_fail("%s: cannot make a folder for copies of bots: %s: set TMPDIR "
                                      "to a folder with room",
                                      parent && *parent ? parent : "/tmp", strerror(errno));
}

int bot_room_open(struct bot_room *room, const struct play_options *play)
{
    return play_options_open_sandbox(play, &room->sandbox) ?: bot_room_open_stage(room);
}

void bot_room_close(struct bot_room *room)
{
    stage_destroy(room->stage);
    sandbox_destroy(room->sandbox);
}

int bot_argument_open(struct source *source, const char *argument, const struct bot_room *room,
                      int number, const struct play_options *play)
{
    const char *at = strchrnul(argument, '@');
    char name[STORE_NAME_BYTES_MAX + 2], error[SOURCE_ERROR_BYTES];
    struct store *store = NULL;
    struct store_bot bot;
    int result, status;

    *source = (struct source){0};
    if (exists(argument) != 0)
        return bot_argument_copy(source, argument, room, number, play);
    snprintf(name, sizeof name, "%.*s", (int)(at - argument), argument);
    result = store_option_find(STORE_READ, &store);
    if (result == 0)
        result = store_bot_find(store, name, *at ? at + 1 : NULL, &bot);
    if (result < 0 && (has_bot(argument) || package_is_arenas_error(errno)))
        status = bot_argument_copy(source, argument, room, number, play);
    else if (result == -ENOENT)
        status = bot_argument_refuse_missing(
            argument, ", and no bot has that name: `arena bots` lists the bots");
    else if (result < 0)
        status = store ? store_option_status(store, result) : command_fail("out of memory");
    else if ((result = unpack_bot(source, store, &bot, room->stage->path, number, error)) < 0)
        status = bot_argument_refuse(result, error);
    else
        status = COMMAND_DONE;
    store_close(store);
    return status;
}

int bot_argument_copy(struct source *source, const char *path, const struct bot_room *room,
                      int number, const struct play_options *play)
{
    struct source_options options;
    char error[SOURCE_ERROR_BYTES];
    char *printed = NULL, *found = bot_argument_path(path);
    int result;

    *source = (struct source){0};
    if (!found)
        return COMMAND_FAILED;
    if (access(found, F_OK) < 0 && errno == ENOENT) {
        free(found);
        return bot_argument_refuse_missing(path, NULL);
    }
    bot_argument_options(&options, play, room->sandbox, &printed);
    result = source_open(source, found, room->stage->path, number, &options, error);
    free(found);
    if (result < 0) {
        result = bot_argument_refuse(result, error);
        bot_argument_print_build(stderr, printed);
    }
    free(printed);
    return result;
}

char *bot_argument_label(const struct source *sources, int number)
{
    const char *name = sources[number].manifest.name;
    char *plain = plain_text(name), *label = NULL;
    int same = 0;

    for (int before = 0; before < number; before++)
        same += strcmp(sources[before].manifest.name, name) == 0;
    if (plain && asprintf(&label, "%s%s%.0d", plain, same ? "#" : "", same ? same + 1 : 0) < 0)
        label = NULL;
    free(plain);
    return label;
}

/* ---- how bots are built ---- */

static void show_build(void *owner, const char *name, int elapsed_s)
{
    if (!isatty(STDERR_FILENO)) {
        if (elapsed_s == 1)
            plain_text_printf(stderr, "arena: building %s: up to %d minutes\n", name,
                              BUILD_TIME_MS / 60000);
        return;
    }
    if (elapsed_s < 0)
        fputs("\r\033[K", stderr);
    else
        plain_text_printf(stderr, "\rbuilding %s: %d s", name, elapsed_s);
    fflush(stderr);
}

/*
 * Returns true if the home, or the folder in which a missing home would be made, belongs to this
 * user. In another user's home (`sudo -E`), a link could make the arena remove files elsewhere.
 */
static bool is_own(const char *home)
{
    char path[PATH_MAX];
    struct stat status;

    strcpy(path, home);
    while (stat(path, &status) < 0) {
        char *slash = strrchr(path, '/');

        if (errno != ENOENT)
            return false;
        if (slash)
            slash[slash == path] = '\0';
        else
            strcpy(path, ".");
    }
    return status.st_uid == geteuid() || (status.st_uid == 0 && status.st_mode & S_ISVTX);
}

void bot_argument_options(struct source_options *options, const struct play_options *play,
                          struct sandbox *sandbox, char **printed)
{
    static char cache[PATH_MAX + 16];
    char home[PATH_MAX];

    *options = (struct source_options){
        .sandbox = sandbox,
        .build_space_bytes = play->build_space_bytes,
        .progress_fn = show_build,
        .printed = printed,
    };
    if (home_find(NULL, home) < 0 || !is_own(home))
        return; /* builds are not cached */
    snprintf(cache, sizeof cache, "%s/cache/builds", home);
    options->cache = cache;
}

/* True if the excerpt is one line: the error message already contains this line. */
static bool is_one_line(const char *excerpt)
{
    const char *end = strchr(excerpt, '\n');

    return !end || end[1] == '\0';
}

void bot_argument_print_build(FILE *stream, const char *printed)
{
    char *excerpt = printed ? build_excerpt(printed) : NULL;

    if (excerpt && !is_one_line(excerpt))
        plain_text_print_lines(stream, excerpt, strlen(excerpt));
    free(excerpt);
}

int bot_argument_refuse(int result, const char *error)
{
    return result == PACKAGE_REFUSED || result == -ENODATA ? command_refuse("%s", error)
                                                           : command_fail("%s", error);
}
