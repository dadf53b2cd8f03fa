/* SPDX-License-Identifier: MIT */
/* arena rate: computes ratings from a file of games, without a store or a season. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/json.h"
#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/rating/csv.h"
#include "arena/rating/elo.h"
#include "arena/rating/fit.h"
#include "arena/base/plain_text.h"
#include "arena/report/columns.h"

static struct rate {
    double prior_elo;
    bool live;
    double k_min;
    struct csv csv;
    struct fit fit;
    struct elo_bot *elo; /* live ratings by bot, with --live */
    int *order;          /* numbers of the bots, sorted as the command prints them */
} rate = {.prior_elo = FIT_PRIOR_ELO};

/*
 * Reads a file, up to its first NUL, which no CSV contains. Returns 0 or -errno. The caller frees
 * *text even after an error.
 */
static int read_file(const char *path, char **text, size_t *size_bytes)
{
    FILE *file = fopen(path, "re");
    size_t room = 0;
    ssize_t got;
    int error;

    if (!file)
        return -errno;
    got = getdelim(text, &room, '\0', file);
    error = got < 0 && !feof(file) ? -errno : 0;
    *size_bytes = got > 0 ? (size_t)got : 0;
    fclose(file);
    return error;
}

static int load(const char *path)
{
    struct csv_error wrong;
    char *text = NULL;
    size_t size_bytes;
    int result = COMMAND_DONE;
    int error = read_file(path, &text, &size_bytes);

    if (error < 0)
        result = command_refuse_errno(-error, "cannot read %s: %s", path, strerror(-error));
    else if ((error = csv_read(text, size_bytes, &rate.csv, &wrong)) == -EINVAL)
        result = command_refuse("%s:%lld: %s", path, (long long)wrong.line, wrong.message);
    else if (error < 0)
        result = command_fail("%s", strerror(-error));
    free(text);
    return result;
}

static double shown_elo(int bot)
{
    return rate.live ? (double)rate.elo[bot].rating_micro / 1e6 : rate.fit.bots[bot].elo;
}

/* Computes the ratings and sorts the bots by rating, then by name. */
static int compute(void)
{
    const struct games *games = &rate.csv.games;
    size_t count = (size_t)games->bot_count;
    int error = fit_init(&rate.fit, games, rate.prior_elo);

    rate.elo = calloc(count + 1, sizeof *rate.elo);
    rate.order = calloc(count + 1, sizeof *rate.order);
    if (error < 0 || !rate.elo || !rate.order)
        return command_fail("%s", strerror(ENOMEM));
    if (rate.live) {
        elo_rate(games, rate.csv.previous, rate.k_min, rate.elo, NULL, NULL);
        elo_order(rate.elo, games->bot_count, rate.order);
    } else {
        fit_order(&rate.fit, rate.order);
    }
    return COMMAND_DONE;
}

/* Returns the share of points that a bot won of all points it played for, 0..1. */
static double score(const struct games_bot *bot)
{
    return bot->pair_count > 0 ? (double)bot->halves / (2 * (double)bot->pair_count) : 0;
}

/*
 * Adds a note that ends with sets of bots: " A B | C". Within a set, each bot took points from
 * every other, directly or through bots in between.
 */
static void add_sets(json_t *notes, const char *words, const int *sets, int set_count,
                     const char *end)
{
    struct json_words note;
    FILE *stream = json_words_begin(&note);

    fputs(words, stream);
    for (int set = 0; set < set_count; set++) {
        fputs(set > 0 ? " |" : "", stream);
        for (int i = 0; i < rate.fit.bot_count; i++)
            if (sets[i] == set)
                fprintf(stream, " %s", rate.csv.names[i]);
    }
    fputs(end, stream);
    json_array_append_new(notes, json_words_end(&note));
}

