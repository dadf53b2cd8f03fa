/* SPDX-License-Identifier: MIT */
#include "arena/intake/submission.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "arena/base/clock.h"
#include "arena/base/memory.h"
#include "arena/base/tree.h"
#include "arena/season/season.h"
#include "arena/season/seed.h"
#include "arena/store/archive.h"

/* Writes why the submission ends. The value of the macro is `result`. */
#define END(submission, result, ...)                                                               \
    (snprintf((submission)->error, sizeof(submission)->error, __VA_ARGS__), result)

static int end_by_store(struct submission *submission, int error)
{
    submission->store_error = error;
    return error ? SUBMISSION_UNKEPT : 0;
}

/* Converts a package_result to a submission_result. The error line is already written. */
static int result_of(int package_result)
{
    if (package_result == 0)
        return 0;
    return package_result == PACKAGE_STARVED  ? SUBMISSION_STARVED
           : package_result == PACKAGE_FAILED ? SUBMISSION_FAILED
                                              : SUBMISSION_REFUSED;
}

/*
 * Refuses a bot of several processes if a game of two such bots does not fit beside the arena. The
 * first game begins even if it does not fit, and the kernel would kill an honest opponent, again
 * and again, until the season stops, or refuse it a thread.
 */
static int check_room(struct submission *submission, const struct manifest *manifest)
{
    const struct sandbox_limits limits = {.memory_bytes = submission->rules.memory_bytes,
                                          .process_count = manifest->process_count};
    const struct sandbox_share need = sandbox_need(submission->sandbox, &limits);
    const struct sandbox_share room = sandbox_room(submission->sandbox);
    const bool has_memory = 2 * need.memory_bytes <= room.memory_bytes;

    if (manifest->process_count == 1 || (has_memory && 2 * need.task_count <= room.task_count))
        return 0;
    return END(submission, SUBMISSION_REFUSED,
               "%s/bot.json: with \"processes\": %d a game of two such bots may take %lld %s, and "
               "%lld are left for bots: let the bot run as fewer processes",
               submission->path, manifest->process_count,
               2 * (long long)(has_memory ? need.task_count : need.memory_bytes >> 20),
               has_memory ? "processes and threads" : "MiB",
               (long long)(has_memory ? room.task_count : room.memory_bytes >> 20));
}

/* Fills in the bot from its manifest, and checks the texts that a ladder shows. */
static int fill_bot(struct submission *submission, const struct manifest *manifest)
{
    struct store_bot *bot = &submission->bot;
    char fault[MANIFEST_ERROR_BYTES];

    if (!check_manifest(manifest, fault))
        return END(submission, SUBMISSION_REFUSED, "%s/bot.json: %s", submission->path, fault);
    snprintf(bot->name, sizeof bot->name, "%.*s", STORE_NAME_BYTES_MAX, manifest->name);
    snprintf(bot->version, sizeof bot->version, "%s", manifest->version);
    snprintf(bot->author, sizeof bot->author, "%s",
             submission->author ? submission->author : manifest->author);
    snprintf(bot->language, sizeof bot->language, "%s", manifest->language);
    bot->taken_over = submission->take_over;
    bot->reference = submission->reference;
    return check_room(submission, manifest);
}

/*
 * Checks that the store would accept the bot's name and version, before the copy and the build,
 * which may take minutes.
 */
static int ask_store(struct submission *submission)
{
    struct manifest manifest;
    int result = result_of(source_read_manifest(&manifest, submission->path, submission->path, NULL,
                                                submission->error));
    int error;

    if (result < 0)
        return result;
    result = fill_bot(submission, &manifest);
    manifest_finish(&manifest);
    if (result < 0)
        return result;
    error = store_bot_check(submission->store, &submission->bot);
    if (error == -EEXIST && submission->only_checks) /* the version may have been admitted */
        error = 0;
    return end_by_store(submission, error);
}

/*
 * Copies and builds the bot. Then reads the manifest of the copy, in case the author has changed
 * the original.
 */
