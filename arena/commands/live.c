/* arena live: shows the games that a daemon is playing, redrawn in the terminal. */
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/serve_files.h"
#include "arena/commands/store_option.h"
#include "arena/play/stop.h"
#include "arena/replay/plain_text.h"

static const char usage[] = "usage: arena live [--once] [--home DIR]\n"
                            "\n"
                            "Shows the games that an `arena serve` plays now (who, round, scores, "
                            "whose decision, how long)\n"
                            "and the top of each season's live list, redrawn every second until "
                            "Ctrl-C. Without a terminal it\n"
                            "shows them once.\n"
                            "\n"
                            "  --once      show them once\n";

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

static void print_season(const json_t *season)
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
        print_season(json_array_get(seasons, i));
    for (size_t i = 0; i < json_array_size(games) && season_count + i < room; i++)
        print_game(json_array_get(games, i));
    if (json_array_size(games) == 0)
        puts("no games under way");
    fflush(stdout);
}

/* Sleeps. Returns true if a stop was requested. */
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
    const char *home = NULL;
    bool once = false;
    const struct plain_option options[] = {
        {"once", .flag = &once}, {"home", .text = &home}, {.name = NULL}};
    int status;

    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    if (optind < argc)
        return command_refuse("live: %s: takes no arguments", argv[optind]);
    once = once || !isatty(STDOUT_FILENO);
    stop_hold();
    for (;;) {
        json_t *told = serve_files_read(home, &status);

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
