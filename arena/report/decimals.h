/*
 * Numbers as they are shown: rounded once, and never a minus before a zero.
 */
#ifndef ARENA_REPORT_DECIMALS_H
#define ARENA_REPORT_DECIMALS_H

/* The nearest number of so many decimals, 0..9; a zero is never negative. */
double decimals_round(double value, int decimals);

#endif
