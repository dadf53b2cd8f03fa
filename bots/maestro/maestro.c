/* SPDX-License-Identifier: MIT */
/*
 * The bot maestro: searches drafts to the end of the round if time allows, plans its placements,
 * and estimates later points with learned weights. With two players it spends the remaining time on
 * rollouts of the best drafts. It has one thread, which reads the clock at least every tenth of a
 * millisecond during a search, and between two plans.
 */
#include <time.h>

#include "bots/maestro/pacing.h"
#include "bots/search/mind.h"
#include "sdk/sdk.h"

enum {
    WARM_UP_DECISIONS = 16, /* number of decisions (drafts and placements) that warm_up makes */
    WARM_UP_US = 200,       /* thinking time of each warm-up decision */
    REST_US = 10000,
};

struct maestro {
    struct mind mind;
    struct pacing pacing;
    struct game asked;   /* the game at the bot's last decision */
    bool has_asked;      /* `asked` is set in this match */
    int64_t deadline_us; /* time (sdk_now_us) at which thinking must end */
    int64_t looked_us;   /* time (sdk_now_us) of the last reading of the clock */
    int64_t stall_us;    /* longest time between two readings of the clock */
};

/* Returns the processor time that this process has used, in microseconds. */
static int64_t used_us(void)
{
    struct timespec used;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

static bool is_enough(void *context)
{
    struct maestro *maestro = context;
    int64_t now_us = sdk_now_us();

    if (now_us - maestro->looked_us > maestro->stall_us)
        maestro->stall_us = now_us - maestro->looked_us;
    maestro->looked_us = now_us;
    return now_us >= maestro->deadline_us;
}

/*
 * Makes some decisions in a private game, so that the kernel maps the memory that decisions use;
 * then sleeps, because the scheduler delays a process that has just run for long. Without the
 * warm-up, the bot would lose time in its first turn.
 */
static void warm_up(struct maestro *maestro, const struct wire_hello *hello)
{
    const struct timespec rest = {.tv_nsec = REST_US * 1000};
    const uint8_t seed[GAME_SEED_BYTES] = {1};
    struct game game;

    game_init(&game, hello->player_count, hello->board, seed);
    for (int decisions = 0; decisions < WARM_UP_DECISIONS; decisions++) {
        maestro->deadline_us = sdk_now_us() + WARM_UP_US;
        game_play(&game, mind_choose(&maestro->mind, &game, WARM_UP_US, is_enough, maestro));
    }
    nanosleep(&rest, NULL);
}

static void begin(void *self, const struct wire_hello *hello)
{
    struct maestro *maestro = self;

    mind_begin(&maestro->mind, hello->player_count, hello->board);
    warm_up(maestro, hello);
    maestro->has_asked = false;
}

/*
 * Replays the other seats' drafts since the bot's last decision, to learn whether these seats are
 * predictable. This is possible because a draft phase contains no random draws.
 */
static void watch(struct maestro *maestro, const struct sdk_turn *turn)
{
    struct game *game = &maestro->asked;

    for (size_t i = 0; i < turn->event_count && maestro->has_asked; i++) {
        const struct wire_event *event = &turn->events[i];
        struct game before = *game;

        if (game_phase(game) != PHASE_DRAFT || event->seat != game_turn(game) ||
            !game_apply(game, event->action))
            break;
        if (event->seat != turn->hello->seat)
            mind_watch(&maestro->mind, &before, event->action);
    }
    maestro->asked = *turn->game;
    maestro->has_asked = true;
}

static bool is_used_up(void *context)
{
    const struct maestro *maestro = context;

    return used_us() >= maestro->deadline_us;
}

static int32_t centipoints(int32_t worth)
{
    return (int32_t)((int64_t)worth * 100 / VALUE_POINT);
}

/*
 * Analyses a decision of a finished match: half of the turn's time goes to the best action, half to
 * the action that was played. The bot measures processor time, so that a busy machine does not
 * change the analysis.
 */
static struct action analyse(struct maestro *maestro, const struct sdk_turn *turn)
{
    int64_t half_us = turn->hello->clock.turn_ms * 500;
    int32_t worths[2];
    struct action best;

    maestro->deadline_us = used_us() + half_us;
    best = mind_choose(&maestro->mind, turn->game, MIND_ROLLOUT_US - 1, is_used_up, maestro);
    maestro->deadline_us = used_us() + half_us;
    mind_compare(&maestro->mind, turn->game, best, *turn->played, worths);
    sdk_expect(turn, centipoints(worths[0]), centipoints(worths[1]));
    return best;
}

static struct action play(void *self, const struct sdk_turn *turn)
{
    struct maestro *maestro = self;
    const struct search *search = &maestro->mind.search;
    int64_t used_before_us = used_us();
    int64_t think_us = pacing_think_us(&maestro->pacing, &turn->hello->clock, turn->bank_ms);
    struct action action;

    if (turn->played)
        return analyse(maestro, turn);
    watch(maestro, turn);
    maestro->looked_us = turn->received_us;
    maestro->deadline_us = turn->received_us + think_us;
    maestro->stall_us = 0;
    action = mind_choose(&maestro->mind, turn->game, think_us, is_enough, maestro);
    is_enough(maestro); /* reads the clock, because the first plan did not */
    pacing_learn(&maestro->pacing, sdk_now_us() - turn->received_us, used_us() - used_before_us,
                 maestro->stall_us);
    if (game_phase(turn->game) == PHASE_DRAFT)
        sdk_note(turn, "%+.1f points, depth %d%s, %ld leaves, %d rollouts",
                 (double)maestro->mind.worth / VALUE_POINT, search->depth,
                 search->is_exact ? " (all)" : "", search->leaf_count, maestro->mind.rollout.count);
    else
        sdk_note(turn, "plan: %.1f points", (double)maestro->mind.worth / VALUE_POINT);
    return action;
}

int main(void)
{
    static struct maestro maestro;

    mind_init(&maestro.mind);
    return sdk_run(
        &(struct sdk_bot){.name = "maestro", .version = "1", .hello_fn = begin, .play_fn = play},
        &maestro);
}
