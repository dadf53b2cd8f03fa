/* The pages of a bot and of a pair: bot_page_write, pair_page_write. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/fit.h"
#include "arena/replay/plain_text.h"
#include "arena/replay/words.h"
#include "arena/report/columns.h"
#include "arena/site/html.h"
#include "arena/site/page.h"
#include "arena/site/parts.h"
#include "engine/board.h"
#include "engine/notation.h"

enum {
    HABIT_GAMES = 20, /* number of newest games whose replays the page of a bot reads */
    PAIR_READ = 10,   /* number of newest games whose replays the page of a pair reads */
    /* Maximum number of newest games listed per cause of forfeits, besides the example. */
    MORE_FORFEITS = 10,
    MANY_DISCARDS = 5, /* tiles a game above the opponents' that the page calls a fault */
    MESSAGE_CHARS = 400,
    ERRORS_CHARS = 2000,
    BOT_GAMES = 60,    /* number of newest games on a bot's page */
    EXTREME_GAMES = 3, /* number of closest and of widest games on a pair's page */
    PAIR_GAMES = 200,  /* number of newest games on a pair's page */
};

static void begin_page(FILE *page, const struct season_data *data, const char *title,
                       const char *feed)
{
    char season[STORE_NAME_BYTES_MAX + 16];
    const struct page_link links[] = {
        {"../../index.html", "Home"}, {"../index.html", season}, {NULL, NULL}};

    snprintf(season, sizeof season, "Season %s", data->standings.season.name);
    page_begin(page, title, links, feed);
}

/* ---- forfeits ---- */

static const char *text_of(const json_t *forfeit, const char *key)
{
    const char *text = json_string_value(json_object_get(forfeit, key));

    return text ? text : "";
}

static void write_ms(FILE *page, const json_t *forfeit, const char *key, const char *words)
{
    const json_t *time = json_object_get(forfeit, key);
    json_int_t us = json_integer_value(time);

    if (!json_is_integer(time))
        return;
    fputs(words, page);
    if (us > 0 && us % 1000 == 0)
        html_ms(page, us / 1000);
    else
        fprintf(page, "%.1f ms", (double)us / 1000);
}

/* Writes the readable form of a message if the forfeit has one, else the message's bytes in hex. */
static void write_message(FILE *page, const json_t *forfeit, const char *term, const char *key)
{
    char decoded[24];
    const char *text;

    snprintf(decoded, sizeof decoded, "%s_decoded", key);
    text = *text_of(forfeit, decoded) ? text_of(forfeit, decoded) : text_of(forfeit, key);
    fprintf(page, "<dt>%s</dt><dd>", term);
    if (*text) {
        fputs("<code>", page);
        html_bytes(page, text, strlen(text), MESSAGE_CHARS);
        fputs("</code>", page);
    } else {
        fputs("nothing", page);
    }
    fputs("</dd>\n", page);
}

/* Writes the end of the bot's standard error, if the season's terms allow publishing it. */
static void write_errors(FILE *page, const struct season_data *data, const json_t *forfeit)
{
    const char *errors = text_of(forfeit, "stderr");
    size_t size, skipped;

    if (!data->standings.season.publishes_errors || !*errors)
        return;
    size = json_string_length(json_object_get(forfeit, "stderr"));
    skipped = size > ERRORS_CHARS ? size - ERRORS_CHARS : 0;
    while (skipped > 0 && ((unsigned char)errors[skipped] & 0xc0) == 0x80) /* not a first byte */
        skipped--;
    fputs(skipped ? "<dt>stderr</dt><dd><pre tabindex=\"0\">…"
                  : "<dt>stderr</dt><dd><pre tabindex=\"0\">",
          page);
    html_bytes(page, errors + skipped, size - skipped, size - skipped);
    fputs("</pre></dd>\n", page);
}

/* Returns the decision times of all versions of a bot's name together. */
static struct latency sum_times(const struct season_data *data, int name)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    struct latency latency = {0};

    for (int entry = name; entry < ladder->entry_count; entry++)
        if (data_name(data, entry) == name)
            latency_merge(&latency, &ladder->counts[entry].latency);
    return latency;
}

/* Writes "Its median decision takes 0.05 ms; the clock allows 100 ms and a bank of 1 s." */
static void write_slowness(FILE *page, const struct season_data *data, int name)
{
    const struct latency latency = sum_times(data, name);
    const struct wire_clock *clock = &data->standings.season.clock;

    if (latency.count == 0)
        return;
    fprintf(page, " Its median decision takes %.3g ms; the clock allows ",
            (double)latency_share_us(&latency, 0.5) / 1000);
    html_ms(page, clock->turn_ms);
    fputs(" and a bank of ", page);
    html_ms(page, clock->bank_ms);
    fputs(".", page);
}

/*
 * Completes the summary element that the caller began. Then writes why and when the bot forfeited,
 * what the bot read and wrote, and the command with which a reader can repeat the forfeit.
 */