static int build(struct submission *submission)
{
    int result = result_of(source_open(&submission->source, submission->path, submission->stage, 0,
                                       submission->options, submission->error));

    if (result == 0)
        result = fill_bot(submission, &submission->source.manifest);
    if (result < 0)
        return result;
    memcpy(submission->bot.sha256, submission->source.sha256, sizeof submission->bot.sha256);
    submission->bot.manifest = submission->source.manifest_text;
    submission->bot.submitted_us = submission->now_us;
    return 0;
}

/* The open seasons that a bot would enter if it were admitted. */
struct open_seasons {
    int64_t now_us;
    struct store_season *seasons;
    size_t count;
    const char *bot;
    char missed[SUBMISSION_WAITS_BYTES];  /* why the bot does not enter a season, or "" */
    char late[STORE_NAME_BYTES_MAX + 1];  /* a season whose deadline is past, or "" */
    char older[STORE_TEXT_BYTES_MAX + 1]; /* the version that plays on there, or "" */
    int name_count;  /* on the roster of the season being read; 0: every bot may play */
    bool is_on_list; /* the bot's name is on the roster of the season being read */
};

static int add_season(void *context, const struct store_season *season)
{
    struct open_seasons *open = context;

    if (season->closing_us || season->closed_us || season->is_practice)
        return 0;
    if (ARRAY_GROW(open->seasons, open->count, 1) < 0)
        return -ENOMEM;
    open->seasons[open->count++] = *season;
    return 0;
}

static int see_name(void *context, const char *name)
{
    struct open_seasons *open = context;

    open->name_count++;
    open->is_on_list |= strcmp(name, open->bot) == 0;
    return 0;
}

/* Notes the version of the bot that was there at a season's deadline, and plays on. */
static int see_older(void *context, const struct store_bot *bot)
{
    struct open_seasons *open = context;

    if (strcmp(bot->name, open->bot) == 0 && bot->newest && !bot->retired_us && !bot->banned_us)
        snprintf(open->older, sizeof open->older, "%s", bot->version);
    return 0;
}

/* Writes that the deadline of a season is past, and which version plays on there. */
static int miss_deadline(struct store *store, const struct store_season *season,
                         struct open_seasons *open)
{
    int error;

    *open->older = '\0';
    error = store_bots_of_season(store, season->id, see_older, open);
    snprintf(open->late, sizeof open->late, "%s", season->name);
    snprintf(open->missed, sizeof open->missed, "the deadline of season %s is past%s%s%s",
             season->name, *open->older ? ": version " : "", open->older,
             *open->older ? " plays on there" : "");
    return error;
}

/* A league of which a division does not list the bot. */
struct next_round {
    int64_t league_id;
    char *words; /* of SUBMISSION_WAITS_BYTES */
};

static int see_league(void *context, const struct store_league *league)
{
    const struct next_round *next = context;
    const char *comma = strrchr(league->divisions, ',');

    if (league->id == next->league_id)
        snprintf(next->words, SUBMISSION_WAITS_BYTES,
                 "it begins in division %s in the next round of league %s",
                 comma ? comma + 1 : league->divisions, league->name);
    return 0;
}

/* Writes that the bot is not on the season's list, or where it begins in the season's league. */
static int miss_list(const struct submission *submission, const struct store_season *season,
                     struct open_seasons *open)
{
    if (*open->missed) /* the deadline of a season that the bot may enter tells it more */
        return 0;
    snprintf(open->missed, sizeof open->missed, "season %s takes only the bots on its list",
             season->name);
    return season->league_id && !submission->bot.reference
               ? store_leagues_each(submission->store, see_league,
                                    &(struct next_round){season->league_id, open->missed})
               : 0;
}

/* Reads the open seasons that the bot would enter, except practice seasons. Returns 0 or -errno. */
static int read_seasons(struct submission *submission, struct open_seasons *open)
{
    int error = store_seasons_each(submission->store, add_season, open);
    size_t kept = 0;

    for (size_t i = 0; i < open->count && !error; i++) {
        open->name_count = 0;
        open->is_on_list = false;
        error = store_roster_each(submission->store, open->seasons[i].id, see_name, open);
        if (error)
            break;
        if (open->name_count > 0 && !open->is_on_list)
            error = miss_list(submission, &open->seasons[i], open);
        else if (open->seasons[i].deadline_us && open->seasons[i].deadline_us < open->now_us)
            error = miss_deadline(submission->store, &open->seasons[i], open);
        else
            open->seasons[kept++] = open->seasons[i];
    }
    open->count = kept;
    return error;
}

