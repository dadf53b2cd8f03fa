/* SPDX-License-Identifier: MIT */
#include "arena/site/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/clock.h"
#include "arena/base/json.h"
#include "arena/base/mix.h"
#include "arena/site/folder.h"
#include "arena/site/page.h"

/* ---- names of files ---- */

static const char path_of_bot[] = "%sbot/%s.html";

void parts_bot_path(const struct season_data *data, int entry, char path[static PARTS_PATH_BYTES])
{
    snprintf(path, PARTS_PATH_BYTES, path_of_bot, "", data_bot(data, entry)->name);
}

void parts_match_links(struct parts_links *links, const char *up, const char *id,
                       const char *const *bots, int bot_count)
{
    snprintf(links->saved, sizeof links->saved, "%s.replay", id);
    snprintf(links->season, sizeof links->season, "%sindex.html", up);
    snprintf(links->rules, sizeof links->rules, "%sdocs/learn.html", *up == '/' ? "/" : "../../");
    for (int i = 0; i < bot_count; i++)
        snprintf(links->bots[i], sizeof links->bots[i], path_of_bot, up, bots[i]);
}

json_t *parts_unshown_json(const char *home, const char *up, const char *season, const char *id,
                           bool is_pruned)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:b}", "title", id, "home", home, "season", season,
                     "season_home", json_sprintf("%sindex.html", up), "is_pruned", is_pruned);
}

void parts_pair_path(const struct season_data *data, int a, int b,
                     char path[static PARTS_PATH_BYTES])
{
    const char *first = data_bot(data, a)->name, *second = data_bot(data, b)->name;
    bool ordered = strcmp(first, second) < 0;

    snprintf(path, PARTS_PATH_BYTES, "pair/%s+%s.html", ordered ? first : second,
             ordered ? second : first);
}

void parts_game_path(const struct season_data *data, const struct data_game *game,
                     const char *ending, char path[static PARTS_PATH_BYTES])
{
    char id[STORE_GAME_ID_BYTES];

    store_game_id(id, data->standings.season.name, game->group, game->rotation);
    snprintf(path, PARTS_PATH_BYTES, "game/%s.%s", id, ending);
}

void parts_author_path(const char *author, char path[static PARTS_PATH_BYTES])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    int at = snprintf(path, PARTS_PATH_BYTES, "author/%s", author);

    for (char *next = path + strlen("author/"); *next; next++)
        if (!strchr(plain, *next))
            *next = '-';
    snprintf(path + at, PARTS_PATH_BYTES - (size_t)at, "-%08x.html",
             (unsigned)mix_bytes(0, author, strlen(author)));
}

json_t *parts_author_json(const char *author, const char *up)
{
    char path[PARTS_PATH_BYTES];

    parts_author_path(author, path);
    return json_pack("{s:s, s:o}", "name", author, "href", json_sprintf("%s%s", up, path));
}

json_t *parts_rank_json(int best, int worst)
{
    return best == 0       ? json_string("–")
           : best == worst ? json_sprintf("%d", best)
                           : json_sprintf("%d–%d", best, worst);
}

void parts_ladder_path(int player_count, char path[static PARTS_PATH_BYTES])
{
    snprintf(path, PARTS_PATH_BYTES, "ladder-%d.html", player_count);
}

void parts_short_name(const char *name, int most, char text[static PARTS_SHORT_BYTES])
{
    bool is_long = strlen(name) > (size_t)most;

    snprintf(text, PARTS_SHORT_BYTES, "%.*s%s", is_long ? most - 1 : most, name,
             is_long ? "…" : "");
}

/* Returns how many games an hour were played lately; 0 if the season has too few games to say. */
static int64_t hourly_games(const struct season_data *data)
{
    static const int64_t hour_us = INT64_C(3600000000);
    int64_t count = 0, oldest_us = data->newest_us;

    for (int i = 0; i < data->count; i++) {
        int64_t started_us = data->games[i].started_us;

        if (started_us <= data->newest_us - hour_us)
            continue;
        count++;
        if (started_us < oldest_us)
            oldest_us = started_us;
    }
    return count < PACE_GAMES ? 0 : count * hour_us / (data->newest_us - oldest_us + 1000000);
}