static void write_forfeit(FILE *page, const struct season_data *data, const struct data_game *game,
                          int name, int seat)
{
    json_t *forfeits = json_loads(game->forfeits ? game->forfeits : "[]", JSON_ALLOW_NUL, NULL);
    const json_t *forfeit = json_array_get(forfeits, (size_t)seat);
    const json_t *turn = json_object_get(forfeit, "turn");
    const char *words = text_of(forfeit, "words");
    char id[STORE_GAME_ID_BYTES];

    store_game_id(id, data->standings.season.name, game->group, game->rotation);
    html_text(page, words);
    if (game->reasons[seat] == WIRE_TIMEOUT) {
        if (*words && !strchr(".?!", words[strlen(words) - 1]))
            fputs(".", page);
        write_slowness(page, data, name);
    }
    fputs("</summary><dl><dt>game</dt><dd>", page);
    parts_game_link(page, data, game, "../",
                    json_is_integer(turn) ? (int)json_integer_value(turn) : -1, seat);
    if (json_is_integer(turn))
        fprintf(page, ", decision %lld", (long long)json_integer_value(turn));
    else
        fputs(", before the first decision", page);
    fputs("</dd>\n<dt>played</dt><dd>", page);
    parts_time(page, game->started_us, MOMENT_HTML);
    fputs("</dd>\n<dt>time</dt><dd>", page);
    write_ms(page, forfeit, "wall_us", "");
    write_ms(page, forfeit, "limit_us", " of ");
    write_ms(page, forfeit, "cpu_us", ", processor ");
    write_ms(page, forfeit, "delay_us", ", the arena's own delay at most ");
    fputs("</dd>\n", page);
    write_message(page, forfeit, "read", "request");
    write_message(page, forfeit, "wrote", "reply");
    write_errors(page, data, forfeit);
    if (game->page) {
        fprintf(page, "<dt>again</dt><dd><code>arena replay %s.replay <span class=\"tie\">--at ",
                id);
        if (json_is_integer(turn))
            fprintf(page, "%lld", (long long)json_integer_value(turn));
        else
            fprintf(page, "hello</span> <span class=\"tie\">--seat %d", seat);
        fputs("</span> <span class=\"tie\">--bot BOT</span></code>, with the replay saved from the "
              "game's page and BOT the folder of "
              "the bot</dd>",
              page);
    }
    fputs("</dl>\n", page);
    json_decref(forfeits);
}

/* Returns the seat that the named bot held in a game and forfeited for this reason, or -1. */
static int find_forfeit(const struct season_data *data, const struct data_game *game, int name,
                        enum wire_reason reason)
{
    for (int seat = 0; seat < game->player_count; seat++)
        if (game->reasons[seat] == reason && data_name(data, game->entries[seat]) == name)
            return seat;
    return -1;
}

/*
 * Writes how often a name forfeited for this reason: the newest game as an example, and links to
 * older games. Returns how often.
 */
static int64_t write_cause(FILE *page, const struct season_data *data, int name,
                           enum wire_reason reason)
{
    const struct data_game *example = NULL;
    int64_t count = 0, shown = 0;
    int game_count;
    const int *games = season_index_games(data, name, &game_count);

    for (int i = 0; i < game_count; i++) {
        const struct data_game *game = &data->games[games[i]];

        if (game->is_void || find_forfeit(data, game, name, reason) < 0)
            continue;
        example = game;
        count++;
    }
    if (count == 0)
        return 0;
    fprintf(page,
            "<details><summary><span class=\"out\">%s</span> × %lld: ", wire_reason_name(reason),
            (long long)count);
    write_forfeit(page, data, example, name, find_forfeit(data, example, name, reason));
    for (int i = game_count; i-- > 0 && shown < MORE_FORFEITS;) {
        const struct data_game *game = &data->games[games[i]];
        int seat = find_forfeit(data, game, name, reason);

        if (game == example || game->is_void || !game->page || seat < 0)
            continue;
        fputs(shown++ ? ", " : "<p>Before: ", page);
        parts_game_link(page, data, game, "../", data_forfeit_turn(game, seat), seat);
    }
    fputs(shown ? "</p></details>\n" : "</details>\n", page);
    return count;
}

/* Writes that the bot discards far more tiles than its opponents, if it does. */
static void write_discards(FILE *page, const struct season_data *data, int name)
{
    struct habits mine, theirs;

    if (season_habits(data, name, LADDER_NOBODY, HABIT_GAMES, &mine, &theirs) > 0 &&
        mine.means[STORY_LOST_TILES] >= theirs.means[STORY_LOST_TILES] + MANY_DISCARDS)
        fprintf(
            page,
            "<p><strong>Discards many tiles</strong>: %.1f a game (opponents %.1f), which costs "
            "%.1f points.</p>\n",
            decimals_round(mine.means[STORY_LOST_TILES], 1),
            decimals_round(theirs.means[STORY_LOST_TILES], 1),
            decimals_round(-mine.means[STORY_LOST], 1));
}

/* The mistakes of a kind, by what the bot did and what would have been better. */
static const char *group_of(const struct mistake *mistake)
{
    static const char *const words[] = {[ACTION_DRAFT] = "Takes the wrong tiles",
                                        [ACTION_PLACE] = "Places the wrong tile",
                                        [ACTION_BONUS] = "Takes the wrong bonus tiles",
                                        [ACTION_PASS] = "Keeps the wrong tiles"};
    int done = mistake->done.action.kind, better = mistake->better.action.kind;

    return done == better        ? words[done]
           : done == ACTION_PASS ? "Passes too early"
                                 : "Passes too late";
}

