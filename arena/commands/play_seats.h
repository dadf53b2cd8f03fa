/*
 * The players at a person's table: bots that were named or come with the program, the person, and
 * the bot that gives hints.
 */
#ifndef ARENA_COMMANDS_PLAY_SEATS_H
#define ARENA_COMMANDS_PLAY_SEATS_H

#include "arena/commands/play_run.h"
#include "arena/play/source.h"

struct play_seats {
    struct sandbox *sandbox;
    struct stage *stage;
    struct source sources[GAME_PLAYERS_MAX]; /* by seat; the person's manifest.run is NULL */
    bool has_hint;
    struct source hint;
};

/*
 * Prepares zeroed seats. Returns a command's status, after printing what is wrong. Call
 * play_seats_finish in any case.
 */
int play_seats_open(struct play_seats *seats, struct play_run *request, int player_count);

void play_seats_finish(struct play_seats *seats);

#endif
