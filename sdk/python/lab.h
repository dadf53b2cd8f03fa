/*
 * The Python package pavilion_lab: the engine and two bots in the caller's process. This header is
 * what its C files share: the fixed list of all actions and a position as numbers, in which
 * learners see a game, and the two types that Python sees. pavilion_lab/__init__.py has the rest.
 */
#ifndef SDK_PYTHON_LAB_H
#define SDK_PYTHON_LAB_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000 /* one module for Python 3.11 and all later versions */
#include <Python.h>

#include "engine/game.h"

enum {
    LAB_CHOICES = 210, /* ways to choose at most 4 tiles of 6 colors */
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
 * The action at an index (0..LAB_ACTIONS - 1) of the list of all actions, which is in the order of
 * game_legal_actions; and the index of any action that is legal in some position.
 */
struct action lab_action(int index);
int lab_index(struct action action);

/* Returns the index of an action of any numbers, or -1 if no position allows the action. */
int lab_find(struct action action);

/*
 * Writes a position as numbers in the order of struct position, with seats counted from `viewer`,
 * who becomes seat 0. Seats that are not at the table have empty boards and else zeros. A score
 * above INT16_MAX is cut.
 */
void lab_write_numbers(const struct game *game, int viewer, int16_t numbers[static LAB_NUMBERS]);

/*
 * Reads such numbers, as wide as a state has them, as seen by seat 0. Returns false if a number
 * does not fit its field; only game_from_position checks whether the position is possible.
 */
bool lab_read_numbers(const int32_t numbers[static LAB_NUMBERS], struct position *position);

/* Fills a mask of legal actions: 1 at the index of each. */
void lab_write_mask(const struct game *game, uint8_t mask[static LAB_ACTIONS]);

/* Returns the weights of steady for a game's settings; loads them at the first call, with the GIL.
 */
struct weights_set;
const struct weights_set *lab_weights(const struct game *game);

/* ---- Python ---- */

extern PyObject *lab_illegal_action; /* the exception IllegalAction */
extern PyType_Spec lab_game_spec, lab_batch_spec;
extern PyTypeObject *lab_game_type, *lab_batch_type;

/* Returns the game within a Game, or NULL with a TypeError if the object is something else. */
struct game *lab_game_of(PyObject *object);

/* Returns a new Game of the type `type`, a subtype of lab_game_type, or NULL with an error. */
PyObject *lab_game_new(PyTypeObject *type, const struct game *game);

/* Returns a new reference to the object Action of an index. */
PyObject *lab_action_object(int index);

/* Sets the objects that lab_action_object returns: a tuple of LAB_ACTIONS. */
PyObject *lab_set_actions(PyObject *module, PyObject *actions);

/* Reads players, board and seed as users give them. Return false with an error set. */
bool lab_read_terms(int player_count, const char *board, enum board_side *side);
bool lab_read_seed(PyObject *object, uint8_t seed[static GAME_SEED_BYTES]);

/* Raises IllegalAction, naming the action at an index and the position. Returns NULL. */
PyObject *lab_refuse(const struct game *game, int index, const char *where);

/*
 * Takes the memory of a C-contiguous array of `length` items of a struct-module format. Returns
 * false with an error set if the object is another array or none; the caller releases the view.
 */
bool lab_take_array(PyObject *object, Py_buffer *view, const char *name, char format,
                    size_t item_bytes, size_t length, bool writes);

#endif