/* Writes the mistakes of the group of mistakes[first], game by game. */
static void write_group(FILE *page, const struct season_data *data, const struct mistake *mistakes,
                        int count, int first)
{
    const struct data_game *game = NULL;
    const char *group = group_of(&mistakes[first]);
    int found = 0;

    for (int i = first; i < count; i++)
        found += group_of(&mistakes[i]) == group;
    fprintf(page, "<details><summary><strong>%s</strong> × %d</summary>", group, found);
    for (int i = first; i < count; i++) {
        const struct mistake *mistake = &mistakes[i];

        if (group_of(mistake) != group)
            continue;
        if (mistake->game == game) {
            fputs(", ", page);
        } else {
            fputs(game ? "</p>\n<p>" : "<p>", page);
            game = mistake->game;
            parts_game_link(page, data, game, "../", -1, mistake->done.seat);
            fputs(", decision ", page);
        }
        parts_game_open(page, data, game, "../", mistake->turn, mistake->done.seat);
        fprintf(page, game->page ? "%d</a>" : "%d", mistake->turn);
    }
    fputs("</p></details>\n", page);
}

/* Writes the mistakes in a name's newest analysed games, grouped by kind. */
static void write_mistakes(FILE *page, const struct season_data *data, int name)
{
    struct mistake *mistakes = NULL;
    char analyst[STORE_NAME_BYTES_MAX + 1];
    int count = 0, game_count, read = 0;
    const int *games = season_index_games(data, name, &game_count);

    while (game_count-- > 0 && read < HABIT_GAMES) {
        const struct data_game *game = &data->games[games[game_count]];

        read += !game->is_void && season_mistakes(data, game, name, &mistakes, &count, analyst);
    }
    if (count > 0) {
        fprintf(page, "<p>Mistakes in %d game%s, says ", read, plain_text_s(read));
        html_text(page, analyst);
        fprintf(page, "%s:</p>\n",
                strcmp(analyst, "maestro") == 0 ? ", the strongest bundled bot" : "");
    }
    for (int i = 0; i < count; i++) {
        bool is_new = true;

        for (int before = 0; before < i; before++)
            is_new = is_new && group_of(&mistakes[before]) != group_of(&mistakes[i]);
        if (is_new)
            write_group(page, data, mistakes, count, i);
    }
    free(mistakes);
}

static void write_wrong(FILE *page, const struct season_data *data, int name)
{
    int64_t count = 0;

    fputs("<h2 id=\"wrong\">What goes wrong</h2>\n", page);
    for (int reason = WIRE_PLAYED + 1; reason < WIRE_REASON_COUNT; reason++)
        count += write_cause(page, data, name, (enum wire_reason)reason);
    if (count == 0)
        fputs("<p>No forfeit: it played every game to the end.</p>\n", page);
    write_discards(page, data, name);
    write_mistakes(page, data, name);
}

/* ---- lately ---- */

/* Writes what the name's games of the last 24 hours were; nothing if the name has no games. */
static void write_day(FILE *page, const struct season_data *data, int name)
{
    const struct parts_day day = parts_day(data, name);
    const char *before = " (<a href=\"#wrong\">";

    if (!day.has_games)
        return;
    fputs("<dt>Last 24 hours</dt><dd><strong>", page);
    parts_day_write(page, &day);
    fputs("</strong>", page);
    for (int reason = 0; reason < WIRE_REASON_COUNT; reason++) {
        if (day.by_reason[reason] == 0)
            continue;
        fprintf(page, "%s%d by %s", before, day.by_reason[reason],
                wire_reason_name((enum wire_reason)reason));
        before = ", ";
    }
    fputs(*before == ',' ? "</a>) <span class=\"quiet\">until " : " <span class=\"quiet\">until ",
          page);
    parts_time(page, data->newest_us, MOMENT_HTML);
    fputs("</span></dd>\n", page);
}

/* Writes the decision of a game that cost a name most, if an analysis of the game names one. */
static void write_costliest(FILE *page, const struct season_data *data,
                            const struct data_game *game, int name)
{
    struct mistake *mistakes = NULL, *worst;
    char analyst[STORE_NAME_BYTES_MAX + 1];
    int count = 0;

    season_mistakes(data, game, name, &mistakes, &count, analyst);
    worst = mistakes;
    for (int i = 1; i < count; i++)
        worst = mistakes[i].lost > worst->lost ? &mistakes[i] : worst;
    if (worst) {
        fputs("<dt>Its worst decision</dt><dd>", page);
        parts_game_open(page, data, game, "../", worst->turn, worst->done.seat);
        fprintf(page, "<strong>%d</strong></a>. %s: ", worst->turn, group_of(worst));
        html_format(page, "%s would ", analyst);
        words_action(page, &worst->better, WORDS_ADVICE);
        fputs(".</dd>\n", page);
    }
    free(mistakes);
}

/* Writes a field that leads to any decision of a game, if the game has a page. */
static void write_field(FILE *page, const struct season_data *data, const struct data_game *game,
                        int seat)
{
    const struct game_story *story = season_story(data, (int)(game - data->games));
    char path[PARTS_PATH_BYTES];

    if (!game->page || !story || story->decision_count == 0)
        return;
    parts_game_path(data, game, "html", path);
    fprintf(page,
            " <form data-to=\"../%s#seat=%d&amp;t=\"><label>Go to decision <input name=\"t\" "
            "type=\"number\" "
            "min=\"0\" max=\"%d\" placeholder=\"0–%d\" required></label><button type=\"submit\" "
            "class=\"all\">Go</button></form>",
            path, seat, story->decision_count - 1, story->decision_count - 1);
}

