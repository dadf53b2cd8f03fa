/* SPDX-License-Identifier: MIT */
/*
 * Submissions: `arena submit` admits a bot, or queues it for a daemon; `arena submissions` shows
 * the queue; a daemon runs `arena admit` for each submission in the queue.
 */
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/commands/remote.h"
#include "arena/commands/submit.h"
#include "arena/play/source.h"
#include "arena/base/tree.h"
#include "arena/base/plain_text.h"
#include "arena/report/check.h"
#include "arena/report/bot.h"
#include "arena/store/archive.h"
#include "arena/store/authors.h"
#include "arena/store/quotas.h"
#include "arena/base/clock.h"
#include "arena/base/json.h"

/* ---- submit --to ---- */

/*
 * `submit --to` packs a copy of the bot's folder, asks the server for the submissions of the
 * token's author, and uploads the package unless the newest submission of that bot has the same
 * hash: after a network failure, the user may repeat the command. If the server answers 429 or 503,
 * the command says so, and repeats the request as often as the answers say, for up to RETRY_S.
 */
static struct submit_to {
    const char *path; /* the bot's folder */
    bool waits;       /* wait until the submission has ended, and print its report */
    bool checks;      /* ask for the report of the check alone */
    bool reference;   /* the bot is to be a reference bot */
} to;

enum {
    LOOK_S = 20,            /* for which the server keeps a question for the submission's state */
    WAIT_S_MAX = 24 * 3600, /* longest wait for the end of a submission */
};

static struct parcel {
    struct stage *stage;
    char *copy; /* copy of the bot's folder, in a temporary folder */
    char name[WIRE_NAME_BYTES_MAX + 1];
    char sha256[PACKAGE_HASH_CHARS + 1];
    uint8_t *bytes;
    size_t size;
} parcel;

/* Removes from the copy the top-level file or folder that a line of .gitignore names. */
static void leave_out(const char *pattern)
{
    char *path;

    if (strcmp(pattern, "bot.json") == 0 || strstr(pattern, "..") || strpbrk(pattern, "*?[!"))
        return;
    if (asprintf(&path, "%s/%s", parcel.copy, pattern) < 0)
        return;
    if (access(path, F_OK) == 0 && tree_remove(path) == 0)
        plain_text_printf(stderr, "left out: %s\n", pattern);
    free(path);
}

/*
 * Removes from the copy what the arena does not need: .git; and, if the arena builds the bot, the
 * files that .gitignore names without wildcards.
 */
static void thin_out(bool is_built)
{
    char *path, line[NAME_MAX + 1];
    FILE *file;

    leave_out(".git");
    if (!is_built || asprintf(&path, "%s/.gitignore", parcel.copy) < 0)
        return;
    file = fopen(path, "re");
    free(path);
    while (file && fgets(line, sizeof line, file)) {
        char *name = line + strspn(line, "/");

        name[strcspn(name, "\r\n#")] = '\0';
        while (*name && strchr(" /", name[strlen(name) - 1]))
            name[strlen(name) - 1] = '\0';
        if (*name)
            leave_out(name);
    }
    if (file)
        fclose(file);
}

static int pack(const char *path)
{
    char error[SOURCE_ERROR_BYTES], hash[PACKAGE_HASH_CHARS + 1], words[ARCHIVE_ERROR_BYTES];
    struct manifest manifest;
    int result;

    parcel.stage = stage_create(NULL);
    if (!parcel.stage || asprintf(&parcel.copy, "%s/given", parcel.stage->path) < 0)
        return command_fail(
            "cannot make a folder for a copy of the bot: %s: set TMPDIR to another folder",
            strerror(errno));
    if (access(path, X_OK) < 0)
        return command_refuse_errno(errno, "%s: %s: name the bot's folder", path, strerror(errno));
    result = package_copy(path, parcel.copy, hash, words);
    if (result < 0)
        return bot_argument_refuse(result, words);
    result = source_read_manifest(&manifest, parcel.copy, path, NULL, error);
    if (result < 0)
        return bot_argument_refuse(result, error);
    snprintf(parcel.name, sizeof parcel.name, "%s", manifest.name);
    thin_out(manifest.build != NULL);
    manifest_finish(&manifest);
    if (!store_name_is_valid(parcel.name))
        return command_refuse("%s/bot.json: \"name\" must be %s", path, STORE_NAME_RULE);
    result = package_copy(parcel.copy, NULL, parcel.sha256, words);
    if (result < 0)
        return bot_argument_refuse(result, words);
    if (archive_pack(parcel.copy, SIZE_MAX, &parcel.bytes, &parcel.size, words) < 0)
        return command_fail("%s", words);
    return COMMAND_DONE;
}

