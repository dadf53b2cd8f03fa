/* SPDX-License-Identifier: MIT */
#include "arena/report/explain.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/clock.h"
#include "arena/base/plain_text.h"
#include "arena/replay/replay.h"
#include "arena/season/ladder.h"

/* ---- the verdict ---- */

static bool is_large(int64_t part_us, int64_t whole_us)
{
    return 100 * part_us > EXPLAIN_SHARE * whole_us;
}

static enum explain_verdict judge_late(const struct explain_seat *seat)
{
    if (seat->late_cpu_us < 0 || seat->limit_us < 0)
        return EXPLAIN_LATE;
    if (!is_large(seat->limit_us - seat->late_cpu_us, seat->limit_us))
        return EXPLAIN_COMPUTED;
    if (seat->waited_us < 0)
        return EXPLAIN_LATE;
    /* The arena may have given the bot more than its limit, because it waited. */
    if (is_large(seat->limit_us - (seat->late_wall_us - seat->waited_us), seat->limit_us))
        return EXPLAIN_STARVED;
    if (2 * seat->late_cpu_us >= seat->late_wall_us - seat->waited_us)
        return EXPLAIN_COMPUTED;
    /* What holds up a start in the kernel is seen only if it lasts from one look to the next. */
    return seat->reason == WIRE_START ? EXPLAIN_BEGAN_LATE : EXPLAIN_SLEPT;
}

enum explain_verdict explain_judge(const struct explain_seat *seat)
{
    if (seat->is_late)
        return judge_late(seat);
    if (seat->reason != WIRE_PLAYED)
        return EXPLAIN_OWN;
    if (seat->waited_us < 0)
        return seat->cpu_us >= 0 && !is_large(seat->us - seat->cpu_us, seat->us) ? EXPLAIN_HAD_TIME
                                                                                 : EXPLAIN_STAYED;
    if (!is_large(seat->waited_us, seat->us + seat->waited_us))
        return EXPLAIN_HAD_TIME;
    return seat->used_percent >= 0 && seat->used_percent < EXPLAIN_HURRIED ? EXPLAIN_UNHURRIED
                                                                           : EXPLAIN_SLOWED;
}

/*
 * What each verdict means: whether the complaint is proved or refuted, and what the record cannot
 * show.
 */
static const char *const verdicts[] = {
    [EXPLAIN_HAD_TIME] =
        "refuted: the bot answered every request in time and had a processor whenever it wanted "
        "one. Its rank is what its decisions were worth. The record cannot show whether the "
        "processor itself was slower than usual",
    [EXPLAIN_SLOWED] =
        "proved in part: no decision was lost, but other programs kept the bot from a processor "
        "for a part of its time, so a bot that thinks for as long as its clock allows thought less "
        "than on a quiet machine. The record cannot show whether it would have decided otherwise",
    [EXPLAIN_UNHURRIED] =
        "not shown: other programs kept the bot from a processor for a part of its time, but no "
        "decision came near its limit. A bot that thinks until its clock tells it to stop would "
        "have come near; of any other the record cannot show that more time had helped",
    [EXPLAIN_STAYED] =
        "neither proved nor refuted: no decision was lost, but the record does not say how much of "
        "its time the bot waited for a processor",
    [EXPLAIN_COMPUTED] =
        "refuted: the bot computed for most of the time that it was given and was not done. On a "
        "faster processor it might have been: the limit is the same for all bots",
    [EXPLAIN_SLEPT] =
        "refuted: at the deadline the bot had neither computed for long nor waited for a "
        "processor: it slept, as a bot does that waits for input or does not flush its output",
    [EXPLAIN_BEGAN_LATE] =
        "neither proved nor refuted: the bot was not ready in time, and had neither computed for "
        "long nor waited for a processor. It slept, or the machine held up the start of its "
        "program: the record does not tell these apart. The arena plays such a game of a season "
        "once more, so the bot was late twice",
    [EXPLAIN_STARVED] =
        "proved: other programs kept the bot from a processor, so that it did not have its time "
        "when the arena gave it up. The record cannot show whether it would have answered",
    [EXPLAIN_LATE] = "neither proved nor refuted: the record does not say how the bot spent the "
                     "time of the request that it missed",
    [EXPLAIN_OWN] = "refuted: the bot is out for what it did, which no load of the machine causes",
};

/* ---- what the record says ---- */

struct telling {
    FILE *text;
    const struct season *season;
    const struct store_game *game;
    struct replay replay;
    bool has_replay;
    json_t *machine; /* NULL: the store has no record of it */
};

static int64_t number_of(const json_t *value)
{
    return json_is_integer(value) ? json_integer_value(value) : -1;
}

static int64_t of_seat(const struct telling *telling, const char *key, int seat)
{
    return number_of(json_array_get(json_object_get(telling->machine, key), (size_t)seat));
}

