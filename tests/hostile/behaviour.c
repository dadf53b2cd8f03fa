/* SPDX-License-Identifier: MIT */
#include "tests/hostile/behaviour.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

enum {
    DRIP_MS = 10,
    LONG_STRING_BYTES = 100 << 20,
    DEEP = 10000,
};

static int64_t turn; /* turn of the last request */
static size_t action_count;
static const char *argument;

static void sleep_ms(long ms)
{
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    nanosleep(&time, NULL);
}

void behaviour_write(int fd, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;

    while (size > 0) {
        ssize_t put = write(fd, at, size);

        if (put < 0)
            _exit(99);
        at += put;
        size -= (size_t)put;
    }
}

/* ---- messages ---- */

/* Decodes the argument's hex. */
static size_t argument_bytes(uint8_t bytes[static BEHAVIOUR_BYTES_MAX])
{
    size_t size = 0;
    unsigned byte;

    for (const char *hex = argument; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        bytes[size++] = (uint8_t)byte;
    return size;
}

/* Packs {"type": "act", "turn": turn} with room for more pairs. Returns its size. */
static size_t begin_act(uint8_t *bytes, int more_pairs)
{
    static const char head[] = "\xa4type\xa3"
                               "act\xa4turn\xd3";

    *bytes = (uint8_t)(0x82 + more_pairs);
    memcpy(bytes + 1, head, sizeof head - 1);
    for (int i = 0; i < 8; i++)
        bytes[sizeof head + (size_t)i] = (uint8_t)((uint64_t)turn >> (56 - 8 * i));
    return sizeof head + 8;
}

/* Packs the answer of an honest bot: the first legal action. */
static size_t pack_answer(uint8_t *bytes)
{
    size_t size = begin_act(bytes, 1);

    memcpy(bytes + size,
           "\xa6"
           "action\0",
           8);
    return size + 8;
}

void behaviour_answer(void)
{
    uint8_t bytes[64];

    behaviour_write(STDOUT_FILENO, bytes, pack_answer(bytes));
}

/* ---- behaviours ---- */

static enum behaviour_left honest(void)
{
    return BEHAVIOUR_LEAVES_ANSWER;
}

static enum behaviour_left silent(void)
{
    for (;;)
        pause();
    return BEHAVIOUR_LEAVES_NOTHING;
}

static enum behaviour_left late(void)
{
    sleep_ms(atol(argument));
    return BEHAVIOUR_LEAVES_ANSWER;
}

/* Sends arbitrary bytes. */
static enum behaviour_left send(void)
{
    static uint8_t bytes[BEHAVIOUR_BYTES_MAX];

    behaviour_write(STDOUT_FILENO, bytes, argument_bytes(bytes));
    return BEHAVIOUR_LEAVES_NOTHING;
}

/* Sends an act for this turn with more pairs from the argument: their count, then the pairs. */
static enum behaviour_left pairs(void)
{
    static uint8_t bytes[BEHAVIOUR_BYTES_MAX], more[BEHAVIOUR_BYTES_MAX];
    size_t more_bytes = argument_bytes(more);
    size_t size = begin_act(bytes, more[0]);

    memcpy(bytes + size, more + 1, more_bytes - 1);
    behaviour_write(STDOUT_FILENO, bytes, size + more_bytes - 1);
    return BEHAVIOUR_LEAVES_NOTHING;
}

/* Sends a correct answer for a different turn, at the given distance. */
static enum behaviour_left other_turn(void)
{
    turn += atol(argument);
    return BEHAVIOUR_LEAVES_ANSWER;
}

/* Sends a correct answer in a message of exactly that size. */
static enum behaviour_left padded(void)
{
    static uint8_t bytes[BEHAVIOUR_BYTES_MAX];
    size_t size = begin_act(bytes, 2), wanted = (size_t)atol(argument), left;

    memcpy(bytes + size,
           "\xa6"
           "action\0\xa1x\xc6",
           11);
    size += 11;
    left = wanted - size - 4;
    for (int i = 0; i < 4; i++)
        bytes[size++] = (uint8_t)(left >> (24 - 8 * i));
    behaviour_write(STDOUT_FILENO, bytes, wanted);
    return BEHAVIOUR_LEAVES_NOTHING;
}

static enum behaviour_left drip(void)
{
    uint8_t bytes[512] = {0};
    size_t size = begin_act(bytes, 2);

    memcpy(bytes + size, "\xa4note\xd9\xc8", 7); /* 200 bytes follow */
    for (size_t at = 0; at < size + 207; at++) {
        behaviour_write(STDOUT_FILENO, bytes + at, 1);
        sleep_ms(DRIP_MS);
    }
    return BEHAVIOUR_LEAVES_NOTHING;
}

static enum behaviour_left flood_of_messages(void)
{
    static const char chat[] = "\x82\xa4type\xa4"
                               "chat\xa4text\xa5hello";

    for (;;)
        behaviour_write(STDOUT_FILENO, chat, sizeof chat - 1);
    return BEHAVIOUR_LEAVES_NOTHING;
}

static enum behaviour_left flood_of_garbage(void)
{
    uint8_t bytes[4096];

    for (uint32_t state = 1;;) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)((state = state * 1664525 + 1013904223) >> 24);
        behaviour_write(STDOUT_FILENO, bytes, sizeof bytes);
    }
    return BEHAVIOUR_LEAVES_NOTHING;
}

