/* SPDX-License-Identifier: MIT */
#ifndef BOT_H
#define BOT_H

#include "sdk/sdk.h"

/* Returns one of turn->actions. */
struct action choose(void *self, const struct sdk_turn *turn);

#endif