static void tell_game(const struct telling *telling)
{
    const struct store_game *game = telling->game;
    const struct wire_clock *clock = &telling->season->terms.clock;
    char id[STORE_GAME_ID_BYTES], when[CLOCK_TIME_BYTES];

    store_game_id(id, telling->season->terms.name, game->group, game->rotation);
    clock_write_time(game->started_us, when);
    plain_text_printf(telling->text,
                      "%s: %d players, %d decisions in %.1f s from %s\n"
                      "limits: %lld ms a turn, a bank of %lld ms and %lld ms a turn into it, %lld "
                      "ms to start, %lld MiB\n",
                      id, game->player_count, game->decision_count, (double)game->wall_us / 1e6,
                      when, (long long)clock->turn_ms, (long long)clock->bank_ms,
                      (long long)clock->gain_ms, (long long)clock->start_ms,
                      (long long)game->play.memory_bytes >> 20);
    plain_text_printf(telling->text, "while a bot decides, %s; %s\n",
                      game->play.freeze ? "all others of the game are stopped"
                                        : "the others run on",
                      game->play.pin ? "each game has a core of its own"
                                     : "games and other programs share the cores");
}

static void tell_machine(const struct telling *telling)
{
    const int64_t pressed_us = number_of(json_object_get(telling->machine, "pressed_us"));
    const json_t *load = json_object_get(telling->machine, "load");
    const int64_t games = number_of(json_object_get(telling->machine, "games"));
    const int64_t wall_us = telling->game->wall_us;

    if (!telling->machine) {
        plain_text_printf(telling->text, "machine: not recorded%s\n",
                          telling->game->worker_id ? ": a worker played the game" : "");
        return;
    }
    plain_text_printf(telling->text,
                      "machine: %lld cores; %lld game%s of the arena ran when it "
                      "began",
                      (long long)number_of(json_object_get(telling->machine, "cores")),
                      (long long)games, plain_text_s(games));
    if (json_is_number(load))
        plain_text_printf(telling->text,
                          "; load %.2f, the mean of a minute, when it ended (a load above the "
                          "number of cores means waiting)",
                          json_number_value(load));
    if (pressed_us >= 0 && wall_us > 0)
        plain_text_printf(telling->text,
                          "; in %.0f %% of the game's time some program of the machine waited for "
                          "a processor",
                          100.0 * (double)(pressed_us < wall_us ? pressed_us : wall_us) /
                              (double)wall_us);
    fputc('\n', telling->text);
}

/* Returns the decision of the seat that was charged most, or NULL. */
static const struct replay_decision *find_slowest(const struct telling *telling, int seat)
{
    const struct replay_decision *slowest = NULL;

    for (size_t i = 0; telling->has_replay && i < telling->replay.decision_count; i++) {
        const struct replay_decision *decision = &telling->replay.decisions[i];

        if (decision->seat == seat && !decision->by_arena &&
            (!slowest || decision->us > slowest->us))
            slowest = decision;
    }
    return slowest;
}

/* Reads what the record says of a seat. */
static struct explain_seat read_seat(const struct telling *telling, int seat)
{
    const struct store_seat *at = &telling->game->seats[seat];
    const struct forfeit *forfeit = telling->has_replay ? telling->replay.forfeits[seat] : NULL;
    struct explain_seat of = {.reason = at->reason,
                              .us = at->us,
                              .cpu_us = of_seat(telling, "cpu_us", seat),
                              .waited_us = of_seat(telling, "waited_us", seat),
                              .used_percent = -1,
                              .limit_us = -1,
                              .late_cpu_us = -1,
                              .late_wall_us = -1};
    const struct replay_decision *slowest = find_slowest(telling, seat);
    const int64_t turn_ms = telling->season->terms.clock.turn_ms;

    if (slowest && turn_ms > 0)
        of.used_percent = (int)(slowest->us / (10 * turn_ms));

    if (forfeit && (at->reason == WIRE_TIMEOUT || at->reason == WIRE_START) &&
        forfeit->limit_us >= 0 && forfeit->wall_us >= forfeit->limit_us) {
        of.is_late = true;
        of.limit_us = forfeit->limit_us;
        of.late_cpu_us = forfeit->cpu_us;
        of.late_wall_us = forfeit->wall_us;
    }
    if (telling->has_replay && !telling->machine) {
        of.cpu_us = 0;
        for (size_t i = 0; i < telling->replay.decision_count; i++)
            if (telling->replay.decisions[i].seat == seat)
                of.cpu_us += telling->replay.decisions[i].cpu_us;
    }
    return of;
}

