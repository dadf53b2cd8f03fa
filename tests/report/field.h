/*
 * A season of six versions, made without a store: one was replaced, one retired, two are
 * the same package, one forfeits, and two of one author play into each other's hands.
 */
#ifndef TESTS_REPORT_FIELD_H
#define TESTS_REPORT_FIELD_H

#include "arena/season/standings.h"

enum field_entry {
    FIELD_ANT,
    FIELD_BEE_1, /* replaced by ... */
    FIELD_BEE_2,
    FIELD_CAT, /* retired */
    FIELD_DOG, /* ant's package under another name */
    FIELD_EEL, /* forfeits its last games */
    FIELD_FOX, /* loses every game to gnu on purpose */
    FIELD_GNU,
    FIELD_ENTRIES,
};

/* Makes the standings of a list (enum ladder_list bits); for standings_finish. */
void field_init(struct standings *standings, unsigned list);

#endif