/*
 * Finds out whether the bot will get games: not if it enters no open season, or if all its seasons
 * have spent their budgets.
 */
static int look_for_games(struct submission *submission, const struct open_seasons *open)
{
    if (open->count == 0)
        strcpy(submission->waits, open->missed);
    for (size_t i = 0; i < open->count; i++) {
        struct season season;
        int error = season_load(&season, submission->store, open->seasons[i].name);
        bool has_games = !error && (season.terms.games_a_day ||
                                    season.schedule.played_count < season_game_budget(&season));

        if (error)
            return error;
        season_finish(&season);
        submission->waits[0] = '\0';
        if (has_games)
            return 0;
        snprintf(submission->waits, sizeof submission->waits,
                 "season %s is open and has spent its budget", open->seasons[i].name);
    }
    return 0;
}

/* Lists the clocks of the seasons, each once, the tightest first. Returns how many there are. */
static int list_clocks(const struct open_seasons *open,
                       struct wire_clock clocks[static SUBMISSION_CLOCKS_MAX])
{
    int count = 0;

    for (size_t i = 0; i < open->count; i++) {
        const struct wire_clock *clock = &open->seasons[i].clock;
        int place = 0;

        while (place < count && store_clock_is_tighter(&clocks[place], clock))
            place++;
        if (place < count && !store_clock_is_tighter(clock, &clocks[place]))
            continue;
        /* The most generous clock is the last, and stays if there is no room for all. */
        if (place == SUBMISSION_CLOCKS_MAX)
            clocks[place - 1] = *clock;
        if (count == SUBMISSION_CLOCKS_MAX)
            continue;
        memmove(&clocks[place + 1], &clocks[place], (size_t)(count - place) * sizeof *clocks);
        clocks[place] = *clock;
        count++;
    }
    return count;
}

/* Writes which seasons the bot enters and which not, if it is too slow or too late for one. */
static void tell_fits(struct submission *submission, const struct open_seasons *open)
{
    char *lists[2] = {NULL, NULL}; /* seasons that the bot enters; seasons that are too fast */
    size_t sizes[2];
    FILE *streams[2] = {memory_stream(&lists[0], &sizes[0]), memory_stream(&lists[1], &sizes[1])};
    int counts[2] = {0, 0};

    for (size_t i = 0; i < open->count; i++) {
        const struct store_season *season = &open->seasons[i];
        const int list = store_bot_is_too_slow(&submission->bot, &season->clock);

        fprintf(streams[list], "%s%s (%lld ms a turn)", counts[list]++ ? ", " : "", season->name,
                (long long)season->clock.turn_ms);
    }
    for (int i = 0; i < 2; i++)
        memory_stream_end(streams[i]);
    if (counts[1])
        snprintf(submission->fits, sizeof submission->fits,
                 "enters %.400s; too slow for %.400s, which it does not enter", lists[0], lists[1]);
    if (open->count && *open->late)
        snprintf(submission->fits + strlen(submission->fits),
                 sizeof submission->fits - strlen(submission->fits),
                 "%sdoes not enter season %s, whose deadline is past%s%s%s",
                 *submission->fits ? "; " : "", open->late, *open->older ? ": version " : "",
                 open->older, *open->older ? " plays on there" : "");
    free(lists[0]);
    free(lists[1]);
}

/* True if the bot is not ready in time, so that it never has a turn. */
static bool starts_late(const struct check *check)
{
    const struct forfeit *forfeit = check->entries[CHECK_HELLO].forfeit;

    return forfeit && forfeit->reason == WIRE_START;
}

