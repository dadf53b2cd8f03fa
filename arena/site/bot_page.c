/* The pages of a bot and of a pair: bot_page_write, pair_page_write. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "arena/rating/fit.h"
#include "arena/report/columns.h"
#include "arena/site/html.h"
#include "arena/site/parts.h"

enum {
    MORE_FORFEITS = 10, /* newest games listed for a cause of forfeits, besides the example */
    MESSAGE_CHARS = 400,
    ERRORS_CHARS = 2000,
    BOT_GAMES = 60,   /* number of newest games on a bot's page */
    PAIR_GAMES = 200, /* number of newest games on a pair's page */
};

/* ---- forfeits ---- */

static const char *text_of(const json_t *forfeit, const char *key)
{
    const char *text = json_string_value(json_object_get(forfeit, key));

    return text ? text : "";
}

static void write_ms(FILE *page, const json_t *forfeit, const char *key, const char *words)
{
    const json_t *us = json_object_get(forfeit, key);

    if (json_is_integer(us))
        fprintf(page, "%s%.1f ms", words, (double)json_integer_value(us) / 1000);
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

/*
 * Completes the summary element that the caller began. Then writes why and when the bot forfeited,
 * what the bot read and wrote, and the command with which a reader can repeat the forfeit.
 */
static void write_forfeit(FILE *page, const struct season_data *data, const struct data_game *game,
                          int seat)
{
    json_t *forfeits = json_loads(game->forfeits ? game->forfeits : "[]", JSON_ALLOW_NUL, NULL);
    const json_t *forfeit = json_array_get(forfeits, (size_t)seat);
    const json_t *turn = json_object_get(forfeit, "turn");
    char id[STORE_GAME_ID_BYTES], path[PARTS_PATH_BYTES];

    store_game_id(id, data->standings.season.name, game->group, game->rotation);
    parts_game_path(data, game, path);
    html_text(page, text_of(forfeit, "words"));
    fputs("</summary><dl><dt>game</dt><dd>", page);
    if (game->page)
        fprintf(page, "<a href=\"../%s\">%s</a>", path, id);
    else
        fputs(id, page);
    if (json_is_integer(turn))
        fprintf(page, ", decision %lld", (long long)json_integer_value(turn));
    else
        fputs(", before the first decision", page);
    fputs("</dd>\n<dt>played</dt><dd>", page);
    parts_time(page, game->started_us);
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
        fprintf(page, "<dt>again</dt><dd><code>arena replay %s.replay --at ", id);
        if (json_is_integer(turn))
            fprintf(page, "%lld", (long long)json_integer_value(turn));
        else
            fprintf(page, "hello --seat %d", seat);
        fputs(" --bot BOT</code>, with the replay saved from the game's page and BOT the folder of "
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
    size_t game_count;
    const size_t *games = season_index_games(data, name, &game_count);

    for (size_t i = 0; i < game_count; i++) {
        const struct data_game *game = &data->games[games[i]];

        if (find_forfeit(data, game, name, reason) < 0)
            continue;
        example = game;
        count++;
    }
    if (count == 0)
        return 0;
    fprintf(page,
            "<details><summary><span class=\"out\">%s</span> × %lld: ", wire_reason_name(reason),
            (long long)count);
    write_forfeit(page, data, example, find_forfeit(data, example, name, reason));
    for (size_t i = game_count; i-- > 0 && shown < MORE_FORFEITS;) {
        const struct data_game *game = &data->games[games[i]];
        char id[STORE_GAME_ID_BYTES], path[PARTS_PATH_BYTES];

        if (game == example || !game->page || find_forfeit(data, game, name, reason) < 0)
            continue;
        store_game_id(id, data->standings.season.name, game->group, game->rotation);
        parts_game_path(data, game, path);
        fprintf(page, "%s<a href=\"../%s\">%s</a>", shown++ ? ", " : "<p>Before: ", path, id);
    }
    fputs(shown ? "</p></details>\n" : "</details>\n", page);
    return count;
}

static void write_forfeits(FILE *page, const struct season_data *data, int name)
{
    int64_t count = 0;

    fputs("<h2>Forfeits</h2>\n", page);
    for (int reason = WIRE_PLAYED + 1; reason < WIRE_REASON_COUNT; reason++)
        count += write_cause(page, data, name, (enum wire_reason)reason);
    if (count == 0)
        fputs("<p>None.</p>\n", page);
}

/* ---- versions, opponents, times ---- */

static void write_versions(FILE *page, const struct season_data *data, int name)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    static const char *const headings[] = {"<version", "<author", "<language", "submitted",
                                           "Elo",      "games",   NULL};

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
        parts_author(page, bot->author, "../../");
        fputs("</td><td class=\"left\">", page);
        html_text(page, bot->language);
        fputs("</td><td>", page);
        parts_time(page, bot->submitted_us);
        fprintf(page, "</td><td>%.0f ± %.0f</td><td>%lld</td></tr>\n", row->elo, row->error95,
                (long long)row->game_count);
    }
    html_table_end(page);
}

