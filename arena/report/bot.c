/* SPDX-License-Identifier: MIT */
#include "arena/report/bot.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "arena/base/json.h"
#include "arena/season/season.h"
#include "arena/season/status.h"
#include "arena/store/quotas.h"

enum {
    ALL = COLUMN_EVERYWHERE,
    DATA = COLUMN_IN_DATA,
    JSON = COLUMN_IN_JSON,
    TEXT = COLUMN_IN_TEXT,
    LADDER = COLUMN_IN_LADDER,
};

/* ---- bots ---- */

static void get_package(const void *context, const void *row, const struct column *column,
                        struct column_value *value)
{
    column_set_text(value, "%.12s", ((const struct store_bot *)row)->sha256);
}

/* Sets the version that had the files of this one first, in the store that is the context. */
static void get_same(const void *context, const void *row, const struct column *column,
                     struct column_value *value)
{
    struct store_bot first;

    if (store_bot_find_same((struct store *)context, row, &first) == 0)
        column_set_text(value, "%s %s by %s", first.name, first.version, first.author);
}

static void get_bot_state(const void *context, const void *row, const struct column *column,
                          struct column_value *value)
{
    const struct store_bot *bot = row;
    struct column_value same = {.kind = COLUMN_NOTHING};

    get_same(context, row, column, &same);
    column_set_text(value, "%s%s%s%s",
                    bot->voided       ? "banned, games void"
                    : bot->banned_us  ? "banned"
                    : bot->retired_us ? "retired"
                    : bot->newest     ? "plays"
                                      : "replaced",
                    bot->reference ? ", reference" : "", *same.text ? ", same files as " : "",
                    same.text);
}

static void get_too_slow(const void *context, const void *row, const struct column *column,
                         struct column_value *value)
{
    const struct wire_clock *clock = &((const struct store_bot *)row)->too_fast;

    if (clock->turn_ms || clock->bank_ms || clock->gain_ms)
        column_set_text(value, "turn=%lld,bank=%lld,gain=%lld,start=%lld",
                        (long long)clock->turn_ms, (long long)clock->bank_ms,
                        (long long)clock->gain_ms, (long long)clock->start_ms);
}

#define BOT(of_kind, field) .kind = COLUMN_##of_kind, .offset = offsetof(struct store_bot, field)
#define HASH_WORDS          "SHA-256 of the package as it was submitted"

static const struct column bot_array[] = {
    {"bot", "bot", ALL | LADDER, BOT_WORDS, BOT(TEXT, name), .left = true, .least_width = 16},
    {"version", "version", ALL | LADDER, VERSION_WORDS, BOT(TEXT, version), .left = true,
     .least_width = 7, .level = 2},
    {"author", "author", ALL | LADDER, AUTHOR_WORDS, BOT(TEXT, author), .left = true,
     .least_width = 10, .level = 3},
    {"language", "language", ALL | LADDER, "programming language of the bot, as submitted",
     BOT(TEXT, language), .left = true, .least_width = 8, .level = 6},
    {"reference", NULL, DATA | LADDER,
     "others are measured against the version, which plays but holds no rank",
     BOT(BOOL, reference)},
    {"sha256", NULL, DATA, HASH_WORDS, BOT(TEXT, sha256)},
    {NULL, "package", TEXT, NULL, .kind = COLUMN_TEXT, .get_fn = get_package, .left = true,
     .level = 4},
    {"submitted", NULL, DATA, "when the version was submitted", BOT(MOMENT, submitted_us)},
    {"retired", NULL, DATA, "since when the bot is retired; null: not retired",
     BOT(MOMENT, retired_us)},
    {"banned", NULL, DATA, "since when the bot or its author is banned; null: not banned",
     BOT(MOMENT, banned_us)},
    {"voided", NULL, DATA, "the bot is banned, and its games do not count", BOT(BOOL, voided)},
    {"newest", NULL, DATA, "this is the newest version of the bot", BOT(BOOL, newest)},
    {"too_slow_for", NULL, DATA,
     "clock for which the check found the bot too slow: it enters only seasons that allow more "
     "time; null: none",
     WORDS_BY(get_too_slow, "text?")},
    {NULL, "state", TEXT, NULL, .kind = COLUMN_TEXT, .get_fn = get_bot_state, .left = true},
    {"same_as", NULL, JSON,
     "the first version that another author, or this author under another name, submitted with the "
     "same files before this one; null: none",
     WORDS_BY(get_same, "text?"), .reader = READER_ORGANIZER},
};

