/* SPDX-License-Identifier: MIT */
#include "arena/site/card.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/library.h"
#include "arena/base/memory.h"
#include "arena/base/mix.h"
#include "arena/site/page.h"
#include "arena/site/parts.h"
#include "arena/site/viewer.h"
#include "engine/state.h"

/* ---- what a card shows ---- */

enum {
    BEST_SHOWN = 3,
    NAME_CHARS = 16,           /* of the name of a bot in a row */
    TITLE_PIXELS = 560,        /* width of the title */
    TITLE_SIZE = 76,           /* font size of a short title */
    TITLE_CHAR_PERMILLE = 720, /* mean width of a character, of the font size */
};

/* Returns a board on which each star is full of its color, and the middle one of all colors. */
static json_t *full_board(void)
{
    struct position_seat seat = {0};

    for (int star = 0; star < GAME_STARS; star++)
        for (int space = 0; space < GAME_SPACES; space++)
            seat.stars[star][space] =
                (int8_t)(star == GAME_STAR_CENTER ? space : star % GAME_COLORS);
    return viewer_spaces(&seat);
}

/* Takes over the reference to the lines, which may be NULL. */
static json_t *make_card(const char *title, json_t *rest)
{
    const int chars = (int)strlen(title);
    const int fitting = TITLE_PIXELS * 1000 / (TITLE_CHAR_PERMILLE * (chars > 0 ? chars : 1));
    json_t *card =
        json_pack("{s:o, s:i, s:o}", "title", page_text(title, strlen(title), 40), "title_size",
                  fitting < TITLE_SIZE ? fitting : TITLE_SIZE, "paths", full_board());

    json_object_update_missing(card, rest);
    json_decref(rest);
    return card;
}

/* Returns the season's name, how much was played, and its best bots. */
static json_t *season_lines(const struct standings *standings)
{
    const struct ladder *ladder = &standings->ladders[0];
    json_t *rows = json_array();
    int count = 0; /* bots that play, also those without a rank */

    for (int i = 0; i < standings->row_counts[0]; i++) {
        const struct ladder_row *row = &ladder->rows[i];
        const char *name = standings->roster.members[row->entry].bot.name;

        count += row->plays;
        if (row->ranked && row->game_count > 0 && json_array_size(rows) < BEST_SHOWN)
            json_array_append_new(rows, json_pack("{s:i, s:o, s:o, s:f, s:f}", "y",
                                                  310 + 78 * (int)json_array_size(rows), "rank",
                                                  parts_rank_json(row->rank_best, row->rank_worst),
                                                  "bot", page_text(name, strlen(name), NAME_CHARS),
                                                  "elo", row->elo, "error95", row->error95));
    }
    return json_pack("{s:s, s:{s:i, s:I}, s:o}", "season", standings->season.name, "played", "bots",
                     count, "games", (json_int_t)ladder->games.game_count, "rows", rows);
}

json_t *card_of_home(const struct standings *shown)
{
    json_t *card = make_card("Pavilion", shown ? season_lines(shown) : NULL);

    json_object_set_new(card, "is_home", json_true());
    return card;
}

json_t *card_of_season(const struct standings *standings)
{
    char title[STORE_NAME_BYTES_MAX + 8];

    snprintf(title, sizeof title, "Season %s", standings->season.name);
    return make_card(title, season_lines(standings));
}

json_t *card_of_bot(const struct standings *standings, const char *bot)
{
    const struct ladder_row *newest = standings_newest(standings, bot);
    json_t *rest;

    if (!newest)
        return NULL;
    rest = json_pack("{s:s}", "in_season", standings->season.name);
    if (newest->ranked && newest->game_count > 0)
        json_object_set_new(rest, "place",
                            json_pack("{s:o, s:i}", "rank",
                                      parts_rank_json(newest->rank_best, newest->rank_worst), "of",
                                      standings_ranked(standings)));
    if (newest->game_count > 0)
        json_object_set_new(rest, "rating",
                            json_pack("{s:f, s:f, s:I}", "elo", newest->elo, "error95",
                                      newest->error95, "games", (json_int_t)newest->game_count));
    return make_card(bot, rest);
}

char *card_write(struct pages *pages, json_t *card, size_t *size,
                 char error[static TEMPLATE_ERROR_BYTES])
{
    char *svg = NULL;
    FILE *stream = memory_stream(&svg, size);
    const int result = page_write(pages, stream, "card", card, error);

    memory_stream_end(stream);
    if (result == 0)
        return svg;
    free(svg);
    return NULL;
}

/* ---- drawing ---- */

/*
 * The few functions of librsvg and of what it loads (cairo, GLib), whose interfaces are stable.
 * Declared here, so that the project is built without the headers of three large libraries.
 */
struct rsvg;
struct cairo;
struct cairo_surface;
struct rectangle {
    double x, y, width, height;
};

typedef int write_fn(void *context, const unsigned char *bytes, unsigned size);

