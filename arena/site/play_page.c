/* SPDX-License-Identifier: MIT */
#include "arena/site/play_page.h"

#include <string.h>

#include "arena/site/documents.h"
#include "arena/site/page.h"
#include "arena/site/viewer.h"
#include "engine/notation.h"

extern const char site_play_css[], site_play_js[];
extern const char site_analysis_css[], site_analysis_js[]; /* for pages of matches */
/* Each string is base64 of a gzip file, or empty if the build had no compiler for WebAssembly. */
extern const char site_play_module[];
extern const char site_weights_2_colored[], site_weights_2_gray[], site_weights_3_colored[];
extern const char site_weights_3_gray[], site_weights_4_colored[], site_weights_4_gray[];

bool play_page_exists(void)
{
    return *site_play_module != '\0';
}

bool play_page_has(const char *bot)
{
    static const char *const bots[] = {"random", "greedy", "steady", "maestro"};

    for (size_t i = 0; i < sizeof bots / sizeof *bots; i++)
        if (strcmp(bots[i], bot) == 0)
            return true;
    return false;
}

/* Adds base64 that the page has as a script element which the browser does not run. */
static void add_data(json_t *list, const char *id, const char *base64)
{
    json_array_append_new(list, json_pack("{s:s, s:s}", "id", id, "base64", base64));
}

json_t *play_page(struct pages *pages)
{
    json_t *boards = json_object(), *data = json_array();

    for (int side = BOARD_COLORED; side <= BOARD_GRAY; side++)
        json_object_set_new(boards, notation_boards[side], viewer_board((enum board_side)side));
    add_data(data, "module", site_play_module);
    add_data(data, "weights-2-colored", site_weights_2_colored);
    add_data(data, "weights-2-gray", site_weights_2_gray);
    add_data(data, "weights-3-colored", site_weights_3_colored);
    add_data(data, "weights-3-gray", site_weights_3_gray);
    add_data(data, "weights-4-colored", site_weights_4_colored);
    add_data(data, "weights-4-gray", site_weights_4_gray);
    return json_pack("{s:o, s:s*, s:o, s:o, s:{s:s, s:s}}", "code",
                     page_code(pages, site_play_js, site_play_css, true), "rules",
                     documents_text("learn.html"), "boards", boards, "data", data, "brings",
                     "script", site_analysis_js, "style", site_analysis_css);
}
