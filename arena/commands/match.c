/* SPDX-License-Identifier: MIT */
/* arena match: plays matches between the given bots. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/base/memory.h"
#include "arena/commands/commands.h"
#include "arena/commands/game_output.h"
#include "arena/play/runner.h"
#include "arena/replay/effect.h"
#include "arena/replay/replay.h"
#include "arena/replay/forfeit_text.h"
#include "arena/replay/json.h"
#include "arena/base/plain_text.h"
#include "arena/rating/fit.h"
#include "arena/rating/games.h"
#include "arena/report/columns.h"
#include "arena/report/game.h"
#include "arena/season/latency.h"
#include "arena/season/player.h"
#include "arena/season/seed.h"
#include "engine/draw.h"
#include "engine/notation.h"
#include "arena/base/clock.h"
#include "arena/base/json.h"

enum {
    GAMES_MAX = 999999, /* a match id has six digits for the seed's number */
    DESCRIBED_MAX = 16, /* number of different forfeits that are printed in full */
};

/* ---- the tables at the end of a run ---- */

struct summary_bot {
    const char *name; /* name of the bot; borrowed */
    /* Matches by the reason for which the bot's play ended. */
    int64_t reason_counts[WIRE_REASON_COUNT];
    struct latency latency; /* the bot's decision times */
    /* Points won and lost, by source, summed over all matches. */
    int64_t score, margin, runs, stars, costs, lost;
    int64_t bonus_tiles; /* tiles taken for surrounded pillars, statues and windows */
};

/* The summary of all matches. Bots are numbered from 0; there are as many bots as seats. */
static struct summary {
    int bot_count;
    int64_t match_count;
    struct summary_bot bots[GAME_PLAYERS_MAX];
    /* [seat][rank - 1]: number of matches in which the bot in this seat had this rank */
    int64_t rank_counts[GAME_PLAYERS_MAX][GAME_PLAYERS_MAX];
    /* [a][b]: number of matches in which bot a had a better rank than bot b */
    int64_t better_counts[GAME_PLAYERS_MAX][GAME_PLAYERS_MAX];
    /* The games of each pair of bots, for the ratings, in the order 01 02 03 12 13 23. */
    struct games pairs[GAMES_PAIRS_MAX];
} summary;

static void summary_finish(void)
{
    for (int pair = 0; pair < GAMES_PAIRS_MAX; pair++)
        games_finish(&summary.pairs[pair]);
}

/* Prepares the summary for bots with these names. Returns 0 or -ENOMEM. */
static int summary_init(const char *const *names, int bot_count)
{
    summary.bot_count = bot_count;
    for (int bot = 0; bot < bot_count; bot++)
        summary.bots[bot].name = names[bot];
    for (int pair = 0; pair < bot_count * (bot_count - 1) / 2; pair++) {
        int error = games_init(&summary.pairs[pair], 2);

        if (error < 0)
            return error;
    }
    return 0;
}

/*
 * Adds a game to the games of each pair of bots, as a game of two players. A pair is rated from its
 * own results only, so that its Elo agrees with its score.
 */
static int add_pairs(int64_t group, const uint8_t *ranks)
{
    int pair = 0, error = 0;

    for (int a = 0; a < summary.bot_count; a++)
        for (int b = a + 1; b < summary.bot_count && !error; b++, pair++) {
            struct games_result game = {.group = group, .player_count = 2, .bots = {0, 1}};

            game.ranks[0] = ranks[a] <= ranks[b] ? 1 : 2;
            game.ranks[1] = ranks[b] <= ranks[a] ? 1 : 2;
            error = games_add(&summary.pairs[pair], &game);
        }
    return error;
}

/*
 * Plays the decisions of a match again and adds the points that each bot won and lost. Of a bot
 * that is out, the decisions of its stand-in count.
 */