/*
 * Returns how fast the season is played, and when its budget will be spent, or that the season ends
 * before; NULL if that is unknown. Pages hide it until their script finds that the newest game is
 * not old, because a season may stand still.
 */
static json_t *pace_json(const struct season_data *data)
{
    const int64_t hourly = hourly_games(data), left = data->told.status.left_count;
    const int64_t until_us = data->standings.season.until_us;
    const char *unit = NULL;
    int64_t count = 0;
    json_t *pace;

    if (hourly == 0 || left <= 0)
        return NULL;
    pace = json_pack("{s:I, s:I}", "at_ms", (json_int_t)(data->newest_us / 1000), "hourly",
                     (json_int_t)hourly);
    if (until_us && (until_us - data->newest_us) / 1000000 * hourly < left * 3600) {
        unit = "until_us";
        count = until_us;
    } else if (left < 2 * hourly) {
        unit = left * 60 < hourly ? "is_last_minute" : "minutes";
        count = (left * 60 + hourly / 2) / hourly + (left * 60 < hourly);
    } else if (left < 48 * hourly) {
        unit = "hours";
        count = (left + hourly / 2) / hourly;
    } else if (left < 10000 * hourly) {
        unit = "days";
        count = left / hourly / 24;
    }
    if (unit)
        json_object_set_new(pace, unit, json_integer((json_int_t)count));
    return pace;
}

/* True if a bot that is submitted now may get games in the season. */
static bool invites(const struct season_data *data)
{
    const struct store_season *season = &data->standings.season;

    switch (data->told.status.state) {
    case STATE_CLOSED:
    case STATE_CLOSING:
    case STATE_SPENT:
    case STATE_DECIDED:
        return false;
    case STATE_PLAYED:
    case STATE_EARLY:
    case STATE_FEW_BOTS:
    case STATE_NO_WORKER:
    case STATE_UNFIT:
    case STATE_FAILED:
    case STATE_IDLE:
    case STATE_JUDGING:
    case STATE_PAUSED:
        break;
    }
    return data->standings.roster.only_count == 0 &&
           (!season->deadline_us || season->deadline_us > data->told.facts.now_us) &&
           (!season->until_us || season->until_us > data->told.facts.now_us);
}

/* Returns when the first games begin, in a season without a finished game. */
static json_t *waits_json(const struct season_data *data)
{
    static const char *const numbers[] = {[2] = "two", [3] = "three", [4] = "four"};
    const struct store_season *season = &data->standings.season;
    json_t *waits = json_object();

    if (data->told.status.state == STATE_EARLY)
        json_object_set_new(waits, "is_early", json_true());
    if (data->told.status.state == STATE_FEW_BOTS)
        json_object_update_new(
            waits, json_pack("{s:s, s:b, s:b, s:b}", "bots", numbers[season->player_counts[0]],
                             "of_authors",
                             season->player_counts[0] > GAME_PLAYERS_MIN && !season->authors_free,
                             "of_list", data->standings.roster.only_count > 0, "has_slow",
                             data->told.facts.roster.too_slow_count > 0));
    return waits;
}

const struct ladder_row *parts_ranked_row(const struct season_data *data, int place)
{
    for (int i = 0; i < data->standings.row_counts[0]; i++)
        if (data->standings.ladders[0].rows[i].ranked && --place == 0)
            return &data->standings.ladders[0].rows[i];
    return NULL;
}

json_t *parts_los_json(double los)
{
    static const double most = 0.99;

    return json_pack("{s:b, s:f}", "is_sure", los > most, "los_percent", 100 * fmin(los, most));
}