/* Writes the longest decision of the seat, and how long the arena let answers wait. */
static void tell_decisions(const struct telling *telling, int seat, const struct explain_seat *of)
{
    const struct replay_decision *slowest = find_slowest(telling, seat);
    const int64_t idle_us = of->us - of->cpu_us - (of->waited_us > 0 ? of->waited_us : 0);
    int64_t delay_us = 0;
    int count = 0;

    for (size_t i = 0; telling->has_replay && i < telling->replay.decision_count; i++) {
        const struct replay_decision *decision = &telling->replay.decisions[i];

        if (decision->seat != seat || decision->by_arena)
            continue;
        count++;
        delay_us += decision->delay_us;
    }
    plain_text_printf(telling->text, "  charged %.1f ms in all", (double)of->us / 1e3);
    if (telling->has_replay)
        plain_text_printf(telling->text, " for %d decision%s", count, plain_text_s(count));
    if (slowest)
        plain_text_printf(telling->text, ", the longest %.1f ms (computed %.1f ms), decision %zu",
                          (double)slowest->us / 1e3, (double)slowest->cpu_us / 1e3,
                          (size_t)(slowest - telling->replay.decisions));
    if (slowest && of->used_percent >= 0)
        plain_text_printf(telling->text, ": %d %% of its time for a turn", of->used_percent);
    fputc('\n', telling->text);
    if (of->cpu_us >= 0)
        plain_text_printf(telling->text, "  computed %.1f ms of that\n", (double)of->cpu_us / 1e3);
    if (!of->is_late && of->waited_us >= 0)
        plain_text_printf(telling->text, "  waited %.1f ms for a processor, its start included\n",
                          (double)of->waited_us / 1e3);
    if (of->cpu_us >= 0 && of->waited_us >= 0 && idle_us > 0)
        plain_text_printf(telling->text,
                          "  slept, or waited for anything else, for at least %.1f ms: a bot that "
                          "asks for nothing still waits to be woken at each turn\n",
                          (double)idle_us / 1e3);
    if (telling->has_replay)
        plain_text_printf(telling->text, "  the arena held it up for %.1f ms, not charged\n",
                          (double)delay_us / 1e3);
    else
        plain_text_printf(telling->text,
                          "  the replay was pruned: single decisions are not known\n");
}

static void tell_late(const struct telling *telling, const struct explain_seat *of)
{
    plain_text_printf(telling->text,
                      "  in the request that it missed: limit %.1f ms, given up after %.1f ms",
                      (double)of->limit_us / 1e3, (double)of->late_wall_us / 1e3);
    if (of->late_cpu_us >= 0)
        plain_text_printf(telling->text, ", computed %.1f ms", (double)of->late_cpu_us / 1e3);
    if (of->waited_us >= 0)
        plain_text_printf(telling->text, ", waited %.1f ms for a processor",
                          (double)of->waited_us / 1e3);
    fputc('\n', telling->text);
}

static void tell_seat(const struct telling *telling, int seat)
{
    const struct store_seat *at = &telling->game->seats[seat];
    const struct store_bot *bot = &telling->season->roster.members[at->entry].bot;
    const struct forfeit *forfeit = telling->has_replay ? telling->replay.forfeits[seat] : NULL;
    const struct explain_seat of = read_seat(telling, seat);

    plain_text_printf(telling->text, "seat %d: %s %s by %s: rank %d, %d points, %s\n", seat,
                      bot->name, bot->version, bot->author, at->rank, at->score,
                      wire_reason_name(at->reason));
    tell_decisions(telling, seat, &of);
    if (forfeit)
        plain_text_printf(telling->text, "  out: %s\n", forfeit->words);
    if (of.is_late)
        tell_late(telling, &of);
    plain_text_printf(telling->text, "  treated unfairly: %s.\n", verdicts[explain_judge(&of)]);
}

int explain_game(FILE *text, struct store *store, const struct season *season,
                 const struct store_game *game, int seat)
{
    struct telling telling = {.text = text, .season = season, .game = game};
    char words[REPLAY_ERROR_BYTES];
    uint8_t *bytes = NULL;
    size_t size;
    int error =
        store_replay_read(store, season->terms.id, game->group, game->rotation, &bytes, &size);

    if (error && error != -ENODATA)
        return error;
    if (!error && replay_unpack(&telling.replay, bytes, size, words) < 0) {
        free(bytes);
        return store_game_damaged(store, game, "replay", words);
    }
    telling.has_replay = !error;
    telling.machine = game->machine ? json_loads(game->machine, 0, NULL) : NULL;
    tell_game(&telling);
    tell_machine(&telling);
    for (int i = 0; i < game->player_count; i++)
        if (seat < 0 || seat == i)
            tell_seat(&telling, i);
    if (!roster_counts(&season->roster, game))
        fputs("The game does not count: the organizer voided the games of one of its bots.\n",
              text);
    json_decref(telling.machine);
    replay_finish(&telling.replay);
    free(bytes);
    return 0;
}
