/* Rounding of numbers for display, without a minus sign before zero. */
#ifndef ARENA_REPORT_DECIMALS_H
#define ARENA_REPORT_DECIMALS_H

/* Returns value rounded to 0..9 decimals; a zero is never negative. */
double decimals_round(double value, int decimals);

#endif
