/* SPDX-License-Identifier: MIT */
/*
 * The organizer's bounds on submissions, as options of `arena serve`, which passes them to `arena
 * admit`.
 */
#ifndef ARENA_COMMANDS_SUBMIT_H
#define ARENA_COMMANDS_SUBMIT_H

#include "arena/commands/options.h"
#include "arena/intake/queue.h"

/* clang-format off */
#define ADMIT_OPTIONS(bounds) \
    {.help = "bounds on submissions and challenges"}, \
    {"packages-a-day", "N", "packages that one author may submit per day (20)", \
     .number = &(bounds)->packages_a_day, .minimum = 1, .maximum = INT64_C(1) << 40}, \
    {"package-bytes", "N", "bytes of a package as an uncompressed tar (268435456)", \
     .number = &(bounds)->package_bytes, .minimum = 1, .maximum = STORE_PACKAGE_BYTES_MAX}, \
    {"built-bytes", "N", "bytes of the files that a build makes (134217728)", \
     .number = &(bounds)->built_bytes, .minimum = 1, .maximum = INT64_C(1) << 40}, \
    {"bots-an-author", "N", "bots of one author that may play at a time (10)", \
     .number = &(bounds)->bots_an_author, .minimum = 1, .maximum = INT64_C(1) << 40}, \
    {"build-seconds", "N", \
     "time that a build may take, without what it waits for a processor (600)", \
     .number = &(bounds)->build_seconds, .minimum = 1, .maximum = 86400, .unit = "seconds"}, \
    {"check-seconds", "N", "thinking time that a check allows (120)", \
     .number = &(bounds)->check_seconds, .minimum = 1, .maximum = 86400, .unit = "seconds"}, \
    {"versions", "N", "newest versions of each bot that keep their packages (0: all)", \
     .number = &(bounds)->versions, .maximum = INT64_C(1) << 40}, \
    {"challenge-games", "N", "games of one author's challenges per day (40); 0: no challenges", \
     .number = &(bounds)->challenge_games, .maximum = INT64_C(1) << 40}
/* clang-format on */

#endif