static void parcel_finish(void)
{
    free(parcel.bytes);
    free(parcel.copy);
    stage_destroy(parcel.stage);
}

/* Prints text of the server, escaped, because the server is not trusted. */
static void print_lines(const char *text)
{
    if (text)
        plain_text_print_lines(stdout, text, strlen(text));
}

static void print_remote_report(json_t *submission)
{
    json_t *report = json_object_get(submission, "report");
    const char *reason = json_string_value(json_object_get(report, "reason"));
    const char *text = json_string_value(json_object_get(report, "text"));
    const char *output = json_string_value(json_object_get(submission, "build_output"));

    print_lines(reason);
    if (output && *output && reason && !strchr(reason, '\n'))
        print_lines(output);
    /* The reason says more than the first line of the text about a bot that is not fit. */
    if (text && reason && json_is_false(json_object_get(report, "fit")))
        text += strcspn(text, "\n") + (strchr(text, '\n') != NULL);
    print_lines(text);
}

/* Prints the submission's state if the state has changed. */
static void tell_state(const json_t *submission, char before[static 64])
{
    const char *state = json_string_value(json_object_get(submission, "state"));
    json_int_t place = json_integer_value(json_object_get(submission, "place"));
    json_int_t estimate = json_integer_value(json_object_get(submission, "estimate_s"));
    const char *again = json_string_value(json_object_get(submission, "again"));
    const char *reason = json_string_value(json_object_get(submission, "reason"));
    char line[64];

    snprintf(line, sizeof line, "%s %lld %.32s", state ? state : "?", (long long)place,
             again ? again : "");
    if (strcmp(line, before) == 0)
        return;
    strcpy(before, line);
    plain_text_printf(stderr, "%s", state ? state : "?");
    if (place)
        fprintf(stderr, ": place %lld", (long long)place);
    if (estimate)
        fprintf(stderr, ", about %lld s", (long long)estimate);
    if (reason && store_submission_state_of(state) == STORE_WAITING)
        plain_text_printf(stderr, ": %s", reason);
    fputc('\n', stderr);
}

/* Returns the state of a submission that the arena told, or -1. */
static int state_of(const json_t *submission)
{
    return store_submission_state_of(json_string_value(json_object_get(submission, "state")));
}

/*
 * Prints the seasons that an admitted bot plays in or waits for; with a name of the bot, its pages
 * at the arena that was asked, too. If there is none, the report may have said why.
 */
static void print_entrances(const json_t *entrances, const json_t *report, const char *bot)
{
    const char *reason = json_string_value(json_object_get(report, "reason"));
    json_t *entrance;
    size_t i;

    if (json_is_array(entrances) && json_array_size(entrances) == 0 &&
        !(reason && strstr(reason, SUBMISSION_WAITS)))
        puts("  seasons   none that is open: the bot waits for the next season");
    json_array_foreach(entrances, i, entrance)
    {
        const char *next = json_string_value(json_object_get(entrance, "next_games"));

        plain_text_printf(
            stdout, "  season    %s%s%s%s\n",
            json_string_value(json_object_get(entrance, "season")),
            json_is_true(json_object_get(entrance, "waits")) ? ": waits for its first game" : "",
            next ? ", the next games begin about " : "", next ? next : "");
        if (bot)
            plain_text_printf(stdout,
                              "  page      %.*s/%s/bot/%s.html, once the site is published again\n",
                              client_url_length(remote_url), remote_url,
                              json_string_value(json_object_get(entrance, "season")), bot);
    }
}