/* Returns remarks for the user as an array of strings. */
static json_t *make_notes(void)
{
    const struct fit *fit = &rate.fit;
    json_t *notes = json_array();

    if (rate.csv.games.game_count == 0)
        json_array_append_new(notes, json_string("no games"));
    if (fit->prior_replaced && rate.csv.games.game_count > 0)
        json_array_append_new(
            notes, json_sprintf("without a prior some bots have no finite rating: the ratings use "
                                "a prior of %g Elo",
                                fit->prior_elo));
    if (fit->errors_modelled && rate.csv.games.game_count > 0)
        json_array_append_new(notes,
                              json_string("only one group of games, whose results show no scatter: "
                                          "the standard errors come from the rating model alone"));
    if (fit->links.island_count > 1)
        add_sets(notes, "no chain of games connects these sets of bots:", fit->links.islands,
                 fit->links.island_count, "");
    if (fit->links.set_count > 1)
        add_sets(
            notes,
            "these sets of bots took points from each other in one direction only, or not at all:",
            fit->links.sets, fit->links.set_count,
            "; the prior decides how far apart the sets are");
    return notes;
}

static json_t *make_flags(unsigned flags)
{
    json_t *names = json_array();

    for (unsigned flag = 1; flag <= flags; flag <<= 1)
        if (flags & flag)
            json_array_append_new(names, json_string(fit_flag_name((enum fit_flag)flag)));
    return names;
}

static json_t *bot_json(int i)
{
    const struct games_bot *bot = &rate.csv.games.bots[i];
    const struct fit_bot *fitted = &rate.fit.bots[i];
    json_t *row =
        json_pack("{s:s, s:f, s:I, s:f, s:o}", "bot", rate.csv.names[i], "elo",
                  decimals_round(shown_elo(i), 6), "games", (json_int_t)bot->game_count, "score",
                  decimals_round(score(bot), 6), "flags", make_flags(fitted->flags));
    json_t *errors =
        rate.live ? NULL
                  : json_pack("{s:f, s:f, s:o, s:f}", "se", decimals_round(fitted->se_elo, 6),
                              "se_model", decimals_round(fitted->se_model_elo, 6), "se_clustered",
                              rate.fit.errors_modelled
                                  ? json_null()
                                  : json_real(decimals_round(fitted->se_clustered_elo, 6)),
                              "error95", decimals_round(FIT_ERROR95 * fitted->se_elo, 6));

    json_object_update(row, errors);
    json_decref(errors);
    return row;
}

static int print_json(json_t *notes)
{
    json_t *bots = json_array();

    for (int at = 0; at < rate.fit.bot_count; at++)
        json_array_append_new(bots, bot_json(rate.order[at]));
    return command_print_json(json_pack("{s:o, s:I, s:I, s:O}", "bots", bots, "games",
                                        (json_int_t)rate.csv.games.game_count, "groups",
                                        (json_int_t)rate.csv.games.group_count, "notes", notes));
}

static void print_row(int at, int width)
{
    const struct fit *fit = &rate.fit;
    int i = rate.order[at];
    const struct games_bot *bot = &rate.csv.games.bots[i];
    const char *name = rate.csv.names[i];
    char ranks[32];

    if (rate.live || fit->bots[i].rank_best == fit->bots[i].rank_worst)
        snprintf(ranks, sizeof ranks, "%d", rate.live ? at + 1 : fit->bots[i].rank_best);
    else
        snprintf(ranks, sizeof ranks, "%d-%d", fit->bots[i].rank_best, fit->bots[i].rank_worst);
    plain_text_printf(stdout, "%9s  %-*s %9.2f", ranks, width, name,
                      decimals_round(shown_elo(i), 2));
    if (!rate.live)
        printf(" %8.2f ", decimals_round(FIT_ERROR95 * fit->bots[i].se_elo, 2));
    if (!rate.live && at + 1 < fit->bot_count)
        printf("%5.1f", decimals_round(100 * fit_los(fit, i, rate.order[at + 1]), 1));
    else if (!rate.live)
        plain_text_printf(stdout, "%5s", "");
    printf(" %9lld %9lld %6.2f ", (long long)bot->game_count, (long long)bot->group_count,
           decimals_round(100 * score(bot), 2));
    for (unsigned flag = 1; flag <= fit->bots[i].flags; flag <<= 1)
        if (fit->bots[i].flags & flag)
            plain_text_printf(stdout, " %s",
                              flag == FIT_PROVISIONAL ? "?" : fit_flag_name((enum fit_flag)flag));
    putchar('\n');
}

