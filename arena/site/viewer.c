#include "arena/site/viewer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/play/place.h"
#include "arena/replay/forfeit_text.h"
#include "arena/replay/json.h"
#include "arena/replay/plain_text.h"
#include "arena/replay/words.h"
#include "arena/site/html.h"
#include "arena/site/folder.h"
#include "arena/site/course.h"
#include "engine/notation.h"

extern const char site_viewer_css[];
extern const char site_viewer_js[];
extern const char site_analysis_js[]; /* the same, and what shows an analysis */

/* A button that shows an icon of 16 x 16. */
struct button {
    const char *id, *label, *keys, *path;
};

static const struct button buttons[] = {
    {"first", "First position", "Home", "M4 3v10M13 3 6 8l7 5z"},
    {"back", "Round before", "[", "M13 3 8 8l5 5zM7 3 2 8l5 5z"},
    {"prev", "Decision before", "ArrowLeft", "M11 2 4 8l7 6z"},
    {"play", "Play", "Space", "M4 2l10 6-10 6z"},
    {"next", "Next decision", "ArrowRight", "M5 2l7 6-7 6z"},
    {"on", "Next round", "]", "M3 3l5 5-5 5zM9 3l5 5-5 5z"},
    {"last", "Last position", "End", "M12 3v10M3 3l7 5-7 5z"},
};

static struct page_code match_pages = {site_viewer_js, site_viewer_css, .form = 6};
static struct page_code analysis_pages = {site_analysis_js, site_viewer_css, .form = 6};

uint64_t viewer_form(void)
{
    return page_code_form(&analysis_pages);
}

/* Writes what other sites show of a link to the page: the result, and the picture. */
static void write_preview(FILE *page, const struct viewer_page *viewer, const struct course *course)
{
    const struct match_terms *terms = &viewer->replay->terms;

    fputs("<meta property=\"og:title\" content=\"", page);
    for (int seat = 0; seat < terms->player_count; seat++) {
        fputs(seat ? ", " : "", page);
        html_plain(page, course->names[seat]);
        fprintf(page, " %d", viewer->replay->result.scores[seat]);
    }
    fputs("\">\n<meta property=\"og:description\" content=\"A match of Azul: Summer Pavilion\">\n",
          page);
    if (viewer->picture_link) {
        fputs("<meta property=\"og:image\" content=\"", page);
        html_text(page, viewer->picture_link);
        fputs("\">\n", page);
    }
}

static void write_head(FILE *page, const struct viewer_page *viewer, const struct course *course)
{
    page_head(page, viewer->analysis ? &analysis_pages : &match_pages);
    fputs("<title>", page);
    for (int seat = 0; seat < viewer->replay->terms.player_count; seat++) {
        fputs(seat ? " – " : "", page);
        html_plain(page, course->names[seat]);
    }
    fputs(", match ", page);
    html_text(page, viewer->replay->terms.id);
    fputs("</title>\n", page);
    write_preview(page, viewer, course);
    fprintf(page, "<style>%s</style>\n</head>\n", site_viewer_css);
}

static void write_ms(FILE *page, const char *what, int64_t ms)
{
    fprintf(page, "%s %lld ms", what, (long long)ms);
}

static void write_header(FILE *page, const struct viewer_page *viewer, const struct course *course)
{
    const struct match_terms *terms = &viewer->replay->terms;
    json_t *started = replay_json_time(viewer->replay->started_s);

    fputs("<header>\n", page);
    if (viewer->home_link) {
        fputs("<a class=\"home\" href=\"", page);
        html_text(page, viewer->home_link);
        fputs("\">Ladder</a>\n", page);
    }
    fputs("<h1>", page);
    for (int seat = 0; seat < terms->player_count; seat++) {
        fputs(seat ? " <span>–</span> " : "", page);
        html_plain(page, course->names[seat]);
    }
    fputs("</h1>\n<p id=\"terms\">Match ", page);
    html_text(page, terms->id);
    fprintf(page, ", %s side, %d players, ", notation_boards[terms->board], terms->player_count);
    if (json_is_string(started)) {
        fputs("<time datetime=\"", page);
        html_text(page, json_string_value(started));
        fprintf(page, "\">%.10s", json_string_value(started));
        fputs("</time>, ", page);
    }
    json_decref(started);
    write_ms(page, "turn", terms->clock.turn_ms);
    write_ms(page, ", bank", terms->clock.bank_ms);
    if (terms->clock.gain_ms > 0)
        write_ms(page, ", gain", terms->clock.gain_ms);
    fputs("</p>\n<button id=\"theme\" type=\"button\">Dark</button>\n"
          "<button id=\"link\" type=\"button\" title=\"Link to this moment\">Link</button>\n"
          "<button id=\"save\" type=\"button\">Save replay</button>\n</header>\n",
          page);
}

