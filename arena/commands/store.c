/* arena store: `check` checks the whole store, `copy` copies it to another. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_copy.h"
#include "arena/commands/store_option.h"
#include "arena/commands/store_role.h"
#include "arena/replay/plain_text.h"
#include "arena/report/audit.h"

static const char usage[] =
    "usage: arena store check [--replays] [--json] [--home DIR]\n"
    "       arena store copy FROM TO [--json]\n"
    "       arena store role NAME (see its --help)\n"
    "\n"
    "check reads every page and row of the store: references, ranges, checksums of games. Prints "
    "a\n"
    "line for each fault. Exit status 1 if there are any.\n"
    "\n"
    "copy copies a whole league from one store to another, which must be new or empty, and reads "
    "it\n"
    "back: FROM and TO are URLs (sqlite:PATH, postgresql://USER@HOST/DATABASE) or home folders.\n"
    "Nobody may play or submit meanwhile. FROM stays as it is.\n"
    "\n"
    "  --replays  also replays every replay, and compares it with its game's row\n"
    "  --json     one JSON object\n";

static void print_fault(void *context, const char *line)
{
    (void)context;
    plain_text_printf(stdout, "%s\n", line);
}

static void add_fault(void *context, const char *line)
{
    json_array_append_new(context, json_string(line));
}

static int print_json(const struct audit *audit, json_t *faults)
{
    int status = store_option_print(json_pack(
        "{s:b, s:I, s:I, s:I, s:o, s:o, s:o}", "sound", audit->fault_count == 0, "bots",
        (json_int_t)audit->bot_count, "seasons", (json_int_t)audit->season_count, "games",
        (json_int_t)audit->game_count, "replays",
        audit->replays ? json_integer(audit->replay_count) : json_null(), "pruned",
        audit->replays ? json_integer(audit->pruned_count) : json_null(), "faults", faults));

    return status;
}

static void print_text(const struct audit *audit)
{
    plain_text_printf(stdout, "%lld bots, %lld seasons, %lld games", (long long)audit->bot_count,
                      (long long)audit->season_count, (long long)audit->game_count);
    if (audit->replays)
        plain_text_printf(stdout, ", %lld replays", (long long)audit->replay_count);
    if (audit->pruned_count)
        plain_text_printf(stdout, ", %lld pruned", (long long)audit->pruned_count);
    if (audit->fault_count)
        plain_text_printf(stdout, ": %lld faults; restore a backup\n",
                          (long long)audit->fault_count);
    else
        puts(": sound");
}

static int check(struct store *store, bool replays, bool json)
{
    json_t *faults = json ? json_array() : NULL;
    struct audit audit = {
        .replays = replays, .fault_fn = json ? add_fault : print_fault, .context = faults};
    int status = store_option_status(store, audit_store(&audit, store));

    if (status != COMMAND_DONE) {
        json_decref(faults);
        return status;
    }
    if (json)
        status = print_json(&audit, faults);
    else
        print_text(&audit);
    return status == COMMAND_DONE && audit.fault_count ? COMMAND_FAILED : status;
}

int command_store(int argc, char **argv)
{
    const char *home = NULL;
    bool replays = false, json = false;
    const struct plain_option options[] = {
        {"replays", .flag = &replays}, {"json", .flag = &json}, {"home", .text = &home}, {NULL}};
    struct store *store;
    int status;

    if (argc > 1 && strcmp(argv[1], "role") == 0)
        return command_store_role(argc - 1, argv + 1);
    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    if (argc - optind == 3 && strcmp(argv[optind], "copy") == 0)
        return store_copy_run(argv[optind + 1], argv[optind + 2], json);
    if (argc - optind >= 1 && strcmp(argv[optind], "copy") == 0)
        return command_refuse("store copy: name two stores: `arena store copy FROM TO`");
    if (argc - optind != 1 || strcmp(argv[optind], "check") != 0)
        return command_refuse("store: say what to do: `arena store check` or `arena store copy`");
    status = store_option_open(home, STORE_READ, &store);
    if (status != COMMAND_DONE)
        return status;
    status = check(store, replays, json);
    store_close(store);
    return status;
}
