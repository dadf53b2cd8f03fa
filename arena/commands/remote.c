/* SPDX-License-Identifier: MIT */
#include "arena/commands/remote.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <nettle/base64.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arena/base/clock.h"
#include "arena/base/file.h"
#include "arena/base/plain_text.h"
#include "arena/base/tree.h"
#include "arena/commands/commands.h"
#include "arena/store/archive.h"
#include "arena/web/order.h"

enum {
    TOKEN_BYTES = 256,
    TRIES_MAX = 3, /* attempts to send a request to a server that has never answered */
    RETRY_S = 60,  /* time for which a request is repeated while the server answers 429 or 503, or
                      does not answer any more */
    PAUSE_S = 3,   /* longest pause between two attempts to reach it */
    ASK_S = 60,    /* limit of a request without a body */
    MADE_MAX = 4,  /* files and folders that a command may make */
};

const char *remote_url, *remote_token_file;
static bool is_ordered; /* this process runs a command that an organizer sent */
struct client_answer remote_answer;

static char token[TOKEN_BYTES];
static bool has_told_late; /* the user was told that the server does not answer yet */
static bool has_answered;  /* there is a server at this address, which may be away for a while */

/* ---- requests ---- */

static int read_token(const char *path)
{
    const char *variable = getenv("ARENA_TOKEN");
    FILE *file = path ? fopen(path, "re") : NULL;

    if (path && !file)
        return command_refuse_errno(errno, "--token-file %s: %s", path, strerror(errno));
    token[0] = '\0';
    if (!file)
        snprintf(token, TOKEN_BYTES, "%s", variable ? variable : "");
    else if (!fgets(token, TOKEN_BYTES, file))
        token[0] = '\0';
    if (file)
        fclose(file);
    token[strcspn(token, "\r\n")] = '\0';
    if (*token)
        return COMMAND_DONE;
    return path ? command_refuse("--token-file %s: its first line has no token", path)
                : command_refuse("--to: give a token with --token-file, or in $ARENA_TOKEN");
}

int remote_open(void)
{
    int status = read_token(remote_token_file);

    if (status == COMMAND_DONE && !client_load())
        status = command_fail("--to: libcurl is not installed: apt install libcurl3-gnutls");
    if (status == COMMAND_DONE && !client_is_private(remote_url))
        status = command_refuse("--to %s: the token would cross the network unencrypted: use "
                                "https://, or http:// to this machine (127.0.0.1)",
                                remote_url);
    return status;
}

void remote_close(void)
{
    free(remote_answer.body);
    remote_answer.body = NULL;
}

int remote_ask(const char *path, const void *bytes, size_t size, bool may_repeat)
{
    struct client_answer *answer = &remote_answer;
    const int64_t end_us = clock_now_us() + RETRY_S * INT64_C(1000000);
    char authorization[TOKEN_BYTES + 32];
    const char *const headers[] = {authorization, "Content-Type: application/octet-stream", NULL};
    const struct client_request request = {.url = remote_url,
                                           .path = path,
                                           .headers = headers,
                                           .body = bytes,
                                           .body_bytes = size,
                                           .limit_s = !bytes        ? ASK_S
                                                      : !may_repeat ? 2 * ORDER_S
                                                                    : 0,
                                           .shows_progress =
                                               bytes && may_repeat && isatty(STDERR_FILENO) == 1};

    snprintf(authorization, sizeof authorization, "Authorization: Bearer %s", token);
    for (int tries = 1;; tries++) {
        int64_t wait_s;
        bool is_last;

        free(answer->body);
        client_send(&request, answer);
        has_answered = has_answered || answer->status;
        wait_s = answer->retry_after_s > 0 ? answer->retry_after_s
                 : tries < PAUSE_S         ? tries
                                           : PAUSE_S;
        is_last = wait_s > (end_us - clock_now_us()) / 1000000; /* any server chooses wait_s */
        if (answer->status &&
            ((answer->status != 429 && (answer->status != 503 || !may_repeat)) || is_last))
            return COMMAND_DONE;
        if (!answer->status && (!may_repeat || (has_answered ? is_last : tries >= TRIES_MAX)))
            return command_fail("%s: %s", remote_url, answer->error);
        if (has_answered && !has_told_late)
            plain_text_printf(stderr,
                              "the arena at %s does not answer yet: trying again for up to %d s\n",
                              remote_url, RETRY_S);
        has_told_late = has_told_late || has_answered;
        nanosleep(&(struct timespec){.tv_sec = (time_t)wait_s}, NULL);
    }
}

json_t *remote_json(void)
{
    return remote_answer.body ? json_loads(remote_answer.body, JSON_ALLOW_NUL, NULL) : NULL;
}

void remote_print_quota(const json_t *answer, enum store_quota_kind kind)
{
    const char *name = store_quota_kinds[kind];
    json_t *quota;
    size_t i;

    json_array_foreach(json_object_get(answer, "quotas"), i, quota)
    {
        const char *told = json_string_value(json_object_get(quota, "quota"));
        const char *more = json_string_value(json_object_get(quota, "more"));

        if (told && strcmp(told, name) == 0)
            plain_text_printf(stdout, "%lld of %lld %s a day are left%s%.30s\n",
                              (long long)json_integer_value(json_object_get(quota, "unused")),
                              (long long)json_integer_value(json_object_get(quota, "a_day")), name,
                              more ? ", one more at " : "", more ? more : "");
    }
}

