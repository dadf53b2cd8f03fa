/* SPDX-License-Identifier: MIT */
/*
 * The type Batch: many games with equal settings. Each call works on arrays for all games at once,
 * on all cores, without the interpreter's lock. pavilion_lab/__init__.py makes the arrays; this
 * file checks their item types and lengths again, and lets only one thread at a time use a Batch.
 */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>

#include "bots/search/policy.h"
#include "engine/draw.h"
#include "engine/notation.h"
#include "sdk/python/lab.h"

enum {
    GAMES_MAX = 1 << 24,
    GAMES_PER_THREAD = 64, /* smallest number of games for which starting a thread pays */
    THREADS_MAX = 64,
};

struct lab_batch {
    PyObject ob_base;
    struct game *games;
    Py_ssize_t count;
    int player_count;
    enum board_side board;
    uint64_t random; /* state of the random generator for actions and deals */
    bool is_busy;    /* a thread is inside a call of this Batch */
};

/*
 * The part of one call for the games `first` to `end` - 1, with the arrays that the call reads and
 * fills.
 */
struct work {
    struct lab_batch *batch;
    void (*run_fn)(struct work *work, size_t i);
    size_t first, end;
    uint64_t random;    /* random number from which the games' random numbers follow (random_of) */
    int viewer;         /* seat for which observe_one writes; -1: the seat to act */
    bool all_passes;    /* look_ahead: list every pass */
    const bool *chosen; /* reset: the games to deal; NULL: all */
    const struct weights_set *weights;
    void *filled; /* the array that _fill fills */
    int32_t *actions;
    int32_t *rewards;
    bool *dones;
    int16_t *observations;
    int64_t *offsets; /* look_ahead: index of each game's first row in the arrays, then the number
                         of rows */
    int64_t *owners;
    size_t refused; /* the first game whose action was illegal, or SIZE_MAX */
    pthread_t thread;
};

PyTypeObject *lab_batch_type;

static struct lab_batch *batch_of(PyObject *self)
{
    return (struct lab_batch *)(void *)self;
}

static uint64_t random_of(const struct work *work, size_t i)
{
    uint64_t state = work->random + (uint64_t)i * UINT64_C(0xd1b54a32d192ed03);

    return draw_next(&state);
}

static void seed_of(uint64_t random, uint8_t seed[static GAME_SEED_BYTES])
{
    uint64_t words[2] = {draw_next(&random), draw_next(&random)};

    memcpy(seed, words, GAME_SEED_BYTES);
}

/* ---- what is done with one game ---- */

static void deal_one(struct work *work, size_t i)
{
    uint8_t seed[GAME_SEED_BYTES];

    if (work->chosen && !work->chosen[i])
        return;
    seed_of(random_of(work, i), seed);
    game_init(&work->batch->games[i], work->batch->player_count, work->batch->board, seed);
}

static void observe_one(struct work *work, size_t i)
{
    const struct game *game = &work->batch->games[i];
    int viewer = work->viewer >= 0 ? work->viewer : game_is_over(game) ? 0 : game->player;

    lab_write_numbers(game, viewer, (int16_t *)work->filled + i * LAB_NUMBERS);
}

static void mask_one(struct work *work, size_t i)
{
    lab_write_mask(&work->batch->games[i], (uint8_t *)work->filled + i * LAB_ACTIONS);
}

static void player_one(struct work *work, size_t i)
{
    ((int8_t *)work->filled)[i] = work->batch->games[i].player;
}

static void score_one(struct work *work, size_t i)
{
    const int count = work->batch->player_count;
    int32_t *scores = (int32_t *)work->filled + i * (size_t)count;

    for (int seat = 0; seat < count; seat++)
        scores[seat] = game_score(&work->batch->games[i], seat);
}

static void rank_one(struct work *work, size_t i)
{
    const int count = work->batch->player_count;
    int32_t *ranks = (int32_t *)work->filled + i * (size_t)count;

    for (int seat = 0; seat < count; seat++)
        ranks[seat] = game_rank(&work->batch->games[i], seat);
}

/* A game that is over takes only the action -1. */
static void judge_one(struct work *work, size_t i)
{
    const struct game *game = &work->batch->games[i];
    int32_t index = work->actions[i];

    if (game_is_over(game)
            ? index == -1
            : index >= 0 && index < LAB_ACTIONS && game_is_legal(game, lab_action(index)))
        return;
    if (i < work->refused)
        work->refused = i;
}

