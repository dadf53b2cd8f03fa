#include "arena/commands/store_option.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/replay/json.h"
#include "arena/store/home.h"

const char store_option_help[] =
    "  --home DIR  the arena's folder ($ARENA_HOME, else pavilion in the XDG\n"
    "              data folder, ~/.local/share)\n"
    "  --store URL the store, if not in there: sqlite:PATH or postgresql://USER@HOST/DATABASE\n"
    "              ($ARENA_STORE, else that of the home)\n";

static const char *given_url; /* the value of --store */

int store_option_take(int *argc, char **argv)
{
    int kept = 0, status = COMMAND_DONE;

    for (int i = 0; i < *argc; i++) {
        if (strcmp(argv[i], "--") == 0) { /* only arguments follow "--" */
            for (; i < *argc; i++)
                argv[kept++] = argv[i];
        } else if (strncmp(argv[i], "--store=", 8) == 0) {
            given_url = argv[i] + 8;
        } else if (strcmp(argv[i], "--store") == 0 && i + 1 < *argc) {
            given_url = argv[++i];
        } else if (strcmp(argv[i], "--store") == 0) {
            status = command_refuse("--store: needs a URL, such as sqlite:PATH");
        } else {
            argv[kept++] = argv[i];
        }
    }
    *argc = kept;
    argv[kept] = NULL;
    return status;
}

const char *store_option_given(void)
{
    return given_url;
}

int store_option_status(const struct store *store, int error)
{
    switch (error) {
    case 0:
        return COMMAND_DONE;
    case -ENOENT:
    case -ENODATA:
    case -EEXIST:
    case -EBUSY:
    case -EBADMSG:
    case -EINVAL:
    case -EPERM:
    case -ECANCELED:
    case -ENAMETOOLONG:
    case -ERANGE:
        return command_refuse("%s", store_failure(store));
    case -ENOMEM:
        return command_fail("out of memory");
    default:
        return command_fail("%s", store_failure(store));
    }
}

/*
 * Finds the URL of the store: --store takes precedence over --home, $ARENA_STORE over the default
 * home.
 */
static int find_url(const char *home, char url[static PATH_MAX + 8])
{
    const char *variable = getenv("ARENA_STORE");
    char path[PATH_MAX];
    int error;

    if (given_url || (!home && variable && *variable))
        return snprintf(url, PATH_MAX + 8, "%s", given_url ? given_url : variable) < PATH_MAX + 8
                   ? 0
                   : -ENAMETOOLONG;
    error = home_find(home, path);
    snprintf(url, PATH_MAX + 8, "sqlite:%s", path);
    return error;
}

bool store_option_is_server(const char *home)
{
    char url[PATH_MAX + 8];

    return find_url(home, url) == 0 &&
           (strncmp(url, "postgresql:", 11) == 0 || strncmp(url, "postgres:", 9) == 0);
}

int store_option_find(const char *home, enum store_mode mode, struct store **store)
{
    char url[PATH_MAX + 8];
    int error = find_url(home, url);

    *store = NULL;
    return error ? error : store_open(store, url, mode);
}

int store_option_open(const char *home, enum store_mode mode, struct store **store)
{
    int error = store_option_find(home, mode, store);
    int status;

    if (error == 0)
        return COMMAND_DONE;
    if (!*store)
        return error == -ENOENT
                   ? command_refuse("neither --home, ARENA_HOME nor HOME says where the store is")
               : error == -ENOMEM ? command_fail("out of memory")
                                  : command_refuse("the path of the store is too long");
    status = error == -ENOENT
                 ? command_refuse("%s: `arena submit` or `arena season new` makes one "
                                  "(--home, --store and ARENA_HOME name another place)",
                                  store_failure(*store))
                 : store_option_status(*store, error);
    store_close(*store);
    return status;
}

bool store_option_open_for_one(int argc, char **argv, const char *usage, const char *noun,
                               enum store_mode mode, struct store **store, int *status)
{
    const char *home = NULL;
    const struct plain_option options[] = {{"home", .text = &home}, {.name = NULL}};

    if (!plain_options_read(argc, argv, options, usage, store_option_help, status))
        return false;
    *status = argc - optind == 1 ? store_option_open(home, mode, store)
                                 : command_refuse("%s: name one %s: see `arena %s --help`", argv[0],
                                                  noun, argv[0]);
    return *status == COMMAND_DONE;
}

int store_option_open_season(const char *home, const char *name, struct store **store,
                             struct store_season *season)
{
    int status = store_option_open(home, STORE_READ, store);

    if (status != COMMAND_DONE)
        return status;
    status = store_option_status(*store, store_season_find(*store, name, season));
    if (status != COMMAND_DONE)
        store_close(*store);
    return status;
}

int64_t store_option_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int store_option_print(json_t *value)
{
    int result;

    if (!value)
        return command_fail("out of memory");
    result = json_dumpf(value, stdout, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(value);
    putchar('\n');
    return result < 0 && !ferror(stdout) ? command_fail("out of memory") : COMMAND_DONE;
}

json_t *store_option_time(int64_t us)
{
    return us ? replay_json_time(us / 1000000) : json_null();
}
