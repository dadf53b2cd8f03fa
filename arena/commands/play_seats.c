#include "arena/commands/play_seats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"

static const char *const bundled[] = {"steady", "greedy"}; /* in order of preference */

/*
 * Returns the path of a bot that comes with the program; the caller frees it. NULL if it is not
 * installed.
 */
static char *find_bundled(const char *name)
{
    char program[4096];
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    char *path = NULL, *folder;

    if (size < 0 || strchr(name, '/'))
        return NULL;
    program[size] = '\0';
    for (int i = 0; i < 2; i++) { /* removes the program's name and its folder */
        folder = strrchr(program, '/');
        if (!folder)
            return NULL;
        *folder = '\0';
    }
    if (asprintf(&path, "%s/bots/%s", program, name) < 0)
        return NULL;
    if (access(path, F_OK) != 0) {
        free(path);
        return NULL;
    }
    return path;
}

static int open_bot(struct play_seats *seats, const struct play_run *request, struct source *source,
                    const char *argument, int number)
{
    char *path = access(argument, F_OK) != 0 ? find_bundled(argument) : NULL;
    int status = bot_argument_open(source, path ? path : argument, request->home, seats->stage,
                                   number, &request->play, seats->sandbox);

    free(path);
    return status;
}

/* Returns the name of the bot to use by default; a static string, NULL if none is installed. */
static const char *default_bot(void)
{
    for (size_t i = 0; i < sizeof bundled / sizeof *bundled; i++) {
        char *path = find_bundled(bundled[i]);

        free(path);
        if (path)
            return bundled[i];
    }
    return NULL;
}

static int open_hint(struct play_seats *seats, const struct play_run *request)
{
    const char *argument = request->hint ? request->hint : default_bot();

    if (!argument)
        return COMMAND_DONE; /* a request for a hint will report it */
    seats->has_hint = true;
    return open_bot(seats, request, &seats->hint, argument, GAME_PLAYERS_MAX);
}

static int open_seat(struct play_seats *seats, const struct play_run *request, int seat)
{
    int bot = seat < request->seat ? seat : seat - 1;
    struct source *source = &seats->sources[seat];
    const char *argument;

    if (seat == request->seat) {
        source->untimed = !request->clocked;
        snprintf(source->manifest.name, sizeof source->manifest.name, "person");
        return COMMAND_DONE;
    }
    argument = bot < request->bot_count ? request->paths[bot] : default_bot();
    return argument ? open_bot(seats, request, source, argument, seat)
                    : command_refuse("name a bot for seat %d: none came with the program", seat);
}

int play_seats_open(struct play_seats *seats, struct play_run *request, int player_count)
{
    int status = play_options_open_sandbox(&request->play, GAME_PLAYERS_MAX, &seats->sandbox);

    if (status == COMMAND_DONE)
        status = bot_argument_stage(&seats->stage, seats->sandbox);
    for (int seat = 0; seat < player_count && status == COMMAND_DONE; seat++)
        status = open_seat(seats, request, seat);
    return status == COMMAND_DONE ? open_hint(seats, request) : status;
}

void play_seats_finish(struct play_seats *seats)
{
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        source_close(&seats->sources[seat]);
    source_close(&seats->hint);
    source_stage_destroy(seats->stage);
    sandbox_destroy(seats->sandbox);
}
