/* SPDX-License-Identifier: MIT */
/*
 * Writes an action or a position as one line of text, and reads such a line: for tests, puzzles,
 * logs and people who study a bot. docs/rules.md describes the notation. Reading a written line
 * gives an equal value; a line written by hand may leave out fields.
 */
#ifndef ENGINE_NOTATION_H
#define ENGINE_NOTATION_H

#include <stddef.h>

#include "engine/public.h"
#include "engine/state.h"

PUBLIC_BEGIN

enum notation_limits {
    NOTATION_ACTION_BYTES = 64,     /* room for any action and its NUL */
    NOTATION_POSITION_BYTES = 1280, /* room for any position and its NUL */
};

/* Names by number, used in this notation, on the wire and in all text; the lists end with NULL. */
extern const char
    notation_colors[GAME_COLORS + 1] LINK_NAME(notation_colors); /* a letter per color */
extern const char *const notation_color_names[] LINK_NAME(notation_color_names); /* "purple", ... */
extern const char *const notation_boards[] LINK_NAME(notation_boards); /* "colored", "gray" */
extern const char *const
    notation_phases[] LINK_NAME(notation_phases); /* "draft", "place", "bonus", "over" */
extern const char *const
    notation_kinds[] LINK_NAME(notation_kinds); /* kinds of actions: "draft", "place", ... */

/*
 * Writes an action, such as "place 2 5 b 3", and returns the length. Writes '?' in place of a
 * number that is never legal.
 */
size_t notation_write_action(struct action action, char text[PUBLIC_ROOM(NOTATION_ACTION_BYTES)])
    LINK_NAME(notation_write_action);

/* Writes a position from game_view or one that game_from_position accepts. Returns the length. */
size_t notation_write_position(const struct position *position,
                               char text[PUBLIC_ROOM(NOTATION_POSITION_BYTES)])
    LINK_NAME(notation_write_position);

/*
 * Parses an action. Returns NULL, or one line (a static string) that says what is wrong with the
 * text; *action is then unchanged. Does not check whether the action is legal.
 */
const char *notation_read_action(struct action *action, const char *text)
    LINK_NAME(notation_read_action);

/*
 * Parses a position. Returns NULL, or one line (a static string) that says what is wrong with the
 * text; *position is then unchanged. Only game_from_position checks whether the position is
 * possible.
 */
const char *notation_read_position(struct position *position, const char *text)
    LINK_NAME(notation_read_position);

/*
 * Reads a position and sets up a game from it; the seed decides all draws to come. Returns NULL, or
 * one line that says what is wrong with the text or the position, with *game unchanged.
 */
const char *game_from_text(struct game *game, const char *text,
                           const uint8_t seed[PUBLIC_ROOM(GAME_SEED_BYTES)])
    LINK_NAME(game_from_text);

PUBLIC_END

#endif