/* Writes the newest game in which a name was not first, why, and links to its decisions. */
static void write_last_lost(FILE *page, const struct season_data *data, int name)
{
    const struct data_game *game = NULL;
    int count, seat = 0, winner = 0;
    const int *games = season_index_games(data, name, &count);

    while (!game && count-- > 0) {
        game = &data->games[games[count]];
        seat = parts_best_seat(data, game, name);
        if (game->is_void || game->ranks[seat] == 1)
            game = NULL;
    }
    if (!game)
        return;
    while (game->ranks[winner] != 1)
        winner++;
    fputs("<dt>Last lost game</dt><dd>", page);
    parts_game_open(page, data, game, "../", data_forfeit_turn(game, seat), seat);
    fprintf(page, "<strong>%d\u00a0:\u00a0%d</strong> to %s", game->scores[seat],
            game->scores[winner], data_bot(data, game->entries[winner])->name);
    if (game->player_count > 2)
        fprintf(page, ", place %d of %d", game->ranks[seat], game->player_count);
    if (game->page)
        fputs("</a>", page);
    write_field(page, data, game, seat);
    fputs("<br>", page);
    if (data_forfeited(game, seat))
        fprintf(page, " It forfeited, by <a href=\"#wrong\">%s</a>.",
                wire_reason_name(game->reasons[seat]));
    if (!data_has_forfeit(game))
        season_why_lost(page, data, game, seat);
    fputs("</dd>\n", page);
    if (game->page)
        write_costliest(page, data, game, name);
}

/* ---- rank and versions ---- */

/* Returns a bot's row in the ladder: of its newest version that has one, or NULL if none has. */
static const struct ladder_row *find_newest(const struct season_data *data, int name)
{
    const struct ladder_row *newest = NULL;

    for (int i = 0; i < data->standings.row_counts[0]; i++) {
        const struct ladder_row *row = &data->standings.ladders[0].rows[i];

        if (data_name(data, row->entry) == name && (!newest || row->entry > newest->entry))
            newest = row;
    }
    return newest;
}

/* Writes where the newest version stands. is_voided: the bot was banned with its games. */
static void write_standing(FILE *page, const struct season_data *data, const struct ladder_row *row,
                           bool is_voided)
{
    int ranked = 0;

    for (int i = 0; i < data->standings.row_counts[0]; i++)
        ranked += data->standings.ladders[0].rows[i].ranked;
    fputs("<p class=\"lead\">", page);
    if (!row || !row->ranked) {
        fputs(is_voided ? "Banned: its games do not count." : "Does not play any more.", page);
    } else if (row->game_count == 0) {
        fputs("Has not played yet.", page);
    } else {
        fputs("Rank <strong>", page);
        parts_rank(page, row->rank_best, row->rank_worst);
        fprintf(page, "</strong> of %d.", ranked);
    }
    if (row && row->game_count > 0) {
        fprintf(page, " Elo <strong>%.0f\u00a0±\u00a0%.0f</strong> after ", row->elo, row->error95);
        html_count(page, row->game_count);
        fputs(row->game_count == 1 ? " game." : " games.", page);
    }
    fputs("</p>\n", page);
}

/* Writes who wrote the newest version, and what its flags mean. */
static void write_version(FILE *page, const struct season_data *data, const struct ladder_row *row,
                          int name)
{
    const struct store_bot *bot = data_bot(data, row ? row->entry : name);

    fputs("<p>Version ", page);
    html_text(page, bot->version);
    fputs(" by ", page);
    parts_author(page, bot->author, "../../");
    if (*bot->language) {
        fputs(", in ", page);
        html_text(page, bot->language);
    }
    fputs(", submitted ", page);
    parts_time(page, bot->submitted_us, MOMENT_HTML);
    fputs(".</p>\n", page);
    if (row)
        parts_flags(page, row);
}

/* ---- versions, opponents, times ---- */

/* Writes a table of a name's versions, if the name has several. */
static void write_versions(FILE *page, const struct season_data *data, int name)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    static const char *const headings[] = {"<version", "<language", ".submitted",
                                           "Elo",      "games",     NULL};

    int count = 0;

    for (int i = 0; i < data->standings.row_counts[0]; i++)
        count += data_name(data, ladder->rows[i].entry) == name;
    if (count < 2)
        return;
    fputs("<h2>Versions</h2>\n", page);
    html_table_begin(page, "Versions", headings);
    for (int i = 0; i < data->standings.row_counts[0]; i++) {
        const struct ladder_row *row = &ladder->rows[i];
        const struct store_bot *bot = data_bot(data, row->entry);

        if (data_name(data, row->entry) != name)
            continue;
        fputs("<tr><th scope=\"row\">", page);
        html_text(page, bot->version);
        fputs("</th><td class=\"left\">", page);
        html_text(page, bot->language);
        fputs("</td><td class=\"when\">", page);
        parts_time(page, bot->submitted_us, MOMENT_HTML);
        fprintf(page, "</td><td>%.0f ± %.0f</td><td>%lld</td></tr>\n", row->elo, row->error95,
                (long long)row->game_count);
    }
    html_table_end(page);
}

/*
 * Returns the results of one name against another, of all versions together. Leaves the field
 * `evidence` 0.
 */
