/* SPDX-License-Identifier: MIT */
/*
 * Challenges (store/challenges.h): `arena challenge` asks for unrated games and shows them, for an
 * author on another machine (--to), or for the organizer at the store; a daemon runs `arena
 * contest` for each challenge.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/base/clock.h"
#include "arena/base/place.h"
#include "arena/base/plain_text.h"
#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/commands/remote.h"
#include "arena/replay/replay.h"
#include "arena/report/challenge.h"
#include "arena/season/seed.h"
#include "arena/season/staging.h"

enum {
    ATTEMPTS_MAX = 3, /* of daemons to play the next game of a challenge */
    LOOK_S = 30,      /* for which the server keeps a question for the challenge's state */
    PATH_BYTES = 256,
};

/* ---- arena challenge: what is shown ---- */

static int game_count = 4;
static const char *replays, *allows;
static bool waits;
static struct store *home_store; /* NULL: the arena is on another machine */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static int64_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* Sends a request of an author to the other arena. */
static int ask(const char *path, bool posts, json_t **answer)
{
    int status = remote_ask(path, posts ? "" : NULL, 0, !posts);

    *answer = NULL;
    if (status != COMMAND_DONE)
        return status;
    if (remote_answer.status != 200)
        return remote_refused();
    *answer = remote_json();
    return *answer
               ? COMMAND_DONE
               : command_fail("%s does not answer like an arena: check the address", remote_url);
}

/* Reads the replay of a game. The caller frees *bytes. */
static int read_replay(int64_t id, size_t number, uint8_t **bytes, size_t *size)
{
    char path[PATH_BYTES];
    int status;

    if (home_store)
        return store_option_status(home_store,
                                   store_bout_read(home_store, id, (int64_t)number, bytes, size));
    snprintf(path, sizeof path, "/api/v1/challenges/%lld/games/%zu/replay", (long long)id, number);
    status = remote_ask(path, NULL, 0, true);
    if (status != COMMAND_DONE)
        return status;
    if (remote_answer.status != 200)
        return remote_refused();
    *bytes = (uint8_t *)remote_answer.body;
    *size = remote_answer.size;
    remote_answer.body = NULL;
    return COMMAND_DONE;
}

/* Stores the replay of a game in the folder of --replays. */
static int keep_replay(int64_t id, size_t number, const char *match)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    char *file;
    int error, status = read_replay(id, number, &bytes, &size);

    if (status != COMMAND_DONE)
        return status;
    /* The name comes from a server that is not trusted. */
    file = strchr(match, '/') ? NULL : replay_file_path(replays, match);
    error = file ? place_write_over(file, bytes, size, NULL) : -EINVAL;
    if (error)
        status = command_fail("%s: %s%s", file ? file : match, strerror(-error), place_cure(error));
    free(file);
    free(bytes);
    return status;
}

static int keep_replays(const json_t *challenge)
{
    const json_t *bouts = json_object_get(challenge, "bouts");
    int status = COMMAND_DONE;

    if (mkdir(replays, 0777) < 0 && errno != EEXIST)
        return command_fail("--replays %s: %s", replays, strerror(errno));
    for (size_t i = 0; i < json_array_size(bouts) && status == COMMAND_DONE; i++)
        status = keep_replay(number_of(challenge, "challenge"), i,
                             text_of(json_array_get(bouts, i), "match"));
    return status;
}

/* Prints the result of a game, and with --to the address of its page. */
static void print_bout(const json_t *bout)
{
    const json_t *names = json_object_get(bout, "bots"), *scores = json_object_get(bout, "scores");
    const json_t *ranks = json_object_get(bout, "ranks"),
                 *reasons = json_object_get(bout, "reason");

    plain_text_printf(stdout, "%s", text_of(bout, "match"));
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *reason = json_string_value(json_array_get(reasons, i));
        const char *name = json_string_value(json_array_get(names, i));
        const bool is_out = reason && strcmp(reason, wire_reason_name(WIRE_PLAYED)) != 0;

        plain_text_printf(stdout, "  %lld. %s %lld%s%s%s",
                          (long long)json_integer_value(json_array_get(ranks, i)),
                          name ? name : "?",
                          (long long)json_integer_value(json_array_get(scores, i)),
                          is_out ? " (" : "", is_out ? reason : "", is_out ? ")" : "");
    }
    if (remote_url)
        plain_text_printf(stdout, "  %.*s%s", client_url_length(remote_url), remote_url,
                          text_of(bout, "page"));
    putchar('\n');
}

