/* SPDX-License-Identifier: MIT */
/*
 * The type Batch: many games, of equal settings or each with its own. Each call works on arrays for
 * all games at once, on all cores, without the interpreter's lock. pavilion_lab/__init__.py makes
 * the arrays; this file checks their item types and lengths again, and lets only one thread at a
 * time use a Batch.
 */
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>

#include "sdk/steady/steady.h"
#include "engine/draw.h"
#include "engine/notation.h"
#include "sdk/policy.h"
#include "sdk/python/choose.h"
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
    int seat_count;    /* seats in arrays by seat: the players of the largest game */
    const char *board; /* "colored", "gray", or "mixed" */
    int least_count;   /* players of the smallest game */
    bool deals_anew;   /* step deals a game anew once it is over */
    uint64_t random;   /* state of the random generator for actions and deals */
    bool is_busy;      /* a thread is inside a call of this Batch */
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
    void *filled;       /* the array that _fill fills */
    int32_t *actions;
    int32_t *rewards;
    int32_t *ranks;
    bool *dones;
    int16_t *observations;
    int64_t *offsets; /* look_ahead: index of each game's first row in the arrays, then the number
                         of rows */
    int64_t *owners;
    const void *logits; /* choose: a logit for each row, or for each action of each game */
    void *log_chances;
    bool takes_best; /* choose: the highest logit, not by chance */
    size_t refused;  /* the first game whose action or logits were refused, or SIZE_MAX */
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
    struct game *game = &work->batch->games[i];
    uint8_t seed[GAME_SEED_BYTES];

    if (work->chosen && !work->chosen[i])
        return;
    seed_of(random_of(work, i), seed);
    game_init(game, game->player_count, (enum board_side)game->board, seed);
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

/* Writes a number of each seat of one game; 0 for seats that the game lacks. */
static void write_seats(const struct work *work, size_t i, int32_t *numbers,
                        int (*number_fn)(const struct game *game, int seat))
{
    const struct game *game = &work->batch->games[i];
    const int count = work->batch->seat_count;

    for (int seat = 0; seat < count; seat++)
        numbers[i * (size_t)count + (size_t)seat] =
            seat < game->player_count ? number_fn(game, seat) : 0;
}

static void score_one(struct work *work, size_t i)
{
    write_seats(work, i, work->filled, game_score);
}

static void rank_one(struct work *work, size_t i)
{
    write_seats(work, i, work->filled, game_rank);
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
    size_t count = (size_t)work->batch->seat_count;
    int32_t *reward = work->rewards + i * count;

    memset(reward, 0, count * sizeof *reward);
    for (int seat = 0; seat < game->player_count; seat++)
        reward[seat] = -game_score(game, seat);
    if (!game_is_over(game))
        game_play(game, lab_action(work->actions[i]));
    for (int seat = 0; seat < game->player_count; seat++)
        reward[seat] += game_score(game, seat);
    work->dones[i] = game_is_over(game);
    if (work->dones[i])
        write_seats(work, i, work->ranks, game_rank);
    else
        memset(work->ranks + i * count, 0, count * sizeof *work->ranks);
    if (work->dones[i] && work->batch->deals_anew)
        deal_one(work, i);
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

    ((int32_t *)work->filled)[i] = game_is_over(game) ? -1 : lab_index(sdk_greedy(NULL, game));
}

static void steady_one(struct work *work, size_t i)
{
    const struct game *game = &work->batch->games[i];
    int32_t worth;

    ((int32_t *)work->filled)[i] =
        game_is_over(game) ? -1 : lab_index(steady_choose(lab_weights(game), game, &worth));
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

/* ---- a policy's step ---- */

/* Lists the legal actions of every game, each with its game. */
static void list_one(struct work *work, size_t i)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = list_actions(work, &work->batch->games[i], actions);

    for (size_t j = 0; j < count; j++) {
        work->owners[(size_t)work->offsets[i] + j] = (int64_t)i;
        work->actions[(size_t)work->offsets[i] + j] = lab_index(actions[j]);
    }
}

/*
 * Chooses among the legal actions of one game by logits[i * LAB_ACTIONS + index], or among the rows
 * of a list (offsets) by the logit of each row.
 */