static struct residual sum_versions(const struct season_data *data, int name, int other)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    struct residual sum = {0};

    for (int a = name; a < ladder->entry_count; a++)
        for (int b = other; b < ladder->entry_count && data_name(data, a) == name; b++) {
            struct residual cell;

            if (data_name(data, b) != other)
                continue;
            cell = residual_of(&ladder->games, &ladder->fit, a, b);
            sum.game_count += cell.game_count;
            sum.score += (double)cell.game_count * cell.score;
            sum.expected += (double)cell.game_count * cell.expected;
        }
    if (sum.game_count > 0) {
        sum.score /= (double)sum.game_count;
        sum.expected /= (double)sum.game_count;
    }
    return sum;
}

static void write_opponent(FILE *page, const struct season_data *data, int name, int other)
{
    const struct residual sum = sum_versions(data, name, other);
    char path[PARTS_PATH_BYTES];

    if (sum.game_count == 0)
        return;
    parts_pair_path(data, name, other, path);
    fprintf(page, "<tr><th scope=\"row\"><a href=\"../%s\">%s</a>", path,
            data_bot(data, other)->name);
    fprintf(page,
            "</th><td>%lld</td><td>%.1f %%</td><td>%.1f %%</td><td class=\"when\"><svg><path "
            "class=\"half\" d=\"M60 0v16\"/><path d=\"M0 8h%.0f\"/><path class=\"mark\" "
            "d=\"M%.0f 2v12\"/></svg></td></tr>\n",
            (long long)sum.game_count, decimals_round(100 * sum.score, 1),
            decimals_round(100 * sum.expected, 1), 120 * sum.score, 120 * sum.expected);
}

/* Writes a table of the opponents of all versions together, as the pages of pairs do. */
static void write_opponents(FILE *page, const struct season_data *data, int name)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    static const char *const headings[] = {"<opponent", ">games",      ">score",
                                           ">expected", ".0 to 100 %", NULL};

    fputs("<h2>Against whom</h2>\n<div class=\"bars\">", page);
    html_table_begin(page, "Against whom", headings);
    for (int i = 0; i < data->standings.row_counts[0]; i++) {
        int other = data_name(data, ladder->rows[i].entry);

        if (other != name && season_index_met(data, name, other) &&
            find_newest(data, other) == &ladder->rows[i])
            write_opponent(page, data, name, other);
    }
    html_table_end(page);
    fputs("</div><p class=\"quiet\">All versions together. <span class=\"when\">The bar is the "
          "score, the mark what the ratings expect.</span> A name leads to the two bots' "
          "games.</p>\n",
          page);
}

/* ---- habits ---- */

/*
 * Two bots, or a bot and its opponents, whose numbers a chart compares. The labels are plain text.
 */
struct comparison {
    const char *labels[2];
    char shorts[2][PARTS_SHORT_BYTES]; /* the labels, cut */
    struct habits habits[2];
};

static void write_share(FILE *page, const struct habits *habits, int first, const char *label)
{
    fprintf(page, "<tr><th scope=\"row\">%s</th>", label);
    for (int star = 0; star < GAME_STARS; star++)
        fprintf(page, "<td>%.0f %%</td>", decimals_round(100 * habits->means[first + star], 0));
    fputs("</tr>\n", page);
}

/*
 * Writes how often the first tile lies on each star, and how often each star is full at the end.
 * is_bot: the second label is the name of a bot.
 */
static void write_stars(FILE *page, const struct comparison *compared, bool is_bot)
{
    char label[STORE_NAME_BYTES_MAX + 16];

    fputs("<h3>Stars</h3>\n<section class=\"wide\" tabindex=\"0\" "
          "aria-label=\"Stars\"><table><thead><tr><td></td>",
          page);
    for (int star = 0; star < GAME_STARS; star++)
        if (star == GAME_STAR_CENTER)
            fputs("<th scope=\"col\">center</th>", page);
        else
            fprintf(page,
                    "<th scope=\"col\" class=\"tiled\"><svg class=\"tile c%d\" viewBox=\"-10 -17 "
                    "20 34\" "
                    "aria-hidden=\"true\"><path d=\"M0-16 9 0 0 16-9 0z\"/></svg>%s</th>",
                    board_star_colors[star], notation_color_names[board_star_colors[star]]);
    fputs("</tr></thead><tbody>\n", page);
    write_share(page, &compared->habits[0], STORY_FIRST, "opens on it");
    write_share(page, &compared->habits[0], STORY_FULL, "fills it");
    snprintf(label, sizeof label, "%s fill%s it", compared->labels[1], is_bot ? "s" : "");
    write_share(page, &compared->habits[1], STORY_FULL, label);
    html_table_end(page);
}

/* A number of habits, and its label in a table. */
struct habit {
    const char *label;
    enum story_number number;
};

/* Writes a table of habits: two numbers each, with bars on an axis that all share. */
static void write_table(FILE *page, const struct comparison *compared, const char *title,
                        const struct habit *habits, int count)
{
    char scale[32];
    const char *headings[] = {"<a game", compared->shorts[0], compared->shorts[1], scale, NULL};
    const double *mine = compared->habits[0].means, *theirs = compared->habits[1].means;
    double most = 1;

    for (int i = 0; i < count; i++)
        most = fmax(most, fmax(fabs(mine[habits[i].number]), fabs(theirs[habits[i].number])));
    most = 10 * ceil(most / 10);
    snprintf(scale, sizeof scale, ".0 to %.0f", most);
    fprintf(page, "<h3>%s</h3>\n<div class=\"bars\">", title);
    html_table_begin(page, title, headings);
    for (int i = 0; i < count; i++) {
        double a = mine[habits[i].number], b = theirs[habits[i].number];

        fprintf(page,
                "<tr><th scope=\"row\">%s</th><td>%.1f</td><td>%.1f</td><td class=\"when\"><svg%s>"
                "<path d=\"M0 5h%.0f\"/><path class=\"other\" d=\"M0 12h%.0f\"/></svg></td></tr>\n",
                habits[i].label, decimals_round(a, 1), decimals_round(b, 1),
                a < 0 ? " class=\"minus\"" : "", 120 * fabs(a) / most, 120 * fabs(b) / most);
    }
    html_table_end(page);
    fputs("</div>\n", page);
}

