/* arena workers: lists the machines that play a store's games. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_option.h"
#include "arena/report/workers.h"

static const char usage[] =
    "usage: arena workers [--wide] [--json] [--store URL]\n"
    "\n"
    "Lists each run of a worker: what it played, and a residual that shows on which machine bots\n"
    "are late more often than elsewhere. The arena does nothing about it by itself.\n"
    "\n"
    "  --wide      do not shorten names to fit the terminal\n"
    "  --json      one JSON object\n";

static int print_workers(const struct report_workers *report, bool wide, bool json)
{
    if (json)
        return store_option_print(report_workers_json(report));
    if (report->count == 0)
        puts("no workers yet: `arena worker --store URL` starts one");
    else if (report_workers_print(stdout, report, command_layout(wide)) < 0)
        return command_fail("out of memory");
    return COMMAND_DONE;
}

static int list_workers(struct store *store, bool wide, bool json)
{
    struct report_workers report;
    int error = report_workers_load(&report, store, store_option_now_us());
    int status = error == -ENOTSUP ? command_refuse("%s", store_failure(store))
                                   : store_option_status(store, error);

    if (status != COMMAND_DONE)
        return status;
    status = print_workers(&report, wide, json);
    report_workers_finish(&report);
    return status;
}

int command_workers(int argc, char **argv)
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
        return command_refuse("workers: %s: takes no arguments", argv[optind]);
    status = store_option_open(home, STORE_READ, &store);
    if (status != COMMAND_DONE)
        return status;
    status = list_workers(store, wide, json);
    store_close(store);
    return status;
}
