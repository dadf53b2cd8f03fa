/* SPDX-License-Identifier: MIT */
#include "arena/site/home_page.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "arena/rating/elo.h"
#include "arena/report/bot.h"
#include "arena/base/mix.h"

enum {
    HOME_ROWS = 10,        /* rows of the ladder on the home page */
    HOME_BOTS = 6,         /* newest bots on the home page */
    HOME_GAMES = 6,        /* newest games on the home page */
    CANDIDATE_GAMES = 200, /* number of newest games from which the home page chooses one to play */
    LATEST_GAMES = 30,     /* number of newest games from which it chooses those that it names */
    RECORD_GAMES = 20,     /* games before a score can be a record */
    UPSET_PERCENT = 25,    /* a winner that was expected to take less from a loser is an upset */
};

/* ---- the season at the top of the home page ---- */

/* Returns how many rows are of bots that play; those that were replaced or retired stand below. */
static int count_playing(const struct season_data *data)
{
    int count = 0;

    while (count < data->standings.row_counts[0] && data->standings.ladders[0].rows[count].plays)
        count++;
    return count;
}

/* Returns the best rows of the ladder, of bots that play. */
static json_t *best_rows(const struct season_data *data, int count)
{
    json_t *rows = json_array();

    for (int i = 0; i < count && i < HOME_ROWS; i++) {
        const struct ladder_row *at = &data->standings.ladders[0].rows[i];
        const struct store_bot *bot = data_bot(data, at->entry);
        char label[STANDINGS_LABEL_BYTES];
        json_t *row;

        standings_label(&data->standings.roster, at->entry, label);
        row = json_pack("{s:o, s:s, s:s, s:o, s:I}", "rank",
                        parts_rank_json(at->rank_best, at->rank_worst), "bot", bot->name, "label",
                        label, "author", parts_author_json(bot->author, ""), "games",
                        (json_int_t)at->game_count);
        if (at->game_count > 0)
            json_object_set_new(row, "rating",
                                json_pack("{s:f, s:f}", "elo", at->elo, "error95", at->error95));
        json_array_append_new(rows, row);
    }
    return rows;
}

/*
 * Returns the game that the home page plays: of the newest games, the one with the highest mean
 * rating that has a page and was played without a forfeit; NULL if there is none.
 */
static const struct data_game *find_best_game(const struct season_data *data)
{
    const struct data_game *best = NULL;
    double best_elo = -INFINITY;

    for (int i = data->count; i-- > 0 && data->count - i <= CANDIDATE_GAMES;) {
        const struct data_game *game = &data->games[i];
        double elo = 0;

        for (int seat = 0; seat < game->player_count; seat++)
            elo += isnan(game->ratings[seat]) ? LADDER_ANCHOR_ELO : game->ratings[seat];
        elo /= game->player_count;
        if (game->page && !game->is_void && !data_has_forfeit(game) && elo > best_elo) {
            best = game;
            best_elo = elo;
        }
    }
    return best;
}

/* ---- the latest games, and why to look at them ---- */

static int best_score(const struct data_game *game)
{
    int best = game->scores[0];

    for (int seat = 1; seat < game->player_count; seat++)
        best = game->scores[seat] > best ? game->scores[seat] : best;
    return best;
}

/* Returns the index of the game with the season's highest score, or -1. */
static int find_record(const struct season_data *data)
{
    int record = -1;

    for (int i = 0; i < data->count; i++)
        if (!data->games[i].is_void &&
            (record < 0 || best_score(&data->games[i]) > best_score(&data->games[record])))
            record = i;
    return data->count > RECORD_GAMES ? record : -1;
}

/* Returns whom a sole winner was least expected to beat, in percent; 100 if nobody. */
static double expected_percent(const struct season_data *data, const struct data_game *game,
                               int winner, int *loser)
{
    const struct fit_bot *bots = data->standings.ladders[0].fit.bots;
    double least = 1;

    for (int seat = 0; seat < game->player_count; seat++) {
        const double expected =
            elo_expected(bots[game->entries[winner]].elo - bots[game->entries[seat]].elo);

        if (game->ranks[seat] > 1 && expected < least) {
            least = expected;
            *loser = seat;
        }
    }
    return 100 * least;
}

