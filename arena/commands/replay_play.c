#include "arena/commands/replay_play.h"

#include "arena/commands/commands.h"

int replay_play_run(struct play_run *request, const struct replay *replay, const char *path,
                    const char *at, const char *seat)
{
    int64_t last = (int64_t)replay->decision_count - 1;
    int bot_count = replay->terms.player_count - 1;
    char error[REPLAY_ERROR_BYTES];
    int64_t number;

    if (last < 0)
        return command_refuse("%s: nothing was decided in it: `arena play` begins a match", path);
    if (!play_options_number(at, 0, last, &number))
        return command_refuse("--at %s: is not a turn from 0 to %d", at, (int)last);
    if (request->bot_count != 0 && request->bot_count != bot_count)
        return command_refuse("--play: name %d bots for the other seats, or none, not %d",
                              bot_count, request->bot_count);
    if (replay_verify(replay, NULL, NULL, error) < 0)
        return command_fail("%s: %s", path, error);
    request->turn = (size_t)number;
    request->replay = replay;
    number = replay->decisions[request->turn].seat;
    if (seat && !play_options_number(seat, 0, bot_count, &number))
        return command_refuse("--seat %s: out of range (0..%d)", seat, bot_count);
    request->seat = (int)number;
    return play_run(request);
}
