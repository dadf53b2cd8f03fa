/*
 * The state of a daemon: `arena status`, and `arena live`, which redraws the games that the daemon
 * plays.
 */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/status.h"
#include "arena/commands/store_option.h"
#include "arena/play/stop.h"
#include "arena/replay/plain_text.h"
#include "arena/store/home.h"

/* ---- finding a daemon ---- */

int status_path(char path[static PATH_MAX], const char *folder, const char *name)
{
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX ? 0 : -ENAMETOOLONG;
}

/* Writes the folder of the daemon's files. Returns 0, or -errno like home_find. */
static int find_folder(char folder[static PATH_MAX], const struct store *store)
{
    const char *where = store_where(store), *slash = strrchr(where, '/');

    if (strncmp(store_url(store), "sqlite:", 7) != 0 || !slash || slash == where)
        return home_find(store_option_home, folder);
    snprintf(folder, PATH_MAX, "%.*s", (int)(slash - where), where);
    return 0;
}

int status_make_folder(char folder[static PATH_MAX], const struct store *store)
{
    if (find_folder(folder, store) < 0)
        return command_refuse("neither --home, ARENA_HOME nor HOME says where the home is");
    if (home_create(folder) < 0)
        return command_fail("%s: %s", folder, strerror(errno));
    return COMMAND_DONE;
}

/* Returns true while a process holds the lock. */
static bool is_held(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool held;

    if (fd < 0)
        return false;
    held = flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    close(fd);
    return held;
}

enum {
    STALE_S = 10, /* age of an outdated status; a daemon writes its status every second */
};

/*
 * Adds an error to a status whose file is old: the daemon hangs, or cannot write the file because
 * the disk is full.
 */
static void tell_age(json_t *status, const char *path)
{
    struct stat file;
    long long age_s = stat(path, &file) == 0 ? (long long)(time(NULL) - file.st_mtime) : 0;

    if (age_s >= STALE_S)
        json_array_append_new(
            json_object_get(status, "errors"),
            json_sprintf("this status is %lld s old: the daemon hangs, or cannot write %s: is the "
                         "disk full?",
                         age_s, path));
}

/*
 * Returns the last status of the daemon that runs in this home, as a new reference. Returns NULL
 * and *status COMMAND_DONE if no daemon runs, NULL and another *status if the home cannot be found.
 */
static json_t *read_status(int *status)
{
    char folder[PATH_MAX], path[PATH_MAX];
    struct store *store;
    json_t *told;

    *status = COMMAND_DONE;
    if (store_option_is_server()) { /* do not connect: the server may be away */
        if (home_find(store_option_home, folder) < 0)
            *status = command_refuse("neither --home, ARENA_HOME nor HOME says where the home is");
    } else {
        *status = store_option_open(STORE_READ, &store);
        if (*status == COMMAND_DONE) {
            *status = status_make_folder(folder, store);
            store_close(store);
        }
    }
    if (*status != COMMAND_DONE || status_path(path, folder, STATUS_LOCK) < 0 || !is_held(path) ||
        status_path(path, folder, STATUS_FILE) < 0)
        return NULL;
    told = json_load_file(path, 0, NULL);
    tell_age(told, path);
    return told;
}

/* ---- status ---- */

static long long integer(const json_t *status, const char *key)
{
    return (long long)json_integer_value(json_object_get(status, key));
}

static void print_season(const json_t *season)
{
    plain_text_printf(stdout, "  %-32s %8lld of %lld games%s\n",
                      json_string_value(json_object_get(season, "name")), integer(season, "games"),
                      integer(season, "budget"),
                      json_is_true(json_object_get(season, "running")) ? ", played now" : "");
}

static void print_status(const json_t *status)
{
    const json_t *seasons = json_object_get(status, "seasons");
    const json_t *errors = json_object_get(status, "errors");

    plain_text_printf(stdout,
                      "runs        process %lld, since %s\n"
                      "games       %lld, %.2f a second, %lld under way on %lld jobs\n"
                      "queue       %lld submissions\n"
                      "longest     %.3f ms in which the loop did not answer\n"
                      "disk        %.1f GiB free\n",
                      integer(status, "pid"), json_string_value(json_object_get(status, "since")),
                      integer(status, "games"),
                      json_number_value(json_object_get(status, "games_per_s")),
                      integer(status, "playing_count"), integer(status, "jobs"),
                      integer(status, "queue"), (double)integer(status, "longest_hold_us") / 1000,
                      (double)integer(status, "disk_free_bytes") / (1 << 30));
    plain_text_printf(stdout, "seasons     %zu open\n", json_array_size(seasons));
    for (size_t i = 0; i < json_array_size(seasons); i++)
        print_season(json_array_get(seasons, i));
    for (size_t i = 0; i < json_array_size(errors); i++)
        plain_text_printf(stdout, "error       %s\n", json_string_value(json_array_get(errors, i)));
}