const struct columns bot_columns = COLUMNS_OF(bot_array);

/* ---- the seasons that a bot enters ---- */

static const struct column entrance_array[] = {
    {"season", NULL, JSON, "name of the season", MEMBER("text")},
    {"waits", NULL, JSON, "true: no game of the bot is scheduled yet", MEMBER("boolean")},
    {"next_games", NULL, JSON,
     "about when the next games are scheduled; null: the bot does not wait, or nobody knows",
     MEMBER("time?")},
};

const struct columns entrance_columns = COLUMNS_OF(entrance_array);

struct open_seasons {
    struct store_season *seasons;
    int count;
};

static int add_open(void *context, const struct store_season *season)
{
    struct open_seasons *open = context;

    return season->closing_us || season->closed_us
               ? 0
               : array_add(&open->seasons, &open->count, season, sizeof *season);
}

/* Called for the bots that wait: context is the id of one, which becomes 0. */
static int look_for_bot(void *context, const struct store_bot *bot)
{
    int64_t *id = context;

    if (bot->id == *id)
        *id = 0;
    return 0;
}

static int add_entrance(json_t *list, struct store *store, const struct store_season *season,
                        int64_t bot_id)
{
    int64_t waiting_id = bot_id, next_us = 0;
    struct season_facts facts;
    struct season_status status;
    struct roster roster;
    bool is_in = false;
    int error =
        season_facts_read(&facts, store, season, false) ?: roster_load(&roster, store, season);

    if (error)
        return error;
    season_status_of(&facts, &status);
    for (int i = 0; i < roster.count; i++)
        is_in = is_in || (roster.members[i].bot.id == bot_id && roster.members[i].bot.newest &&
                          !roster.members[i].bot.retired_us && !roster.members[i].bot.banned_us);
    if (!is_in && season_status_goes_on(&status))
        error = roster_each_waiting(&roster, store, look_for_bot, &waiting_id);
    roster_finish(&roster);
    if (!error && waiting_id == 0)
        error = season_read_next(store, season->name, &next_us);
    if (!error && (is_in || waiting_id == 0))
        json_array_append_new(
            list, json_pack("{s:s, s:b, s:o}", "season", season->name, "waits", !is_in,
                            "next_games", json_time_or_null(next_us > facts.now_us ? next_us : 0)));
    return error;
}

int report_entrances_read(struct store *store, int64_t bot_id, json_t **entrances)
{
    struct open_seasons open = {0};
    int error;

    *entrances = NULL;
    if (!bot_id)
        return 0;
    *entrances = json_array();
    error = store_seasons_each(store, add_open, &open);
    for (int i = 0; i < open.count && !error; i++)
        error = add_entrance(*entrances, store, &open.seasons[i], bot_id);
    free(open.seasons);
    return error;
}

/* ---- submissions ---- */

struct report_submission {
    struct store_submission submission;
    json_t *report;
    int place;
    int64_t estimate_s;
    json_t *entrances;
};

static void get_url(const void *context, const void *row, const struct column *column,
                    struct column_value *value)
{
    column_set_text(value, "/api/v1/submissions/%lld",
                    (long long)((const struct report_submission *)row)->submission.id);
}

/* Sets a number that is unknown if it is 0. */
static void get_place(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    if (((const struct report_submission *)row)->place)
        column_set_integer(value, ((const struct report_submission *)row)->place);
}

static void get_estimate(const void *context, const void *row, const struct column *column,
                         struct column_value *value)
{
    if (((const struct report_submission *)row)->estimate_s)
        column_set_integer(value, ((const struct report_submission *)row)->estimate_s);
}

static json_t *or_null(json_t *value)
{
    return json_incref(value) ?: json_null();
}

static json_t *report_json(const void *context, const void *row)
{
    return or_null(((const struct report_submission *)row)->report);
}

static json_t *reason_json(const void *context, const void *row)
{
    return or_null(json_object_get(((const struct report_submission *)row)->report, "reason"));
}

static json_t *entrances_json(const void *context, const void *row)
{
    return or_null(((const struct report_submission *)row)->entrances);
}

static json_t *build_output_json(const void *context, const void *row)
{
    return or_null(
        json_object_get(((const struct report_submission *)row)->report, "build_output"));
}

