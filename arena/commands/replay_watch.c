/* Draws a match on the terminal. The user steps through it with the same keys as on its page. */
#include "arena/commands/replay.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/replay_screen.h"
#include "arena/replay/effect.h"
#include "arena/replay/plain_text.h"
#include "arena/replay/words.h"

enum {
    STEP_MS = 1000, /* time per decision at speed 1 */
    SPEED_MAX = 16,
};

/* A position, and the decision that led to it. */
struct frame {
    struct position position;
    char *said; /* description of the decision; owned */
    char *note; /* note of the bot; owned; NULL: none */
};

struct watch {
    const struct replay *replay;
    char *names[GAME_PLAYERS_MAX];
    struct frame *frames; /* room for decision_count + 1 frames */
    size_t count;         /* number of frames so far */
    size_t at;
    bool playing;
    int speed;
    int64_t due_ms; /* time of the next step, while playing */
    enum screen_colors colors;
};

/* ---- the frames ---- */

static char *tell_decision(struct watch *watch, const struct match *match,
                           const struct replay_decision *decision)
{
    struct effect effect;
    char *said = NULL;
    size_t size;
    FILE *stream;

    if (!effect_of(&match->game, decision->action, &effect))
        return NULL; /* the caller applies the action next, and reports the broken rule */
    stream = open_memstream(&said, &size);
    if (!stream)
        return NULL;
    plain_text_printf(stream, "%zu: round %d, %s ", match->decision_count, effect.round,
                      watch->names[effect.seat]);
    words_effect(stream, &effect);
    if (decision->by_arena)
        fputs(" (stand-in)", stream);
    fclose(stream);
    return said;
}

static char *copy_note(const struct replay_decision *decision)
{
    char *note = NULL;
    size_t size;
    FILE *stream;

    if (!decision->note || !(stream = open_memstream(&note, &size)))
        return NULL;
    plain_text_print(stream, decision->note, decision->note_bytes, WIRE_NOTE_BYTES_MAX);
    fclose(stream);
    return note;
}

/* Adds a frame: the position after a decision, and a description of the decision. */
static void add_frame(void *self, struct match *match, const struct replay_decision *decision)
{
    struct watch *watch = self;

    game_view(&match->game, &watch->frames[watch->count].position);
    watch->count++;
    if (!decision)
        return;
    watch->frames[watch->count].said = tell_decision(watch, match, decision);
    watch->frames[watch->count].note = copy_note(decision);
}

/* ---- the terminal ---- */

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void draw(const struct watch *watch)
{
    const struct frame *frame = &watch->frames[watch->at];
    char state[64];
    struct screen screen = {.colors = watch->colors,
                            .position = &frame->position,
                            .names = (const char *const *)watch->names,
                            .said = frame->said ? frame->said : "The deal.",
                            .note = frame->note ? frame->note : "",
                            .state = state};

    snprintf(state, sizeof state, "%s%dx  decision %zu of %zu", watch->playing ? "playing " : "",
             watch->speed, watch->at, watch->count - 1);
    screen_draw(stdout, &screen);
    fflush(stdout);
}

/* ---- keys ---- */

enum key {
    KEY_NONE,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_HOME,
    KEY_END,
    KEY_PLAY,
    KEY_ROUND_BACK,
    KEY_ROUND_ON,
    KEY_FASTER,
    KEY_SLOWER,
    KEY_QUIT,
};

static const struct {
    const char *bytes;
    enum key key;
} keys[] = {
    {"\033[D", KEY_LEFT}, {"\033OD", KEY_LEFT},  {"\033[C", KEY_RIGHT}, {"\033OC", KEY_RIGHT},
    {"\033[H", KEY_HOME}, {"\033OH", KEY_HOME},  {"\033[1~", KEY_HOME}, {"\033[7~", KEY_HOME},
    {"\033[F", KEY_END},  {"\033OF", KEY_END},   {"\033[4~", KEY_END},  {"\033[8~", KEY_END},
    {" ", KEY_PLAY},      {"[", KEY_ROUND_BACK}, {"]", KEY_ROUND_ON},   {"+", KEY_FASTER},
    {"-", KEY_SLOWER},    {"q", KEY_QUIT},       {"\004", KEY_QUIT},
};

/*
 * Returns the key at the start of the bytes, and sets *used to its length in bytes. Skips an
 * unknown byte.
 */
static enum key read_key(const char *bytes, size_t size, size_t *used)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t key_bytes = strlen(keys[i].bytes);

        if (size >= key_bytes && memcmp(bytes, keys[i].bytes, key_bytes) == 0) {
            *used = key_bytes;
            return keys[i].key;
        }
    }
    *used = 1;
    return KEY_NONE;
}

static int round_of(const struct watch *watch, size_t frame)
{
    return watch->frames[frame].position.round;
}

/* Returns the number of the first frame of the round to which the previous frame belongs. */
static size_t round_back(const struct watch *watch)
{
    size_t to = watch->at;

    if (to > 0)
        to--;
    while (to > 0 && round_of(watch, to - 1) == round_of(watch, to))
        to--;
    return to;
}

static size_t round_on(const struct watch *watch)
{
    size_t to = watch->at;

    while (to < watch->count - 1 && round_of(watch, to) == round_of(watch, watch->at))
        to++;
    return to;
}