static void add_points(const int bots[static GAME_PLAYERS_MAX], const struct match *match)
{
    struct effect_final finals[GAME_PLAYERS_MAX];
    struct effect effect;
    struct game game;

    game_init(&game, match->terms.player_count, match->terms.board, match->terms.seed);
    for (size_t i = 0; i < match->decision_count; i++) {
        struct action action = match->events[i].action;
        struct summary_bot *bot;

        if (!effect_of(&game, action, &effect))
            return;
        bot = &summary.bots[bots[effect.seat]];
        bot->runs += effect.points > 0 ? effect.points : 0;
        bot->lost -= effect.points < 0 ? effect.points : 0;
        for (int color = 0; action.kind == ACTION_BONUS && color < GAME_COLORS; color++)
            bot->bonus_tiles += effect.moved[color];
        if (effect.game_ended)
            effect_final(&game, action, finals);
        game_play(&game, action);
    }
    for (int seat = 0; seat < match->terms.player_count && game_is_over(&game); seat++) {
        struct summary_bot *bot = &summary.bots[bots[seat]];

        for (int star = 0; star < GAME_STARS; star++)
            bot->stars += finals[seat].stars[star];
        for (int cost = 0; cost < BOARD_REWARDED_COSTS; cost++)
            bot->costs += finals[seat].costs[cost];
        bot->lost += finals[seat].corners;
    }
}

/* Adds the scores, and each bot's lead over the best other bot. */
static void add_scores(const int bots[static GAME_PLAYERS_MAX], const struct wire_end *result)
{
    for (int seat = 0; seat < summary.bot_count; seat++) {
        int64_t best = 0;

        for (int other = 0; other < summary.bot_count; other++)
            if (other != seat && result->scores[other] > best)
                best = result->scores[other];
        summary.bots[bots[seat]].score += result->scores[seat];
        summary.bots[bots[seat]].margin += result->scores[seat] - best;
    }
}

/*
 * Adds a finished match. bots has the number of the bot in each seat. group is the number of the
 * match's seed: matches of one seed share luck and are not independent. Returns 0 or -ENOMEM.
 */
static int summary_add(int64_t group, const int bots[static GAME_PLAYERS_MAX],
                       const struct match *match,
                       struct forfeit *const forfeits[static GAME_PLAYERS_MAX])
{
    uint8_t ranks[GAME_PLAYERS_MAX] = {0}; /* the rank of each bot */
    struct wire_end result;

    match_result(match, &result);
    for (int seat = 0; seat < summary.bot_count; seat++) {
        int bot = bots[seat];

        ranks[bot] = (uint8_t)result.ranks[seat];
        summary.bots[bot].reason_counts[result.reasons[seat]]++;
        summary.rank_counts[seat][result.ranks[seat] - 1]++;
        for (int other = 0; other < summary.bot_count; other++)
            summary.better_counts[bot][bots[other]] += result.ranks[seat] < result.ranks[other];
    }
    for (size_t i = 0; i < match->decision_count; i++)
        if (!match->decisions[i].by_arena)
            latency_add(&summary.bots[bots[match->events[i].seat]].latency, match->decisions[i].us);
    /* A forfeited decision counts, too, with the time from the request to the fault. */
    for (int seat = 0; seat < summary.bot_count; seat++)
        if (forfeits[seat] && forfeits[seat]->turn != FORFEIT_NOT_KNOWN)
            latency_add(&summary.bots[bots[seat]].latency, forfeits[seat]->wall_us);
    add_points(bots, match);
    add_scores(bots, &result);
    summary.match_count++;
    return add_pairs(group, ranks);
}

/* Returns the width of the longest name, in columns; at least `least`. */
static int name_width(int least)
{
    int width = least;

    for (int bot = 0; bot < summary.bot_count; bot++) {
        const char *name = summary.bots[bot].name;
        int columns = (int)plain_text_columns(name, strlen(name));

        width = columns > width ? columns : width;
    }
    return width;
}

static void print_pair(const struct fit *fit, int a, int b, int width)
{
    int64_t won = summary.better_counts[a][b], lost = summary.better_counts[b][a];
    int64_t count = summary.match_count;
    double score = (double)(won + count - lost) / (double)(2 * count);
    unsigned flags = fit->bots[0].flags | fit->bots[1].flags;

    plain_text_printf(stdout, "%-*s - %-*s", width, summary.bots[a].name, width,
                      summary.bots[b].name);
    plain_text_printf(stdout,
                      " %6" PRId64 " %6" PRId64 " %6" PRId64 " %6.1f%% %+7.1f %6.1f %6.1f%%%s\n",
                      won, count - won - lost, lost, 100 * score,
                      decimals_round(fit->bots[0].elo - fit->bots[1].elo, 1),
                      FIT_ERROR95 * fit_pair_se(fit, 0, 1), 100 * fit_los(fit, 0, 1),
                      flags & FIT_PROVISIONAL ? " ?" : "");
}

