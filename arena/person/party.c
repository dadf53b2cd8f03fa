#include "arena/person/party.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "arena/play/channel.h"
#include "arena/play/bot.h"
#include "arena/trial/talk.h"
#include "sdk/wire.h"

/*
 * A person takes the place of a bot's process: the table's pipes lead to a socketpair whose other
 * end is in this program, on the same loop. There the person's decisions become wire messages, so
 * that referee, clock and replay treat the person like a bot. The bots at the table run in the
 * sandbox as usual. For a hint, this code starts the hint bot in the sandbox, sends it the person's
 * hello and turn messages, and kills it once it has answered.
 */

enum {
    WATCH_MS = 50, /* time between two checks of the bots' memory */
    HINT_WORDS_BYTES = 160,
};

struct person_message {
    size_t size;
    uint8_t bytes[WIRE_MESSAGE_BYTES_MAX];
};

struct person {
    struct ev_loop *loop;
    struct sandbox *sandbox; /* sandbox for the bots at the table */
    void *owner;
    void (*asked_fn)(void *owner); /* called when the person has to decide; `told` is the turn */
    struct person_message hello, turn; /* the last hello and turn messages to the person */
    /* The last turn message, decoded; its pointers refer to `actions` and `events`. */
    struct wire_turn told;
    struct action actions[GAME_ACTIONS_MAX];
    struct wire_event events[WIRE_EVENTS_MAX];
    int request_fd, answer_fd; /* the person's ends of the two socketpairs */
    int death_fd, setup_fd, errors_fd;
    bool lives;
    enum sandbox_end end;
    ev_io input;
    struct wire_scan scan;
    struct person_message coming;
};

/*
 * Returns the person whom a child represents, or NULL if the child is a bot. A person's child has
 * no process: its pid is 0, and its `private` points to the person.
 */
static struct person *person_of(const struct sandbox_child *child)
{
    return child->pid == 0 ? (struct person *)(void *)child->private : NULL;
}

static void close_all(const int *fds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

static void die(struct person *person, enum sandbox_end end)
{
    if (!person->lives)
        return;
    person->lives = false;
    person->end = end;
    ev_io_stop(person->loop, &person->input);
    close_all((int[]){person->request_fd, person->answer_fd, person->errors_fd}, 3);
    eventfd_write(person->death_fd, 1);
}

static void send_answer(struct person *person, const uint8_t *bytes, size_t size)
{
    /* The socket is empty, so send fails only if the table has closed its end. */
    if (send(person->answer_fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)size)
        die(person, SANDBOX_END_EXITED);
}

static void take_message(struct person *person, size_t size)
{
    uint8_t ready[64];
    enum wire_type type;

    if (wire_unpack_type(person->coming.bytes, size, &type) != NULL)
        return;
    if (type == WIRE_HELLO) {
        person->hello.size = size;
        memcpy(person->hello.bytes, person->coming.bytes, size);
        send_answer(person, ready,
                    wire_pack_ready(ready, sizeof ready, &(struct wire_ready){.actions = true}));
    } else if (type == WIRE_TURN) {
        person->turn.size = size;
        memcpy(person->turn.bytes, person->coming.bytes, size);
        if (!wire_unpack_turn(person->turn.bytes, size, &person->told, person->actions,
                              person->events))
            person->asked_fn(person->owner);
    }
}

static void input_ready(struct ev_loop *loop, ev_io *watch, int events)
{
    struct person *person = watch->data;
    struct person_message *coming = &person->coming;
    ssize_t got = recv(person->request_fd, coming->bytes + coming->size,
                       sizeof coming->bytes - coming->size, MSG_DONTWAIT);

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        die(person, SANDBOX_END_EXITED);
        return;
    }
    coming->size += (size_t)got;
    /* No bytes follow the message, because the table sends no request before the answer. */
    if (wire_scan(&person->scan, coming->bytes, coming->size) != WIRE_SCAN_COMPLETE)
        return;
    coming->size = 0;
    take_message(person, person->scan.offset);
    person->scan = (struct wire_scan){0};
}

/* ---- the transport: a person as a child process ---- */

static int spawn_person(struct person *person, struct sandbox_child *child,
                        struct sandbox_failure *failure)
{
    enum {
        REQUEST,
        REQUEST_END,
        ANSWER,
        ANSWER_END,
        ERRORS,
        ERRORS_END,
        DEATH,
        SETUP,
        COUNT
    };
    int fds[COUNT] = {-1, -1, -1, -1, -1, -1, -1, -1};
    int error;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, &fds[REQUEST]) < 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, &fds[ANSWER]) < 0 ||
        pipe2(&fds[ERRORS], O_CLOEXEC | O_NONBLOCK) < 0 ||
        (fds[DEATH] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) < 0 ||
        (fds[SETUP] = eventfd(1, EFD_NONBLOCK | EFD_CLOEXEC)) < 0) {
        error = errno;
        close_all(fds, COUNT);
        *failure = (struct sandbox_failure){.step = "descriptors for a person", .error = error};
        return -error;
    }
    person->request_fd = fds[REQUEST_END];
    person->answer_fd = fds[ANSWER_END];
    person->errors_fd = fds[ERRORS_END];
    person->death_fd = fds[DEATH];
    person->setup_fd = fds[SETUP];
    person->lives = true;
    person->coming.size = person->hello.size = person->turn.size = 0;
    person->scan = (struct wire_scan){0};
    ev_io_init(&person->input, input_ready, person->request_fd, EV_READ);
    person->input.data = person;
    ev_io_start(person->loop, &person->input);
    *child = (struct sandbox_child){.pid_fd = person->death_fd,
                                    .stdin_fd = fds[REQUEST],
                                    .stdout_fd = fds[ANSWER],
                                    .stderr_fd = fds[ERRORS],
                                    .setup_fd = person->setup_fd,
                                    .notify_fd = -1,
                                    .private = (struct sandbox_child_private *)(void *)person};
    return 0;
}

