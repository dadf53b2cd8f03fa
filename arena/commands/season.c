/* arena season: creates seasons, shows them, and changes them during or between runs. */
#include "arena/commands/season.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"
#include "arena/commands/store_option.h"
#include "arena/replay/json.h"
#include "arena/replay/plain_text.h"
#include "arena/season/season.h"
#include "arena/store/leases.h"

enum {
    BUDGET_DEFAULT = 1000,
    BUDGET_MAX = 1000000000,
    WAIT_S_DEFAULT = 60,
    WAIT_S_MAX = 1000000,
    ROSTER_NAMES_MAX = 2048,
    GIVING_UP_US = 5000000, /* time that a run needs to stop its bots */
    LOOK_NS = 200000000,    /* pause between two checks whether the season is being played */
    WHO_BYTES = 1024,
};

/* ---- seasons as JSON and text ---- */

static const char *const board_names[] = {"colored", "gray", "both", NULL};

static const char keep_forfeits[] = "forfeits+";

int season_take_keep(void *context, const char *text)
{
    struct store_season *terms = context;

    terms->prunes = strncmp(text, keep_forfeits, strlen(keep_forfeits)) == 0;
    terms->keep_games = 0;
    if (terms->prunes
            ? !options_number(text + strlen(keep_forfeits), 0, STORE_KEEP_MAX, &terms->keep_games)
            : strcmp(text, "all") != 0)
        return command_refuse("--keep %s: is neither all nor forfeits+N, such as forfeits+1000",
                              text);
    return COMMAND_DONE;
}

void season_write_keep(const struct store_season *terms, char text[static SEASON_KEEP_BYTES])
{
    if (terms->prunes)
        snprintf(text, SEASON_KEEP_BYTES, "%s%lld", keep_forfeits, (long long)terms->keep_games);
    else
        snprintf(text, SEASON_KEEP_BYTES, "all");
}

static json_t *players_json(const struct store_season *season)
{
    return replay_json_ints(season->player_counts, season->player_count_count);
}

static void write_players(const struct store_season *season, char text[static 8])
{
    size_t length = 0;

    for (int i = 0; i < season->player_count_count; i++)
        length +=
            (size_t)snprintf(text + length, 8 - length, i ? ",%d" : "%d", season->player_counts[i]);
}

static json_t *terms_json(const struct store_season *season)
{
    char keep[SEASON_KEEP_BYTES];

    season_write_keep(season, keep);
    return json_pack(
        "{s:s, s:o, s:s, s:o, s:I, s:b, s:s, s:s, s:s, s:b, s:I, s:b, s:b, s:o, s:s, s:o, s:o, "
        "s:o}",
        "season", season->name, "players", players_json(season), "board",
        board_names[season->board], "clock", replay_json_clock(&season->clock), "budget",
        (json_int_t)season->budget_games, "until_decided", season->until_decided, "authors",
        season->authors_free ? "free" : "apart", "keep", keep, "stderr",
        season->publishes_errors ? "publish" : "private", "practice", season->is_practice,
        "memory_mib", (json_int_t)(season->play.memory_bytes >> 20), "freeze", season->play.freeze,
        "pin", season->play.pin, "same_cpu",
        season->same_cpu ? json_string(season->processor) : json_null(), "require",
        play_options_tiers[season->play.tier], "created", command_time(season->created_us),
        "closing", command_time(season->closing_us), "closed", command_time(season->closed_us));
}

static const char *state_name(const struct store_season *season)
{
    return season->closed_us ? "closed" : season->closing_us ? "being closed" : "open";
}

/*
 * Returns an opening as JSON. Includes the seed if the opening is closed, or if the operator gave
 * the seed, which is then not secret.
 */
