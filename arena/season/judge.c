/* SPDX-License-Identifier: MIT */
#include "arena/season/judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/clock.h"

/* A busy arena may read an answer up to this long after the bot's time is over. */
static const int64_t late_answer_us = 2000000;
/* By so much a game may seem longer than its worker held the group: the store's clock may be set.
 */
static const int64_t clock_step_us = 10000000;
/* Processor time that a bot may have used beyond the game's time, per core: clocks tick. */
static const int64_t tick_us = 1000000;
/* Largest time allowed for a decision or a game: 11 days. */
static const int64_t time_max_us = INT64_C(1000000000000);

struct judging {
    const struct season *season;
    const struct season_game *game;
    const struct store_delivery *delivery;
    const struct replay *replay;
    char *words;
    bool is_refused;
};

/*
 * Writes the first fault to words; ignores later faults, which may follow from the first. Returns
 * false.
 */
__attribute__((format(printf, 2, 3))) static bool refuse(struct judging *judging,
                                                         const char *format, ...)
{
    va_list arguments;

    if (judging->is_refused)
        return false;
    judging->is_refused = true;
    va_start(arguments, format);
    vsnprintf(judging->words, JUDGE_WORDS_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- the terms ---- */

static bool is_bot(const struct replay_bot *bot, const struct store_bot *expected)
{
    return strcmp(bot->name, expected->name) == 0 && strcmp(bot->version, expected->version) == 0 &&
           strcmp(bot->sha256, expected->sha256) == 0;
}

static bool bots_fit(struct judging *judging)
{
    for (int seat = 0; seat < judging->game->player_count; seat++) {
        const struct replay_bot *bot = &judging->replay->bots[seat];
        const struct store_bot *expected =
            &judging->season->roster.members[judging->game->entries[seat]].bot;

        if (!is_bot(bot, expected))
            return refuse(
                judging,
                "seat %d was played by bot %s@%s, but the season gives the seat to bot %s@%s", seat,
                bot->name, bot->version, expected->name, expected->version);
    }
    return true;
}

static bool terms_fit(struct judging *judging)
{
    const struct season_game *game = judging->game;
    const struct replay *replay = judging->replay;
    const struct store_season *season = &judging->season->terms;
    const struct match_terms *terms = &replay->terms;
    const struct wire_clock *clock = &terms->clock;

    if (strcmp(terms->id, game->id) != 0)
        return refuse(judging, "the replay shows match %s instead of match %s", terms->id,
                      game->id);
    if (memcmp(terms->seed, game->seed, sizeof game->seed) != 0)
        return refuse(judging, "the seed in the replay differs from the game's seed");
    if (terms->player_count != game->player_count || terms->board != game->board)
        return refuse(judging, "the replay's number of players or board differs from the game's");
    if (clock->turn_ms != season->clock.turn_ms || clock->bank_ms != season->clock.bank_ms ||
        clock->gain_ms != season->clock.gain_ms || clock->start_ms != season->clock.start_ms)
        return refuse(judging, "the replay's clock differs from the season's clock");
    if (replay->memory_bytes != season->play.memory_bytes)
        return refuse(judging,
                      "the bots' memory limit was %lld bytes, but the season sets %lld bytes",
                      (long long)replay->memory_bytes, (long long)season->play.memory_bytes);
    if (replay->names_told != season->is_practice)
        return refuse(judging, "the bots %s each other's names",
                      replay->names_told ? "were told" : "were not told");
    return bots_fit(judging);
}

/* ---- times ---- */

static bool in_range(int64_t us)
{
    return us >= 0 && us <= time_max_us;
}

/* True if the processor time, the arena's delay and each forfeit fit into the time of the game. */
static bool fits_game(struct judging *judging, int64_t wall_us)
{
    const struct replay *replay = judging->replay;
    const int core_count = judging->delivery->core_count;
    int64_t cpu_us[GAME_PLAYERS_MAX] = {0}, delay_us = 0;

    for (size_t i = 0; i < replay->decision_count; i++) {
        cpu_us[replay->decisions[i].seat] += replay->decisions[i].cpu_us; /* as sum_us below */
        delay_us += replay->decisions[i].delay_us;
    }
    if (delay_us > wall_us + tick_us)
        return refuse(judging,
                      "answers waited %lld us for the arena, but the whole game took only %lld us",
                      (long long)delay_us, (long long)wall_us);
    for (int seat = 0; seat < judging->game->player_count; seat++) {
        const struct forfeit *forfeit = replay->forfeits[seat];

        if (forfeit && forfeit->cpu_us > 0)
            cpu_us[seat] += forfeit->cpu_us;
        if ((cpu_us[seat] - 1) / core_count > wall_us + tick_us)
            return refuse(judging,
                          "the bot of seat %d used %lld us of processor time, but the game took "
                          "%lld us on %d cores",
                          seat, (long long)cpu_us[seat], (long long)wall_us, core_count);
        if (forfeit &&
            (forfeit->wall_us > wall_us + tick_us || forfeit->delay_us > wall_us + tick_us))
            return refuse(judging,
                          "the forfeit of seat %d took %lld us, of which it waited %lld us for the "
                          "arena, but the whole game took only %lld us",
                          seat, (long long)forfeit->wall_us, (long long)forfeit->delay_us,
                          (long long)wall_us);
    }
    return true;
}

static bool times_fit(struct judging *judging, int64_t now_us)
{
    const struct replay *replay = judging->replay;
    const int64_t wall_us = judging->delivery->wall_us;
    int64_t started_us = replay->started_s * 1000000, sum_us = 0;

    if (!in_range(wall_us))
        return refuse(judging, "the game took %lld us: that is negative or longer than 11 days",
                      (long long)wall_us);
    if (wall_us > judging->delivery->held_us + clock_step_us)
        return refuse(judging,
                      "the game took %lld us, but the worker delivered it %lld us after it claimed "
                      "the group",
                      (long long)wall_us, (long long)judging->delivery->held_us);
    if (started_us < judging->season->terms.created_us - CLOCK_DAY_US ||
        started_us > now_us + CLOCK_DAY_US)
        return refuse(
            judging,
            "the game began before the season was created, or more than a day in the future");
    for (size_t i = 0; i < replay->decision_count; i++) {
        const struct replay_decision *decision = &replay->decisions[i];

        if (!in_range(decision->us) || !in_range(decision->cpu_us) || !in_range(decision->delay_us))
            return refuse(judging, "the time of decision %zu is negative or longer than 11 days",
                          i);
        if (decision->by_arena && (decision->us || decision->cpu_us || decision->delay_us))
            return refuse(
                judging,
                "decision %zu has the time of a bot that thought, although the arena decided", i);
        sum_us += decision->us; /* cannot overflow: at most 512 decisions of at most 2^40 us */
    }
    if (sum_us > wall_us)
        return refuse(judging,
                      "all decisions together took %lld us, but the whole game took only %lld us",
                      (long long)sum_us, (long long)wall_us);
    return fits_game(judging, wall_us);
}

/* ---- forfeits ---- */

static bool texts_fit(const struct forfeit *forfeit)
{
    return *forfeit->words && in_range(forfeit->limit_us) && in_range(forfeit->wall_us) &&
           forfeit->cpu_us <= time_max_us && in_range(forfeit->delay_us);
}

/* True if the bot's answer is an action, but not a legal one. */
static bool answered_illegally(struct match *match, const struct forfeit *forfeit)
{
    struct wire_act act;
    struct action action;
    enum wire_reason reason;

    if (forfeit->reply_whole.bytes != forfeit->reply_bytes)
        return true; /* it may have: the replay keeps only the start and end of this answer */
    return !wire_unpack_act(forfeit->reply, forfeit->reply_bytes, &act) &&
           match_find_action(match, &act, &action, &reason) && reason == WIRE_ILLEGAL;
}

/*
 * Compares a forfeit with the position in `match`, in which the seat forfeited. Returns what the
 * record wrongly claims, as words for a message; NULL if the forfeit is possible.
 */
static const char *forfeit_fault(struct match *match, const struct forfeit *forfeit, int seat)
{
    const bool is_its_turn = forfeit->turn >= 0 && game_turn(&match->game) == seat;
    const enum wire_reason reason = forfeit->reason;

    if (reason == WIRE_START)
        return forfeit->turn < 0
                   ? NULL
                   : "the record says that the bot failed to start, but the bot had already played";
    if (reason != WIRE_TIMEOUT && reason != WIRE_ILLEGAL)
        return NULL;
    if (!is_its_turn)
        return "the record says that the bot answered late or illegally, but it was another seat's "
               "turn";
    if (reason == WIRE_ILLEGAL)
        return answered_illegally(match, forfeit)
                   ? NULL
                   : "the record says that the bot's action was illegal, but the recorded answer "
                     "has no illegal action";
    if (forfeit->limit_us != match_limit_us(match, seat))
        return "the record says that the bot was late, but under a time limit that the season's "
               "clock does not set";
    return forfeit->wall_us < forfeit->limit_us ? "the record says that the bot was late, but the "
                                                  "bot's time is within the time limit"
                                                : NULL;
}

static bool forfeits_are_complete(struct judging *judging)
{
    const struct replay *replay = judging->replay;

    for (int seat = 0; seat < judging->game->player_count; seat++) {
        const struct forfeit *forfeit = replay->forfeits[seat];
        bool has_played = replay->result.reasons[seat] == WIRE_PLAYED;

        if (has_played && forfeit)
            return refuse(judging, "seat %d played to the end, but has a forfeit record", seat);
        if (!has_played && !forfeit)
            return refuse(judging, "seat %d forfeited, but has no forfeit record", seat);
        if (forfeit && !texts_fit(forfeit))
            return refuse(
                judging,
                "seat %d: the forfeit record has no explanation, or a time that no game can have",
                seat);
    }
    return true;
}

/*
 * Checks times and forfeits. replay_verify calls this before each decision, and once after the last
 * decision with decision NULL; match has the position at that moment.
 */
static void look(void *self, struct match *match, const struct replay_decision *decision)
{
    struct judging *judging = self;
    int seat = game_turn(&match->game);

    if (decision && !decision->by_arena && decision->seat == seat &&
        decision->us > match_limit_us(match, seat) + late_answer_us)
        refuse(judging,
               "decision %zu: the bot of seat %d took %lld us, but the clock allowed %lld us",
               match->decision_count, seat, (long long)decision->us,
               (long long)match_limit_us(match, seat));
    for (int i = 0; i < match->terms.player_count; i++) {
        const struct forfeit *forfeit = judging->replay->forfeits[i];
        const char *fault = NULL;

        if (forfeit &&
            (forfeit->turn == (int64_t)match->decision_count || (forfeit->turn < 0 && !decision)))
            fault = forfeit_fault(match, forfeit, i);
        if (fault)
            refuse(judging, "forfeit of seat %d: %s", i, fault);
    }
}

/* ---- the whole delivery ---- */

/*
 * True if packing the replay gives the delivered bytes: a replay has only one valid form, so that
 * equal games are equal bytes.
 */
static bool is_packed_as_here(struct judging *judging)
{
    const struct store_delivery *delivery = judging->delivery;
    uint8_t *packed;
    size_t packed_bytes = replay_pack(judging->replay, &packed);
    bool is_equal = packed_bytes == delivery->replay_bytes &&
                    memcmp(packed, delivery->replay, packed_bytes) == 0;

    if (packed_bytes == 0) {
        judging->is_refused = true; /* no reason in `words` means that memory ran out */
        return false;
    }
    free(packed);
    return is_equal || refuse(judging, "the replay is not written as the arena itself would write "
                                       "this game, byte for byte");
}

static struct game_result *judge_replay(struct judging *judging, int64_t now_us)
{
    const struct store_delivery *delivery = judging->delivery;
    char error[REPLAY_ERROR_BYTES];
    struct game_result *result;

    if (!is_packed_as_here(judging) || !terms_fit(judging) || !forfeits_are_complete(judging) ||
        !times_fit(judging, now_us))
        return NULL;
    if (replay_verify(judging->replay, look, judging, error) < 0)
        refuse(judging, "%s", error);
    if (judging->is_refused)
        return NULL;
    result = result_of_replay(judging->game, judging->replay, delivery->replay,
                              delivery->replay_bytes, delivery->wall_us);
    if (result && result->forfeits && strlen(result->forfeits) > STORE_FORFEITS_BYTES_MAX) {
        refuse(judging, "the explanations of the game's forfeits are too long");
        result_destroy(result);
        return NULL;
    }
    return result;
}

struct game_result *judge_delivery(const struct season *season, const struct season_game *game,
                                   const struct store_delivery *delivery, int64_t now_us,
                                   char words[static JUDGE_WORDS_BYTES])
{
    struct replay unpacked;
    struct judging judging = {
        .season = season, .game = game, .delivery = delivery, .replay = &unpacked, .words = words};
    char error[REPLAY_ERROR_BYTES];
    struct game_result *result;

    *words = '\0';
    if (delivery->replay_bytes > STORE_REPLAY_BYTES_MAX) {
        refuse(&judging, "the replay is longer than %d MiB", STORE_REPLAY_BYTES_MAX >> 20);
        return NULL;
    }
    if (replay_unpack(&unpacked, delivery->replay, delivery->replay_bytes, error) < 0) {
        refuse(&judging, "the replay cannot be read: %s", error);
        return NULL;
    }
    result = judge_replay(&judging, now_us);
    replay_finish(&unpacked);
    return result;
}