static void choose_one(struct work *work, size_t i)
{
    const int32_t *listed = work->actions;
    struct action actions[GAME_ACTIONS_MAX];
    int32_t indexes[GAME_ACTIONS_MAX];
    logit *log_chance = (logit *)work->log_chances + i;
    const logit *logits = work->logits;
    size_t count;
    int item;

    if (work->offsets) {
        listed += work->offsets[i];
        logits += work->offsets[i];
        count = (size_t)(work->offsets[i + 1] - work->offsets[i]);
    } else {
        listed = indexes;
        logits += i * LAB_ACTIONS;
        count = game_legal_actions(&work->batch->games[i], actions);
        for (size_t j = 0; j < count; j++)
            indexes[j] = lab_index(actions[j]);
    }
    ((int32_t *)work->filled)[i] = -1;
    *log_chance = 0;
    if (count == 0)
        return;
    item = choose_item(logits, work->offsets ? NULL : indexes, count, work->takes_best,
                       random_of(work, i), log_chance);
    if (item >= 0)
        ((int32_t *)work->filled)[i] = listed[item];
    else if (i < work->refused)
        work->refused = i;
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

/* _fill(name, array, viewer): fills one of the arrays above; `viewer` is a seat, or None. */
static PyObject *batch_fill(PyObject *self, PyObject *arguments)
{
    struct lab_batch *batch = batch_of(self);
    struct work work = {0};
    size_t i = 0, items;
    const char *name;
    PyObject *array, *viewer, *result;
    long seat = -1;
    Py_buffer view;

    if (!PyArg_ParseTuple(arguments, "sOO:_fill", &name, &array, &viewer) || !is_free(batch))
        return NULL;
    while (i < sizeof arrays / sizeof *arrays && strcmp(arrays[i].name, name) != 0)
        i++;
    if (i == sizeof arrays / sizeof *arrays)
        return PyErr_Format(PyExc_ValueError, "no array has the name '%s'", name);
    if (viewer != Py_None &&
        !lab_read_int(viewer, "seat", 0, batch->least_count - 1, PyExc_IndexError, &seat))
        return NULL;
    work.viewer = (int)seat;
    items = arrays[i].items ? arrays[i].items : (size_t)batch->seat_count;
    if (!lab_take_array(array, &view, name, arrays[i].format, arrays[i].item_bytes,
                        (size_t)batch->count * items, true))
        return NULL;
    if (arrays[i].draws)
        work.random = draw_next(&batch->random);
    for (Py_ssize_t j = 0; arrays[i].run_fn == steady_one && j < batch->count; j++)
        lab_weights(&batch->games[j]); /* loads them while the GIL is held */
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
 * _step(actions, rewards, dones, ranks): checks all actions, then plays them. No other thread may
 * change the array of actions meanwhile: Batch.step makes it.
 */
static PyObject *batch_step(PyObject *self, PyObject *arguments)
{
    struct lab_batch *batch = batch_of(self);
    const size_t count = (size_t)batch->count;
    const struct wanted wanted[] = {
        {"actions", sizeof(int32_t), count, 'i', false},
        {"rewards", sizeof(int32_t), count * (size_t)batch->seat_count, 'i', true},
        {"dones", 1, count, '?', true},
        {"ranks", sizeof(int32_t), count * (size_t)batch->seat_count, 'i', true},
    };
    PyObject *objects[4], *result;
    struct work work = {.refused = SIZE_MAX};
    Py_buffer views[4];

    if (!PyArg_ParseTuple(arguments, "OOOO:_step", &objects[0], &objects[1], &objects[2],
                          &objects[3]) ||
        !take_arrays(objects, wanted, 4, views))
        return NULL;
    work.actions = views[0].buf;
    work.rewards = views[1].buf;
    work.dones = views[2].buf;
    work.ranks = views[3].buf;
    result = run(batch, &work, judge_one);
    if (result && work.refused != SIZE_MAX) {
        Py_DECREF(result);
        result = raise_refusal(&work);
    } else if (result) {
        Py_DECREF(result);
        if (batch->deals_anew)
            work.random = draw_next(&batch->random);
        result = run(batch, &work, step_one);
    }
    release(views, 4);
    return result;
}

/*
 * Calls the Python function `allocate` to make the arrays for `total` rows, and fills the arrays:
 * games, actions and, if has_positions is set, observations. Returns the tuple of arrays, or NULL
 * with an error set.
 */
static PyObject *fill_rows(struct work *work, PyObject *allocate, size_t total, bool has_positions)
{
    const struct wanted wanted[] = {
        {"games", sizeof(int64_t), total, 'l', true},
        {"actions", sizeof(int32_t), total, 'i', true},
        {"observations", sizeof(int16_t), total * LAB_NUMBERS, 'h', true},
    };
    const size_t count = has_positions ? 3 : 2;
    PyObject *arrays_made = PyObject_CallFunction(allocate, "n", (Py_ssize_t)total), *objects[3];
    Py_buffer views[3];

    if (!arrays_made)
        return NULL;
    if (!PyTuple_Check(arrays_made) || PyTuple_Size(arrays_made) != (Py_ssize_t)count) {
        PyErr_Format(PyExc_TypeError, "a tuple of %zu arrays is expected", count);
        Py_DECREF(arrays_made);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        objects[i] = PyTuple_GetItem(arrays_made, (Py_ssize_t)i);
    if (!take_arrays(objects, wanted, count, views)) {
        Py_DECREF(arrays_made);
        return NULL;
    }
    work->owners = views[0].buf;
    work->actions = views[1].buf;
    work->observations = has_positions ? views[2].buf : NULL;
    run_unlocked(work, has_positions ? look_ahead_one : list_one);
    release(views, count);
    return arrays_made;
}

/*
 * _list(allocate, all_passes, has_positions): the legal actions of all games; with positions, a
 * look ahead.
 */
static PyObject *batch_list(PyObject *self, PyObject *arguments)
{
    struct lab_batch *batch = batch_of(self);
    const size_t count = (size_t)batch->count;
    struct work work = {.batch = batch};
    int all_passes, has_positions;
    PyObject *allocate, *rows;

    if (!PyArg_ParseTuple(arguments, "Opp:_list", &allocate, &all_passes, &has_positions) ||
        !is_free(batch))
        return NULL;
    work.all_passes = all_passes;
    work.offsets = PyMem_Calloc(count + 1, sizeof *work.offsets);
    if (!work.offsets)
        return PyErr_NoMemory();
    batch->is_busy = true;
    if (has_positions)
        work.random = draw_next(&batch->random);
    run_unlocked(&work, count_one);
    for (size_t i = 0; i < count; i++)
        work.offsets[i + 1] += work.offsets[i];
    rows = fill_rows(&work, allocate, (size_t)work.offsets[count], has_positions);
    batch->is_busy = false;
    PyMem_Free(work.offsets);
    return rows;
}

/*
 * Turns the games of a list's rows, which must ascend, into the offsets of each game's rows.
 * Returns NULL with an error set.
 */
static int64_t *read_owners(const struct lab_batch *batch, const int64_t *owners, size_t total)
{
    int64_t *offsets = PyMem_Calloc((size_t)batch->count + 1, sizeof *offsets), game = 0;

    if (!offsets) {
        PyErr_NoMemory();
        return NULL;
    }
    for (size_t row = 0; row < total; row++) {
        int64_t owner = owners[row]; /* read once: another thread may change the array */
        bool ascends = owner >= game && owner < batch->count;

        while (ascends && game < owner)
            offsets[++game] = (int64_t)row;
        if (!ascends || row - (size_t)offsets[owner] >= CHOOSE_ITEMS_MAX) {
            PyErr_Format(PyExc_ValueError,
                         "games: row %zu: must ascend from 0 to %zd, each at most %d times, not "
                         "%lld after %lld",
                         row, batch->count - 1, CHOOSE_ITEMS_MAX, (long long)owner,
                         (long long)game);
            PyMem_Free(offsets);
            return NULL;
        }
    }
    while (game < batch->count)
        offsets[++game] = (int64_t)total;
    return offsets;
}

/*
 * _choose(logits, chosen, log_chances, games, actions, total, takes_best): `games` and `actions`
 * are the `total` rows of a list, with a logit each. If `total` is -1, there is a logit for every
 * action of every game.
 */
static PyObject *batch_choose(PyObject *self, PyObject *arguments)
{
    struct lab_batch *batch = batch_of(self);
    const size_t count = (size_t)batch->count;
    PyObject *objects[5], *result = NULL;
    struct work work = {.refused = SIZE_MAX};
    Py_ssize_t total;
    Py_buffer views[5];
    int takes_best;

    if (!PyArg_ParseTuple(arguments, "OOOOOnp:_choose", &objects[0], &objects[1], &objects[2],
                          &objects[3], &objects[4], &total, &takes_best) ||
        !is_free(batch))
        return NULL;
    if (total < -1 || total > PY_SSIZE_T_MAX / 16)
        return PyErr_Format(PyExc_ValueError, "games: %zd rows are not possible", total);

    const bool is_listed = total >= 0;
    const size_t taken = is_listed ? 5 : 3;
    const struct wanted wanted[] = {
        {"logits", sizeof(logit), is_listed ? (size_t)total : count * LAB_ACTIONS, 'f', false},
        {"chosen", sizeof(int32_t), count, 'i', true},
        {"log_chances", sizeof(logit), count, 'f', true},
        {"games", sizeof(int64_t), (size_t)total, 'l', false},
        {"actions", sizeof(int32_t), (size_t)total, 'i', false},
    };

    if (!take_arrays(objects, wanted, taken, views))
        return NULL;
    work.logits = views[0].buf;
    work.filled = views[1].buf;
    work.log_chances = views[2].buf;
    work.takes_best = takes_best;
    if (is_listed) {
        work.offsets = read_owners(batch, views[3].buf, (size_t)total);
        work.actions = views[4].buf;
    }
    if (!is_listed || work.offsets) {
        work.random = draw_next(&batch->random);
        result = run(batch, &work, choose_one);
    }
    if (result && work.refused != SIZE_MAX) {
        Py_DECREF(result);
        result = PyErr_Format(PyExc_ValueError,
                              "logits: game %zu: must be numbers below infinity, and not all of "
                              "them minus infinity",
                              work.refused);
    }
    PyMem_Free(work.offsets);
    release(views, taken);
    return result;
}

/* ---- single games, copies ---- */

/* Returns the game with a number, counted from the end if it is negative; or NULL with an error. */
static struct game *game_at(PyObject *self, PyObject *object)
{
    struct lab_batch *batch = batch_of(self);
    long number;

    if (!is_free(batch) ||
        !lab_read_int(object, "game", -batch->count, batch->count - 1, PyExc_IndexError, &number))
        return NULL;
    return &batch->games[number < 0 ? number + batch->count : number];
}

static PyObject *batch_get(PyObject *self, PyObject *arguments)
{
    const struct game *game;
    PyObject *number, *type;

    if (!PyArg_ParseTuple(arguments, "OO:_get", &number, &type) || !(game = game_at(self, number)))
        return NULL;
    if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)(void *)type, lab_game_type))
        return PyErr_Format(PyExc_TypeError, "type: must be a subtype of Game, not %.80R", type);
    return lab_game_new((PyTypeObject *)(void *)type, game);
}

