#include "arena/site/parts.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "arena/report/ladder.h"
#include "arena/site/html.h"
#include "arena/site/season_index.h"

/* ---- names of files ---- */

void parts_bot_path(const struct season_data *data, int entry, char path[static PARTS_PATH_BYTES])
{
    snprintf(path, PARTS_PATH_BYTES, "bot/%s.html", data_bot(data, entry)->name);
}

static bool is_name(const struct season_data *data, const char *name, size_t size)
{
    for (int i = 0; i < data->standings.roster.count; i++) {
        const char *other = data->standings.roster.members[i].bot.name;

        if (strlen(other) == size && memcmp(other, name, size) == 0)
            return true;
    }
    return false;
}

/*
 * Names may contain dashes, so two pairs could have the same file name: all except the first get a
 * number.
 */
void parts_pair_path(const struct season_data *data, int a, int b,
                     char path[static PARTS_PATH_BYTES])
{
    const char *first = data_bot(data, a)->name, *second = data_bot(data, b)->name;
    char both[2 * STORE_NAME_BYTES_MAX + 2];
    int others = 0;

    if (strcmp(first, second) > 0) {
        const char *swap = first;

        first = second;
        second = swap;
    }
    snprintf(both, sizeof both, "%s-%s", first, second);
    for (const char *dash = strchr(both, '-'); dash && dash < both + strlen(first);
         dash = strchr(dash + 1, '-'))
        others +=
            is_name(data, both, (size_t)(dash - both)) && is_name(data, dash + 1, strlen(dash + 1));
    if (others)
        snprintf(path, PARTS_PATH_BYTES, "pair/%s.%d.html", both, others + 1);
    else
        snprintf(path, PARTS_PATH_BYTES, "pair/%s.html", both);
}

void parts_game_path(const struct season_data *data, const struct data_game *game,
                     char path[static PARTS_PATH_BYTES])
{
    char id[STORE_GAME_ID_BYTES];

    store_game_id(id, data->standings.season.name, game->group, game->rotation);
    snprintf(path, PARTS_PATH_BYTES, "game/%s.html", id);
}

void parts_ladder_path(int player_count, char path[static PARTS_PATH_BYTES])
{
    snprintf(path, PARTS_PATH_BYTES, "ladder-%d.html", player_count);
}

bool parts_has_room(const struct season_data *data)
{
    return data->standings.row_counts[0] <= PARTS_LADDERS_MAX;
}

void parts_time(FILE *page, int64_t us)
{
    time_t seconds = (time_t)(us / 1000000);
    struct tm parts;
    char text[32] = "";

    if (us > 0 && gmtime_r(&seconds, &parts))
        strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
    fputs(text, page);
}

/* ---- the ladder ---- */

static bool is_shown(const struct column *column)
{
    return column->forms & COLUMN_IN_TEXT;
}

/* Writes class="left more", or nothing: short, because pages have many rows. */
static void write_class(FILE *page, const struct column *column, bool cell)
{
    const char *side = cell && column->least_width > 0 ? "wrap" : column->left ? "left" : "";
    const char *level = column->level > 1 ? "more" : "";

    if (*side || *level)
        fprintf(page, " class=\"%s%s%s\"", side, *side && *level ? " " : "", level);
}

static void write_heading(FILE *page, const struct column *column)
{
    bool down = !column->left && strcmp(column->title, "rank") != 0;

    fputs("<th scope=\"col\"", page);
    write_class(page, column, false);
    if (column->explanation) {
        fputs(" title=\"", page);
        html_text(page, column->explanation);
        fputs("\"", page);
    }
    fputs(down ? " data-down=\"1\">" : ">", page);
    html_text(page, column->title);
    if (column->kind == COLUMN_MS)
        fputs(", ms", page);
    fputs("</th>", page);
}

/* A missing value sorts last. */
static void write_cell(FILE *page, const struct season_data *data, const struct columns_rows *rows,
                       int row, const struct column *column)
{
    const struct ladder_row *at = (const struct ladder_row *)rows->rows + row;
    struct column_value value;
    const char *text = column_text(column, rows, row, &value);
    char path[PARTS_PATH_BYTES];

    if (strcmp(column->title, "bot") == 0) {
        parts_bot_path(data, at->entry, path);
        fputs("<th scope=\"row\"><a href=\"", page);
        html_text(page, path);
        fputs("\">", page);
        html_text(page, text);
        fputs("</a></th>", page);
        return;
    }
    fputs("<td", page);
    write_class(page, column, true);
    if (strcmp(column->title, "rank") == 0)
        fprintf(page, " data-v=\"%d\"", at->ranked ? at->rank_best * 1000 + row : 1000000 + row);
    fputs(value.kind == COLUMN_NOTHING ? " data-v=\"\">" : ">", page);
    html_text(page, text);
    fputs("</td>", page);
}