static int spawn_child(void *context, const struct sandbox_command *command,
                       struct sandbox_child *child, struct sandbox_failure *failure)
{
    struct person *person = context;

    if (!command->argv)
        return spawn_person(person, child, failure);
    return sandbox_spawn(person->sandbox, command, child, failure);
}

static enum sandbox_setup setup(struct sandbox_child *child, struct sandbox_failure *failure)
{
    return person_of(child) ? SANDBOX_SETUP_RUNNING : sandbox_child_setup(child, failure);
}

static bool notified(struct sandbox_child *child)
{
    return person_of(child) ? false : sandbox_child_notified(child);
}

static int64_t cpu_us(const struct sandbox_child *child)
{
    return person_of(child) ? 0 : sandbox_child_cpu_us(child);
}

static bool watch(struct sandbox_child *child)
{
    return person_of(child) ? false : sandbox_child_watch(child);
}

static int freeze(struct sandbox_child *child, bool frozen)
{
    return person_of(child) ? 0 : sandbox_child_freeze(child, frozen);
}

static void kill_child(struct sandbox_child *child)
{
    if (person_of(child))
        die(person_of(child), SANDBOX_END_KILLED);
    else
        sandbox_child_kill(child);
}

static bool reap(struct sandbox_child *child, struct sandbox_verdict *verdict)
{
    struct person *person = person_of(child);

    if (!person)
        return sandbox_child_reap(child, verdict);
    if (!person->lives)
        *verdict = (struct sandbox_verdict){.end = person->end};
    return !person->lives;
}

static void finish(struct sandbox_child *child)
{
    struct person *person = person_of(child);
    int fds[] = {child->stdin_fd, child->stdout_fd, child->stderr_fd, child->pid_fd,
                 child->setup_fd};

    if (!person) {
        sandbox_child_finish(child);
        return;
    }
    die(person, SANDBOX_END_KILLED);
    close_all(fds, sizeof fds / sizeof *fds);
    *child = (struct sandbox_child){0};
}

/*
 * Returns a transport that starts the person for a command without argv, and a bot for any other
 * command. Borrows person.
 */
static struct transport person_transport(struct person *person)
{
    struct transport of_sandbox = transport_of_sandbox(person->sandbox);

    return (struct transport){.context = person,
                              .watches = of_sandbox.watches,
                              .spawn_fn = spawn_child,
                              .setup_fn = setup,
                              .notified_fn = notified,
                              .cpu_us_fn = cpu_us,
                              .watch_fn = watch,
                              .freeze_fn = freeze,
                              .kill_fn = kill_child,
                              .reap_fn = reap,
                              .finish_fn = finish};
}

struct party {
    struct party_options options;
    struct ev_loop *loop;
    struct pace pace;
    struct transport transport;
    struct person person;
    struct table *table;
    ev_timer watch;
    ev_timer stop; /* stops the match from the loop, because the table must not be stopped in its
                      own callback */
    char error[REPLAY_ERROR_BYTES];

    struct talk *hint; /* the conversation with the hint bot; NULL: none */
    bool hint_asked;   /* the person waits for a hint */
    bool hint_runs;    /* the hint bot has started */
    bool hint_greeted; /* the hint bot has received its hello message */
};

/* ---- hints ---- */

/*
 * Ends the wait for a hint: calls hint_fn with the advised action; or with NULL, and `words` that
 * say why there is no advice.
 */
static void tell(struct party *party, const struct action *action, const char *words)
{
    party->hint_asked = false;
    party->options.hint_fn(party->options.owner, action, words);
}

static void tell_fault(struct party *party, const char *what)
{
    char words[HINT_WORDS_BYTES];

    snprintf(words, sizeof words, "gives no hint: %s", what);
    tell(party, NULL, words);
}

static void send_message(struct party *party, const struct person_message *message,
                         int64_t limit_ms, enum wire_reason late_reason)
{
    memcpy(party->hint->bot.channel.request, message->bytes, message->size);
    talk_ask(party->hint, message->size, limit_ms * 1000, late_reason);
}

