/*
 * Which rows are valid, for any back end and in both directions. They are checked at this border,
 * as bots' messages are at theirs: a valid row cannot crash later code.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "arena/store/core.h"

static const char out_of_range[] = "out of range";
static const char no_text[] = "not 1 to 64 bytes of text";

static const int64_t id_max = (int64_t)1 << 53;        /* largest integer that is exact in JSON */
static const int64_t moment_max_us = (int64_t)1 << 53; /* the year 2255 */
static const int64_t seat_us_max = 1000000000000;      /* 11 days: sums cannot overflow */

enum {
    NUMBER_MAX = 1000000000, /* maximum number of groups, batches and openings */
    ENTRY_MAX = UINT16_MAX,
    SCORE_MAX = 10000, /* maximum of points, positive or negative */
    TIER_MAX = 3,      /* highest enum sandbox_tier */
};

static bool in_range(int64_t value, int64_t minimum, int64_t maximum)
{
    return value >= minimum && value <= maximum;
}

__attribute__((format(printf, 3, 4))) static void
name_row(struct row_fault *fault, const char *table, const char *format, ...)
{
    va_list arguments;

    *fault = (struct row_fault){.table = table};
    va_start(arguments, format);
    vsnprintf(fault->row, sizeof fault->row, format, arguments);
    va_end(arguments);
}

/* Records a fault unless holds is true or there is one already. Returns holds. */
static bool require(struct row_fault *fault, bool holds, const char *column, const char *words)
{
    if (!holds && !fault->column) {
        fault->column = column;
        fault->words = words;
    }
    return holds;
}

bool row_hash_is_sound(const char *hash)
{
    return strspn(hash, "0123456789abcdef") == STORE_HASH_DIGITS && !hash[STORE_HASH_DIGITS];
}

bool row_bot_is_sound(const struct store_bot *bot, struct row_fault *fault)
{
    name_row(fault, "bot", "id %lld", (long long)bot->id);
    require(fault, in_range(bot->id, 0, id_max), "id", out_of_range);
    require(fault, bot->previous_id >= 0 && (bot->id == 0 || bot->previous_id < bot->id),
            "previous", out_of_range);
    require(fault, store_name_is_valid(bot->name), "name",
            "not 1 to 32 characters from a-z, 0-9, - and _");
    require(fault, store_text_is_valid(bot->version), "version", no_text);
    require(fault, store_text_is_valid(bot->author), "author", no_text);
    require(fault, !*bot->language || store_text_is_valid(bot->language), "language", no_text);
    require(fault, row_hash_is_sound(bot->sha256), "sha256", "not a SHA-256 in hex");
    require(fault, row_hash_is_sound(bot->built_sha256), "built_sha256", "not a SHA-256 in hex");
    require(fault, !*bot->content_sha256 || row_hash_is_sound(bot->content_sha256),
            "content_sha256", "not a SHA-256 in hex");
    require(fault,
            !bot->manifest ||
                strnlen(bot->manifest, STORE_MANIFEST_BYTES_MAX + 1) <= STORE_MANIFEST_BYTES_MAX,
            "manifest", "too long");
    require(fault, in_range(bot->submitted_us, 0, moment_max_us), "submitted_us", out_of_range);
    require(fault, in_range(bot->retired_us, 0, moment_max_us), "retired_us", out_of_range);
    require(fault, in_range(bot->banned_us, 0, moment_max_us), "banned_us", out_of_range);
    return !fault->column;
}

static void require_play(struct row_fault *fault, const struct store_play *play)
{
    require(fault, in_range(play->memory_bytes, 0, (int64_t)1 << 50), "memory_bytes", out_of_range);
    require(fault, in_range(play->tier, 0, TIER_MAX), "tier", out_of_range);
}