static enum behaviour_left nested(void)
{
    static uint8_t bytes[DEEP];

    memset(bytes, 0x91, sizeof bytes);
    behaviour_write(STDOUT_FILENO,
                    "\x82\xa4type\xa3"
                    "act\xa6"
                    "action",
                    17);
    behaviour_write(STDOUT_FILENO, bytes, sizeof bytes);
    return BEHAVIOUR_LEAVES_NOTHING;
}

static enum behaviour_left long_string(void)
{
    static uint8_t bytes[1 << 16];

    behaviour_write(STDOUT_FILENO, "\x81\xa4type\xdb\x06\x40\0\0", 11);
    for (int sent = 0; sent < LONG_STRING_BYTES; sent += (int)sizeof bytes)
        behaviour_write(STDOUT_FILENO, bytes, sizeof bytes);
    return BEHAVIOUR_LEAVES_NOTHING;
}

static enum behaviour_left twice(void)
{
    uint8_t bytes[128];
    size_t size = pack_answer(bytes);

    memcpy(bytes + size, bytes, size);
    behaviour_write(STDOUT_FILENO, bytes, 2 * size);
    return BEHAVIOUR_LEAVES_NOTHING;
}

static enum behaviour_left twice_apart(void)
{
    behaviour_answer();
    sleep_ms(1);
    behaviour_answer();
    return BEHAVIOUR_LEAVES_NOTHING;
}

static enum behaviour_left answer_unasked(void)
{
    behaviour_answer();
    return BEHAVIOUR_LEAVES_NOTHING;
}

static enum behaviour_left answer_and_exit(void)
{
    behaviour_answer();
    _exit(atoi(argument));
}

static enum behaviour_left close_output(void)
{
    close(STDOUT_FILENO);
    return silent();
}

static enum behaviour_left close_output_and_exit(void)
{
    close(STDOUT_FILENO);
    sleep_ms(20);
    _exit(5);
}

static enum behaviour_left close_input(void)
{
    close(STDIN_FILENO);
    behaviour_answer();
    return silent();
}

static enum behaviour_left leave(void)
{
    _exit(atoi(argument));
}

static enum behaviour_left die(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL};

    sigaction(atoi(argument), &action, NULL);
    raise(atoi(argument));
    return BEHAVIOUR_LEAVES_NOTHING;
}

static enum behaviour_left read_nowhere(void)
{
    static volatile int *volatile nowhere = (int *)8;

    *nowhere = 1;
    return BEHAVIOUR_LEAVES_NOTHING;
}

/* If it may not fork, its exit status says so. */
static enum behaviour_left fork_and_exit(void)
{
    pid_t child = fork();

    if (child == 0)
        silent();
    _exit(child < 0 ? 3 : 4);
}

static enum behaviour_left ignore_signals(void)
{
    for (int number = 1; number < 32; number++)
        signal(number, SIG_IGN);
    return silent();
}

/* Writes that many MiB to standard error, and then a last line. */
static enum behaviour_left flood_of_errors(void)
{
    static char line[1 << 16];

