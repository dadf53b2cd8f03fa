#include "arena/site/home_page.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "arena/report/columns.h"
#include "arena/season/mix.h"
#include "arena/site/html.h"
#include "arena/site/page.h"
#include "arena/site/parts.h"

enum {
    HOME_ROWS = 10,        /* rows of the ladder on the home page */
    HOME_BOTS = 6,         /* newest bots on the home page */
    HOME_GAMES = 6,        /* newest games on the home page */
    CANDIDATE_GAMES = 200, /* number of newest games from which the home page chooses one to play */
};

/* ---- the season at the top of the home page ---- */

static void write_best(FILE *page, const struct season_data *data)
{
    static const char *const headings[] = {"rank", "<bot", "<author", "Elo", ".±", ".games", NULL};
    const struct ladder *ladder = &data->standings.ladders[0];
    const char *season = data->standings.season.name;
    int count = data->standings.row_counts[0];

    if (count == 0)
        return;
    fprintf(page,
            "<p>How did your bot do? <a class=\"find\" href=\"%s/index.html\">Find it on the "
            "ladder</a></p>\n",
            season);
    html_table_begin(page, "Best bots", headings);
    for (int i = 0; i < count && i < HOME_ROWS; i++) {
        const struct ladder_row *row = &ladder->rows[i];
        const struct store_bot *bot = data_bot(data, row->entry);

        fputs("<tr><td>", page);
        parts_rank(page, row->rank_best, row->rank_worst);
        fprintf(page,
                "</td><th scope=\"row\"><a href=\"%s/bot/%s.html\">%s</a></th>"
                "<td class=\"wrap\">",
                season, bot->name, bot->name);
        parts_author(page, bot->author, "");
        if (row->game_count > 0)
            fprintf(page, "</td><td>%.0f</td><td class=\"when\">%.0f</td>", row->elo, row->error95);
        else
            fputs("</td><td></td><td class=\"when\"></td>", page);
        fprintf(page, "<td class=\"when\">%lld</td></tr>\n", (long long)row->game_count);
    }
    html_table_end(page);
    if (count > HOME_ROWS) {
        fprintf(page, "<p class=\"quiet\">The best %d of <a href=\"%s/index.html\">", HOME_ROWS,
                season);
        html_count(page, count);
        fputs(" bots</a>.</p>\n", page);
    }
    fputs("<p class=\"quiet when\">±: 95\u00a0% interval of each bot's Elo alone; which bot is "
          "better is "
          "known more exactly.</p>\n",
          page);
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

/* Writes the page of a game into a small frame, where the game plays by itself. */
static void write_match(FILE *page, const struct season_data *data, const struct data_game *game)
{
    char path[PARTS_PATH_BYTES];

    parts_game_path(data, game, "html", path);
    fprintf(page,
            "<figure><iframe class=\"p%d\" src=\"%s/%s#small\" title=\"A match, played again\">"
            "</iframe>\n<figcaption>A recent match of the best: <a href=\"%s/%s\">follow each "
            "decision</a></figcaption></figure>\n",
            game->player_count, data->standings.season.name, path, data->standings.season.name,
            path);
}

static void write_admissions(FILE *page, const struct season_data *data)
{
    static const char *const headings[] = {"<bot", "<version", "<author", ".admitted", NULL};
    int count = data->standings.roster.count;

    if (count == 0)
        return;
    fputs("<h2>New bots</h2>\n", page);
    html_table_begin(page, "New bots", headings);
    for (int entry = count; entry-- > 0 && entry >= count - HOME_BOTS;) {
        const struct store_bot *bot = data_bot(data, entry);

        fprintf(page,
                "<tr><th scope=\"row\"><a href=\"%s/bot/%s.html\">%s</a></th><td class=\"wrap\">",
                data->standings.season.name, bot->name, bot->name);
        html_text(page, bot->version);
        fputs("</td><td class=\"wrap\">", page);
        parts_author(page, bot->author, "");
        fputs("</td><td class=\"when\">", page);
        html_time(page, bot->submitted_us);
        fputs("</td></tr>\n", page);
    }
    html_table_end(page);
}

/* Writes whether a new bot can still enter the season, and when it would play. */
static void write_entry(FILE *page, const struct season_data *data)
{
    const struct store_season *season = &data->standings.season;

    if (season->closed_us > 0) {
        fprintf(page, "<p>Season %s is closed: a new bot waits for the next season.</p>\n",
                season->name);
        return;
    }
    if (parts_invites(data)) {
        fprintf(page, "<p>Season %s is open: ", season->name);
        parts_entry(page, data);
        fputs(".</p>\n", page);
    } else if (season->deadline_us && season->deadline_us <= data->facts.now_us) {
        fprintf(page,
                "<p>Season %s takes no further bots: a new bot waits for the next season.</p>\n",
                season->name);
    } else {
        fprintf(page, "<p>Season %s is open. %s</p>\n", season->name,
                season_state_sentence(data->status.state));
    }
}

/* Writes how to enter a bot. data is the season that the page shows, or NULL if there is none. */
static void write_enter(FILE *page, const struct home *home, const struct season_data *data)
{
    fputs("<h2 id=\"enter\">How to enter</h2>\n", page);
    if (data)
        write_entry(page, data);
    fputs("<div class=\"halves\"><section>\n<h3>Hand in a bot</h3>\n"
          "<p>A new name in <code>bot.json</code> makes another bot; a new version replaces the "
          "older one.</p>\n"
          "<div class=\"copy\"><section tabindex=\"0\" aria-label=\"Command\"><pre>"
          "arena submit --wait my-bot \\\n  --token-file token.txt \\\n  --to "
          "<span class=\"address\">",
          page);
    html_text(page, home->address ? home->address : "https://ADDRESS");
    fputs("</span></pre></section></div>\n<dl><dt><code>my-bot</code></dt>"
          "<dd>the bot's folder, with its <code>bot.json</code></dd>\n"
          "<dt><code>token.txt</code></dt>"
          "<dd>a file with your token, the same for all your bots</dd>\n",
          page);
    if (!home->address)
        fputs(
            "<dt class=\"unknown\"><code>ADDRESS</code></dt><dd class=\"unknown\">the web address "
            "of the arena: ask the organizer</dd>\n",
            page);
    fputs("</dl>\n</section><section>\n<h3>No bot yet?</h3>\n<ol>\n"
          "<li>Ask the organizer of this site ",
          page);
    if (home->contact) {
        fputs("(", page);
        html_contact(page, home->contact);
        fputs(") ", page);
    }
    fputs("for a token, and for the program <code>arena</code>: it runs on Linux, and its README "
          "says how to build it.</li>\n"
          "<li>Make a bot that already plays, named as you like:\n"
          "<div class=\"copy\"><pre>arena new --lang python my-bot</pre></div>\n"
          "Other languages: <code>arena new --list</code></li>\n"
          "<li>Change the bot, and watch it play:\n"
          "<div class=\"copy\"><pre>arena match --open my-bot steady</pre></div></li>\n"
          "<li>Check that the arena would admit it:\n"
          "<div class=\"copy\"><pre>arena check my-bot</pre></div></li>\n"
          "<li>Hand it in.</li>\n"
          "</ol>\n</section></div>\n",
          page);
}

static void write_shown(FILE *page, const struct home *home, const struct season_data *data)
{
    const struct data_game *best = find_best_game(data);
    char up[STORE_NAME_BYTES_MAX + 2];

    snprintf(up, sizeof up, "%s/", data->standings.season.name);
    fprintf(page,
            "<div class=\"halves\"><section>\n<h2><a href=\"%sindex.html\">Season %s</a></h2>\n",
            up, data->standings.season.name);
    parts_state(page, data, "");
    parts_leader(page, data);
    write_best(page, data);
    if (best) {
        fputs("</section><section>\n", page);
        write_match(page, data, best);
    }
    fputs("</section></div>\n", page);
    write_enter(page, home, data);
    fputs("<div class=\"halves\"><section>\n", page);
    if (data->count > 0) {
        fputs("<h2>Latest games</h2>\n", page);
        parts_games(page, data, LADDER_NOBODY, LADDER_NOBODY, up, HOME_GAMES);
        fputs("</section><section>\n", page);
    }
    write_admissions(page, data);
    fputs("</section></div>\n", page);
}

/* ---- what is known of each season ---- */

static int add_bots(struct home *home, const struct season_data *data)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    int count = data->standings.roster.count, ranked = 0;
    struct home_bot *bots;

    if (ARRAY_GROW(home->bots, home->bot_count, count) < 0)
        return -ENOMEM;
    bots = home->bots + home->bot_count;
    home->bot_count += count;
    for (int row = 0; row < data->standings.row_counts[0]; row++)
        ranked += ladder->rows[row].ranked;
    for (int entry = 0; entry < count; entry++) {
        const struct store_bot *bot = data_bot(data, entry);
        int name = data_name(data, entry);

        bots[entry] =
            (struct home_bot){.season = home->season_count, .elo = NAN, .ranked_count = ranked};
        memcpy(bots[entry].author, bot->author, sizeof bots[entry].author);
        memcpy(bots[entry].version, bot->version, sizeof bots[entry].version);
        memcpy(bots[entry].name, bot->name, sizeof bots[entry].name);
        if (data->standings.season.closed_us == 0)
            bots[entry].day = parts_day(data, name);
        bots[entry].key = name == entry ? mix(season_index_bot_key(data, entry), (uint64_t)ranked)
                                        : bots[name].key;
    }
    for (int i = 0; i < data->standings.row_counts[0]; i++) {
        const struct ladder_row *row = &ladder->rows[i];
        struct home_bot *bot = &bots[row->entry];

        bot->rank_best = row->ranked ? row->rank_best : 0;
        bot->rank_worst = row->ranked ? row->rank_worst : 0;
        bot->game_count = row->game_count;
        if (row->game_count > 0) {
            bot->elo = row->elo;
            bot->error95 = row->error95;
        }
        if (i < 3 && row->ranked && row->game_count > 0 && data->standings.season.closed_us > 0 &&
            !data->standings.season.is_practice) {
            bot->medal = i + 1;
            bot->key = mix(bot->key, (uint64_t)bot->medal);
        }
    }
    return 0;
}