static int print_pairs(void)
{
    int width = name_width(0), pair = 0;
    unsigned flags = 0;

    plain_text_printf(stdout, "%-*s %6s %6s %6s %7s %7s %6s %7s\n", 2 * width + 3, "pair", "won",
                      "tied", "lost", "score", "Elo", "+-", "LOS");
    for (int a = 0; a < summary.bot_count; a++)
        for (int b = a + 1; b < summary.bot_count; b++, pair++) {
            struct fit fit;
            int error = games_settle(&summary.pairs[pair]);

            if (error == 0)
                error = fit_init(&fit, &summary.pairs[pair], FIT_PRIOR_ELO);
            if (error < 0)
                return error;
            print_pair(&fit, a, b, width);
            flags |= fit.bots[0].flags | fit.bots[1].flags;
            fit_finish(&fit);
        }
    if (flags & FIT_PROVISIONAL)
        fputs("?: the error of this Elo is too large; play more matches\n", stdout);
    return 0;
}

static void print_seats(void)
{
    static const char *const ranks[] = {"1st", "2nd", "3rd", "4th"};

    fputs("seat  ", stdout);
    for (int rank = 0; rank < summary.bot_count; rank++)
        plain_text_printf(stdout, " %6s", ranks[rank]);
    putchar('\n');
    for (int seat = 0; seat < summary.bot_count; seat++) {
        printf("%-6d", seat);
        for (int rank = 0; rank < summary.bot_count; rank++)
            printf(" %6" PRId64, summary.rank_counts[seat][rank]);
        putchar('\n');
    }
}

static void print_points(void)
{
    int width = name_width(3);
    double count = (double)summary.match_count;

    plain_text_printf(stdout, "%-*s %7s %7s %7s %7s %7s %7s %12s   mean of a game\n", width, "bot",
                      "score", "margin", "runs", "stars", "costs", "lost", "bonus tiles");
    for (int bot = 0; bot < summary.bot_count; bot++) {
        const struct summary_bot *sums = &summary.bots[bot];

        plain_text_printf(stdout, "%-*s %7.1f %+7.1f %7.1f %7.1f %7.1f %7.1f %12.1f\n", width,
                          sums->name, (double)sums->score / count, (double)sums->margin / count,
                          (double)sums->runs / count, (double)sums->stars / count,
                          (double)sums->costs / count, (double)-sums->lost / count,
                          (double)sums->bonus_tiles / count);
    }
}

/* Prints a column for each reason that occurred, and always one for "played". */
static void print_reasons(void)
{
    int width = name_width(3);
    bool seen[WIRE_REASON_COUNT] = {[WIRE_PLAYED] = true};

    for (int bot = 0; bot < summary.bot_count; bot++)
        for (int reason = 0; reason < WIRE_REASON_COUNT; reason++)
            seen[reason] |= summary.bots[bot].reason_counts[reason] > 0;
    plain_text_printf(stdout, "%-*s", width, "bot");
    for (int reason = 0; reason < WIRE_REASON_COUNT; reason++)
        if (seen[reason])
            plain_text_printf(stdout, " %9s", wire_reason_name((enum wire_reason)reason));
    putchar('\n');
    for (int bot = 0; bot < summary.bot_count; bot++) {
        plain_text_printf(stdout, "%-*s", width, summary.bots[bot].name);
        for (int reason = 0; reason < WIRE_REASON_COUNT; reason++)
            if (seen[reason])
                printf(" %9" PRId64, summary.bots[bot].reason_counts[reason]);
        putchar('\n');
    }
}

static void print_ms(int64_t us)
{
    printf(" %6" PRId64 ".%02" PRId64, us / 1000, us % 1000 / 10);
}

static void print_times(void)
{
    int width = name_width(3);

    plain_text_printf(stdout, "%-*s %9s %9s %9s   ms a decision\n", width, "bot", "mean", "p99",
                      "max");
    for (int bot = 0; bot < summary.bot_count; bot++) {
        const struct latency *latency = &summary.bots[bot].latency;

        plain_text_printf(stdout, "%-*s", width, summary.bots[bot].name);
        print_ms(latency->count > 0 ? latency->sum_us / latency->count : 0);
        print_ms(latency_share_us(latency, 0.99));
        print_ms(latency->max_us);
        putchar('\n');
    }
}

