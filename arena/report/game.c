#include "arena/report/game.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/replay.h"
#include "arena/replay/forfeit_text.h"
#include "arena/base/plain_text.h"
#include "arena/season/ladder.h"
#include "engine/notation.h"
#include "arena/base/json.h"

void report_seat_print(FILE *stream, int rank, const char *name, int score, enum wire_reason reason)
{
    plain_text_printf(stream, "  %d. %s %d", rank, name, score);
    if (reason != WIRE_PLAYED)
        plain_text_printf(stream, " (%s)", wire_reason_name(reason));
}

void report_game_print(FILE *stream, const struct season *season, const struct store_game *game)
{
    char id[STORE_GAME_ID_BYTES], label[STANDINGS_LABEL_BYTES];

    store_game_id(id, season->terms.name, game->group, game->rotation);
    plain_text_printf(stream, "%s ", id);
    for (int seat = 0; seat < game->player_count; seat++) {
        const struct store_seat *at = &game->seats[seat];

        standings_label(&season->roster, at->entry, label);
        report_seat_print(stream, at->rank, label, at->score, at->reason);
    }
    if (game->is_pruned)
        fputs("  (replay pruned)", stream);
    fputs(roster_counts(&season->roster, game) ? "\n" : "  (void)\n", stream);
}

/* Adds to a forfeit's JSON the command that repeats the forfeited decision. */
static void add_command(const struct season *season, const struct store_game *game, int seat,
                        json_t *forfeit)
{
    const json_t *turn = json_object_get(forfeit, "turn");
    const struct store_bot *bot = &season->roster.members[game->seats[seat].entry].bot;
    char id[STORE_GAME_ID_BYTES], versioned[STANDINGS_LABEL_BYTES];
    struct rerun_command command = {
        .program = program_invocation_name, .replay = id, .bot = versioned};
    char *text;

    store_game_id(id, season->terms.name, game->group, game->rotation);
    snprintf(versioned, sizeof versioned, "%s@%s", bot->name, bot->version);
    text = rerun_command_text(
        &command, json_is_integer(turn) ? json_integer_value(turn) : FORFEIT_NOT_KNOWN, seat);
    if (text)
        json_object_set_new(forfeit, "command", json_string(text));
    free(text);
}

static json_t *forfeits_json(const struct season *season, const struct store_game *game)
{
    json_t *forfeits = game->forfeits ? json_loads(game->forfeits, JSON_ALLOW_NUL, NULL) : NULL;

    for (size_t seat = 0; seat < json_array_size(forfeits); seat++)
        if (json_is_object(json_array_get(forfeits, seat)))
            add_command(season, game, (int)seat, json_array_get(forfeits, seat));
    return forfeits ? forfeits : json_null();
}

json_t *report_game_json(const struct season *season, const struct store_game *game)
{
    const struct schedule_group *group = &season->schedule.groups[game->group];
    json_t *bots = json_array(), *scores = json_array(), *ranks = json_array();
    json_t *reasons = json_array(), *us = json_array();
    json_t *started = json_time_or_null(game->started_us);
    char id[STORE_GAME_ID_BYTES], label[STANDINGS_LABEL_BYTES];

    store_game_id(id, season->terms.name, game->group, game->rotation);
    for (int seat = 0; seat < game->player_count; seat++) {
        const struct store_seat *at = &game->seats[seat];

        standings_label(&season->roster, at->entry, label);
        json_array_append_new(bots, json_string(label));
        json_array_append_new(scores, json_integer(at->score));
        json_array_append_new(ranks, json_integer(at->rank));
        json_array_append_new(reasons, json_string(wire_reason_name(at->reason)));
        json_array_append_new(us, json_integer(at->us));
    }
    return json_pack(
        "{s:s, s:i, s:i, s:b, s:b, s:o, s:s, s:o, s:o, s:o, s:o, s:i, s:o, s:I, s:I, s:o, s:o, "
        "s:o}",
        "match", id, "group", game->group, "opening", game->opening, "void",
        !roster_counts(&season->roster, game), "pruned", game->is_pruned, "seed",
        json_hex(game->seed, sizeof game->seed), "board", notation_boards[group->board], "bots",
        bots, "scores", scores, "ranks", ranks, "reason", reasons, "decisions",
        game->decision_count, "us", us, "wall_us", (json_int_t)game->wall_us, "delay_us",
        (json_int_t)game->delay_us, "worker",
        game->worker_id ? json_integer(game->worker_id) : json_null(), "started", started,
        "forfeits", forfeits_json(season, game));
}
