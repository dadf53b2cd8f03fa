// SPDX-License-Identifier: MIT
// Talks to the arena. Nothing here needs a change: bot.cpp decides.
#include "bot.hpp"

int main()
{
    sdk_bot bot = {};

    bot.name = "@NAME@";
    bot.hello_fn = [](void *, const wire_hello *hello) { begin(*hello); };
    bot.play_fn = [](void *, const sdk_turn *turn) { return choose(*turn); };
    return sdk_run(&bot, nullptr);
}
