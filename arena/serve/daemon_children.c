/* The daemon's child processes: they build, check and admit submissions, and publish the site. */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/play/alarm.h"
#include "arena/play/mailbox.h"
#include "arena/serve/daemon_state.h"

enum {
    OUTPUT_BYTES_MAX = DAEMON_LINE_BYTES - 1,
    ARGUMENTS_MAX = 24,
    RETRY_S = 30, /* after the arena failed a submission; twice as long each time */
    RETRY_S_MAX = 3600,
    PUBLISHED_DAMAGED = 2, /* exit status of a publication that met damaged replays */
};

/* The first line of what a process printed; at its bound it may be cut within a character. */
static const char *first_line(struct subprocess *process)
{
    process->text[process->text_bytes] = '\0';
    process->text[strcspn(process->text, "\n")] = '\0';
    return process->text;
}

/*
 * Starts a command of the arena on the daemon's store. The URL is passed in the environment,
 * because it may contain a password, and arguments are visible to everybody.
 */
static int start(struct daemon *daemon, struct subprocess *process, const char *const *arguments,
                 int limit_s)
{
    char *variable;
    int error = 0;

    if (!daemon->errands)
        error = mailbox_create(&daemon->errands, daemon->loop, NULL);
    if (error)
        return error;
    if (asprintf(&variable, "ARENA_STORE=%s", daemon->options.url) < 0)
        return -ENOMEM;
    process->variable = variable;
    error = subprocess_start_aside(process, daemon->loop, daemon->errands, NULL,
                                   (char *const *)(uintptr_t)arguments, OUTPUT_BYTES_MAX, limit_s);
    process->variable = NULL;
    free(variable);
    return error;
}

/* ---- submissions ---- */

static struct daemon_failed_admit *find_failed(struct daemon *daemon, int64_t id)
{
    for (int i = 0; i < DAEMON_FAILED_ADMITS_MAX; i++)
        if (daemon->failed_admits[i].id == id)
            return &daemon->failed_admits[i];
    return NULL;
}

static bool is_put_off(struct daemon *daemon, int64_t id)
{
    const struct daemon_failed_admit *failed = find_failed(daemon, id);

    return failed && failed->retry_us > alarm_now_us();
}

/* In a free place, or that of the one whose pause is over first. */
static void put_off(struct daemon *daemon, int64_t id)
{
    struct daemon_failed_admit *failed = find_failed(daemon, id);
    int64_t pause_s;

    if (!failed)
        failed = find_failed(daemon, 0);
    if (!failed) {
        failed = &daemon->failed_admits[0];
        for (int i = 1; i < DAEMON_FAILED_ADMITS_MAX; i++)
            if (daemon->failed_admits[i].retry_us < failed->retry_us)
                failed = &daemon->failed_admits[i];
    }
    if (failed->id != id)
        *failed = (struct daemon_failed_admit){.id = id};
    pause_s = (int64_t)RETRY_S << failed->attempt_count;
    failed->attempt_count += pause_s < RETRY_S_MAX;
    failed->retry_us = alarm_now_us() + pause_s * 1000000;
}

static void forget_failed(struct daemon *daemon, int64_t id)
{
    struct daemon_failed_admit *failed = find_failed(daemon, id);

    if (failed)
        *failed = (struct daemon_failed_admit){0};
}

static void admit_ended(struct subprocess *process, int status)
{
    struct daemon_admit *admit = process->owner;
    struct daemon *daemon = admit->daemon;
    const char *line = first_line(process);
    char name[32];

    snprintf(name, sizeof name, "%" PRId64, admit->submission.id);
    if (status == 0) {
        forget_failed(daemon, admit->submission.id);
        if (*line) /* none: it had ended before */
            daemon_log(daemon, DAEMON_SUBMISSION, name, line);
        daemon->is_stale = true;
    } else if (daemon->state == DAEMON_RUNNING) { /* else it was killed, to be taken up again */
        put_off(daemon, admit->submission.id);
        daemon_tell_error(daemon, name, *line ? line : "it failed: standard error says why");
    }
    subprocess_finish(process);
}