static void write_tables(FILE *page, const struct comparison *compared)
{
    static const struct habit points[] = {{"Runs of tiles", STORY_RUNS},
                                          {"Full stars", STORY_STARS},
                                          {"Numbers covered", STORY_COSTS},
                                          {"Start token", STORY_TOKEN},
                                          {"Tiles discarded", STORY_LOST},
                                          {"Tiles left on corners", STORY_CORNERS},
                                          {"Final score (5 at start)",
                                           STORY_SCORES + GAME_ROUNDS + 1}},
                              tiles[] = {{"Bonus tiles taken", STORY_BONUS_TILES},
                                         {"Tiles discarded", STORY_LOST_TILES},
                                         {"Start tokens taken", STORY_TOKENS}};

    write_table(page, compared, "Points", points, sizeof points / sizeof *points);
    write_table(page, compared, "Tiles", tiles, sizeof tiles / sizeof *tiles);
}

/* Positions on the chart of scores: of a round, and of a score where `most` is at the top. */
static double round_x(int round)
{
    return 40 + 55 * round;
}

static double score_y(double score, double most)
{
    return 244 - 215 * score / most;
}

/* Returns the distance of the lines of that chart's scale, in points. */
static int points_step(double most)
{
    return most > 100 ? 50 : most > 40 ? 20 : 10;
}

/* Writes two curves: the mean score at the start, after each round and after the final scoring. */
static void write_rounds(FILE *page, const struct comparison *compared)
{
    double most = 10, end_y[2];

    for (int i = 0; i < 2; i++)
        for (int round = 0; round <= GAME_ROUNDS + 1; round++)
            most = fmax(most, compared->habits[i].means[STORY_SCORES + round]);
    fputs("<h3>Score by round</h3>\n<svg class=\"chart rounds\" viewBox=\"0 0 600 274\" "
          "role=\"img\" aria-label=\"Mean score after each round\">\n",
          page);
    for (int points = 0; points <= most; points += points_step(most))
        fprintf(page,
                "<path class=\"grid\" d=\"M%.0f %.0fH%.0f\"/><text x=\"0\" y=\"%.0f\">%d</text>",
                round_x(0), score_y(points, most), round_x(GAME_ROUNDS + 1),
                score_y(points, most) + 4, points);
    fputs("<text x=\"0\" y=\"12\">points</text>", page);
    for (int round = 0; round <= GAME_ROUNDS + 1; round++) {
        char label[16] = "start";

        if (round > 0)
            snprintf(label, sizeof label, round <= GAME_ROUNDS ? "%d" : "final", round);
        fprintf(page, "<text class=\"x\" x=\"%.0f\" y=\"266\">%s</text>", round_x(round), label);
    }
    for (int i = 0; i < 2; i++) {
        const double *scores = &compared->habits[i].means[STORY_SCORES];

        fprintf(page, "<g class=\"s%d\"><path%s d=\"", i, i ? " stroke-dasharray=\"7 3\"" : "");
        for (int round = 0; round <= GAME_ROUNDS + 1; round++)
            fprintf(page, "%c%.0f %.0f", round ? 'L' : 'M', round_x(round),
                    score_y(scores[round], most));
        fputs("\"/>", page);
        for (int round = 1; round <= GAME_ROUNDS + 1; round++)
            fprintf(page, "<circle cx=\"%.0f\" cy=\"%.0f\" r=\"3\"/>", round_x(round),
                    score_y(scores[round], most));
        end_y[i] = score_y(scores[GAME_ROUNDS + 1], most) + 4;
        if (i == 1 && fabs(end_y[1] - end_y[0]) < 16)
            end_y[1] = end_y[0] + (end_y[1] < end_y[0] ? -16 : 16);
        fprintf(page, "<text class=\"end\" x=\"434\" y=\"%.0f\">", end_y[i]);
        fprintf(page, "%s %.1f</text></g>\n", compared->shorts[i],
                decimals_round(scores[GAME_ROUNDS + 1], 1));
    }
    fputs("</svg>\n", page);
}

