/* SPDX-License-Identifier: MIT */
/*
 * The bot's main loop, with blocking I/O: reads available bytes, answers each complete message
 * among them, and reads again. A turn usually takes one read and one write. The SDK asks the arena
 * not to send legal actions, because the engine computes the list from the state faster than the
 * SDK could read it.
 */
#include "sdk/sdk.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "engine/draw.h" /* draw_next */

#if defined __linux__ && (defined __x86_64__ || defined __aarch64__)
#include <ucontext.h>
#endif

/*
 * The time that the arena charges for an answer, as the bot can know it. Between two looks the bot
 * either never slept, and is charged for the processor time alone, or for the whole time.
 */
struct sdk_spent {
    int64_t looked_us;    /* time (sdk_now_us) of the last look, at first of the request */
    int64_t processor_us; /* processor time of this process at the last look */
    long sleep_count;     /* how often the process had slept until then */
    int64_t spent_us;     /* charged from the request to the last look */
};

/* Adds what was charged since the last look. */
static void look(struct sdk_spent *spent, int64_t now_us)
{
    struct rusage usage;
    int64_t charged_us = now_us - spent->looked_us, used_us;

    getrusage(RUSAGE_SELF, &usage);
    used_us = (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
              usage.ru_utime.tv_usec + usage.ru_stime.tv_usec - spent->processor_us;
    if (usage.ru_nvcsw == spent->sleep_count && used_us < charged_us)
        charged_us = used_us;
    *spent = (struct sdk_spent){.looked_us = now_us,
                                .processor_us = spent->processor_us + used_us,
                                .sleep_count = usage.ru_nvcsw,
                                .spent_us = spent->spent_us + charged_us};
}

/* State of sdk_run: input that is not answered yet, the current match, and buffers. */
struct session {
    const struct sdk_bot *bot;
    void *self;
    int output_fd; /* the arena reads it */
    struct wire_hello hello;
    bool has_hello;
    bool has_bank; /* bank_ms is the bank at the previous turn; false before the first turn */
    int64_t bank_ms;
    int64_t received_us; /* time (sdk_now_us) at which the last bytes arrived */
    struct sdk_random random;
    struct game game;
    struct sdk_spent spent;
    struct wire_turn turn;
    struct wire_act act;
    struct action actions[GAME_ACTIONS_MAX];
    struct wire_event events[WIRE_EVENTS_MAX];
    size_t used_bytes; /* number of bytes in `input` that belong to answered messages */
    size_t size_bytes; /* number of bytes read into `input` */
    uint8_t input[2 * WIRE_MESSAGE_BYTES_MAX];
};

uint64_t sdk_random_next(struct sdk_random *random)
{
    return draw_next(&random->state);
}

size_t sdk_random_below(struct sdk_random *random, size_t count)
{
    return (size_t)(((sdk_random_next(random) >> 32) * count) >> 32);
}

static int complain(const struct session *session, const char *trouble)
{
    fprintf(stderr, "%s: %s\n", session->bot->name ? session->bot->name : "bot", trouble);
    return 1;
}

/* Writes all bytes to the arena. Returns NULL, or a line that says what went wrong. */
static const char *send_bytes(const struct session *session, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(session->output_fd, bytes, size);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return strerror(errno);
        bytes += written;
        size -= (size_t)written;
    }
    return NULL;
}

/*
 * Waits for the next message, which then begins at session->input + used_bytes. Returns the
 * message's size, or 0 at the end of the input; sets *fault if the input ended in the middle of a
 * message or a read failed.
 */