/* Says for which season the bot is too slow: the one with the most generous clock. */
static void tell_too_slow(struct check *check, const struct open_seasons *open, int clock_count)
{
    const struct store_season *season = open->seasons;

    for (size_t i = 1; i < open->count; i++)
        if (store_clock_is_tighter(&season->clock, &open->seasons[i].clock))
            season = &open->seasons[i];
    snprintf(check->too_slow, sizeof check->too_slow,
             "too slow for %sseason %s, which allows %lld ms %s",
             clock_count > 1 ? "every open season, even for " : "", season->name,
             (long long)(starts_late(check) ? season->clock.start_ms : season->clock.turn_ms),
             starts_late(check) ? "from its start to ready" : "a turn");
}

/*
 * Runs the check with the clocks of the open seasons, the tightest first, until the bot is fit or
 * unfit for another cause than its speed. Sets bot.too_fast to the last clock that was too fast.
 */
static int check_by_clocks(struct submission *submission, const struct open_seasons *open)
{
    struct check *check = &submission->check;
    struct wire_clock clocks[SUBMISSION_CLOCKS_MAX] = {submission->clock};
    const int count = open->count > 0 ? list_clocks(open, clocks) : 1;

    for (int i = 0; i < count; i++) {
        check_clear(check);
        check->clock = clocks[i];
        check->stops_late = i < count - 1;
        if (check_run(check) < 0)
            return SUBMISSION_UNCHECKED;
        if (check_is_undecided(check))
            return END(submission, SUBMISSION_STARVED,
                       "the machine was too busy to check the bot: other programs used the "
                       "processors");
        if (check_is_fit(check))
            return 0;
        if (!check_is_too_slow(check))
            return SUBMISSION_UNFIT;
        submission->bot.too_fast = clocks[i];
    }
    if (open->count > 0)
        tell_too_slow(check, open, count);
    return SUBMISSION_UNFIT;
}

/*
 * Checks the bot for the open seasons that it would enter, because a bot that is too slow for a
 * season forfeits its games there. It does not enter those that are too fast for it.
 */
static int check_for_seasons(struct submission *submission)
{
    struct open_seasons open = {.bot = submission->bot.name, .now_us = submission->now_us};
    int error = read_seasons(submission, &open), result = 0;
    size_t kept = 0;

    if (!error)
        result = check_by_clocks(submission, &open);
    if (!error && !result) {
        tell_fits(submission, &open);
        for (size_t i = 0; i < open.count; i++)
            if (!store_bot_is_too_slow(&submission->bot, &open.seasons[i].clock))
                open.seasons[kept++] = open.seasons[i];
        open.count = kept;
        error = look_for_games(submission, &open);
    }
    free(open.seasons);
    return error ? end_by_store(submission, error) : result;
}

static int64_t bytes_max(const struct submission *submission)
{
    return submission->built_bytes_max ? submission->built_bytes_max : SUBMISSION_BUILT_BYTES;
}

static int refuse_size(struct submission *submission)
{
    return END(
        submission, SUBMISSION_REFUSED,
        "%s: the files that the bot's build made have more than %lld MiB: name the files that "
        "the bot needs in bot.json, as in \"keep\": [\"target/release/bot\"]",
        submission->path, (long long)bytes_max(submission) >> 20);
}

/* Refuses files that cannot be kept before the check, which copies them for its games. */
static int measure(struct submission *submission)
{
    const struct tree_size enough = {.bytes = INT64_MAX, .inode_count = INT64_MAX};
    struct tree_size size;
    int result = tree_measure(submission->source.folder, &enough, &size, NULL, NULL);

    if (result < 0)
        return END(submission, SUBMISSION_FAILED, "%s: the bot's files cannot be measured: %s",
                   submission->path, strerror(-result));
    return size.file_bytes > bytes_max(submission) ? refuse_size(submission) : 0;
}

