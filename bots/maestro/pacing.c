#include "bots/maestro/pacing.h"

enum {
    RESERVE_US = 25000,    /* time kept in reserve in case another process gets the core */
    USE_PERCENT = 85,      /* share of the remaining time, after the reserve, that the bot uses */
    BANK_FLOOR_US = 15000, /* part of the bank that the bot never uses */
    BANK_DECISIONS = 50,   /* number of decisions among which the bot divides the bank */
    LEARN_FROM = 20,       /* approximate number of recent decisions whose times the bot averages */
    STALL_US = 2000,       /* shortest time without the core that counts as a stall */
    SURE_US = 100000,      /* assumed longest stall */
    WARY_US = 300,   /* initial limit of thinking time, before the bot has measured the machine */
    CALM_SHARE = 10, /* divisor: the limit grows by 1/10 of the thinking time without stalls */
    SHORTEST_US = 20000, /* shortest decision that counts as a measurement */
    TURN_US_MAX =
        1000000000, /* largest turn time in calculations, so that its square fits int64_t */
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

    /* Use all turn time, because unused turn time is lost; divide the bank among decisions. */
    turn_us += at_most(bank_us / BANK_DECISIONS + at_most(gain_us, bank_us / 2), TURN_US_MAX);
    think_us = turn_us * turn_us / (turn_us + reserve_us) * USE_PERCENT / 100;
    think_us = think_us * (1000 - pacing->lost_permille / 2) / 1000;
    /*
     * An untested machine may be overloaded, so thinking time is limited. The limit grows with
     * time without stalls; a bank that can pay for a stall raises the limit too.
     */
    most_us = at_least(turn_us + bank_us - SURE_US, WARY_US + pacing->calm_us / CALM_SHARE);
    return at_most(think_us, most_us);
}

void pacing_learn(struct pacing *pacing, int64_t wall_us, int64_t processor_us, int64_t stall_us)
{
    int64_t lost_us = at_least(wall_us - processor_us, 0);

    stall_us =
        at_most(stall_us, lost_us); /* a stall cannot be longer than the time without the core */
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