int home_add(struct home *home, const struct season_data *data)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    struct home_season season = {.season = data->standings.season,
                                 .game_count = ladder->games.game_count};
    int error;

    if (season.game_count > 0)
        memcpy(season.leader, data_bot(data, ladder->rows[0].entry)->name, sizeof season.leader);
    if (season.season.id == home->shown_id) {
        size_t size;
        FILE *stream = open_memstream(&home->shown, &size);

        if (!stream)
            return -ENOMEM;
        write_shown(stream, home, data);
        if (fclose(stream) != 0)
            return -ENOMEM;
    }
    error = add_bots(home, data);
    return error ? error : array_add(&home->seasons, &home->season_count, &season, sizeof season);
}

static int compare_bots(const void *a, const void *b)
{
    const struct home_bot *first = a, *second = b;
    int order = strcmp(first->author, second->author);

    if (order == 0)
        order = second->season - first->season;
    if (order == 0)
        order = (first->rank_best == 0) - (second->rank_best == 0);
    if (order == 0)
        order = first->rank_best - second->rank_best;
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
    free(home->shown);
    free(home->seasons);
    free(home->bots);
}

/* ---- the home page ---- */

static void write_seasons(FILE *page, const struct home *home)
{
    static const char *const headings[] = {"<season", "<state",   "<leader", ">games",
                                           ".budget", ".created", NULL};

    html_table_begin(page, "Other seasons", headings);
    for (int i = home->season_count; i-- > 0;) {
        const struct home_season *row = &home->seasons[i];

        if (row->season.id == home->shown_id)
            continue;
        fprintf(page,
                "<tr><th scope=\"row\"><a href=\"%s/index.html\">%s</a></th>"
                "<td class=\"wrap\">%s%s",
                row->season.name, row->season.name, row->season.closed_us > 0 ? "closed" : "open",
                row->season.is_practice ? ", practice" : "");
        if (*row->season.division)
            html_format(page, ", division %s", row->season.division);
        fputs("</td><td class=\"left\">", page);
        if (*row->leader)
            fprintf(page, "<a href=\"%s/bot/%s.html\">%s</a>", row->season.name, row->leader,
                    row->leader);
        fprintf(page, "</td><td>%lld</td><td class=\"when\">%lld</td><td class=\"when\">",
                (long long)row->game_count, (long long)row->season.budget_games);
        html_time(page, row->season.created_us);
        fputs("</td></tr>\n", page);
    }
    html_table_end(page);
}

