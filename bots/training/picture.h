/* Draws the learned weights: line charts as SVG, readable on light and dark pages. */
#ifndef BOTS_TRAINING_PICTURE_H
#define BOTS_TRAINING_PICTURE_H

#include "bots/value/weights.h"

/* Writes token.svg, wild.svg and stars.svg into a folder. Returns 0, or -errno. */
int picture_write_weights(const struct weights_set *set, const char *folder);

#endif