static void step_one(struct work *work, size_t i)
{
    struct game *game = &work->batch->games[i];
    int count = work->batch->player_count;
    int32_t *reward = work->rewards + i * (size_t)count;

    for (int seat = 0; seat < count; seat++)
        reward[seat] = -game_score(game, seat);
    if (!game_is_over(game))
        game_play(game, lab_action(work->actions[i]));
    for (int seat = 0; seat < count; seat++)
        reward[seat] += game_score(game, seat);
    work->dones[i] = game_is_over(game);
}

/* Each of the next three writes the index of an action, or -1 if the game is over. */
static void sample_one(struct work *work, size_t i)
{
    const struct game *game = &work->batch->games[i];

    ((int32_t *)work->filled)[i] =
        game_is_over(game) ? -1 : lab_index(game_draw_action(game, random_of(work, i)));
}

static void greedy_one(struct work *work, size_t i)
{
    const struct game *game = &work->batch->games[i];

    ((int32_t *)work->filled)[i] = game_is_over(game) ? -1 : lab_index(policy_greedy(game));
}

static void steady_one(struct work *work, size_t i)
{
    const struct game *game = &work->batch->games[i];
    int32_t worth;

    ((int32_t *)work->filled)[i] =
        game_is_over(game) ? -1 : lab_index(policy_steady(work->weights, game, &worth));
}

static void play_out_one(struct work *work, size_t i)
{
    uint64_t random = random_of(work, i);

    game_play_out(&work->batch->games[i], &random);
}

/* ---- look_ahead ---- */

static int tiles_kept(struct action pass)
{
    int tiles = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        tiles += pass.number[color];
    return tiles;
}

/*
 * Lists the legal actions. Without all_passes, leaves out passes that keep fewer tiles than
 * possible.
 */
static size_t list_actions(const struct work *work, const struct game *game,
                           struct action actions[static GAME_ACTIONS_MAX])
{
    size_t count = game_legal_actions(game, actions), kept = 0;
    int most = 0;

    if (work->all_passes || count == 0 || actions[count - 1].kind != ACTION_PASS)
        return count;
    for (size_t i = 0; i < count; i++)
        if (actions[i].kind == ACTION_PASS && tiles_kept(actions[i]) > most)
            most = tiles_kept(actions[i]);
    for (size_t i = 0; i < count; i++)
        if (actions[i].kind != ACTION_PASS || tiles_kept(actions[i]) == most)
            actions[kept++] = actions[i];
    return kept;
}

static void count_one(struct work *work, size_t i)
{
    struct action actions[GAME_ACTIONS_MAX];

    work->offsets[i + 1] = (int64_t)list_actions(work, &work->batch->games[i], actions);
}

/*
 * Plays each action on a copy with another seed, so that the caller learns nothing about the game's
 * future draws.
 */
static void look_ahead_one(struct work *work, size_t i)
{
    struct action actions[GAME_ACTIONS_MAX];
    struct game imagined = work->batch->games[i];
    size_t count = list_actions(work, &imagined, actions);
    uint8_t seed[GAME_SEED_BYTES];

    seed_of(random_of(work, i), seed);
    game_reseed(&imagined, seed);
    for (size_t j = 0; j < count; j++) {
        struct game after = imagined;
        size_t row = (size_t)work->offsets[i] + j;

        game_play(&after, actions[j]);
        work->owners[row] = (int64_t)i;
        work->actions[row] = lab_index(actions[j]);
        lab_write_numbers(&after, imagined.player, work->observations + row * LAB_NUMBERS);
    }
}

/* ---- all games at once ---- */

static void *run_part(void *context)
{
    struct work *work = context;

    for (size_t i = work->first; i < work->end; i++)
        work->run_fn(work, i);
    return NULL;
}

static size_t count_cores(void)
{
    cpu_set_t cores;

    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (size_t)CPU_COUNT(&cores) : 1;
}

/*
 * Runs work->run_fn for all games, with one thread for every GAMES_PER_THREAD games, but at most
 * one per core.
 */
