/* SPDX-License-Identifier: MIT */
/*
 * The type Game: one game as a Python object. Every method checks its arguments and raises an
 * exception that names the fault, so a Game always holds a position that the engine can play.
 */
#include <stddef.h>
#include <string.h>
#include <sys/random.h>

#include "sdk/steady/steady.h"
#include "engine/draw.h"
#include "engine/notation.h"
#include "sdk/policy.h"
#include "sdk/python/lab.h"

struct lab_game {
    PyObject ob_base;
    struct game game;
};

static PyObject *action_objects; /* the Python objects of all actions, a tuple of LAB_ACTIONS; NULL
                                    until lab_set_actions */

PyTypeObject *lab_game_type;
PyObject *lab_illegal_action;

static struct game *game_of(PyObject *self)
{
    return &((struct lab_game *)(void *)self)->game;
}

struct game *lab_game_of(PyObject *object)
{
    if (PyObject_TypeCheck(object, lab_game_type))
        return game_of(object);
    PyErr_Format(PyExc_TypeError, "game: must be a Game, not %.80R", object);
    return NULL;
}

PyObject *lab_game_new(PyTypeObject *type, const struct game *game)
{
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = alloc(type, 0);

    if (self)
        *game_of(self) = *game;
    return self;
}

PyObject *lab_set_actions(PyObject *module, PyObject *actions)
{
    (void)module;
    if (!PyTuple_Check(actions) || PyTuple_Size(actions) != LAB_ACTIONS)
        return PyErr_Format(PyExc_TypeError, "the argument must be a tuple of %d actions",
                            LAB_ACTIONS);
    Py_INCREF(actions);
    Py_XDECREF(action_objects);
    action_objects = actions;
    Py_RETURN_NONE;
}

PyObject *lab_action_object(int index)
{
    PyObject *action;

    if (!action_objects)
        return PyLong_FromLong(index);
    action = PyTuple_GetItem(action_objects, index);
    Py_INCREF(action);
    return action;
}

PyObject *lab_refuse(const struct game *game, int index, const char *where)
{
    char action[NOTATION_ACTION_BYTES], text[NOTATION_POSITION_BYTES];
    struct position position;

    if (game_is_over(game))
        return PyErr_Format(lab_illegal_action, "%sthe game is over", where);
    notation_write_action(lab_action(index), action);
    game_view(game, &position);
    notation_write_position(&position, text);
    return PyErr_Format(lab_illegal_action, "%saction %d, '%s', is not legal in: %s", where, index,
                        action, text);
}

/* ---- what users give ---- */

bool lab_read_int(PyObject *object, const char *name, long least, long most, PyObject *range_error,
                  long *number)
{
    PyObject *whole = PyNumber_Index(object);
    int overflow = 0;

    if (!whole && !PyErr_ExceptionMatches(PyExc_TypeError))
        return false;
    PyErr_Clear();
    *number = whole ? PyLong_AsLongAndOverflow(whole, &overflow) : 0;
    if (whole && overflow == 0 && *number >= least && *number <= most) {
        Py_DECREF(whole);
        return true;
    }
    PyErr_Format(whole ? range_error : PyExc_TypeError,
                 "%s: must be an int from %ld to %ld, not %.80R", name, least, most, object);
    Py_XDECREF(whole);
    return false;
}

bool lab_read_terms(PyObject *players, PyObject *board, int *player_count, enum board_side *side)
{
    const char *name = NULL;
    long count = GAME_PLAYERS_MIN;

    if (players && !lab_read_int(players, "players", GAME_PLAYERS_MIN, GAME_PLAYERS_MAX,
                                 PyExc_ValueError, &count))
        return false;
    *player_count = (int)count;
    *side = BOARD_COLORED;
    if (!board)
        return true;
    if (PyUnicode_Check(board) && !(name = PyUnicode_AsUTF8AndSize(board, NULL)))
        return false;
    if (name && strcmp(name, notation_boards[BOARD_GRAY]) == 0)
        *side = BOARD_GRAY;
    if (name && strcmp(name, notation_boards[*side]) == 0)
        return true;
    PyErr_Format(name ? PyExc_ValueError : PyExc_TypeError,
                 "board: must be 'colored' or 'gray', not %.80R", board);
    return false;
}

