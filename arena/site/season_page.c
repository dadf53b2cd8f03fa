#include "arena/site/parts.h"

#include <math.h>
#include <string.h>

#include "arena/rating/fit.h"
#include "arena/base/plain_text.h"
#include "arena/report/columns.h"
#include "arena/site/html.h"
#include "arena/site/page.h"

enum {
    SEASON_GAMES = 30, /* number of newest games on the season's page */
};

/* ---- who against whom ---- */

static void write_cross_cell(FILE *page, const struct season_data *data, int a, int b)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    int first = ladder->rows[a].entry, second = ladder->rows[b].entry;
    char path[PARTS_PATH_BYTES];
    struct residual cell = {0};

    if (a != b)
        cell = residual_of(&ladder->games, &ladder->fit, first, second);
    if (cell.game_count == 0) {
        fputs("<td class=\"quiet\">·</td>", page);
        return;
    }
    /* Write no link if the pair has no page, because all its games belong to incomplete groups. */
    if (data_name(data, first) == data_name(data, second) ||
        !season_index_met(data, data_name(data, first), data_name(data, second))) {
        fprintf(page, "<td>%.0f</td>", decimals_round(100 * cell.score, 0));
        return;
    }
    parts_pair_path(data, first, second, path);
    fprintf(page, "<td><a href=\"%s\" title=\"%lld game%s, %.1f %% expected\">%.0f</a></td>", path,
            (long long)cell.game_count, plain_text_s(cell.game_count),
            decimals_round(100 * cell.expected, 1), decimals_round(100 * cell.score, 0));
}

static void write_cross(FILE *page, const struct season_data *data)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    int rows[PARTS_CROSS_MAX], shown = 0, count = 0;

    for (int i = 0; i < data->standings.row_counts[0]; i++) {
        if (ladder->rows[i].game_count > 0 && count++ < PARTS_CROSS_MAX)
            rows[shown++] = i;
    }
    fputs("<h2>Who against whom</h2>\n<p>The row's score against the column, in percent. A cell "
          "leads to their games.</p>\n<section class=\"wide\" tabindex=\"0\" "
          "aria-label=\"Crosstable\"><table><thead><tr><td></td>",
          page);
    for (int i = 0; i < shown; i++)
        fprintf(page, "<th scope=\"col\">%d</th>", i + 1);
    fputs("</tr></thead><tbody>\n", page);
    for (int i = 0; i < shown; i++) {
        char label[STANDINGS_LABEL_BYTES];

        standings_label(&data->standings.roster, ladder->rows[rows[i]].entry, label);
        fputs("<tr><th scope=\"row\">", page);
        html_format(page, "%d %s", i + 1, label);
        fputs("</th>", page);
        for (int j = 0; j < shown; j++)
            write_cross_cell(page, data, rows[i], rows[j]);
        fputs("</tr>\n", page);
    }
    html_table_end(page);
    if (shown < count)
        fprintf(page, "<p class=\"quiet\">The best %d of %d.</p>\n", shown, count);
}

/* ---- seats, tables, terms ---- */

/*
 * Returns the score of a seat in percent, rounded to one decimal; NAN if there is none. If all
 * seats have played equally often their mean is 50, and the last seat gets what makes it so.
 */
static double seat_score(const struct games_seat *seats, int players, int seat)
{
    double rest = 50.0 * players;
    bool equal = true;

    if (seat >= players || seats[seat].game_count == 0)
        return NAN;
    for (int other = 0; other < seat; other++) {
        rest -= seat_score(seats, players, other);
        equal = equal && seats[other].game_count == seats[seat].game_count;
    }
    if (seat == players - 1 && equal)
        return decimals_round(rest, 1);
    return decimals_round(100.0 * (double)seats[seat].halves /
                              (2.0 * (players - 1) * (double)seats[seat].game_count),
                          1);
}

