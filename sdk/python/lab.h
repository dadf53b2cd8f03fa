/* SPDX-License-Identifier: MIT */
/*
 * The Python package pavilion_lab: the engine and two bots in the caller's process. This header
 * declares what the C files of the package share: the fixed list of all actions, the position as
 * numbers (the form that learners use), and the two Python types. The Python part is in
 * pavilion_lab/__init__.py.
 */
#ifndef SDK_PYTHON_LAB_H
#define SDK_PYTHON_LAB_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000 /* the module works with Python 3.11 and all later versions */
#include <Python.h>
#include <structmember.h> /* PyMemberDef */

#include "engine/game.h"

enum {
    LAB_CHOICES = 210, /* number of ways to choose at most 4 tiles of 6 colors */
    LAB_DRAFTS = (1 + GAME_DISPLAYS_MAX) * GAME_COLORS,
    LAB_PLACES = GAME_STARS * GAME_SPACES * GAME_COLORS * 6, /* wild tiles: 0..5 */
    LAB_ACTIONS = LAB_DRAFTS + LAB_PLACES + 2 * LAB_CHOICES,
    LAB_TABLE_NUMBERS = 9 + (GAME_DISPLAYS_MAX + 4) * GAME_COLORS,
    LAB_SEAT_NUMBERS = 2 + 2 * GAME_COLORS + GAME_STARS * GAME_SPACES,
    LAB_NUMBERS = LAB_TABLE_NUMBERS + GAME_PLAYERS_MAX * LAB_SEAT_NUMBERS,
};

/* Fills the list of all actions. Call once. */
void lab_actions_init(void);

/*
 * Returns the action at an index (0..LAB_ACTIONS - 1) of the list of all actions, which is in the
 * order of game_legal_actions; or the index of an action that is legal in some position.
 */
struct action lab_action(int index);
int lab_index(struct action action);

/*
 * Returns the index of an action in the list of all actions, or -1 if no position allows the
 * action. The action's fields need not be valid.
 */
int lab_find(struct action action);

/*
 * Writes a position as numbers in the order of struct position, with seats counted from `viewer`,
 * who becomes seat 0. Missing seats have empty boards and zeros. Lowers a score above INT16_MAX to
 * INT16_MAX.
 */
void lab_write_numbers(const struct game *game, int viewer, int16_t numbers[static LAB_NUMBERS]);

/* Sets mask[index] to 1 for each legal action and to 0 for every other action. */
void lab_write_mask(const struct game *game, uint8_t mask[static LAB_ACTIONS]);

/*
 * Returns the weights of the bot steady for a game's settings. The first call for these settings
 * loads the weights; its caller must hold the GIL.
 */
struct weights_set;
const struct weights_set *lab_weights(const struct game *game);

/*
 * Returns what the bundled bot maestro plays when it thinks for think_us, without knowledge of the
 * match before this decision. The game must not be over. The caller must hold the GIL: there is one
 * maestro.
 */
struct action lab_maestro(const struct game *game, int64_t think_us);

/* ---- Python ---- */

extern PyObject *lab_illegal_action; /* the exception IllegalAction */
extern PyType_Spec lab_game_spec, lab_batch_spec;
extern PyTypeObject *lab_game_type, *lab_batch_type;

/*
 * Returns the struct game within a Game, or raises TypeError and returns NULL if the object is no
 * Game.
 */
struct game *lab_game_of(PyObject *object);

/* Returns a new Game of the type `type`, a subtype of lab_game_type, or NULL with an error. */
PyObject *lab_game_new(PyTypeObject *type, const struct game *game);

/* Returns a new reference to the Python object Action with an index. */
PyObject *lab_action_object(int index);

/* Sets the objects that lab_action_object returns: a tuple of LAB_ACTIONS objects. */
PyObject *lab_set_actions(PyObject *module, PyObject *actions);

/*
 * Reads an int from `least` to `most`. Returns false with an error that names the argument:
 * TypeError for what is no int, range_error for another number.
 */
bool lab_read_int(PyObject *object, const char *name, long least, long most, PyObject *range_error,
                  long *number);

/*
 * Read the number of players and the board (NULL: 2, colored), or the seed, from Python's
 * arguments. Return false, with an error set, if an argument is invalid.
 */
bool lab_read_terms(PyObject *players, PyObject *board, int *player_count, enum board_side *side);
bool lab_read_seed(PyObject *object, uint8_t seed[static GAME_SEED_BYTES]);

/* Returns the index of an action, from an int or text in notation, or -1 with an error set. */
int lab_read_action(PyObject *object);

/*
 * Raises IllegalAction with a message that names the position and the action at an index. Returns
 * NULL.
 */
PyObject *lab_refuse(const struct game *game, int index, const char *where);

/*
 * Gets a view of a C-contiguous array of `length` items, whose format is a letter of Python's
 * struct module. Returns false, with an error set, for any other object. The caller releases the
 * view.
 */
bool lab_take_array(PyObject *object, Py_buffer *view, const char *name, char format,
                    size_t item_bytes, size_t length, bool writes);

#endif