/* Prints the results of all games; the bot has seat `number % 2` in game `number`. */
static void print_sum(const json_t *challenge)
{
    const json_t *bouts = json_object_get(challenge, "bouts");
    const size_t count = json_array_size(bouts);
    int64_t won = 0, lost = 0, own = 0, other = 0;

    for (size_t i = 0; i < count; i++) {
        const json_t *ranks = json_object_get(json_array_get(bouts, i), "ranks");
        const json_t *scores = json_object_get(json_array_get(bouts, i), "scores");

        won += json_integer_value(json_array_get(ranks, 1 - i % 2)) > 1;
        lost += json_integer_value(json_array_get(ranks, i % 2)) > 1;
        own += json_integer_value(json_array_get(scores, i % 2));
        other += json_integer_value(json_array_get(scores, 1 - i % 2));
    }
    plain_text_printf(stdout, "%s: %lld won, %lld tied, %lld lost; mean score %.1f to %.1f\n",
                      text_of(challenge, "bot"), (long long)won,
                      (long long)((int64_t)count - won - lost), (long long)lost,
                      (double)own / (double)count, (double)other / (double)count);
}

static void print_line(const json_t *challenge)
{
    const char *failure = text_of(challenge, "failure");

    plain_text_printf(stdout, "challenge %lld  %s %s against %s %s  %s, %lld of %lld played%s%s\n",
                      (long long)number_of(challenge, "challenge"), text_of(challenge, "bot"),
                      text_of(challenge, "version"), text_of(challenge, "opponent"),
                      text_of(challenge, "opponent_version"), text_of(challenge, "state"),
                      (long long)number_of(challenge, "finished"),
                      (long long)number_of(challenge, "wanted"), *failure ? ": " : "", failure);
}

/* Prints a challenge, and stores its replays. Releases the reference. */
static int show(json_t *challenge)
{
    const json_t *bouts = json_object_get(challenge, "bouts");
    int status = COMMAND_DONE;

    if (options_json) {
        command_print_json(json_incref(challenge));
    } else {
        print_line(challenge);
        for (size_t i = 0; i < json_array_size(bouts); i++)
            print_bout(json_array_get(bouts, i));
        if (json_array_size(bouts) > 0)
            print_sum(challenge);
    }
    if (replays)
        status = keep_replays(challenge);
    json_decref(challenge);
    return status;
}

static int show_listed(json_t *challenge)
{
    if (options_json)
        return command_print_json(json_incref(challenge));
    print_line(challenge);
    return COMMAND_DONE;
}

/* ---- arena challenge --to ---- */

/* Shows a challenge; with --wait, once it has ended. */
static int show_remote(int64_t id)
{
    json_t *challenge = NULL;
    char path[PATH_BYTES];
    int status;

    snprintf(path, sizeof path, "/api/v1/challenges/%lld%s", (long long)id, waits ? "?wait=" : "");
    if (waits)
        snprintf(path + strlen(path), 8, "%d", LOOK_S);
    do {
        json_decref(challenge);
        status = ask(path, false, &challenge);
    } while (status == COMMAND_DONE && waits &&
             strcmp(text_of(challenge, "state"), store_challenge_states[STORE_CHALLENGE_WAITING]) ==
                 0);
    return status == COMMAND_DONE ? show(challenge) : status;
}

static int list_remote(void)
{
    json_t *answer, *challenge;
    int status = ask("/api/v1/challenges", false, &answer);
    size_t i;

    json_array_foreach(json_object_get(answer, "challenges"), i, challenge) show_listed(challenge);
    json_decref(answer);
    return status;
}

