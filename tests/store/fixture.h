/* SPDX-License-Identifier: MIT */
/* A store in a folder of its own, with two bots and a season. */
#ifndef TESTS_STORE_FIXTURE_H
#define TESTS_STORE_FIXTURE_H

#include "arena/store/games.h"

#define FIXTURE_COMMITMENT "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

struct fixture {
    char home[64];
    struct store *store;
    struct store_season season;
};

/* True if the stores are on a PostgreSQL server (STORE_TEST_BACKEND=postgres), else in a file. */
bool fixture_has_server(void);

/* Creates a store in a new folder; on failure the test fails. */
void fixture_create(struct fixture *fixture);

/* Adds bots `first` and `second`, a season `spring` of two players and group_count groups. */
void fixture_fill(struct fixture *fixture, int group_count);

/* Opens the store, which must be closed, as store_open does, or a second time in another handle. */
int fixture_try(struct fixture *fixture, enum store_mode mode);

/* Closes the store and opens it again. */
void fixture_reopen(struct fixture *fixture, enum store_mode mode);

/* Closes the store and removes the folder. */
void fixture_remove(struct fixture *fixture);

/* Returns a version that may be added; both its packages have the hash of its first letter. */
struct store_bot fixture_bot(const char *name, const char *version);

/* Returns a played game of that group and rotation: the first bot wins by 10 points. */
struct store_game fixture_game(int group, int rotation);

#endif