static size_t receive(struct session *session, const char **fault)
{
    struct wire_scan scan = {0};

    for (;;) {
        const uint8_t *message = session->input + session->used_bytes;
        ssize_t received;

        switch (wire_scan(&scan, message, session->size_bytes - session->used_bytes)) {
        case WIRE_SCAN_COMPLETE:
            return scan.offset;
        case WIRE_SCAN_BAD:
            *fault = scan.fault;
            return 0;
        case WIRE_SCAN_PARTIAL:
            break;
        }
        memmove(session->input, message, session->size_bytes - session->used_bytes);
        session->size_bytes -= session->used_bytes;
        session->used_bytes = 0;
        received = read(STDIN_FILENO, session->input + session->size_bytes,
                        sizeof session->input - session->size_bytes);
        if (received < 0 && errno == EINTR)
            continue;
        if (received < 0)
            *fault = strerror(errno);
        else if (received == 0 && session->size_bytes > 0)
            *fault = "the input ended in the middle of a message";
        if (received <= 0)
            return 0;
        session->received_us = sdk_now_us();
        look(&session->spent, session->received_us);
        session->spent.spent_us = 0;
        session->size_bytes += (size_t)received;
    }
}

static const char *answer_hello(struct session *session, const uint8_t *bytes, size_t size)
{
    const struct sdk_bot *bot = session->bot;
    struct wire_ready ready = {.actions = false};
    uint8_t output[2 * WIRE_TEXT_BYTES_MAX];
    const char *fault = wire_unpack_hello(bytes, size, &session->hello);

    if (fault)
        return fault;
    session->has_hello = true;
    session->has_bank = false;
    session->random.state = session->hello.seed;
    if (bot->hello_fn)
        bot->hello_fn(session->self, &session->hello);
    if (bot->name)
        wire_repair_text(ready.name, bot->name, strlen(bot->name), WIRE_NAME_BYTES_MAX);
    if (bot->version)
        wire_repair_text(ready.version, bot->version, strlen(bot->version), WIRE_NAME_BYTES_MAX);
    return send_bytes(session, output, wire_pack_ready(output, sizeof output, &ready));
}

/*
 * Sets up session->game from the received state. The bot does not know the match's seed, so the
 * game gets a random one. Returns NULL or the fault.
 */
static const char *set_up_game(struct session *session)
{
    uint64_t seed[2] = {sdk_random_next(&session->random), sdk_random_next(&session->random)};
    uint8_t bytes[GAME_SEED_BYTES];

    memcpy(bytes, seed, sizeof bytes);
    return game_from_position(&session->game, &session->turn.state, bytes);
}

/*
 * Returns the time that the previous answer took from the bank: the bank at the previous turn, plus
 * the gain, minus the bank now.
 */
static int64_t bank_used_ms(struct session *session)
{
    int64_t before_ms = session->bank_ms + session->hello.clock.gain_ms;
    int64_t used_ms = session->has_bank ? before_ms - session->turn.bank_ms : 0;

    session->has_bank = true;
    session->bank_ms = session->turn.bank_ms;
    return used_ms > 0 ? used_ms : 0;
}

static const char *answer_turn(struct session *session, const uint8_t *bytes, size_t size)
{
    struct wire_turn *turn = &session->turn;
    struct wire_act *act = &session->act;
    uint8_t output[2 * WIRE_TEXT_BYTES_MAX];
    size_t action_count;
    const char *fault = wire_unpack_turn(bytes, size, turn, session->actions, session->events);

    if (!fault && !session->has_hello)
        fault = "a turn before any hello";
    if (!fault)
        fault = set_up_game(session);
    if (fault)
        return fault;
    action_count = game_legal_actions(&session->game, session->actions);
    if (action_count == 0)
        return "a turn in a match that is over";
    act->turn = turn->turn;
    act->note[0] = '\0';
    act->expects[0] = act->expects[1] = INT32_MIN;
    act->action =
        session->bot->play_fn(session->self, &(struct sdk_turn){
                                                 .hello = &session->hello,
                                                 .turn = turn->turn,
                                                 .bank_ms = turn->bank_ms,
                                                 .state = &turn->state,
                                                 .game = &session->game,
                                                 .actions = session->actions,
                                                 .action_count = action_count,
                                                 .events = turn->events,
                                                 .event_count = turn->event_count,
                                                 .random = &session->random,
                                                 .note = act->note,
                                                 .played = turn->has_played ? &turn->played : NULL,
                                                 .expects = act->expects,
                                                 .received_us = session->received_us,
                                                 .bank_used_ms = bank_used_ms(session),
                                                 .spent = &session->spent,
                                             });
    act->kind = WIRE_ACT_ACTION; /* the arena, not the SDK, judges an illegal action */
    for (size_t i = 0; i < action_count; i++)
        if (action_compare(session->actions[i], act->action) == 0) {
            act->kind = WIRE_ACT_INDEX;
            act->index = (int64_t)i;
            break;
        }
    act->note_bytes = strnlen(act->note, WIRE_NOTE_BYTES_MAX);
    act->has_note = act->note_bytes > 0;
    act->has_expects = turn->has_played && act->expects[0] != INT32_MIN;
    return send_bytes(session, output, wire_pack_act(output, sizeof output, act));
}

