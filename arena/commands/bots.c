/* arena bots: lists the admitted bots. */
#include <getopt.h>
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_option.h"
#include "arena/report/bots.h"

static const char usage[] = "usage: arena bots [--wide] [--json] [--home DIR]\n"
                            "\n"
                            "Lists every version of every bot, in order of submission.\n"
                            "\n"
                            "  --wide      do not shorten names to fit the terminal\n"
                            "  --json      one JSON object\n";

static int print_bots(const struct report_bots *report, bool wide, bool json)
{
    if (json)
        return store_option_print(report_bots_json(report));
    if (report->count == 0)
        puts("no bots yet: `arena submit DIR` admits one");
    else if (report_bots_print(stdout, report, command_layout(wide)) < 0)
        return command_fail("out of memory");
    return COMMAND_DONE;
}

static int list_bots(struct store *store, bool wide, bool json)
{
    struct report_bots report;
    int status = store_option_status(store, report_bots_load(&report, store));

    if (status != COMMAND_DONE)
        return status;
    status = print_bots(&report, wide, json);
    report_bots_finish(&report);
    return status;
}

int command_bots(int argc, char **argv)
{
    const char *home = NULL;
    bool json = false, wide = false;
    const struct plain_option options[] = {
        {"wide", .flag = &wide}, {"json", .flag = &json}, {"home", .text = &home}, {.name = NULL}};
    struct store *store;
    int status;

    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    if (optind < argc)
        return command_refuse("bots: %s: takes no arguments", argv[optind]);
    status = store_option_open(home, STORE_READ, &store);
    if (status != COMMAND_DONE)
        return status;
    status = list_bots(store, wide, json);
    store_close(store);
    return status;
}