int command_status(int argc, char **argv)
{
    bool json = false;
    const struct option options[] = {{"json", NULL, "one JSON object", .flag = &json},
                                     STORE_OPTIONS};
    const struct command_line line = {
        .name = "status",
        .usage = "[--json]",
        .about = "Shows whether an `arena serve` runs on this home, and how it is doing: games, "
                 "seasons, waiting submissions, the longest time for which its loop was blocked, "
                 "its last errors. The exit status is 1 if none runs.",
        .options = options};
    json_t *told;
    int status;

    if (!options_read(&line, &argc, argv, &status))
        return status;
    told = read_status(&status);
    if (status != COMMAND_DONE)
        return status;
    if (!told && json) {
        command_print_json(json_pack("{s:b, s:[], s:[]}", "running", 0, "seasons", "errors"));
        return COMMAND_FAILED;
    }
    if (!told) {
        puts("no daemon runs on this home: `arena serve` starts one");
        return COMMAND_FAILED;
    }
    if (json)
        return command_print_json(told);
    print_status(told);
    json_decref(told);
    return COMMAND_DONE;
}

/* ---- live ---- */

enum {
    REDRAW_MS = 1000,
    ROWS_DEFAULT = 24,
};

static int count_rows(void)
{
    struct winsize window;

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_row > 4 ? window.ws_row
                                                                               : ROWS_DEFAULT;
}

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? value : "";
}

static void print_game(const json_t *game)
{
    const json_t *names = json_object_get(game, "names"), *scores = json_object_get(game, "scores");
    long long seat = json_integer_value(json_object_get(game, "seat"));

    plain_text_printf(stdout, "%-24s round %lld %6.1f s ", text(game, "game"),
                      (long long)json_integer_value(json_object_get(game, "round")),
                      (double)json_integer_value(json_object_get(game, "ms")) / 1000);
    for (size_t i = 0; i < json_array_size(names); i++)
        plain_text_printf(stdout, " %s%s %lld", (long long)i == seat ? ">" : " ",
                          json_string_value(json_array_get(names, i)),
                          (long long)json_integer_value(json_array_get(scores, i)));
    putchar('\n');
}

static void print_live_season(const json_t *season)
{
    const json_t *top = json_object_get(season, "top");

    plain_text_printf(stdout, "%s: %lld of %lld games", text(season, "name"),
                      (long long)json_integer_value(json_object_get(season, "games")),
                      (long long)json_integer_value(json_object_get(season, "budget")));
    for (size_t i = 0; i < json_array_size(top); i++)
        plain_text_printf(stdout, "%s %s %.0f", i ? "," : ";", text(json_array_get(top, i), "name"),
                          json_number_value(json_object_get(json_array_get(top, i), "elo")));
    putchar('\n');
}

static void draw(const json_t *status, bool clears)
{
    const json_t *games = json_object_get(status, "playing");
    const json_t *seasons = json_object_get(status, "seasons");
    size_t season_count = json_array_size(seasons);
    size_t room = clears ? (size_t)count_rows() - 2 : 1000;

    if (clears)
        fputs("\033[H\033[2J", stdout);
    for (size_t i = 0; i < season_count && i < room; i++)
        print_live_season(json_array_get(seasons, i));
    for (size_t i = 0; i < json_array_size(games) && season_count + i < room; i++)
        print_game(json_array_get(games, i));
    if (json_array_size(games) == 0)
        puts("no games under way");
    fflush(stdout);
}

/* Sleeps until the next drawing. Returns true if a stop was requested. */
static bool sleep_or_stop(void)
{
    struct pollfd stop = {.fd = stop_open(), .events = POLLIN};
    bool stopped;

    if (stop.fd < 0)
        return true;
    stopped = poll(&stop, 1, REDRAW_MS) != 0;
    close(stop.fd);
    return stopped;
}

int command_live(int argc, char **argv)
{
    bool once = false;
    const struct option options[] = {{"once", NULL, "show them once", .flag = &once},
                                     STORE_OPTIONS};
    const struct command_line line = {
        .name = "live",
        .usage = "[--once]",
        .about = "Shows the games that an `arena serve` plays now (who, round, scores, whose "
                 "decision, how long) and the top of each season's live list, redrawn every second "
                 "until Ctrl-C. Without a terminal it shows them once.",
        .options = options};
    int status;

    if (!options_read(&line, &argc, argv, &status))
        return status;
    once = once || !isatty(STDOUT_FILENO);
    stop_hold();
    for (;;) {
        json_t *told = read_status(&status);

        if (status != COMMAND_DONE)
            return status;
        if (!told)
            return command_fail("no daemon runs on this home: `arena serve` starts one");
        draw(told, !once);
        json_decref(told);
        if (once || sleep_or_stop())
            return COMMAND_DONE;
    }
}
