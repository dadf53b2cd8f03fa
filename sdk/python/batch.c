/*
 * The type Batch: many games with equal settings. Each call works on arrays for all games at once,
 * on all cores, without the interpreter's lock. pavilion_lab/__init__.py makes the arrays; this
 * file checks their item types and lengths again, and lets only one thread at a time use a Batch.
 */
#include <pthread.h>
#include <sched.h>
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
    size_t count;
    int player_count;
    enum board_side board;
    uint64_t random; /* state of the random generator for actions and deals */
    bool is_busy;    /* a thread is inside a call of this Batch */
};

/*
 * The part of one call for the games `first` to `end` - 1, with its arrays; NULL: the call does not
 * use the array.
 */
struct work {
    struct lab_batch *batch;
    void (*run_fn)(struct work *work, size_t i);
    size_t first, end;
    bool draws;      /* this call needs random numbers */
    uint64_t random; /* random number from which the games' random numbers follow (random_of), if
                        draws is set */
    int viewer;
    bool all_passes;
    const struct weights_set *weights;
    const bool *chosen;
    int32_t *actions;
    int16_t *observations;
    uint8_t *masks;
    int32_t *numbers;
    bool *dones;
    int8_t *players;
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

    lab_write_numbers(game, viewer, work->observations + i * LAB_NUMBERS);
}

static void mask_one(struct work *work, size_t i)
{
    lab_write_mask(&work->batch->games[i], work->masks + i * LAB_ACTIONS);
}

static void player_one(struct work *work, size_t i)
{
    work->players[i] = work->batch->games[i].player;
}

static void score_one(struct work *work, size_t i)
{
    int count = work->batch->player_count;

    for (int seat = 0; seat < count; seat++)
        work->numbers[i * (size_t)count + (size_t)seat] = game_score(&work->batch->games[i], seat);
}

static void rank_one(struct work *work, size_t i)
{
    int count = work->batch->player_count;

    for (int seat = 0; seat < count; seat++)
        work->numbers[i * (size_t)count + (size_t)seat] = game_rank(&work->batch->games[i], seat);
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
    int32_t *reward = work->numbers + i * (size_t)count;

    for (int seat = 0; seat < count; seat++)
        reward[seat] = -game_score(game, seat);
    if (!game_is_over(game))
        game_play(game, lab_action(work->actions[i]));
    for (int seat = 0; seat < count; seat++)
        reward[seat] += game_score(game, seat);
    work->dones[i] = game_is_over(game);
}

static void sample_one(struct work *work, size_t i)
{
    const struct game *game = &work->batch->games[i];

    work->actions[i] =
        game_is_over(game) ? -1 : lab_index(game_draw_action(game, random_of(work, i)));
}

static void greedy_one(struct work *work, size_t i)
{
    const struct game *game = &work->batch->games[i];

    work->actions[i] = game_is_over(game) ? -1 : lab_index(policy_greedy(game));
}

static void steady_one(struct work *work, size_t i)
{
    const struct game *game = &work->batch->games[i];
    int32_t worth;

    work->actions[i] =
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
    size_t count = work->batch->count, part_count = count / GAMES_PER_THREAD, started = 1;
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

/* Begins a call. Returns false, with an error set, if another thread is using the batch. */
static bool enter(PyObject *self, struct work *work)
{
    struct lab_batch *batch = batch_of(self);

    if (batch->is_busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "another thread is using this Batch; give each thread its own Batch");
        return false;
    }
    batch->is_busy = true;
    work->batch = batch;
    if (work->draws)
        work->random = draw_next(&batch->random);
    work->refused = SIZE_MAX;
    return true;
}

static void leave(struct work *work)
{
    work->batch->is_busy = false;
}

static void run_unlocked(struct work *work, void (*run_fn)(struct work *work, size_t i))
{
    work->run_fn = run_fn;
    Py_BEGIN_ALLOW_THREADS;
    run_all(work);
    Py_END_ALLOW_THREADS;
}

