#include "arena/replay/course.h"

#include <stdarg.h>
#include <stdio.h>

int course_differs(char error[static REPLAY_ERROR_BYTES], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error, REPLAY_ERROR_BYTES, format, arguments);
    va_end(arguments);
    return -1;
}

void course_take_out(const struct replay *replay, struct match *match, int64_t turn)
{
    for (int seat = 0; seat < replay->terms.player_count && match->phase != MATCH_OVER; seat++)
        if (replay->out_turns[seat] == turn && match->seats[seat].reason == WIRE_PLAYED)
            match_out(match, seat, replay->result.reasons[seat]);
}

int course_answer(const struct replay *replay, struct match *match, int seat,
                  char error[static REPLAY_ERROR_BYTES])
{
    size_t turn = match->decision_count;
    const struct replay_decision *recorded = &replay->decisions[turn];
    struct wire_act act = {
        .turn = (int64_t)turn, .kind = WIRE_ACT_ACTION, .action = recorded->action};
    struct match_times times = {.us = recorded->us};
    enum wire_reason reason;
    const char *fault;

    if (recorded->seat != seat)
        return course_differs(error, "decision %zu: seat %d is recorded, seat %d has to decide",
                              turn, recorded->seat, seat);
    fault = match_answer(match, seat, &act, &times, &reason);
    if (fault)
        return course_differs(error, "decision %zu: seat %d: %s", turn, seat, fault);
    return 0;
}
