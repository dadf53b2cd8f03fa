/*
 * Pictures of what was learned: line charts as SVG, which read well on light and dark pages.
 */
#ifndef BOTS_TRAINING_PICTURE_H
#define BOTS_TRAINING_PICTURE_H

#include "bots/value/weights.h"

enum {
    PICTURE_LINES_MAX = 8,
    PICTURE_PLACES_MAX = 8,
};

struct picture {
    const char *title;
    const char *x_title;
    int place_count; /* along the x axis */
    const char *places[PICTURE_PLACES_MAX];
    int line_count;
    const char *lines[PICTURE_LINES_MAX];
    double points[PICTURE_LINES_MAX][PICTURE_PLACES_MAX];
};

/* Writes a chart. Returns 0, or -errno. */
int picture_write(const struct picture *picture, const char *path);

/* Writes token.svg, wild.svg and stars.svg into a folder. Returns 0, or -errno. */
int picture_write_weights(const struct weights_set *set, const char *folder);

#endif