static int add_remote(const char *bot, const char *opponent)
{
    char path[PATH_BYTES];
    json_t *challenge;
    int64_t id;
    int status;

    snprintf(path, sizeof path, "/api/v1/challenges?bot=%s&opponent=%s&games=%d", bot, opponent,
             game_count);
    status = ask(path, true, &challenge);
    if (status == COMMAND_DONE && !options_json)
        remote_print_quota(challenge, STORE_QUOTA_GAMES);
    if (status != COMMAND_DONE || !waits)
        return status ?: show(challenge);
    id = number_of(challenge, "challenge");
    json_decref(challenge);
    plain_text_printf(stderr, "challenge %lld waits: its games are played behind the rated ones\n",
                      (long long)id);
    return show_remote(id);
}

static int allow_remote(void)
{
    char path[PATH_BYTES];
    json_t *me;
    int status;

    snprintf(path, sizeof path, "/api/v1/me?challenges=%s",
             strcmp(allows, "yes") == 0 ? "yes" : "no");
    status = ask(path, true, &me);
    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "%s: authors who allow it too %s challenge your bots\n",
                          text_of(me, "author"),
                          json_is_true(json_object_get(me, "challenged")) ? "may" : "may not");
    json_decref(me);
    return status;
}

static int run_remote(int argc, char **argv, int64_t id)
{
    int status = remote_open();

    if (status == COMMAND_DONE)
        status = allows      ? allow_remote()
                 : argc == 0 ? list_remote()
                 : id        ? show_remote(id)
                             : add_remote(argv[0], argv[1]);
    remote_close();
    return status;
}

/* ---- arena challenge at the store, for the organizer ---- */

static int show_stored(struct store *store, int64_t id)
{
    struct store_challenge challenge;
    json_t *bouts = NULL;
    int error =
        store_challenge_find(store, id, &challenge) ?: report_bouts_read(store, &challenge, &bouts);
    json_t *told = error ? NULL : report_challenge_json(&challenge, bouts);

    json_decref(bouts);
    return error ?: show(told);
}

static int list_stored(void *context, const struct store_challenge *challenge)
{
    json_t *told = report_challenge_json(challenge, NULL);

    show_listed(told);
    json_decref(told);
    return 0;
}

static int run_stored(struct store_call *call)
{
    struct store_challenge challenge = {
        .wanted_count = game_count, .created_us = clock_time_us(), .by_organizer = true};
    int64_t id;

    home_store = call->store;
    if (call->argc == 0)
        return store_challenges_each(call->store, NULL, list_stored, NULL);
    if (call->argc == 1 && options_number(call->argv[0], 1, INT64_MAX, &id))
        return show_stored(call->store, id);
    strcpy(challenge.name, call->argv[0]);
    strcpy(challenge.opponent, call->argv[1]);
    return store_challenge_add(call->store, NULL, 0, &challenge)
               ?: show(report_challenge_json(&challenge, NULL));
}

static int run_challenge(int argc, char **argv)
{
    int64_t id = 0;

    if (allows && (argc > 0 || (strcmp(allows, "yes") != 0 && strcmp(allows, "no") != 0)))
        return command_refuse("challenge: --allow is yes or no, without the name of a bot");
    if (argc == 1 && !options_number(argv[0], 1, INT64_MAX, &id))
        return command_refuse("challenge: '%s' is no number of a challenge: name a bot and its "
                              "opponent, or one number: `arena challenge` lists them",
                              argv[0]);
    for (int i = 0; argc == 2 && i < argc; i++)
        if (!store_name_is_valid(argv[i]))
            return command_refuse("challenge: '%s' is not the name of a submitted bot: such a name "
                                  "has " STORE_NAME_RULE,
                                  argv[i]);
    return remote_url ? run_remote(argc, argv, id)
                      : store_command(&command_challenge, STORE_WRITE, run_stored, argc, argv);
}

