/* The processor that bots run on: how fast a bot thinks depends on its model. */
#ifndef ARENA_PLAY_PROCESSOR_H
#define ARENA_PLAY_PROCESSOR_H

#include <stddef.h>

/*
 * Writes the model of this machine's processor, in ASCII, cut to size; its architecture if the
 * kernel tells no model.
 */
void processor_model(char *model, size_t size);

#endif