/* Returns the standard error of the first step of a check that failed. */
static json_t *stderr_json(const void *context, const void *row)
{
    const json_t *report = ((const struct report_submission *)row)->report, *step;
    size_t i;

    json_array_foreach(json_object_get(report, "steps"), i, step)
    {
        json_t *text = json_object_get(json_object_get(step, "forfeit"), "stderr");

        if (text)
            return json_incref(text);
    }
    return json_null();
}

json_t *report_no_quotas(const void *context, const void *row)
{
    return json_null();
}

#define SUBMISSION(of_kind, field)                                                                 \
    .kind = COLUMN_##of_kind, .offset = offsetof(struct report_submission, submission.field)
#define FOR_AUTHOR .reader = READER_AUTHOR

static const struct column quota_array[] = {
    {"quota", NULL, DATA, "what the author may ask for only so often", .kind = COLUMN_WORD,
     .offset = offsetof(struct store_quota, kind), .words = store_quota_kinds},
    {"a_day", NULL, DATA, "how many of them the author may ask for in 24 hours",
     .kind = COLUMN_INTEGER, .offset = offsetof(struct store_quota, a_day)},
    {"unused", NULL, DATA, "how many of them the author may still ask for now",
     .kind = COLUMN_INTEGER, .offset = offsetof(struct store_quota, left)},
    {"more", NULL, DATA, "when the author may ask for one more than that; null: none was used",
     .kind = COLUMN_MOMENT, .offset = offsetof(struct store_quota, more_us)},
};

const struct columns quota_columns = COLUMNS_OF(quota_array);

static const struct column submission_array[] = {
    {"submission", "number", ALL, "number of the submission", SUBMISSION(INTEGER, id)},
    {"state", "state", ALL, "how far the submission is", SUBMISSION(WORD, state),
     .words = store_submission_states, .left = true},
    {"bot", "bot", ALL, BOT_WORDS, SUBMISSION(TEXT, name), .left = true, .least_width = 16,
     FOR_AUTHOR},
    {"version", "version", ALL, VERSION_WORDS, SUBMISSION(TEXT, version), .left = true,
     .least_width = 7, FOR_AUTHOR},
    {"author", "author", ALL, AUTHOR_WORDS, SUBMISSION(TEXT, author), .left = true,
     .least_width = 10, FOR_AUTHOR},
    {"url", NULL, DATA, "address of the submission in the API", .kind = COLUMN_TEXT,
     .get_fn = get_url, FOR_AUTHOR},
    {"sha256", NULL, DATA, HASH_WORDS, SUBMISSION(TEXT, sha256), FOR_AUTHOR},
    {"check_only", NULL, DATA, "true: the author asked for the report of the check alone",
     SUBMISSION(BOOL, is_check), FOR_AUTHOR},
    {"received", NULL, DATA, "when the last byte of the submission arrived",
     SUBMISSION(MOMENT, received_us), FOR_AUTHOR},
    {"building", NULL, DATA, "when the build began; null: not yet", SUBMISSION(MOMENT, building_us),
     FOR_AUTHOR},
    {"checking", NULL, DATA, "when the check began; null: not yet", SUBMISSION(MOMENT, checking_us),
     FOR_AUTHOR},
    {"ended", NULL, DATA,
     "when the submission was admitted, refused or only checked; null: not yet",
     SUBMISSION(MOMENT, ended_us), FOR_AUTHOR},
    {"again", NULL, DATA,
     "when the arena builds and checks a submission that is waiting again; null: it is not "
     "waiting, or waits for the end of a ban",
     SUBMISSION(MOMENT, retry_us), FOR_AUTHOR},
    {"place", NULL, DATA, "place in the queue, from 1; null: the submission does not wait",
     NUMBER_BY(get_place, "integer?"), FOR_AUTHOR},
    {"estimate_s", NULL, DATA, "about how long the submission takes to end; null: unknown",
     NUMBER_BY(get_estimate, "integer?"), .unit = "s", FOR_AUTHOR},
    {"enters", NULL, JSON,
     "the open seasons that the admitted bot plays in, or will; null: it is not admitted, or a "
     "list",
     .type = "entrance[]?", .json_fn = entrances_json, FOR_AUTHOR},
    {"reason", NULL, JSON,
     "why the submission was refused, or is waiting, or which seasons the bot enters; null: there "
     "is nothing to say",
     .type = "text?", .json_fn = reason_json, FOR_AUTHOR},
    {"report", NULL, JSON, "the report of the check, and `reason`; null: none yet, or a list",
     .type = "object?", .json_fn = report_json, FOR_AUTHOR},
    {"build_output", NULL, JSON, "what the build printed; null: nothing, or a list",
     .type = "text?", .json_fn = build_output_json, FOR_AUTHOR},
    {"stderr", NULL, JSON,
     "what the bot wrote to standard error in the first step that failed; null: no step failed, or "
     "a list",
     .type = "text?", .json_fn = stderr_json, FOR_AUTHOR},
    {"quotas", NULL, JSON, QUOTAS_WORDS, .type = "quota[]?", .json_fn = report_no_quotas,
     FOR_AUTHOR},
};

