#include "arena/commands/bot_argument.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/commands/bundled.h"
#include "arena/commands/commands.h"
#include "arena/commands/store_option.h"
#include "arena/play/build.h"
#include "arena/play/source.h"
#include "arena/replay/plain_text.h"
#include "arena/season/unpack.h"
#include "arena/store/home.h"

static int open_submitted(struct source *source, const char *argument, const char *home,
                          const char *stage, int number)
{
    const char *at = strchr(argument, '@');
    size_t length = at ? (size_t)(at - argument) : strlen(argument);
    char name[STORE_NAME_BYTES_MAX + 1], error[SOURCE_ERROR_BYTES];
    struct store_bot bot;
    struct store *store;
    int result, status;

    if (length < sizeof name) {
        memcpy(name, argument, length);
        name[length] = '\0';
    }
    if (length >= sizeof name || !store_name_is_valid(name))
        return command_refuse("%s: no such folder or executable, and not a valid name of a bot",
                              argument);
    result = store_option_find(home, STORE_READ, &store);
    if (result == 0)
        result = store_bot_find(store, name, at ? at + 1 : NULL, &bot);
    if (result == -ENOENT)
        status = command_refuse("%s: no such folder or executable, and no bot of that name: "
                                "`arena bots` lists them",
                                argument);
    else if (result < 0)
        status = store ? store_option_status(store, result) : command_fail("out of memory");
    else if ((result = unpack_bot(source, store, &bot, stage, number, error)) < 0)
        status = bot_argument_refuse(result, error);
    else
        status = COMMAND_DONE;
    store_close(store);
    return status;
}

int bot_argument_stage(struct stage **stage, const struct sandbox *sandbox)
{
    const char *parent = getenv("TMPDIR");

    *stage = stage_create(sandbox);
    if (*stage)
        return COMMAND_DONE;
    if (!parent || !*parent)
        return command_fail("/tmp: no folder for copies of bots can be made in it: %s: set TMPDIR "
                            "to a folder with room",
                            strerror(errno));
    return command_fail("%s: no folder for copies of bots can be made in it: %s: set TMPDIR to "
                        "another folder",
                        parent, strerror(errno));
}

/* The name of a bundled bot, and of none in the store? */
static bool is_bundled_alone(const char *argument, const char *home)
{
    char *path = bundled_find(argument);
    struct store *store = NULL;
    struct store_bot bot;
    bool alone = path && (store_option_find(home, STORE_READ, &store) != 0 ||
                          store_bot_find(store, argument, NULL, &bot) != 0);

    store_close(store);
    free(path);
    return alone;
}

int bot_argument_open(struct source *source, const char *argument, const char *home,
                      const char *stage, int number, const struct play_options *play,
                      struct sandbox *sandbox)
{
    *source = (struct source){0};
    if (access(argument, F_OK) == 0 || is_bundled_alone(argument, home))
        return bot_argument_copy(source, argument, stage, number, play, sandbox);
    return open_submitted(source, argument, home, stage, number);
}

int bot_argument_copy(struct source *source, const char *path, const char *stage, int number,
                      const struct play_options *play, struct sandbox *sandbox)
{
    struct source_options options;
    char error[SOURCE_ERROR_BYTES];
    char *printed = NULL, *found = bundled_resolve(path);
    int result;

    *source = (struct source){0};
    if (!found)
        return command_fail("%s", strerror(ENOMEM));
    bot_argument_options(&options, play, sandbox, &printed);
    result = source_open(source, found, stage, number, &options, error);
    bot_argument_options_finish(&options);
    free(found);
    if (result < 0) {
        result = bot_argument_refuse(result, error);
        bot_argument_print_build(stderr, printed);
    }
    free(printed);
    return result;
}

static void show_build(void *owner, const char *name, int elapsed_s)
{
    (void)owner;
    if (elapsed_s < 0)
        fputs("\r\033[K", stderr);
    else
        plain_text_printf(stderr, "\rbuilding %s: %d s", name, elapsed_s);
    fflush(stderr);
}

/*
 * Returns the folder of the build cache in the home; NULL if there is no writable home: builds are
 * then not cached.
 */
static char *cache_folder(void)
{
    char home[PATH_MAX];
    char *folder = NULL;

    if (home_find(NULL, home) < 0 || asprintf(&folder, "%s/cache/builds", home) < 0)
        return NULL;
    return folder;
}

void bot_argument_options(struct source_options *options, const struct play_options *play,
                          struct sandbox *sandbox, char **printed)
{
    *options = (struct source_options){
        .sandbox = sandbox,
        .build_space_bytes = play->build_space_bytes,
        .cache = cache_folder(),
        .rebuild = play->rebuild,
        .progress_fn = isatty(STDERR_FILENO) ? show_build : NULL,
        .printed = printed,
    };
}

void bot_argument_options_finish(struct source_options *options)
{
    free((char *)options->cache);
    options->cache = NULL;
}

/* True if the excerpt is only the last line, which the message about the build already contains. */
static bool is_last_line(const char *excerpt, const char *printed)
{
    const size_t size = strlen(excerpt), printed_size = strlen(printed);
    const char *end = strchr(excerpt, '\n');

    return (!end || end[1] == '\0') && size <= printed_size &&
           strcmp(printed + printed_size - size, excerpt) == 0;
}

void bot_argument_print_build(FILE *stream, const char *printed)
{
    char *excerpt = printed ? build_excerpt(printed, strlen(printed)) : NULL;

    if (excerpt && !is_last_line(excerpt, printed))
        plain_text_print_lines(stream, excerpt, strlen(excerpt));
    free(excerpt);
}

int bot_argument_refuse(int result, const char *error)
{
    return result == PACKAGE_FAILED ? command_fail("%s", error) : command_refuse("%s", error);
}