static int tell_end(json_t *submission, int state)
{
    const bool is_refused = state == STORE_REFUSED;
    const char *bot = json_string_value(json_object_get(submission, "bot"));
    const char *version = json_string_value(json_object_get(submission, "version"));

    if (options_json)
        command_print_json(json_incref(submission));
    else
        print_remote_report(submission);
    if (!options_json)
        print_entrances(json_object_get(submission, "enters"),
                        json_object_get(submission, "report"), bot);
    if (!is_refused && !options_json)
        plain_text_printf(stdout, "%s %s %s\n", bot ? bot : "?", version ? version : "?",
                          state == STORE_CHECKED ? "has passed the check; nothing is admitted"
                                                 : "is admitted");
    return is_refused ? command_fail("the bot is refused") : COMMAND_DONE;
}

static int wait_for_end(int64_t id)
{
    const int64_t end_us = clock_now_us() + WAIT_S_MAX * INT64_C(1000000);
    char path[64], before[64] = "";
    int status = COMMAND_DONE;

    snprintf(path, sizeof path, "/api/v1/submissions/%lld?wait=%d", (long long)id, LOOK_S);
    while (clock_now_us() < end_us) {
        json_t *submission;
        bool has_ended;
        int state;

        status = remote_ask(path, NULL, 0, true);
        if (status != COMMAND_DONE && !options_json)
            plain_text_printf(stdout,
                              "submission %lld is received: the same command asks for it again\n",
                              (long long)id);
        if (status != COMMAND_DONE)
            return status;
        if (remote_answer.status != 200)
            return remote_refused();
        submission = remote_json();
        state = state_of(submission);
        has_ended = store_submission_has_ended(state);
        if (!options_json)
            tell_state(submission, before);
        if (has_ended)
            status = tell_end(submission, state);
        json_decref(submission);
        if (has_ended)
            return status;
    }
    return command_fail("submission %lld has not ended within a day", (long long)id);
}

/*
 * Looks for the package among the author's submissions that wait, were admitted, or, with --check,
 * were only checked. Sets *id to the
 * submission's number, or to 0 if there is none. A refused package is sent again: the arena takes
 * it if the package was not to blame, for example if its author had cancelled the submission.
 */
static int find_same(int64_t *id)
{
    int status = remote_ask("/api/v1/me", NULL, 0, true);
    json_t *me, *submission, *bot_row;
    size_t i;

    *id = 0;
    if (status != COMMAND_DONE)
        return status;
    if (remote_answer.status != 200)
        return remote_refused();
    me = remote_json();
    json_array_foreach(json_object_get(me, "submissions"), i, submission)
    {
        const char *bot = json_string_value(json_object_get(submission, "bot"));
        const char *sha256 = json_string_value(json_object_get(submission, "sha256"));

        if (!bot || strcmp(bot, parcel.name) != 0 ||
            json_is_true(json_object_get(submission, "check_only")) != to.checks)
            continue;
        if (sha256 && strcmp(sha256, parcel.sha256) == 0 && state_of(submission) != STORE_REFUSED)
            *id = json_integer_value(json_object_get(submission, "submission"));
        break; /* older submissions of this bot do not count */
    }
    json_array_foreach(json_object_get(me, "bots"), i, bot_row)
    {
        const char *bot = json_string_value(json_object_get(bot_row, "bot"));

        if (!*id || !bot || strcmp(bot, parcel.name) != 0)
            continue;
        if (json_is_string(json_object_get(bot_row, "banned")))
            status = command_refuse("%s or its author is banned and plays no more: an organizer "
                                    "can lift the ban",
                                    parcel.name);
        else if (!to.checks && json_is_string(json_object_get(bot_row, "retired")))
            status = command_refuse("%s is retired and plays no more: it plays again with another "
                                    "version in its bot.json",
                                    parcel.name);
    }
    json_decref(me);
    return status;
}

/*
 * Sets *before to words if the arena had the package before. Sets *answer, a new reference, which
 * has the quotas.
 */