static void run_all(struct work *work)
{
    struct work parts[THREADS_MAX];
    size_t count = (size_t)work->batch->count, part_count = count / GAMES_PER_THREAD, started = 1;
    size_t cores = part_count > 1 ? count_cores() : 1;

    part_count = part_count > cores ? cores : part_count < 1 ? 1 : part_count;
    part_count = part_count > THREADS_MAX ? THREADS_MAX : part_count;
    for (size_t i = 0; i < part_count; i++) {
        parts[i] = *work;
        parts[i].first = count * i / part_count;
        parts[i].end = count * (i + 1) / part_count;
    }
    while (started < part_count &&
           pthread_create(&parts[started].thread, NULL, run_part, &parts[started]) == 0)
        started++;
    run_part(&parts[0]);
    for (size_t i = started; i < part_count;
         i++) /* this thread does the parts of threads that could not be started */
        run_part(&parts[i]);
    for (size_t i = 1; i < started; i++)
        pthread_join(parts[i].thread, NULL);
    for (size_t i = 0; i < part_count; i++)
        if (parts[i].refused < work->refused)
            work->refused = parts[i].refused;
}

/* Raises RuntimeError and returns false if another thread is using the batch. */
static bool is_free(const struct lab_batch *batch)
{
    if (batch->is_busy)
        PyErr_SetString(PyExc_RuntimeError,
                        "another thread is using this Batch; give each thread its own Batch");
    return !batch->is_busy;
}

/* Runs run_fn for all games, without the interpreter's lock. The caller has set is_busy. */
static void run_unlocked(struct work *work, void (*run_fn)(struct work *work, size_t i))
{
    work->run_fn = run_fn;
    Py_BEGIN_ALLOW_THREADS;
    run_all(work);
    Py_END_ALLOW_THREADS;
}

/* Runs run_fn for all games. Returns None, or NULL with an error set. */
static PyObject *run(struct lab_batch *batch, struct work *work,
                     void (*run_fn)(struct work *work, size_t i))
{
    if (!is_free(batch))
        return NULL;
    batch->is_busy = true;
    work->batch = batch;
    run_unlocked(work, run_fn);
    batch->is_busy = false;
    Py_RETURN_NONE;
}

/* The arrays that Batch._fill fills. */
static const struct {
    const char *name;
    void (*run_fn)(struct work *work, size_t i);
    size_t item_bytes, items; /* items of each game; 0: one for each seat */
    char format;
    bool draws; /* uses random numbers */
} arrays[] = {
    {"observations", observe_one, sizeof(int16_t), LAB_NUMBERS, 'h', false},
    {"masks", mask_one, 1, LAB_ACTIONS, '?', false},
    {"players", player_one, 1, 1, 'b', false},
    {"scores", score_one, sizeof(int32_t), 0, 'i', false},
    {"ranks", rank_one, sizeof(int32_t), 0, 'i', false},
    {"sample", sample_one, sizeof(int32_t), 1, 'i', true},
    {"greedy", greedy_one, sizeof(int32_t), 1, 'i', false},
    {"steady", steady_one, sizeof(int32_t), 1, 'i', false},
};

/* _fill(name, array, viewer): fills one of the arrays above; `viewer` is a seat, or -1. */
static PyObject *batch_fill(PyObject *self, PyObject *arguments)
{
    struct lab_batch *batch = batch_of(self);
    struct work work = {0};
    size_t i = 0, items;
    const char *name;
    PyObject *array, *result;
    Py_buffer view;

    if (!PyArg_ParseTuple(arguments, "sOi:_fill", &name, &array, &work.viewer) || !is_free(batch))
        return NULL;
    while (i < sizeof arrays / sizeof *arrays && strcmp(arrays[i].name, name) != 0)
        i++;
    if (i == sizeof arrays / sizeof *arrays)
        return PyErr_Format(PyExc_ValueError, "no array has the name '%s'", name);
    if (work.viewer < -1 || work.viewer >= batch->player_count)
        return PyErr_Format(PyExc_IndexError, "seat: 0 to %d, not %d", batch->player_count - 1,
                            work.viewer);
    items = arrays[i].items ? arrays[i].items : (size_t)batch->player_count;
    if (!lab_take_array(array, &view, name, arrays[i].format, arrays[i].item_bytes,
                        (size_t)batch->count * items, true))
        return NULL;
    if (arrays[i].draws)
        work.random = draw_next(&batch->random);
    if (arrays[i].run_fn == steady_one)
        work.weights = lab_weights(&batch->games[0]);
    work.filled = view.buf;
    result = run(batch, &work, arrays[i].run_fn);
    PyBuffer_Release(&view);
    return result;
}

