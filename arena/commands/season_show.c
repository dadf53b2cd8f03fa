/* arena season list and show: seasons as text and JSON. */
#include <stdio.h>

#include "arena/commands/keep_option.h"
#include "arena/commands/season.h"
#include "arena/replay/json.h"
#include "arena/replay/plain_text.h"
#include "arena/season/season.h"

static const char *const board_names[] = {"colored", "gray", "both"};

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

const char *season_tier_name(int tier)
{
    return tier >= SANDBOX_TIER_FULL ? "full" : tier == SANDBOX_TIER_LITE ? "lite" : "none";
}

json_t *season_json(const struct store_season *season)
{
    char keep[KEEP_OPTION_BYTES];

    keep_option_write(season, keep);
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
        season_tier_name(season->play.tier), "created", store_option_time(season->created_us),
        "closing", store_option_time(season->closing_us), "closed",
        store_option_time(season->closed_us));
}

static const char *state_name(const struct store_season *season)
{
    return season->closed_us ? "closed" : season->closing_us ? "being closed" : "open";
}

/* Includes the seed if its opening is closed, or if it was given by hand: never secret. */
static json_t *opening_json(const struct store_opening *opening)
{
    bool known = opening->closed_us || opening->by_hand;

    return json_pack("{s:s, s:o, s:b, s:o, s:o}", "commitment", opening->commitment, "seed",
                     known ? replay_json_hex(opening->seed, sizeof opening->seed) : json_null(),
                     "secret", !opening->by_hand, "opened", store_option_time(opening->opened_us),
                     "closed", store_option_time(opening->closed_us));
}

static int add_opening(void *context, const struct store_opening *opening)
{
    return json_array_append_new(context, opening_json(opening));
}

int season_print_opening(void *context, const struct store_opening *opening)
{
    char seed[SEED_DIGITS + 1];

    (void)context;
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
    return json_array_append_new(context, season_json(season));
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

int season_command_list(struct season_request *request)
{
    json_t *seasons = request->json ? json_array() : NULL;
    struct store *store;
    int status = store_option_open(request->home, STORE_READ, &store);
    int count = 0;

    if (status != COMMAND_DONE) {
        json_decref(seasons);
        return status;
    }
    status = store_option_status(
        store, store_seasons_each(store, request->json ? add_season : print_season,
                                  request->json ? (void *)seasons : &count));
    store_close(store);
    if (status == COMMAND_DONE && request->json)
        return store_option_print(json_pack("{s:o}", "seasons", seasons));
    json_decref(seasons);
    if (status == COMMAND_DONE && count == 0)
        puts("no seasons yet: `arena season new NAME` creates one");
    return status;
}

static void print_show(const struct season *season)
{
    const struct store_season *terms = &season->terms;
    char players[8], keep[KEEP_OPTION_BYTES];

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
    keep_option_write(terms, keep);
    if (terms->prunes || terms->is_practice || terms->publishes_errors)
        plain_text_printf(stdout, "terms       replays kept: %s%s%s\n", keep,
                          terms->publishes_errors ? "; stderr of forfeits published" : "",
                          terms->is_practice ? "; practice, with names" : "");
    printf("bots        %d in %d batches, %d groups\n", season->roster.count,
           season->schedule.batch_count, season->schedule.group_count);
    store_openings_each(season->store, terms->id, season_print_opening, NULL);
}

static int print_show_json(const struct season *season)
{
    json_t *shown = season_json(&season->terms);
    json_t *openings = json_array();

    store_openings_each(season->store, season->terms.id, add_opening, openings);
    json_object_set_new(shown, "played", json_integer(season->schedule.played_count));
    json_object_set_new(shown, "scheduled", json_integer(season->schedule.game_count));
    json_object_set_new(shown, "groups", json_integer(season->schedule.group_count));
    json_object_set_new(shown, "bots", json_integer(season->roster.count));
    json_object_set_new(shown, "openings", openings);
    return store_option_print(shown);
}

int season_command_show(struct season_request *request)
{
    struct season season;
    struct store *store;
    int status = store_option_open(request->home, STORE_READ, &store);

    if (status != COMMAND_DONE)
        return status;
    status = store_option_status(store, season_load(&season, store, request->name));
    if (status == COMMAND_DONE) {
        if (request->json)
            status = print_show_json(&season);
        else
            print_show(&season);
        season_finish(&season);
    }
    store_close(store);
    return status;
}