static json_t *opening_json(const struct store_opening *opening)
{
    bool known = opening->closed_us || opening->by_hand;

    return json_pack("{s:s, s:o, s:b, s:o, s:o}", "commitment", opening->commitment, "seed",
                     known ? replay_json_hex(opening->seed, sizeof opening->seed) : json_null(),
                     "secret", !opening->by_hand, "opened", command_time(opening->opened_us),
                     "closed", command_time(opening->closed_us));
}

static int add_opening(void *context, const struct store_opening *opening)
{
    return json_array_append_new(context, opening_json(opening));
}

static int print_opening(void *context, const struct store_opening *opening)
{
    char seed[SEED_DIGITS + 1];

    seed_write(opening->seed, seed);
    plain_text_printf(stdout, "commitment  %s (SHA-256 of the seed's bytes)\n",
                      opening->commitment);
    if (opening->by_hand)
        plain_text_printf(stdout, "seed        %s, given by hand: not secret\n", seed);
    else
        plain_text_printf(stdout, "seed        %s\n",
                          opening->closed_us ? seed : "secret until the season is closed");
    return 0;
}

static int add_season(void *context, const struct store_season *season)
{
    return json_array_append_new(context, terms_json(season));
}

static int print_season(void *context, const struct store_season *season)
{
    char players[8];
    int *count = context;

    if (++*count == 1)
        plain_text_printf(stdout, "%-24s %-8s %-8s %10s  %s\n", "season", "players", "board",
                          "budget", "state");
    write_players(season, players);
    plain_text_printf(stdout, "%-24s %-8s %-8s %10lld  %s\n", season->name, players,
                      board_names[season->board], (long long)season->budget_games,
                      state_name(season));
    return 0;
}

static void print_show(const struct season *season)
{
    const struct store_season *terms = &season->terms;
    char players[8], keep[SEASON_KEEP_BYTES];

    write_players(terms, players);
    plain_text_printf(stdout, "season      %s, %s\n", terms->name, state_name(terms));
    plain_text_printf(stdout, "tables      %s players, %s board%s\n", players,
                      board_names[terms->board], terms->board == STORE_BOARD_BOTH ? "s" : "");
    printf("clock       turn %lld ms, bank %lld ms, gain %lld ms, start %lld ms\n",
           (long long)terms->clock.turn_ms, (long long)terms->clock.bank_ms,
           (long long)terms->clock.gain_ms, (long long)terms->clock.start_ms);
    plain_text_printf(stdout, "games       %lld played, %lld scheduled, budget %lld%s\n",
                      (long long)season->schedule.played_count,
                      (long long)season->schedule.game_count, (long long)terms->budget_games,
                      terms->until_decided ? " or until decided" : "");
    season_write_keep(terms, keep);
    if (terms->prunes || terms->is_practice || terms->publishes_errors)
        plain_text_printf(stdout, "terms       replays kept: %s%s%s\n", keep,
                          terms->publishes_errors ? "; stderr of forfeits published" : "",
                          terms->is_practice ? "; practice, with names" : "");
    printf("bots        %d in %d batches, %d groups\n", season->roster.count,
           season->schedule.batch_count, season->schedule.group_count);
    store_openings_each(season->store, terms->id, print_opening, NULL);
}

static int print_show_json(const struct season *season)
{
    json_t *shown = terms_json(&season->terms);
    json_t *openings = json_array();

    store_openings_each(season->store, season->terms.id, add_opening, openings);
    json_object_set_new(shown, "played", json_integer(season->schedule.played_count));
    json_object_set_new(shown, "scheduled", json_integer(season->schedule.game_count));
    json_object_set_new(shown, "groups", json_integer(season->schedule.group_count));
    json_object_set_new(shown, "bots", json_integer(season->roster.count));
    json_object_set_new(shown, "openings", openings);
    return command_print_json(shown);
}

