/* SPDX-License-Identifier: MIT */
/*
 * Cards: pictures of 1200 x 630 pixels that other sites show for a link to a page. A template makes
 * a card as SVG; librsvg draws it as PNG, because those who preview links ignore SVG. The program
 * loads librsvg when it draws: without the library, pages name no picture.
 *
 * Drawing takes as long as writing many pages. So `arena web` serves cards that the desk draws when
 * somebody asks (web/api.c), and a publication draws only a few of them (publish.c).
 */
#ifndef ARENA_SITE_CARD_H
#define ARENA_SITE_CARD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "arena/season/ladder.h"
#include "arena/site/page.h"

enum card_limits {
    CARD_WIDTH = 1200,
    CARD_HEIGHT = 630,
};

/* Returns true if librsvg is installed. */
bool card_can_draw(void);

/*
 * Return what a card shows, for the template card: of the home page, whose season is NULL if none
 * has begun; of a season; or of a bot, NULL if the season has no such bot. A new reference.
 */
json_t *card_of_home(const struct standings *shown);
json_t *card_of_season(const struct standings *standings);
json_t *card_of_bot(const struct standings *standings, const char *bot);

/*
 * Returns a card as SVG, which the caller frees. Takes over the reference to what it shows. Returns
 * NULL after writing one line to error.
 */
char *card_write(struct pages *pages, json_t *card, size_t *size,
                 char error[static TEMPLATE_ERROR_BYTES]);

/*
 * Draws a card. Sets *png, which the caller frees. Returns 0, -ENOENT if librsvg is not installed,
 * -ENOMEM, or -EINVAL if it cannot be drawn. Keeps the newest pictures: an equal card is not drawn
 * again.
 */
int card_draw(const char *svg, size_t svg_size, char **png, size_t *size);

#endif
