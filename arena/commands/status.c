/* arena status: shows whether a daemon runs, and its state. */
#include <getopt.h>
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/serve_files.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"

static const char usage[] = "usage: arena status [--json] [--home DIR]\n"
                            "\n"
                            "Shows whether an `arena serve` runs on this home, and how it is "
                            "doing: games, seasons, waiting\n"
                            "submissions, the longest time for which its loop was blocked, its "
                            "last errors. The exit status\n"
                            "is 1 if none runs.\n"
                            "\n"
                            "  --json      one JSON object\n";

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
    const char *home = NULL;
    bool as_json = false;
    const struct plain_option options[] = {
        {"json", .flag = &as_json}, {"home", .text = &home}, {.name = NULL}};
    json_t *told;
    int status;

    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    if (optind < argc)
        return command_refuse("status: %s: takes no arguments", argv[optind]);
    told = serve_files_read(home, &status);
    if (status != COMMAND_DONE)
        return status;
    if (!told && as_json) {
        store_option_print(json_pack("{s:b, s:[], s:[]}", "running", 0, "seasons", "errors"));
        return COMMAND_FAILED;
    }
    if (!told) {
        puts("no daemon runs on this home: `arena serve` starts one");
        return COMMAND_FAILED;
    }
    if (as_json)
        return store_option_print(told);
    print_status(told);
    json_decref(told);
    return COMMAND_DONE;
}
