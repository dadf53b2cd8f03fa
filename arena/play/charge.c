#include "arena/play/charge.h"

void charge_begin(struct charge *charge, int64_t now_us)
{
    *charge = (struct charge){.asked_us = now_us, .looked_us = now_us};
}

void charge_look(struct charge *charge, int64_t now_us)
{
    charge->looked_us = now_us;
}

/* Returns the last moment at which, for all the arena knows, the event had not happened yet. */
static int64_t absent_us(const struct charge *charge, const struct pace *pace,
                         enum charge_seen seen)
{
    int64_t polled_us = seen == CHARGE_POLLED ? pace_quiet_us(pace) : pace->woke_us;

    return polled_us > charge->looked_us ? polled_us : charge->looked_us;
}

void charge_wait(struct charge *charge, const struct pace *pace, int64_t now_us)
{
    int64_t waited_us = now_us - absent_us(charge, pace, CHARGE_POLLED);

    charge->waited_us += waited_us;
    charge->asked_us += waited_us;
    charge->looked_us = now_us; /* all up to now is accounted for */
}

void charge_settle(struct charge *charge, const struct pace *pace, enum charge_seen seen,
                   int64_t now_us)
{
    int64_t until_us = absent_us(charge, pace, seen);

    charge->used_us = until_us - charge->asked_us;
    charge->delay_us = charge->waited_us + now_us - until_us;
}

void charge_settle_late(struct charge *charge, int64_t limit_us, int64_t now_us)
{
    int64_t late_us = now_us - (charge->asked_us + limit_us);

    charge->used_us = now_us - charge->asked_us;
    charge->delay_us = charge->waited_us + (late_us > 0 ? late_us : 0);
}