int remote_refused(void)
{
    json_t *problem = remote_json();
    const char *detail = json_string_value(json_object_get(problem, "detail"));

    command_refuse("%s answers %d%s%s", remote_url, remote_answer.status, detail ? ": " : "",
                   detail ? detail : "");
    json_decref(problem);
    return remote_answer.status == 503 ? COMMAND_FAILED : COMMAND_USAGE;
}

/* ---- what is sent ---- */

static json_t *command, *files; /* as web/order.h says; NULL: nothing is sent */

/* What the command makes, under this name, and where the user wants it. */
static struct made {
    char name[ORDER_NAME_BYTES];
    const char *path;
} made[MADE_MAX];
static int made_count;

static bool has_option_to(const struct command_line *line)
{
    for (const struct option *option = line->options; option->name || option->help; option++)
        if (option->name && strcmp(option->name, "to") == 0)
            return true;
    return false;
}

static bool is_sent(const struct command_line *line)
{
    return remote_url && line->is_remote;
}

static bool may_run(const struct command_line *line, int *status)
{
    char words[64], *rest = words;

    if (!line->is_remote && (is_ordered || (remote_url && !has_option_to(line)))) {
        *status = command_refuse("%s: runs only on the arena's own machine", line->name);
        return false;
    }
    if (!is_sent(line))
        return true;
    command = json_array();
    files = json_object();
    snprintf(words, sizeof words, "%s", line->name);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        json_array_append_new(command, json_string(word));
    return true;
}

/* Makes a name of the path's last part that the other machine may give a file. */
static void name_file(const char *path, char name[static ORDER_NAME_BYTES])
{
    const char *last;

    while ((last = strrchr(path, '/')) && last[1])
        path = last + 1;
    snprintf(name, ORDER_NAME_BYTES, "%s", path);
    for (char *at = name; *at; at++)
        if (!order_name_has(*at) || (at == name && *at == '.'))
            *at = '_';
}

static int send_file(const char *path, char name[static ORDER_NAME_BYTES])
{
    uint8_t *bytes;
    size_t size;
    json_t *text;
    int error = file_read(path, ORDER_BYTES_MAX, &bytes, &size);

    if (error)
        return command_refuse_errno(-error, "%s: %s", path,
                                    error == -EFBIG ? "is larger than " ORDER_SIZE
                                                    : strerror(-error));
    text = json_stringn((const char *)bytes, size);
    free(bytes);
    if (!text)
        return command_refuse("%s: is not text in UTF-8", path);
    name_file(path, name);
    return json_object_set_new(files, name, text) == 0 ? COMMAND_DONE
                                                       : command_fail("out of memory");
}

static int await_made(const char *path, char name[static ORDER_NAME_BYTES])
{
    if (access(path, F_OK) == 0)
        return command_refuse("%s: already exists: choose another path", path);
    if (made_count == MADE_MAX)
        return command_refuse("a command can send back at most %d files", MADE_MAX);
    name_file(path, name);
    strcpy(made[made_count].name, name);
    made[made_count++].path = path;
    return COMMAND_DONE;
}

/*
 * Checks a path among the arguments. Where the command is sent from, sets *text to the name that
 * the other machine gives the file.
 */
static int take_path(enum option_path kind, const char *what, const char **text,
                     char name[static ORDER_NAME_BYTES])
{
    int status = COMMAND_DONE;

    if (kind == PATH_NONE)
        return COMMAND_DONE;
    if (kind == PATH_HERE)
        return command_refuse("%s: names a place on the arena's own machine: leave it out", what);
    if (is_ordered)
        return order_name_is_plain(*text)
                   ? COMMAND_DONE
                   : command_refuse("%s: names a file that was not sent along", *text);
    status = kind == PATH_READ ? send_file(*text, name) : await_made(*text, name);
    *text = name;
    return status;
}

static int take_option(const struct option *option, const char *value)
{
    char what[32], name[ORDER_NAME_BYTES];
    int status;

    if (!command && !is_ordered)
        return COMMAND_DONE;
    snprintf(what, sizeof what, "--%s", option->name);
    status = take_path(option->path, what, &value, name);
    if (status == COMMAND_DONE && command &&
        json_array_append_new(command,
                              value ? json_sprintf("%s=%s", what, value) : json_string(what)) < 0)
        status = command_refuse("%s: is not UTF-8", what);
    return status;
}

