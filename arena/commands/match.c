/* arena match: plays matches between the given bots. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"
#include "arena/commands/match_series.h"
#include "arena/commands/match_show.h"
#include "arena/commands/match_summary.h"
#include "arena/commands/play_options.h"
#include "arena/commands/run_folder.h"
#include "arena/play/error_file.h"
#include "arena/play/foreground.h"
#include "arena/play/place.h"
#include "arena/play/source.h"
#include "arena/replay/file.h"
#include "arena/replay/plain_text.h"
#include "arena/report/game.h"
#include "arena/season/progress.h"

static const char usage_head[] =
    "usage: arena match [OPTION ...] BOT BOT [BOT [BOT]]\n"
    "\n"
    "Plays matches between bots: folders with a bot.json, plain executables, or names of bots\n"
    "that come with the program: random, greedy, lookahead, steady, maestro and others.\n"
    "\n"
    "  --games N              seeds to play (1)\n"
    "  --rotate               play each seed in every rotation of the seats, so that luck with "
    "the\n"
    "                         tiles evens out; seasons deal anew, as one who remembers a deal\n"
    "                         could use it\n"
    "  --seed HEX             32 hex digits: the first match's seed, from which those of further\n"
    "                         matches follow (from the system's randomness)\n"
    "  --replays DIR          write DIR/MATCH.replay for each match, the next run's to DIR/2, ...\n"
    "  --log DIR              write each bot's standard error to DIR/MATCH-SEAT-BOT.log\n"
    "  --json                 one JSON object per match, in the schedule's order\n"
    "  --watch                draw the running match in the terminal, then step through it as in\n"
    "                         `arena replay --watch`; one game at a time\n"
    "  --open                 write the page of each match when it is over, DIR/MATCH.html or\n"
    "                         MATCH.html without --replays, and print its path\n"
    "  --series               one process per bot plays all its games: for runtimes that start "
    "slowly\n";

enum match_option {
    OPTION_GAMES = PLAY_OPTION_END,
    OPTION_ROTATE,
    OPTION_SEED,
    OPTION_REPLAYS,
    OPTION_LOG,
    OPTION_JSON,
    OPTION_WATCH,
    OPTION_OPEN,
    OPTION_HELP,
};

static const struct option options[] = {
    PLAY_OPTION_TERMS,
    PLAY_OPTION_HOW_BOTS_RUN,
    {"series", no_argument, NULL, PLAY_OPTION_SERIES},
    {"games", required_argument, NULL, OPTION_GAMES},
    {"rotate", no_argument, NULL, OPTION_ROTATE},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"replays", required_argument, NULL, OPTION_REPLAYS},
    {"log", required_argument, NULL, OPTION_LOG},
    {"json", no_argument, NULL, OPTION_JSON},
    {"watch", no_argument, NULL, OPTION_WATCH},
    {"open", no_argument, NULL, OPTION_OPEN},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

enum {
    GAMES_MAX = 999999,     /* match ids have six digits for the seed */
    SERIES_SEEDS_MAX = 100, /* games per process in a series, independent of --jobs */
};

/* The part of a series that a slot has to play: one rotation of some consecutive seeds. */
struct lane {
    uint64_t seed_next;
    uint64_t seed_end;
    int rotation;
};

/* One run of the command. */
struct run {
    struct play_options play;
    int64_t seed_count;
    bool rotate;
    bool seeded;
    uint8_t seed[GAME_SEED_BYTES];
    const char *replays, *log; /* folders for replays and for standard error, or NULL */
    char *replay_folder;       /* this run's folder */
    bool json;
    int player_count;
    char **paths; /* of the bots, as typed */
    struct source sources[GAME_PLAYERS_MAX];
    struct stage *stage;
    struct runner *runner;
    uint64_t next;      /* number of the next game (in a series, of the next lane) */
    struct lane *lanes; /* by slot, in a series */
    uint64_t printed;   /* games printed so far, in order */
    char **lines;       /* by number: the output for games that have ended */
    bool write_failed;
    char *names[GAME_PLAYERS_MAX]; /* of the bots, escaped for a terminal, all different */
    bool terminal;                 /* output is a terminal */
    int64_t begun_us;
    int64_t done_count, forfeit_count;
    struct match_summary summary;
    bool summary_failed;
    struct match_show show;
};

static int rotation_count(const struct run *run)
{
    return run->rotate ? run->player_count : 1;
}