/* Prints the tables; run_us is the duration of the run. Returns 0 or -ENOMEM. */
static int summary_print(int64_t run_us)
{
    double seconds = (double)run_us / 1e6;
    int result = print_pairs();

    if (result < 0)
        return result;
    putchar('\n');
    print_points();
    putchar('\n');
    print_seats();
    putchar('\n');
    print_reasons();
    putchar('\n');
    print_times();
    plain_text_printf(stdout, "\n%" PRId64 " match%s in %.1f s, %.1f a second\n",
                      summary.match_count, summary.match_count == 1 ? "" : "es", seconds,
                      seconds > 0 ? (double)summary.match_count / seconds : 0);
    return 0;
}

/* ---- the run ---- */

/* Output of a match that has ended, kept until the output of all earlier matches is printed. */
struct outcome {
    char *line;                                 /* the match's result, as text or JSON */
    struct forfeit *forfeits[GAME_PLAYERS_MAX]; /* forfeits by seat, for text output; owned */
};

/* A forfeit that was printed in full. The bot's later forfeits of the same cause are abridged. */
struct described {
    int bot;
    char match[WIRE_MATCH_BYTES_MAX];
    struct forfeit *forfeit;
};

static struct run {
    struct play_options play;
    int64_t seed_count;
    bool rotate;
    uint8_t seed[GAME_SEED_BYTES];
    int player_count;
    char **paths; /* arguments that name the bots */
    struct source sources[GAME_PLAYERS_MAX];
    char *names[GAME_PLAYERS_MAX]; /* names of the bots, all different, escaped for a terminal */
    struct bot_room room;
    struct runner *runner;
    uint64_t next;            /* number of the next game */
    uint64_t printed;         /* number of games printed so far; games are printed in order */
    struct outcome *outcomes; /* outcomes of the games, by number */
    struct described described[DESCRIBED_MAX];
    int described_count;
    bool terminal; /* standard error is a terminal, on which progress is shown */
    int64_t begun_us;
    int64_t done_count, forfeit_count;
    bool summary_failed;
    struct game_output output;
} run = {.play = PLAY_OPTIONS_DEFAULT, .seed_count = 1};

static int rotation_count(void)
{
    return run.rotate ? run.player_count : 1;
}

static uint64_t seed_number(uint64_t game_number)
{
    return game_number / (uint64_t)rotation_count();
}

static uint64_t game_count(void)
{
    return (uint64_t)run.seed_count * (uint64_t)rotation_count();
}

/* Returns the number of the bot that sits at a seat in a game. */
static int bot_at(uint64_t game_number, int seat)
{
    int rotation = (int)(game_number % (uint64_t)rotation_count());

    return (seat + rotation) % run.player_count;
}

/*
 * Writes the id of a game: the number of its seed, and of the rotation of the bots around the
 * table.
 */
static void write_id(uint64_t number, char id[static WIRE_MATCH_BYTES_MAX])
{
    snprintf(id, WIRE_MATCH_BYTES_MAX, "%06" PRIu64 "-%" PRIu64, seed_number(number),
             number % (uint64_t)rotation_count());
}

/* ---- the schedule ---- */

/* Derives seed `number` of the run from its first seed; seed 0 is the first seed itself. */
static void derive_seed(const uint8_t first[static GAME_SEED_BYTES], uint32_t number,
                        uint8_t seed[static GAME_SEED_BYTES])
{
    if (number == 0) {
        memcpy(seed, first, GAME_SEED_BYTES);
        return;
    }
    for (uint32_t half = 0; half < 2; half++) {
        uint64_t word = draw_number(first, DRAW_SERIES, 2 * number + half);

        for (int byte = 0; byte < 8; byte++)
            seed[8 * half + (uint32_t)byte] = (uint8_t)(word >> (8 * byte));
    }
}

static void schedule(uint64_t number, struct runner_game *game)
{
    *game = (struct runner_game){.number = number};
    write_id(number, game->terms.id);
    derive_seed(run.seed, (uint32_t)seed_number(number), game->terms.seed);
    game->terms.player_count = run.player_count;
    game->terms.board = run.play.board;
    game->terms.clock = run.play.clock;
    for (int seat = 0; seat < run.player_count; seat++) {
        const struct source *source = &run.sources[bot_at(number, seat)];

        game->sources[seat] = source;
        memcpy(game->terms.names[seat], source->manifest.name, sizeof source->manifest.name);
    }
}