static PyObject *batch_play_out(PyObject *self, PyObject *none)
{
    struct work work = {0};

    (void)none;
    if (!is_free(batch_of(self)))
        return NULL;
    work.random = draw_next(&batch_of(self)->random);
    return run(batch_of(self), &work, play_out_one);
}

static PyObject *batch_reset(PyObject *self, PyObject *chosen)
{
    struct lab_batch *batch = batch_of(self);
    struct work work = {0};
    Py_buffer view;
    PyObject *result;

    if (!is_free(batch) || (chosen != Py_None && !lab_take_array(chosen, &view, "which", '?', 1,
                                                                 (size_t)batch->count, false)))
        return NULL;
    work.random = draw_next(&batch->random);
    work.chosen = chosen == Py_None ? NULL : view.buf;
    result = run(batch, &work, deal_one);
    if (chosen != Py_None)
        PyBuffer_Release(&view);
    return result;
}

/* Raises IllegalAction with the number of the game that refused its action. Returns NULL. */
static PyObject *raise_refusal(const struct work *work)
{
    size_t i = work->refused;
    int32_t index = work->actions[i];
    char where[32];

    PyOS_snprintf(where, sizeof where, "game %zu: ", i);
    if (index < 0 || index >= LAB_ACTIONS)
        return PyErr_Format(lab_illegal_action,
                            "%saction: must be 0 to %d, or -1 once the game is over, not %d", where,
                            LAB_ACTIONS - 1, (int)index);
    return lab_refuse(&work->batch->games[i], index, where);
}

/* An array among the arguments of a call. */
struct wanted {
    const char *name;
    size_t item_bytes, length;
    char format;
    bool writes;
};

/* Gets views of `count` arrays. Returns false, with an error set and no view left, on failure. */
static bool take_arrays(PyObject *const *objects, const struct wanted *wanted, size_t count,
                        Py_buffer *views)
{
    for (size_t i = 0; i < count; i++) {
        if (lab_take_array(objects[i], &views[i], wanted[i].name, wanted[i].format,
                           wanted[i].item_bytes, wanted[i].length, wanted[i].writes))
            continue;
        while (i-- > 0)
            PyBuffer_Release(&views[i]);
        return false;
    }
    return true;
}

static void release(Py_buffer *views, size_t count)
{
    for (size_t i = 0; i < count; i++)
        PyBuffer_Release(&views[i]);
}

/*
 * _step(actions, rewards, dones): checks all actions, then plays them. No other thread may change
 * the array of actions meanwhile: Batch.step makes it.
 */
static PyObject *batch_step(PyObject *self, PyObject *arguments)
{
    struct lab_batch *batch = batch_of(self);
    const size_t count = (size_t)batch->count;
    const struct wanted wanted[] = {
        {"actions", sizeof(int32_t), count, 'i', false},
        {"rewards", sizeof(int32_t), count * (size_t)batch->player_count, 'i', true},
        {"dones", 1, count, '?', true},
    };
    PyObject *objects[3], *result;
    struct work work = {.refused = SIZE_MAX};
    Py_buffer views[3];

    if (!PyArg_ParseTuple(arguments, "OOO:_step", &objects[0], &objects[1], &objects[2]) ||
        !take_arrays(objects, wanted, 3, views))
        return NULL;
    work.actions = views[0].buf;
    work.rewards = views[1].buf;
    work.dones = views[2].buf;
    result = run(batch, &work, judge_one);
    if (result && work.refused != SIZE_MAX) {
        Py_DECREF(result);
        result = raise_refusal(&work);
    } else if (result) {
        Py_DECREF(result);
        result = run(batch, &work, step_one);
    }
    release(views, 3);
    return result;
}

/*
 * Calls the Python function `allocate` to make the arrays for `total` rows, and fills the arrays.
 * Returns the tuple of arrays, or NULL with an error set.
 */
