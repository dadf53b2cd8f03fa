/* SPDX-License-Identifier: MIT */
/* Output that all commands share: errors, JSON, progress, log lines. */
#include "arena/commands/commands.h"
#include "arena/commands/options.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/play/subprocess.h"
#include "arena/base/plain_text.h"
#include "arena/season/player.h"
#include "sandbox/sandbox.h"
#include "arena/base/clock.h"
#include "arena/base/json.h"
#include "arena/base/memory.h"

bool command_is_aside;
static bool has_log; /* the command logs events: its errors are events, too */

/* Prints a line where this process's messages go: the daemon reads the output of its processes. */
__attribute__((format(printf, 2, 0))) static void
print_message(const char *prefix, const char *format, va_list arguments)
{
    FILE *stream = command_is_aside ? stdout : stderr;

    fflush(stdout);
    flockfile(stream);
    fputs(prefix, stream);
    plain_text_vprintf(stream, format, arguments);
    fputc('\n', stream);
    fflush(stream);
    funlockfile(stream);
}

__attribute__((format(printf, 1, 0))) static void print_error(const char *format, va_list arguments)
{
    char *words = NULL;

    if (!has_log)
        print_message(SUBPROCESS_ERROR, format, arguments);
    else if (vasprintf(&words, format, arguments) >= 0)
        command_log("error", "", words);
    free(words);
}

int command_refuse(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_error(format, arguments);
    va_end(arguments);
    return COMMAND_USAGE;
}

int command_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_error(format, arguments);
    va_end(arguments);
    return COMMAND_FAILED;
}

static bool is_lack(int error)
{
    static const int lacks[] = {ENOMEM, EMFILE, ENFILE, EAGAIN, EINTR, EIO, ENOBUFS};

    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        if (abs(error) == lacks[i])
            return true;
    return false;
}

int command_refuse_errno(int error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_error(format, arguments);
    va_end(arguments);
    return is_lack(error) ? COMMAND_FAILED : COMMAND_USAGE;
}

void command_say(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_message("", format, arguments);
    va_end(arguments);
}

int command_finish_output(int status)
{
    struct pollfd output = {.fd = STDOUT_FILENO};
    int error = fflush(stdout) == EOF ? errno : 0;

    if (error == 0 && !ferror(stdout))
        return status;
    /* No error: the reader of the pipe has ended, as `head` does after some lines. */
    if (poll(&output, 1, 0) > 0 && output.revents & POLLERR)
        return status;
    has_log = false; /* the log cannot be written, either */
    if (error == 0)  /* an earlier write failed, and its errno is lost */
        command_fail("standard output cannot be written in full");
    else
        command_fail("standard output cannot be written: %s", strerror(error));
    return status == COMMAND_DONE ? COMMAND_FAILED : status;
}

void command_tell_lost(const char *name, pid_t pid)
{
    if (isatty(STDERR_FILENO))
        command_clear_progress();
    command_fail("bot %s: process %d was killed %d s ago, but the kernel has not released the "
                 "process: the arena no longer waits for it",
                 name, (int)pid, SANDBOX_DYING_MS / 1000);
}

void command_warn(void *owner, const char *words)
{
    if (isatty(STDERR_FILENO))
        command_clear_progress();
    command_fail("%s", words);
}

struct columns_layout command_layout(void)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    struct columns_layout layout = {.width = options_wide ? 0 : COLUMNS_WIDTH};
    struct winsize window;

    if (!isatty(STDOUT_FILENO))
        return layout;
    layout.color = !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0;
    if (!options_wide && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 &&
        window.ws_col > COLUMNS_WIDTH)
        layout.width = window.ws_col;
    return layout;
}

int command_print_table(const char *key, const struct columns *columns,
                        const struct columns_rows *rows, const char *nothing)
{
    if (options_json)
        return command_print_json(
            json_pack("{s:o}", key, columns_json(columns, rows, READER_ORGANIZER)));
    if (rows->count == 0)
        puts(nothing);
    else if (columns_print_text(stdout, columns, rows, command_layout()) < 0)
        return command_fail("out of memory");
    return COMMAND_DONE;
}

void command_show_progress(const struct progress *progress)
{
    struct winsize window;
    char line[PROGRESS_LINE_BYTES];
    size_t columns = 79;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1)
        columns = (size_t)window.ws_col - 1;
    progress_write(progress, columns, line);
    plain_text_printf(stderr, "\r%s\033[K", line);
}

void command_clear_progress(void)
{
    fputs("\r\033[K", stderr);
}

int command_print_json(json_t *value)
{
    int result;

    if (!value)
        return command_fail("out of memory");
    result = json_dumpf(value, stdout, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(value);
    putchar('\n');
    return result < 0 && !ferror(stdout) ? command_fail("out of memory") : COMMAND_DONE;
}

/* ---- the log of a daemon or worker ---- */

/*
 * Opens standard output a second time, because O_NONBLOCK on the first descriptor would also hold
 * for other processes that use it. Returns standard output itself if it is a file, where writing
 * does not wait, or a socket, which cannot be opened again.
 */
static int open_log(void)
{
    struct stat status;
    int fd = -1;

    if (fstat(STDOUT_FILENO, &status) == 0 && !S_ISREG(status.st_mode))
        fd = open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    return fd < 0 ? STDOUT_FILENO : fd;
}

static void print_event(FILE *stream, const char *event, const char *name, const char *words)
{
    json_t *when = json_time(clock_time_us());
    json_t *line = json_pack("{s:O, s:s, s:s, s:o}", "time", when, "event", event, "name", name,
                             "words", json_text(words, strlen(words)));

    if (options_json)
        json_dumpf(line, stream, JSON_COMPACT);
    else
        plain_text_printf(stream, "%s %s%s%s: %s", json_string_value(when), event, *name ? " " : "",
                          name, words);
    fputc('\n', stream);
    json_decref(line);
    json_decref(when);
}

/* Writes an event as one line. Returns false if there was no room for the whole line. */
static bool write_event(int fd, const char *event, const char *name, const char *words)
{
    static bool is_torn; /* the last line of the log is incomplete */
    struct pollfd log = {.fd = fd, .events = POLLOUT};
    ssize_t written = -1;
    char *line = NULL;
    size_t size = 0;
    FILE *stream = memory_stream(&line, &size);

    if (is_torn)
        fputc('\n', stream);
    print_event(stream, event, name, words);
    memory_stream_end(stream);
    if (fd != STDOUT_FILENO || poll(&log, 1, 0) > 0)
        written = write(fd, line, size);
    if (written > 0)
        is_torn = line[written - 1] != '\n';
    free(line);
    return written == (ssize_t)size;
}

void command_log(const char *event, const char *name, const char *words)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* threads log bots that do not end */
    static int fd = -1, missing_count;
    char missing[80];

    pthread_mutex_lock(&mutex);
    has_log = true;
    if (fd < 0)
        fd = open_log();
    snprintf(missing, sizeof missing, "the log was full: the arena left out %d line%s here",
             missing_count, plain_text_s(missing_count));
    if (missing_count && write_event(fd, "error", "log", missing))
        missing_count = 0;
    missing_count += missing_count || !write_event(fd, event, name, words);
    pthread_mutex_unlock(&mutex);
}

void command_yield_memory(void)
{
    FILE *file = fopen("/proc/self/oom_score_adj", "we");

    if (!file)
        return;
    fputs("700", file);
    fclose(file);
}