/* Makes a call that fills one array. Returns None, or NULL with an error set. */
static PyObject *fill(PyObject *self, PyObject *array, const char *name, char format,
                      size_t item_bytes, size_t items, void (*run_fn)(struct work *, size_t),
                      struct work *work, void **pointer)
{
    Py_buffer view;

    if (!lab_take_array(array, &view, name, format, item_bytes, batch_of(self)->count * items,
                        true))
        return NULL;
    if (!enter(self, work)) {
        PyBuffer_Release(&view);
        return NULL;
    }
    *pointer = view.buf;
    run_unlocked(work, run_fn);
    leave(work);
    PyBuffer_Release(&view);
    Py_RETURN_NONE;
}

static PyObject *fill_actions(PyObject *self, PyObject *array, struct work *work,
                              void (*run_fn)(struct work *, size_t))
{
    return fill(self, array, "actions", 'i', sizeof(int32_t), 1, run_fn, work,
                (void **)&work->actions);
}

static PyObject *batch_observe(PyObject *self, PyObject *arguments)
{
    struct work work = {0};
    PyObject *array;

    if (!PyArg_ParseTuple(arguments, "Oi:_observe", &array, &work.viewer))
        return NULL;
    if (work.viewer < -1 || work.viewer >= batch_of(self)->player_count)
        return PyErr_Format(PyExc_IndexError, "seat: 0 to %d, not %d",
                            batch_of(self)->player_count - 1, work.viewer);
    return fill(self, array, "observations", 'h', sizeof(int16_t), LAB_NUMBERS, observe_one, &work,
                (void **)&work.observations);
}

static PyObject *batch_masks(PyObject *self, PyObject *array)
{
    struct work work = {0};

    return fill(self, array, "masks", '?', 1, LAB_ACTIONS, mask_one, &work, (void **)&work.masks);
}

static PyObject *batch_player(PyObject *self, PyObject *array)
{
    struct work work = {0};

    return fill(self, array, "players", 'b', 1, 1, player_one, &work, (void **)&work.players);
}

static PyObject *fill_seats(PyObject *self, PyObject *array, void (*run_fn)(struct work *, size_t))
{
    struct work work = {0};

    return fill(self, array, "numbers", 'i', sizeof(int32_t), (size_t)batch_of(self)->player_count,
                run_fn, &work, (void **)&work.numbers);
}

static PyObject *batch_scores(PyObject *self, PyObject *array)
{
    return fill_seats(self, array, score_one);
}

static PyObject *batch_ranks(PyObject *self, PyObject *array)
{
    return fill_seats(self, array, rank_one);
}

static PyObject *batch_sample(PyObject *self, PyObject *array)
{
    struct work work = {.draws = true};

    return fill_actions(self, array, &work, sample_one);
}

static PyObject *batch_greedy(PyObject *self, PyObject *array)
{
    struct work work = {0};

    return fill_actions(self, array, &work, greedy_one);
}

static PyObject *batch_steady(PyObject *self, PyObject *array)
{
    struct work work = {.weights = lab_weights(&batch_of(self)->games[0])};

    return fill_actions(self, array, &work, steady_one);
}

static PyObject *batch_play_out(PyObject *self, PyObject *none)
{
    struct work work = {.draws = true};

    (void)none;
    if (!enter(self, &work))
        return NULL;
    run_unlocked(&work, play_out_one);
    leave(&work);
    Py_RETURN_NONE;
}

