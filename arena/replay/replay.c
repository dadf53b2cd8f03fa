#include "arena/replay/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/table.h"

static void copy_seat(struct replay *replay, const struct replay_origin *origin, int seat)
{
    const struct source *source = origin->sources[seat];
    struct replay_bot *bot = &replay->bots[seat];

    replay->names_told |= *replay->terms.names[seat] != '\0';
    if (source) {
        memcpy(bot->name, source->manifest.name, sizeof bot->name);
        memcpy(bot->version, source->manifest.version, sizeof bot->version);
        memcpy(bot->sha256, source->sha256, sizeof bot->sha256);
    } else {
        snprintf(bot->name, sizeof bot->name, "%s", REPLAY_CHANCE);
    }
    memcpy(replay->terms.names[seat], bot->name, sizeof bot->name);
    replay->layers[seat] = origin->layers[seat];
    replay->out_turns[seat] = origin->result->reasons[seat] == WIRE_PLAYED
                                  ? REPLAY_STAYED
                                  : origin->match->seats[seat].out_turn;
}

static void copy_decision(struct replay_decision *decision, const struct match *match, size_t index)
{
    const struct match_decision *journaled = &match->decisions[index];

    *decision = (struct replay_decision){
        .seat = match->events[index].seat,
        .by_arena = journaled->by_arena,
        .action = match->events[index].action,
        .us = journaled->us,
        .cpu_us = journaled->cpu_us,
        .delay_us = journaled->delay_us,
        .hash = journaled->hash,
        .note = journaled->note_bytes ? match->notes + journaled->note_offset : NULL,
        .note_bytes = journaled->note_bytes,
    };
}

int replay_from_match(struct replay *replay, const struct replay_origin *origin)
{
    const struct match *match = origin->match;

    *replay = (struct replay){.terms = match->terms,
                              .memory_bytes = origin->memory_bytes,
                              .started_s = origin->started_s,
                              .decision_count = match->decision_count,
                              .result = *origin->result};
    replay->decisions = calloc(match->decision_count + 1, sizeof *replay->decisions);
    if (!replay->decisions)
        return -1;
    for (size_t i = 0; i < match->decision_count; i++)
        copy_decision(&replay->decisions[i], match, i);
    for (int seat = 0; seat < match->terms.player_count; seat++) {
        copy_seat(replay, origin, seat);
        if (!origin->forfeits[seat])
            continue;
        replay->forfeits[seat] = forfeit_copy(origin->forfeits[seat]);
        if (!replay->forfeits[seat]) {
            replay_finish(replay);
            return -1;
        }
    }
    return 0;
}

int replay_from_table(struct replay *replay, const struct table *table)
{
    struct replay_origin origin = {.match = &table->match,
                                   .result = &table->result,
                                   .memory_bytes = table->rules->memory_bytes,
                                   .started_s = table->started_s};

    for (int seat = 0; seat < table->match.terms.player_count; seat++) {
        origin.sources[seat] = table->sources[seat];
        origin.layers[seat] = table->layers[seat];
        origin.forfeits[seat] = table->forfeits[seat];
    }
    return replay_from_match(replay, &origin);
}

void replay_finish(struct replay *replay)
{
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        forfeit_destroy(replay->forfeits[seat]);
    free(replay->decisions);
    *replay = (struct replay){0};
}