static int upload(int64_t *id, const char **before, json_t **answer)
{
    char path[WIRE_NAME_BYTES_MAX + 48];
    int status;

    snprintf(path, sizeof path, "/api/v1/bots/%s?%s%s", parcel.name, to.checks ? "check=1&" : "",
             to.reference ? "reference=1" : "");
    status = remote_ask(path, parcel.bytes, parcel.size, true);
    if (status != COMMAND_DONE)
        return status;
    if (remote_answer.status != 200 && remote_answer.status != 201)
        return remote_refused();
    *answer = remote_json();
    *id = json_integer_value(json_object_get(*answer, "submission"));
    if (remote_answer.status == 200)
        *before = state_of(*answer) == STORE_REFUSED
                      ? ", which was refused; change the bot before you submit it again"
                      : ", as before (the same files)";
    return *id ? COMMAND_DONE
               : command_fail("%s does not answer like an arena: check the address", remote_url);
}

static int deliver(void)
{
    json_t *answer = NULL;
    int64_t id;
    int status = find_same(&id);
    const char *before = id ? ", as before (the same files)" : "";

    if (status == COMMAND_DONE && !id)
        status = upload(&id, &before, &answer);
    if (status == COMMAND_DONE && !options_json)
        plain_text_printf(stdout, "%s is submission %lld%s: %.*s/api/v1/submissions/%lld\n",
                          parcel.name, (long long)id, before, client_url_length(remote_url),
                          remote_url, (long long)id);
    if (status == COMMAND_DONE && !options_json)
        remote_print_quota(answer, STORE_QUOTA_PACKAGES);
    json_decref(answer);
    if (status != COMMAND_DONE)
        return status;
    if (options_json && !to.waits)
        return command_print_json(json_pack("{s:I}", "submission", (json_int_t)id));
    fflush(stdout);
    return to.waits ? wait_for_end(id) : COMMAND_DONE;
}

static int submit_to(void)
{
    int status = remote_open();

    status = status ?: pack(to.path) ?: deliver();
    remote_close();
    parcel_finish();
    return status;
}

/* ---- submit ---- */

static struct submission submitted; /* reference: --reference, or a bundled bot by its name */
static bool is_ranked;              /* --ranked */
static struct play_options play = PLAY_OPTIONS_FROZEN;
static bool queues;

/* Prints a step that failed, or has a warning. (`arena check` prints the other steps, too.) */
static void print_notable_step(void *owner, const struct check *check, enum check_step step)
{
    const struct check_entry *entry = &check->entries[step];

    if (entry->result == CHECK_FAILED || strncmp(entry->words, "warning: ", 9) == 0)
        report_check_step(stdout, check, step, NULL);
}

/* Tells the organizer who submitted the same files before this bot. */
static int tell_same(struct store *store, const struct store_bot *bot)
{
    char when[COLUMNS_TEXT_BYTES];
    struct store_bot first;
    int error = store_bot_find_same(store, bot, &first);

    if (error)
        return error == -ENOENT ? 0 : error;
    column_write_moment(first.submitted_us, when);
    plain_text_printf(stdout, "%s %s has the same files as %s %s by %s, submitted first, %s\n",
                      bot->name, bot->version, first.name, first.version, first.author, when);
    return 0;
}

static int tell_admitted(const struct submission *submission)
{
    const struct store_bot *bot = &submission->bot;

    if (submission->check.shortened_turn_ms > 0)
        plain_text_printf(stdout,
                          "%s thinks slowly: to keep the bot's thinking below %d s, the check "
                          "shortened the clock to %d ms a turn at the end\n",
                          bot->name, CHECK_THINKING_S, (int)submission->check.shortened_turn_ms);
    plain_text_printf(stdout, "%s %s is admitted%s%s%s: package %.12s\n", bot->name, bot->version,
                      bot->reference ? " as a reference bot, without a rank" : "",
                      bot->previous_id ? ", in place of its previous version" : "",
                      bot->taken_over ? ", taken over from another author" : "", bot->sha256);
    if (*submission->fits)
        plain_text_printf(stdout, "the bot %s\n", submission->fits);
    if (*submission->waits)
        plain_text_printf(stdout,
                          "the bot waits for games: %s: `arena season extend` adds games and moves "
                          "a deadline, `arena season roster` changes a season's list of bots\n",
                          submission->waits);
    return store_option_status(submission->store, tell_same(submission->store, bot));
}