bool row_submission_is_sound(const struct store_submission *submission, struct row_fault *fault)
{
    bool ended = submission->state == STORE_ADMITTED || submission->state == STORE_REFUSED;

    name_row(fault, "submission", "id %lld", (long long)submission->id);
    require(fault, in_range(submission->id, 0, id_max), "id", out_of_range);
    require(fault, store_name_is_valid(submission->name), "name",
            "not 1 to 32 characters from a-z, 0-9, - and _");
    require(fault, store_text_is_valid(submission->version), "version", no_text);
    require(fault, store_text_is_valid(submission->author), "author", no_text);
    require(fault, row_hash_is_sound(submission->sha256), "sha256", "not a SHA-256 in hex");
    require(fault, in_range(submission->state, STORE_RECEIVED, STORE_REFUSED), "state",
            out_of_range);
    require(fault, in_range(submission->received_us, 0, moment_max_us), "received_us",
            out_of_range);
    require(fault, in_range(submission->building_us, 0, moment_max_us), "building_us",
            out_of_range);
    require(fault, in_range(submission->checking_us, 0, moment_max_us), "checking_us",
            out_of_range);
    require(fault, in_range(submission->ended_us, 0, moment_max_us), "ended_us", out_of_range);
    require(fault, in_range(submission->bot_id, 0, id_max), "bot", out_of_range);
    require(fault, (submission->bot_id > 0) == (submission->state == STORE_ADMITTED), "bot",
            "of another state");
    require(fault, (submission->report != NULL) == ended, "report", "of another state");
    require(fault,
            !submission->report ||
                strnlen(submission->report, STORE_REPORT_BYTES_MAX + 1) <= STORE_REPORT_BYTES_MAX,
            "report", "too long");
    return !fault->column;
}

static bool player_counts_are_sound(const struct store_season *season)
{
    if (!in_range(season->player_count_count, 1, GAME_PLAYERS_MAX - GAME_PLAYERS_MIN + 1))
        return false;
    for (int i = 0; i < season->player_count_count; i++)
        if (!in_range(season->player_counts[i], GAME_PLAYERS_MIN, GAME_PLAYERS_MAX) ||
            (i > 0 && season->player_counts[i] <= season->player_counts[i - 1]))
            return false;
    return true;
}

bool row_season_is_sound(const struct store_season *season, struct row_fault *fault)
{
    const struct wire_clock *clock = &season->clock;

    name_row(fault, "season", "id %lld", (long long)season->id);
    require(fault, in_range(season->id, 0, id_max), "id", out_of_range);
    require(fault, store_name_is_valid(season->name), "name",
            "not 1 to 32 characters from a-z, 0-9, - and _");
    require(fault, player_counts_are_sound(season), "players", "not an ascending list of 2 to 4");
    require(fault, in_range(season->board, STORE_BOARD_COLORED, STORE_BOARD_BOTH), "board",
            out_of_range);
    require(fault, in_range(clock->turn_ms, 0, INT32_MAX), "turn_ms", out_of_range);
    require(fault, in_range(clock->bank_ms, 0, INT32_MAX), "bank_ms", out_of_range);
    require(fault, in_range(clock->gain_ms, 0, INT32_MAX), "gain_ms", out_of_range);
    require(fault, in_range(clock->start_ms, 0, INT32_MAX), "start_ms", out_of_range);
    require(fault, in_range(season->budget_games, 0, STORE_BUDGET_GAMES_MAX), "budget_games",
            out_of_range);
    require(fault, in_range(season->keep_games, 0, STORE_KEEP_MAX), "keep_games", out_of_range);
    require(fault, in_range(season->created_us, 0, moment_max_us), "created_us", out_of_range);
    require(fault, in_range(season->closed_us, 0, moment_max_us), "closed_us", out_of_range);
    require(fault, in_range(season->closing_us, 0, moment_max_us), "closing_us", out_of_range);
    require_play(fault, &season->play);
    require(fault, !*season->processor || store_text_is_valid(season->processor), "processor",
            no_text);
    return !fault->column;
}

