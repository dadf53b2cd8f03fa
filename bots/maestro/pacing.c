/* SPDX-License-Identifier: MIT */
#include "bots/maestro/pacing.h"

enum {
    RESERVE_US = 25000,    /* time that the bot never uses, in case another process gets the core */
    USE_PERCENT = 85,      /* share of the time that the bot uses, after the reserve */
    BANK_FLOOR_US = 15000, /* part of the bank that the bot never uses */
    BANK_DECISIONS = 50,   /* the bot divides the bank among so many decisions */
    LEARN_FROM = 20,     /* number of recent decisions over which the bot averages, approximately */
    STALL_US = 2000,     /* shortest time without the core that counts as a stall */
    SURE_US = 100000,    /* assumed longest stall */
    WARY_US = 300,       /* limit of thinking time before the bot has measured the machine */
    CALM_SHARE = 10,     /* divisor: the limit grows by 1/10 of the thinking time without a stall */
    SHORTEST_US = 20000, /* shortest decision that counts as a measurement */
    TURN_US_MAX = 1000000000, /* largest turn time, so that its square fits int64_t */
};

static int64_t at_least(int64_t number, int64_t limit)
{
    return number > limit ? number : limit;
}

static int64_t at_most(int64_t number, int64_t limit)
{
    return number < limit ? number : limit;
}

int64_t pacing_think_us(const struct pacing *pacing, const struct wire_clock *clock,
                        int64_t bank_ms)
{
    int64_t bank_us = at_least(1000 * bank_ms - BANK_FLOOR_US, 0);
    int64_t turn_us = at_most(1000 * clock->turn_ms, TURN_US_MAX), gain_us = 1000 * clock->gain_ms,
            think_us;
    int64_t reserve_us = at_least(RESERVE_US, 3 * pacing->stall_us), most_us;

    /* Uses all of the turn's time, which would otherwise be lost, and a share of the bank. */
    turn_us += at_most(bank_us / BANK_DECISIONS + at_most(gain_us, bank_us / 2), TURN_US_MAX);
    think_us = turn_us * turn_us / (turn_us + reserve_us) * USE_PERCENT / 100;
    think_us = think_us * (1000 - pacing->lost_permille / 2) / 1000;
    /*
     * Limits thinking time, because an untested machine may be overloaded. The limit grows with the
     * time without stalls, and with a bank that can pay for a stall.
     */
    most_us = at_least(turn_us + bank_us - SURE_US, WARY_US + pacing->calm_us / CALM_SHARE);
    return at_most(think_us, most_us);
}

void pacing_learn(struct pacing *pacing, int64_t wall_us, int64_t processor_us, int64_t stall_us)
{
    int64_t lost_us = at_least(wall_us - processor_us, 0);

    /* A stall cannot be longer than the time without the core. */
    stall_us = at_most(stall_us, lost_us);
    if (wall_us > 0 && (wall_us >= SHORTEST_US || lost_us > wall_us / 2)) {
        int lost_permille = (int)(1000 * lost_us / wall_us);

        pacing->lost_permille += (lost_permille - pacing->lost_permille) / (LEARN_FROM / 4);
    }
    pacing->calm_us = stall_us >= STALL_US ? 0 : pacing->calm_us + processor_us;
    if (stall_us > pacing->stall_us)
        pacing->stall_us = stall_us;
    else
        pacing->stall_us -= (pacing->stall_us - stall_us) / LEARN_FROM;
}