static void write_seats(FILE *page, const struct viewer_page *viewer, const struct course *course)
{
    for (int seat = 0; seat < viewer->replay->terms.player_count; seat++) {
        fprintf(page,
                "<section class=\"seat s%d\" id=\"seat%d\" aria-labelledby=\"name%d\">\n"
                "<div class=\"who\"><span class=\"letter\" aria-hidden=\"true\">%c</span>"
                "<h2 id=\"name%d\">",
                seat, seat, seat, 'A' + seat, seat);
        html_plain(page, course->names[seat]);
        fputs("</h2>", page);
        if (*viewer->replay->bots[seat].version) {
            /* Writes "v1.2", but leaves a version that does not begin with a digit unchanged. */
            fputs(strchr("0123456789", *viewer->replay->bots[seat].version) ? "<small>v"
                                                                            : "<small>",
                  page);
            html_text(page, viewer->replay->bots[seat].version);
            fputs("</small>", page);
        }
        if (viewer->ratings && !isnan(viewer->ratings[seat]))
            fprintf(page, "<small title=\"live Elo before this game\">%.0f Elo then</small>",
                    viewer->ratings[seat]);
        fputs("<span class=\"flag\"></span><output class=\"score\">5</output></div>\n"
              "<svg class=\"board\" viewBox=\"-106 -106 212 212\" role=\"img\"></svg>\n"
              "<svg class=\"hand\" viewBox=\"0 0 212 24\" role=\"img\"></svg>\n</section>\n",
              page);
    }
}

/* ---- the final scoring ---- */

static void write_row(FILE *page, const struct course *course, const char *label, const int *first,
                      bool always)
{
    const size_t stride = sizeof *course->finals / sizeof(int);
    int seats = course->replay->terms.player_count;
    bool any = always;

    for (int seat = 0; seat < seats; seat++)
        any = any || first[(size_t)seat * stride] != 0;
    if (!any)
        return;
    fprintf(page, "<tr><th scope=\"row\">%s</th>", label);
    for (int seat = 0; seat < seats; seat++) {
        int points = first[(size_t)seat * stride];

        if (!always && points == 0)
            fputs("<td>·</td>", page);
        else
            fprintf(page, always ? "<td>%d</td>" : "<td>%+d</td>", points);
    }
    fputs("</tr>\n", page);
}

/*
 * Writes a star's row of the final scoring: by seat, the points of a full star, or how many spaces
 * of the star are covered.
 */
static void write_star(FILE *page, const struct course *course, int star)
{
    fprintf(page, "<tr><th scope=\"row\">%s</th>", words_star(course->replay->terms.board, star));
    for (int seat = 0; seat < course->replay->terms.player_count; seat++) {
        const struct effect_final *final = &course->finals[seat];

        if (final->stars[star] > 0)
            fprintf(page, "<td>full: %+d</td>", final->stars[star]);
        else
            fprintf(page, "<td class=\"part\">%d of 6</td>", final->covered[star]);
    }
    fputs("</tr>\n", page);
}

static void write_ranks(FILE *page, const struct course *course)
{
    fputs("<tr><th scope=\"row\">Rank</th>", page);
    for (int seat = 0; seat < course->replay->terms.player_count; seat++)
        fprintf(page, "<td>%d</td>", course->replay->result.ranks[seat]);
    fputs("</tr>\n", page);
}

static void write_final(FILE *page, struct course *course)
{
    struct effect_final *finals = course->finals;
    int seats = course->replay->terms.player_count;
    char label[40];

    fputs("<details id=\"final\"><summary>Final scoring</summary>\n", page);
    if (!course->scored) {
        fputs("<p>The match ended early, without final scoring: fewer than two bots were left.</p>"
              "\n</details>\n",
              page);
        return;
    }
    fputs("<section class=\"wide\" tabindex=\"0\" aria-label=\"Final scoring\">"
          "<table>\n<tr><td></td>",
          page);
    for (int seat = 0; seat < seats; seat++) {
        fprintf(page, "<th scope=\"col\"><span class=\"letter s%d\">%c</span> ", seat, 'A' + seat);
        html_plain(page, course->names[seat]);
        fputs("</th>", page);
        finals[seat].corners = -finals[seat].corners;
    }
    fputs("</tr>\n", page);
    write_row(page, course, "Before", &finals->before, true);
    for (int star = 0; star < GAME_STARS; star++)
        write_star(page, course, star);
    for (int cost = 1; cost <= BOARD_REWARDED_COSTS; cost++) {
        snprintf(label, sizeof label, "Every %d covered", cost);
        write_row(page, course, label, &finals->costs[cost - 1], false);
    }
    write_row(page, course, "Tiles on the corners", &finals->corners, false);
    write_row(page, course, "Final score", &finals->after, true);
    write_ranks(page, course);
    fputs("</table></section>\n</details>\n", page);
}

/* ---- forfeits ---- */

static void write_forfeit(FILE *page, const struct viewer_page *viewer, int seat)
{
    const struct forfeit *forfeit = viewer->replay->forfeits[seat];
    struct rerun_command command = {.program = "arena",
                                    .replay = viewer->path,
                                    .turn = forfeit->turn,
                                    .seat = seat,
                                    .bot = "BOT"};
    char *again = rerun_command_text(&command);
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    if (stream) {
        forfeit_text_print(stream, forfeit, seat, viewer->replay->bots[seat].name, again);
        fclose(stream);
        html_plain(page, text); /* forfeit_text_print has escaped all but line ends */
    }
    free(text);
    free(again);
}

