/* SPDX-License-Identifier: MIT */
#include "arena/web/order.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/base64.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena/base/clock.h"
#include "arena/base/file.h"
#include "arena/base/json.h"
#include "arena/play/subprocess.h"
#include "arena/report/model.h"
#include "arena/store/archive.h"
#include "arena/store/games.h"

enum {
    LOOK_MS = 100, /* time between two looks whether anybody still waits for the outcome */
    LEADING = 4,   /* words before the command's own: arena order PID WHO */
    PATH_BYTES = 4096,
    PART_BYTES = 16 << 10,
};

bool order_name_is_plain(const char *name)
{
    const size_t size = strlen(name);

    for (size_t i = 0; i < size; i++)
        if (!order_name_has(name[i]))
            return false;
    return size > 0 && size < ORDER_NAME_BYTES && *name != '.';
}

/* ---- the order ---- */

/* Returns what is wrong with an order, or NULL. */
static const char *fault_of(const json_t *order)
{
    const json_t *words = json_object_get(order, "arguments");
    json_t *files = json_object_get(order, "files"), *text;
    const char *name;

    if (!json_is_array(words) || json_array_size(words) == 0 ||
        json_array_size(words) > ORDER_WORDS_MAX)
        return "send {\"arguments\": [...], \"files\": {...}}: 1 to 64 words, and texts by name";
    for (size_t i = 0; i < json_array_size(words); i++)
        if (!json_is_string(json_array_get(words, i)))
            return "a word is not a string";
    if (files && !json_is_object(files))
        return "files is not an object";
    json_object_foreach(files, name, text)
    {
        if (!order_name_is_plain(name) || !json_is_string(text))
            return "a file needs a name of 1 to 63 characters of A-Z a-z 0-9 . _ -, not first a "
                   "dot, and a text";
    }
    return NULL;
}

static void write_path(const struct order_place *place, const char *name,
                       char path[static PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%s", place->room, name);
}

/* Makes the folder of the command, with the files that were sent along. Returns 0 or -errno. */
static int lay_out(const struct order_place *place, const json_t *order)
{
    json_t *files = json_object_get(order, "files"), *text;
    char path[PATH_BYTES];
    const char *name;
    int error = 0;

    if (!place->room || mkdir(place->room, 0700) < 0)
        return place->room ? -errno : -ENOENT;
    json_object_foreach(files, name, text)
    {
        int fd;

        write_path(place, name, path);
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        error = error    ? error
                : fd < 0 ? -errno
                         : file_write_all(fd, json_string_value(text), json_string_length(text));
        if (fd >= 0)
            close(fd);
    }
    return error;
}

/* ---- the process ---- */

/* What a process writes to one of its descriptors. */
struct stream {
    int fd; /* the end that is read; -1: closed */
    char *text;
    size_t size, most;
    bool is_full; /* the process wrote more than `most` bytes */
};

struct run {
    pid_t pid;
    struct stream output, message;
};

static int start(struct run *run, const char *room, char *const arguments[])
{
    int output[2], message[2], error;

    if (pipe2(output, O_CLOEXEC) < 0)
        return -errno;
    if (pipe2(message, O_CLOEXEC) < 0) {
        error = -errno;
        close(output[0]);
        close(output[1]);
        return error;
    }
    error = subprocess_spawn(&run->pid, "/proc/self/exe", arguments, environ,
                             &(struct subprocess_ends){room, output[1], message[1]});
    close(output[1]);
    close(message[1]);
    run->output.fd = output[0];
    run->message.fd = message[0];
    return error;
}

/* Reads what has come; beyond the limit, nothing more. */
static void hear(struct stream *stream)
{
    char part[PART_BYTES];
    ssize_t size = read(stream->fd, part, sizeof part);

    if (size > 0 && stream->size + (size_t)size <= stream->most) {
        memcpy(stream->text + stream->size, part, (size_t)size);
        stream->size += (size_t)size;
        return;
    }
    stream->is_full = size > 0;
    close(stream->fd);
    stream->fd = -1;
}

/*
 * Waits for the end of the process. Returns NULL; or, after killing the process, why it was killed.
 */
static const char *await_end(const struct order_place *place, struct run *run, int *status)
{
    const char *why = NULL;

    while (!why && (run->output.fd >= 0 || run->message.fd >= 0)) {
        struct pollfd ends[] = {{.fd = run->output.fd, .events = POLLIN},
                                {.fd = run->message.fd, .events = POLLIN}};

        poll(ends, 2, LOOK_MS);
        if (ends[0].revents)
            hear(&run->output);
        if (ends[1].revents)
            hear(&run->message);
        if (run->output.is_full || run->message.is_full)
            why = "the command printed too much: ask for less";
        else if (place->is_over_fn && place->is_over_fn(place->owner))
            why = "the command took too long, and was stopped";
    }
    if (why)
        kill(-run->pid, SIGKILL);
    return subprocess_reap(run->pid, status) ? why : "the command does not end";
}

static void finish(struct run *run)
{
    for (struct stream *stream = &run->output; stream <= &run->message; stream++) {
        if (stream->fd >= 0)
            close(stream->fd);
        free(stream->text);
    }
}

/* ---- the outcome ---- */

/* Returns the lines that a command printed as JSON values; NULL if a line is none. */
static json_t *rows_of(const struct stream *output)
{
    json_t *rows = json_array();
    const char *line = output->text, *end = output->text + output->size;

    while (rows && line < end) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const size_t size = (size_t)((newline ? newline : end) - line);
        json_t *row = json_loadb(line, size, 0, NULL);

        if (!row || json_array_append_new(rows, row) < 0) {
            json_decref(rows);
            return NULL;
        }
        line += size + 1;
    }
    return rows;
}

