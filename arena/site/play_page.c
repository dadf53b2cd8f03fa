/* SPDX-License-Identifier: MIT */
#include "arena/site/play_page.h"

#include <string.h>

#include "arena/site/documents.h"
#include "arena/site/page.h"
#include "arena/site/viewer.h"
#include "engine/notation.h"

extern const char site_play_css[], site_play_js[];
extern const char site_analysis_css[], site_analysis_js[]; /* for pages of matches */
/* Base64 of a gzip file, or empty if the build had no compiler for WebAssembly. */
extern const char site_play_module[];

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

json_t *play_page(struct pages *pages)
{
    json_t *boards = json_object();

    for (int side = BOARD_COLORED; side <= BOARD_GRAY; side++)
        json_object_set_new(boards, notation_boards[side], viewer_board((enum board_side)side));
    return json_pack("{s:o, s:s*, s:o, s:s, s:{s:s, s:s}}", "code",
                     page_code(pages, site_play_js, site_play_css, true), "rules",
                     documents_text("learn.html"), "boards", boards, "module", site_play_module,
                     "brings", "script", site_analysis_js, "style", site_analysis_css);
}