static void play(struct watch *watch, bool playing)
{
    watch->playing = playing;
    if (playing && watch->at == watch->count - 1)
        watch->at = 0;
    watch->due_ms = now_ms() + STEP_MS / watch->speed;
}

/* Handles a key. Returns false if the user quits. */
static bool obey(struct watch *watch, enum key key)
{
    if (key != KEY_NONE && key != KEY_PLAY && key != KEY_FASTER && key != KEY_SLOWER)
        watch->playing = false;
    switch (key) {
    case KEY_NONE:
        break;
    case KEY_LEFT:
        watch->at -= watch->at > 0;
        break;
    case KEY_RIGHT:
        watch->at += watch->at < watch->count - 1;
        break;
    case KEY_HOME:
        watch->at = 0;
        break;
    case KEY_END:
        watch->at = watch->count - 1;
        break;
    case KEY_PLAY:
        play(watch, !watch->playing);
        break;
    case KEY_ROUND_BACK:
        watch->at = round_back(watch);
        break;
    case KEY_ROUND_ON:
        watch->at = round_on(watch);
        break;
    case KEY_FASTER:
        watch->speed = watch->speed < SPEED_MAX ? watch->speed * 2 : SPEED_MAX;
        break;
    case KEY_SLOWER:
        watch->speed = watch->speed > 1 ? watch->speed / 2 : 1;
        break;
    case KEY_QUIT:
        return false;
    }
    return true;
}

/* Reads and handles keys. Returns false if the user quits or the terminal is gone. */
static bool read_keys(struct watch *watch)
{
    char bytes[256];
    ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
    size_t used;

    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    for (size_t at = 0; at < (size_t)got; at += used)
        if (!obey(watch, read_key(bytes + at, (size_t)got - at, &used)))
            return false;
    return got > 0;
}

/* ---- the main loop ---- */

static int wait_ms(const struct watch *watch)
{
    int64_t left_ms = watch->due_ms - now_ms();

    if (!watch->playing)
        return -1;
    return left_ms > 0 ? (int)left_ms : 0;
}

static void step_if_due(struct watch *watch)
{
    if (!watch->playing || now_ms() < watch->due_ms)
        return;
    watch->at += watch->at < watch->count - 1;
    watch->due_ms = now_ms() + STEP_MS / watch->speed;
    if (watch->at == watch->count - 1)
        watch->playing = false;
}

/* Runs until the user quits. Returns the signal that ended the loop, or 0. */
static int follow(struct watch *watch, int signal_fd)
{
    for (;;) {
        struct pollfd waits[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                 {.fd = signal_fd, .events = POLLIN}};
        struct signalfd_siginfo told;

        draw(watch);
        if (poll(waits, 2, wait_ms(watch)) < 0 && errno != EINTR)
            return 0;
        if ((waits[1].revents & POLLIN) && read(signal_fd, &told, sizeof told) == sizeof told &&
            told.ssi_signo != SIGWINCH)
            return (int)told.ssi_signo;
        if (waits[0].revents && !read_keys(watch))
            return 0;
        step_if_due(watch);
    }
}

/* Takes over the terminal, runs the loop, and restores the terminal. */
static int show(struct watch *watch)
{
    struct termios before, raw;
    sigset_t signals, old;
    int signal_fd, ended;

    if (tcgetattr(STDIN_FILENO, &before) < 0)
        return command_fail("the terminal cannot be set up: %s", strerror(errno));
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGWINCH);
    sigprocmask(SIG_BLOCK, &signals, &old);
    signal_fd = signalfd(-1, &signals, SFD_CLOEXEC);
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VSUSP] = _POSIX_VDISABLE;
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
    fputs("\033[?1049h\033[?25l\033[?7l", stdout);
    ended = follow(watch, signal_fd);
    fputs("\033[?7h\033[?25h\033[?1049l", stdout);
    fflush(stdout);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    close(signal_fd);
    sigprocmask(SIG_SETMASK, &old, NULL);
    return ended == 0 || ended == SIGINT ? COMMAND_DONE : COMMAND_FAILED;
}

static void watch_finish(struct watch *watch)
{
    for (size_t i = 0; watch->frames && i < watch->replay->decision_count + 1; i++) {
        free(watch->frames[i].said);
        free(watch->frames[i].note);
    }
    free(watch->frames);
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        free(watch->names[seat]);
}

int replay_watch_run(const struct replay *replay, const char *path)
{
    struct watch watch = {.replay = replay, .speed = 1, .colors = screen_find_colors()};
    char error[REPLAY_ERROR_BYTES];
    int status = COMMAND_DONE;

    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return command_refuse("--watch: needs a terminal; without one, `arena replay %s` tells the "
                              "match",
                              path);
    watch.frames = calloc(replay->decision_count + 2, sizeof *watch.frames);
    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        watch.names[seat] = words_seat(replay, seat);
        if (!watch.names[seat] || !watch.frames)
            status = command_fail("%s: out of memory", path);
    }
    if (status == COMMAND_DONE && replay_verify(replay, add_frame, &watch, error) < 0)
        status = command_fail("%s: %s", path, error);
    if (status == COMMAND_DONE)
        status = show(&watch);
    watch_finish(&watch);
    return status;
}