static int run_list(int argc, char **argv)
{
    bool json = false;
    const struct option options[] = {{"json", NULL, "one JSON object", .flag = &json},
                                     STORE_OPTIONS};
    const struct command_line line = {.name = "season list",
                                      .usage = "[--json]",
                                      .about = "Lists all seasons.",
                                      .options = options};
    json_t *seasons;
    struct store *store;
    int status, count = 0;

    if (!store_option_read(&line, &argc, argv, STORE_READ, &store, &status))
        return status;
    seasons = json_array();
    status = store_option_status(store, store_seasons_each(store, json ? add_season : print_season,
                                                           json ? (void *)seasons : &count));
    store_close(store);
    if (status == COMMAND_DONE && json)
        return command_print_json(json_pack("{s:o}", "seasons", seasons));
    json_decref(seasons);
    if (status == COMMAND_DONE && count == 0)
        puts("no seasons yet: `arena season new NAME` creates one");
    return status;
}

static int run_show(int argc, char **argv)
{
    bool json = false;
    const struct option options[] = {{"json", NULL, "one JSON object", .flag = &json},
                                     STORE_OPTIONS};
    const struct command_line line = {.name = "season show",
                                      .usage = "NAME [--json]",
                                      .about = "Shows a season's terms and progress.",
                                      .options = options,
                                      .least = 1,
                                      .arguments = "name one season"};
    struct season season;
    struct store *store;
    int status;

    if (!store_option_read(&line, &argc, argv, STORE_READ, &store, &status))
        return status;
    status = store_option_status(store, season_load(&season, store, argv[0]));
    if (status == COMMAND_DONE) {
        if (json)
            status = print_show_json(&season);
        else
            print_show(&season);
        season_finish(&season);
    }
    store_close(store);
    return status;
}

/* ---- new ---- */

/* Parses "2" or "4,2": digits from 2 to 4, each at most once, in any order. */
static int take_players(void *context, const char *text)
{
    struct store_season *terms = context;
    bool wanted[GAME_PLAYERS_MAX + 1] = {false};

    for (const char *at = text;; at += 2) {
        if (*at < '0' + GAME_PLAYERS_MIN || *at > '0' + GAME_PLAYERS_MAX || wanted[*at - '0'] ||
            (at[1] && at[1] != ','))
            return command_refuse("--players %s: is not a list of 2, 3 and 4, such as 2 or 2,3,4",
                                  text);
        wanted[*at - '0'] = true;
        if (!at[1])
            break;
    }
    terms->player_count_count = 0;
    for (int count = GAME_PLAYERS_MIN; count <= GAME_PLAYERS_MAX; count++)
        if (wanted[count])
            terms->player_counts[terms->player_count_count++] = count;
    return COMMAND_DONE;
}

/* Prints a note if the budget is used up before the opening stage ends. */
static int tell_opening_games(struct store *store, const struct store_season *terms, json_t *told)
{
    struct season season;
    int64_t games;
    int status = store_option_status(store, season_load(&season, store, terms->name));

    if (status != COMMAND_DONE)
        return status;
    games = season_opening_games(&season);
    if (games < 0)
        status = store_option_status(store, (int)games);
    else if (told)
        json_object_set_new(told, "opening_games", json_integer(games));
    else if (games > terms->budget_games)
        plain_text_printf(stdout,
                          "budget %lld games: too few for the opening stage of all table sizes, "
                          "which takes %lld with the %d bots there are: `arena season extend %s "
                          "--budget %lld`\n",
                          (long long)terms->budget_games, (long long)games, season.roster.count,
                          terms->name, (long long)(games - terms->budget_games));
    season_finish(&season);
    return status;
}

static int create(struct store_season *terms, const uint8_t *seed, bool json)
{
    struct store *store;
    int status = store_option_open(STORE_CREATE, &store);

    if (status != COMMAND_DONE)
        return status;
    status = store_option_status(store, season_create(store, terms, seed, store_option_now_us()));
    if (status == COMMAND_DONE && json) {
        json_t *told = terms_json(terms);

        status = tell_opening_games(store, terms, told);
        if (status == COMMAND_DONE)
            status = command_print_json(told);
        else
            json_decref(told);
    } else if (status == COMMAND_DONE) {
        plain_text_printf(stdout, "season %s is open: `arena season run %s` plays it\n",
                          terms->name, terms->name);
        store_openings_each(store, terms->id, print_opening, NULL);
        status = tell_opening_games(store, terms, NULL);
    }
    store_close(store);
    return status;
}