bool lab_read_seed(PyObject *object, uint8_t seed[static GAME_SEED_BYTES])
{
    PyObject *bytes = NULL, *whole;
    bool is_read;

    if (!object || object == Py_None) {
        if (getrandom(seed, GAME_SEED_BYTES, 0) == GAME_SEED_BYTES)
            return true;
        PyErr_SetFromErrno(PyExc_OSError);
        return false;
    }
    if (PyBytes_Check(object)) {
        Py_INCREF(object);
        bytes = object;
    } else if ((whole = PyNumber_Index(object))) {
        bytes = PyObject_CallMethod(whole, "to_bytes", "is", GAME_SEED_BYTES, "little");
        Py_DECREF(whole);
    }
    is_read = bytes && PyBytes_Size(bytes) == GAME_SEED_BYTES;
    if (is_read) {
        memcpy(seed, PyBytes_AsString(bytes), GAME_SEED_BYTES);
    } else if (bytes || PyErr_ExceptionMatches(PyExc_OverflowError) ||
               PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError,
                     "seed: must be None, 16 bytes, or an int from 0 to 2**128 - 1, not %.80R",
                     object);
    }
    Py_XDECREF(bytes);
    return is_read;
}

bool lab_take_array(PyObject *object, Py_buffer *view, const char *name, char format,
                    size_t item_bytes, size_t length, bool writes)
{
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writes ? PyBUF_WRITABLE : 0);

    if (PyObject_GetBuffer(object, view, flags) < 0) {
        if (PyErr_ExceptionMatches(PyExc_BufferError) || PyErr_ExceptionMatches(PyExc_ValueError))
            PyErr_Format(PyExc_TypeError, "%s: must be a C-contiguous%s array", name,
                         writes ? ", writable" : "");
        return false;
    }
    if (!view->format || strlen(view->format) != 1 || *view->format != format ||
        (size_t)view->itemsize != item_bytes || (uintptr_t)view->buf % item_bytes != 0)
        PyErr_Format(PyExc_TypeError, "%s: items must be of the format '%c'", name, format);
    else if ((size_t)view->len != length * item_bytes)
        PyErr_Format(PyExc_ValueError, "%s: must have %zu items, not %zd", name, length,
                     view->len / view->itemsize);
    else
        return true;
    PyBuffer_Release(view);
    return false;
}

/* Returns the seat, or -1 with an error set. */
static int read_seat(PyObject *self, PyObject *object)
{
    long seat;

    return lab_read_int(object, "seat", 0, game_of(self)->player_count - 1, PyExc_IndexError, &seat)
               ? (int)seat
               : -1;
}

int lab_read_action(PyObject *object)
{
    struct action action;
    const char *text, *fault;
    long number;
    int index;

    if (PyIndex_Check(object))
        return lab_read_int(object, "action", 0, LAB_ACTIONS - 1, lab_illegal_action, &number)
                   ? (int)number
                   : -1;
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError,
                     "action: must be an Action, an int from 0 to %d or notation, not %.80R",
                     LAB_ACTIONS - 1, object);
        return -1;
    }
    text = PyUnicode_AsUTF8AndSize(object, NULL);
    if (!text)
        return -1;
    fault = notation_read_action(&action, text);
    index = fault ? -1 : lab_find(action);
    if (index < 0)
        PyErr_Format(lab_illegal_action, "action '%s': %s", text,
                     fault ? fault : "no position allows it");
    return index;
}

/* ---- making games ---- */

static PyObject *game_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"players", "board", "seed", NULL};
    uint8_t seed[GAME_SEED_BYTES];
    PyObject *players = NULL, *board = NULL, *seed_object = NULL;
    enum board_side side;
    struct game game;
    int player_count;

    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OOO:Game", names, &players, &board,
                                     &seed_object) ||
        !lab_read_terms(players, board, &player_count, &side) || !lab_read_seed(seed_object, seed))
        return NULL;
    game_init(&game, player_count, side, seed);
    return lab_game_new(type, &game);
}

