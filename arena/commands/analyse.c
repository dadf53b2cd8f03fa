/* SPDX-License-Identifier: MIT */
/*
 * arena analyse: asks a bot about each decision of finished games, and prints how many points each
 * decision cost by the bot's estimate; with --summary, which kinds of decisions cost a player most.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/base/memory.h"
#include "arena/commands/commands.h"
#include "arena/commands/game_output.h"
#include "arena/commands/options.h"
#include "arena/base/array.h"
#include "arena/base/place.h"
#include "arena/replay/effect.h"
#include "arena/base/plain_text.h"
#include "arena/replay/words.h"
#include "arena/base/clock.h"
#include "arena/site/wishes.h"
#include "arena/report/mistakes.h"
#include "arena/store/games.h"
#include "arena/trial/rerun.h"
#include "engine/notation.h"

enum {
    TURN_MS = 200,
    PATIENCE = 20,   /* the bot may take this many turn times, because the machine may be busy */
    WANTED_S = 30,   /* for which --wanted begins with one more game */
    KEPT_MAX = 5000, /* analyses that --wanted leaves in the home folder */
};

/* What the analyst, the bot that is asked, thinks of one decision. */
struct opinion {
    bool is_known; /* false: a stand-in decided, or the analyst's answer gave no expected points */
    struct action best; /* action that the analyst would play */
    int32_t expected;   /* lead expected after the action that was played, in 1/100 points */
    int32_t best_expected;
};

static struct analysis {
    struct play_options play;
    const char *bot; /* the analyst: name or path of the bot that is asked */
    const char *html;
    const char *player; /* judge only bots with this name; NULL: all bots */
    int wanted;         /* judge only this seat (--seat) */
    int64_t turn_ms;

    struct bot_room room;
    struct source source; /* the analyst */
    const char *path;     /* the game */
    struct replay replay;
    int seat; /* seat whose decision the analyst is judging now */
    struct opinion opinions[GAME_DECISIONS_MAX];
    FILE *text;     /* stream for the text about costly decisions */
    json_t *listed; /* decisions */

    bool wanted_games; /* --wanted */
    bool summary;
    struct mistakes *players; /* for --summary: each name that played */
    int player_count;
    char names[256]; /* for --summary: who played, such as "ant, bee"; cut where it gets longer */
} analysis = {.play = PLAY_OPTIONS_DEFAULT, .bot = "maestro", .turn_ms = TURN_MS};

static double in_points(int64_t centipoints)
{
    return (double)centipoints / 100;
}

/* ---- asking the analyst ---- */

static void take_answer(void *context, int64_t turn, struct action action,
                        const struct wire_act *act)
{
    struct opinion *opinion = &analysis.opinions[turn];

    if (isatty(STDERR_FILENO))
        plain_text_printf(stderr, "\r%s: decision %" PRId64 " of %zu, seat %d\033[K", analysis.path,
                          turn, analysis.replay.decision_count, analysis.seat);
    if (!act->has_expects)
        return;
    *opinion = (struct opinion){
        .is_known = true,
        .best = action,
        .best_expected = act->expects[0],
        .expected = act->expects[1],
    };
    /* The action that was played can turn out to be better than the one that the analyst chose. */
    if (opinion->expected >= opinion->best_expected) {
        opinion->best = analysis.replay.decisions[turn].action;
        opinion->best_expected = opinion->expected;
    }
}

static int ask_about_seat(int seat)
{
    const struct replay *replay = &analysis.replay;
    struct rerun rerun = {
        .replay = replay,
        .source = &analysis.source,
        .seat = seat,
        .turn = FORFEIT_NOT_KNOWN,
        .memory_bytes_max = analysis.play.rules.memory_bytes,
        .clock = {.turn_ms = analysis.turn_ms, .start_ms = replay->terms.clock.start_ms},
        .patience = PATIENCE,
        .tells_played = true,
        .answer_fn = take_answer};
    int status = COMMAND_DONE;

    for (size_t i = 0; i < replay->decision_count; i++)
        if (replay->decisions[i].seat == seat && !replay->decisions[i].by_arena)
            rerun.turn = (int64_t)i;
    if (rerun.turn == FORFEIT_NOT_KNOWN) /* the bot forfeited before its first decision */
        return COMMAND_DONE;
    analysis.seat = seat;
    rerun_run(&rerun, analysis.room.sandbox);
    if (rerun.outcome == RERUN_BROKEN && rerun.failure.error == EINTR)
        status = command_fail("stopped before the analysis was complete");
    else if (rerun.outcome == RERUN_BROKEN && rerun.failure.step)
        status = command_fail("%s could not be run: %s: %s", analysis.bot, rerun.failure.step,
                              strerror(rerun.failure.error));
    else if (rerun.outcome == RERUN_BROKEN)
        status =
            command_fail("%s: %s", analysis.path, *rerun.error ? rerun.error : strerror(ENOMEM));
    else if (rerun.outcome != RERUN_ANSWERED)
        status =
            command_fail("%s failed at turn %" PRId64 ": %s: %s", analysis.bot, rerun.forfeit->turn,
                         wire_reason_name(rerun.forfeit->reason), rerun.forfeit->words);
    rerun_finish(&rerun);
    return status;
}