static int run_new(int argc, char **argv)
{
    static const char *const author_words[] = {"apart", "free", NULL};
    static const char *const error_words[] = {"private", "publish", NULL};
    struct play_options play = play_options_default;
    struct store_season terms = {
        .player_counts = {2}, .player_count_count = 1, .budget_games = BUDGET_DEFAULT};
    uint8_t seed[GAME_SEED_BYTES];
    unsigned authors = 0, errors = 0;
    bool json = false;
    const struct option options[] = {
        {"players", "LIST",
         "seats of a table, such as 2 or 2,3,4; with several sizes, groups take them in turn (2)",
         .take_fn = take_players, .context = &terms},
        {"board", "SIDE", "colored, gray, or both in turns (colored)",
         .word = (unsigned *)&terms.board, .words = board_names},
        PLAY_OPTION_CLOCK(&play),
        {"budget", "GAMES", "games to play in all, rounded up to whole groups (1000)",
         .number = &terms.budget_games, .minimum = 1, .maximum = BUDGET_MAX, .unit = "games"},
        {"until-decided", NULL, "end before that once the order of all neighbors is decided",
         .flag = &terms.until_decided},
        {"authors", "HOW",
         "apart: bots of one author do not meet where three or more authors take part, and never "
         "at a table of three or four; free: they may meet (apart)",
         .word = &authors, .words = author_words},
        {"keep", "WHICH",
         "replays: all; or forfeits+N: those of every forfeit and of the newest N other games, "
         "while results are kept in any case (all)",
         .take_fn = season_take_keep, .context = &terms},
        {"stderr", "HOW",
         "standard error of a bot that forfeits: private, for its author and the organizer; "
         "publish: on the site too (private)",
         .word = &errors, .words = error_words},
        {"practice", NULL,
         "a season that counts for nothing: bots are told names, and while rated seasons have "
         "games to play, a daemon gives it a tenth of the jobs",
         .flag = &terms.is_practice},
        {"seed", "HEX", "32 hex digits in place of secret randomness: for tests", .seed = seed},
        {"json", NULL, "one JSON object", .flag = &json},
        {.help = "how bots are run, as terms of the season"},
        {"same-cpu", NULL, "only machines with the processor model of the first to play it do",
         .flag = &terms.same_cpu},
        PLAY_OPTION_PIN(&play),
        PLAY_OPTION_FREEZE(&play),
        PLAY_OPTION_NO_FREEZE(&play),
        PLAY_OPTION_MEMORY(&play),
        PLAY_OPTION_REQUIRE(&play),
        STORE_OPTIONS};
    const struct command_line line = {
        .name = "season new",
        .usage = "NAME [OPTION ...]",
        .about = "Creates a season. It lets all bots that were submitted play each other, rates "
                 "them, and stops when its budget is spent.",
        .options = options,
        .least = 1,
        .arguments = "name one season"};
    int status;

    play.rules.freeze = true; /* bots must not think during the turns of other bots */
    if (!options_read(&line, &argc, argv, &status))
        return status;
    if (!store_name_is_valid(argv[0]))
        return command_refuse(
            "season new %s: a season's name is 1 to %d characters from a-z, 0-9, - and _", argv[0],
            STORE_NAME_BYTES_MAX);
    strcpy(terms.name, argv[0]);
    terms.authors_free = authors == 1;
    terms.publishes_errors = errors == 1;
    terms.clock = play.clock;
    terms.play = (struct store_play){.memory_bytes = play.rules.memory_bytes,
                                     .tier = (int)play.require,
                                     .freeze = play.rules.freeze,
                                     .pin = play.pin};
    return create(&terms, options_given("seed") ? seed : NULL, json);
}