static PyObject *batch_put(PyObject *self, PyObject *arguments)
{
    const struct game *game;
    struct game *place;
    PyObject *number, *object;

    if (!PyArg_ParseTuple(arguments, "OO:put", &number, &object) ||
        !(place = game_at(self, number)) || !(game = lab_game_of(object)))
        return NULL;
    if (game->player_count != place->player_count || game->board != place->board)
        return PyErr_Format(PyExc_ValueError,
                            "game: must have %d players and the board '%s' like game %zd of the "
                            "Batch, not %d and '%s'",
                            (int)place->player_count, notation_boards[place->board],
                            (Py_ssize_t)(place - batch_of(self)->games), (int)game->player_count,
                            notation_boards[game->board]);
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

/* Says which game an error that is set is about. Returns false. */
static bool blame_game(Py_ssize_t i)
{
    PyObject *type, *value, *trace;

    PyErr_Fetch(&type, &value, &trace);
    PyErr_Format(type, "game %zd: %S", i, value);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return false;
}

/* Reads one game's settings. Returns false with an error set. */
static bool read_settings(struct game *game, PyObject *players, PyObject *board)
{
    enum board_side side;
    int player_count;

    if (!lab_read_terms(players, board, &player_count, &side))
        return false;
    game->player_count = (uint8_t)player_count;
    game->board = (uint8_t)side;
    return true;
}

/* Refuses a list of settings that has not an item for each game. Returns false with an error. */
static bool is_for_each(PyObject *list, const char *name, Py_ssize_t count)
{
    Py_ssize_t length = PySequence_Size(list);

    if (length >= 0 && length != count)
        PyErr_Format(PyExc_ValueError,
                     "%s: must be one, or a list of %zd, one for each game, not of %zd", name,
                     count, length);
    return length == count;
}

/* Reads the settings of all games: one for all, or a list. Returns false with an error set. */
static bool read_all_settings(struct lab_batch *batch, PyObject *players, PyObject *board)
{
    bool lists_players = players && PySequence_Check(players) && !PyUnicode_Check(players),
         lists_boards = board && PySequence_Check(board) && !PyUnicode_Check(board);

    if ((lists_players && !is_for_each(players, "players", batch->count)) ||
        (lists_boards && !is_for_each(board, "board", batch->count)))
        return false;
    batch->least_count = GAME_PLAYERS_MAX;
    for (Py_ssize_t i = 0; i < batch->count; i++) {
        struct game *game = &batch->games[i];
        PyObject *count = lists_players ? PySequence_GetItem(players, i) : players;
        PyObject *side = lists_boards ? PySequence_GetItem(board, i) : board;
        bool is_read = (count || !lists_players) && (side || !lists_boards) &&
                       read_settings(game, count, side);

        if (lists_players)
            Py_XDECREF(count);
        if (lists_boards)
            Py_XDECREF(side);
        if (!is_read)
            return lists_players || lists_boards ? blame_game(i) : false;
        if (i == 0)
            batch->board = notation_boards[game->board];
        else if (game->board != batch->games[0].board)
            batch->board = "mixed";
        if (game->player_count > batch->seat_count)
            batch->seat_count = game->player_count;
        if (game->player_count < batch->least_count)
            batch->least_count = game->player_count;
    }
    return true;
}

static PyObject *batch_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"count", "players", "board", "seed", "auto_reset", NULL};
    PyObject *count_object, *players = NULL, *board = NULL, *seed_object = NULL, *self, *dealt;
    uint8_t seed[GAME_SEED_BYTES];
    struct lab_batch *batch;
    int deals_anew = 0;
    long count;

    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OOOp:Batch", names, &count_object,
                                     &players, &board, &seed_object, &deals_anew) ||
        !lab_read_int(count_object, "count", 1, GAMES_MAX, PyExc_ValueError, &count) ||
        !lab_read_seed(seed_object, seed))
        return NULL;
    self = allocate_batch(type, count);
    if (!self)
        return NULL;
    batch = batch_of(self);
    if (!read_all_settings(batch, players, board)) {
        Py_DECREF(self);
        return NULL;
    }
    batch->deals_anew = deals_anew;
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
    if (!is_free(batch) || !(copy = allocate_batch(Py_TYPE(self), batch->count)))
        return NULL;
    memcpy(batch_of(copy)->games, batch->games, (size_t)batch->count * sizeof *batch->games);
    batch_of(copy)->seat_count = batch->seat_count;
    batch_of(copy)->least_count = batch->least_count;
    batch_of(copy)->board = batch->board;
    batch_of(copy)->deals_anew = batch->deals_anew;
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
    if (!is_free(a) || !is_free(b))
        return NULL;
    is_equal = a->count == b->count && a->random == b->random &&
               memcmp(a->games, b->games, (size_t)a->count * sizeof *a->games) == 0;
    return PyBool_FromLong(is_equal == (operator== Py_EQ));
}