/* Returns true if the user wants to know about the decisions of a seat. */
static bool is_wanted(int seat)
{
    return (!options_given("seat") || analysis.wanted == seat) &&
           (!analysis.player || strcmp(analysis.player, analysis.replay.bots[seat].name) == 0);
}

static int ask_about_game(void)
{
    int status = COMMAND_DONE, asked_count = 0;
    bool is_known = false;

    memset(analysis.opinions, 0, sizeof analysis.opinions);
    for (int seat = 0; seat < analysis.replay.terms.player_count && status == COMMAND_DONE; seat++)
        if (is_wanted(seat)) {
            status = ask_about_seat(seat);
            asked_count++;
        }
    if (asked_count == 0 && analysis.summary) /* of many games, some are others' */
        return COMMAND_DONE;
    if (asked_count == 0)
        return command_refuse("%s: --seat or --player names no player of this match: `arena replay "
                              "%s` lists the players",
                              analysis.path, analysis.path);
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    for (size_t i = 0; i < analysis.replay.decision_count; i++)
        is_known = is_known || analysis.opinions[i].is_known;
    if (status == COMMAND_DONE && !is_known)
        status = command_refuse("%s: this bot's answers do not say how many points the bot expects "
                                "(docs/protocol.md): name another bot, or leave out --bot",
                                analysis.bot);
    return status;
}

/* ---- what it says ---- */

static void write_words(FILE *text, const struct judgement *judgement)
{
    double lost = in_points(judgement_lost(judgement));

    fprintf(text, "%5" PRId64 "  -%.1f  lead %+.1f  ", judgement->turn, lost,
            in_points(judgement->expected));
    plain_text_printf(text, "%s ", analysis.replay.bots[judgement->done.seat].name);
    words_effect(text, &judgement->done);
    fprintf(text, "\n       better: lead %+.1f  ", in_points(judgement->best_expected));
    words_effect(text, &judgement->better);
    fputc('\n', text);
}

/* Stores the judgement of a decision. Returns false if there is none. */
static bool judge(const struct match *match, const struct replay_decision *decision,
                  struct judgement *judgement)
{
    const struct opinion *opinion = &analysis.opinions[match->decision_count];

    *judgement = (struct judgement){.turn = (int64_t)match->decision_count,
                                    .expected = opinion->expected,
                                    .best_expected = opinion->best_expected};
    return opinion->is_known && effect_of(&match->game, decision->action, &judgement->done) &&
           effect_of(&match->game, opinion->best, &judgement->better);
}

static void add_decision(void *context, struct match *match, const struct replay_decision *decision)
{
    struct judgement judgement;

    if (!decision || !judge(match, decision, &judgement))
        return;
    json_array_append_new(analysis.listed,
                          columns_row_json(&decision_columns, &judgement, NULL, READER_ORGANIZER));
    if (judgement_lost(&judgement) >= MISTAKE_POINTS * 100)
        write_words(analysis.text, &judgement);
}

static void print_seats(void)
{
    const struct replay *replay = &analysis.replay;

    plain_text_printf(stdout, "%s: %s, %" PRId64 " ms a decision\n", analysis.path,
                      analysis.source.manifest.name, analysis.turn_ms);
    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        int64_t sum = 0;
        int count = 0;

        if (!is_wanted(seat))
            continue;
        for (size_t i = 0; i < replay->decision_count; i++)
            if (replay->decisions[i].seat == seat && analysis.opinions[i].is_known) {
                sum += (int64_t)analysis.opinions[i].best_expected - analysis.opinions[i].expected;
                count++;
            }
        plain_text_printf(stdout,
                          "seat %d, %s: %d point%s; %d decision%s of the seat cost %.1f points\n",
                          seat, replay->bots[seat].name, replay->result.scores[seat],
                          plain_text_s(replay->result.scores[seat]), count, plain_text_s(count),
                          (double)sum / 100);
    }
}