/* ---- close, reopen and extend ---- */

/*
 * Returns 0 once no process here and no worker plays the season; -EBUSY and who plays it; or
 * another -errno. Claims the season if it can.
 */
static int look_who_plays(struct store *store, const struct store_season *season, bool *is_claimed,
                          char who[static WHO_BYTES])
{
    int held, error = *is_claimed ? 0 : store_season_claim(store, season->name);

    if (error) {
        snprintf(who, WHO_BYTES, "%s", store_failure(store));
        return error;
    }
    *is_claimed = true;
    held = store_leases_count(store, season->id);
    if (held > 0)
        snprintf(who, WHO_BYTES, "workers hold %d group%s of season %s", held, held == 1 ? "" : "s",
                 season->name);
    return held > 0 ? -EBUSY : held;
}

/*
 * Waits until nobody plays the season: its running games have ended, or were given up after
 * until_us. Returns 0, -EBUSY if somebody still plays the season, or another -errno.
 */
static int wait_for_games(int64_t wait_s, struct store *store, const struct store_season *season,
                          int64_t until_us)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    bool is_claimed = false;
    char who[WHO_BYTES];
    int error = look_who_plays(store, season, &is_claimed, who);

    if (error == -EBUSY && wait_s > 0)
        plain_text_printf(stderr,
                          "arena: %s: waiting %lld s at most for its games under way to end\n", who,
                          (long long)wait_s);
    while (error == -EBUSY && store_option_now_us() < until_us + GIVING_UP_US) {
        nanosleep(&pause, NULL);
        error = look_who_plays(store, season, &is_claimed, who);
    }
    return error;
}

/*
 * Closes a season in two steps. First, no more games begin. Then, when running games have ended or
 * were given up, the seed is published. The store refuses a game that ends even later, because its
 * opening is closed.
 */
static int close_season(int64_t wait_s, struct store *store, const struct store_season *season)
{
    int64_t until_us = store_option_now_us() + 1000000 * wait_s;
    int waited;
    int status = store_option_status(store, store_season_begin_close(store, season->id, until_us));

    if (status != COMMAND_DONE)
        return status;
    waited = wait_for_games(wait_s, store, season, until_us);
    if (waited && waited != -EBUSY)
        return store_option_status(store, waited);
    status =
        store_option_status(store, store_season_close(store, season->id, store_option_now_us()));
    if (status == COMMAND_DONE && waited == -EBUSY)
        plain_text_printf(stderr,
                          "arena: the process that plays season %s did not react; games that it "
                          "still plays are void\n",
                          season->name);
    return status;
}

static int run_close(int argc, char **argv)
{
    int64_t wait_s = WAIT_S_DEFAULT;
    const struct option options[] = {
        {"wait", "SECONDS",
         "how long to wait for games under way (60); those that have not ended by then are void",
         .number = &wait_s, .maximum = WAIT_S_MAX, .unit = "seconds"},
        STORE_OPTIONS};
    const struct command_line line = {
        .name = "season close",
        .usage = "NAME [--wait SECONDS]",
        .about = "Ends a season and publishes the seed from which its games follow.",
        .options = options,
        .least = 1,
        .arguments = "name one season"};
    struct store_season season;
    struct store *store;
    int status;

    if (!store_option_read_season(&line, &argc, argv, STORE_WRITE, &store, &season, &status))
        return status;
    status = close_season(wait_s, store, &season);
    if (status == COMMAND_DONE) {
        plain_text_printf(stdout, "season %s is closed: `arena ladder %s`\n", season.name,
                          season.name);
        store_openings_each(store, season.id, print_opening, NULL);
    }
    store_close(store);
    return status;
}

