/*
 * Whole lines that users read. They are compared with tests/golden/play-told.txt, a line a case in
 * any order, since the tests run beside each other.
 */
#ifndef TESTS_PLAY_SOURCES_TOLD_H
#define TESTS_PLAY_SOURCES_TOLD_H

/* Expects that the case has told this line. room, the test's folder, is left out of it. */
void expect_told(const char *name, const char *told, const char *room);

#endif
