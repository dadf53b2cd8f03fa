#include "arena/person/child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * Returns the person of a child. A person has no process: pid is 0, and private points to the
 * person.
 */
static struct person_child *person_of(const struct sandbox_child *child)
{
    return child->pid == 0 ? (struct person_child *)(void *)child->private : NULL;
}

static void close_all(const int *fds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

static void die(struct person_child *person, enum sandbox_end end)
{
    if (!person->lives)
        return;
    person->lives = false;
    person->end = end;
    ev_io_stop(person->loop, &person->input);
    close_all((int[]){person->request_fd, person->answer_fd, person->errors_fd}, 3);
    eventfd_write(person->death_fd, 1);
}

static void send_answer(struct person_child *person, const uint8_t *bytes, size_t size)
{
    /* A few bytes fit into an empty socket, unless the table is gone. */
    if (send(person->answer_fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)size)
        die(person, SANDBOX_END_EXITED);
}

static void take_message(struct person_child *person, size_t size)
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
    struct person_child *person = watch->data;
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
    /* One request at a time: nothing follows a message before it is answered. */
    if (wire_scan(&person->scan, coming->bytes, coming->size) != WIRE_SCAN_COMPLETE)
        return;
    coming->size = 0;
    take_message(person, person->scan.offset);
    person->scan = (struct wire_scan){0};
}

/* ---- the transport ---- */

static int spawn_person(struct person_child *person, struct sandbox_child *child,
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

static int spawn(void *context, const struct sandbox_command *command, struct sandbox_child *child,
                 struct sandbox_failure *failure)
{
    struct person_child *person = context;

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
    struct person_child *person = person_of(child);

    if (!person)
        return sandbox_child_reap(child, verdict);
    if (!person->lives)
        *verdict = (struct sandbox_verdict){.end = person->end};
    return !person->lives;
}

static void finish(struct sandbox_child *child)
{
    struct person_child *person = person_of(child);
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

struct transport person_transport(struct person_child *person)
{
    struct transport of_sandbox = transport_of_sandbox(person->sandbox);

    return (struct transport){.context = person,
                              .watches = of_sandbox.watches,
                              .spawn_fn = spawn,
                              .setup_fn = setup,
                              .notified_fn = notified,
                              .cpu_us_fn = cpu_us,
                              .watch_fn = watch,
                              .freeze_fn = freeze,
                              .kill_fn = kill_child,
                              .reap_fn = reap,
                              .finish_fn = finish};
}

void person_child_answer(struct person_child *person, struct action action)
{
    uint8_t bytes[256];
    size_t size = wire_pack_act(
        bytes, sizeof bytes,
        &(struct wire_act){.turn = person->told.turn, .kind = WIRE_ACT_ACTION, .action = action});

    send_answer(person, bytes, size);
}