void home_page_write(FILE *page, const struct home *home)
{
    static const struct page_link links[] = {{NULL, NULL}};

    page_begin(page, "Bots play Azul: Summer Pavilion", links, NULL);
    fputs("<p class=\"lead\">People write programs that play the board game; the arena ranks them "
          "by their games.",
          page);
    if (play_page_exists())
        fputs(" <a href=\"" PLAY_PAGE_PATH "\">Play against the bots yourself</a>", page);
    fputs("</p>\n", page);
    if (home->shown) {
        fputs(home->shown, page);
    } else {
        fputs("<p>The first season has not begun.</p>\n", page);
        write_enter(page, home, NULL);
    }
    if (home->season_count > 1) {
        fputs("<h2>Other seasons</h2>\n", page);
        write_seasons(page, home);
    }
    page_end(page);
}

/* ---- authors ---- */

uint64_t home_author_key(const struct home *home, int first, int *count)
{
    uint64_t key = 0;

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
    static const char *const places[] = {"Won", "Second in", "Third in"};
    json_t *medals = json_array();

    for (int medal = 1; medal <= 3; medal++)
        for (const struct home_bot *bot = &home->bots[first]; bot < &home->bots[first + count];
             bot++)
            if (bot->medal == medal)
                json_array_append_new(
                    medals, json_pack("{s:s, s:s, s:s}", "place", places[medal - 1], "season",
                                      home->seasons[bot->season].season.name, "bot", bot->name));
    return medals;
}

