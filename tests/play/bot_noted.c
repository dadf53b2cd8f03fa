#include "tests/play/bot_states.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "arena/play/forfeit.h"

struct bot noted_bot;
struct fake_child *noted_child;
struct transport noted_transport;
enum sandbox_setup noted_setup;
bool noted_lives_on;
int noted_zero = -1;
char noted_line[2048];

static struct transport fakes;

void noted_add(const char *format, ...)
{
    size_t used = strlen(noted_line);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(noted_line + used, sizeof noted_line - used, format, arguments);
    va_end(arguments);
}

/* Gives one of its descriptors number 0, as if standard input had been closed. */
static void move(struct sandbox_child *child)
{
    int *const fds[] = {&child->stdin_fd, &child->stdout_fd, &child->stderr_fd, &child->notify_fd};

    if (noted_zero < 0)
        return;
    cr_assert_eq(dup2(*fds[noted_zero], STDIN_FILENO), STDIN_FILENO);
    close(*fds[noted_zero]);
    *fds[noted_zero] = STDIN_FILENO;
}

static int spawn(void *context, const struct sandbox_command *command, struct sandbox_child *child,
                 struct sandbox_failure *failure)
{
    int result = fakes.spawn_fn(context, command, child, failure);

    child->notify_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    noted_child = &fake_children[child->pid];
    move(child);
    return result;
}

static enum sandbox_setup setup(struct sandbox_child *child, struct sandbox_failure *failure)
{
    uint64_t count;
    if (read(noted_child->setup_fd, &count, sizeof count) < 0)
        count = 0;
    if (noted_setup == SANDBOX_SETUP_FAILED)
        *failure = (struct sandbox_failure){.step = "mount", .error = EPERM};
    noted_add(" setup");
    return noted_setup;
}

static bool notified(struct sandbox_child *child)
{
    uint64_t count;

    noted_add(" notified");
    return read(child->notify_fd, &count, sizeof count) > 0 && count == 1;
}

static int64_t cpu_us(const struct sandbox_child *child)
{
    noted_add(" cpu");
    return fakes.cpu_us_fn(child);
}

static bool watch(struct sandbox_child *child)
{
    noted_add(" watch");
    return fakes.watch_fn(child);
}

static int freeze(struct sandbox_child *child, bool frozen)
{
    noted_add(frozen ? " stop" : " resume");
    return fakes.freeze_fn(child, frozen);
}

static void kill_child(struct sandbox_child *child)
{
    noted_add(" kill");
    if (!noted_lives_on)
        fakes.kill_fn(child);
}

static bool reap(struct sandbox_child *child, struct sandbox_verdict *verdict)
{
    bool reaped = fakes.reap_fn(child, verdict);

    noted_add(reaped ? " reap" : " alive");
    if (reaped) {
        verdict->status = verdict->end == SANDBOX_END_EXITED ? 3 : 0;
        verdict->signal = verdict->end == SANDBOX_END_SIGNALED ? SIGSEGV : 0;
        verdict->call = verdict->end == SANDBOX_END_FORBIDDEN ? "ptrace" : NULL;
        verdict->memory_peak_bytes = 5 << 20;
        verdict->memory_limit_bytes = 6 << 20;
    }
    return reaped;
}

static void finish(struct sandbox_child *child)
{
    noted_add(" finish");
    close(child->notify_fd);
    fakes.finish_fn(child);
}

/* ---- the owner, who notes what it is told ---- */

static void started(struct bot *self)
{
    noted_add(" STARTED%s", self->state == BOT_IDLE ? "" : "?");
}

static void replied(struct bot *self)
{
    noted_add(" REPLIED(%zu bytes, used %" PRId64 ", delay %" PRId64 ", cpu %" PRId64 ")",
              self->channel.reply_bytes, self->charge.used_us, self->charge.delay_us,
              self->used_cpu_us);
}

static void failed(struct bot *self)
{
    const struct bot_fault *fault = &self->fault;
    struct forfeit *forfeit = forfeit_create(self, 7);

    noted_add(" FAILED(%s, limit %" PRId64 ", wall %" PRId64 ", cpu %" PRId64 ", delay %" PRId64
              ", used %" PRId64 "%s%s: %s; status %d, signal %d%s%s)",
              wire_reason_name(fault->reason), fault->limit_us, fault->wall_us, fault->cpu_us,
              fault->delay_us, self->charge.used_us, fault->late ? ", late" : "",
              fault->ended ? ", ended" : "", forfeit->words, forfeit->status, forfeit->signal,
              *forfeit->call ? ", " : "", forfeit->call);
    forfeit_destroy(forfeit);
}

static void broke(struct bot *self)
{
    noted_add(" BROKEN(%s: %d)", self->failure.step, self->failure.error);
}

static void went(struct bot *self)
{
    noted_add(" GONE(%s)", self->state == BOT_GONE ? "dead" : "?");
}

static void wrote_errors(struct bot *self, const char *bytes, size_t size)
{
    noted_add(" ERRORS(%.*s)", (int)size, bytes);
}

/* ---- what tests do with it ---- */

void noted_begin(void)
{
    noted_bot = (struct bot){.started_fn = started,
                             .replied_fn = replied,
                             .failed_fn = failed,
                             .broken_fn = broke,
                             .gone_fn = went,
                             .errors_fn = wrote_errors,
                             .core_count = 2};
    fakes = noted_transport = fake_child_transport();
    noted_transport.spawn_fn = spawn;
    noted_transport.setup_fn = setup;
    noted_transport.notified_fn = notified;
    noted_transport.cpu_us_fn = cpu_us;
    noted_transport.watch_fn = watch;
    noted_transport.freeze_fn = freeze;
    noted_transport.kill_fn = kill_child;
    noted_transport.reap_fn = reap;
    noted_transport.finish_fn = finish;
    noted_lives_on = false;
    *noted_line = '\0';
}

void noted_run(void)
{
    for (int i = 0; i < 4; i++)
        ev_run(noted_bot.loop, EVRUN_NOWAIT);
}

void noted_ask(size_t size)
{
    memset(noted_bot.channel.request, 0, size);
    bot_ask(&noted_bot, size, LIMIT_US, WIRE_TIMEOUT);
}

void noted_leave(size_t size)
{
    memset(noted_bot.channel.request, 0, size);
    bot_leave(&noted_bot, size);
}

void noted_setup_ends(enum sandbox_setup result)
{
    noted_setup = result;
    eventfd_write(noted_child->setup_fd, 1);
}

bool noted_close(int *fd)
{
    bool was_open = *fd >= 0;

    if (was_open)
        close(*fd);
    *fd = -1;
    return was_open;
}