    for (size_t at = 0; at < sizeof line; at++)
        line[at] = at % 64 == 63 ? '\n' : (char)('a' + at % 26);
    for (long sent = 0; sent < atol(argument) << 20; sent += (long)sizeof line)
        behaviour_write(STDERR_FILENO, line, sizeof line);
    behaviour_write(STDERR_FILENO, "the end\n", 8);
    return BEHAVIOUR_LEAVES_ANSWER;
}

static enum behaviour_left trace_me(void)
{
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    return BEHAVIOUR_LEAVES_ANSWER;
}

static enum behaviour_left mount_something(void)
{
    mount("none", "/tmp", "tmpfs", 0, NULL);
    return BEHAVIOUR_LEAVES_ANSWER;
}

/* Adds a descriptor to epoll and removes it, until that is refused. */
static enum behaviour_left add_watches(void)
{
    struct epoll_event event = {0};
    int epoll_fd = epoll_create1(0), ends[2] = {0};

    if (pipe(ends) < 0)
        _exit(4);
    while (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, ends[0], &event) == 0)
        epoll_ctl(epoll_fd, EPOLL_CTL_DEL, ends[0], NULL);
    _exit(errno == ENOSPC ? 3 : 4);
}

/* Allocates and touches memory until none is left, and keeps it. */
static enum behaviour_left memory(void)
{
    for (;;) {
        char *block = malloc(1 << 20);

        if (!block)
            abort();
        for (size_t at = 0; at < 1 << 20; at += 1024)
            block[at] = (char)at;
    }
    return BEHAVIOUR_LEAVES_NOTHING;
}

static void *burn_one(void *unused)
{
    for (;;)
        __asm__ volatile("" ::: "memory");
    return unused;
}

/*
 * Uses processor time even while others think, and passes as early as possible, so that they think
 * for long.
 */
static enum behaviour_left burn(void)
{
    static bool burning;
    uint8_t bytes[64];
    pthread_t thread;
    size_t size = begin_act(bytes, 1);

    if (!burning)
        pthread_create(&thread, NULL, burn_one, NULL);
    burning = true;
    memcpy(bytes + size,
           "\xa6"
           "action\xcd",
           8);
    bytes[size + 8] = (uint8_t)((action_count - 1) >> 8);
    bytes[size + 9] = (uint8_t)(action_count - 1);
    behaviour_write(STDOUT_FILENO, bytes, size + 10);
    return BEHAVIOUR_LEAVES_NOTHING;
}

static const struct {
    const char *name;
    enum behaviour_left (*play_fn)(void);
} behaviours[] = {
    {"honest", honest},
    {"silent", silent},
    {"late", late},
    {"send", send},
    {"pairs", pairs},
    {"other-turn", other_turn},
    {"padded", padded},
    {"drip", drip},
    {"flood-of-messages", flood_of_messages},
    {"flood-of-garbage", flood_of_garbage},
    {"nested", nested},
    {"long-string", long_string},
    {"twice", twice},
    {"twice-apart", twice_apart},
    {"answer-unasked", answer_unasked},
    {"answer-and-exit", answer_and_exit},
    {"close-output", close_output},
    {"close-output-and-exit", close_output_and_exit},
    {"close-input", close_input},
    {"exit", leave},
    {"signal", die},
    {"read-nowhere", read_nowhere},
    {"fork-and-exit", fork_and_exit},
    {"ignore-signals", ignore_signals},
    {"flood-of-errors", flood_of_errors},
    {"ptrace", trace_me},
    {"mount", mount_something},
    {"add-watches", add_watches},
    {"memory", memory},
    {"burn", burn},
};

void behaviour_set_turn(int64_t asked_turn, size_t asked_action_count)
{
    turn = asked_turn;
    action_count = asked_action_count;
}

enum behaviour_left behaviour_play(const char *name)
{
    size_t name_bytes = strcspn(name, "=");

    argument = name[name_bytes] ? name + name_bytes + 1 : "0";
    for (size_t i = 0; i < sizeof behaviours / sizeof *behaviours; i++)
        if (strlen(behaviours[i].name) == name_bytes &&
            strncmp(behaviours[i].name, name, name_bytes) == 0)
            return behaviours[i].play_fn();
    fprintf(stderr, "hostile: no behaviour %s\n", name);
    exit(96);
}
