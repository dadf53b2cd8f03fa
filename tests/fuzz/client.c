/*
 * What a server answers to `arena submit --to`. The first byte chooses between text and JSON. Each
 * line is the next answer: its status, a space, its body.
 */
#include <time.h>

#define nanosleep(pause, rest) ((void)(pause)) /* the command waits between questions */
#include "arena/commands/submit.c"             /* NOLINT(bugprone-suspicious-include) */
#undef nanosleep

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
    to = (struct submit_to){.url = "http://arena", .waits = true};
    client = (struct client){.token = "arena_token"};
    parcel = (struct parcel){
        .name = "ant", .sha256 = "aaaa", .bytes = (uint8_t *)client.token, .size = 1};
    deliver();
    free(client.answer.body);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static FILE *nowhere;
    FILE *const out = stdout, *const errors = stderr;
    char *text;

    if (!nowhere)
        nowhere = fopen("/dev/null", "we");
    if (size == 0)
        return 0;
    options_json = *bytes == 'j';
    text = answers = strndup((const char *)bytes + 1, size - 1);
    stdout = stderr = nowhere;
    submit_remotely();
    stdout = out;
    stderr = errors;
    free(text);
    return 0;
}
