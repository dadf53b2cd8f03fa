/*
 * Actions and positions as one line of text each, and back: for tests, puzzles, logs and
 * whoever reads over a bot's shoulder. docs/rules.md describes the notation. What is
 * written is read back as the same value; what is read may leave out what is usual.
 */
#ifndef ENGINE_NOTATION_H
#define ENGINE_NOTATION_H

#include <stddef.h>

#include "engine/public.h"
#include "engine/state.h"

PUBLIC_BEGIN

enum notation_limits {
    NOTATION_ACTION_BYTES = 64,     /* room for any action and its final 0 */
    NOTATION_POSITION_BYTES = 1280, /* room for any position and its final 0 */
};

/* Names by number, here, on the wire and in every text; the lists end with NULL. */
extern const char notation_colors[GAME_COLORS + 1]; /* one letter each */
extern const char *const notation_color_names[];    /* "purple", ... */
extern const char *const notation_boards[];         /* "colored", "gray" */
extern const char *const notation_phases[];         /* "draft", "place", "bonus", "over" */
extern const char *const notation_kinds[];          /* of actions: "draft", "place", ... */

/*
 * Writes an action, such as "place 2 5 b 3". One that no game allows is written, too,
 * with '?' in place of what has no name. Returns the length.
 */
size_t notation_write_action(struct action action, char text[PUBLIC_ROOM(NOTATION_ACTION_BYTES)]);

/* Writes a position that game_view gives or game_from_position accepts. Returns the length. */
size_t notation_write_position(const struct position *position,
                               char text[PUBLIC_ROOM(NOTATION_POSITION_BYTES)]);

/*
 * Reads an action. Returns NULL, or one line that says what is wrong with the text (a
 * static string); *action is then unchanged. Whether it is legal is for a game to say.
 */
const char *notation_read_action(struct action *action, const char *text);

/* Reads a position, in the same way. Whether it is possible game_from_position says. */
const char *notation_read_position(struct position *position, const char *text);

/*
 * Reads a position and sets a game up from it, draws from the seed. Returns NULL, or one
 * line that says why not, be it the text or the position; *game is then unchanged.
 */
const char *game_from_text(struct game *game, const char *text,
                           const uint8_t seed[PUBLIC_ROOM(GAME_SEED_BYTES)]);

PUBLIC_END

#endif