static int tell(const struct submission *submission, enum submission_result result,
                const char *printed)
{
    switch (result) {
    case SUBMISSION_DONE:
        return tell_admitted(submission);
    case SUBMISSION_REFUSED:
        command_refuse("%s", submission->error);
        bot_argument_print_build(stderr, printed);
        return COMMAND_USAGE;
    case SUBMISSION_FAILED:
        return command_fail("%s", submission->error);
    case SUBMISSION_UNFIT:
        if (*submission->check.too_slow)
            return command_fail("%s is not admitted: %s", submission->path,
                                submission->check.too_slow);
        return command_fail("%s is not admitted: `arena check %s` shows why", submission->path,
                            submission->path);
    case SUBMISSION_STARVED:
        return command_fail("%s is neither admitted nor refused: %s: submit it again when the "
                            "machine is quiet, or with --queue: a daemon then waits for that",
                            submission->path, submission->error);
    case SUBMISSION_UNCHECKED:
        return command_check_failed(&submission->check);
    case SUBMISSION_UNKEPT:
        return store_option_status(submission->store, submission->store_error);
    }
    return COMMAND_FAILED;
}

/* Sets the fields of a submission that say how its bot is built and checked. */
static void prepare(struct submission *submission, struct source_options *options,
                    const struct bot_room *room, char **printed)
{
    bot_argument_options(options, &play, room->sandbox, printed);
    /* The store keeps this build for ever: so none is taken from the cache. Nor is one left there,
       where it would outlive an author who is erased. */
    options->cache = NULL;
    submission->sandbox = room->sandbox;
    submission->stage = room->stage->path;
    submission->options = options;
    submission->rules = play.rules;
    submission->clock = play.clock;
}

static int take_in(const struct bot_room *room)
{
    struct source_options options;
    char *printed = NULL;
    enum submission_result result;
    int status;

    prepare(&submitted, &options, room, &printed);
    submitted.now_us = clock_time_us();
    submitted.step_fn = print_notable_step;
    result = submission_run(&submitted); /* sets printed */
    status = tell(&submitted, result, printed);
    submission_finish(&submitted);
    free(printed);
    return status;
}

static int submit(const char *path)
{
    struct bot_room room = {.sandbox = NULL};
    struct stat folder;
    int status;

    if (stat(path, &folder) < 0 && errno == ENOENT)
        return bot_argument_refuse_missing(path, ": name a bot's folder");
    if (stat(path, &folder) < 0)
        return command_refuse_errno(errno, "%s: %s: name a bot's folder", path, strerror(errno));
    if (!S_ISDIR(folder.st_mode))
        return command_refuse("%s: is not a folder: submit a bot as a folder with a bot.json in it",
                              path);
    status = bot_room_open(&room, &play) ?: store_option_open(STORE_CREATE, &submitted.store);
    if (status == COMMAND_DONE) {
        status = take_in(&room);
        store_close(submitted.store);
    }
    bot_room_close(&room);
    return status;
}

/* Queues a folder without building it, and prints the number of the submission. */
static int submit_to_queue(const char *path)
{
    struct store_submission submission = {.takes_over = submitted.take_over,
                                          .reference = submitted.reference,
                                          .received_us = clock_time_us()};
    char error[SOURCE_ERROR_BYTES];
    struct store *store;
    int result;
    int status = store_option_open(STORE_CREATE, &store);

    if (status != COMMAND_DONE)
        return status;
    result = queue_submission(store, path, NULL, &submission, error);
    store_close(store);
    if (result < 0)
        return bot_argument_refuse(result, error);
    if (options_json)
        return command_print_json(json_pack("{s:I}", "submission", (json_int_t)submission.id));
    plain_text_printf(
        stdout, "%s %s is submission %lld: `arena submissions %lld` shows its outcome\n",
        submission.name, submission.version, (long long)submission.id, (long long)submission.id);
    return COMMAND_DONE;
}