static PyObject *batch_reset(PyObject *self, PyObject *chosen)
{
    struct work work = {.draws = true};
    Py_buffer view;

    if (chosen != Py_None &&
        !lab_take_array(chosen, &view, "which", '?', 1, batch_of(self)->count, false))
        return NULL;
    if (enter(self, &work)) {
        work.chosen = chosen == Py_None ? NULL : view.buf;
        run_unlocked(&work, deal_one);
        leave(&work);
    }
    if (chosen != Py_None)
        PyBuffer_Release(&view);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

/* Raises IllegalAction with the number of the game that refused its action. */
static void raise_refusal(const struct work *work)
{
    size_t i = work->refused;
    int32_t index = work->actions[i];
    char where[32];

    PyOS_snprintf(where, sizeof where, "game %zu: ", i);
    if (index < 0 || index >= LAB_ACTIONS)
        PyErr_Format(lab_illegal_action,
                     "%saction: must be 0 to %d, or -1 once the game is over, not %d", where,
                     LAB_ACTIONS - 1, (int)index);
    else
        lab_refuse(&work->batch->games[i], index, where);
}

/*
 * Checks and plays a copy of the actions, because the caller's array may change while the
 * interpreter's lock is released.
 */
static PyObject *step_copy(PyObject *self, const int32_t *actions, int32_t *rewards, bool *dones)
{
    struct work work = {.numbers = rewards, .dones = dones};
    size_t bytes = batch_of(self)->count * sizeof *actions;

    work.actions = PyMem_Malloc(bytes);
    if (!work.actions)
        return PyErr_NoMemory();
    memcpy(work.actions, actions, bytes);
    if (enter(self, &work)) {
        run_unlocked(&work, judge_one);
        if (work.refused == SIZE_MAX)
            run_unlocked(&work, step_one);
        else
            raise_refusal(&work);
        leave(&work);
    }
    PyMem_Free(work.actions);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *batch_step(PyObject *self, PyObject *arguments)
{
    PyObject *objects[3], *result = NULL;
    Py_buffer actions, rewards, dones;
    size_t count = batch_of(self)->count;
    size_t seats = count * (size_t)batch_of(self)->player_count;

    if (!PyArg_ParseTuple(arguments, "OOO:_step", &objects[0], &objects[1], &objects[2]) ||
        !lab_take_array(objects[0], &actions, "actions", 'i', sizeof(int32_t), count, false))
        return NULL;
    if (lab_take_array(objects[1], &rewards, "rewards", 'i', sizeof(int32_t), seats, true)) {
        if (lab_take_array(objects[2], &dones, "dones", '?', 1, count, true)) {
            result = step_copy(self, actions.buf, rewards.buf, dones.buf);
            PyBuffer_Release(&dones);
        }
        PyBuffer_Release(&rewards);
    }
    PyBuffer_Release(&actions);
    return result;
}

/*
 * Calls the Python function `allocate` to make the arrays for `total` rows, and fills the arrays.
 */
static PyObject *fill_rows(struct work *work, PyObject *allocate, size_t total)
{
    PyObject *arrays = PyObject_CallFunction(allocate, "n", (Py_ssize_t)total), *objects[3];
    Py_buffer owners, actions, observations;
    bool filled = false;

    if (arrays && !PyTuple_Check(arrays))
        PyErr_SetString(PyExc_TypeError, "three arrays are expected");
    if (PyErr_Occurred() ||
        !PyArg_ParseTuple(arrays, "OOO", &objects[0], &objects[1], &objects[2])) {
        Py_XDECREF(arrays);
        return NULL;
    }
    if (lab_take_array(objects[0], &owners, "games", 'l', sizeof(int64_t), total, true)) {
        if (lab_take_array(objects[1], &actions, "actions", 'i', sizeof(int32_t), total, true)) {
            if (lab_take_array(objects[2], &observations, "observations", 'h', sizeof(int16_t),
                               total * LAB_NUMBERS, true)) {
                work->owners = owners.buf;
                work->actions = actions.buf;
                work->observations = observations.buf;
                run_unlocked(work, look_ahead_one);
                filled = true;
                PyBuffer_Release(&observations);
            }
            PyBuffer_Release(&actions);
        }
        PyBuffer_Release(&owners);
    }
    if (filled)
        return arrays;
    Py_DECREF(arrays);
    return NULL;
}

static PyObject *batch_look_ahead(PyObject *self, PyObject *arguments)
{
    size_t count = batch_of(self)->count;
    struct work work = {.draws = true};
    PyObject *allocate, *rows = NULL;
    int all_passes;

    if (!PyArg_ParseTuple(arguments, "Op:_look_ahead", &allocate, &all_passes))
        return NULL;
    work.all_passes = all_passes;
    work.offsets = PyMem_Calloc(count + 1, sizeof *work.offsets);
    if (!work.offsets)
        return PyErr_NoMemory();
    if (enter(self, &work)) {
        run_unlocked(&work, count_one);
        for (size_t i = 0; i < count; i++)
            work.offsets[i + 1] += work.offsets[i];
        rows = fill_rows(&work, allocate, (size_t)work.offsets[count]);
        leave(&work);
    }
    PyMem_Free(work.offsets);
    return rows;
}

/* ---- single games, copies ---- */

static struct game *game_at(PyObject *self, Py_ssize_t index)
{
    struct lab_batch *batch = batch_of(self);

    if (index >= 0 && (size_t)index < batch->count && !batch->is_busy)
        return &batch->games[index];
    if (batch->is_busy)
        PyErr_SetString(PyExc_RuntimeError,
                        "another thread is using this Batch; give each thread its own Batch");
    else
        PyErr_Format(PyExc_IndexError, "game: 0 to %zu, not %zd", batch->count - 1, index);
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

static PyObject *allocate_batch(PyTypeObject *type, size_t count)
{
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = alloc(type, 0);

    if (!self)
        return NULL;
    batch_of(self)->games = PyMem_Calloc(count, sizeof(struct game));
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
    self = allocate_batch(type, (size_t)count);
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
    memcpy(batch_of(copy)->games, batch->games, batch->count * sizeof *batch->games);
    batch_of(copy)->player_count = batch->player_count;
    batch_of(copy)->board = batch->board;
    batch_of(copy)->random = batch->random;
    return copy;
}

static PyObject *batch_get_random(PyObject *self, PyObject *none)
{
    (void)none;
    return PyLong_FromUnsignedLongLong(batch_of(self)->random);
}

static PyObject *batch_set_random(PyObject *self, PyObject *number)
{
    uint64_t random = PyLong_AsUnsignedLongLongMask(number);

    if (PyErr_Occurred())
        return NULL;
    batch_of(self)->random = random;
    Py_RETURN_NONE;
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
               memcmp(a->games, b->games, a->count * sizeof *a->games) == 0;
    return PyBool_FromLong(is_equal == (operator== Py_EQ));
}

static PyObject *batch_count(PyObject *self, void *none)
{
    (void)none;
    return PyLong_FromSize_t(batch_of(self)->count);
}

static PyObject *batch_players(PyObject *self, void *none)
{
    (void)none;
    return PyLong_FromLong(batch_of(self)->player_count);
}

static PyObject *batch_board(PyObject *self, void *none)
{
    (void)none;
    return PyUnicode_FromString(notation_boards[batch_of(self)->board]);
}

static PyGetSetDef fields[] = {
    {"count", batch_count, NULL, "Number of games."},
    {"players", batch_players, NULL, "Number of seats of each game."},
    {"board", batch_board, NULL, "'colored' or 'gray'."},
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
    {"_observe", batch_observe, METH_VARARGS, NULL},
    {"_masks", batch_masks, METH_O, NULL},
    {"_player", batch_player, METH_O, NULL},
    {"_scores", batch_scores, METH_O, NULL},
    {"_ranks", batch_ranks, METH_O, NULL},
    {"_sample", batch_sample, METH_O, NULL},
    {"_greedy", batch_greedy, METH_O, NULL},
    {"_steady", batch_steady, METH_O, NULL},
    {"_reset", batch_reset, METH_O, NULL},
    {"_step", batch_step, METH_VARARGS, NULL},
    {"_look_ahead", batch_look_ahead, METH_VARARGS, NULL},
    {"_get", batch_get, METH_VARARGS, NULL},
    {"_get_random", batch_get_random, METH_NOARGS, NULL},
    {"_set_random", batch_set_random, METH_O, NULL},
    {NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)batch_new},
    {Py_tp_dealloc, (void *)batch_dealloc},
    {Py_tp_richcompare, (void *)batch_compare},
    {Py_tp_hash, (void *)PyObject_HashNotImplemented},
    {Py_tp_methods, methods},
    {Py_tp_getset, fields},
    {0},
};

PyType_Spec lab_batch_spec = {
    .name = "pavilion_lab._engine.Batch",
    .basicsize = sizeof(struct lab_batch),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};