/* Returns who leads, and with which certainty; NULL if no bot with a rank has played. */
static json_t *leader_json(const struct season_data *data)
{
    const struct ladder_row *first = parts_ranked_row(data, 1), *second = parts_ranked_row(data, 2);
    json_t *leader, *ahead;

    if (!first || first->game_count == 0)
        return NULL;
    leader = json_pack("{s:s, s:b, s:b}", "bot", data_bot(data, first->entry)->name, "provisional",
                       first->provisional, "is_uncertain",
                       !data->standings.season.closed_us && first->rank_worst > 1);
    if (second && !isnan(first->los_next)) {
        ahead = parts_los_json(first->los_next);
        json_object_set_new(ahead, "bot", json_string(data_bot(data, second->entry)->name));
        json_object_set_new(leader, "second", ahead);
    }
    return leader;
}

static json_t *next_json(const struct season_data *data)
{
    /* A time that has passed says no more than that the games are about to begin. */
    return data->next_us > data->told.facts.now_us ? json_integer((json_int_t)data->next_us) : NULL;
}

static json_t *waiting_json(const struct store_bot *bot)
{
    return json_pack("{s:s, s:s, s:s, s:I}", "bot", bot->name, "version", bot->version, "author",
                     bot->author, "admitted_us", (json_int_t)bot->submitted_us);
}

json_t *parts_waiting_json(const struct season_data *data)
{
    json_t *bots = json_array();

    if (data->waiting_count == 0) {
        json_decref(bots);
        return NULL;
    }
    for (int i = 0; i < data->waiting_count; i++)
        json_array_append_new(bots, waiting_json(&data->waiting[i]));
    return json_pack("{s:o, s:b, s:o*}", "bots", bots, "are_many", data->waiting_count > 1,
                     "next_us", next_json(data));
}

json_t *parts_waiting_version(const struct season_data *data, const struct store_bot *bot)
{
    json_t *json = bot ? waiting_json(bot) : json_null();

    if (bot)
        json_object_update_new(json, json_pack("{s:o*}", "next_us", next_json(data)));
    return json;
}

json_t *parts_waiting_bot(const struct season_data *data, int bot)
{
    json_t *json = parts_waiting_version(data, &data->waiting[bot]);

    json_object_update_new(json,
                           json_pack("{s:s, s:s, s:s, s:s}", "title", data->waiting[bot].name,
                                     "home", "../../index.html", "season",
                                     data->standings.season.name, "season_home", "../index.html"));
    return json;
}

json_t *parts_state_json(const struct season_data *data, const char *home)
{
    const struct store_season *season = &data->standings.season;
    const enum season_state state = data->told.status.state;
    int64_t played = data->standings.ladders[0].games.game_count;
    int64_t voided = season->closed_us ? 0 : data->told.status.void_count;
    /* The template says with the leader when the first games begin. */
    const bool explains =
        !season->closed_us && state != STATE_EARLY && (played > 0 || state != STATE_FEW_BOTS);
    json_t *json = report_season_json(&data->told, READER_PUBLIC);

    for (int i = 0; i < data->count; i++)
        voided += season->closed_us && data->games[i].is_void;
    json_object_update_new(
        json,
        json_pack("{s:I, s:I, s:I, s:b, s:b, s:b, s:b, s:b, s:b, s:s, s:o*, s:o*, s:o*, s:o*, "
                  "s:o*, s:o*}",
                  "games", (json_int_t)played, "void", (json_int_t)voided, "newest_us",
                  (json_int_t)data->newest_us, "is_spent", state == STATE_SPENT, "is_listed",
                  data->standings.roster.only_count > 0, "is_late",
                  season->deadline_us && season->deadline_us <= data->told.facts.now_us, "explains",
                  explains, "is_both", season->board == STORE_BOARD_BOTH, "publishes_errors",
                  season->publishes_errors, "home", home, "league",
                  *data->league ? json_sprintf("%sleague/%s.html", *home ? "../" : "", data->league)
                                : NULL,
                  "pace", state == STATE_PLAYED ? pace_json(data) : NULL, "enter",
                  invites(data) ? json_sprintf("%s#enter", home) : NULL, "leader",
                  played > 0 ? leader_json(data) : NULL, "waits",
                  played > 0 ? NULL : waits_json(data), "kept",
                  season->prunes ? json_integer((json_int_t)season->keep_games) : NULL));
    return json;
}