static const struct option challenge_options[] = {
    {"games", "N", "games to be played (4)", .count = &game_count, .minimum = 1,
     .maximum = STORE_CHALLENGE_GAMES_MAX},
    {"replays", "DIR", "with a number, or --wait: write the replays of the games to DIR",
     .text = &replays},
    OPTION_JSON("one JSON object for each challenge"),
    REMOTE_OPTIONS("ask an arena on another machine, by https unless URL says http", NULL),
    {"wait", NULL, "with --to: wait until the games were played", .flag = &waits, .needs = "to"},
    {"allow", "yes|no", "with --to: let authors who allow it too challenge your bots, or no longer",
     .text = &allows, .needs = "to"},
    STORE_OPTIONS};

const struct command_line command_challenge = {
    .name = "challenge",
    .usage = "BOT OPPONENT [--games N] [--to URL [--wait]]\n"
             "[NUMBER] [--replays DIR] [--to URL [--wait]]\n"
             "--allow yes|no --to URL",
    .about = "Has the arena play your bot in unrated games against a reference bot, another bot of "
             "yours, or a bot of an author who allows it as you do; behind its rated games. Only "
             "you and the organizer see the games. With NUMBER, shows a challenge; without "
             "arguments, lists them.",
    .options = challenge_options,
    .most = 2,
    .arguments = "name a bot and its opponent, or the number of a challenge",
    .run_fn = run_challenge};

/* ---- arena contest: plays the games of one challenge, for the daemon ---- */

static struct contest {
    struct store *store;
    struct store_challenge challenge;
    enum store_board board;
    struct play_options play;
    struct bot_room room;
    struct source sources[2]; /* the bot, its opponent */
    bool is_own;              /* both bots have the same author */
    int begun_count;
    uint8_t seed[GAME_SEED_BYTES];
    int error; /* of the store */
} contest = {.play = PLAY_OPTIONS_FROZEN};

/* The newest open season that is rated says how bots are run. */
static int take_terms(void *context, const struct store_season *season)
{
    if (season->closed_us || season->is_practice)
        return 0;
    contest.board = season->board;
    contest.play.clock = season->clock;
    contest.play.require = (enum sandbox_tier)season->play.tier;
    contest.play.rules.memory_bytes = season->play.memory_bytes;
    contest.play.rules.freeze = season->play.freeze;
    return 0;
}

static bool next_game(void *owner, int slot, struct runner_game *game)
{
    const int number = contest.begun_count;

    if (number == contest.challenge.wanted_count || contest.error)
        return false;
    contest.begun_count++;
    *game = (struct runner_game){.number = (uint64_t)number};
    snprintf(game->terms.id, sizeof game->terms.id, "challenge-%lld-%d",
             (long long)contest.challenge.id, number);
    seed_of_game(contest.seed, number, 0, game->terms.seed);
    game->terms.player_count = 2;
    game->terms.board =
        contest.board == STORE_BOARD_GRAY || (contest.board == STORE_BOARD_BOTH && number / 2 % 2)
            ? BOARD_GRAY
            : BOARD_COLORED;
    game->terms.clock = contest.play.clock;
    for (int seat = 0; seat < 2; seat++)
        game->sources[seat] = &contest.sources[(seat + number) % 2];
    return true;
}

static void keep_game(void *owner, const struct runner_game *game, const struct table *table)
{
    struct store_bout bout = {.challenge_id = contest.challenge.id, .number = (int)game->number};
    struct replay replay;
    uint8_t *bytes = NULL;

    if (contest.error)
        return;
    if (replay_from_table(&replay, table) < 0) {
        contest.error = -ENOMEM;
        return;
    }
    if (!contest.is_own)
        replay_drop_error(&replay, 1 - bout.number % 2);
    bout.size = replay_pack(&replay, &bytes);
    bout.bytes = bytes;
    contest.error = bout.size ? store_bout_add(contest.store, &bout) : -ENOMEM;
    free(bytes);
    replay_finish(&replay);
}

