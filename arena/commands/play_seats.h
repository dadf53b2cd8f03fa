/* Who sits at the table of a person: bots that were named or came with the program, the person, and
   the bot that gives hints. */
#ifndef ARENA_COMMANDS_PLAY_SEATS_H
#define ARENA_COMMANDS_PLAY_SEATS_H

#include "arena/commands/play_run.h"
#include "arena/play/source.h"

struct play_seats {
    struct sandbox *sandbox;
    char *stage;
    struct source sources[GAME_PLAYERS_MAX]; /* by seat; the person's has no manifest.run */
    bool has_hint;
    struct source hint;
};

/* Makes a zeroed one ready. Returns a command's status after saying what is wrong; it is to be
   finished either way. */
int play_seats_open(struct play_seats *seats, struct play_run *request, int player_count);

void play_seats_finish(struct play_seats *seats);

#endif