/* The common axis of all intervals. */
struct axis {
    double from, to;
};

static struct axis find_axis(const struct ladder *ladder, int row_count)
{
    struct axis axis = {INFINITY, -INFINITY};

    for (int i = 0; i < row_count; i++) {
        double error = fmin(ladder->rows[i].error95, 400);

        axis.from = fmin(axis.from, ladder->rows[i].elo - error);
        axis.to = fmax(axis.to, ladder->rows[i].elo + error);
    }
    if (!(axis.to > axis.from))
        axis = (struct axis){LADDER_ANCHOR_ELO - 100, LADDER_ANCHOR_ELO + 100};
    return axis;
}

/* Draws a rating and its 95 % interval on the common axis. */
static void write_bar(FILE *page, const struct ladder_row *row, const struct axis *axis)
{
    double scale = 190 / (axis->to - axis->from);
    double x = 5 + scale * (row->elo - axis->from), half = scale * fmin(row->error95, 400);
    double mean = 5 + scale * (LADDER_ANCHOR_ELO - axis->from);

    fprintf(page,
            "<td data-v=\"%.1f\"><svg class=\"bar\" viewBox=\"0 0 200 16\" aria-hidden=\"true\">"
            "<path d=\"M%.0f 0v16\"/><line x1=\"%.0f\" x2=\"%.0f\" y1=\"8\" y2=\"8\"/>"
            "<circle cx=\"%.0f\" cy=\"8\" r=\"4\"/></svg></td>",
            row->elo, mean, x - half, x + half, x);
}

void parts_ladder(FILE *page, const struct season_data *data, int player_count, const char *id)
{
    const struct ladder *ladder = &data->standings.ladders[player_count];
    struct report_ladder report = {&data->standings, player_count};
    struct columns_rows rows = ladder_rows(&report);
    struct column array[LADDER_COLUMNS_MAX];
    struct columns columns = ladder_columns(LADDER_FINAL, array);
    struct axis axis = find_axis(ladder, rows.count);

    fprintf(page,
            "<button type=\"button\" class=\"all\" aria-controls=\"%s\" aria-expanded=\"false\">"
            "All columns</button>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" "
            "aria-label=\"Ladder%s\"><table class=\"sorts\" id=\"%s\"><thead><tr>",
            id,
            player_count == 0   ? ""
            : player_count == 2 ? ", tables of 2"
            : player_count == 3 ? ", tables of 3"
                                : ", tables of 4",
            id);
    for (int c = 0; c < columns.count; c++) {
        if (is_shown(&columns.columns[c]))
            write_heading(page, &columns.columns[c]);
        if (columns.columns[c].name && strcmp(columns.columns[c].name, "error95") == 0)
            fputs("<th scope=\"col\" data-down=\"1\">Elo with its 95 % interval</th>", page);
    }
    fputs("</tr></thead><tbody>\n", page);
    for (int row = 0; row < rows.count; row++) {
        fputs("<tr>", page);
        for (int c = 0; c < columns.count; c++) {
            if (is_shown(&columns.columns[c]))
                write_cell(page, data, &rows, row, &columns.columns[c]);
            if (columns.columns[c].name && strcmp(columns.columns[c].name, "error95") == 0)
                write_bar(page, &ladder->rows[row], &axis);
        }
        fputs("</tr>\n", page);
    }
    fputs("</tbody></table></div>\n", page);
}