static int take_arguments(const struct command_line *line, int argc, char **argv)
{
    int status = COMMAND_DONE;

    if (!command && !is_ordered)
        return COMMAND_DONE;
    if (command)
        json_array_append_new(command, json_string("--"));
    for (int i = 0; i < argc && status == COMMAND_DONE; i++) {
        char name[ORDER_NAME_BYTES];
        const char *text = argv[i];

        status = take_path(i == argc - 1 ? line->last_path : PATH_NONE, text, &text, name);
        if (status == COMMAND_DONE && command &&
            json_array_append_new(command, json_string(text)) < 0)
            status = command_refuse("%s: %s: is not UTF-8", line->name, argv[i]);
    }
    return status;
}

/* ---- what comes back ---- */

/* Prints text of the server, escaped, because the server is not trusted. */
static void print_remote(FILE *stream, const json_t *text)
{
    if (json_is_string(text))
        plain_text_print_lines(stream, json_string_value(text), json_string_length(text));
}

/* Moves what the command made out of the unpacked folder to where the user wants it. */
static int place_made(const char *folder)
{
    char from[PATH_MAX];
    struct stat status;

    for (int i = 0; i < made_count; i++) {
        if (snprintf(from, sizeof from, "%s/%s", folder, made[i].name) >= (int)sizeof from ||
            lstat(from, &status) < 0)
            continue;
        if (S_ISREG(status.st_mode)) /* it may hold tokens */
            chmod(from, 0600);
        if (rename(from, made[i].path) < 0)
            return command_fail("%s: %s", made[i].path, strerror(errno));
    }
    return COMMAND_DONE;
}

/* Unpacks what the command made beside the first place for it: only there a rename can move it. */
static int take_archive(const uint8_t *bytes, size_t size)
{
    char path[PATH_MAX], outer[PATH_MAX], folder[PATH_MAX + 8], error[ARCHIVE_ERROR_BYTES];
    int status;

    if (made_count == 0)
        return COMMAND_DONE;
    snprintf(path, sizeof path, "%s", made[0].path);
    if (snprintf(outer, sizeof outer, "%s/.arena-XXXXXX", dirname(path)) >= (int)sizeof outer)
        return command_refuse("%s: the path is too long", made[0].path);
    if (!mkdtemp(outer)) /* nobody else may read what the command made until it is in its place */
        return command_fail("%s: %s", made[0].path, strerror(errno));
    snprintf(folder, sizeof folder, "%s/made", outer);
    status = archive_unpack(bytes, size, folder, NULL, error) < 0 ? command_fail("%s", error)
                                                                  : place_made(folder);
    tree_remove(outer);
    return status;
}

static int take_files(const json_t *text)
{
    const size_t length = json_string_length(text);
    uint8_t *bytes = malloc(BASE64_DECODE_LENGTH(length) + 1);
    struct base64_decode_ctx context;
    size_t size = 0;
    int status;

    base64_decode_init(&context);
    if (!bytes)
        status = command_fail("out of memory");
    else if (!base64_decode_update(&context, &size, bytes, length, json_string_value(text)) ||
             !base64_decode_final(&context))
        status = command_fail("%s does not answer like an arena: check the address", remote_url);
    else
        status = take_archive(bytes, size);
    free(bytes);
    return status;
}

static int print_outcome(json_t *outcome)
{
    const json_t *exit = json_object_get(outcome, "exit");
    const json_t *made_files = json_object_get(outcome, "made");
    int status = COMMAND_DONE;
    json_t *row;
    size_t i;

    if (!json_is_integer(exit))
        return command_fail("%s does not answer like an arena: check the address", remote_url);
    if (json_is_string(made_files))
        status = take_files(made_files);
    print_remote(stdout, json_object_get(outcome, "output"));
    json_array_foreach(json_object_get(outcome, "values"), i, row)
        command_print_json(json_incref(row));
    fflush(stdout);
    print_remote(stderr, json_object_get(outcome, "message"));
    return status ?: (int)json_integer_value(exit);
}

static bool send_command(const struct command_line *line, int *status)
{
    json_t *order, *outcome;
    char *text;

    if (!is_sent(line))
        return false;
    order = json_pack("{s:O, s:O}", "arguments", command, "files", files);
    text = order ? json_dumps(order, JSON_COMPACT) : NULL;
    *status = remote_open();
    if (*status == COMMAND_DONE)
        *status = text ? remote_ask("/api/v1/commands", text, strlen(text), false)
                       : command_fail("out of memory");
    if (*status == COMMAND_DONE && remote_answer.status != 200) {
        *status = remote_refused();
    } else if (*status == COMMAND_DONE) {
        outcome = remote_json();
        *status = print_outcome(outcome);
        json_decref(outcome);
    }
    free(text);
    json_decref(order);
    json_decref(command);
    json_decref(files);
    remote_close();
    return true;
}

static const struct options_detour detour = {may_run, take_option, take_arguments, send_command};

bool remote_take(const char *name, const char *value)
{
    const char **variable = strcmp(name, "--to") == 0           ? &remote_url
                            : strcmp(name, "--token-file") == 0 ? &remote_token_file
                                                                : NULL;

    if (is_ordered)
        return false;
    if (variable) {
        *variable = value;
        options_give(name + 2);
        options_detour = &detour;
    }
    return variable != NULL;
}

void remote_obey(void)
{
    is_ordered = true;
    options_detour = &detour;
}