static const struct option submit_options[] = {
    {"take-over", NULL,
     "take the bot's name over from another author: for organizers; the store records who did",
     .flag = &submitted.take_over},
    {"reference", NULL,
     "let the bot play so that others can be compared with it: a reference bot holds no rank; so "
     "does a bundled bot that is submitted by its name",
     .flag = &submitted.reference, .excludes = "ranked"},
    {"ranked", NULL, "let a bundled bot that is submitted by its name hold a rank",
     .flag = &is_ranked},
    {"check-games", "N", "play at most N whole games in the check (9)",
     .count = &submitted.check_games, .minimum = 1, .maximum = CHECK_GAMES, .excludes = "queue"},
    {"queue", NULL,
     "queue the bot and return at once: a running `arena serve` checks and admits the bot, and "
     "`arena submissions` shows the outcome",
     .flag = &queues},
    REMOTE_OPTIONS("send the bot to an arena on another machine, by https unless URL says http "
                   "(docs/api.md)",
                   "queue take-over check-games"),
    {"wait", NULL, "with --to: wait until the submission ends, and print the report",
     .flag = &to.waits, .needs = "to"},
    {"check", NULL, "with --to: have the bot built and checked there, and admit nothing",
     .flag = &to.checks, .needs = "to"},
    {"json", NULL,
     "with --queue or --to: print {\"submission\": N}, or with --wait the whole submission",
     .flag = &options_json},
    {.help = "how the bot is built and checked"},
    PLAY_OPTION_MEMORY(&play),
    PLAY_OPTION_BUILD_SPACE(&play),
    PLAY_OPTION_REQUIRE(&play),
    PLAY_OPTION_NET(&play),
    STORE_OPTIONS};

static int run_submit(int argc, char **argv)
{
    char *path = bot_argument_path(argv[0]);
    int status;

    if (!path)
        return COMMAND_FAILED;
    submitted.path = to.path = path;
    /* A bundled bot that was named by its folder has the path that it was given. */
    if (strcmp(path, argv[0]) != 0 && !is_ranked)
        submitted.reference = true;
    to.reference = submitted.reference && !to.checks;
    if (options_json && !queues && !remote_url)
        status = command_refuse("submit: --json needs --queue or --to");
    else
        status = remote_url ? submit_to() : queues ? submit_to_queue(path) : submit(path);
    free(path);
    return status;
}

const struct command_line command_submit = {
    .name = "submit",
    .usage = "DIR [OPTION ...]\n--queue DIR [--take-over] [--reference] [--json]\n"
             "--to URL [--token-file FILE] [--reference] [--check] [--wait] [--json] DIR",
    .about = "Submits the bot in DIR, a folder with a bot.json, or the bundled bot of that "
             "name: checks its manifest, builds it in the sandbox, checks that it plays "
             "(`arena check`), and stores it for ever. A bot that fails is not stored. A name "
             "belongs to the author who first submitted it.",
    .options = submit_options,
    .least = 1,
    .arguments = "name one folder",
    .run_fn = run_submit};

/* ---- submissions ---- */

static const char *wanted_author; /* --author */

struct listing {
    struct store *store;
    int64_t wanted;                        /* number of the submission to be shown; 0: all */
    char author[STORE_TEXT_BYTES_MAX + 1]; /* whose submissions are listed; "": all authors' */
    int status;
    int count;
};

static void print_time(const char *what, int64_t us)
{
    char text[COLUMNS_TEXT_BYTES];

    column_write_moment(us, text);
    if (*text)
        plain_text_printf(stdout, "  %-9s %s\n", what, text);
}

/* Prints a submission's report: why it was refused, and each step of its check. */
static void print_report(const char *text)
{
    json_t *report = json_loads(text, 0, NULL);
    const char *reason = json_string_value(json_object_get(report, "reason"));
    json_t *step;
    size_t index;

    for (const char *what = "reason"; reason && *reason; what = "") {
        size_t size = strcspn(reason, "\n");

        plain_text_printf(stdout, "  %-9s ", what);
        plain_text_print_lines(stdout, reason, size);
        reason += size + (reason[size] == '\n');
    }
    json_array_foreach(json_object_get(report, "steps"), index, step)
    {
        const char *why = json_string_value(json_object_get(step, "reason"));

        plain_text_printf(
            stdout, "  %-4s  %s%s%s\n", json_string_value(json_object_get(step, "result")),
            json_string_value(json_object_get(step, "name")), why ? ": " : "", why ? why : "");
    }
    json_decref(report);
}