static bool wants_json(const json_t *order)
{
    const json_t *words = json_object_get(order, "arguments");

    for (size_t i = 0; i < json_array_size(words); i++)
        if (strcmp(json_string_value(json_array_get(words, i)), "--json") == 0)
            return true;
    return false;
}

/*
 * Returns the files that the command made, as an archive in base64, and null if there are none.
 * Returns NULL after writing why there is no archive.
 */
static json_t *made_by(const struct order_place *place, const json_t *order,
                       char error[static ARCHIVE_ERROR_BYTES])
{
    json_t *files = json_object_get(order, "files"), *text;
    char path[PATH_BYTES], *encoded;
    const char *name;
    uint8_t *bytes;
    size_t size;

    json_object_foreach(files, name, text)
    {
        write_path(place, name, path);
        unlink(path);
    }
    if (rmdir(place->room) == 0)
        return json_null();
    if (archive_pack(place->room, ORDER_MADE_BYTES_MAX, &bytes, &size, error) < 0)
        return NULL;
    encoded = malloc(BASE64_ENCODE_RAW_LENGTH(size) + 1);
    if (encoded)
        base64_encode_raw(encoded, size, bytes);
    text = encoded ? json_stringn(encoded, BASE64_ENCODE_RAW_LENGTH(size)) : NULL;
    free(encoded);
    free(bytes);
    return text;
}

/* Runs the words of an order. Returns the outcome, or NULL if the arena failed. */
static json_t *run_order(const struct order_place *place, const json_t *order, const char *who)
{
    const json_t *words = json_object_get(order, "arguments");
    const char *arguments[LEADING + ORDER_WORDS_MAX + 1] = {"arena", "order", NULL, who};
    struct run run = {.output = {.fd = -1, .most = ORDER_OUTPUT_BYTES_MAX},
                      .message = {.fd = -1, .most = ORDER_MESSAGE_BYTES_MAX}};
    char parent[16], error[ARCHIVE_ERROR_BYTES] = "";
    json_t *outcome = NULL, *rows = NULL, *files = NULL;
    const char *why = "the command could not be started";
    int status = 0;

    snprintf(parent, sizeof parent, "%d", (int)getpid());
    arguments[2] = parent;
    for (size_t i = 0; i < json_array_size(words); i++)
        arguments[LEADING + i] = json_string_value(json_array_get(words, i));
    run.output.text = malloc(run.output.most);
    run.message.text = malloc(run.message.most);
    if (run.output.text && run.message.text &&
        start(&run, place->room, (char *const *)(uintptr_t)arguments) == 0)
        why = await_end(place, &run, &status);
    if (!why && !WIFEXITED(status))
        why = "the command was killed";
    if (!why && !(files = made_by(place, order, error)))
        why = *error ? error : "out of memory";
    if (!why && wants_json(order) && WEXITSTATUS(status) == 0)
        rows = rows_of(&run.output);
    if (why)
        outcome = json_pack("{s:i, s:n, s:n, s:o, s:n}", "exit", 1, "output", "values", "message",
                            json_sprintf("arena: %s\n", why), "made");
    else
        outcome = json_pack("{s:i, s:o, s:o, s:o, s:o}", "exit", WEXITSTATUS(status), "output",
                            rows ? json_null() : json_text(run.output.text, run.output.size),
                            "values", rows ? rows : json_null(), "message",
                            json_text(run.message.text, run.message.size), "made", files);
    finish(&run);
    return outcome;
}

/* ---- an analysis ---- */