/* ---- flags ---- */

/*
 * The label of each flag on a page, and what the flag means. The first entry is for a provisional
 * row.
 */
static const struct {
    unsigned flag;
    const char *label, *words;
} flags[] = {
    {0, "provisional", "the bot has few games or a large error: its rating may still move a lot"},
    {FIT_UNBEATEN, "unbeaten",
     "the bot came first in every game, so its games set no upper limit to its rating: how high "
     "the rating is depends only on the prior"},
    {FIT_WINLESS, "winless",
     "the bot came last in every game, so its games set no lower limit to its rating"},
    {FIT_UNVARIED, "unvaried",
     "the bot won an equal share of points in every group of games, so the rating's error cannot "
     "be estimated"},
    {FIT_UNCONNECTED, "unconnected",
     "no chain of games connects the bot with some of the other bots"},
    {FIT_UNPLAYED, "unplayed", "the bot has no game yet"},
    {LADDER_PROBATION, "probation",
     "the bot forfeited so often that it plays fewer games until it has played some to the end"},
    {LADDER_RETIRED, "retired", "the bot was taken out of play"},
    {LADDER_REPLACED, "replaced", "a newer version of the bot takes its place"},
    {LADDER_BANNED, "banned", "the organizer excluded the bot"},
    {LADDER_REFERENCE, "reference",
     "the bot plays so that others can be compared with it, and holds no rank"},
    {LADDER_RESIDUAL, "unexplained results",
     "the bot's results against some opponent differ from what the ratings predict by more than "
     "chance explains"},
};

enum {
    FLAGS = sizeof flags / sizeof *flags,
};

static bool has_flag(const struct ladder_row *row, int i)
{
    return i == 0 ? row->provisional : (row->flags & flags[i].flag) != 0;
}

json_t *parts_flags_json(const struct ladder_row *row)
{
    json_t *json = json_array();

    for (int i = 0; i < FLAGS; i++)
        if (!row || has_flag(row, i))
            json_array_append_new(json, json_pack("{s:i, s:s, s:s}", "number", i, "label",
                                                  flags[i].label, "words", flags[i].words));
    return json;
}

/* ---- games ---- */

json_t *parts_game_href(const struct season_data *data, const struct data_game *game,
                        const char *up, int turn, int seat)
{
    char path[PARTS_PATH_BYTES], id[STORE_GAME_ID_BYTES], at[16] = "", of[16] = "";

    if (!data_has_page(data, game))
        return json_null();
    if (turn >= 0)
        snprintf(at, sizeof at, "#t=%d", turn);
    if (seat >= 0)
        snprintf(of, sizeof of, turn >= 0 ? "&seat=%d" : "#seat=%d", seat);
    if (!game->page) {
        store_game_id(id, data->standings.season.name, game->group, game->rotation);
        return json_sprintf("/game/%s%s%s", id, at, of);
    }
    parts_game_path(data, game, "html", path);
    return json_sprintf("%s%s%s%s", up, path, at, of);
}

json_t *parts_game_json(const struct season_data *data, const struct data_game *game,
                        const char *up, int turn, int seat)
{
    char id[STORE_GAME_ID_BYTES];

    store_game_id(id, data->standings.season.name, game->group, game->rotation);
    return json_pack("{s:s, s:o, s:b}", "id", id, "href",
                     parts_game_href(data, game, up, turn, seat), "is_pruned", game->is_pruned);
}

int parts_best_seat(const struct season_data *data, const struct data_game *game, int name)
{
    int best = -1;

    for (int seat = 0; seat < game->player_count; seat++)
        if (data_name(data, game->entries[seat]) == name &&
            (best < 0 || game->ranks[seat] < game->ranks[best]))
            best = seat;
    return best;
}

/* What a game was for a seat. SHARED: the first place was. */
enum outcome {
    WON,
    SHARED,
    LOST,
};

static enum outcome outcome_of(const struct data_game *game, int seat)
{
    int firsts = 0;

