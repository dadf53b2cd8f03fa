/* A large league that nobody played, for benches and tests. */
#ifndef TESTS_BENCH_CROWD_H
#define TESTS_BENCH_CROWD_H

#define CROWD_SEASON "crowd"

/*
 * Adds so many games (in pairs, a group each) to the season of a home, which begins with so many
 * bots if it does not exist. Ends the program where it cannot.
 */
void crowd_fill(const char *home, int bot_count, long game_count);

#endif