/* Prints the seasons of an admitted bot, unless it is banned, and who had the same files first. */
static int print_bot(struct store *store, const struct store_submission *submission,
                     const json_t *entrances)
{
    struct store_bot bot;
    int error = store_bot_find(store, submission->name, submission->version, &bot);
    json_t *report;

    if (error)
        return error;
    if (bot.banned_us) {
        print_time("banned", bot.banned_us);
    } else {
        report = json_loads(submission->report, 0, NULL);
        print_entrances(entrances, report, NULL);
        json_decref(report);
    }
    return tell_same(store, &bot);
}

static int print_text(struct store *store, const struct store_submission *submission,
                      const json_t *entrances, bool whole)
{
    const bool tells_why = submission->state == STORE_WAITING || submission->state == STORE_REFUSED;
    json_t *report =
        tells_why && submission->report && !whole ? json_loads(submission->report, 0, NULL) : NULL;
    const char *reason = json_string_value(json_object_get(report, "reason"));

    plain_text_printf(stdout, "%4lld  %-8s  %-24s %-12s %s\n", (long long)submission->id,
                      store_submission_states[submission->state], submission->name,
                      submission->version, submission->author);
    if (reason) /* of one that waits, with the time of the next attempt */
        plain_text_printf(stdout, "      %.*s\n", (int)strcspn(reason, "\n"), reason);
    json_decref(report);
    if (!whole)
        return 0;
    plain_text_printf(stdout, "  package   %s\n", submission->sha256);
    print_time("received", submission->received_us);
    print_time("building", submission->building_us);
    print_time("checking", submission->checking_us);
    print_time("ended", submission->ended_us);
    print_time("again", submission->retry_us);
    if (submission->report)
        print_report(submission->report);
    return submission->bot_id ? print_bot(store, submission, entrances) : 0;
}

static int list_submission(void *context, const struct store_submission *submission)
{
    struct listing *listing = context;
    json_t *entrances = NULL;
    int error = 0;

    if ((listing->wanted && listing->wanted != submission->id) ||
        (*listing->author && strcmp(listing->author, submission->author) != 0))
        return 0;
    listing->count++;
    if (listing->wanted)
        error = report_entrances_read(listing->store, submission->bot_id, &entrances);
    if (error)
        listing->status = store_option_status(listing->store, error);
    else if (options_json)
        listing->status = command_print_json(
            report_submission_json(submission, 0, 0, entrances, READER_ORGANIZER));
    else
        listing->status =
            store_option_status(listing->store, print_text(listing->store, submission, entrances,
                                                           listing->wanted != 0));
    json_decref(entrances);
    return listing->status != COMMAND_DONE;
}

/* submissions retry N, submissions cancel N */
static int change(struct store_call *call)
{
    bool needs_upload;
    int64_t id;
    int error;

    if (call->argc != 2 || !options_number(call->argv[1], 1, INT64_MAX, &id))
        return command_refuse("submissions: %s needs the number of one submission: `arena "
                              "submissions` lists them",
                              call->argv[0]);
    if (strcmp(call->argv[0], "cancel") == 0) {
        error = store_submission_cancel(call->store, id, false, clock_time_us());
        if (!error)
            plain_text_printf(stdout, "submission %lld is cancelled, and its author is told\n",
                              (long long)id);
        return error;
    }
    error = store_submission_retry(call->store, id, &needs_upload);
    if (error)
        return error;
    plain_text_printf(stdout,
                      needs_upload
                          ? "submission %lld: the store no longer has its package; its author may "
                            "now submit the same package again\n"
                          : "submission %lld is in the queue again\n",
                      (long long)id);
    return COMMAND_DONE;
}