    for (int other = 0; other < game->player_count; other++)
        firsts += game->ranks[other] == 1;
    return game->ranks[seat] > 1 ? LOST : firsts > 1 ? SHARED : WON;
}

/* Returns what a game was for a seat, in words: "lost" at a table of two, else the place. */
static const char *outcome_words(const struct data_game *game, int seat)
{
    static const char *const words[] = {[WON] = "won", [SHARED] = "shared", [LOST] = "lost"};
    static const char *const places[] = {"1st", "2nd", "3rd", "4th"};
    const enum outcome outcome = outcome_of(game, seat);

    return game->player_count == 2 ? words[outcome]
           : outcome == SHARED     ? "1st, shared"
                                   : places[game->ranks[seat] - 1];
}

/* Returns twice the place of a seat, which is the mean of the places that it shares. */
static int place_halves(const struct data_game *game, int seat)
{
    int halves = 2;

    for (int other = 0; other < game->player_count; other++)
        halves += other == seat ? 0
                  : game->ranks[other] < game->ranks[seat]
                      ? 2
                      : game->ranks[other] == game->ranks[seat];
    return halves;
}

struct parts_day parts_day(const struct season_data *data, int name, int entry)
{
    struct parts_day day = {.newest = LADDER_NOBODY};
    int count;
    const int *games = season_index_games(data, name, &count);

    while (count-- > 0) {
        const struct data_game *game = &data->games[games[count]];
        const int seat = parts_best_seat(data, game, name), size = game->player_count;
        const enum outcome outcome = outcome_of(game, seat);

        if (game->is_void || (entry != LADDER_NOBODY && game->entries[seat] != entry))
            continue;
        day.has_games = true;
        if (game->started_us <= data->newest_us - CLOCK_DAY_US)
            break;
        if (day.newest == LADDER_NOBODY)
            day.newest = game->entries[seat];
        day.is_mixed |= game->entries[seat] != day.newest;
        day.won[size] += outcome == WON;
        day.shared[size] += outcome == SHARED;
        day.lost[size] += outcome == LOST;
        day.place_halves[size] += place_halves(game, seat);
        if (outcome == LOST && data_forfeited(game, seat))
            day.by_reason[game->reasons[seat]]++;
    }
    return day;
}

json_t *parts_day_json(const struct parts_day *day)
{
    json_t *tables = json_array();

    for (int size = GAME_PLAYERS_MIN; size <= GAME_PLAYERS_MAX; size++) {
        const int count = day->won[size] + day->shared[size] + day->lost[size];
        const double place = count ? (double)day->place_halves[size] / (2.0 * count) : 0;

        if (count > 0)
            json_array_append_new(tables,
                                  json_pack("{s:i, s:b, s:i, s:i, s:i, s:i, s:f, s:f}", "players",
                                            size, "has_places", size > GAME_PLAYERS_MIN, "games",
                                            count, "won", day->won[size], "shared",
                                            day->shared[size], "lost", day->lost[size], "place",
                                            place, "share", 100 * (size - place) / (size - 1)));
    }
    if (day->has_games)
        return json_pack("{s:o, s:b}", "tables", tables, "is_mixed", day->is_mixed);
    json_decref(tables);
    return json_null();
}

/* Returns what a seat of a game scored, and why it is out, if it is. */
static json_t *place_json(const struct season_data *data, const struct data_game *game, int seat,
                          int name, const char *up)
{
    char label[STANDINGS_LABEL_BYTES];
    json_t *json;

    standings_label(&data->standings.roster, game->entries[seat], label);
    json = json_pack("{s:i, s:s, s:i}", "place", game->ranks[seat], "label", label, "score",
                     game->scores[seat]);
    if (data_forfeited(game, seat))
        json_object_set_new(json, "reason", json_string(wire_reason_name(game->reasons[seat])));
    /* Only a bot's own page has links here: the page of a season is large. */
    if (data_forfeited(game, seat) && data_name(data, game->entries[seat]) == name)
        json_object_set_new(json, "href",
                            parts_game_href(data, game, up, data_forfeit_turn(game, seat), seat));
    return json;
}