static int run_reopen(int argc, char **argv)
{
    int64_t more_games = 0;
    uint8_t seed[GAME_SEED_BYTES];
    const struct option options[] = {
        {"budget", "GAMES", "additional games", .number = &more_games, .minimum = 1,
         .maximum = BUDGET_MAX, .unit = "games"},
        {"seed", "HEX", "32 hex digits in place of secret randomness: for tests", .seed = seed},
        STORE_OPTIONS};
    const struct command_line line = {.name = "season reopen",
                                      .usage = "NAME [--budget GAMES]",
                                      .about =
                                          "Lets a closed season go on, under a new secret seed.",
                                      .options = options,
                                      .least = 1,
                                      .arguments = "name one season"};
    struct store_season season;
    struct store *store;
    int64_t budget;
    int status;

    if (!store_option_read_season(&line, &argc, argv, STORE_WRITE, &store, &season, &status))
        return status;
    budget = season.budget_games + more_games;
    status = store_option_status(store, season_reopen(store, &season, budget,
                                                      options_given("seed") ? seed : NULL,
                                                      store_option_now_us()));
    if (status == COMMAND_DONE)
        plain_text_printf(
            stdout, "season %s is open again, budget %lld games: `arena season run %s` plays on\n",
            season.name, (long long)budget, season.name);
    store_close(store);
    return status;
}

static int run_extend(int argc, char **argv)
{
    int64_t more_games = 0;
    const struct option options[] = {{"budget", "GAMES", "additional games", .number = &more_games,
                                      .minimum = 1, .maximum = BUDGET_MAX, .unit = "games"},
                                     STORE_OPTIONS};
    const struct command_line line = {.name = "season extend",
                                      .usage = "NAME --budget GAMES",
                                      .about = "Adds games to a season's budget.",
                                      .options = options,
                                      .least = 1,
                                      .arguments = "name one season"};
    struct store_season season;
    struct store *store;
    int status;

    if (!options_read(&line, &argc, argv, &status))
        return status;
    if (!more_games)
        return command_refuse("season extend: --budget GAMES says how many more");
    status = store_option_open_season(argv[0], STORE_WRITE, &store, &season);
    if (status != COMMAND_DONE)
        return status;
    status = store_option_status(store, store_season_extend(store, season.id, more_games));
    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "season %s: budget %lld games\n", season.name,
                          (long long)(season.budget_games + more_games));
    store_close(store);
    return status;
}

/* ---- rosters: who may take part ---- */

/* Splits "a,b,c" in place. Returns the number of names, or -1 if a name is empty. */
static int cut_names(char *text, const char *names[static ROSTER_NAMES_MAX])
{
    int count = 0;

    for (char *name; count < ROSTER_NAMES_MAX && (name = strsep(&text, ","));) {
        if (!*name)
            return -1;
        names[count++] = name;
    }
    return count;
}

static int print_name(void *context, const char *name)
{
    int *count = context;

    plain_text_printf(stdout, "%s%s", (*count)++ ? ", " : "", name);
    return 0;
}

static int print_roster(struct store *store, const struct store_season *season)
{
    int count = 0;
    int status;

    plain_text_printf(stdout, "season %s: ", season->name);
    status = store_option_status(store, store_roster_each(store, season->id, print_name, &count));
    if (status == COMMAND_DONE)
        puts(count == 0 ? "every bot takes part" : count == 1 ? " takes part" : " take part");
    return status;
}