struct rsvg *rsvg_handle_new_from_data(const uint8_t *svg, size_t size, void **error);
int rsvg_handle_render_document(struct rsvg *rsvg, struct cairo *cairo,
                                const struct rectangle *place, void **error);
struct cairo_surface *cairo_image_surface_create(int format, int width, int height);
struct cairo *cairo_create(struct cairo_surface *surface);
int cairo_surface_write_to_png_stream(struct cairo_surface *surface, write_fn *write,
                                      void *context);
void cairo_destroy(struct cairo *cairo);
void cairo_surface_destroy(struct cairo_surface *surface);
void g_object_unref(void *object);

#define RSVG_FUNCTIONS(FUNCTION)                                                                   \
    FUNCTION(cairo_create)                                                                         \
    FUNCTION(cairo_destroy)                                                                        \
    FUNCTION(cairo_image_surface_create)                                                           \
    FUNCTION(cairo_surface_destroy)                                                                \
    FUNCTION(cairo_surface_write_to_png_stream)                                                    \
    FUNCTION(g_object_unref)                                                                       \
    FUNCTION(rsvg_handle_new_from_data)                                                            \
    FUNCTION(rsvg_handle_render_document)

LIBRARY(rsvg, RSVG_FUNCTIONS)

enum {
    CAIRO_RGB24 = 1, /* CAIRO_FORMAT_RGB24: pixels without transparency */
    KEPT_MAX = 32,   /* pictures of some 50 kB each */
};

static bool is_installed;

static void load(void)
{
    is_installed = LIBRARY_LOAD(rsvg, "librsvg-2.so.2");
}

bool card_can_draw(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    return is_installed;
}

/* libpng's writer; 0 is CAIRO_STATUS_SUCCESS. */
static int write_png(void *context, const unsigned char *bytes, unsigned size)
{
    fwrite(bytes, 1, size, context);
    return 0;
}

/* Draws on a surface of the card's size. Returns false if that fails. */
static bool draw_on(struct cairo_surface *surface, const char *svg, size_t size)
{
    const struct rectangle whole = {0, 0, CARD_WIDTH, CARD_HEIGHT};
    struct rsvg *handle = rsvg.rsvg_handle_new_from_data((const uint8_t *)svg, size, NULL);
    struct cairo *cairo = rsvg.cairo_create(surface);
    const bool is_drawn =
        handle && rsvg.rsvg_handle_render_document(handle, cairo, &whole, NULL) != 0;

    rsvg.cairo_destroy(cairo);
    if (handle)
        rsvg.g_object_unref(handle);
    return is_drawn;
}

/* The newest pictures, by the sum of their SVG; `drawing` is held by whoever draws or looks. */
static pthread_mutex_t drawing = PTHREAD_MUTEX_INITIALIZER;
static struct kept {
    uint64_t sum;
    char *png;
    size_t size;
} kept[KEPT_MAX];
static int next_kept;

static void keep(uint64_t sum, const char *png, size_t size)
{
    struct kept *slot = &kept[next_kept];
    char *copy = malloc(size);

    if (!copy)
        return;
    memcpy(copy, png, size);
    free(slot->png);
    *slot = (struct kept){sum, copy, size};
    next_kept = (next_kept + 1) % KEPT_MAX;
}

static bool find_kept(uint64_t sum, char **png, size_t *size)
{
    for (int i = 0; i < KEPT_MAX; i++) {
        if (!kept[i].png || kept[i].sum != sum || !(*png = malloc(kept[i].size)))
            continue;
        memcpy(*png, kept[i].png, kept[i].size);
        *size = kept[i].size;
        return true;
    }
    return false;
}

/* Draws a card that is not kept. */
static int draw(uint64_t sum, const char *svg, size_t svg_size, char **png, size_t *size)
{
    struct cairo_surface *surface;
    FILE *stream;
    bool is_drawn;

    surface = rsvg.cairo_image_surface_create(CAIRO_RGB24, CARD_WIDTH, CARD_HEIGHT);
    stream = memory_stream(png, size);
    is_drawn = draw_on(surface, svg, svg_size) &&
               rsvg.cairo_surface_write_to_png_stream(surface, write_png, stream) == 0;
    memory_stream_end(stream);
    rsvg.cairo_surface_destroy(surface);
    if (is_drawn && *png) {
        keep(sum, *png, *size);
        return 0;
    }
    free(*png);
    *png = NULL;
    return -EINVAL;
}

int card_draw(const char *svg, size_t svg_size, char **png, size_t *size)
{
    const uint64_t sum = mix_bytes(0, svg, svg_size);
    int result = 0;

    *png = NULL;
    if (!card_can_draw())
        return -ENOENT;
    pthread_mutex_lock(&drawing);
    if (!find_kept(sum, png, size))
        result = draw(sum, svg, svg_size, png, size);
    pthread_mutex_unlock(&drawing);
    return result;
}
