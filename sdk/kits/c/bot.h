/* SPDX-License-Identifier: MIT */
#ifndef BOT_H
#define BOT_H

#include "sdk/sdk.h"

/* Called when a match begins, before the first choose. */
void begin(void *self, const struct wire_hello *hello);

/* Returns one of turn->actions. */
struct action choose(void *self, const struct sdk_turn *turn);

#endif
