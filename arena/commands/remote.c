/*
 * `submit --to` packs a copy of the bot's folder, asks the server for the submissions of the
 * token's author, and uploads the package unless the newest submission of that bot has the same
 * hash: after a network failure, the user may repeat the command. If the server answers 429 or 503,
 * the command says so, and repeats the request as often as the answers say, for up to RETRY_S.
 */
#include "arena/commands/remote.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/client.h"
#include "arena/commands/commands.h"
#include "arena/play/alarm.h"
#include "arena/play/source.h"
#include "arena/play/tree.h"
#include "arena/replay/plain_text.h"
#include "arena/store/archive.h"
#include "arena/store/store.h"

enum {
    TOKEN_BYTES = 256,
    TRIES_MAX = 3,          /* attempts to send a request to a server that does not answer */
    RETRY_S = 60,           /* how long a request that the server answers with 429 or 503 is sent */
    ASK_S = 60,             /* limit of a request without a body */
    WAIT_S_MAX = 24 * 3600, /* longest wait for the end of a submission */
};

/* ---- requests ---- */

static struct client {
    const struct submit_to *request;
    char token[TOKEN_BYTES];
    struct client_answer answer; /* answer to the last request */
    bool has_told_late;          /* the user knows that the server does not answer yet */
} client;

static void pause_s(int64_t seconds)
{
    nanosleep(&(struct timespec){.tv_sec = (time_t)seconds}, NULL);
}

/*
 * Sends a request, a POST if bytes is not NULL, again and again while the server answers 429 or
 * 503. Returns a command's status; prints a message only if there is no answer.
 */
static int ask(const char *path, const uint8_t *bytes, size_t size)
{
    struct client_answer *answer = &client.answer;
    const int64_t end_us = alarm_now_us() + RETRY_S * INT64_C(1000000);
    char authorization[TOKEN_BYTES + 32];
    const char *const headers[] = {authorization, "Content-Type: application/x-tar", NULL};
    const struct client_request request = {.url = client.request->url,
                                           .path = path,
                                           .headers = headers,
                                           .body = bytes,
                                           .body_bytes = size,
                                           .limit_s = bytes ? 0 : ASK_S,
                                           .shows_progress = bytes && isatty(STDERR_FILENO) == 1};

    snprintf(authorization, sizeof authorization, "Authorization: Bearer %s", client.token);
    for (int tries = 1;; tries++) {
        int64_t wait_s;

        free(answer->body);
        client_send(&request, answer);
        wait_s = answer->retry_after_s > 0 ? answer->retry_after_s : tries;
        if (answer->status && ((answer->status != 429 && answer->status != 503) ||
                               alarm_now_us() + wait_s * 1000000 > end_us))
            return COMMAND_DONE;
        if (!answer->status && tries >= TRIES_MAX)
            return command_fail("%s: %s", client.request->url, answer->error);
        if (answer->status && !client.has_told_late)
            plain_text_printf(stderr,
                              "the arena at %s does not answer yet: trying again for up to %d s\n",
                              client.request->url, RETRY_S);
        client.has_told_late = client.has_told_late || answer->status != 0;
        pause_s(wait_s);
    }
}

/* Returns the answer as JSON: a new reference, or NULL. */
static json_t *read_answer(void)
{
    return client.answer.body ? json_loads(client.answer.body, JSON_ALLOW_NUL, NULL) : NULL;
}

/* Prints why the server refused the request. Returns the exit status of the command. */
static int tell_refused(void)
{
    json_t *problem = read_answer();
    const char *detail = json_string_value(json_object_get(problem, "detail"));

    command_refuse("%s answers %d%s%s", client.request->url, client.answer.status,
                   detail ? ": " : "", detail ? detail : "");
    json_decref(problem);
    return client.answer.status == 503 ? COMMAND_FAILED : COMMAND_USAGE;
}

/* ---- the package ---- */

static struct parcel {
    struct stage *stage;
    char *copy; /* copy of the bot's folder, in the stage */
    char name[WIRE_NAME_BYTES_MAX + 1];
    char sha256[PACKAGE_HASH_CHARS + 1];
    uint8_t *bytes;
    size_t size;
} parcel;

/* Removes from the copy the top-level file or folder that a line of .gitignore names. */
static void leave_out(const char *pattern)
{
    char *path;

    if (strcmp(pattern, "bot.json") == 0 || strstr(pattern, "..") || strpbrk(pattern, "*?[!"))
        return;
    if (asprintf(&path, "%s/%s", parcel.copy, pattern) < 0)
        return;
    if (access(path, F_OK) == 0 && tree_remove(path) == 0)
        plain_text_printf(stderr, "left out: %s\n", pattern);
    free(path);
}

