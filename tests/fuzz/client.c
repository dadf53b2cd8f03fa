/* SPDX-License-Identifier: MIT */
/*
 * What a server answers to `arena submit --to`, and to a command that is sent to it. The first byte
 * chooses between text and JSON of a submission, and a command (c). Each line is the next answer:
 * its status, a space, its body.
 */
#include <time.h>

#include "arena/base/clock.h"

static int64_t now_us;

/* The command waits between questions: the pauses alone take time. */
#define nanosleep(pause, rest) ((void)(now_us += (pause)->tv_sec * 1000000))
#define clock_now_us()         now_us
#include "arena/commands/remote.c" /* NOLINT(bugprone-suspicious-include) */
#include "arena/commands/submit.c" /* NOLINT(bugprone-suspicious-include) */
#undef nanosleep
#undef clock_now_us

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char *answers; /* the answers that are left */

/* ---- what replaces the connection ---- */

bool client_load(void)
{
    return true;
}

bool client_is_private(const char *url)
{
    return true;
}

void client_send(const struct client_request *request, struct client_answer *answer)
{
    char *line, *body;

    *answer = (struct client_answer){.error = "no answer"};
    line = strsep(&answers, "\n");
    if (!line)
        return;
    answer->status = (int)strtol(line, &body, 10) % 600;
    answer->body = strdup(body + (*body == ' '));
    answer->size = strlen(answer->body);
}

/* ---- the commands ---- */

static void submit_remotely(void)
{
    to = (struct submit_to){.waits = true};
    parcel = (struct parcel){.name = "ant", .sha256 = "aaaa", .bytes = (uint8_t *)token, .size = 1};
    deliver();
    remote_close();
}

static void command_remotely(void)
{
    static const struct command_line line = {.name = "season list", .is_remote = true};
    int status;

    command = json_array();
    files = json_object();
    send_command(&line, &status);
    command = files = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static FILE *nowhere;
    FILE *const out = stdout, *const errors = stderr;
    char *text;

    if (!nowhere)
        nowhere = fopen("/dev/null", "we");
    setenv("ARENA_TOKEN", "arena_token", 1);
    if (size == 0)
        return 0;
    has_answered = has_told_late = false;
    options_json = *bytes == 'j';
    text = answers = strndup((const char *)bytes + 1, size - 1);
    stdout = stderr = nowhere;
    remote_url = "http://arena";
    if (*bytes == 'c')
        command_remotely();
    else
        submit_remotely();
    stdout = out;
    stderr = errors;
    free(text);
    return 0;
}