static int list(struct store_call *call)
{
    struct listing listing = {.store = call->store, .status = COMMAND_DONE};
    int error;

    if (call->argc == 2)
        return command_refuse(
            "submissions: '%s' is neither 'retry' nor 'cancel' nor a number of a submission",
            call->argv[0]);
    if (call->argc == 1 && !options_number(call->argv[0], 1, INT64_MAX, &listing.wanted))
        return command_refuse("submissions: '%s' is not the number of a submission: `arena "
                              "submissions` lists them",
                              call->argv[0]);
    if (wanted_author) {
        struct store_author author;

        error = store_author_find(call->store, wanted_author, &author);
        if (error && error != -ENOENT)
            return error;
        snprintf(listing.author, sizeof listing.author, "%s", error ? wanted_author : author.name);
    }
    error = store_submissions_each(call->store, list_submission, &listing);
    if (error && error != -EINTR)
        return error;
    if (listing.wanted && listing.count == 0)
        return command_refuse(
            "there is no submission %lld: `arena submissions` lists the submissions",
            (long long)listing.wanted);
    if (listing.count == 0 && *listing.author && !options_json)
        plain_text_printf(stdout, "no submissions of %s\n", listing.author);
    else if (listing.count == 0 && !options_json)
        puts("no submissions yet: `arena submit --queue DIR` makes one");
    return listing.status;
}

static const struct option submissions_options[] = {
    {"author", "NAME", "list the submissions of this author alone", .text = &wanted_author},
    OPTION_JSON("one JSON object per line"),
    STORE_OPTIONS};

static int run_submissions(int argc, char **argv)
{
    const bool changes =
        argc > 0 && (strcmp(argv[0], "retry") == 0 || strcmp(argv[0], "cancel") == 0);

    return store_command(&command_submissions, changes ? STORE_WRITE : STORE_READ,
                         changes ? change : list, argc, argv);
}

const struct command_line command_submissions = {
    .name = "submissions",
    .is_remote = true,
    .usage = "[N] [--author NAME] [--json]\nretry N\ncancel N",
    .about = "Lists uploads and submissions of `arena submit --queue` in order of arrival, and why "
             "they were refused or wait; with a number, shows one of them with its whole report. "
             "`retry N` lets the daemon judge a "
             "submission again that was refused, or that waits: at once, and in its old place. "
             "`cancel N` ends one that waits, is built or is checked.",
    .options = submissions_options,
    .most = 2,
    .arguments = "name one submission by its number",
    .run_fn = run_submissions};

/* ---- admit ---- */

static struct queue_admission admission = {.bounds = QUEUE_BOUNDS_DEFAULT};

static int admit_in(const struct bot_room *room)
{
    struct submission *submission = &admission.submission;
    struct source_options options;
    char *printed = NULL;
    enum queue_result result;

    prepare(submission, &options, room, &printed);
    options.build_time_ms = admission.bounds.build_seconds * 1000;
    options.progress_fn = NULL; /* the daemon reads what this process prints */
    admission.printed = &printed;
    admission.now_fn = clock_time_us;
    result = queue_admit(&admission);
    submission_finish(submission);
    free(printed);
    if (result == QUEUE_FAILED)
        return command_fail("%s", admission.words);
    if (result == QUEUE_UNKNOWN)
        return command_refuse("%s", admission.words);
    if (*admission.words)
        plain_text_printf(stdout, "%s\n", admission.words);
    return COMMAND_DONE;
}

static int admit(struct store_call *call)
{
    struct bot_room room = {.sandbox = NULL};
    int status;

    if (!options_number(call->argv[0], 1, INT64_MAX, &admission.id))
        return command_refuse("admit: only the daemon runs this command");
    command_yield_memory(); /* before the sandbox makes this process non-dumpable */
    admission.submission.store = call->store;
    status = bot_room_open(&room, &play) ?: admit_in(&room);
    bot_room_close(&room);
    return status;
}

static const struct option admit_options[] = {ADMIT_OPTIONS(&admission.bounds), STORE_OPTIONS};

const struct command_line command_admit = {
    .name = "admit",
    .usage = "[OPTION ...] SUBMISSION",
    .about = "Builds, checks and admits or refuses one submission: for `arena serve` only.",
    .options = admit_options,
    .least = 1,
    .arguments = "only the daemon runs this command",
    .store_fn = admit,
    .mode = STORE_WRITE};