static void print_table(const json_t *notes)
{
    const struct games *games = &rate.csv.games;
    int width = 4;

    for (int i = 0; i < rate.fit.bot_count; i++) {
        int columns = (int)plain_text_columns(rate.csv.names[i], strlen(rate.csv.names[i]));

        width = columns > width ? columns : width;
    }
    plain_text_printf(stdout, "%9s  %-*s %9s", "rank", width, "name", "elo");
    if (!rate.live)
        plain_text_printf(stdout, " %8s %5s", "+-", "los%");
    plain_text_printf(stdout, " %9s %9s %6s\n", "games", "groups", "score%");
    for (int at = 0; at < rate.fit.bot_count; at++)
        print_row(at, width);
    printf("\n%lld game%s in %lld group%s; ", (long long)games->game_count,
           plain_text_s(games->game_count), (long long)games->group_count,
           plain_text_s(games->group_count));
    if (games->pair_count > 0)
        printf("%.1f %% of pairs tied; ",
               50 * (double)games->tie_halves / (double)games->pair_count);
    if (rate.fit.prior_elo == FIT_PRIOR_NONE)
        fputs("no prior; ", stdout);
    else
        printf("prior %g Elo; ", rate.fit.prior_elo);
    puts(rate.live ? "live list around 1500" : "mean of all bots at 0");
    for (size_t i = 0; i < json_array_size(notes); i++)
        plain_text_printf(stdout, "note: %s\n", json_string_value(json_array_get(notes, i)));
}

/* ---- the command ---- */

static int take_prior(void *context, const char *text)
{
    double *prior_elo = context;
    char *end;

    if (strcmp(text, "none") == 0) {
        *prior_elo = FIT_PRIOR_NONE;
        return COMMAND_DONE;
    }
    *prior_elo = strtod(text, &end);
    if (end == text || *end || !(*prior_elo >= FIT_PRIOR_MIN && *prior_elo <= FIT_PRIOR_MAX))
        return command_refuse("--prior %s: is neither none nor a number from %g to %g", text,
                              FIT_PRIOR_MIN, FIT_PRIOR_MAX);
    return COMMAND_DONE;
}

static const struct option options[] = {
    {"prior", "SD", "standard deviation of the prior in Elo (350), or none", .take_fn = take_prior,
     .context = &rate.prior_elo},
    {"live", NULL,
     "live ratings, updated after each group of games, around 1500, without standard errors; not "
     "final ratings, from all games at once, around 0",
     .flag = &rate.live},
    {"k-min", "K",
     "with --live: smallest K factor, the most points that one result moves a bot (0)",
     .real = &rate.k_min, .maximum = 1000, .needs = "live"},
    OPTION_JSON("one JSON object"),
    {0}};

static int run(int argc, char **argv)
{
    int status = load(argv[0]);

    if (status == COMMAND_DONE)
        status = compute();
    if (status == COMMAND_DONE) {
        json_t *notes = make_notes();

        if (options_json)
            status = print_json(notes);
        else
            print_table(notes);
        json_decref(notes);
    }
    free(rate.elo);
    free(rate.order);
    fit_finish(&rate.fit);
    csv_finish(&rate.csv);
    return status;
}

const struct command_line command_rate = {
    .name = "rate",
    .usage = "FILE.csv [--prior SD|none] [--live [--k-min K]] [--json]",
    .about = "Computes ratings from a file of games in one of two forms:\n"
             "  game,group,player,seat,rank                one row per seat; a column previous\n"
             "                                             may name the player's older version\n"
             "  first,second,first_wins,draws,second_wins  one row per pair of players; each\n"
             "                                             game is a group of its own",
    .options = options,
    .least = 1,
    .arguments = "name one file of games",
    .run_fn = run};
