/* SPDX-License-Identifier: MIT */
#include "tests/play/fake_child.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "arena/base/clock.h"

enum {
    SEND_BYTES = 4608, /* of the socket that requests pass: large ones do not fit at once */
};

struct fake_child fake_children[FAKE_CHILDREN_MAX];
int fake_child_count;
int64_t fake_now_us;
void (*fake_child_born_fn)(struct fake_child *fake);
void (*fake_child_dying_fn)(struct fake_child *fake);

void fake_child_reset(void)
{
    fake_child_count = 0;
    fake_now_us = clock_now_us() + 3600 * INT64_C(1000000);
}

int64_t fake_child_now_us(void)
{
    return fake_now_us;
}

static struct fake_child *fake_of(const struct sandbox_child *child)
{
    return &fake_children[child->pid];
}

static int spawn(void *context, const struct sandbox_command *command, struct sandbox_child *child,
                 struct sandbox_failure *failure)
{
    struct fake_child *fake = &fake_children[fake_child_count];
    int sockets[2], output[2], errors[2], size = SEND_BYTES;
    assert(fake_child_count < FAKE_CHILDREN_MAX);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0 ||
        pipe2(output, O_CLOEXEC) < 0 || pipe2(errors, O_CLOEXEC) < 0)
        return -1;
    setsockopt(sockets[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    fcntl(sockets[0], F_SETFL, O_NONBLOCK);
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    fcntl(errors[0], F_SETFL, O_NONBLOCK);
    fcntl(errors[1], F_SETFL, O_NONBLOCK);
    *fake = (struct fake_child){.input_fd = sockets[1],
                                .output_fd = output[1],
                                .errors_fd = errors[1],
                                .death_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC),
                                .setup_fd = eventfd(1, EFD_NONBLOCK | EFD_CLOEXEC),
                                .notify_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC),
                                .cpu = command->cpu};
    *child = (struct sandbox_child){.pid = fake_child_count++,
                                    .pid_fd = fake->death_fd,
                                    .stdin_fd = sockets[0],
                                    .stdout_fd = output[0],
                                    .stderr_fd = errors[0],
                                    .setup_fd = fake->setup_fd,
                                    .notify_fd = fake->notify_fd};
    if (fake_child_born_fn)
        fake_child_born_fn(fake);
    return 0;
}

static enum sandbox_setup setup(struct sandbox_child *child, struct sandbox_failure *failure)
{
    return SANDBOX_SETUP_RUNNING;
}

static bool notified(struct sandbox_child *child)
{
    eventfd_t count;

    eventfd_read(child->notify_fd, &count);
    return true;
}

static int64_t cpu_us(const struct sandbox_child *child)
{
    return fake_of(child)->cpu_us;
}

static bool watch(struct sandbox_child *child)
{
    fake_of(child)->watch_count++;
    return false;
}

static int freeze(struct sandbox_child *child, bool frozen)
{
    return fake_of(child)->freeze_result;
}

void fake_child_die(struct fake_child *fake, enum sandbox_end end)
{
    if (fake->ended)
        return;
    if (fake_child_dying_fn)
        fake_child_dying_fn(fake);
    fake->ended = true;
    fake->end = end;
    eventfd_write(fake->death_fd, 1);
    close(fake->input_fd);
    close(fake->output_fd);
    close(fake->errors_fd);
    fake->input_fd = fake->output_fd = fake->errors_fd = -1;
}

static void kill_child(struct sandbox_child *child)
{
    fake_child_die(fake_of(child), SANDBOX_END_KILLED);
}

static bool reap(struct sandbox_child *child, struct sandbox_verdict *verdict)
{
    struct fake_child *fake = fake_of(child);

    if (fake->ended)
        *verdict = (struct sandbox_verdict){.end = fake->end, .cpu_us = fake->cpu_us};
    return fake->ended;
}

static void finish(struct sandbox_child *child)
{
    struct fake_child *fake = fake_of(child);

    fake_child_die(fake, SANDBOX_END_KILLED);
    if (child->stdin_fd >= 0)
        close(child->stdin_fd);
    close(child->stdout_fd);
    close(child->stderr_fd);
    close(fake->death_fd);
    close(fake->setup_fd);
    close(fake->notify_fd);
}

struct transport fake_child_transport(void)
{
    return (struct transport){.watches = true,
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