const struct columns submission_columns = COLUMNS_OF(submission_array);

json_t *report_submission_json(const struct store_submission *submission, int place,
                               int64_t estimate_s, json_t *entrances, enum column_reader reader)
{
    const char *report = submission->report;
    struct report_submission row = {.submission = *submission,
                                    .report =
                                        report ? json_loads(report, JSON_ALLOW_NUL, NULL) : NULL,
                                    .place = place,
                                    .estimate_s = estimate_s,
                                    .entrances = entrances};
    json_t *json = columns_row_json(&submission_columns, &row, NULL, reader);

    json_decref(row.report);
    return json;
}

/* ---- authors and tokens ---- */

enum token_state {
    VALID,
    EXPIRED,
    REVOKED
};

static const char *const token_states[] = {
    [VALID] = "valid", [EXPIRED] = "expired", [REVOKED] = "revoked", [REVOKED + 1] = NULL};

const char *report_token_state(const struct store_token *token, int64_t now_us)
{
    return token_states[token->revoked_us                                 ? REVOKED
                        : token->expires_us && token->expires_us < now_us ? EXPIRED
                                                                          : VALID];
}

static void get_digits(const void *context, const void *row, const struct column *column,
                       struct column_value *value)
{
    column_set_text(value, "%.8s", ((const struct store_token *)row)->sha256);
}

static void get_token_state(const void *context, const void *row, const struct column *column,
                            struct column_value *value)
{
    column_set_text(value, "%s", report_token_state(row, *(const int64_t *)context));
}

#define TOKEN(of_kind, field)                                                                      \
    .kind = COLUMN_##of_kind, .offset = offsetof(struct store_token, field)
#define FOR_ORGANIZER .reader = READER_ORGANIZER

static const struct column token_array[] = {
    {"token", NULL, JSON, "first digits of the token's SHA-256", WORDS_BY(get_digits, NULL),
     FOR_ORGANIZER},
    {"state", NULL, JSON, "whether the token is valid", WORDS_BY(get_token_state, NULL),
     .words = token_states, FOR_ORGANIZER},
    {"scope", NULL, JSON, "what the token permits", TOKEN(WORD, scope), .words = store_scopes,
     FOR_ORGANIZER},
    {"created", NULL, JSON, "when the token was made", TOKEN(MOMENT, created_us), FOR_ORGANIZER},
    {"used", NULL, JSON, "when the token was last used, exact to an hour; null: never",
     TOKEN(MOMENT, used_us), FOR_ORGANIZER},
    {"expires", NULL, JSON, "when the token expires; null: never", TOKEN(MOMENT, expires_us),
     FOR_ORGANIZER},
};

const struct columns token_columns = COLUMNS_OF(token_array);

static json_t *tokens_json(const void *context, const void *row)
{
    return or_null((json_t *)context);
}

#define AUTHOR(of_kind, field)                                                                     \
    .kind = COLUMN_##of_kind, .offset = offsetof(struct store_author, field)

static const struct column author_array[] = {
    {"author", NULL, JSON, AUTHOR_WORDS, AUTHOR(TEXT, name)},
    {"number", NULL, JSON, "number of the author", AUTHOR(INTEGER, id), FOR_ORGANIZER},
    {"created", NULL, JSON, "when the account was made", AUTHOR(MOMENT, created_us), FOR_ORGANIZER},
    {"erased", NULL, JSON, "when the author was erased; null: not erased",
     AUTHOR(MOMENT, erased_us), FOR_ORGANIZER},
    {"tokens", NULL, JSON, "the author's tokens", .type = "token[]", .json_fn = tokens_json,
     FOR_ORGANIZER},
};