static bool next_game(void *owner, int slot, struct runner_game *game)
{
    if (run.next >= game_count())
        return false;
    schedule(run.next++, game);
    return true;
}

/* ---- results ---- */

static void show_progress(void *owner)
{
    struct progress progress = {.done_count = run.done_count,
                                .budget_games = (int64_t)game_count(),
                                .run_count = run.done_count,
                                .run_us = clock_now_us() - run.begun_us,
                                .forfeit_count = run.forfeit_count};

    command_show_progress(&progress);
}

/*
 * Returns the shell command that repeats a forfeit of a bot; path is the match's replay, or NULL.
 */
static struct rerun_command again(int bot, const char *path)
{
    return (struct rerun_command){
        .program = program_invocation_name,
        .replay = path,
        .bot = run.paths[bot],
        .options = run.play.require == SANDBOX_TIER_NONE ? "--require none" : NULL,
    };
}

/* Returns the path of a match's replay, which the caller frees; NULL: no replay is kept. */
static char *replay_path(const char *id)
{
    return run.output.replay_folder ? replay_file_path(run.output.replay_folder, id) : NULL;
}

/* Prints a forfeit; abridged if a forfeit of this bot with this cause was printed before. */
static void print_forfeit(uint64_t number, int seat, struct forfeit *forfeit)
{
    struct described *new = &run.described[run.described_count];
    char id[WIRE_MATCH_BYTES_MAX], as[WIRE_MATCH_BYTES_MAX + 8] = "";
    int bot = bot_at(number, seat);
    struct rerun_command command;
    char *path;

    for (int i = 0; i < run.described_count && !*as; i++)
        if (run.described[i].bot == bot && forfeit_text_is_same(run.described[i].forfeit, forfeit))
            snprintf(as, sizeof as, "match %s", run.described[i].match);
    write_id(number, id);
    path = replay_path(id);
    command = again(bot, path);
    forfeit_text_print(stdout, forfeit, seat, run.names[bot], &command, *as ? as : NULL);
    free(path);
    if (*as || run.described_count == DESCRIBED_MAX) {
        forfeit_destroy(forfeit);
        return;
    }
    run.described_count++;
    *new = (struct described){.bot = bot, .forfeit = forfeit};
    strcpy(new->match, id);
}

/*
 * Prints the output of games that have ended, in order of their numbers, until a game that has not
 * ended.
 */
static void print_outcomes(void)
{
    struct outcome *outcome = &run.outcomes[run.printed];

    if (run.terminal && outcome->line)
        command_clear_progress();
    for (; run.printed < game_count() && outcome->line; outcome++, run.printed++) {
        fputs(outcome->line, stdout);
        putchar('\n');
        free(outcome->line);
        outcome->line = NULL;
        for (int seat = 0; seat < run.player_count; seat++)
            if (outcome->forfeits[seat])
                print_forfeit(run.printed, seat, outcome->forfeits[seat]);
    }
    fflush(stdout);
}

static json_t *forfeit_json(const struct runner_game *game, int seat, const struct forfeit *forfeit)
{
    char *path = replay_path(game->terms.id);
    struct rerun_command command = again(bot_at(game->number, seat), path);
    char *text = forfeit ? rerun_command_text(&command, forfeit->turn, seat) : NULL;
    json_t *json = replay_json_forfeit(forfeit, text);

    free(text);
    free(path);
    return json;
}

/* Returns the longest time that an answer of this seat may have waited for the arena to read it. */
static int64_t longest_delay_us(const struct match *match, int seat)
{
    int64_t longest_us = 0;

    for (size_t i = 0; i < match->decision_count; i++)
        if (match->events[i].seat == seat && match->decisions[i].delay_us > longest_us)
            longest_us = match->decisions[i].delay_us;
    return longest_us;
}