static void bot_went_on(void *owner, enum talk_outcome outcome)
{
    struct party *party = owner;
    struct bot *bot = &party->hint->bot;
    const struct wire_clock *clock = &party->options.terms.clock;
    enum wire_reason reason;
    struct action action;
    struct wire_ready ready;
    struct wire_act act;
    const char *fault;

    if (!party->hint_asked) /* the wait for a hint is over */
        return;
    if (outcome != TALK_DONE) {
        tell_fault(party, outcome == TALK_FAULT ? bot->fault.words : bot->failure.step);
    } else if (!party->hint_runs) {
        party->hint_runs = true;
        send_message(party, &party->person.hello, clock->start_ms, WIRE_START);
    } else if (!party->hint_greeted) {
        party->hint_greeted = true;
        fault = answer_read_ready(bot->channel.reply, bot->channel.scan.offset, &ready);
        if (fault)
            tell_fault(party, fault);
        else
            send_message(party, &party->person.turn, clock->turn_ms + clock->bank_ms, WIRE_TIMEOUT);
    } else {
        fault = answer_read_act(bot->channel.reply, bot->channel.scan.offset, &act);
        if (!fault)
            fault = match_find_action(&party->table->match, &act, &action, &reason);
        bot_kill(bot);
        if (fault)
            tell_fault(party, fault);
        else
            tell(party, &action, NULL);
    }
}

/* Ends the wait for a hint without calling hint_fn. */
static void hint_drop(struct party *party)
{
    party->hint_asked = false;
    talk_destroy(party->hint);
    party->hint = NULL;
}

/* ---- the match ---- */

static void person_asked(void *owner)
{
    struct party *party = owner;

    party->options.asked_fn(party->options.owner, &party->person.told);
}

/* Replays the decisions of the earlier match, before a bot can drop out. */
static void table_begun(struct table *table)
{
    struct party *party = table->owner;
    struct match *match = &table->match;

    while (match->decision_count < party->options.replay_count) {
        int seat = match_next(match);

        if (seat == GAME_NOBODY ||
            replay_answer(party->options.replay, match, seat, party->error) < 0) {
            ev_timer_start(party->loop, &party->stop);
            return;
        }
    }
}

static void table_step(struct table *table)
{
    struct party *party = table->owner;

    party->options.step_fn(party->options.owner, &table->match);
}

static void table_done(struct table *table)
{
    struct party *party = table->owner;

    ev_timer_stop(party->loop, &party->watch);
    party->options.done_fn(party->options.owner, table, *party->error ? party->error : NULL);
}

static void look_at_memory(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct party *party = timer->data;

    table_watch(party->table);
}

static void stop_now(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct party *party = timer->data;

    table_stop(party->table);
}

static void prepare(struct party *party, struct ev_loop *loop)
{
    const struct party_options *options = &party->options;

    party->loop = loop;
    party->person.loop = loop;
    party->person.sandbox = options->sandbox;
    party->person.owner = party;
    party->person.asked_fn = person_asked;
    party->transport = person_transport(&party->person);
    ev_timer_init(&party->watch, look_at_memory, WATCH_MS / 1000., WATCH_MS / 1000.);
    ev_timer_init(&party->stop, stop_now, 0., 0.);
    party->watch.data = party->stop.data = party;
}

struct party *party_start(const struct party_options *options, struct ev_loop *loop)
{
    struct party *party = calloc(1, sizeof *party);

    if (!party)
        return NULL;
    party->options = *options;
    prepare(party, loop);
    party->table = table_create(loop, &party->pace, &party->transport, &party->options.rules);
    if (!party->table) {
        free(party);
        return NULL;
    }
    party->table->owner = party;
    party->table->begun_fn = table_begun;
    party->table->step_fn = table_step;
    party->table->done_fn = table_done;
    pace_start(&party->pace, loop);
    if (party->transport.watches)
        ev_timer_start(loop, &party->watch);
    table_play(party->table, &options->terms, options->sources);
    return party;
}

void party_answer(struct party *party, struct action action)
{
    struct person *person = &party->person;
    const struct wire_act act = {
        .turn = person->told.turn, .kind = WIRE_ACT_ACTION, .action = action};
    uint8_t bytes[256];

    hint_drop(party);
    send_answer(person, bytes, wire_pack_act(bytes, sizeof bytes, &act));
}

void party_ask_hint(struct party *party)
{
    const struct source *source = party->options.hint;
    const struct transport transport = transport_of_sandbox(party->options.sandbox);

    if (party->hint_asked) /* the hint bot is still thinking */
        return;
    hint_drop(party);
    party->hint_asked = true;
    party->hint_runs = party->hint_greeted = false;
    if (!source || source->unfit) {
        tell_fault(party, source ? source->unfit : "there is no bot to ask");
        return;
    }
    party->hint = talk_create(party->loop, &transport, party, bot_went_on);
    if (party->hint)
        talk_start(party->hint, source, &party->options.rules);
    else
        tell_fault(party, "out of memory");
}

void party_stop(struct party *party)
{
    hint_drop(party);
    table_stop(party->table);
}

void party_destroy(struct party *party)
{
    if (!party)
        return;
    ev_timer_stop(party->loop, &party->watch);
    ev_timer_stop(party->loop, &party->stop);
    hint_drop(party);
    table_destroy(party->table);
    pace_stop(&party->pace, party->loop);
    free(party);
}