/*
 * Removes from the copy what the arena does not need: .git; and, if the arena builds the bot, the
 * files that .gitignore names without wildcards.
 */
static void thin_out(bool is_built)
{
    char *path, line[NAME_MAX + 1];
    FILE *file;

    leave_out(".git");
    if (!is_built || asprintf(&path, "%s/.gitignore", parcel.copy) < 0)
        return;
    file = fopen(path, "re");
    free(path);
    while (file && fgets(line, sizeof line, file)) {
        char *name = line + strspn(line, "/");

        name[strcspn(name, "\r\n#")] = '\0';
        while (*name && strchr(" /", name[strlen(name) - 1]))
            name[strlen(name) - 1] = '\0';
        if (*name)
            leave_out(name);
    }
    if (file)
        fclose(file);
}

static int pack(const char *path)
{
    char error[SOURCE_ERROR_BYTES], hash[PACKAGE_HASH_CHARS + 1], words[ARCHIVE_ERROR_BYTES];
    struct manifest manifest;
    int result;

    parcel.stage = stage_create(NULL);
    if (!parcel.stage || asprintf(&parcel.copy, "%s/given", parcel.stage->path) < 0)
        return command_fail("cannot make a folder for a copy of the bot: %s", strerror(errno));
    if (access(path, X_OK) < 0)
        return command_refuse("%s: %s: name the bot's folder", path, strerror(errno));
    result = package_copy(path, parcel.copy, hash, words);
    if (result < 0)
        return bot_argument_refuse(result, words);
    result = source_read_manifest(&manifest, parcel.copy, path, error);
    if (result < 0)
        return bot_argument_refuse(result, error);
    snprintf(parcel.name, sizeof parcel.name, "%s", manifest.name);
    thin_out(manifest.build != NULL);
    manifest_finish(&manifest);
    if (!store_name_is_valid(parcel.name))
        return command_refuse(
            "%s/bot.json: the name is not 1 to 32 characters from a-z, 0-9, - and _", path);
    result = package_copy(parcel.copy, NULL, parcel.sha256, words);
    if (result < 0)
        return bot_argument_refuse(result, words);
    if (archive_pack(parcel.copy, SIZE_MAX, &parcel.bytes, &parcel.size, words) < 0)
        return command_fail("%s", words);
    return COMMAND_DONE;
}

static void parcel_finish(void)
{
    free(parcel.bytes);
    free(parcel.copy);
    stage_destroy(parcel.stage);
}

/* ---- the submission ---- */

/* Prints text of the server, escaped, because the server is not trusted. */
static void print_lines(const char *text)
{
    if (text)
        plain_text_print_lines(stdout, text, strlen(text));
}

static void print_report(json_t *submission)
{
    json_t *report = json_object_get(submission, "report");
    const char *reason = json_string_value(json_object_get(report, "reason"));
    const char *text = json_string_value(json_object_get(report, "text"));
    const char *output = json_string_value(json_object_get(submission, "build_output"));

    print_lines(reason);
    if (output && *output && reason && !strchr(reason, '\n'))
        print_lines(output);
    print_lines(text);
}

/* Prints the submission's state if the state has changed. */
static void tell_state(const json_t *submission, char before[static 32])
{
    const char *state = json_string_value(json_object_get(submission, "state"));
    json_int_t place = json_integer_value(json_object_get(submission, "place"));
    json_int_t estimate = json_integer_value(json_object_get(submission, "estimate_s"));
    char line[32];

    snprintf(line, sizeof line, "%s %lld", state ? state : "?", (long long)place);
    if (strcmp(line, before) == 0)
        return;
    strcpy(before, line);
    plain_text_printf(stderr, "%s", state ? state : "?");
    if (place)
        fprintf(stderr, ": place %lld", (long long)place);
    if (estimate)
        fprintf(stderr, ", about %lld s", (long long)estimate);
    fputc('\n', stderr);
}

static int tell_end(json_t *submission, bool is_admitted)
{
    const char *bot = json_string_value(json_object_get(submission, "bot"));
    const char *version = json_string_value(json_object_get(submission, "version"));

    if (options_json)
        command_print_json(json_incref(submission));
    else
        print_report(submission);
    if (is_admitted && !options_json)
        plain_text_printf(stdout, "%s %s is admitted\n", bot ? bot : "?", version ? version : "?");
    return is_admitted ? COMMAND_DONE : command_fail("the bot is refused");
}