static void write_seats(FILE *page, const struct season_data *data)
{
    const struct games *games = &data->standings.ladders[0].games;
    const char *headings[] = {"<table",     "games",       "first seat", "second seat",
                              "third seat", "fourth seat", NULL};
    int64_t counts[GAME_PLAYERS_MAX + 1] = {0};
    int most = GAME_PLAYERS_MAX;

    for (int i = 0; i < data->count; i++)
        counts[data->games[i].player_count] += !data->games[i].is_void;
    fputs("<h2>Games and seats</h2>\n", page);
    while (most > GAME_PLAYERS_MIN && counts[most] == 0)
        most--;
    headings[2 + most] = NULL; /* no column for a seat that no table has */
    html_table_begin(page, "Score by seat", headings);
    for (int players = GAME_PLAYERS_MIN; players <= GAME_PLAYERS_MAX; players++) {
        const struct games_seat *seats = games->seats[players];

        if (counts[players] == 0)
            continue;
        fprintf(page, "<tr><th scope=\"row\">%d players</th><td>", players);
        html_count(page, counts[players]);
        fputs("</td>", page);
        for (int seat = 0; seat < most; seat++) {
            double score = seat_score(seats, players, seat);

            if (isnan(score))
                fputs("<td></td>", page);
            else
                fprintf(page, "<td>%.1f %%</td>", score);
        }
        fputs("</tr>\n", page);
    }
    html_table_end(page);
    fputs("<p class=\"quiet\">Score of each seat against the others at its table; 50 % is an equal "
          "share. Everybody plays every seat equally often.</p>\n",
          page);
}

static void write_openings(FILE *page, const struct season_data *data)
{
    for (int i = 0; i < data->opening_count; i++) {
        const struct store_opening *opening = &data->openings[i];

        fprintf(page, "<dt>commitment %d</dt><dd><code>%s</code>, opened ", opening->number,
                opening->commitment);
        html_time(page, opening->opened_us);
        if (opening->closed_us > 0) {
            fputs("; seed <code>", page);
            for (size_t byte = 0; byte < GAME_SEED_BYTES; byte++)
                fprintf(page, "%02x", opening->seed[byte]);
            fputs("</code>, of which the commitment is the SHA-256 hash", page);
        } else {
            fputs("; the seed is published when the season closes", page);
        }
        fputs("</dd>\n", page);
    }
}

static void write_date(FILE *page, const char *what, int64_t us)
{
    if (!us)
        return;
    fprintf(page, "<dt>%s</dt><dd>", what);
    html_time(page, us);
    fputs("</dd>\n", page);
}

static void write_terms(FILE *page, const struct season_data *data)
{
    static const char *const boards[] = {"colored", "gray", "both sides in turns"};
    const struct store_season *season = &data->standings.season;

    fputs("<h2>Terms</h2>\n<dl>", page);
    if (*season->division) {
        fputs("<dt>division</dt><dd>", page);
        html_text(page, season->division);
        fputs("</dd>\n", page);
    }
    fputs("<dt>tables</dt><dd>", page);
    for (int i = 0; i < season->player_count_count; i++)
        fprintf(page, "%s%d", i ? ", " : "", season->player_counts[i]);
    fprintf(page, " players</dd>\n<dt>board</dt><dd>%s</dd>\n<dt>clock</dt><dd>",
            boards[season->board]);
    html_ms(page, season->clock.turn_ms);
    fputs(" a turn, bank ", page);
    html_ms(page, season->clock.bank_ms);
    fputs(", gain ", page);
    html_ms(page, season->clock.gain_ms);
    fputs(", start ", page);
    html_ms(page, season->clock.start_ms);
    fputs("</dd>\n<dt>budget</dt><dd>", page);
    html_count(page, season->budget_games);
    fprintf(page, " game%s%s</dd>\n", plain_text_s(season->budget_games),
            season->until_decided
                ? ", or fewer once the order of all neighbors on the ladder is decided"
                : "");
    write_date(page, "created", season->created_us);
    fputs("<dt>replays</dt><dd>", page);
    if (season->prunes)
        fprintf(page, "the arena keeps those of all forfeits and of the newest %lld other games",
                (long long)season->keep_games);
    else
        fputs("the arena keeps all", page);
    fprintf(page, "</dd>\n<dt>standard error</dt><dd>of a bot that forfeits: %s</dd>\n",
            season->publishes_errors ? "published"
                                     : "shown only to the bot's author and the organizer");
    if (season->is_practice)
        fputs("<dt>practice</dt><dd>counts for nothing; bots learn their opponents' names</dd>\n",
              page);
    write_date(page, "begins", season->from_us);
    write_date(page, "deadline for versions", season->deadline_us);
    write_date(page, "ends", season->until_us);
    write_date(page, "closed", season->closed_us);
    write_openings(page, data);
    fputs(
        "</dl>\n<p>Anybody can compute the ladder again: the organizer hands out all games as one "
        "file, for <code>arena rate games.csv</code>.</p>\n",
        page);
}