/* Returns why a game that has a page is worth a look, for game_row; NULL if nothing is special. */
static json_t *worth_of(const struct season_data *data, int index, int record)
{
    const struct data_game *game = &data->games[index];
    int first = -1, second = -1, shared = 0, loser = 0;
    double expected;

    for (int seat = 0; seat < game->player_count; seat++)
        shared += game->ranks[seat] == 1;
    for (int seat = 0; seat < game->player_count; seat++)
        if (game->ranks[seat] == 1)
            first = seat;
        else if (second < 0 || game->ranks[seat] < game->ranks[second])
            second = seat;
    if (!game->page || game->is_void || data_has_forfeit(game) || first < 0)
        return NULL;
    if (index == record)
        return json_pack("{s:i}", "record", best_score(game));
    if (shared > 1)
        return json_pack("{s:b}", "is_shared", 1);
    expected = expected_percent(data, game, first, &loser);
    if (expected < UPSET_PERCENT)
        return json_pack("{s:f, s:s}", "expected_percent", expected, "against",
                         data_bot(data, game->entries[loser])->name);
    if (game->scores[first] == game->scores[second])
        return json_pack("{s:b}", "is_equal", 1);
    if (game->scores[first] - game->scores[second] == 1)
        return json_pack("{s:b}", "is_close", 1);
    return NULL;
}

/*
 * Returns the latest games, newest first, for the template games: of the newest ones those that are
 * worth a look, and others where these are too few.
 */
static json_t *latest_games(const struct season_data *data, const char *up)
{
    const int record = find_record(data);
    const int oldest = data->count > LATEST_GAMES ? data->count - LATEST_GAMES : 0;
    int plain = HOME_GAMES, shown = 0;
    bool has_gray = false;
    json_t *rows = json_array();

    for (int i = data->count; i-- > oldest;) {
        json_t *worth = worth_of(data, i, record);

        plain -= worth != NULL;
        json_decref(worth);
    }
    for (int i = data->count; i-- > oldest && shown < HOME_GAMES;) {
        json_t *worth = worth_of(data, i, record), *row;

        if (!worth && plain-- <= 0)
            continue;
        row = parts_row_json(data, &data->games[i], LADDER_NOBODY, up);
        if (worth)
            json_object_set_new(row, "worth", worth);
        json_array_append_new(rows, row);
        has_gray = has_gray || !data_has_page(data, &data->games[i]);
        shown++;
    }
    return json_pack("{s:b, s:{s:o, s:b}}", "has_outcome", 0, "first", "rows", rows, "has_gray",
                     has_gray);
}

