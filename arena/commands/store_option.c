#include "arena/commands/store_option.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "arena/commands/commands.h"
#include "arena/replay/json.h"
#include "arena/store/home.h"

const char store_option_help[] =
    "  --home DIR  where the arena keeps its things ($ARENA_HOME, else pavilion in the XDG\n"
    "              data folder, ~/.local/share)\n";

int store_option_status(const struct store *store, int error)
{
    switch (error) {
    case 0:
        return COMMAND_DONE;
    case -ENOENT:
    case -EEXIST:
    case -EAGAIN:
        return command_refuse("%s", store_failure(store));
    case -ENOMEM:
        return command_fail("out of memory");
    default:
        return command_fail("%s", store_failure(store));
    }
}

int store_option_open(const char *home, enum store_mode mode, struct store **store)
{
    char path[PATH_MAX];
    int error = home_find(home, path);

    if (error == -ENOENT)
        return command_refuse("neither --home, ARENA_HOME nor HOME says where the store is");
    if (error)
        return command_refuse("the path of the home folder is too long");
    error = store_open(store, path, mode);
    if (error) {
        int status = store_option_status(*store, error);

        store_close(*store);
        return status;
    }
    return COMMAND_DONE;
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
