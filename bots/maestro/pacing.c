#include "bots/maestro/pacing.h"

enum {
    RESERVE_US = 25000,       /* for a long turn: another process may have the core for so long */
    USE_PERCENT = 85,         /* of what is left then */
    BANK_FLOOR_US = 15000,    /* of the bank, never thought away */
    BANK_DECISIONS = 50,      /* the bank is shared out over so many */
    LEARN_FROM = 20,          /* decisions, about, that count as lately */
    STALL_US = 2000,          /* a longer time without the core is a stall */
    SURE_US = 100000,         /* no stall lasts longer */
    WARY_US = 300,            /* to think where one might be the end, until it has been calm */
    CALM_SHARE = 10,          /* of calm time so many parts make one more of thinking */
    SHORTEST_US = 20000,      /* of decisions that tell a share: shorter ones measure nothing */
    TURN_US_MAX = 1000000000, /* of a longer turn the rest is left: its square would not fit */
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

    /* Time that nobody gives back ends with the turn; the bank is spent a share at a time. */
    turn_us += at_most(bank_us / BANK_DECISIONS + at_most(gain_us, bank_us / 2), TURN_US_MAX);
    think_us = turn_us * turn_us / (turn_us + reserve_us) * USE_PERCENT / 100;
    think_us = think_us * (1000 - pacing->lost_permille / 2) / 1000;
    /* A machine that was not tried yet may be crowded: trust comes with calm, or with a bank. */
    most_us = at_least(turn_us + bank_us - SURE_US, WARY_US + pacing->calm_us / CALM_SHARE);
    return at_most(think_us, most_us);
}

void pacing_learn(struct pacing *pacing, int64_t wall_us, int64_t processor_us, int64_t stall_us)
{
    int64_t lost_us = at_least(wall_us - processor_us, 0);

    stall_us = at_most(stall_us, lost_us); /* what the bot worked between two looks is none */
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
