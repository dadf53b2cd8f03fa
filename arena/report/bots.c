#include "arena/report/bots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/json.h"

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

enum detail {
    NAME,
    VERSION,
    AUTHOR,
    LANGUAGE,
    SHA256,
    PACKAGE, /* the first digits of the hash */
    STATE,
    VOIDED,
    NEWEST,
};

static const struct store_bot *bot_of(const void *rows, int row)
{
    return &((const struct report_bots *)rows)->bots[row];
}

static void get_text(const void *rows, int row, const struct column *column,
                     struct column_value *value)
{
    const struct store_bot *bot = bot_of(rows, row);

    switch ((enum detail)column->detail) {
    case NAME:
        column_set_text(value, "%s", bot->name);
        break;
    case VERSION:
        column_set_text(value, "%s", bot->version);
        break;
    case AUTHOR:
        column_set_text(value, "%s", bot->author);
        break;
    case LANGUAGE:
        column_set_text(value, "%s", bot->language);
        break;
    case SHA256:
        column_set_text(value, "%s", bot->sha256);
        break;
    case PACKAGE:
        column_set_text(value, "%.12s", bot->sha256);
        break;
    case STATE:
        column_set_text(value, "%s",
                        bot->voided       ? "banned, games void"
                        : bot->banned_us  ? "banned"
                        : bot->retired_us ? "retired"
                        : bot->newest     ? "plays"
                                          : "replaced");
        break;
    case VOIDED:
    case NEWEST:
        break;
    }
}

static void get_bool(const void *rows, int row, const struct column *column,
                     struct column_value *value)
{
    const struct store_bot *bot = bot_of(rows, row);

    column_set_bool(value, column->detail == VOIDED ? bot->voided : bot->newest);
}

static json_t *time_json(int64_t us)
{
    return us ? replay_json_time(us / 1000000) : json_null();
}

static json_t *submitted_json(const void *rows, int row)
{
    return time_json(bot_of(rows, row)->submitted_us);
}

static json_t *retired_json(const void *rows, int row)
{
    return time_json(bot_of(rows, row)->retired_us);
}

static json_t *banned_json(const void *rows, int row)
{
    return time_json(bot_of(rows, row)->banned_us);
}

static const struct column array[] = {
    {.name = "name",
     .title = "bot",
     .unit = "",
     .get_fn = get_text,
     .detail = NAME,
     .forms = COLUMN_EVERYWHERE,
     .left = true,
     .least_width = 16},
    {.name = "version",
     .title = "version",
     .unit = "",
     .get_fn = get_text,
     .detail = VERSION,
     .forms = COLUMN_EVERYWHERE,
     .left = true,
     .least_width = 7},
    {.name = "author",
     .title = "author",
     .unit = "",
     .get_fn = get_text,
     .detail = AUTHOR,
     .forms = COLUMN_EVERYWHERE,
     .left = true,
     .least_width = 16},
    {.name = "language",
     .title = "language",
     .unit = "",
     .get_fn = get_text,
     .detail = LANGUAGE,
     .forms = COLUMN_EVERYWHERE,
     .left = true,
     .least_width = 8},
    {.name = "sha256",
     .unit = "",
     .get_fn = get_text,
     .detail = SHA256,
     .forms = COLUMN_IN_JSON | COLUMN_IN_CSV},
    {.title = "package",
     .unit = "",
     .get_fn = get_text,
     .detail = PACKAGE,
     .forms = COLUMN_IN_TEXT,
     .left = true},
    {.name = "submitted", .unit = "", .json_fn = submitted_json, .forms = COLUMN_IN_JSON},
    {.name = "retired", .unit = "", .json_fn = retired_json, .forms = COLUMN_IN_JSON},
    {.name = "banned", .unit = "", .json_fn = banned_json, .forms = COLUMN_IN_JSON},
    {.name = "voided", .unit = "", .get_fn = get_bool, .detail = VOIDED, .forms = COLUMN_IN_JSON},
    {.name = "newest", .unit = "", .get_fn = get_bool, .detail = NEWEST, .forms = COLUMN_IN_JSON},
    {.title = "state",
     .unit = "",
     .get_fn = get_text,
     .detail = STATE,
     .forms = COLUMN_IN_TEXT,
     .left = true},
};

static const struct columns columns = {array, sizeof array / sizeof *array};

int report_bots_print(FILE *stream, const struct report_bots *report, struct columns_layout layout)
{
    struct columns_rows rows = {report, report->count, -1, NULL};

    return columns_print_text(stream, &columns, &rows, layout);
}

json_t *report_bots_json(const struct report_bots *report)
{
    json_t *bots = json_array();

    for (int i = 0; i < report->count; i++)
        json_array_append_new(bots, columns_json(&columns, report, i));
    return json_pack("{s:o}", "bots", bots);
}
