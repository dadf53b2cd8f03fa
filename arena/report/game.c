#include "arena/report/game.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/file.h"
#include "arena/replay/forfeit_text.h"
#include "arena/replay/json.h"
#include "arena/replay/plain_text.h"
#include "arena/season/ladder.h"
#include "engine/notation.h"

/*
 * Prints "  1. greedy 77 (timeout)". Prints the reason only for a bot that did not play to the end.
 */
static void print_seat(FILE *stream, int rank, const char *name, int score, enum wire_reason reason)
{
    plain_text_printf(stream, "  %d. %s %d", rank, name, score);
    if (reason != WIRE_PLAYED)
        plain_text_printf(stream, " (%s)", wire_reason_name(reason));
}

/* ---- of a season ---- */

void report_game_print(FILE *stream, const struct season *season, const struct store_game *game)
{
    char id[STORE_GAME_ID_BYTES], label[STANDINGS_LABEL_BYTES];

    store_game_id(id, season->terms.name, game->group, game->rotation);
    plain_text_printf(stream, "%s ", id);
    for (int seat = 0; seat < game->player_count; seat++) {
        const struct store_seat *at = &game->seats[seat];

        standings_label(&season->roster, at->entry, label);
        print_seat(stream, at->rank, label, at->score, at->reason);
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
    struct rerun_command command = {.program = program_invocation_name,
                                    .replay = id,
                                    .turn = json_is_integer(turn) ? json_integer_value(turn)
                                                                  : FORFEIT_NOT_KNOWN,
                                    .seat = seat,
                                    .bot = versioned};
    char *text;

    store_game_id(id, season->terms.name, game->group, game->rotation);
    snprintf(versioned, sizeof versioned, "%s@%s", bot->name, bot->version);
    text = rerun_command_text(&command);
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
    json_t *started = game->started_us ? replay_json_time(game->started_us / 1000000) : json_null();
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
        replay_json_hex(game->seed, sizeof game->seed), "board", notation_boards[group->board],
        "bots", bots, "scores", scores, "ranks", ranks, "reason", reasons, "decisions",
        game->decision_count, "us", us, "wall_us", (json_int_t)game->wall_us, "delay_us",
        (json_int_t)game->delay_us, "worker",
        game->worker_id ? json_integer(game->worker_id) : json_null(), "started", started,
        "forfeits", forfeits_json(season, game));
}

/* ---- just played ---- */

/*
 * Returns the command that repeats a seat's forfeit, or NULL if no replay was kept. The caller
 * frees the command.
 */
static char *forfeit_command(const struct match_report *report, int seat)
{
    char *path = report->replays ? replay_file_path(report->replays, report->game->terms.id) : NULL;
    struct rerun_command command = {
        .program = program_invocation_name,
        .replay = path,
        .turn = report->replay->forfeits[seat]->turn,
        .seat = seat,
        .bot = report->paths[seat],
        .options = report->options,
    };
    char *text = path ? rerun_command_text(&command) : NULL;

    free(path);
    return text;
}

static json_t *forfeit_json(const struct match_report *report, int seat)
{
    const struct forfeit *forfeit = report->replay->forfeits[seat];
    char *command = forfeit ? forfeit_command(report, seat) : NULL;
    json_t *json = replay_json_forfeit(forfeit, command);

    free(command);
    return json;
}

/* Returns the longest time that an answer of this seat may have waited for the arena to read it. */
static int64_t longest_delay_us(const struct match *match, int seat)
{
    int64_t longest_us = 0;

    for (size_t i = 0; i < match->decision_count; i++)
        if (match->events[i].seat == seat && match->decisions[i].delay_us > longest_us)
            longest_us = match->decisions[i].delay_us;
    return longest_us;
}

json_t *match_report_json(const struct match_report *report)
{
    const struct match_terms *terms = &report->game->terms;
    const struct wire_end *end = &report->table->result;
    json_t *bots = json_array();
    json_t *us = json_array();
    json_t *delay_us = json_array();
    json_t *forfeits = json_array();

    for (int seat = 0; seat < end->player_count; seat++) {
        json_array_append_new(bots, json_string(report->game->sources[seat]->manifest.name));
        json_array_append_new(us, json_integer(report->table->match.seats[seat].us));
        json_array_append_new(delay_us,
                              json_integer(longest_delay_us(&report->table->match, seat)));
        json_array_append_new(forfeits, forfeit_json(report, seat));
    }
    return json_pack(
        "{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:I, s:o, s:I, s:o, s:o}", "match", terms->id, "seed",
        replay_json_hex(terms->seed, sizeof terms->seed), "board", notation_boards[terms->board],
        "bots", bots, "scores", replay_json_ints(end->scores, end->player_count), "ranks",
        replay_json_ints(end->ranks, end->player_count), "reason", replay_json_reasons(end),
        "decisions", (json_int_t)report->table->match.decision_count, "us", us, "wall_us",
        (json_int_t)report->table->wall_us, "delay_us", delay_us, "forfeits", forfeits);
}

static void print_forfeit(FILE *stream, const struct match_report *report, int seat)
{
    char *command = forfeit_command(report, seat);

    forfeit_text_print(stream, report->replay->forfeits[seat], seat, report->names[seat],
                       command ? command
                               : "with --replays DIR the arena keeps the game and prints here the "
                                 "command that replays it");
    free(command);
}

char *match_report_text(const struct match_report *report)
{
    const struct wire_end *end = &report->table->result;
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    if (!stream)
        return NULL;
    plain_text_printf(stream, "%s ", report->game->terms.id);
    for (int seat = 0; seat < end->player_count; seat++)
        print_seat(stream, end->ranks[seat], report->names[seat], end->scores[seat],
                   end->reasons[seat]);
    fputc('\n', stream);
    for (int seat = 0; seat < end->player_count; seat++)
        if (report->replay->forfeits[seat])
            print_forfeit(stream, report, seat);
    fclose(stream);
    return text;
}

bool match_report_names(const struct source *sources, int count,
                        char *names[static GAME_PLAYERS_MAX])
{
    for (int i = 0; i < count; i++) {
        const char *name = sources[i].manifest.name;
        int number = 1;
        char *plain = plain_text(name);

        for (int before = 0; before < i; before++)
            number += strcmp(sources[before].manifest.name, name) == 0;
        if (number > 1 && plain && asprintf(&names[i], "%s#%d", plain, number) >= 0)
            free(plain);
        else
            names[i] = plain;
        if (!names[i])
            return false;
    }
    return true;
}