/* Returns the newest bots, also those that wait for their first games. */
static json_t *newest_bots(const struct season_data *data)
{
    int entry = data->standings.roster.count - 1, waiting = data->waiting_count - 1;
    json_t *rows = json_array();

    while (json_array_size(rows) < HOME_BOTS && (entry >= 0 || waiting >= 0)) {
        const bool waits =
            waiting >= 0 && (entry < 0 || data->waiting[waiting].id > data_bot(data, entry)->id);
        const struct store_bot *bot = waits ? &data->waiting[waiting--] : data_bot(data, entry--);
        json_t *row = columns_row_json(&bot_columns, bot, NULL, READER_PUBLIC);

        json_object_set_new(row, "author", parts_author_json(bot->author, ""));
        json_object_set_new(row, "waits", json_boolean(waits));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* Returns what the home page shows of its season. */
static json_t *shown_json(const struct season_data *data, json_t *state)
{
    const struct data_game *match = find_best_game(data);
    const char *name = data->standings.season.name;
    int count = count_playing(data);
    char up[STORE_NAME_BYTES_MAX + 2], path[PARTS_PATH_BYTES];
    json_t *shown = json_pack("{s:s, s:O, s:o, s:i, s:i, s:b, s:o}", "season", name, "state", state,
                              "best", best_rows(data, count), "all", count, "shown", HOME_ROWS,
                              "left_out", count > HOME_ROWS, "newest", newest_bots(data));

    snprintf(up, sizeof up, "%s/", name);
    if (match) {
        parts_game_path(data, match, "html", path);
        json_object_set_new(shown, "match",
                            json_pack("{s:i, s:s}", "players", match->player_count, "path", path));
    }
    if (data->count > 0)
        json_object_set_new(shown, "games", latest_games(data, up));
    return shown;
}

/* ---- what is known of each season ---- */

static void name_bot(struct home_bot *of, const struct store_bot *bot)
{
    memcpy(of->author, bot->author, sizeof of->author);
    memcpy(of->version, bot->version, sizeof of->version);
    memcpy(of->name, bot->name, sizeof of->name);
}

/* Adds the bots that wait for their first games. */
static int add_waiting(struct home *home, const struct season_data *data)
{
    if (ARRAY_GROW(home->bots, home->bot_count, data->waiting_count) < 0)
        return -ENOMEM;
    for (int i = 0; i < data->waiting_count; i++) {
        const struct store_bot *bot = &data->waiting[i];
        struct home_bot *waiting = &home->bots[home->bot_count++];

        *waiting =
            (struct home_bot){.season = home->season_count,
                              .elo = NAN,
                              .waits = true,
                              .key = mix((uint64_t)data->standings.season.id, (uint64_t)bot->id)};
        name_bot(waiting, bot);
    }
    return 0;
}

static int add_bots(struct home *home, const struct season_data *data)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    const int count = data->standings.roster.count, ranked = standings_ranked(&data->standings);
    struct home_bot *bots;

    if (ARRAY_GROW(home->bots, home->bot_count, count) < 0)
        return -ENOMEM;
    bots = home->bots + home->bot_count;
    home->bot_count += count;
    for (int entry = 0; entry < count; entry++) {
        const struct store_bot *bot = data_bot(data, entry);
        int name = data_name(data, entry);

        bots[entry] =
            (struct home_bot){.season = home->season_count, .elo = NAN, .ranked_count = ranked};
        name_bot(&bots[entry], bot);
        if (data->standings.season.closed_us == 0)
            bots[entry].day = parts_day(data, name, entry);
        bots[entry].key = name == entry ? mix(season_index_bot_key(data, entry), (uint64_t)ranked)
                                        : bots[name].key;
    }
    for (int i = 0; i < data->standings.row_counts[0]; i++) {
        const struct ladder_row *row = &ladder->rows[i];
        struct home_bot *bot = &bots[row->entry];

        bot->place = row->place;
        bot->rank_best = row->rank_best; /* 0 without a rank */
        bot->rank_worst = row->rank_worst;
        bot->plays = row->plays;
        bot->game_count = row->game_count;
        if (row->game_count > 0) {
            bot->elo = row->elo;
            bot->error95 = row->error95;
        }
        if (row->place > 0 && row->place <= 3 && row->game_count > 0 &&
            data->standings.season.closed_us > 0 && !data->standings.season.is_practice) {
            bot->medal = row->place;
            bot->key = mix(bot->key, (uint64_t)bot->medal);
        }
    }
    return add_waiting(home, data);
}

int home_add(struct home *home, const struct season_data *data)
{
    struct home_season season = {.season = data->standings.season,
                                 .is_early = data->told.status.state == STATE_EARLY,
                                 .told = parts_state_json(data, "")};
    int error = add_bots(home, data);

    if (!error)
        error = array_add(&home->seasons, &home->season_count, &season, sizeof season);
    if (error)
        json_decref(season.told);
    else if (season.season.id == home->shown_id)
        home->shown = shown_json(data, season.told);
    return error;
}

static int compare_bots(const void *a, const void *b)
{
    const struct home_bot *first = a, *second = b;
    int order = strcmp(first->author, second->author);

    if (order == 0)
        order = second->season - first->season;
    if (order == 0)
        order = (first->place == 0) - (second->place == 0);
    if (order == 0)
        order = first->place - second->place;
    if (order == 0)
        order = strcmp(first->name, second->name);
    return order ? order : strcmp(first->version, second->version);
}

void home_sort(struct home *home)
{
    if (home->bot_count > 0)
        qsort(home->bots, (size_t)home->bot_count, sizeof *home->bots, compare_bots);
}

void home_finish(struct home *home)
{
    json_decref(home->shown);
    for (int i = 0; i < home->season_count; i++)
        json_decref(home->seasons[i].told);
    free(home->seasons);
    free(home->bots);
}

/* ---- the home page ---- */

json_t *home_page(const struct home *home)
{
    json_t *running = json_array(), *announced = json_array(), *closed = json_array();

    for (int i = home->season_count; i-- > 0;) { /* newest first */
        const struct home_season *season = &home->seasons[i];

        if (season->season.id != home->shown_id)
            json_array_append(season->season.closed_us ? closed
                              : season->is_early       ? announced
                                                       : running,
                              season->told);
    }
    return json_pack("{s:s, s:s*, s:b, s:O*, s:o, s:o, s:o, s:O*}", "title",
                     "Bots play Azul: Summer Pavilion", "address", home->address, "has_program",
                     home->has_program, "top", home->shown, "running", running, "announced",
                     announced, "closed_seasons", closed, "leagues", home->leagues);
}

/* ---- authors ---- */

uint64_t home_author_key(const struct home *home, int first, int *count)
{
    uint64_t key = json_array_size(home->voided);

    *count = 0;
    for (int i = first;
         i < home->bot_count && strcmp(home->bots[i].author, home->bots[first].author) == 0; i++) {
        key = mix(key, home->bots[i].key);
        ++*count;
    }
    return key | 1;
}

/* Returns which closed seasons an author won, and where the author was second or third. */
static json_t *medals_of(const struct home *home, int first, int count)
{
    json_t *medals = json_array();

    for (int medal = 1; medal <= 3; medal++)
        for (const struct home_bot *bot = &home->bots[first]; bot < &home->bots[first + count];
             bot++)
            if (bot->medal == medal)
                json_array_append_new(
                    medals, json_pack("{s:b, s:b, s:b, s:s, s:s}", "is_first", medal == 1,
                                      "is_second", medal == 2, "is_third", medal == 3, "season",
                                      home->seasons[bot->season].season.name, "bot", bot->name));
    return medals;
}

/* Returns the best place of an author's bots in a season's official order; null if none has one. */
static json_t *best_of(const struct home *home, int first, int count)
{
    const struct home_bot *best = NULL;

    for (const struct home_bot *bot = &home->bots[first]; bot < &home->bots[first + count]; bot++)
        if (bot->place > 0 && bot->game_count > 0 &&
            !home->seasons[bot->season].season.is_practice && (!best || bot->place < best->place))
            best = bot;
    return best ? json_pack("{s:i, s:i, s:s, s:s, s:o*}", "place", best->place, "of",
                            best->ranked_count, "bot", best->name, "season",
                            home->seasons[best->season].season.name, "ranks",
                            best->rank_best < best->rank_worst
                                ? parts_rank_json(best->rank_best, best->rank_worst)
                                : NULL)
                : json_null();
}

static json_t *version_of(const struct home_bot *bot)
{
    json_t *row = json_pack("{s:s, s:s, s:o, s:I, s:b}", "bot", bot->name, "version", bot->version,
                            "rank", parts_rank_json(bot->rank_best, bot->rank_worst), "games",
                            (json_int_t)bot->game_count, "waits", (int)bot->waits);

    json_t *day;

    if (!isnan(bot->elo)) {
        json_object_set_new(row, "elo", json_real(bot->elo));
        json_object_set_new(row, "error95", json_real(bot->error95));
    }
    day = parts_day_json(&bot->day);
    if (bot->plays || json_array_size(json_object_get(day, "tables")) > 0)
        json_object_set(row, "day", day);
    json_decref(day);
    return row;
}

json_t *author_page(const struct home *home, int first, int count)
{
    json_t *seasons = json_array(), *bots = NULL;
    int season = -1;

    for (const struct home_bot *bot = &home->bots[first]; bot < &home->bots[first + count]; bot++) {
        const struct store_season *of = &home->seasons[bot->season].season;

        if (bot->season != season) {
            season = bot->season;
            bots = json_array();
            json_array_append_new(seasons, json_pack("{s:s, s:b, s:o}", "season", of->name,
                                                     "is_open", of->closed_us == 0, "bots", bots));
        }
        json_array_append_new(bots, version_of(bot));
    }
    return json_pack("{s:s, s:s, s:O*, s:o, s:o, s:o}", "title", home->bots[first].author, "home",
                     "../index.html", "voided", home->voided, "best", best_of(home, first, count),
                     "medals", medals_of(home, first, count), "seasons", seasons);
}