static uint64_t seed_number(const struct run *run, uint64_t game_number)
{
    return game_number / (uint64_t)rotation_count(run);
}

static uint64_t game_count(const struct run *run)
{
    return (uint64_t)run->seed_count * (uint64_t)rotation_count(run);
}

/* ---- the schedule ---- */

static void schedule(const struct run *run, uint64_t number, struct runner_game *game)
{
    uint64_t seed = seed_number(run, number);
    int rotation = (int)(number % (uint64_t)rotation_count(run));

    *game = (struct runner_game){.number = number, .last = true};
    match_series_id(game->terms.id, seed, rotation);
    match_series_seed(run->seed, (uint32_t)seed, game->terms.seed);
    game->terms.player_count = run->player_count;
    game->terms.board = run->play.board;
    game->terms.clock = run->play.clock;
    for (int seat = 0; seat < run->player_count; seat++) {
        const struct source *source = &run->sources[(seat + rotation) % run->player_count];

        game->sources[seat] = source;
        memcpy(game->terms.names[seat], source->manifest.name, sizeof source->manifest.name);
    }
}

/*
 * Gives a slot its next lane. Two rotations of one seed never share a process, which would know
 * future displays; and which games share a process depends only on the schedule.
 */
static bool next_lane(struct run *run, struct lane *lane)
{
    uint64_t number = run->next;
    uint64_t seed = number / (uint64_t)rotation_count(run) * SERIES_SEEDS_MAX;
    uint64_t left;

    if (seed >= (uint64_t)run->seed_count)
        return false;
    left = (uint64_t)run->seed_count - seed;
    *lane = (struct lane){.seed_next = seed,
                          .seed_end = seed + (left < SERIES_SEEDS_MAX ? left : SERIES_SEEDS_MAX),
                          .rotation = (int)(number % (uint64_t)rotation_count(run))};
    run->next++;
    return true;
}

static bool next_of_series(struct run *run, struct lane *lane, struct runner_game *game)
{
    uint64_t seed;

    if (lane->seed_next == lane->seed_end && !next_lane(run, lane))
        return false;
    seed = lane->seed_next++;
    schedule(run, seed * (uint64_t)rotation_count(run) + (uint64_t)lane->rotation, game);
    game->last = lane->seed_next == lane->seed_end;
    return true;
}

static bool next_game(void *owner, int slot, struct runner_game *game)
{
    struct run *run = owner;

    if (run->play.series)
        return next_of_series(run, &run->lanes[slot], game);
    if (run->next >= game_count(run))
        return false;
    schedule(run, run->next++, game);
    return true;
}

/* ---- results ---- */

static void fail_to_write(struct run *run, const char *path, int error)
{
    command_fail("%s: %s", path, strerror(-error));
    run->write_failed = true;
    runner_drain(run->runner);
}

static void write_replay(struct run *run, const struct replay *replay)
{
    char *path = replay_file_path(run->replays, replay->terms.id);
    uint8_t *bytes = NULL;
    size_t size = replay_pack(replay, &bytes);
    int result = path && size > 0 ? place_write_new(path, bytes, size) : -ENOMEM;

    if (result < 0)
        fail_to_write(run, path ? path : run->replays, result);
    free(bytes);
    free(path);
}

/* Writes each bot's standard error to a file. */
static void write_logs(struct run *run, const struct table *table)
{
    int result = 0;

    for (int seat = 0; result == 0 && seat < table->match.terms.player_count; seat++)
        result = error_file_write(run->log, table->match.terms.id, seat,
                                  table->sources[seat]->manifest.name,
                                  &table->bots[seat].channel.errors_kept);
    if (result < 0)
        fail_to_write(run, run->log, result);
}

/* Prints the games that have ended, in order, up to the first one that has not. */
static void print_lines(struct run *run)
{
    if (run->terminal && run->lines[run->printed])
        command_clear_progress();
    while (run->printed < game_count(run) && run->lines[run->printed]) {
        fputs(run->lines[run->printed], stdout);
        if (run->json)
            putchar('\n');
        free(run->lines[run->printed]);
        run->lines[run->printed++] = NULL;
    }
    fflush(stdout);
}

static void show_progress(void *owner)
{
    struct run *run = owner;
    struct progress progress = {.done_count = run->done_count,
                                .budget_games = (int64_t)game_count(run),
                                .run_count = run->done_count,
                                .run_us = alarm_now_us() - run->begun_us,
                                .forfeit_count = run->forfeit_count};

    command_show_progress(&progress);
}

