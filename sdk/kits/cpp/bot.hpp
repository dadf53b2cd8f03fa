// SPDX-License-Identifier: MIT
#pragma once

#include "sdk/sdk.h"

// One of the turn's actions.
action choose(const sdk_turn &turn);