static int play_games(void)
{
    const struct runner_options wanted = {.job_count = 1,
                                          .rules = contest.play.rules,
                                          .next_fn = next_game,
                                          .done_fn = keep_game,
                                          .warn_fn = command_warn};
    const struct transport transport = transport_of_sandbox(contest.room.sandbox);
    struct runner *runner = runner_create(&wanted, &transport);
    struct sandbox_failure failure;
    int result;

    if (!runner)
        return command_fail("%s", strerror(errno));
    contest.begun_count = (int)contest.challenge.played_count; /* by daemons before this one */
    result = runner_play(runner, &failure);
    runner_destroy(runner);
    return contest.error ? contest.error
           : result < 0  ? command_fail("the arena failed to play a game, %d times: %s: %s",
                                        RUNNER_ATTEMPTS, failure.step, strerror(failure.error))
                         : COMMAND_DONE;
}

/* Unpacks a bot. Fails with -ENODATA if the store no longer has the package, or if it is damaged.
 */
static int open_bot(int i, struct store_bot *bot)
{
    const struct store_challenge *challenge = &contest.challenge;
    char error[SOURCE_ERROR_BYTES];
    int result = store_bot_find(contest.store, i ? challenge->opponent : challenge->name,
                                i ? challenge->opponent_version : challenge->version, bot);

    if (result)
        return result;
    result =
        unpack_bot(&contest.sources[i], contest.store, bot, contest.room.stage->path, i, error);
    if (result == PACKAGE_FAILED || result == PACKAGE_REFUSED)
        command_fail("%s", error);
    return result == PACKAGE_REFUSED  ? -ENODATA
           : result == PACKAGE_FAILED ? COMMAND_FAILED
                                      : result;
}

static int play_contest(void)
{
    struct store_bot bots[2];
    int status = bot_room_open(&contest.room, &contest.play)
                     ?: play_options_draw_seed(contest.seed) ?: open_bot(0, &bots[0])
                     ?: open_bot(1, &bots[1]);
    const bool is_gone = status == -ENODATA;

    if (!status) {
        contest.is_own = strcmp(bots[0].author, bots[1].author) == 0;
        status = play_games();
    }
    for (int i = 0; i < 2; i++)
        source_close(&contest.sources[i]);
    if (status && !is_gone)
        return status;
    return store_challenge_end(contest.store, contest.challenge.id,
                               is_gone ? "the arena has no sound package of a bot" : "",
                               clock_time_us());
}

static int run_contest(struct store_call *call)
{
    const struct store_challenge *challenge = &contest.challenge;
    int64_t id;
    int status;

    if (!options_number(call->argv[0], 1, INT64_MAX, &id))
        return command_refuse("contest: only the daemon runs this command");
    command_yield_memory(); /* before the sandbox makes this process non-dumpable */
    contest.store = call->store;
    status = store_challenge_find(call->store, id, &contest.challenge)
                 ?: store_seasons_each(call->store, take_terms, NULL);
    if (status || challenge->state != STORE_CHALLENGE_WAITING)
        return status == -ENOENT ? COMMAND_DONE : status; /* it was removed meanwhile */
    if (challenge->attempt_count >= ATTEMPTS_MAX)
        return store_challenge_end(call->store, id,
                                   "the arena failed to play a game, and has told the organizer",
                                   clock_time_us());
    status = store_challenge_begin(call->store, id) ?: play_contest();
    bot_room_close(&contest.room);
    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "challenge %lld of %s against %s is over\n", (long long)id,
                          challenge->name, challenge->opponent);
    return status == -ECANCELED ? COMMAND_DONE : status;
}

const struct command_line command_contest = {
    .name = "contest",
    .usage = "CHALLENGE",
    .about = "Plays the games of one challenge: for `arena serve` only.",
    .options = store_options,
    .least = 1,
    .arguments = "only the daemon runs this command",
    .store_fn = run_contest,
    .mode = STORE_WRITE};