/* Compares a name with another name, or with its opponents if other is LADDER_NOBODY. */
static void write_habits(FILE *page, const struct season_data *data, int name, int other)
{
    struct comparison compared = {.labels = {data_bot(data, name)->name, "opponents"}};
    int count = season_habits(data, name, other, other == LADDER_NOBODY ? HABIT_GAMES : PAIR_READ,
                              &compared.habits[0], &compared.habits[1]);

    if (other != LADDER_NOBODY)
        compared.labels[1] = data_bot(data, other)->name;
    for (int i = 0; i < 2; i++)
        parts_short_name(compared.labels[i], 11, compared.shorts[i]);
    fputs("<h2 id=\"style\">Style of play</h2>\n", page);
    if (count == 0) {
        fputs("<p>No game that all bots played to the end has a replay.</p>\n", page);
        return;
    }
    fprintf(
        page,
        "<p class=\"quiet\">Means of the newest %d games without forfeits. <span class=\"when\">"
        "Upper bars: %s; lower bars: %s.</span></p>\n<div class=\"halves\"><div>\n",
        count, compared.labels[0], compared.labels[1]);
    write_tables(page, &compared);
    fputs("</div><div>\n", page);
    write_rounds(page, &compared);
    if (compared.habits[0].colored_count > 0)
        write_stars(page, &compared, other != LADDER_NOBODY);
    fputs("</div></div>\n", page);
}

/*
 * Writes a histogram of decision times of all versions together, one bar per doubling of the time.
 */
static void write_times(FILE *page, const struct season_data *data, int name)
{
    const struct latency latency = sum_times(data, name);
    int64_t octaves[LATENCY_BUCKETS / 8] = {0}, most = 1;
    int last = 0;

    fputs("<h2>Time a decision</h2>\n", page);
    if (latency.count == 0) {
        fputs("<p>No decision yet.</p>\n", page);
        return;
    }
    for (int i = 0; i < LATENCY_BUCKETS; i++) {
        octaves[i / 8] += latency.counts[i];
        if (latency.counts[i] > 0)
            last = i / 8;
        if (octaves[i / 8] > most)
            most = octaves[i / 8];
    }
    fprintf(page,
            "<p>Median %.3g ms, 90\u00a0%% within %.3g ms, 99\u00a0%% within %.3g ms, longest %.3g "
            "ms, of ",
            (double)latency_share_us(&latency, 0.5) / 1000,
            (double)latency_share_us(&latency, 0.9) / 1000,
            (double)latency_share_us(&latency, 0.99) / 1000, (double)latency.max_us / 1000);
    html_count(page, latency.count);
    fputs(" decisions; the tallest bar has ", page);
    html_count(page, most);
    fprintf(page,
            ".</p>\n<svg class=\"chart times\" width=\"%d\" viewBox=\"0 0 %d 150\" role=\"img\" "
            "aria-label=\"Decisions by time\">",
            48 * (last + 1), 48 * (last + 1));
    for (int i = 0; i <= last; i++) {
        double height = 110.0 * (double)octaves[i] / (double)most;
        double us = i == 0 ? 8 : 8 * pow(2, i);

        fprintf(page, "<rect x=\"%d\" y=\"%.1f\" width=\"40\" height=\"%.1f\"/>", i * 48,
                116 - height, height);
        fprintf(page,
                us < 1000 ? "<text class=\"x\" x=\"%d\" y=\"122\">%.0f µs</text>"
                          : "<text class=\"x\" x=\"%d\" y=\"122\">%.0f ms</text>",
                i * 48 + 20, us < 1000 ? us : us / 1000);
    }
    fputs("</svg>\n<p class=\"quiet\">Each bar covers a doubling of the time, up to the label "
          "below it.</p>\n",
          page);
}

void bot_page_write(FILE *page, const struct season_data *data, int name)
{
    const struct ladder_row *row = find_newest(data, name);
    bool is_voided = !row && data_bot(data, name)->voided;
    char feed[STORE_NAME_BYTES_MAX + 8];
    int game_count, point_count;

    snprintf(feed, sizeof feed, "%s.xml", data_bot(data, name)->name);
    begin_page(page, data, data_bot(data, name)->name, feed);
    write_standing(page, data, row, is_voided);
    fputs("<dl>", page);
    write_day(page, data, name);
    write_last_lost(page, data, name);
    fputs("</dl>\n", page);
    write_version(page, data, row, name);
    season_index_games(data, name, &game_count);
    if (game_count > 0 && !is_voided)
        write_wrong(page, data, name);
    if (game_count > 0) {
        fputs("<h2>Newest games</h2>\n", page);
        parts_games(page, data, name, LADDER_NOBODY, "../", BOT_GAMES);
    }
    if (game_count > 0 && !is_voided) {
        write_habits(page, data, name, LADDER_NOBODY);
        write_opponents(page, data, name);
        season_index_points(data, name, &point_count);
        if (point_count > 1) {
            fputs("<h2>Elo over the season</h2>\n", page);
            parts_history(page, data, name);
        }
        write_times(page, data, name);
    }
    write_versions(page, data, name);
    page_end(page);
}

/* ---- pairs ---- */

struct meeting {
    const struct data_game *game;
    int lead;   /* points by which name's best seat was ahead of other's */
    bool whole; /* nobody forfeited */
};

/* The games in which two names played each other and that count, oldest first. */
struct meetings {
    struct meeting *games; /* from malloc */
    int count, better, worse, voided;
};

static void find_meetings(const struct season_data *data, int name, int other,
                          struct meetings *meetings)
{
    int count;
    const int *games = season_index_games(data, name, &count);

    *meetings = (struct meetings){0};
    for (int i = 0; i < count; i++) {
        const struct data_game *game = &data->games[games[i]];
        int mine = parts_best_seat(data, game, name), theirs = parts_best_seat(data, game, other);
        struct meeting meeting = {.game = game, .whole = !data_has_forfeit(game)};

        if (theirs < 0)
            continue;
        meetings->voided += game->is_void;
        if (game->is_void)
            continue;
        meeting.lead = game->scores[mine] - game->scores[theirs];
        meetings->better += game->ranks[mine] < game->ranks[theirs];
        meetings->worse += game->ranks[mine] > game->ranks[theirs];
        rows_add(&meetings->games, &meetings->count, &meeting, sizeof meeting);
    }
}