static PyObject *fill_rows(struct work *work, PyObject *allocate, size_t total)
{
    const struct wanted wanted[] = {
        {"games", sizeof(int64_t), total, 'l', true},
        {"actions", sizeof(int32_t), total, 'i', true},
        {"observations", sizeof(int16_t), total * LAB_NUMBERS, 'h', true},
    };
    PyObject *arrays_made = PyObject_CallFunction(allocate, "n", (Py_ssize_t)total), *objects[3];
    Py_buffer views[3];

    if (arrays_made && !PyTuple_Check(arrays_made))
        PyErr_SetString(PyExc_TypeError, "three arrays are expected");
    if (PyErr_Occurred() ||
        !PyArg_ParseTuple(arrays_made, "OOO", &objects[0], &objects[1], &objects[2]) ||
        !take_arrays(objects, wanted, 3, views)) {
        Py_XDECREF(arrays_made);
        return NULL;
    }
    work->owners = views[0].buf;
    work->actions = views[1].buf;
    work->observations = views[2].buf;
    run_unlocked(work, look_ahead_one);
    release(views, 3);
    return arrays_made;
}

static PyObject *batch_look_ahead(PyObject *self, PyObject *arguments)
{
    struct lab_batch *batch = batch_of(self);
    const size_t count = (size_t)batch->count;
    struct work work = {.batch = batch};
    PyObject *allocate, *rows;
    int all_passes;

    if (!PyArg_ParseTuple(arguments, "Op:_look_ahead", &allocate, &all_passes) || !is_free(batch))
        return NULL;
    work.all_passes = all_passes;
    work.offsets = PyMem_Calloc(count + 1, sizeof *work.offsets);
    if (!work.offsets)
        return PyErr_NoMemory();
    batch->is_busy = true;
    work.random = draw_next(&batch->random);
    run_unlocked(&work, count_one);
    for (size_t i = 0; i < count; i++)
        work.offsets[i + 1] += work.offsets[i];
    rows = fill_rows(&work, allocate, (size_t)work.offsets[count]);
    batch->is_busy = false;
    PyMem_Free(work.offsets);
    return rows;
}

/* ---- single games, copies ---- */

static struct game *game_at(PyObject *self, Py_ssize_t index)
{
    struct lab_batch *batch = batch_of(self);

    if (!is_free(batch))
        return NULL;
    if (index >= 0 && index < batch->count)
        return &batch->games[index];
    PyErr_Format(PyExc_IndexError, "game: 0 to %zd, not %zd", batch->count - 1, index);
    return NULL;
}

static PyObject *batch_get(PyObject *self, PyObject *arguments)
{
    const struct game *game;
    PyObject *type;
    Py_ssize_t index;

    if (!PyArg_ParseTuple(arguments, "nO:_get", &index, &type) || !(game = game_at(self, index)))
        return NULL;
    if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)(void *)type, lab_game_type))
        return PyErr_Format(PyExc_TypeError, "the argument must be a subtype of Game");
    return lab_game_new((PyTypeObject *)(void *)type, game);
}

static PyObject *batch_put(PyObject *self, PyObject *arguments)
{
    struct lab_batch *batch = batch_of(self);
    const struct game *game;
    struct game *place;
    PyObject *object;
    Py_ssize_t index;

    if (!PyArg_ParseTuple(arguments, "nO:put", &index, &object) ||
        !(place = game_at(self, index)) || !(game = lab_game_of(object)))
        return NULL;
    if (game->player_count != batch->player_count || game->board != batch->board)
        return PyErr_Format(
            PyExc_ValueError,
            "the game differs from the Batch in its number of players or its board");
    *place = *game;
    Py_RETURN_NONE;
}

static PyObject *allocate_batch(PyTypeObject *type, Py_ssize_t count)
{
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = alloc(type, 0);

    if (!self)
        return NULL;
    batch_of(self)->games = PyMem_Calloc((size_t)count, sizeof(struct game));
    batch_of(self)->count = count;
    if (batch_of(self)->games)
        return self;
    Py_DECREF(self);
    return PyErr_NoMemory();
}