void season_page_write(FILE *page, const struct season_data *data, int subject)
{
    static const struct page_link links[] = {{"../index.html", "Home"}, {NULL, NULL}};
    const struct store_season *season = &data->standings.season;
    char title[STORE_NAME_BYTES_MAX + 16];

    snprintf(title, sizeof title, "Season %s", season->name);
    page_begin(page, title, links, "feed.xml");
    (void)subject;
    parts_state(page, data, "../index.html");
    parts_leader(page, data);
    parts_ladder(page, data, 0);
    fputs("<p class=\"quiet\">For programs: <a href=\"ladder.json\">ladder.json</a>, "
          "<a href=\"ladder.csv\">ladder.csv</a>, <a href=\"standings.json\">standings.json</a>, "
          "<a href=\"feed.xml\">feed.xml</a></p>\n",
          page);
    if (data->standings.ladders[0].games.game_count > 0) {
        fputs("<h2>Elo over the season</h2>\n", page);
        parts_history(page, data, LADDER_NOBODY);
        write_cross(page, data);
        write_seats(page, data);
        fputs("<h2>Newest games</h2>\n", page);
        parts_games(page, data, LADDER_NOBODY, LADDER_NOBODY, "", SEASON_GAMES);
    }
    write_terms(page, data);
    page_end(page);
}

void ladder_page_write(FILE *page, const struct season_data *data, int player_count)
{
    char season[STORE_NAME_BYTES_MAX + 16], title[STORE_NAME_BYTES_MAX + 40];
    const struct page_link links[] = {
        {"../index.html", "Home"}, {"index.html", season}, {NULL, NULL}};

    snprintf(season, sizeof season, "Season %s", data->standings.season.name);
    snprintf(title, sizeof title, "%s, tables of %d", season, player_count);
    page_begin(page, title, links, "feed.xml");
    parts_ladder(page, data, player_count);
    page_end(page);
}

json_t *season_standings_json(const struct season_data *data)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    json_t *bots = json_array();

    for (int i = 0; i < data->standings.row_counts[0]; i++) {
        const struct ladder_row *row = &ladder->rows[i];
        char label[STANDINGS_LABEL_BYTES];

        standings_label(&data->standings.roster, row->entry, label);
        json_array_append_new(
            bots, json_pack("{s:s, s:i, s:i, s:f, s:f, s:I, s:b}", "bot", label, "rank_best",
                            row->rank_best, "rank_worst", row->rank_worst, "elo",
                            decimals_round(row->elo, 1), "error95", decimals_round(row->error95, 1),
                            "games", (json_int_t)row->game_count, "provisional", row->provisional));
    }
    return json_pack("{s:s, s:b, s:s, s:I, s:I, s:o}", "season", data->standings.season.name,
                     "open", data->standings.season.closed_us == 0, "state",
                     season_state_name(data->status.state), "games",
                     (json_int_t)ladder->games.game_count, "left",
                     (json_int_t)data->status.left_count, "bots", bots);
}

/* ---- the feed ---- */

enum {
    /* Maximum number of new bots in a feed, and maximum number of first forfeits. */
    ENTRIES_MAX = 40,
};

/*
 * Writes one entry of the feed of a name: "BOT version VERSION WORDS DETAIL", with a link to the
 * bot's page. kind and entry make the id, which is unique within the season.
 */
