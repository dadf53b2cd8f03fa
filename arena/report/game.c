/* SPDX-License-Identifier: MIT */
#include "arena/report/game.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/replay.h"
#include "arena/replay/forfeit_text.h"
#include "arena/base/plain_text.h"
#include "arena/report/bot.h"
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

/* What a game is told from, besides its row. */
struct telling {
    const struct season *season;
    enum column_reader reader; /* of the game's forfeits */
};

static void get_match(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    const struct telling *telling = context;
    const struct store_game *game = row;

    value->kind = COLUMN_TEXT;
    store_game_id(value->text, telling->season->terms.name, game->group, game->rotation);
}

static void get_void(const void *context, const void *row, const struct column *column,
                     struct column_value *value)
{
    value->kind = COLUMN_BOOL;
    value->is_true = !roster_counts(&((const struct telling *)context)->season->roster, row);
}

static void get_board(const void *context, const void *row, const struct column *column,
                      struct column_value *value)
{
    column_set_text(value, "%s", notation_boards[((const struct store_game *)row)->board]);
}

static void get_worker(const void *context, const void *row, const struct column *column,
                       struct column_value *value)
{
    if (((const struct store_game *)row)->worker_id)
        column_set_integer(value, ((const struct store_game *)row)->worker_id);
}

static json_t *seed_json(const void *context, const void *row)
{
    return json_hex(((const struct store_game *)row)->seed, GAME_SEED_BYTES);
}

static json_t *bots_json(const void *context, const void *row)
{
    const struct telling *telling = context;
    const struct store_game *game = row;
    json_t *bots = json_array();

    for (int seat = 0; seat < game->player_count; seat++) {
        char label[STANDINGS_LABEL_BYTES];

        standings_label(&telling->season->roster, game->seats[seat].entry, label);
        json_array_append_new(bots, json_string(label));
    }
    return bots;
}

#define BY_SEAT(name, value)                                                                       \
    static json_t *name##_json(const void *context, const void *row)                               \
    {                                                                                              \
        const struct store_game *game = row;                                                       \
        json_t *array = json_array();                                                              \
                                                                                                   \
        for (const struct store_seat *at = game->seats; at < game->seats + game->player_count;     \
             at++)                                                                                 \
            json_array_append_new(array, value);                                                   \
        return array;                                                                              \
    }

BY_SEAT(scores, json_integer(at->score))
BY_SEAT(ranks, json_integer(at->rank))
BY_SEAT(reasons, json_string(wire_reason_name(at->reason)))
BY_SEAT(us, json_integer(at->us))

static json_t *forfeits_json(const void *context, const void *row)
{
    const struct telling *telling = context;
    const struct store_game *game = row;
    json_t *forfeits = game->forfeits ? json_loads(game->forfeits, JSON_ALLOW_NUL, NULL) : NULL;

    for (size_t seat = 0; seat < json_array_size(forfeits); seat++) {
        json_t *forfeit = json_array_get(forfeits, seat);

        if (!json_is_object(forfeit))
            continue;
        add_command(telling->season, game, (int)seat, forfeit);
        json_array_set_new(forfeits, seat,
                           columns_row_json(&forfeit_columns, forfeit, NULL, telling->reader));
    }
    return forfeits ? forfeits : json_null();
}

#define GAME(of_kind, field) .kind = COLUMN_##of_kind, .offset = offsetof(struct store_game, field)

static const struct column columns[] = {
    {"match", NULL, COLUMN_IN_JSON, MATCH_WORDS, .kind = COLUMN_TEXT, .get_fn = get_match},
    {"group", NULL, COLUMN_IN_JSON, "number of the game's group, from 0", GAME(INT, group)},
    {"opening", NULL, COLUMN_IN_JSON, "number of the opening that gave the game its seed, from 0",
     GAME(INT, opening)},
    {"void", NULL, COLUMN_IN_JSON, "the game does not count", .kind = COLUMN_BOOL,
     .get_fn = get_void},
    {"pruned", NULL, COLUMN_IN_JSON, "the replay of the game was pruned", GAME(BOOL, is_pruned)},
    {"seed", NULL, COLUMN_IN_JSON, "seed of the game's draws, in hex", .type = "text",
     .json_fn = seed_json},
    {"board", NULL, COLUMN_IN_JSON, BOARD_WORDS, .kind = COLUMN_TEXT, .get_fn = get_board},
    {"bots", NULL, COLUMN_IN_JSON, SEATED_WORDS, .type = "text[]", .json_fn = bots_json},
    {"scores", NULL, COLUMN_IN_JSON, SCORES_WORDS, .type = "integer[]", .json_fn = scores_json},
    {"ranks", NULL, COLUMN_IN_JSON, RANKS_WORDS, .type = "integer[]", .json_fn = ranks_json},
    {"reason", NULL, COLUMN_IN_JSON, REASONS_WORDS, .type = "text[]", .json_fn = reasons_json},
    {"decisions", NULL, COLUMN_IN_JSON, "decisions of the game", GAME(INT, decision_count)},
    {"us", NULL, COLUMN_IN_JSON, "time that the decisions of each seat took in all",
     .type = "integer[]", .json_fn = us_json, .unit = "us"},
    {"wall_us", NULL, COLUMN_IN_JSON, "time that passed", GAME(INTEGER, wall_us), .unit = "us"},
    {"delay_us", NULL, COLUMN_IN_JSON, "time that answers waited for the arena, over all decisions",
     GAME(INTEGER, delay_us), .unit = "us"},
    {"worker", NULL, COLUMN_IN_JSON, "number of the worker that played the game; null: no worker",
     .kind = COLUMN_INTEGER, .type = "integer?", .get_fn = get_worker},
    {"started", NULL, COLUMN_IN_JSON, STARTED_WORDS, GAME(MOMENT, started_us)},
    {"forfeits", NULL, COLUMN_IN_JSON,
     "by seat, how a bot forfeited the game, or null; null: nobody forfeited",
     .type = "forfeit?[]?", .json_fn = forfeits_json},
};

const struct columns game_columns = {columns, sizeof columns / sizeof *columns};

json_t *report_game_json(const struct season *season, const struct store_game *game,
                         enum column_reader reader)
{
    const struct telling telling = {
        season, season->terms.publishes_errors && reader < READER_AUTHOR ? READER_AUTHOR : reader};

    return columns_row_json(&game_columns, game, &telling, reader);
}