/*
 * Writes the analysis of a stored game to the home folder; the site shows the analysis from the
 * next publication on.
 */
static int keep(const json_t *json)
{
    char home[PATH_MAX], season[STORE_NAME_BYTES_MAX + 1], *path, *text;
    int group, rotation, error = -ENOMEM;

    if (access(analysis.path, F_OK) == 0 ||
        !store_game_id_parse(analysis.path, season, &group, &rotation) ||
        home_find(store_option_home, home) < 0)
        return COMMAND_DONE;
    strncat(home, "/" ANALYSES, sizeof home - strlen(home) - 1);
    text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(8));
    if (text && asprintf(&path, "%s/%s.json", home, analysis.path) >= 0) {
        error = home_create(home);
        if (!error)
            error = place_write_over(path, text, strlen(text), NULL);
        free(path);
    }
    free(text);
    return error ? command_fail("%s: the analysis of game %s cannot be written: %s%s", home,
                                analysis.path, strerror(-error), place_cure(error))
                 : COMMAND_DONE;
}

/* Takes over the reference. */
static int write_out(json_t *json, const char *words, const uint8_t *bytes, size_t size)
{
    bool whole = !options_given("seat") && !analysis.player;
    int status = whole ? keep(json) : COMMAND_DONE;

    if (analysis.wanted_games) {
        json_decref(json);
        return status;
    }
    if (analysis.html && status == COMMAND_DONE)
        status =
            game_output_page(&analysis.replay, bytes, size, analysis.path, json, analysis.html);
    if (options_json)
        return command_print_json(json);
    json_decref(json);
    print_seats();
    fputs(*words
              ? "decisions that cost 3 points or more, with the lead at the end that is expected "
                "for the seat that decides:\n"
              : "no decision cost 3 points\n",
          stdout);
    fputs(words, stdout);
    return status;
}

/* Tells of one game. */
static int report(const uint8_t *bytes, size_t size)
{
    char error[REPLAY_ERROR_BYTES], *words = NULL;
    size_t words_bytes;
    json_t *json;
    int status = COMMAND_DONE;

    analysis.listed = json_array();
    json = json_pack("{s:s, s:s, s:I, s:o}", "match", analysis.replay.terms.id, "analyst",
                     analysis.source.manifest.name, "turn_ms", (json_int_t)analysis.turn_ms,
                     "decisions", analysis.listed);
    analysis.text = memory_stream(&words, &words_bytes);
    if (replay_verify(&analysis.replay, add_decision, NULL, error) < 0)
        status = command_fail("%s: %s", analysis.path, error);
    memory_stream_end(analysis.text);
    if (status == COMMAND_DONE)
        status = write_out(json, words, bytes, size);
    else
        json_decref(json);
    free(words);
    return status;
}

/* ---- a summary of many games ---- */

static void add_to_player(void *context, struct match *match,
                          const struct replay_decision *decision)
{
    struct mistakes *player = context;
    struct judgement judgement;

    if (decision && decision->seat == analysis.seat && judge(match, decision, &judgement))
        mistakes_add(player, &judgement, analysis.path, &match->game);
}

/* Returns the sums of a player, from its first game on; NULL if memory runs out. */
static struct mistakes *player_of(const char *name)
{
    struct mistakes player = {0};

    for (int i = 0; i < analysis.player_count; i++)
        if (strcmp(analysis.players[i].player, name) == 0)
            return &analysis.players[i];
    snprintf(player.player, sizeof player.player, "%s", name);
    if (array_add(&analysis.players, &analysis.player_count, &player, sizeof player) < 0)
        return NULL;
    return &analysis.players[analysis.player_count - 1];
}