bool row_opening_is_sound(const struct store_opening *opening, struct row_fault *fault)
{
    name_row(fault, "opening", "number %d", opening->number);
    require(fault, in_range(opening->number, 0, NUMBER_MAX), "number", out_of_range);
    require(fault, row_hash_is_sound(opening->commitment), "commitment", "not a SHA-256 in hex");
    require(fault, in_range(opening->opened_us, 0, moment_max_us), "opened_us", out_of_range);
    require(fault, in_range(opening->closed_us, 0, moment_max_us), "closed_us", out_of_range);
    return !fault->column;
}

bool row_entry_is_sound(const struct store_entry *entry, struct row_fault *fault)
{
    name_row(fault, "entry", "number %d", entry->number);
    require(fault, in_range(entry->number, 0, ENTRY_MAX), "number", out_of_range);
    require(fault, in_range(entry->bot_id, 1, id_max), "bot", out_of_range);
    require(fault, in_range(entry->batch, 0, NUMBER_MAX), "batch", out_of_range);
    return !fault->column;
}

bool row_batch_is_sound(const struct store_batch *batch, struct row_fault *fault)
{
    name_row(fault, "batch", "number %d", batch->number);
    require(fault, in_range(batch->number, 0, NUMBER_MAX), "number", out_of_range);
    require(fault, in_range(batch->opening, 0, NUMBER_MAX), "opening", out_of_range);
    require(fault, batch->event >= 0, "event", out_of_range);
    require(fault, batch->seating < 1u << (GAME_PLAYERS_MAX + 1), "seating", out_of_range);
    return !fault->column;
}

bool row_event_is_sound(const struct store_event *event, struct row_fault *fault)
{
    name_row(fault, "event", "id %lld", (long long)event->id);
    require(fault, event->id > 0, "id", out_of_range);
    require(fault, in_range(event->time_us, 0, moment_max_us), "time_us", out_of_range);
    require(fault, event->season_id >= 0, "season", out_of_range);
    require(fault, store_name_is_valid(event->what), "what", "not a word");
    return !fault->column;
}

bool row_worker_is_sound(const struct store_worker *worker, struct row_fault *fault)
{
    name_row(fault, "worker", "id %lld", (long long)worker->id);
    require(fault, in_range(worker->id, 0, id_max), "id", out_of_range);
    require(fault, store_text_is_valid(worker->name), "name", no_text);
    require(fault, store_text_is_valid(worker->host), "host", no_text);
    require(fault, store_text_is_valid(worker->processor), "processor", no_text);
    require(fault, store_text_is_valid(worker->architecture), "architecture", no_text);
    require(fault, in_range(worker->tier, 0, TIER_MAX), "tier", out_of_range);
    require(fault, in_range(worker->job_count, 1, NUMBER_MAX), "jobs", out_of_range);
    require(fault, in_range(worker->core_count, 1, NUMBER_MAX), "cores", out_of_range);
    require(fault, in_range(worker->playouts_s, 0, id_max), "playouts_s", out_of_range);
    require(fault, in_range(worker->started_us, 0, moment_max_us), "started_us", out_of_range);
    require(fault, in_range(worker->seen_us, 0, moment_max_us), "seen_us", out_of_range);
    require(fault, in_range(worker->ended_us, 0, moment_max_us), "ended_us", out_of_range);
    require(fault, in_range(worker->game_count, 0, id_max), "games", out_of_range);
    require(fault, in_range(worker->delay_us, 0, moment_max_us), "delay_us", out_of_range);
    return !fault->column;
}

static bool base_is_sound(const struct store_group *group)
{
    for (int i = 0; i < group->player_count; i++) {
        if (!in_range(group->base[i], 0, ENTRY_MAX))
            return false;
        for (int j = 0; j < i; j++)
            if (group->base[i] == group->base[j])
                return false;
    }
    return true;
}