static int check(struct submission *submission)
{
    struct check *check = &submission->check;

    check->sandbox = submission->sandbox;
    check->source = &submission->source;
    check->rules = submission->rules;
    check->clock = submission->clock;
    check->game_limit = submission->check_games;
    check->thinking_us =
        (int64_t)(submission->check_thinking_s ? submission->check_thinking_s : CHECK_THINKING_S) *
        1000000;
    check->until_us = clock_now_us() + check->thinking_us + CHECK_WALL_S * INT64_C(1000000);
    check->step_fn = submission->step_fn;
    check->owner = submission->owner;
    check_enter(check, CHECK_MANIFEST, CHECK_PASSED, NULL);
    check_enter(check, CHECK_BUILD, CHECK_PASSED, NULL);
    snprintf(check->name, sizeof check->name, "%s", submission->bot.name);
    if (seed_draw(check->seed) < 0)
        return END(submission, SUBMISSION_FAILED, "the system provides no random bytes");
    if (submission->checking_fn)
        submission->checking_fn(submission->owner);
    return check_for_seasons(submission);
}

/* Packs the submitted folder. Refuses a folder whose files have changed since the build. */
static int pack_given(struct submission *submission)
{
    char hash[PACKAGE_HASH_CHARS + 1], error[PACKAGE_ERROR_BYTES], pack_error[ARCHIVE_ERROR_BYTES];
    char *copy = NULL;
    int result;

    if (asprintf(&copy, "%s/given", submission->stage) < 0)
        return END(submission, SUBMISSION_FAILED, "out of memory");
    result = package_copy(submission->path, copy, hash, error);
    if (result == 0 && strcmp(hash, submission->bot.sha256) != 0) {
        snprintf(error, sizeof error,
                 "the package changed while the arena read it: submit the package again");
        result = PACKAGE_REFUSED;
    }
    if (result == 0)
        result = package_hash_content(copy, submission->bot.content_sha256, error);
    if (result < 0)
        result = END(submission, result_of(result), "%s: %s", submission->path, error);
    else if (archive_pack(copy, SIZE_MAX, &submission->given, &submission->given_size, pack_error) <
             0)
        result = END(submission, SUBMISSION_FAILED, "%s", pack_error);
    tree_remove(copy);
    free(copy);
    return result;
}

static int pack(struct submission *submission)
{
    char error[PACKAGE_ERROR_BYTES], pack_error[ARCHIVE_ERROR_BYTES];
    const char *folder = submission->source.folder;
    int result = package_copy(folder, NULL, submission->bot.built_sha256, error);

    if (result < 0)
        return END(submission, result_of(result),
                   "%s: the files that the bot's build made cannot be kept: %s", submission->path,
                   error);
    result = archive_pack(folder, (size_t)bytes_max(submission), &submission->built,
                          &submission->built_size, pack_error);
    if (result == ARCHIVE_TOO_LARGE)
        return refuse_size(submission);
    /* The files were readable when they were hashed, so a failure is the arena's fault. */
    if (result < 0)
        return END(submission, SUBMISSION_FAILED,
                   "%s: the files that the bot's build made cannot be kept: %s", submission->path,
                   pack_error);
    if (strcmp(submission->bot.sha256, submission->bot.built_sha256) != 0)
        return pack_given(submission);
    result = package_hash_content(folder, submission->bot.content_sha256, error);
    return result < 0 ? END(submission, result_of(result), "%s: %s", submission->path, error) : 0;
}

static int keep(struct submission *submission)
{
    const struct store_package built = {submission->built, submission->built_size};
    const struct store_package given = {submission->given, submission->given_size};
    int error = store_begin_slow(submission->store);

    if (!error) {
        error = store_bot_add(submission->store, &submission->bot,
                              submission->given ? given : built, built);
        if (!error && submission->kept_fn)
            error = submission->kept_fn(submission->owner, submission);
        error = store_end(submission->store, error);
    }
    return end_by_store(submission, error);
}

enum submission_result submission_run(struct submission *submission)
{
    return (enum submission_result)(ask_store(submission)
                                        ?: build(submission)
                                        ?: measure(submission)
                                        ?: check(submission)
                                        ?: pack(submission)
                                        ?: submission->only_checks ? 0 : keep(submission));
}

void submission_finish(struct submission *submission)
{
    check_finish(&submission->check);
    source_close(&submission->source);
    free(submission->given);
    free(submission->built);
    submission->given = submission->built = NULL;
}