static void write_summary(FILE *page, const struct season_data *data, int name, int other,
                          const struct meetings *meetings)
{
    int shared = meetings->count - meetings->better - meetings->worse;
    char path[PARTS_PATH_BYTES];

    if (meetings->count == 0) {
        fputs("<p class=\"lead\">All their games are void: they do not count.</p>\n", page);
        return;
    }
    parts_bot_path(data, name, path);
    fprintf(page, "<p class=\"lead\"><a href=\"../%s\">%s</a> was ahead in %d of %d game%s, ", path,
            data_bot(data, name)->name, meetings->better, meetings->count,
            meetings->count == 1 ? "" : "s");
    parts_bot_path(data, other, path);
    fprintf(page, "<a href=\"../%s\">%s</a> in %d", path, data_bot(data, other)->name,
            meetings->worse);
    if (shared > 0)
        fprintf(page, "; %d ended level", shared);
    if (meetings->voided > 0)
        fprintf(page, "; %d more %s void", meetings->voided, meetings->voided == 1 ? "is" : "are");
    fputs(".</p>\n", page);
}

/* Draws a bar for each of the newest games: up where name was ahead, down where other was. */
static void write_margins(FILE *page, const struct season_data *data, int name, int other,
                          const struct meetings *meetings)
{
    int shown = meetings->count < PAIR_GAMES ? meetings->count : PAIR_GAMES, up = 0, down = 0;
    const struct meeting *games = meetings->games + meetings->count - shown;
    double step = fmin(1000.0 / shown, 24), scale;

    for (int i = 0; i < shown; i++) {
        up = games[i].lead > up ? games[i].lead : up;
        down = -games[i].lead > down ? -games[i].lead : down;
    }
    scale = 90.0 / (up > down ? up : down > 0 ? down : 1);
    fprintf(page,
            "<h2>Points ahead, game by game</h2>\n<svg class=\"chart\" width=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"Points ahead, game by game\">",
            step * shown, step * shown, 2 + scale * (up + down));
    for (int i = 0; i < shown; i++)
        fprintf(page, "<rect%s x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                games[i].lead < 0 ? " class=\"minus\"" : "", i * step,
                scale * (games[i].lead < 0 ? up : up - games[i].lead), fmax(1, step - 2),
                fmax(scale * abs(games[i].lead), 1));
    fprintf(page, "</svg>\n<p class=\"quiet\">The newest %d games, oldest first.", shown);
    if (up > 0)
        fprintf(page, " Up: %s was ahead, by %d at most.", data_bot(data, name)->name, up);
    if (down > 0)
        fprintf(page, " Down: %s was, by %d at most.", data_bot(data, other)->name, down);
    fputs("</p>\n", page);
}

static int compare_leads(const void *a, const void *b)
{
    const struct meeting *first = a, *second = b;

    if (first->whole != second->whole)
        return second->whole - first->whole;
    return abs(first->lead) - abs(second->lead);
}

/* Writes the games without forfeits that were closest and widest in points. Sorts the games. */
static void write_extremes(FILE *page, const struct season_data *data, struct meetings *meetings)
{
    static const char *const headings[] = {"<game", ".played", "<result", NULL};
    int count = 0, shown;

    for (int i = 0; i < meetings->count; i++)
        count += meetings->games[i].whole;
    shown = count / 2 < EXTREME_GAMES ? count / 2 : EXTREME_GAMES; /* no game is in both lists */
    if (shown == 0)
        return;
    qsort(meetings->games, (size_t)meetings->count, sizeof *meetings->games, compare_leads);
    fputs("<div class=\"halves\"><section>\n<h2>Closest games</h2>\n", page);
    html_table_begin(page, "Closest games", headings);
    for (int i = 0; i < shown; i++)
        parts_game(page, data, meetings->games[i].game, LADDER_NOBODY, "../");
    html_table_end(page);
    fputs("</section><section>\n<h2>Widest games</h2>\n", page);
    html_table_begin(page, "Widest games", headings);
    for (int i = 0; i < shown; i++)
        parts_game(page, data, meetings->games[count - 1 - i].game, LADDER_NOBODY, "../");
    html_table_end(page);
    fputs("</section></div>\n", page);
}

void pair_page_write(FILE *page, const struct season_data *data, int name, int other)
{
    char title[2 * STORE_NAME_BYTES_MAX + 8];
    struct meetings meetings;

    snprintf(title, sizeof title, "%s – %s", data_bot(data, name)->name,
             data_bot(data, other)->name);
    begin_page(page, data, title, "../feed.xml");
    find_meetings(data, name, other, &meetings);
    write_summary(page, data, name, other, &meetings);
    if (meetings.count > 0)
        write_habits(page, data, name, other);
    if (meetings.count > EXTREME_GAMES) { /* of fewer, the list of the newest games shows as much */
        write_margins(page, data, name, other, &meetings);
        write_extremes(page, data, &meetings);
    }
    free(meetings.games);
    fputs("<h2>Newest games</h2>\n", page);
    parts_games(page, data, name, other, "../", PAIR_GAMES);
    page_end(page);
}