/* Counts a match for the final table. */
static void count_game(struct run *run, const struct runner_game *game, const struct table *table)
{
    int bots[GAME_PLAYERS_MAX] = {0};

    run->done_count++;
    for (int seat = 0; seat < run->player_count; seat++) {
        bots[seat] = (int)(game->sources[seat] - run->sources);
        run->forfeit_count += table->result.reasons[seat] != WIRE_PLAYED;
    }
    if (!run->json && match_summary_add(&run->summary, (int64_t)seed_number(run, game->number),
                                        bots, &table->match) < 0)
        run->summary_failed = true;
}

/* Returns the output for a match. */
static char *result_line(const struct run *run, const struct runner_game *game,
                         const struct table *table, const struct replay *replay)
{
    struct match_report report = {
        .game = game,
        .table = table,
        .replay = replay,
        .replays = run->replays,
        .options = run->play.require == SANDBOX_TIER_NONE ? "--require none" : NULL};
    json_t *json;
    char *line;

    for (int seat = 0; seat < run->player_count; seat++) {
        report.names[seat] = run->names[game->sources[seat] - run->sources];
        report.paths[seat] = run->paths[game->sources[seat] - run->sources];
    }
    if (!run->json)
        return match_report_text(&report);
    json = match_report_json(&report);
    line = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return line;
}

static void game_done(void *owner, const struct runner_game *game, const struct table *table)
{
    struct run *run = owner;
    struct replay replay;

    if (replay_from_table(&replay, table) < 0) {
        fail_to_write(run, game->terms.id, -ENOMEM);
        return;
    }
    if (run->log)
        write_logs(run, table);
    if (run->replays)
        write_replay(run, &replay);
    if (match_show_done(&run->show, &replay, run->replays) != COMMAND_DONE)
        run->write_failed = true;
    count_game(run, game, table);
    run->lines[game->number] = result_line(run, game, table, &replay);
    replay_finish(&replay);
    print_lines(run);
}

static void game_step(void *owner, const struct runner_game *game, const struct table *table)
{
    struct run *run = owner;
    const char *names[GAME_PLAYERS_MAX] = {NULL};

    for (int seat = 0; seat < run->player_count; seat++)
        names[seat] = run->names[game->sources[seat] - run->sources];
    match_show_step(&run->show, &table->match, names);
}

static void print_summary(struct run *run)
{
    if (run->json || run->summary.match_count == 0)
        return;
    putchar('\n');
    if (run->summary_failed ||
        match_summary_print(&run->summary, alarm_now_us() - run->begun_us, stdout) < 0)
        puts("the table of this run does not fit in memory");
    fflush(stdout);
}

/* ---- the command ---- */

static int take_option(struct run *run, int option, const char *argument)
{
    switch (option) {
    case OPTION_GAMES:
        if (!play_options_number(argument, 1, GAMES_MAX, &run->seed_count))
            return command_refuse("--games %s: is not a number from 1 to %d", argument, GAMES_MAX);
        return COMMAND_DONE;
    case OPTION_ROTATE:
        run->rotate = true;
        return COMMAND_DONE;
    case OPTION_SEED:
        run->seeded = true;
        if (!play_options_seed(argument, run->seed))
            return command_refuse("--seed %s: is not 32 hex digits", argument);
        return COMMAND_DONE;
    case OPTION_REPLAYS:
        run->replays = argument;
        return COMMAND_DONE;
    case OPTION_LOG:
        run->log = argument;
        return COMMAND_DONE;
    case OPTION_JSON:
        run->json = true;
        return COMMAND_DONE;
    case OPTION_WATCH:
        run->show.watch = true;
        return COMMAND_DONE;
    case OPTION_OPEN:
        run->show.open = true;
        return COMMAND_DONE;
    default:
        return play_options_take(&run->play, option, argument);
    }
}

static int open_sources(struct run *run, struct sandbox *sandbox)
{
    int status = bot_argument_stage(&run->stage, sandbox);

    for (int i = 0; i < run->player_count && status == COMMAND_DONE; i++)
        status = bot_argument_copy(&run->sources[i], run->paths[i], run->stage->path, i, &run->play,
                                   sandbox);
    if (status == COMMAND_DONE && !match_report_names(run->sources, run->player_count, run->names))
        status = command_fail("%s", strerror(ENOMEM));
    return status;
}

