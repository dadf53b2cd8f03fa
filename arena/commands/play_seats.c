#include "arena/commands/play_seats.h"

#include <stdio.h>
#include <stdlib.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/bundled.h"
#include "arena/commands/commands.h"
#include "arena/play/source.h"

/* argument NULL: a bot that comes with the program, if it is installed; *has says whether. */
static int open_bot(struct play_seats *seats, const struct play_run *request, struct source *source,
                    const char *argument, int number, bool *has)
{
    char *path = argument ? NULL : bundled_find_opponent();
    int status = COMMAND_DONE;

    *has = argument || path;
    if (argument)
        status = bot_argument_open(source, argument, request->home, seats->stage->path, number,
                                   &request->play, seats->sandbox);
    else if (path)
        status = bot_argument_copy(source, path, seats->stage->path, number, &request->play,
                                   seats->sandbox);
    free(path);
    return status;
}

static int open_seat(struct play_seats *seats, const struct play_run *request, int seat)
{
    int bot = seat < request->seat ? seat : seat - 1;
    struct source *source = &seats->sources[seat];
    bool has;
    int status;

    if (seat == request->seat) {
        source->untimed = !request->clocked;
        snprintf(source->manifest.name, sizeof source->manifest.name, "person");
        return COMMAND_DONE;
    }
    status = open_bot(seats, request, source, bot < request->bot_count ? request->paths[bot] : NULL,
                      seat, &has);
    return has ? status
               : command_refuse("name a bot for seat %d: none came with the program", seat);
}

int play_seats_open(struct play_seats *seats, struct play_run *request, int player_count)
{
    int status = play_options_open_sandbox(&request->play, GAME_PLAYERS_MAX, &seats->sandbox);

    if (status == COMMAND_DONE)
        status = bot_argument_stage(&seats->stage, seats->sandbox);
    for (int seat = 0; seat < player_count && status == COMMAND_DONE; seat++)
        status = open_seat(seats, request, seat);
    if (status == COMMAND_DONE) /* where there is none, a hint that is asked for says so */
        status = open_bot(seats, request, &seats->hint, request->hint, GAME_PLAYERS_MAX,
                          &seats->has_hint);
    return status;
}

void play_seats_finish(struct play_seats *seats)
{
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        source_close(&seats->sources[seat]);
    source_close(&seats->hint);
    stage_destroy(seats->stage);
    sandbox_destroy(seats->sandbox);
}