static PyObject *game_from_text_(PyObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"text", "seed", "draws", NULL};
    uint8_t seed[GAME_SEED_BYTES];
    PyObject *text_object, *seed_object = NULL;
    unsigned draws = 0;
    const char *text, *fault;
    struct game game;

    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OI:from_text", names, &text_object,
                                     &seed_object, &draws) ||
        !lab_read_seed(seed_object, seed))
        return NULL;
    if (!PyUnicode_Check(text_object))
        return PyErr_Format(PyExc_TypeError, "text: must be a line of notation, not %.80R",
                            text_object);
    if (!(text = PyUnicode_AsUTF8AndSize(text_object, NULL)))
        return NULL;
    fault = game_from_text(&game, text, seed);
    if (fault)
        return PyErr_Format(PyExc_ValueError, "position: %s", fault);
    game.supply_index = draws;
    return lab_game_new((PyTypeObject *)(void *)type, &game);
}

static PyObject *game_copy(PyObject *self, PyObject *none)
{
    (void)none;
    return lab_game_new(Py_TYPE(self), game_of(self));
}

static void game_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc free_fn = (freefunc)PyType_GetSlot(type, Py_tp_free);

    free_fn(self);
    Py_DECREF((PyObject *)(void *)type);
}

/* ---- playing ---- */

static PyObject *game_legal(PyObject *self, PyObject *none)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game_of(self), actions);
    PyObject *list = PyList_New((Py_ssize_t)count);

    (void)none;
    for (size_t i = 0; list && i < count; i++)
        PyList_SetItem(list, (Py_ssize_t)i, lab_action_object(lab_index(actions[i])));
    return list;
}

static PyObject *game_apply_(PyObject *self, PyObject *object)
{
    int index = lab_read_action(object);

    if (index < 0)
        return NULL;
    if (!game_apply(game_of(self), lab_action(index)))
        return lab_refuse(game_of(self), index, "");
    Py_RETURN_NONE;
}

static PyObject *game_is_legal_(PyObject *self, PyObject *object)
{
    int index = lab_read_action(object);

    return index < 0 ? NULL : PyBool_FromLong(game_is_legal(game_of(self), lab_action(index)));
}

/* Returns the action that a bot would play. Raises an error if the game is over. */
static PyObject *game_policy(PyObject *self, bool is_steady)
{
    const struct game *game = game_of(self);
    int32_t worth;

    if (game_is_over(game))
        return lab_refuse(game, 0, "");
    return lab_action_object(lab_index(is_steady ? steady_choose(lab_weights(game), game, &worth)
                                                 : sdk_greedy(NULL, game)));
}

static PyObject *game_greedy(PyObject *self, PyObject *none)
{
    (void)none;
    return game_policy(self, false);
}

static PyObject *game_steady(PyObject *self, PyObject *none)
{
    (void)none;
    return game_policy(self, true);
}

static PyObject *game_maestro(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"ms", NULL};
    const struct game *game = game_of(self);
    PyObject *object = NULL;
    long think_ms = 50;

    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O:maestro", names, &object) ||
        (object && !lab_read_int(object, "ms", 1, 3600000, PyExc_ValueError, &think_ms)))
        return NULL;
    if (game_is_over(game))
        return lab_refuse(game, 0, "");
    return lab_action_object(lab_index(lab_maestro(game, (int64_t)think_ms * 1000)));
}

/*
 * Reads the state of a random generator from an int; for None, takes a random state from the
 * system. Returns false with an error.
 */
static bool read_random(PyObject *object, uint64_t *random)
{
    if (object && object != Py_None) {
        if (PyIndex_Check(object)) {
            *random = PyLong_AsUnsignedLongLongMask(object);
            return !PyErr_Occurred();
        }
        PyErr_Format(PyExc_TypeError, "random: must be None or an int, not %.80R", object);
        return false;
    }
    if (getrandom(random, sizeof *random, 0) == sizeof *random)
        return true;
    PyErr_SetFromErrno(PyExc_OSError);
    return false;
}

static PyObject *game_play_out_(PyObject *self, PyObject *arguments)
{
    PyObject *object = NULL;
    uint64_t random;

    if (!PyArg_ParseTuple(arguments, "|O:play_out", &object) || !read_random(object, &random))
        return NULL;
    return PyLong_FromSize_t(game_play_out(game_of(self), &random));
}