static int run_roster(int argc, char **argv)
{
    static const char *names[ROSTER_NAMES_MAX];
    const char *only = NULL;
    bool everybody = false;
    const struct option options[] = {
        {"only", "BOT,...", "names that take part from the next batch on", .text = &only},
        {"all", NULL, "every bot takes part again", .flag = &everybody, .excludes = "only"},
        STORE_OPTIONS};
    const struct command_line line = {.name = "season roster",
                                      .usage = "NAME [--only BOT,... | --all]",
                                      .about = "Says which bots may take part in a season.",
                                      .options = options,
                                      .least = 1,
                                      .arguments = "name one season"};
    struct store_season season;
    struct store *store;
    char *text;
    int status, count;

    if (!options_read(&line, &argc, argv, &status))
        return status;
    text = only ? strdup(only) : NULL;
    count = text ? cut_names(text, names) : 0;
    status = count < 0 ? command_refuse("--only %s: is not a list of names, such as ant,bee", only)
                       : store_option_open_season(argv[0], STORE_WRITE, &store, &season);
    if (status == COMMAND_DONE) {
        if (only || everybody)
            status = store_option_status(store,
                                         store_roster_set(store, season.id, names, (size_t)count));
        if (status == COMMAND_DONE)
            status = print_roster(store, &season);
        store_close(store);
    }
    free(text);
    return status;
}

/* ---- events ---- */

struct events {
    struct store *store;
    json_t *events; /* JSON array of the events; NULL: events are printed as text */
};

static int tell_event(void *context, const struct store_event *event)
{
    const struct events *listing = context;
    json_t *time = command_time(event->time_us);

    if (listing->events)
        return json_array_append_new(
            listing->events, json_pack("{s:I, s:o, s:s, s:s, s:b}", "event", (json_int_t)event->id,
                                       "time", time, "what", event->what, "about", event->about,
                                       "all_seasons", event->season_id == 0));
    plain_text_printf(stdout, "%6lld  %s  %-8s  %s\n", (long long)event->id,
                      json_string_value(time), event->what, event->about);
    json_decref(time);
    return 0;
}

static int tell_batch(void *context, const struct store_batch *batch)
{
    return json_array_append_new(context,
                                 json_pack("{s:i, s:i, s:I}", "batch", batch->number, "opening",
                                           batch->opening, "event", (json_int_t)batch->event));
}

static int run_events(int argc, char **argv)
{
    bool json = false;
    const struct option options[] = {{"json", NULL, "one JSON object", .flag = &json},
                                     STORE_OPTIONS};
    const struct command_line line = {
        .name = "season events",
        .usage = "NAME [--json]",
        .about = "Lists what was changed by hand, in this season or in all: bans, retirements, "
                 "budgets.",
        .options = options,
        .least = 1,
        .arguments = "name one season"};
    struct events events = {0};
    struct store_season season;
    json_t *batches = NULL;
    int status;

    if (!store_option_read_season(&line, &argc, argv, STORE_READ, &events.store, &season, &status))
        return status;
    if (json) {
        events.events = json_array();
        batches = json_array();
    }
    status = store_option_status(events.store,
                                 store_events_each(events.store, season.id, tell_event, &events));
    if (status == COMMAND_DONE && json)
        status = store_option_status(
            events.store, store_batches_each(events.store, season.id, tell_batch, batches));
    store_close(events.store);
    if (status == COMMAND_DONE && json)
        return command_print_json(
            json_pack("{s:o, s:o}", "events", events.events, "batches", batches));
    json_decref(events.events);
    json_decref(batches);
    return status;
}

/* ---- the command ---- */

int command_season(int argc, char **argv)
{
    static const struct command subcommands[] = {
        {"new", run_new, "create a season"},
        {"run", command_season_run, "play a season on from where it was"},
        {"list", run_list, "list all seasons"},
        {"show", run_show, "show a season's terms and progress"},
        {"events", run_events, "list what was changed by hand"},
        {"roster", run_roster, "say which bots may take part"},
        {"extend", run_extend, "add games to its budget"},
        {"close", run_close, "end it and publish its seed"},
        {"reopen", run_reopen, "let a closed season go on"},
        {NULL},
    };

    return command_choose("arena season",
                          "A season lets all bots that were submitted play each other, rates them, "
                          "and stops when its budget is spent. `arena season run` may be stopped "
                          "and started again at any time; all other commands also work while it "
                          "runs.",
                          subcommands, argc, argv);
}
