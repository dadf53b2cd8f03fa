#include "arena/commands/store_option.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/store/store.h"

const char *store_option_home, *store_option_url;

const struct option store_options[] = {STORE_OPTIONS};

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
    case -EINTR: /* the callback that receives the rows ran out of memory */
        return command_fail("out of memory");
    default:
        return command_fail("%s", store_failure(store));
    }
}

/*
 * Writes the URL of the store: from --store, else $ARENA_STORE, else the home's store. --home does
 * not hide $ARENA_STORE: beside a store on a server, the home has what belongs to one machine.
 */
static int find_url(char url[static PATH_MAX + 8])
{
    const char *variable = getenv("ARENA_STORE");
    char path[PATH_MAX];
    int error;

    if (store_option_url || (variable && *variable))
        return snprintf(url, PATH_MAX + 8, "%s", store_option_url ? store_option_url : variable) <
                       PATH_MAX + 8
                   ? 0
                   : -ENAMETOOLONG;
    error = home_find(store_option_home, path);
    snprintf(url, PATH_MAX + 8, "sqlite:%s", path);
    return error;
}

bool store_option_is_server(void)
{
    char url[PATH_MAX + 8];

    return find_url(url) == 0 &&
           (strncmp(url, "postgresql:", 11) == 0 || strncmp(url, "postgres:", 9) == 0);
}

int store_option_find(enum store_mode mode, struct store **store)
{
    char url[PATH_MAX + 8];
    int error = find_url(url);

    *store = NULL;
    return error ? error : store_open(store, url, mode);
}

/*
 * If the store's file or folder belongs to another user, prints that user's name and returns true.
 */
static bool tell_owner(void)
{
    char url[PATH_MAX + 8];
    const char *path = find_url(url) == 0 && strncmp(url, "sqlite:", 7) == 0 ? url + 7 : "";
    const struct passwd *owner;
    struct stat status;
    char id[16];

    if (stat(path, &status) < 0 || status.st_uid == geteuid())
        return false;
    snprintf(id, sizeof id, "%u", status.st_uid);
    owner = getpwuid(status.st_uid);
    command_refuse("%s: belongs to user %s: run the command as that user, or name another folder "
                   "with --home",
                   path, owner ? owner->pw_name : id);
    return true;
}

int store_option_open(enum store_mode mode, struct store **store)
{
    int error = store_option_find(mode, store);
    int status;

    if (error == 0)
        return COMMAND_DONE;
    if (!*store)
        return error == -ENOENT
                   ? command_refuse(
                         "no store: set HOME or ARENA_HOME, or name the arena's folder with --home")
               : error == -ENOMEM ? command_fail("out of memory")
                                  : command_refuse("the path of the store is too long");
    if ((error == -EACCES || error == -EPERM || error == -EROFS) && tell_owner())
        status = COMMAND_USAGE;
    else
        status = error == -ENOENT
                     ? command_refuse("%s: `arena submit` or `arena season new` makes a store "
                                      "(--home, --store and ARENA_HOME name another place)",
                                      store_failure(*store))
                     : store_option_status(*store, error);
    store_close(*store);
    return status;
}

int store_command_run(const struct command_line *line, enum store_mode mode,
                      int (*run_fn)(struct store_call *call), struct store_call *call)
{
    int status = store_option_open(mode, &call->store);

    if (status != COMMAND_DONE)
        return status;
    if (line->names_season)
        status = store_option_status(call->store,
                                     store_season_find(call->store, call->argv[0], &call->season));
    if (status == COMMAND_DONE)
        status = run_fn(call);
    store_close(call->store);
    return status;
}

int store_command(const struct command_line *line, int argc, char **argv, enum store_mode mode,
                  int (*run_fn)(struct store_call *call), void *context)
{
    int status;

    if (!options_read(line, &argc, argv, &status))
        return status;
    return store_command_run(line, mode, run_fn,
                             &(struct store_call){.argc = argc, .argv = argv, .context = context});
}

int64_t store_option_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