static PyObject *game_reseed_(PyObject *self, PyObject *arguments)
{
    uint8_t seed[GAME_SEED_BYTES];
    PyObject *object = NULL;

    if (!PyArg_ParseTuple(arguments, "|O:reseed", &object) || !lab_read_seed(object, seed))
        return NULL;
    game_reseed(game_of(self), seed);
    Py_RETURN_NONE;
}

/* ---- reading ---- */

static PyObject *by_seat(PyObject *self, int (*number_fn)(const struct game *game, int seat))
{
    const struct game *game = game_of(self);
    PyObject *list = PyList_New(game->player_count);

    for (int seat = 0; list && seat < game->player_count; seat++)
        PyList_SetItem(list, seat, PyLong_FromLong(number_fn(game, seat)));
    return list;
}

static PyObject *game_scores(PyObject *self, PyObject *none)
{
    (void)none;
    return by_seat(self, game_score);
}

static PyObject *game_ranks(PyObject *self, PyObject *none)
{
    (void)none;
    return by_seat(self, game_rank);
}

static PyObject *game_final_points_(PyObject *self, PyObject *object)
{
    int seat = read_seat(self, object);

    return seat < 0 ? NULL : PyLong_FromLong(game_final_points(game_of(self), seat));
}

static PyObject *game_text(PyObject *self, PyObject *none)
{
    char text[NOTATION_POSITION_BYTES];
    struct position position;

    (void)none;
    game_view(game_of(self), &position);
    notation_write_position(&position, text);
    return PyUnicode_FromString(text);
}

static PyObject *game_key(PyObject *self, PyObject *none)
{
    (void)none;
    return PyLong_FromUnsignedLongLong(game_hash(game_of(self)));
}

/* Returns the seed and the index of the next draw: with the position, they determine the game. */
static PyObject *game_future(PyObject *self, PyObject *none)
{
    const struct game *game = game_of(self);

    (void)none;
    return Py_BuildValue("y#I", (const char *)game->seed, (Py_ssize_t)GAME_SEED_BYTES,
                         (unsigned)game->supply_index);
}

static PyObject *game_write_numbers(PyObject *self, PyObject *arguments)
{
    PyObject *array, *viewer_object;
    Py_buffer view;
    int viewer;

    if (!PyArg_ParseTuple(arguments, "OO:_write_numbers", &array, &viewer_object) ||
        (viewer = read_seat(self, viewer_object)) < 0 ||
        !lab_take_array(array, &view, "numbers", 'h', sizeof(int16_t), LAB_NUMBERS, true))
        return NULL;
    lab_write_numbers(game_of(self), viewer, view.buf);
    PyBuffer_Release(&view);
    Py_RETURN_NONE;
}

static PyObject *game_write_mask(PyObject *self, PyObject *array)
{
    Py_buffer view;

    if (!lab_take_array(array, &view, "mask", '?', 1, LAB_ACTIONS, true))
        return NULL;
    lab_write_mask(game_of(self), view.buf);
    PyBuffer_Release(&view);
    Py_RETURN_NONE;
}

static PyObject *game_compare(PyObject *self, PyObject *other, int operator)
{
    bool is_equal;

    if (!PyObject_TypeCheck(other, lab_game_type) || (operator!= Py_EQ && operator!= Py_NE)) {
        Py_INCREF(Py_NotImplemented);
        return Py_NotImplemented;
    }
    is_equal = memcmp(game_of(self), game_of(other), sizeof(struct game)) == 0;
    return PyBool_FromLong(is_equal == (operator== Py_EQ));
}

static PyObject *game_wild(PyObject *self, void *none)
{
    (void)none;
    return PyLong_FromLong(game_of(self)->round - 1);
}

static PyObject *game_over(PyObject *self, void *none)
{
    (void)none;
    return PyBool_FromLong(game_is_over(game_of(self)));
}

static PyObject *game_board(PyObject *self, void *none)
{
    (void)none;
    return PyUnicode_FromString(notation_boards[game_of(self)->board]);
}

static PyObject *game_phase_(PyObject *self, void *none)
{
    (void)none;
    return PyUnicode_FromString(notation_phases[game_of(self)->phase]);
}