static json_t *match_json(const struct runner_game *game, const struct table *table)
{
    const struct match *match = &table->match;
    const struct match_terms *terms = &match->terms;
    const struct wire_end *end = &table->result;
    json_t *bots = json_array();
    json_t *us = json_array();
    json_t *longest = json_array();
    json_t *forfeits = json_array();

    for (int seat = 0; seat < end->player_count; seat++) {
        json_array_append_new(bots, json_string(terms->names[seat]));
        json_array_append_new(us, json_integer(match->seats[seat].us));
        json_array_append_new(longest, json_integer(longest_delay_us(match, seat)));
        json_array_append_new(forfeits, forfeit_json(game, seat, table->forfeits[seat]));
    }
    return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:I, s:o, s:I, s:o, s:o}", "match",
                     terms->id, "seed", json_hex(terms->seed, sizeof terms->seed), "board",
                     notation_boards[terms->board], "bots", bots, "scores",
                     json_ints(end->scores, end->player_count), "ranks",
                     json_ints(end->ranks, end->player_count), "reason", replay_json_reasons(end),
                     "decisions", (json_int_t)match->decision_count, "us", us, "wall_us",
                     (json_int_t)table->wall_us, "longest_delay_us", longest, "forfeits", forfeits);
}

/* Returns the result of a match as a line of text or JSON, which the caller frees. */
static char *result_line(const struct runner_game *game, const struct table *table)
{
    const struct wire_end *end = &table->result;
    char *line = NULL;
    size_t size;
    FILE *stream;

    if (options_json) {
        json_t *json = match_json(game, table);

        line = json_dumps(json, JSON_COMPACT);
        json_decref(json);
        return line;
    }
    stream = memory_stream(&line, &size);
    plain_text_printf(stream, "%s ", game->terms.id);
    for (int seat = 0; seat < end->player_count; seat++)
        report_seat_print(stream, end->ranks[seat], run.names[bot_at(game->number, seat)],
                          end->scores[seat], end->reasons[seat]);
    memory_stream_end(stream);
    return line;
}

static void count_game(uint64_t number, const struct table *table)
{
    int bots[GAME_PLAYERS_MAX];

    run.done_count++;
    for (int seat = 0; seat < run.player_count; seat++) {
        bots[seat] = bot_at(number, seat);
        run.forfeit_count += table->result.reasons[seat] != WIRE_PLAYED;
    }
    if (!options_json &&
        summary_add((int64_t)seed_number(number), bots, &table->match, table->forfeits) < 0)
        run.summary_failed = true;
}

/* Keeps the replay and the logs of a match, and shows the match, as the user asked. */
static void keep(const struct table *table, const struct replay *replay)
{
    struct game_output *output = &run.output;

    game_output_keep(output, replay);
    for (int seat = 0; seat < run.player_count; seat++)
        game_output_log(output, replay->terms.id, seat, table->sources[seat]->manifest.name,
                        &table->bots[seat].channel.errors_kept);
    game_output_open(output, replay, "");
    if (output->failed)
        runner_drain(run.runner);
}

static void game_done(void *owner, const struct runner_game *game, const struct table *table)
{
    struct outcome *outcome = &run.outcomes[game->number];
    struct replay replay;

    if (replay_from_table(&replay, table) < 0) {
        command_fail("%s: out of memory", game->terms.id);
        run.output.failed = true;
        runner_drain(run.runner);
        return;
    }
    keep(table, &replay);
    count_game(game->number, table);
    outcome->line = result_line(game, table);
    for (int seat = 0; seat < run.player_count && !options_json; seat++) {
        outcome->forfeits[seat] = replay.forfeits[seat];
        replay.forfeits[seat] = NULL;
    }
    replay_finish(&replay);
    print_outcomes();
}

static void print_summary(void)
{
    if (options_json || summary.match_count == 0)
        return;
    putchar('\n');
    if (run.summary_failed || summary_print(clock_now_us() - run.begun_us) < 0)
        puts("out of memory: the results of this run cannot be summed up");
    fflush(stdout);
}

/* ---- the command ---- */

static int open_sources(void)
{
    int status = bot_room_open(&run.room, &run.play);

    for (int i = 0; i < run.player_count && status == COMMAND_DONE; i++) {
        status = bot_argument_copy(&run.sources[i], run.paths[i], &run.room, i, &run.play);
        run.names[i] = status == COMMAND_DONE ? bot_argument_label(run.sources, i) : NULL;
        if (status == COMMAND_DONE && !run.names[i])
            status = command_fail("out of memory");
    }
    return status;
}

