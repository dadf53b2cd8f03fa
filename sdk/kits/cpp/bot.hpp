// SPDX-License-Identifier: MIT
#pragma once

#include "sdk/sdk.h"

// Called when a match begins, before the first choose.
void begin(const wire_hello &hello);

// One of the turn's actions.
action choose(const sdk_turn &turn);
