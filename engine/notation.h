/*
 * Actions and positions as one line of text each, and back: for tests, puzzles, logs and people who
 * follow a bot. docs/rules.md describes the notation. Written text is read back as the same value;
 * text to be read may omit default values.
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

/* Names by number, used here, on the wire and in all text; the lists end with NULL. */
extern const char notation_colors[GAME_COLORS + 1]; /* one letter each */
extern const char *const notation_color_names[];    /* "purple", ... */
extern const char *const notation_boards[];         /* "colored", "gray" */
extern const char *const notation_phases[];         /* "draft", "place", "bonus", "over" */
extern const char *const notation_kinds[];          /* kinds of actions: "draft", "place", ... */

/*
 * Writes an action, such as "place 2 5 b 3". An action that is never legal is written too, with '?'
 * for numbers without a name. Returns the length.
 */
size_t notation_write_action(struct action action, char text[PUBLIC_ROOM(NOTATION_ACTION_BYTES)]);

/* Writes a position from game_view or one that game_from_position accepts. Returns the length. */
size_t notation_write_position(const struct position *position,
                               char text[PUBLIC_ROOM(NOTATION_POSITION_BYTES)]);

/*
 * Parses an action. Returns NULL, or one line (a static string) that says what is wrong with the
 * text; *action is then unchanged. Does not check whether the action is legal.
 */
const char *notation_read_action(struct action *action, const char *text);

/*
 * Parses a position in the same way. Does not check whether it is possible; game_from_position
 * does.
 */
const char *notation_read_position(struct position *position, const char *text);

/*
 * Parses a position and sets up a game from it, with draws from the seed. Returns NULL, or one line
 * that says what is wrong with the text or the position; *game is then unchanged.
 */
const char *game_from_text(struct game *game, const char *text,
                           const uint8_t seed[PUBLIC_ROOM(GAME_SEED_BYTES)]);

PUBLIC_END

#endif
