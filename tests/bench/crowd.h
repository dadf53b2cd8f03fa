/* A large league of synthetic games, for benches and tests. */
#ifndef TESTS_BENCH_CROWD_H
#define TESTS_BENCH_CROWD_H

#define CROWD_SEASON "crowd"

/*
 * Adds game_count games (in pairs, a group each) to the season of a home; creates the season with
 * bot_count bots if it does not exist. Exits on failure.
 */
void crowd_fill(const char *home, int bot_count, long game_count);

#endif