void parts_explanations(FILE *page)
{
    static const struct {
        const char *name, *words;
    } flags[] = {
        {"?", "few games or a large error: the rating may still move a lot"},
        {"unbeaten",
         "came first in every game, so the games set no upper limit to its rating: how high "
         "it is depends on the starting assumption (the prior) alone"},
        {"winless", "came last in every game, so the games set no lower limit to its rating"},
        {"unvaried", "always took the same share of points, so that nothing scatters"},
        {"unconnected", "no chain of games connects it with some of the bots"},
        {"unplayed", "has no game yet"},
        {"probation",
         "forfeited so often that it plays less until it has played some games to the end"},
        {"retired", "was taken out of play"},
        {"replaced", "a newer version of the same name plays instead"},
        {"same_hash", "the same package was submitted under another name"},
        {"residual",
         "its results against some opponent differ from its rating by more than chance explains"},
    };
    struct column array[LADDER_COLUMNS_MAX];
    struct columns columns = ladder_columns(LADDER_FINAL, array);

    fputs("<details><summary>What the columns and flags mean</summary><dl>\n", page);
    for (int c = 0; c < columns.count; c++) {
        if (!is_shown(&columns.columns[c]) || !columns.columns[c].explanation)
            continue;
        fputs("<dt>", page);
        html_text(page, columns.columns[c].title);
        fputs("</dt><dd>", page);
        html_text(page, columns.columns[c].explanation);
        fputs("</dd>\n", page);
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        fputs("<dt>flag ", page);
        html_text(page, flags[i].name);
        fprintf(page, "</dt><dd>%s</dd>\n", flags[i].words);
    }
    fputs("</dl></details>\n", page);
}

/* ---- games ---- */

static bool sat(const struct season_data *data, const struct data_game *game, int name)
{
    for (int seat = 0; seat < game->player_count; seat++)
        if (data_name(data, game->entries[seat]) == name)
            return true;
    return name == LADDER_NOBODY;
}

static void write_game(FILE *page, const struct season_data *data, const struct data_game *game,
                       const char *up)
{
    char id[STORE_GAME_ID_BYTES], path[PARTS_PATH_BYTES], label[STANDINGS_LABEL_BYTES];

    store_game_id(id, data->standings.season.name, game->group, game->rotation);
    parts_game_path(data, game, path);
    fputs("<tr><th scope=\"row\">", page);
    if (game->page)
        fprintf(page, "<a href=\"%s%s\">%s</a>", up, path, id);
    else
        fprintf(page, "<span class=\"quiet\"%s>%s</span>",
                game->is_pruned ? " title=\"its replay is not kept any more\"" : "", id);
    fputs("</th><td class=\"when\">", page);
    parts_time(page, game->started_us);
    fputs("</td><td class=\"wrap\">", page);
    for (int place = 1; place <= game->player_count; place++)
        for (int seat = 0; seat < game->player_count; seat++) {
            if (game->ranks[seat] != place)
                continue;
            standings_label(&data->standings.roster, game->entries[seat], label);
            fputs("<span class=\"result\">", page);
            html_format(page, "%d. %s %d", place, label, game->scores[seat]);
            if (data_forfeited(game, seat))
                fprintf(page, " <span class=\"out\">(%s)</span>",
                        wire_reason_name(game->reasons[seat]));
            fputs("</span> ", page);
        }
    if (game->is_void)
        fputs(
            "<span class=\"out\" title=\"a bot in it was banned together with its games: it counts "
            "for nobody\">void</span>",
            page);
    fputs("</td></tr>\n", page);
}

void parts_games(FILE *page, const struct season_data *data, int name, int other, const char *up,
                 size_t most)
{
    size_t shown = 0, all = 0, count = data->count;
    const size_t *of_name = name == LADDER_NOBODY ? NULL : season_index_games(data, name, &count);

    for (size_t i = 0; i < count; i++)
        all += sat(data, &data->games[of_name ? of_name[i] : i], other);
    if (all == 0) {
        fputs("<p>No game is finished yet.</p>\n", page);
        return;
    }
    fputs(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Games\"><table><thead><tr>"
        "<th scope=\"col\" class=\"left\">game</th><th scope=\"col\" class=\"when\">played</th>"
        "<th scope=\"col\" class=\"left\">result</th></tr></thead><tbody>\n",
        page);
    for (size_t i = count; i-- > 0 && shown < most;) {
        const struct data_game *game = &data->games[of_name ? of_name[i] : i];

        if (!sat(data, game, other))
            continue;
        write_game(page, data, game, up);
        shown++;
    }
    fputs("</tbody></table></div>\n", page);
    fprintf(page,
            "<p class=\"quiet\">The newest %zu of %zu games. One without a page: "
            "<code>arena replay ID --html FILE</code>%s.</p>\n",
            shown, all, data->standings.season.prunes ? ", as long as its replay is kept" : "");
}
