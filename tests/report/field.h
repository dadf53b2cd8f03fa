/*
 * A season of six versions, created without a store: one was replaced, one retired, two are the
 * same package, one forfeits, and two of one author lose to each other on purpose.
 */
#ifndef TESTS_REPORT_FIELD_H
#define TESTS_REPORT_FIELD_H

#include "arena/season/ladder.h"

enum field_entry {
    FIELD_ANT,
    FIELD_BEE_1, /* replaced by FIELD_BEE_2 */
    FIELD_BEE_2,
    FIELD_CAT, /* retired */
    FIELD_DOG, /* ant's package under another name */
    FIELD_EEL, /* forfeits its last games */
    FIELD_FOX, /* loses every game to gnu on purpose */
    FIELD_GNU,
    FIELD_ENTRIES,
};

/* Computes the standings of a list (enum ladder_list bits); call standings_finish. */
void field_init(struct standings *standings, unsigned list);

#endif