/*
 * Returns the results of one name against another, all versions together. Leaves the field evidence
 * 0.
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

/* True if this row is the best-ranked one of its name: no row above has that name. */
static bool is_best(const struct season_data *data, int row)
{
    const struct ladder_row *rows = data->standings.ladders[0].rows;

    for (int i = 0; i < row; i++)
        if (data_name(data, rows[i].entry) == data_name(data, rows[row].entry))
            return false;
    return true;
}

static void write_opponent(FILE *page, const struct season_data *data, int name, int other)
{
    const struct residual sum = sum_versions(data, name, other);
    char path[PARTS_PATH_BYTES];

    if (sum.game_count == 0)
        return;
    parts_pair_path(data, name, other, path);
    fputs("<tr><th scope=\"row\">", page);
    if (season_index_met(data, name, other))
        fprintf(page, "<a href=\"../%s\">", path);
    html_text(page, data_bot(data, other)->name);
    if (season_index_met(data, name, other))
        fputs("</a>", page);
    fprintf(page, "</th><td>%lld</td><td>%.1f %%</td><td>%.1f %%</td></tr>\n",
            (long long)sum.game_count, decimals_round(100 * sum.score, 1),
            decimals_round(100 * sum.expected, 1));
}

/* Writes the opponents of all versions together, as the pages of pairs do. */
static void write_opponents(FILE *page, const struct season_data *data, int name)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    static const char *const headings[] = {"<opponent", ">games", ">score", ">expected", NULL};

    fputs("<h2>Opponents</h2>\n", page);
    html_table_begin(page, "Opponents", headings);
    for (int i = 0; i < data->standings.row_counts[0]; i++) {
        int other = data_name(data, ladder->rows[i].entry);

        if (other != name && is_best(data, i))
            write_opponent(page, data, name, other);
    }
    html_table_end(page);
    fputs("<p class=\"quiet\">All versions together.</p>\n", page);
}

/*
 * Writes a histogram of decision times of all versions together, one bar per doubling of the time.
 */