static int wait_for_end(int64_t id)
{
    const int64_t end_us = alarm_now_us() + WAIT_S_MAX * INT64_C(1000000);
    char path[64], before[32] = "";
    int status = COMMAND_DONE, wait_s = 1;

    snprintf(path, sizeof path, "/api/v1/submissions/%lld", (long long)id);
    while (alarm_now_us() < end_us) {
        json_t *submission;
        const char *state;
        bool is_admitted, has_ended;

        status = ask(path, NULL, 0);
        if (status != COMMAND_DONE)
            return status;
        if (client.answer.status != 200)
            return tell_refused();
        submission = read_answer();
        state = json_string_value(json_object_get(submission, "state"));
        is_admitted = state && strcmp(state, "admitted") == 0;
        has_ended = is_admitted || (state && strcmp(state, "refused") == 0);
        if (!options_json)
            tell_state(submission, before);
        if (has_ended)
            status = tell_end(submission, is_admitted);
        json_decref(submission);
        if (has_ended)
            return status;
        pause_s(wait_s);
        wait_s += wait_s < 5;
    }
    return command_fail("submission %lld has not ended within a day", (long long)id);
}

/*
 * Looks for the package among the author's submissions. Sets *id to the submission's number, or to
 * 0 if the author has not submitted the package.
 */
static int find_same(int64_t *id)
{
    int status = ask("/api/v1/me", NULL, 0);
    json_t *me, *submission;
    size_t i;

    *id = 0;
    if (status != COMMAND_DONE)
        return status;
    if (client.answer.status != 200)
        return tell_refused();
    me = read_answer();
    json_array_foreach(json_object_get(me, "submissions"), i, submission)
    {
        const char *bot = json_string_value(json_object_get(submission, "bot"));
        const char *sha256 = json_string_value(json_object_get(submission, "sha256"));

        if (!bot || strcmp(bot, parcel.name) != 0)
            continue;
        if (sha256 && strcmp(sha256, parcel.sha256) == 0)
            *id = json_integer_value(json_object_get(submission, "submission"));
        break; /* only the newest submission of this bot counts */
    }
    json_decref(me);
    return COMMAND_DONE;
}

static int upload(int64_t *id)
{
    char path[WIRE_NAME_BYTES_MAX + 32];
    json_t *answer;
    int status;

    snprintf(path, sizeof path, "/api/v1/bots/%s", parcel.name);
    status = ask(path, parcel.bytes, parcel.size);
    if (status != COMMAND_DONE)
        return status;
    if (client.answer.status != 200 && client.answer.status != 201)
        return tell_refused();
    answer = read_answer();
    *id = json_integer_value(json_object_get(answer, "submission"));
    json_decref(answer);
    return *id ? COMMAND_DONE
               : command_fail("%s does not answer like an arena: check the address",
                              client.request->url);
}

static int deliver(void)
{
    int64_t id;
    int status = find_same(&id);
    const bool is_there = id != 0;

    if (status == COMMAND_DONE && !is_there)
        status = upload(&id);
    if (status != COMMAND_DONE)
        return status;
    if (!options_json)
        plain_text_printf(stdout, "%s is submission %lld%s: %s/api/v1/submissions/%lld\n",
                          parcel.name, (long long)id, is_there ? ", as before" : "",
                          client.request->url, (long long)id);
    else if (!client.request->waits)
        return command_print_json(json_pack("{s:I}", "submission", (json_int_t)id));
    fflush(stdout);
    return client.request->waits ? wait_for_end(id) : COMMAND_DONE;
}

static int read_token(const char *path, char token[static TOKEN_BYTES])
{
    const char *variable = getenv("ARENA_TOKEN");
    FILE *file = path ? fopen(path, "re") : NULL;

    if (path && !file)
        return command_refuse("--token-file %s: %s", path, strerror(errno));
    token[0] = '\0';
    if (!file)
        snprintf(token, TOKEN_BYTES, "%s", variable ? variable : "");
    else if (!fgets(token, TOKEN_BYTES, file))
        token[0] = '\0';
    if (file)
        fclose(file);
    token[strcspn(token, "\r\n")] = '\0';
    return *token ? COMMAND_DONE
                  : command_refuse("--to: give a token with --token-file, or in $ARENA_TOKEN");
}

int submit_to(const struct submit_to *request)
{
    int status = read_token(request->token_file, client.token);

    client.request = request;
    if (status == COMMAND_DONE && !client_load())
        status = command_fail("--to: libcurl is not installed: apt install libcurl3-gnutls");
    if (status == COMMAND_DONE)
        status = pack(request->path);
    if (status == COMMAND_DONE)
        status = deliver();
    free(client.answer.body);
    parcel_finish();
    return status;
}