/* Adds a name to analysis.names, unless it is there. */
static void list_name(const char *name)
{
    const size_t length = strlen(name), used = strlen(analysis.names);

    for (const char *at = analysis.names; length > 0 && (at = strstr(at, name)); at += length)
        if ((at == analysis.names || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0'))
            return;
    snprintf(analysis.names + used, sizeof analysis.names - used, "%s%s", used ? ", " : "", name);
}

/* Adds the game to the sums, a seat at a time: two seats may have one name. */
static int add_game(void)
{
    char error[REPLAY_ERROR_BYTES];
    struct mistakes *player;

    for (int seat = 0; seat < analysis.replay.terms.player_count; seat++) {
        list_name(analysis.replay.bots[seat].name);
        if (!is_wanted(seat))
            continue;
        analysis.seat = seat;
        player = player_of(analysis.replay.bots[seat].name);
        if (!player)
            return command_fail("%s: out of memory", analysis.path);
        if (replay_verify(&analysis.replay, add_to_player, player, error) < 0)
            return command_fail("%s: %s", analysis.path, error);
        mistakes_end_game(player);
    }
    return COMMAND_DONE;
}

static int print_summary(void)
{
    if (analysis.player_count == 0)
        return command_refuse("--summary: no game has a player that --seat or --player names; the "
                              "games have %s",
                              analysis.names);
    if (options_json)
        return command_print_json(
            json_pack("{s:s, s:I, s:o}", "analyst", analysis.source.manifest.name, "turn_ms",
                      (json_int_t)analysis.turn_ms, "players",
                      columns_json(&mistakes_columns,
                                   &(struct columns_rows){.rows = analysis.players,
                                                          .row_bytes = sizeof *analysis.players,
                                                          .count = analysis.player_count},
                                   READER_ORGANIZER)));
    plain_text_printf(stdout, "by the estimate of %s, %" PRId64 " ms a decision\n",
                      analysis.source.manifest.name, analysis.turn_ms);
    for (int i = 0; i < analysis.player_count; i++) {
        putchar('\n');
        mistakes_print(stdout, &analysis.players[i]);
    }
    return COMMAND_DONE;
}

/* ---- the games ---- */

static int analyse_game(void)
{
    char error[REPLAY_ERROR_BYTES];
    uint8_t *bytes;
    size_t size;
    int status = game_output_read(analysis.path, &bytes, &size);

    if (status != COMMAND_DONE)
        return status;
    if (replay_unpack(&analysis.replay, bytes, size, error) < 0) {
        status = command_refuse("%s: %s", analysis.path, error);
    } else {
        status = ask_about_game() ?: analysis.summary ? add_game() : report(bytes, size);
        replay_finish(&analysis.replay);
    }
    free(bytes);
    return status;
}

static int is_replay(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name), ending = strlen(".replay");

    return length > ending && strcmp(entry->d_name + length - ending, ".replay") == 0;
}

static bool is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Analyses the replays of a folder, in the order of their names. */
static int analyse_folder(const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_replay, alphasort), status = COMMAND_DONE;
    char *path;

    if (count < 0)
        return command_refuse_errno(errno, "%s: cannot be read: %s", folder, strerror(errno));
    if (count == 0)
        status = command_refuse("%s: the folder has no file *.replay: `arena match --replays` and "
                                "`arena export` write them",
                                folder);
    for (int i = 0; i < count; i++) {
        if (status == COMMAND_DONE && asprintf(&path, "%s/%s", folder, entries[i]->d_name) >= 0) {
            analysis.path = path;
            status = analyse_game();
            free(path);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* ---- games that nobody has asked about: for the daemon (site/wishes.h) ---- */

static int is_analysis(const struct dirent *entry)
{
    return strstr(entry->d_name, ".json") != NULL;
}

struct kept {
    struct timespec time;
    char name[NAME_MAX + 1];
};

static int compare_kept(const void *a, const void *b)
{
    const struct timespec *left = &((const struct kept *)a)->time;
    const struct timespec *right = &((const struct kept *)b)->time;

    return left->tv_sec != right->tv_sec
               ? (left->tv_sec > right->tv_sec) - (left->tv_sec < right->tv_sec)
               : (left->tv_nsec > right->tv_nsec) - (left->tv_nsec < right->tv_nsec);
}

/* Removes the oldest analyses beyond KEPT_MAX: the same command makes them again. */
static void drop_oldest(const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_analysis, NULL), kept_count = 0;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct kept *kept = count > KEPT_MAX ? calloc((size_t)count, sizeof *kept) : NULL;
    struct stat status;

    for (int i = 0; i < count; i++) {
        if (kept && fstatat(fd, entries[i]->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
            kept[kept_count].time = status.st_mtim;
            strcpy(kept[kept_count++].name, entries[i]->d_name);
        }
        free(entries[i]);
    }
    if (kept_count > 0)
        qsort(kept, (size_t)kept_count, sizeof *kept, compare_kept);
    for (int i = 0; i < kept_count - KEPT_MAX; i++)
        unlinkat(fd, kept[i].name, 0);
    if (fd >= 0)
        close(fd);
    free(kept);
    free(entries);
}

/*
 * Analyses the games that the last publication wished to have analysed, for WANTED_S, and prints
 * how many. A game that cannot be analysed does not keep the next one from it.
 */
static int analyse_wanted(void)
{
    const int64_t end_us = clock_now_us() + WANTED_S * INT64_C(1000000);
    char home[PATH_MAX], folder[PATH_MAX + 16], path[2 * PATH_MAX], id[STORE_GAME_ID_BYTES + 2];
    FILE *list;
    int count = 0;

    if (home_find(store_option_home, home) < 0)
        return command_refuse("--wanted: no home folder: name one with --home");
    snprintf(folder, sizeof folder, "%s/" ANALYSES, home);
    snprintf(path, sizeof path, "%s/" WISHES_FILE, folder);
    list = fopen(path, "re");
    while (list && clock_now_us() < end_us && fgets(id, sizeof id, list)) {
        id[strcspn(id, "\n")] = '\0';
        snprintf(path, sizeof path, "%s/%s.json", folder, id);
        if (!*id || access(path, F_OK) == 0)
            continue;
        analysis.path = id;
        count += analyse_game() == COMMAND_DONE;
    }
    if (list)
        fclose(list);
    if (count == 0)
        return COMMAND_DONE;
    drop_oldest(folder);
    plain_text_printf(stdout, "%d game%s analysed\n", count, plain_text_s(count));
    return COMMAND_DONE;
}

static const struct option options[] = {
    {"summary", NULL,
     "over all games: points lost by kind of mistake and round, and the ten worst decisions",
     .flag = &analysis.summary, .excludes = "html"},
    {"bot", "BOT", "the bot to be asked: a folder, an executable, or a name (maestro)",
     .text = &analysis.bot},
    {"turn", "MS", "time for each decision (200)", .number = &analysis.turn_ms, .minimum = 1,
     .maximum = 60000, .unit = "ms"},
    {"html", "FILE", "write the game's page with the analysis; - is standard output",
     .text = &analysis.html, .excludes = "json"},
    {"wanted", NULL,
     "no GAME: those that `arena publish --wishes` has listed, for half a minute, at the lowest "
     "priority",
     .flag = &analysis.wanted_games, .excludes = "summary html json seat player"},
    OPTION_JSON("one JSON object for each game, or for the summary"),
    {"seat", "N", "only decisions of seat N, 0 to 3", .count = &analysis.wanted,
     .maximum = GAME_PLAYERS_MAX - 1, .excludes = "html"},
    {"player", "NAME", "only decisions of bots with this name", .text = &analysis.player,
     .excludes = "html"},
    PLAY_OPTION_MEMORY(&analysis.play),
    PLAY_OPTION_REQUIRE(&analysis.play),
    STORE_OPTIONS};

static int run(int argc, char **argv)
{
    int status;

    if (analysis.html && argc > 1)
        return command_refuse("--html: takes one game, not %d", argc);
    if (analysis.wanted_games ? argc > 0 : argc == 0)
        return command_refuse("analyse: %s", argc ? "--wanted takes no games: leave them out"
                                                  : "name one game or several");
    if (analysis.wanted_games) /* nobody waits for it */
        sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
    status =
        bot_room_open(&analysis.room, &analysis.play)
            ?: bot_argument_open(&analysis.source, analysis.bot, &analysis.room, 0, &analysis.play);
    if (analysis.wanted_games && status == COMMAND_DONE)
        status = analyse_wanted();
    for (int i = 0; i < argc && status == COMMAND_DONE; i++) {
        analysis.path = argv[i];
        status = is_folder(argv[i]) ? analyse_folder(argv[i]) : analyse_game();
    }
    if (analysis.summary && status == COMMAND_DONE)
        status = print_summary();
    free(analysis.players);
    source_close(&analysis.source);
    bot_room_close(&analysis.room);
    return status;
}

const struct command_line command_analyse = {
    .name = "analyse",
    .usage = "GAME ... [--summary] [--bot BOT] [--turn MS] [--seat N] [--player NAME] "
             "[--html FILE | --json]\n--wanted [--bot BOT] [--turn MS]",
    .about = "Asks a bot about each decision of a finished game: what the bot would have played, "
             "and how many points the decision cost by the bot's estimate. GAME is a replay's "
             "file, a folder of them, or the id of a season's game, as `arena games` lists it; the "
             "page of a season's game on the site shows the analysis from the next publication "
             "on.",
    .options = options,
    .most = 1000,
    .arguments = "name one game or several",
    .run_fn = run};