static int play_all(struct run *run, struct sandbox *sandbox)
{
    struct runner_options wanted = {.job_count = run->play.job_count,
                                    .pin = run->play.pin,
                                    .rules = run->play.rules,
                                    .owner = run,
                                    .next_fn = next_game,
                                    .done_fn = game_done,
                                    .step_fn = run->show.watch ? game_step : NULL,
                                    .crowded_fn = command_tell_crowded,
                                    .tick_fn = run->terminal ? show_progress : NULL};
    struct transport transport = transport_of_sandbox(sandbox);
    struct sandbox_failure failure;
    int result;

    run->lines = calloc(game_count(run), sizeof *run->lines);
    run->lanes = calloc((size_t)run->play.job_count, sizeof *run->lanes);
    run->runner = runner_create(&wanted, &transport);
    if (!run->lines || !run->lanes || !run->runner)
        return command_fail("%s", strerror(errno));
    if (match_summary_init(&run->summary, (const char *const *)run->names, run->player_count) < 0)
        return command_fail("%s", strerror(ENOMEM));
    run->begun_us = alarm_now_us();
    result = foreground_play(run->runner, &failure);
    match_show_close(&run->show);
    if (run->terminal)
        command_clear_progress();
    print_summary(run);
    if (result < 0)
        return command_fail("a match failed %d times: %s: %s", RUNNER_ATTEMPTS, failure.step,
                            strerror(failure.error));
    if (runner_was_stopped(run->runner))
        return command_fail("stopped after %" PRIu64 " of %" PRIu64 " matches", run->printed,
                            game_count(run));
    return run->write_failed ? COMMAND_FAILED : COMMAND_DONE;
}

static void finish(struct run *run)
{
    runner_destroy(run->runner);
    for (uint64_t number = 0; run->lines && number < game_count(run); number++)
        free(run->lines[number]);
    free(run->lines);
    free(run->lanes);
    match_summary_finish(&run->summary);
    for (int i = 0; i < GAME_PLAYERS_MAX; i++) {
        source_close(&run->sources[i]);
        free(run->names[i]);
    }
    stage_destroy(run->stage);
    free(run->replay_folder);
}

static int prepare_and_play(struct run *run, char **paths)
{
    struct sandbox *sandbox = NULL;
    int result = COMMAND_DONE;

    run->paths = paths;
    if (!run->seeded && getrandom(run->seed, sizeof run->seed, 0) != sizeof run->seed)
        return command_fail("the system provides no random bytes: %s", strerror(errno));
    if (run->replays)
        result = run_folder_open("--replays", run->replays, &run->replay_folder);
    if (run->replay_folder)
        run->replays = run->replay_folder;
    if (result == COMMAND_DONE && run->log)
        result = run_folder_make("--log", run->log);
    if (result == COMMAND_DONE)
        result = play_options_open_sandbox(&run->play, run->player_count, &sandbox);
    if (result == COMMAND_DONE)
        result = open_sources(run, sandbox);
    if (result == COMMAND_DONE && !run->json) {
        printf("seed ");
        for (int i = 0; i < GAME_SEED_BYTES; i++)
            printf("%02x", run->seed[i]);
        putchar('\n');
    }
    if (result == COMMAND_DONE)
        result = play_all(run, sandbox);
    finish(run);
    sandbox_destroy(sandbox);
    return result;
}

int command_match(int argc, char **argv)
{
    struct run run = {
        .play = play_options_default, .seed_count = 1, .terminal = isatty(STDERR_FILENO)};
    int option;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (option == OPTION_HELP) {
            printf("%s%s%s", usage_head, play_options_terms_help, play_options_help);
            return COMMAND_DONE;
        }
        if (option == '?' || option == ':')
            return play_options_refuse("match", option, argv);
        if (take_option(&run, option, optarg) != COMMAND_DONE)
            return COMMAND_USAGE;
    }
    run.player_count = argc - optind;
    if (run.player_count < GAME_PLAYERS_MIN || run.player_count > GAME_PLAYERS_MAX)
        return command_refuse("match: name 2 to 4 bots, not %d: see `arena match --help`",
                              run.player_count);
    if (match_show_check(&run.show, run.play.job_count, run.json) != COMMAND_DONE)
        return COMMAND_USAGE;
    run.terminal &= !run.show.watch;
    return prepare_and_play(&run, argv + optind);
}