static void write_forfeits(FILE *page, const struct viewer_page *viewer)
{
    bool any = false;

    for (int seat = 0; seat < viewer->replay->terms.player_count; seat++) {
        if (!viewer->replay->forfeits[seat])
            continue;
        if (!any)
            fputs("<details id=\"forfeits\"><summary>Forfeits</summary>\n"
                  "<section tabindex=\"0\" aria-label=\"Forfeits\"><pre>",
                  page);
        any = true;
        write_forfeit(page, viewer, seat);
    }
    if (any)
        fputs("</pre></section></details>\n", page);
}

/* ---- the rest of the page ---- */

static void write_table(FILE *page)
{
    fputs("<section id=\"table\" aria-label=\"Table\">\n"
          "<p id=\"wild\"><span id=\"round\"></span> "
          "<svg viewBox=\"-12 -19 24 38\" aria-hidden=\"true\"></svg> "
          "<strong id=\"wildname\"></strong></p>\n"
          "<svg id=\"shared\" viewBox=\"-152 -148 304 330\" role=\"img\"></svg>\n"
          "<details id=\"stock\"><summary>Bag and tower</summary><div></div></details>\n"
          "</section>\n",
          page);
}

static void write_story(FILE *page, const struct viewer_page *viewer, struct course *course)
{
    fputs("<section id=\"story\" aria-label=\"Decisions\">\n"
          "<div id=\"now\"><p id=\"said\" aria-live=\"polite\"></p><p id=\"times\"></p></div>\n"
          "<details id=\"choices\"><summary>Other choices</summary><ul></ul></details>\n",
          page);
    write_final(page, course);
    write_forfeits(page, viewer);
    fputs("<ol id=\"moves\" tabindex=\"0\" aria-label=\"All decisions\">\n", page);
    fwrite(course->list, 1, course->list_bytes, page);
    fputs("</ol>\n</section>\n", page);
}

static void write_controls(FILE *page)
{
    fputs("<footer>\n<div id=\"strip\"><svg aria-hidden=\"true\"></svg>"
          "<input id=\"seek\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"Decision\">"
          "<p id=\"hint\" hidden></p></div>\n<div id=\"keys\">",
          page);
    for (size_t i = 0; i < sizeof buttons / sizeof *buttons; i++)
        fprintf(page,
                "<button id=\"%s\" type=\"button\" aria-label=\"%s\" title=\"%s (%s)\" "
                "aria-keyshortcuts=\"%s\"><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\">"
                "<path d=\"%s\"/></svg></button>",
                buttons[i].id, buttons[i].label, buttons[i].label, buttons[i].keys, buttons[i].keys,
                buttons[i].path);
    fputs("<label>Speed <select id=\"speed\"><option value=\"0.5\">½×</option>"
          "<option value=\"1\" selected>1×</option><option value=\"2\">2×</option>"
          "<option value=\"4\">4×</option><option value=\"8\">8×</option>"
          "<option value=\"16\">16×</option></select></label><output id=\"at\"></output></div>\n"
          "</footer>\n",
          page);
}

static void write_data(FILE *page, const struct viewer_page *viewer, const struct course *course)
{
    char *id = plain_text(viewer->replay->terms.id);

    json_object_set_new(course->data, "id", json_string(id ? id : ""));
    free(id);
    fputs("<script type=\"application/json\" id=\"match\">", page);
    html_json(page, course->data);
    if (viewer->analysis) {
        fputs("</script>\n<script type=\"application/json\" id=\"analysis\">", page);
        html_json(page, viewer->analysis);
    }
    fputs("</script>\n<script type=\"application/octet-stream\" id=\"replay\">", page);
    html_base64(page, viewer->bytes, viewer->size);
    fprintf(page, "</script>\n<script>%s</script>\n",
            viewer->analysis ? site_analysis_js : site_viewer_js);
}

int viewer_write(FILE *page, const struct viewer_page *viewer,
                 char error[static REPLAY_ERROR_BYTES])
{
    struct course course;
    int result = course_play(&course, viewer->replay, error);

    if (result == 0) {
        int players = viewer->replay->terms.player_count;

        write_head(page, viewer, &course);
        fprintf(page, "<body class=\"p%d\">\n", players);
        write_header(page, viewer, &course);
        fputs("<main>\n", page);
        write_seats(page, viewer, &course);
        write_table(page);
        write_story(page, viewer, &course);
        fputs("</main>\n", page);
        write_controls(page);
        write_data(page, viewer, &course);
        if (viewer->picture)
            course_picture(viewer->picture, &course);
        fputs("</body>\n</html>\n", page);
    }
    course_finish(&course);
    return result;
}

/* ---- a page as a file ---- */

static bool is_page(int fd)
{
    static const char start[] = "<!DOCTYPE html>";
    char text[sizeof start - 1];

    return read(fd, text, sizeof text) == (ssize_t)sizeof text &&
           memcmp(text, start, sizeof text) == 0;
}

int viewer_put(const char *path, const char *page, size_t size)
{
    return place_write_over(path, page, size, is_page);
}