const struct columns author_columns = COLUMNS_OF(author_array);

/* ---- forfeits ---- */

#define WHOLE(what, its_reader)                                                                    \
    {                                                                                              \
        what "_bytes",                                                                             \
        NULL,                                                                                      \
        JSON,                                                                                      \
        "size of the whole " what,                                                                 \
        MEMBER("integer"),                                                                         \
        .unit = "bytes",                                                                           \
        .reader = its_reader},                                                                     \
        {what "_sha256",      NULL, JSON, "SHA-256 of the whole " what, MEMBER("text"),            \
         .reader = its_reader},                                                                    \
    {                                                                                              \
        what "_left_out", NULL, JSON, "bytes of the " what " that are left out",                   \
            MEMBER("integer"), .unit = "bytes", .reader = its_reader                               \
    }

static const struct column forfeit_array[] = {
    {"reason", NULL, JSON, "why the bot was out: a reason that the protocol lists", MEMBER("text")},
    {"words", NULL, JSON, "what happened, in words", MEMBER("text")},
    {"turn", NULL, JSON, "number of the decision, from 0; null: before the first",
     MEMBER("integer?")},
    {"limit_us", NULL, JSON, "time that the bot had; null: no limit", MEMBER("integer?"),
     .unit = "us"},
    {"wall_us", NULL, JSON, "time that passed", MEMBER("integer"), .unit = "us"},
    {"cpu_us", NULL, JSON, "processor time that the bot used; null: unknown", MEMBER("integer?"),
     .unit = "us"},
    {"delay_us", NULL, JSON,
     "time beyond the limit that is not charged: waits for a processor, and for the arena",
     MEMBER("integer"), .unit = "us"},
    {"status", NULL, JSON, "exit status of the bot; null: none", MEMBER("integer?")},
    {"signal", NULL, JSON, "signal that ended the bot; null: none", MEMBER("integer?")},
    {"call", NULL, JSON, "forbidden system call; null: none", MEMBER("text?")},
    {"request", NULL, JSON, "the message that the bot last read, in hex", MEMBER("text")},
    {"reply", NULL, JSON, "what the bot wrote as its answer, in hex", MEMBER("text")},
    {"stderr", NULL, JSON, "what the bot wrote to standard error", MEMBER("text"), FOR_AUTHOR},
    {"command", NULL, JSON, "command that puts the decision to the bot again; null: none",
     MEMBER("text?")},
    {"request_decoded", NULL, JSON, "the request as text", MEMBER("text")},
    {"reply_decoded", NULL, JSON, "the reply as text", MEMBER("text")},
    WHOLE("request", READER_PUBLIC),
    WHOLE("reply", READER_PUBLIC),
    WHOLE("stderr", READER_AUTHOR),
};

const struct columns forfeit_columns = COLUMNS_OF(forfeit_array);

static json_t *forfeit_json(const void *context, const void *row)
{
    const struct store_forfeit *forfeited = row;
    json_t *all = json_loads(forfeited->forfeits, JSON_ALLOW_NUL, NULL);
    json_t *own = json_array_get(all, (size_t)forfeited->seat);
    json_t *json = json_is_object(own)
                       ? columns_row_json(&forfeit_columns, own, NULL, READER_AUTHOR)
                       : json_null();

    json_decref(all);
    return json;
}

#define FORFEITED(of_kind, field)                                                                  \
    .kind = COLUMN_##of_kind, .offset = offsetof(struct store_forfeit, field), FOR_AUTHOR

static const struct column forfeited_array[] = {
    {"match", NULL, JSON, MATCH_WORDS, FORFEITED(TEXT, game)},
    {"bot", NULL, JSON, BOT_WORDS, FORFEITED(TEXT, bot)},
    {"version", NULL, JSON, VERSION_WORDS, FORFEITED(TEXT, version)},
    {"seat", NULL, JSON, "seat of the bot, from 0", FORFEITED(INT, seat)},
    {"started", NULL, JSON, STARTED_WORDS, FORFEITED(MOMENT, started_us)},
    {"forfeit", NULL, JSON, "what happened; null: not stored", .type = "forfeit?",
     .json_fn = forfeit_json, FOR_AUTHOR},
};

const struct columns forfeited_columns = COLUMNS_OF(forfeited_array);
