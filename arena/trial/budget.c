#include "arena/trial/budget.h"

struct wire_clock budget_clock(const struct budget *budget, const struct wire_clock *asked,
                               bool *shortened)
{
    const int64_t left_us = budget->thinking_us - budget->used_us;
    struct wire_clock clock = *asked;
    int64_t decisions_left, turn_ms;

    *shortened = false;
    if (!budget->thinking_us || budget->decision_count == 0 || budget->game_count == 0)
        return clock;
    decisions_left = (int64_t)budget->decision_count * budget->games_left / budget->game_count + 1;
    if (budget->used_us / (int64_t)budget->decision_count * decisions_left <= left_us)
        return clock;
    turn_ms = left_us / decisions_left / 1000;
    if (turn_ms < BUDGET_TURN_MS_MIN)
        turn_ms = BUDGET_TURN_MS_MIN;
    if (turn_ms >= asked->turn_ms)
        turn_ms = asked->turn_ms;
    clock.turn_ms = turn_ms;
    clock.bank_ms = clock.gain_ms = 0;
    *shortened = true;
    return clock;
}