static void write_times(FILE *page, const struct season_data *data, int name)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    struct latency latency = {0};
    int64_t octaves[LATENCY_BUCKETS / 8] = {0}, most = 1;
    int last = 0;

    for (int entry = 0; entry < ladder->entry_count; entry++)
        if (data_name(data, entry) == name)
            latency_merge(&latency, &ladder->counts[entry].latency);
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
            "<p>Median %.2f ms, 90 %% within %.2f ms, 99 %% within %.2f ms, longest %.2f ms, of "
            "%lld decisions.</p>\n<svg class=\"chart\" viewBox=\"0 0 1000 140\" role=\"img\" "
            "aria-label=\"Decisions by time\">",
            (double)latency_share_us(&latency, 0.5) / 1000,
            (double)latency_share_us(&latency, 0.9) / 1000,
            (double)latency_share_us(&latency, 0.99) / 1000, (double)latency.max_us / 1000,
            (long long)latency.count);
    for (int i = 0; i <= last; i++) {
        double height = 110.0 * (double)octaves[i] / (double)most;
        double us = i == 0 ? 8 : 8 * pow(2, i);

        fprintf(page, "<rect x=\"%d\" y=\"%.1f\" width=\"40\" height=\"%.1f\"/>", i * 48,
                116 - height, height);
        fprintf(page,
                us < 1000 ? "<text x=\"%d\" y=\"134\">%.0f µs</text>"
                          : "<text x=\"%d\" y=\"134\">%.0f ms</text>",
                i * 48, us < 1000 ? us : us / 1000);
    }
    fputs("</svg>\n<p class=\"quiet\">Each bar covers a doubling of the time, up to the label "
          "below it.</p>\n",
          page);
}

void bot_page_write(FILE *page, const struct season_data *data, int name)
{
    char season[STORE_NAME_BYTES_MAX + 16], feed[STORE_NAME_BYTES_MAX + 8];
    const struct page_link links[] = {
        {"../../index.html", "Home"}, {"../index.html", season}, {NULL, NULL}};

    snprintf(season, sizeof season, "Season %s", data->standings.season.name);
    snprintf(feed, sizeof feed, "%s.xml", data_bot(data, name)->name);
    page_begin(page, data_bot(data, name)->name, links, feed);
    write_forfeits(page, data, name);
    write_versions(page, data, name);
    fputs("<h2>History</h2>\n", page);
    parts_history(page, data, name);
    write_opponents(page, data, name);
    write_times(page, data, name);
    fputs("<h2>Newest games</h2>\n", page);
    parts_games(page, data, name, LADDER_NOBODY, "../", BOT_GAMES);
    page_end(page);
}

void pair_page_write(FILE *page, const struct season_data *data, int name, int other)
{
    char season[STORE_NAME_BYTES_MAX + 16], title[2 * STORE_NAME_BYTES_MAX + 8];
    char path[PARTS_PATH_BYTES];
    const struct page_link links[] = {
        {"../../index.html", "Home"}, {"../index.html", season}, {NULL, NULL}};
    int64_t games = 0, better = 0, worse = 0, voided = 0;
    size_t count;
    const size_t *at = season_index_games(data, name, &count);

    snprintf(season, sizeof season, "Season %s", data->standings.season.name);
    snprintf(title, sizeof title, "%s – %s", data_bot(data, name)->name,
             data_bot(data, other)->name);
    page_begin(page, title, links, "../feed.xml");
    for (size_t i = 0; i < count; i++) {
        const struct data_game *game = &data->games[at[i]];

        for (int a = 0; a < game->player_count; a++)
            for (int b = 0; b < game->player_count; b++) {
                if (data_name(data, game->entries[a]) != name ||
                    data_name(data, game->entries[b]) != other)
                    continue;
                voided += game->is_void;
                if (game->is_void)
                    continue;
                games++;
                better += game->ranks[a] < game->ranks[b];
                worse += game->ranks[a] > game->ranks[b];
            }
    }
    fputs("<p><a href=\"../", page);
    parts_bot_path(data, name, path);
    fprintf(page, "%s\">", path);
    html_text(page, data_bot(data, name)->name);
    fprintf(page, "</a> finished ahead of the other in %lld of %lld games, ", (long long)better,
            (long long)games);
    fputs("<a href=\"../", page);
    parts_bot_path(data, other, path);
    fprintf(page, "%s\">", path);
    html_text(page, data_bot(data, other)->name);
    fprintf(page, "</a> in %lld; %lld were shared.", (long long)worse,
            (long long)(games - better - worse));
    if (voided)
        fprintf(page, " %lld void games are left out.", (long long)voided);
    fputs("</p>\n", page);
    parts_games(page, data, name, other, "../", PAIR_GAMES);
    page_end(page);
}