/* Returns the best rank of an author's bots; null if none has a rank. */
static json_t *best_of(const struct home *home, int first, int count)
{
    const struct home_bot *best = NULL;

    for (const struct home_bot *bot = &home->bots[first]; bot < &home->bots[first + count]; bot++)
        if (bot->rank_best > 0 && bot->game_count > 0 &&
            !home->seasons[bot->season].season.is_practice &&
            (!best || bot->rank_best < best->rank_best))
            best = bot;
    return best ? json_pack("{s:o, s:i, s:s, s:s}", "rank",
                            parts_rank_json(best->rank_best, best->rank_worst), "of",
                            best->ranked_count, "bot", best->name, "season",
                            home->seasons[best->season].season.name)
                : json_null();
}

static json_t *version_of(const struct home_bot *bot)
{
    json_t *row = json_pack("{s:s, s:s, s:o, s:I}", "bot", bot->name, "version", bot->version,
                            "rank", parts_rank_json(bot->rank_best, bot->rank_worst), "games",
                            (json_int_t)bot->game_count);

    if (!isnan(bot->elo)) {
        json_object_set_new(row, "elo", json_real(bot->elo));
        json_object_set_new(row, "error95", json_real(bot->error95));
    }
    if (bot->rank_best > 0 && bot->day.has_games) /* not the older versions of the name */
        json_object_set_new(row, "day",
                            json_pack("{s:i, s:i, s:i}", "won", bot->day.won, "shared",
                                      bot->day.shared, "lost", bot->day.lost));
    return row;
}

json_t *author_page_data(const struct home *home, int first, int count)
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
    return json_pack("{s:s, s:[{s:s, s:s}], s:o, s:o, s:o}", "title", home->bots[first].author,
                     "links", "target", "../index.html", "text", "Home", "best",
                     best_of(home, first, count), "medals", medals_of(home, first, count),
                     "seasons", seasons);
}
