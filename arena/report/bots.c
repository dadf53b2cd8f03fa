#include "arena/report/bots.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int add_bot(void *context, const struct store_bot *bot)
{
    struct report_bots *report = context;

    if (report->count == report->room) {
        int room = report->room ? 2 * report->room : 64;
        struct store_bot *bots = realloc(report->bots, (size_t)room * sizeof *bots);

        if (!bots)
            return -ENOMEM;
        report->bots = bots;
        report->room = room;
    }
    report->bots[report->count++] = *bot;
    return 0;
}

int report_bots_load(struct report_bots *report, struct store *store)
{
    int error;

    memset(report, 0, sizeof *report);
    error = store_bots_each(store, add_bot, report);
    if (error)
        report_bots_finish(report);
    return error == -EINTR ? -ENOMEM : error;
}

void report_bots_finish(struct report_bots *report)
{
    free(report->bots);
    memset(report, 0, sizeof *report);
}

/* ---- columns ---- */

static void get_package(const void *context, const void *row, const struct column *column,
                        struct column_value *value)
{
    column_set_text(value, "%.12s", ((const struct store_bot *)row)->sha256);
}

static void get_state(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    const struct store_bot *bot = row;

    column_set_text(value, "%s",
                    bot->voided       ? "banned, games void"
                    : bot->banned_us  ? "banned"
                    : bot->retired_us ? "retired"
                    : bot->newest     ? "plays"
                                      : "replaced");
}

enum {
    ALL = COLUMN_EVERYWHERE,
    DATA = COLUMN_IN_DATA,
    JSON = COLUMN_IN_JSON,
    TEXT = COLUMN_IN_TEXT,
};

#define FIELD(of_kind, field) .kind = COLUMN_##of_kind, .offset = offsetof(struct store_bot, field)

static const struct column array[] = {
    {"name", "bot", ALL, NULL, FIELD(TEXT, name), .left = true, .least_width = 16},
    {"version", "version", ALL, NULL, FIELD(TEXT, version), .left = true, .least_width = 7},
    {"author", "author", ALL, NULL, FIELD(TEXT, author), .left = true, .least_width = 16},
    {"language", "language", ALL, NULL, FIELD(TEXT, language), .left = true, .least_width = 8},
    {"sha256", NULL, DATA, NULL, FIELD(TEXT, sha256)},
    {NULL, "package", TEXT, NULL, .get_fn = get_package, .left = true},
    {"submitted", NULL, JSON, NULL, FIELD(MOMENT, submitted_us)},
    {"retired", NULL, JSON, NULL, FIELD(MOMENT, retired_us)},
    {"banned", NULL, JSON, NULL, FIELD(MOMENT, banned_us)},
    {"voided", NULL, JSON, NULL, FIELD(BOOL, voided)},
    {"newest", NULL, JSON, NULL, FIELD(BOOL, newest)},
    {NULL, "state", TEXT, NULL, .get_fn = get_state, .left = true},
};

static const struct columns columns = {array, sizeof array / sizeof *array};

int report_bots_print(FILE *stream, const struct report_bots *report, struct columns_layout layout)
{
    const struct columns_rows rows = {report->bots, sizeof *report->bots, report->count};

    return columns_print_text(stream, &columns, &rows, layout);
}

json_t *report_bots_json(const struct report_bots *report)
{
    const struct columns_rows rows = {report->bots, sizeof *report->bots, report->count};

    return json_pack("{s:o}", "bots", columns_json(&columns, &rows));
}