static PyObject *batch_board(PyObject *self, void *none)
{
    (void)none;
    return PyUnicode_FromString(batch_of(self)->board);
}

static PyGetSetDef fields[] = {
    {"board", batch_board, NULL, "'colored' or 'gray'; 'mixed' if games differ."},
    {NULL},
};

static PyMemberDef members[] = {
    {"count", T_PYSSIZET, offsetof(struct lab_batch, count), READONLY, "Number of games."},
    {"players", T_INT, offsetof(struct lab_batch, seat_count), READONLY,
     "Number of seats of each game; of the largest, if games differ."},
    {"auto_reset", T_BOOL, offsetof(struct lab_batch, deals_anew), READONLY,
     "True if step deals a game anew once it is over."},
    {"_random", T_ULONG, offsetof(struct lab_batch, random), 0, NULL},
    {NULL},
};

static PyMethodDef methods[] = {
    {"play_out", batch_play_out, METH_NOARGS,
     "play_out()\n\nPlays every game to its end with random actions; a seat that can place a tile "
     "never passes."},
    {"put", batch_put, METH_VARARGS,
     "put(index, game)\n\nReplaces a game of the batch with a copy of `game`, which needs the "
     "players and board of the game that it replaces."},
    {"copy", batch_copy, METH_NOARGS,
     "copy()\n\nReturns a copy of the batch; the copy will draw the same tiles."},
    {"_fill", batch_fill, METH_VARARGS, NULL},
    {"_reset", batch_reset, METH_O, NULL},
    {"_step", batch_step, METH_VARARGS, NULL},
    {"_list", batch_list, METH_VARARGS, NULL},
    {"_choose", batch_choose, METH_VARARGS, NULL},
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