json_t *parts_row_json(const struct season_data *data, const struct data_game *game, int name,
                       const char *up)
{
    int mine = name == LADDER_NOBODY ? -1 : parts_best_seat(data, game, name);
    json_t *json = parts_game_json(data, game, up, -1, mine), *places = json_array();

    for (int place = 1; place <= game->player_count; place++)
        for (int seat = 0; seat < game->player_count; seat++)
            if (game->ranks[seat] == place)
                json_array_append_new(places, place_json(data, game, seat, name, up));
    json_object_update_new(json,
                           json_pack("{s:o, s:b, s:o}", "started", json_time(game->started_us),
                                     "is_void", game->is_void, "places", places));
    if (mine >= 0)
        json_object_set_new(json, "outcome", json_string(outcome_words(game, mine)));
    return json;
}

json_t *parts_games_json(const struct season_data *data, int name, int other, const char *up,
                         int most)
{
    /* The bot for which a game is won or lost: the one whose page this is. */
    int whose = other == LADDER_NOBODY ? name : LADDER_NOBODY;
    int all = 0, count = data->count;
    bool has_gray = false;
    const int *of_name = name == LADDER_NOBODY ? NULL : season_index_games(data, name, &count);
    json_t *rows = json_array(), *games = json_object();

    for (int i = count; i-- > 0;) {
        const struct data_game *game = &data->games[of_name ? of_name[i] : i];

        if ((other != LADDER_NOBODY && parts_best_seat(data, game, other) < 0) || all++ >= most)
            continue;
        if (all == PARTS_OPEN_GAMES + 1) {
            json_object_set_new(games, "first",
                                json_pack("{s:o, s:b}", "rows", rows, "has_gray", has_gray));
            rows = json_array();
        }
        json_array_append_new(rows, parts_row_json(data, game, whose, up));
        has_gray = has_gray || !data_has_page(data, game);
    }
    if (all > PARTS_OPEN_GAMES && most > PARTS_OPEN_GAMES)
        json_object_set_new(
            games, "older",
            json_pack("{s:o, s:b}", "rows", rows, "has_gray",
                      has_gray && !json_is_true(json_object_get(json_object_get(games, "first"),
                                                                "has_gray"))));
    else if (all > 0)
        json_object_set_new(games, "first",
                            json_pack("{s:o, s:b}", "rows", rows, "has_gray", has_gray));
    else
        json_decref(rows);
    json_object_update_new(games,
                           json_pack("{s:b, s:i, s:i, s:b}", "has_outcome", whose != LADDER_NOBODY,
                                     "all", all, "shown", most, "left_out", all > most));
    return games;
}

/* ---- the chart of ratings over a season's groups ---- */

enum {
    WIDTH = 1000,
    HEIGHT = 364,
    TOP = 40,    /* height of the unit above the scale */
    BOTTOM = 44, /* height of the ends of the axis below the scale */
    LEFT = 50,   /* width of the chart's scale at the left */
    RIGHT = 170, /* width of the bots' names at the right */
};

/* A line of the chart: what one name's Elo was, all versions one after another. */
struct line {
    int name, entry;                 /* first entry of the name; its newest with games */
    double elo, error95;             /* of the ladder */
    const struct data_point *points; /* borrowed */
    int count;
};

struct chart {
    const struct season_data *data;
    struct line lines[PARTS_HISTORY_MAX];
    int line_count;
    int64_t groups;
    int64_t first_us; /* start of the first game */
    bool by_time;     /* the axis shows time; else groups in the order of the schedule */
    double from, to;  /* Elo range of the chart */
};

/*
 * Returns the 95 % error at a point of a line: the error of the ladder, enlarged because fewer
 * groups had been played by then.
 */
static double error_at(const struct line *line, int at)
{
    return fmin(line->error95 * sqrt((double)line->count / (double)(at + 1)), 300);
}