/* The analysis under way; nobody need wait for it. The lock is held for moments only. */
static struct {
    pthread_mutex_t lock;
    pid_t pid;     /* 0: none */
    int output_fd; /* what it prints: less than a pipe holds */
    char match[STORE_GAME_ID_BYTES];
    bool is_awaited;
    int64_t begun_us, again_us; /* its start; the earliest start of the next */
} analyst = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int begin_analysis(const char *match)
{
    char parent[16];
    const char *const arguments[] = {"arena", "aside", parent, "analyse", "--", match, NULL};
    int output[2], error;

    snprintf(parent, sizeof parent, "%d", (int)getpid());
    snprintf(analyst.match, sizeof analyst.match, "%s", match);
    if (pipe2(output, O_CLOEXEC) < 0)
        return -errno;
    analyst.begun_us = clock_now_us();
    error = subprocess_spawn(&analyst.pid, "/proc/self/exe", (char *const *)(uintptr_t)arguments,
                             environ, &(struct subprocess_ends){NULL, output[1], -1});
    close(output[1]);
    analyst.output_fd = output[0];
    if (error) {
        analyst.pid = 0;
        close(output[0]);
    }
    return error;
}

/*
 * Looks whether the analysis has ended, and kills it if it takes too long. Returns whether it runs;
 * sets *failed, with its words, if it ended without a result.
 */
static bool look_at_analysis(bool *failed, char words[static ORDER_WORD_BYTES])
{
    const bool is_late = clock_now_us() - analyst.begun_us > ANALYSIS_S * INT64_C(1000000);
    ssize_t size;
    int status;

    if (analyst.pid && is_late)
        kill(-analyst.pid, SIGKILL);
    if (!analyst.pid || waitpid(analyst.pid, &status, WNOHANG) == 0)
        return analyst.pid != 0;
    *failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    size = *failed ? read(analyst.output_fd, words, ORDER_WORD_BYTES - 1) : 0;
    words[size > 0 ? size : 0] = '\0';
    words[strcspn(words, "\n")] = '\0';
    if (*failed && !*words)
        strcpy(words, is_late ? "the analysis took too long" : "the analysis was killed");
    close(analyst.output_fd);
    analyst.pid = 0;
    analyst.again_us = 2 * clock_now_us() - analyst.begun_us;
    return false;
}

enum order_analysis order_analyse(const char *match, char words[static ORDER_WORD_BYTES])
{
    const int64_t until_us = clock_now_us() + ANALYSIS_WAIT_S * INT64_C(1000000);
    bool failed = false, runs, is_other;
    int error = 0;

    pthread_mutex_lock(&analyst.lock);
    runs = look_at_analysis(&failed, words);
    is_other = strcmp(analyst.match, match) != 0;
    if (!runs && clock_now_us() < analyst.again_us) {
        pthread_mutex_unlock(&analyst.lock);
        return is_other ? ANALYSIS_BUSY : failed ? ANALYSIS_FAILED : ANALYSIS_ENDED;
    }
    if (runs && (is_other || analyst.is_awaited)) {
        pthread_mutex_unlock(&analyst.lock);
        return is_other ? ANALYSIS_BUSY : ANALYSIS_RUNS;
    }
    if (!runs)
        error = begin_analysis(match);
    analyst.is_awaited = runs = !error;
    while (runs && clock_now_us() < until_us) {
        pthread_mutex_unlock(&analyst.lock);
        poll(NULL, 0, LOOK_MS);
        pthread_mutex_lock(&analyst.lock);
        runs = look_at_analysis(&failed, words);
    }
    analyst.is_awaited = false;
    pthread_mutex_unlock(&analyst.lock);
    if (error)
        snprintf(words, ORDER_WORD_BYTES, "the analysis could not be started: %s",
                 strerror(-error));
    return runs ? ANALYSIS_RUNS : failed || error ? ANALYSIS_FAILED : ANALYSIS_ENDED;
}

/* ---- answers ---- */

json_t *order_answer(const struct order_place *place, int order_fd, const char *who, int *status,
                     const char **words)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    json_t *order = NULL, *outcome = NULL, *told = NULL;

    if (order_fd < 0 || file_read_open(order_fd, ORDER_BYTES_MAX, &bytes, &size) < 0) {
        *status = 413;
        *words = "a command and its files may have " ORDER_SIZE;
        return NULL;
    }
    order = json_loadb((const char *)bytes, size, 0, NULL);
    free(bytes);
    *status = 422;
    *words = fault_of(order);
    if (!*words && lay_out(place, order) < 0) {
        *status = 503;
        *words = "the arena has no room for the command: try again later";
    } else if (!*words && !(outcome = run_order(place, order, who))) {
        *status = 500;
        *words = "out of memory";
    }
    if (outcome)
        told = columns_row_json(&outcome_columns, outcome, NULL, READER_PUBLIC);
    json_decref(outcome);
    json_decref(order);
    return told;
}