static void write_entry(FILE *feed, const struct season_data *data, int name, const char *kind,
                        int entry, int64_t us, const char *words, const char *detail)
{
    const struct store_bot *bot = data_bot(data, entry);
    char path[PARTS_PATH_BYTES];

    parts_bot_path(data, entry, path);
    fputs("<entry><id>urn:arena:", feed);
    html_format(feed, "%s:%s:%d", data->standings.season.name, kind, entry);
    fputs("</id><updated>", feed);
    html_utc(feed, us);
    fputs(name == LADDER_NOBODY ? "</updated><link href=\"" : "</updated><link href=\"../", feed);
    html_text(feed, path);
    fputs("\"/><title>", feed);
    html_format(feed, "%s version %s %s%s", bot->name, bot->version, words, detail);
    fputs("</title></entry>\n", feed);
}

/* True if the entry has this name, or if name is LADDER_NOBODY, which stands for all names. */
static bool is_asked(const struct season_data *data, int entry, int name)
{
    return name == LADDER_NOBODY || data_name(data, entry) == name;
}

static void write_bots(FILE *feed, const struct season_data *data, int name)
{
    int count = data->standings.roster.count;

    for (int entry = count; entry-- > 0 && entry >= count - ENTRIES_MAX;)
        if (is_asked(data, entry, name))
            write_entry(feed, data, name, "admitted", entry, data_bot(data, entry)->submitted_us,
                        "was admitted", "");
}

/* Writes an entry for the first forfeit of each version. */
static void write_first_forfeits(FILE *feed, const struct season_data *data, int name)
{
    int told = 0;

    for (int entry = data->standings.roster.count; entry-- > 0 && told < ENTRIES_MAX;) {
        int first = data->index.first_forfeits[entry], seat = 0;
        const struct data_game *game;

        if (first < 0 || !is_asked(data, entry, name))
            continue;
        game = &data->games[first];
        while (game->entries[seat] != entry || !data_forfeited(game, seat))
            seat++;
        write_entry(feed, data, name, "forfeit", entry, game->started_us,
                    "forfeited for the first time: ", wire_reason_name(game->reasons[seat]));
        told++;
    }
}

static void write_leader(FILE *feed, const struct season_data *data, int64_t newest_us)
{
    const struct ladder_row *row = data->standings.ladders[0].rows;

    if (data->standings.row_counts[0] > 0 && row->game_count > 0)
        write_entry(feed, data, LADDER_NOBODY, "leader", row->entry, newest_us, "leads", "");
}

/* Returns the time of the newest event in the feed, or a later time. */
static int64_t find_newest(const struct season_data *data, int name)
{
    int64_t newest_us = data->standings.season.created_us;

    if (name == LADDER_NOBODY && data->newest_us > newest_us)
        newest_us = data->newest_us;
    for (int entry = 0; entry < data->standings.roster.count; entry++) {
        int first = data->index.first_forfeits[entry];

        if (!is_asked(data, entry, name))
            continue;
        if (data_bot(data, entry)->submitted_us > newest_us)
            newest_us = data_bot(data, entry)->submitted_us;
        if (first >= 0 && data->games[first].started_us > newest_us)
            newest_us = data->games[first].started_us;
    }
    return newest_us;
}

void season_feed_write(FILE *feed, const struct season_data *data, int name)
{
    int64_t newest_us = find_newest(data, name);

    fputs("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
          "<feed xmlns=\"http://www.w3.org/2005/Atom\"><id>urn:arena:",
          feed);
    html_text(feed, data->standings.season.name);
    if (name != LADDER_NOBODY)
        html_format(feed, ":%s", data_bot(data, name)->name);
    fputs("</id><title>Season ", feed);
    html_text(feed, data->standings.season.name);
    if (name != LADDER_NOBODY)
        html_format(feed, ": %s", data_bot(data, name)->name);
    fputs("</title><author><name>arena</name></author><updated>", feed);
    html_utc(feed, newest_us);
    fputs(name == LADDER_NOBODY ? "</updated><link href=\"index.html\"/>\n"
                                : "</updated><link href=\"../index.html\"/>\n",
          feed);
    if (name == LADDER_NOBODY)
        write_leader(feed, data, newest_us);
    write_bots(feed, data, name);
    write_first_forfeits(feed, data, name);
    fputs("</feed>\n", feed);
}