static bool is_taken(struct daemon *daemon, const struct scout_submission *submission)
{
    for (int i = 0; i < DAEMON_ADMITS_MAX; i++) {
        const struct daemon_admit *admit = &daemon->admits[i];

        if (admit->process.text && (admit->submission.id == submission->id ||
                                    strcmp(admit->submission.author, submission->author) == 0))
            return true;
    }
    return is_put_off(daemon, submission->id);
}

static void admit(struct daemon *daemon, struct daemon_admit *place,
                  const struct scout_submission *submission)
{
    char id[24], parent[16];
    const char *arguments[ARGUMENTS_MAX] = {"arena", "aside", parent, "admit"};
    int count = 4, error;

    snprintf(id, sizeof id, "%" PRId64, submission->id);
    snprintf(parent, sizeof parent, "%d", (int)getpid());
    for (const char *const *option = daemon->options.admit_options; option && *option; option++)
        if (count < ARGUMENTS_MAX - 2)
            arguments[count++] = *option;
    arguments[count++] = id;
    place->daemon = daemon;
    place->submission = *submission;
    place->process.owner = place;
    place->process.ended_fn = admit_ended;
    error = start(daemon, &place->process, arguments, daemon->options.admit_s);
    if (!error)
        return;
    put_off(daemon, submission->id);
    daemon_tell_error(daemon, id, strerror(-error));
}

static void begin_admits(struct daemon *daemon)
{
    for (int i = 0; i < DAEMON_ADMITS_MAX; i++) {
        struct daemon_admit *place = &daemon->admits[i];

        if (place->process.text)
            continue;
        for (int j = 0; j < daemon->view.told_count; j++)
            if (!is_taken(daemon, &daemon->view.submissions[j])) {
                admit(daemon, place, &daemon->view.submissions[j]);
                break;
            }
    }
}

/* ---- the site ---- */

static void publish_ended(struct subprocess *process, int status)
{
    struct daemon *daemon = process->owner;
    const char *line = first_line(process);

    if (status == 0 || (status == PUBLISHED_DAMAGED && *line)) {
        daemon_log(daemon, DAEMON_PUBLISHED, "", line);
        if (status != 0)
            daemon_tell_error(daemon, "publish", line);
    } else {
        daemon->is_stale = true;
        if (daemon->state == DAEMON_RUNNING)
            daemon_tell_error(daemon, "publish",
                              *line ? line : "it failed: standard error says why");
    }
    subprocess_finish(process);
}

static void begin_publish(struct daemon *daemon)
{
    int64_t now_us = alarm_now_us();
    char parent[16];
    const char *arguments[] = {"arena", "aside", parent, "publish", daemon->options.site, NULL};
    int error;

    if (!daemon->options.site || daemon->publish.text || !daemon->is_stale ||
        (daemon->published_us &&
         now_us - daemon->published_us < (int64_t)daemon->options.every_s * 1000000))
        return;
    snprintf(parent, sizeof parent, "%d", (int)getpid());
    daemon->is_stale = false;
    daemon->published_us = now_us;
    daemon->publish.owner = daemon;
    daemon->publish.ended_fn = publish_ended;
    error = start(daemon, &daemon->publish, arguments, DAEMON_PUBLISH_S);
    if (error) {
        daemon->is_stale = true;
        daemon_tell_error(daemon, "publish", strerror(-error));
    }
}

void daemon_children_begin(struct daemon *daemon)
{
    begin_admits(daemon);
    begin_publish(daemon);
}

void daemon_children_end(struct daemon *daemon)
{
    for (int i = 0; i < DAEMON_ADMITS_MAX; i++)
        subprocess_finish(&daemon->admits[i].process);
    subprocess_finish(&daemon->publish);
}