static PyObject *batch_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"count", "players", "board", "seed", NULL};
    uint8_t seed[GAME_SEED_BYTES];
    const char *board = "colored";
    PyObject *seed_object = NULL, *self, *dealt;
    struct lab_batch *batch;
    enum board_side side;
    Py_ssize_t count;
    int player_count = 2;

    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "n|isO:Batch", names, &count,
                                     &player_count, &board, &seed_object) ||
        !lab_read_terms(player_count, board, &side) || !lab_read_seed(seed_object, seed))
        return NULL;
    if (count < 1 || count > GAMES_MAX)
        return PyErr_Format(PyExc_ValueError, "count: 1 to %d, not %zd", GAMES_MAX, count);
    self = allocate_batch(type, count);
    if (!self)
        return NULL;
    batch = batch_of(self);
    batch->player_count = player_count;
    batch->board = side;
    batch->random = draw_number(seed, DRAW_SERIES, 0);
    dealt = batch_reset(self, Py_None);
    Py_XDECREF(dealt);
    return self;
}

static PyObject *batch_copy(PyObject *self, PyObject *none)
{
    const struct lab_batch *batch = batch_of(self);
    PyObject *copy;

    (void)none;
    if (!game_at(self, 0) || !(copy = allocate_batch(Py_TYPE(self), batch->count)))
        return NULL;
    memcpy(batch_of(copy)->games, batch->games, (size_t)batch->count * sizeof *batch->games);
    batch_of(copy)->player_count = batch->player_count;
    batch_of(copy)->board = batch->board;
    batch_of(copy)->random = batch->random;
    return copy;
}

static void batch_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc free_fn = (freefunc)PyType_GetSlot(type, Py_tp_free);

    PyMem_Free(batch_of(self)->games);
    free_fn(self);
    Py_DECREF((PyObject *)(void *)type);
}

static PyObject *batch_compare(PyObject *self, PyObject *other, int operator)
{
    const struct lab_batch *a = batch_of(self), *b = batch_of(other);
    bool is_equal;

    if (!PyType_IsSubtype(Py_TYPE(other), lab_batch_type) ||
        (operator!= Py_EQ && operator!= Py_NE)) {
        Py_INCREF(Py_NotImplemented);
        return Py_NotImplemented;
    }
    if (!game_at(self, 0) || !game_at(other, 0))
        return NULL;
    is_equal = a->count == b->count && a->random == b->random &&
               memcmp(a->games, b->games, (size_t)a->count * sizeof *a->games) == 0;
    return PyBool_FromLong(is_equal == (operator== Py_EQ));
}

static PyObject *batch_board(PyObject *self, void *none)
{
    (void)none;
    return PyUnicode_FromString(notation_boards[batch_of(self)->board]);
}

static PyGetSetDef fields[] = {
    {"board", batch_board, NULL, "'colored' or 'gray'."},
    {NULL},
};

static PyMemberDef members[] = {
    {"count", T_PYSSIZET, offsetof(struct lab_batch, count), READONLY, "Number of games."},
    {"players", T_INT, offsetof(struct lab_batch, player_count), READONLY,
     "Number of seats of each game."},
    {"_random", T_ULONG, offsetof(struct lab_batch, random), 0, NULL},
    {NULL},
};

static PyMethodDef methods[] = {
    {"play_out", batch_play_out, METH_NOARGS,
     "play_out()\n\nPlays every game to its end with random actions; a seat that can place a tile "
     "never passes."},
    {"put", batch_put, METH_VARARGS,
     "put(index, game)\n\nReplaces a game of the batch with a copy of `game`, which needs the same "
     "players and board."},
    {"copy", batch_copy, METH_NOARGS,
     "copy()\n\nReturns a copy of the batch; the copy will draw the same tiles."},
    {"_fill", batch_fill, METH_VARARGS, NULL},
    {"_reset", batch_reset, METH_O, NULL},
    {"_step", batch_step, METH_VARARGS, NULL},
    {"_look_ahead", batch_look_ahead, METH_VARARGS, NULL},
    {"_get", batch_get, METH_VARARGS, NULL},
    {NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)batch_new},
    {Py_tp_dealloc, (void *)batch_dealloc},
    {Py_tp_richcompare, (void *)batch_compare},
    {Py_tp_hash, (void *)PyObject_HashNotImplemented},
    {Py_tp_methods, methods},
    {Py_tp_getset, fields},
    {Py_tp_members, members},
    {0},
};

PyType_Spec lab_batch_spec = {
    .name = "pavilion_lab._engine.Batch",
    .basicsize = sizeof(struct lab_batch),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};