static const char *take_end(struct session *session, const uint8_t *bytes, size_t size)
{
    struct wire_end end;
    const char *fault = wire_unpack_end(bytes, size, &end);

    if (!fault && session->bot->end_fn)
        session->bot->end_fn(session->self, &end);
    session->has_hello = false;
    return fault;
}

static const char *answer(struct session *session, const uint8_t *bytes, size_t size)
{
    enum wire_type type;
    const char *fault = wire_unpack_type(bytes, size, &type);

    if (fault == wire_type_unknown)
        return NULL;
    if (fault)
        return fault;
    switch (type) {
    case WIRE_HELLO:
        return answer_hello(session, bytes, size);
    case WIRE_TURN:
        return answer_turn(session, bytes, size);
    case WIRE_END:
        return take_end(session, bytes, size);
    case WIRE_READY:
    case WIRE_ACT:
        break;
    }
    return "a message that only bots send";
}

/* ---- where the bot crashed ---- */

enum {
    CRASH_STACK_BYTES = 64 << 10, /* the handler's own stack, because the bot's may be full */
};

/* Returns the address of the instruction that failed; 0: not known on this machine. */
static uintptr_t crash_address(const void *context)
{
#if defined __linux__ && defined __x86_64__
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined __linux__ && defined __aarch64__
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

/*
 * Writes one line to standard error that names the place of the crash, and lets the signal end the
 * bot. Functions have names if they are not static and the bot is linked with -rdynamic.
 */
static void tell_crash(int number, siginfo_t *info, void *context)
{
    const uintptr_t address = crash_address(context);
    char line[512];
    Dl_info place = {0};
    int length;

    (void)info;
    if (!address || !dladdr((void *)address, &place) || !place.dli_fname)
        length = snprintf(line, sizeof line, "crashed at address %#lx\n", (unsigned long)address);
    else if (!place.dli_sname)
        length = snprintf(
            line, sizeof line,
            "crashed at %.200s+%#lx: addr2line -fpe %.200s %#lx names the line of a fresh build\n",
            place.dli_fname, (unsigned long)(address - (uintptr_t)place.dli_fbase), place.dli_fname,
            (unsigned long)(address - (uintptr_t)place.dli_fbase));
    else
        length = snprintf(
            line, sizeof line,
            "crashed at %.100s+%#lx: addr2line -fpe %.200s %#lx names the line of a fresh build\n",
            place.dli_sname, (unsigned long)(address - (uintptr_t)place.dli_saddr), place.dli_fname,
            (unsigned long)(address - (uintptr_t)place.dli_fbase));
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        length = 0;
    raise(number); /* the handler is gone (SA_RESETHAND), so that this ends the bot */
}

/* Lets a crash tell its place, unless the bot or a sanitizer handles the signal itself. */
static void watch_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    static char stack[CRASH_STACK_BYTES];
    struct sigaction action = {.sa_sigaction = tell_crash,
                               .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
    struct sigaction before;

    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
}

/*
 * While the bot runs, standard output leads to standard error, line by line: what the bot prints
 * would else get between its answers, perhaps only once a buffer of 4 KB is full. Returns the
 * descriptor that the arena reads; if no other is free, this is standard output itself.
 */
static int part_output(void)
{
    int output_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

    if (output_fd < 0)
        return STDOUT_FILENO;
    if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        close(output_fd);
        return STDOUT_FILENO;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    return output_fd;
}

/* Undoes part_output. */
static void join_output(int output_fd)
{
    if (output_fd == STDOUT_FILENO)
        return;
    fflush(stdout);
    dup2(output_fd, STDOUT_FILENO);
    close(output_fd);
}

int sdk_run(const struct sdk_bot *bot, void *self)
{
    static struct session session; /* static, because the struct may be too large for the stack */
    const char *fault = NULL;
    size_t size;

    session.bot = bot;
    session.self = self;
    /*
     * Without SIGPIPE, write() fails if the arena has closed the output, and the bot ends properly.
     */
    signal(SIGPIPE, SIG_IGN);
    watch_crashes();
    session.output_fd = part_output();
    while (!fault && (size = receive(&session, &fault)) > 0) {
        fault = answer(&session, session.input + session.used_bytes, size);
        session.used_bytes += size;
    }
    join_output(session.output_fd);
    return fault ? complain(&session, fault) : 0;
}

int64_t sdk_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t sdk_time_left_us(const struct sdk_turn *turn)
{
    int64_t allowed_us = (turn->hello->clock.turn_ms + turn->bank_ms) * 1000;
    int64_t left_us = turn->received_us + allowed_us - sdk_now_us();

    return left_us > 0 ? left_us : 0;
}

int64_t sdk_stop_us(const struct sdk_turn *turn)
{
    enum {
        RESERVE_US = 4000, /* the time for which another process may keep the bot from its core */
        USE_PERCENT = 85,
        BANK_DECISIONS = 50,        /* the bank is divided among so many decisions */
        ALLOWED_US_MAX = 1000000000 /* its square fits int64_t */
    };
    int64_t turn_ms = turn->hello->clock.turn_ms, allowed_us = ALLOWED_US_MAX;

    if (turn_ms < ALLOWED_US_MAX / 2000 && turn->bank_ms < ALLOWED_US_MAX / 2000)
        allowed_us = 1000 * turn_ms + 1000 * turn->bank_ms / BANK_DECISIONS;
    return turn->received_us +
           allowed_us * allowed_us / (allowed_us + RESERVE_US) * USE_PERCENT / 100;
}

bool sdk_should_stop(const struct sdk_turn *turn)
{
    enum {
        LOOK_US = 100
    }; /* a sleep makes the time between two looks count as a whole */
    const int64_t now_us = sdk_now_us(), allowed_us = sdk_stop_us(turn) - turn->received_us;
    struct sdk_spent *spent = turn->spent;
    int64_t since_us;

    if (!spent)
        return now_us - turn->received_us >= allowed_us;
    since_us = now_us - spent->looked_us;
    if (since_us >= LOOK_US || spent->spent_us + since_us >= allowed_us)
        look(spent, now_us);
    return spent->spent_us >= allowed_us;
}

void sdk_log(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    fflush(stderr);
}

void sdk_note(const struct sdk_turn *turn, const char *format, ...)
{
    char text[2 * WIRE_NOTE_BYTES_MAX];
    char repaired[WIRE_TEXT_BYTES_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    wire_repair_text(repaired, text, strlen(text), WIRE_NOTE_BYTES_MAX);
    snprintf(turn->note, WIRE_TEXT_BYTES_MAX, "%s", repaired);
}

void sdk_expect(const struct sdk_turn *turn, int32_t best_centipoints, int32_t played_centipoints)
{
    turn->expects[0] = best_centipoints;
    turn->expects[1] = played_centipoints;
}

const char *sdk_version(void)
{
    return SDK_VERSION;
}