static PyMemberDef members[] = {
    {"players", T_UBYTE, offsetof(struct lab_game, game.player_count), READONLY,
     "Number of seats: 2, 3 or 4."},
    {"round", T_UBYTE, offsetof(struct lab_game, game.round), READONLY, "The round, 1 to 6."},
    {"player", T_BYTE, offsetof(struct lab_game, game.player), READONLY,
     "The seat to act; -1 once the game is over."},
    {NULL},
};

static PyGetSetDef fields[] = {
    {"wild", game_wild, NULL, "The round's wild color, 0 to 5."},
    {"over", game_over, NULL, "True once the game is over; scores are then final."},
    {"board", game_board, NULL, "'colored' or 'gray'."},
    {"phase", game_phase_, NULL, "'draft', 'place', 'bonus' or 'over'."},
    {NULL},
};

static PyMethodDef methods[] = {
    {"from_text", (PyCFunction)(void *)game_from_text_, METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "from_text(text, seed=None)\n\nReturns the game of a line of notation (docs/rules.md); the "
     "seed "
     "decides the draws to come.\nRaises ValueError with the reason if the position is "
     "impossible."},
    {"copy", game_copy, METH_NOARGS,
     "copy()\n\nReturns a copy of the game, which will draw the same tiles; apply actions to it to "
     "look ahead."},
    {"legal", game_legal, METH_NOARGS,
     "legal()\n\nReturns every legal Action in ascending order; none once the game is over."},
    {"apply", game_apply_, METH_O,
     "apply(action)\n\nPlays an action: an Action, its index, or its notation. Raises "
     "IllegalAction, "
     "with the\ngame unchanged, if the action is not legal."},
    {"is_legal", game_is_legal_, METH_O, "is_legal(action)\n\nTrue if the action is legal."},
    {"greedy", game_greedy, METH_NOARGS,
     "greedy()\n\nReturns the Action that the bot greedy would play."},
    {"steady", game_steady, METH_NOARGS,
     "steady()\n\nReturns the Action that the bot steady would play."},
    {"maestro", (PyCFunction)(void *)game_maestro, METH_VARARGS | METH_KEYWORDS,
     "maestro(ms=50)\n\nReturns the Action that the bot maestro would play after thinking for so "
     "many "
     "milliseconds, without\nknowledge of the match before. It holds the interpreter's lock "
     "meanwhile."},
    {"play_out", game_play_out_, METH_VARARGS,
     "play_out(random=None)\n\nPlays to the end with random actions; a seat that can place a tile "
     "never "
     "passes. `random` is the\nint that seeds the choices. Returns the number of decisions."},
    {"reseed", game_reseed_, METH_VARARGS,
     "reseed(seed=None)\n\nReplaces the tiles that the game will draw, by a new seed."},
    {"scores", game_scores, METH_NOARGS,
     "scores()\n\nPoints by seat; final once the game is over."},
    {"ranks", game_ranks, METH_NOARGS,
     "ranks()\n\nRanks by seat, 1 for a winner; tied seats share the better rank."},
    {"final_points", game_final_points_, METH_O,
     "final_points(seat)\n\nPoints that the seat's board would score now at the end of the "
     "game: finished stars and\ncovered costs.\nOnce the game is over, scores() includes these "
     "points."},
    {"text", game_text, METH_NOARGS,
     "text()\n\nReturns the position as a line of notation (docs/rules.md)."},
    {"key", game_key, METH_NOARGS,
     "key()\n\nReturns a hash of the position, 64 bits; the draws to come do not change the hash."},
    {"_future", game_future, METH_NOARGS, NULL},
    {"_write_numbers", game_write_numbers, METH_VARARGS, NULL},
    {"_write_mask", game_write_mask, METH_O, NULL},
    {NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)game_new},
    {Py_tp_dealloc, (void *)game_dealloc},
    {Py_tp_richcompare, (void *)game_compare},
    {Py_tp_hash, (void *)PyObject_HashNotImplemented},
    {Py_tp_methods, methods},
    {Py_tp_getset, fields},
    {Py_tp_members, members},
    {0},
};

PyType_Spec lab_game_spec = {
    .name = "pavilion_lab._engine.Game",
    .basicsize = sizeof(struct lab_game),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};