static double x_of(const struct chart *chart, const struct data_point *point)
{
    double share = (double)(point->group + 1) / (double)chart->groups;

    if (chart->by_time)
        share = (double)(point->played_us - chart->first_us) /
                (double)(chart->data->newest_us - chart->first_us + 1);
    return LEFT + (WIDTH - LEFT - RIGHT) * fmin(fmax(share, 0), 1);
}

static double y_of(const struct chart *chart, double elo)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * (chart->to - elo) / (chart->to - chart->from);
}

/* Returns the line of a name; NULL: there is none. */
static struct line *line_of_name(struct chart *chart, int name)
{
    for (int i = 0; i < chart->line_count; i++)
        if (chart->lines[i].name == name)
            return &chart->lines[i];
    return NULL;
}

static void choose_lines(struct chart *chart, int name)
{
    const struct standings *standings = &chart->data->standings;

    for (int i = 0; i < standings->row_counts[0]; i++) {
        const struct ladder_row *row = &standings->ladders[0].rows[i];
        const int of = data_name(chart->data, row->entry);
        struct line *line = line_of_name(chart, of);

        if (row->game_count == 0 || (name != LADDER_NOBODY && name != of) ||
            (line ? line->entry > row->entry : chart->line_count == PARTS_HISTORY_MAX))
            continue;
        if (!line)
            line = &chart->lines[chart->line_count++];
        *line = (struct line){
            .name = of, .entry = row->entry, .elo = row->elo, .error95 = row->error95};
        line->points = season_index_points(chart->data, of, &line->count);
        chart->line_count -= line->count == 0;
    }
}

/* Extends the chart's range so that it holds an Elo with its error. */
static void add_range(struct chart *chart, double elo, double error)
{
    chart->from = fmin(chart->from, elo - error);
    chart->to = fmax(chart->to, elo + error);
}

static void find_range(struct chart *chart)
{
    chart->from = LADDER_ANCHOR_ELO - 50;
    chart->to = LADDER_ANCHOR_ELO + 50;
    for (int i = 0; i < chart->line_count; i++) {
        const struct line *line = &chart->lines[i];

        if (chart->line_count == 1)
            add_range(chart, line->elo, fmin(line->error95, AXIS_ERROR));
        for (int p = 0; p < line->count; p++)
            add_range(chart, line->points[p].elo,
                      chart->line_count == 1 ? 0 : fmin(error_at(line, p), 100));
    }
}

static json_t *scale_of(const struct chart *chart)
{
    double step = chart->to - chart->from > 600 ? 200 : chart->to - chart->from > 250 ? 100 : 50;
    json_t *scale = json_array();

    for (double elo = ceil(chart->from / step) * step; elo <= chart->to; elo += step)
        json_array_append_new(scale, json_pack("{s:i, s:f, s:f}", "elo", (int)elo, "y",
                                               y_of(chart, elo), "text_y", y_of(chart, elo) + 4));
    return scale;
}

static double clipped_y(const struct chart *chart, double elo)
{
    return fmin(fmax(y_of(chart, elo), TOP), HEIGHT - BOTTOM);
}

static void write_band(FILE *path, const struct chart *chart, const struct line *line)
{
    for (int p = 0; p < line->count; p++)
        fprintf(path, "%c%.0f %.0f", p ? 'L' : 'M', x_of(chart, &line->points[p]),
                clipped_y(chart, line->points[p].elo + error_at(line, p)));
    for (int p = line->count - 1; p >= 0; p--)
        fprintf(path, "L%.0f %.0f", x_of(chart, &line->points[p]),
                clipped_y(chart, line->points[p].elo - error_at(line, p)));
}

static void write_curve(FILE *path, const struct chart *chart, const struct line *line)
{
    for (int p = 0; p < line->count; p++)
        fprintf(path, "%c%.0f %.0f", p ? 'L' : 'M', x_of(chart, &line->points[p]),
                y_of(chart, line->points[p].elo));
    if (line->count == 1)
        fputs("m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0", path); /* a ring */
}