static int play_all(void)
{
    struct runner_options wanted = {.job_count = run.play.job_count,
                                    .pin = run.play.pin,
                                    .rules = run.play.rules,
                                    .next_fn = next_game,
                                    .done_fn = game_done,
                                    .warn_fn = command_warn,
                                    .tick_fn = run.terminal ? show_progress : NULL};
    struct transport transport = transport_of_sandbox(run.room.sandbox);
    struct sandbox_failure failure;
    int result;

    run.outcomes = calloc(game_count() + 1, sizeof *run.outcomes);
    run.runner = runner_create(&wanted, &transport);
    if (!run.outcomes || !run.runner)
        return command_fail("%s", strerror(errno));
    if (summary_init((const char *const *)run.names, run.player_count) < 0)
        return command_fail("%s", strerror(ENOMEM));
    run.begun_us = clock_now_us();
    result = runner_play(run.runner, &failure);
    if (run.terminal)
        command_clear_progress();
    print_summary();
    if (result < 0)
        return command_fail("the arena failed to play a match, %d times: %s: %s", RUNNER_ATTEMPTS,
                            failure.step, strerror(failure.error));
    if (runner_was_stopped(run.runner))
        return command_fail("stopped after %" PRIu64 " of %" PRIu64 " matches", run.printed,
                            game_count());
    return run.output.failed ? COMMAND_FAILED : COMMAND_DONE;
}

static void finish(void)
{
    runner_destroy(run.runner);
    for (uint64_t number = run.printed; run.outcomes && number < game_count(); number++) {
        free(run.outcomes[number].line);
        for (int seat = 0; seat < run.player_count; seat++)
            forfeit_destroy(run.outcomes[number].forfeits[seat]);
    }
    free(run.outcomes);
    for (int i = 0; i < run.described_count; i++)
        forfeit_destroy(run.described[i].forfeit);
    summary_finish();
    for (int i = 0; i < GAME_PLAYERS_MAX; i++) {
        source_close(&run.sources[i]);
        free(run.names[i]);
    }
    bot_room_close(&run.room);
    game_output_finish(&run.output);
}

/* Prints the seed, the number of matches, and which argument a name such as NAME#2 stands for. */
static void print_terms(void)
{
    char seed[SEED_DIGITS + 1];

    seed_write(run.seed, seed);
    plain_text_printf(stdout, "seed %s\n", seed);
    if (run.rotate)
        plain_text_printf(stdout, "%lld seed%s in %d rotations of the seats: %lld matches\n",
                          (long long)run.seed_count, plain_text_s(run.seed_count), run.player_count,
                          (long long)game_count());
    for (int bot = 0; bot < run.player_count; bot++)
        if (strchr(run.names[bot], '#'))
            plain_text_printf(stdout, "%s is the bot of argument %d, %s\n", run.names[bot], bot + 1,
                              run.paths[bot]);
}

static int prepare_and_play(void)
{
    int status =
        game_output_begin(&run.output) ?: play_options_draw_seed(run.seed) ?: open_sources();

    if (status == COMMAND_DONE && !options_json)
        print_terms();
    status = status ?: play_all();
    finish();
    return status;
}

static const struct option options[] = {
    {"games", "N", "seeds to play (1)", .number = &run.seed_count, .minimum = 1,
     .maximum = GAMES_MAX},
    {"rotate", NULL,
     "play each seed once for each rotation of the bots around the table, so that luck with the "
     "tiles evens out (not done in seasons, where a bot could remember the deal)",
     .flag = &run.rotate},
    {"seed", "HEX",
     "seed of the first match, from which the seeds of further matches follow: 32 hex digits "
     "(random)",
     .seed = run.seed},
    OPTION_JSON("one JSON object per match, in the order of the matches' numbers"),
    GAME_OUTPUT_OPTIONS(&run.output),
    PLAY_OPTION_BOARD(&run.play),
    PLAY_OPTION_CLOCK(&run.play),
    PLAY_OPTIONS_RUN(&run.play),
    {0}};

static int run_match(int argc, char **argv)
{
    run.terminal = isatty(STDERR_FILENO);
    run.paths = argv;
    run.player_count = argc;
    return prepare_and_play();
}

const struct command_line command_match = {
    .name = "match",
    .usage = "[OPTION ...] BOT BOT [BOT [BOT]]",
    .about = "Plays matches between bots: folders with a bot.json, plain executables, or names "
             "of bundled bots: random, greedy, lookahead, steady, maestro and others. LOS is the "
             "likelihood that the first bot of a pair is the stronger one.",
    .options = options,
    .least = GAME_PLAYERS_MIN,
    .most = GAME_PLAYERS_MAX,
    .arguments = "name 2 to 4 bots",
    .run_fn = run_match};