bool row_group_is_sound(const struct store_group *group, struct row_fault *fault)
{
    name_row(fault, "game_group", "number %d", group->number);
    require(fault, in_range(group->number, 0, NUMBER_MAX), "number", out_of_range);
    require(fault, in_range(group->batch, 0, group->number), "batch", out_of_range);
    require(fault, in_range(group->opening, 0, NUMBER_MAX), "opening", out_of_range);
    require(fault, in_range(group->board, BOARD_COLORED, BOARD_GRAY), "board", out_of_range);
    if (require(fault, in_range(group->player_count, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX), "players",
                out_of_range))
        require(fault, base_is_sound(group), "base0", "not different entries, one a player");
    return !fault->column;
}

static bool seat_is_sound(const struct store_game *game, int number, struct row_fault *fault)
{
    const struct store_seat *seat = &game->seats[number];

    fault->table = "seat";
    require(fault, in_range(seat->entry, 0, ENTRY_MAX), "entry", out_of_range);
    require(fault, in_range(seat->score, -SCORE_MAX, SCORE_MAX), "score", out_of_range);
    require(fault, in_range(seat->rank, 1, game->player_count), "rank", out_of_range);
    require(fault, in_range((int)seat->reason, 0, WIRE_REASON_COUNT - 1), "reason", out_of_range);
    require(fault, in_range(seat->decision_count, 0, GAME_DECISIONS_MAX), "decisions",
            out_of_range);
    require(fault, in_range(seat->us, 0, seat_us_max), "us", out_of_range);
    require(fault, in_range(seat->us_max, 0, seat_us_max), "us_max", out_of_range);
    require(fault, seat->times_bytes <= STORE_TIMES_BYTES_MAX, "times", "too long");
    if (!fault->column)
        fault->table = "game";
    else
        snprintf(fault->row, sizeof fault->row, "group %d, rotation %d, seat %d", game->group,
                 game->rotation, number);
    return !fault->column;
}

/*
 * Adds the game's key to its fault, if it has one; most rows have none. Returns true if it has
 * none.
 */
static bool name_game(const struct store_game *game, struct row_fault *fault)
{
    if (fault->column && !*fault->row)
        snprintf(fault->row, sizeof fault->row, "group %d, rotation %d", game->group,
                 game->rotation);
    return !fault->column;
}

bool row_result_is_sound(const struct store_game *game, struct row_fault *fault)
{
    *fault = (struct row_fault){.table = "game"};
    require(fault, in_range(game->group, 0, NUMBER_MAX), "game_group", out_of_range);
    require(fault, in_range(game->player_count, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX), "rotation",
            "a game without its 2 to 4 seats");
    require(fault, in_range(game->rotation, 0, game->player_count - 1), "rotation", out_of_range);
    for (int seat = 0; !fault->column && seat < game->player_count; seat++)
        seat_is_sound(game, seat, fault);
    return name_game(game, fault);
}

bool row_game_is_sound(const struct store_game *game, struct row_fault *fault)
{
    if (!row_result_is_sound(game, fault))
        return false;
    require(fault, in_range(game->opening, 0, NUMBER_MAX), "opening", out_of_range);
    require_play(fault, &game->play);
    require(fault, in_range(game->worker_id, 0, id_max), "worker", out_of_range);
    require(fault, in_range(game->delay_us, 0, moment_max_us), "delay_us", out_of_range);
    require(fault, in_range(game->started_us, 0, moment_max_us), "started_us", out_of_range);
    require(fault, in_range(game->wall_us, 0, moment_max_us), "wall_us", out_of_range);
    require(fault, in_range(game->decision_count, 0, GAME_DECISIONS_MAX), "decisions",
            out_of_range);
    require(fault,
            !game->forfeits ||
                strnlen(game->forfeits, STORE_FORFEITS_BYTES_MAX + 1) <= STORE_FORFEITS_BYTES_MAX,
            "forfeits", "too long");
    return name_game(game, fault);
}