/* Returns the commands of a line's curve or of its error band, by games or by time. */
static json_t *path_of(struct chart *chart, const struct line *line, bool is_curve, bool by_time)
{
    struct json_words words;

    chart->by_time = by_time;
    (is_curve ? write_curve : write_band)(json_words_begin(&words), chart, line);
    return json_words_end(&words);
}

/*
 * Returns the y of the text at the right of the chart that belongs to this Elo. *name_y is the y of
 * the text before; the new text stands below.
 */
static double end_of(const struct chart *chart, double elo, double *name_y)
{
    return *name_y = fmax(*name_y + 18, y_of(chart, elo) + 4);
}

/* Returns the interval of a line's Elo, which stands at the right of the chart. */
static json_t *interval_of(const struct chart *chart, const struct line *line)
{
    double error = fmin(line->error95, AXIS_ERROR);

    return json_pack("{s:f, s:f, s:f, s:f}", "error95", line->error95, "top",
                     y_of(chart, line->elo + error), "bottom", y_of(chart, line->elo - error), "y",
                     y_of(chart, line->elo));
}

/*
 * Returns a line with its name at the right, and with its error band if the chart has several
 * lines, else with its interval. Each path has two forms, by games and by time, which the script of
 * the page exchanges.
 */
static json_t *line_of(struct chart *chart, int i, double *name_y)
{
    const struct line *line = &chart->lines[i];
    const char *name = data_bot(chart->data, line->name)->name;
    bool is_many = chart->line_count > 1;
    char label[PARTS_SHORT_BYTES];
    json_t *json;

    parts_short_name(is_many ? name : "Elo", 14, label);
    json = json_pack("{s:i, s:s, s:f, s:b, s:o, s:o, s:f, s:s, s:s}", "color", i % 4, "name", name,
                     "elo", line->elo, "is_dashed", line->count > 1 && i / 4 % 2, "curve",
                     path_of(chart, line, true, false), "curve_by_time",
                     path_of(chart, line, true, true), "end_y", end_of(chart, line->elo, name_y),
                     "label", label, "key", is_many ? name : "Elo");
    if (!is_many) {
        json_object_set_new(json, "interval", interval_of(chart, line));
    } else {
        json_object_set_new(json, "band", path_of(chart, line, false, false));
        json_object_set_new(json, "band_by_time", path_of(chart, line, false, true));
    }
    return json;
}

static json_t *lines_of(struct chart *chart)
{
    double name_y = -INFINITY;
    json_t *lines = json_array();

    for (int i = 0; i < chart->line_count; i++)
        json_array_append_new(lines, line_of(chart, i, &name_y));
    return lines;
}

static int compare_lines(const void *a, const void *b)
{
    const struct line *first = a, *second = b;

    return (first->elo < second->elo) - (first->elo > second->elo);
}

static json_t *moment_of(int64_t us)
{
    char utc[CLOCK_TIME_BYTES];

    clock_write_time(us, utc);
    return json_sprintf("%.10s %.5s UTC", utc, utc + 11);
}

json_t *parts_history_json(const struct season_data *data, int name)
{
    struct chart chart = {.data = data};

    if (data->count > 0)
        chart.groups = data->games[data->count - 1].group + 1;
    choose_lines(&chart, name);
    if (chart.line_count == 0 || chart.groups == 0)
        return json_object();
    qsort(chart.lines, (size_t)chart.line_count, sizeof *chart.lines, compare_lines);
    chart.first_us = data->games[0].started_us;
    find_range(&chart);
    return json_pack("{s:{s:b, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:I, s:o, s:o, s:o}}",
                     "chart", "is_many", chart.line_count > 1, "width", WIDTH, "height", HEIGHT,
                     "left", LEFT, "right", WIDTH - RIGHT, "axis_y", HEIGHT - 8, "end_x",
                     WIDTH - RIGHT + 16, "bar_x", WIDTH - RIGHT + 6, "scale", scale_of(&chart),
                     "games", (json_int_t)data->standings.ladders[0].games.game_count, "first",
                     moment_of(chart.first_us), "last", moment_of(data->newest_us), "lines",
                     lines_of(&chart));
}
