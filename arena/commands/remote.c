/*
 * HTTP as a client, by libcurl.
 *
 * `submit --to` packs a copy of the folder, asks for the submissions of its token, and uploads the
 * package unless the newest submission of that bot has the same hash. So a repeated command does no
 * harm, whatever the network lost. An answer 429 or 503 is waited out as it says.
 *
 * Webhooks: a process of the daemon looks every few seconds for submissions that ended, and posts
 * each to its author's address, signed. What fails is tried again after waits that double, for a
 * day. Nothing waits for it; only the next webhook does, for a few seconds.
 */
#include "arena/commands/remote.h"

#include <curl/curl.h>
#include <errno.h>
#include <fnmatch.h>
#include <jansson.h>
#include <limits.h>
#include <nettle/base16.h>
#include <nettle/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"
#include "arena/commands/store_option.h"
#include "arena/play/alarm.h"
#include "arena/play/library.h"
#include "arena/play/source.h"
#include "arena/play/tree.h"
#include "arena/replay/plain_text.h"
#include "arena/store/archive.h"
#include "arena/store/authors.h"

enum {
    TOKEN_BYTES = 256,
    ANSWER_BYTES_MAX = 4 << 20,
    TRIES_MAX = 10,         /* of a request that is answered "not now" */
    PAUSE_S_MAX = 60,       /* longest pause between them */
    ASK_S = 60,             /* limit of a request without a body */
    SLOW_S = 60,            /* an upload that moves no byte for so long has failed */
    WAIT_S_MAX = 24 * 3600, /* longest wait for the end of a submission */
    HOOK_S = 5,             /* limit of a webhook's answer */
    HOOK_PAUSE_S = 3,       /* between two looks for something to tell */
    HOOK_RETRY_S = 10,      /* after the first failure of a webhook; then twice as long each time */
    HOOK_RETRY_S_MAX = 3600,
    HOOKS_MAX = 1000, /* authors with a webhook */
};

/* ---- libcurl, loaded when it is needed ---- */

#define LIBCURL_FUNCTIONS(FUNCTION)                                                                \
    FUNCTION(curl_easy_cleanup)                                                                    \
    FUNCTION(curl_easy_getinfo)                                                                    \
    FUNCTION(curl_easy_init)                                                                       \
    FUNCTION(curl_easy_perform)                                                                    \
    FUNCTION(curl_easy_setopt)                                                                     \
    FUNCTION(curl_easy_strerror)                                                                   \
    FUNCTION(curl_slist_append)                                                                    \
    FUNCTION(curl_slist_free_all)

/* curl's header makes macros of some functions; their pointers have the plain names. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

LIBRARY(library, LIBCURL_FUNCTIONS)

static bool load_library(void)
{
    return LIBRARY_LOAD(library, "libcurl-gnutls.so.4") || LIBRARY_LOAD(library, "libcurl.so.4");
}

/* ---- requests ---- */

struct client {
    const struct submit_to *request;
    CURL *curl;
    char token[TOKEN_BYTES];
    char *body; /* of the last answer */
    size_t body_size;
    long status;
    curl_off_t retry_after_s;
    bool shows_progress;
    char error[CURL_ERROR_SIZE];
};

static size_t receive(char *bytes, size_t one, size_t size, void *context)
{
    struct client *client = context;
    char *larger;

    if (client->body_size + size > ANSWER_BYTES_MAX)
        return 0;
    larger = realloc(client->body, client->body_size + size * one + 1);
    if (!larger)
        return 0;
    client->body = larger;
    memcpy(larger + client->body_size, bytes, size);
    client->body_size += size;
    larger[client->body_size] = '\0';
    return size;
}

static int show_progress(void *context, curl_off_t down_total, curl_off_t down, curl_off_t up_total,
                         curl_off_t up)
{
    const struct client *client = context;

    if (client->shows_progress && up_total > 0)
        fprintf(stderr, "\rsent %lld of %lld KiB\033[K", (long long)up >> 10,
                (long long)up_total >> 10);
    return 0;
}

/* Sends one request: a POST if bytes is not NULL. Returns false if there was no answer. */
static bool send_once(struct client *client, const char *path, const uint8_t *bytes, size_t size)
{
    char url[2048], authorization[TOKEN_BYTES + 32];
    struct curl_slist *headers;
    CURL *curl = client->curl;
    size_t length = strlen(client->request->url);
    CURLcode result;

    while (length > 0 && client->request->url[length - 1] == '/')
        length--;
    snprintf(url, sizeof url, "%.*s%s", (int)length, client->request->url, path);
    snprintf(authorization, sizeof authorization, "Authorization: Bearer %s", client->token);
    headers = library.curl_slist_append(NULL, authorization);
    headers = library.curl_slist_append(headers, "Content-Type: application/x-tar");
    free(client->body);
    client->body = NULL;
    client->body_size = 0;
    library.curl_easy_setopt(curl, CURLOPT_URL, url);
    library.curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    library.curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    library.curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
    library.curl_easy_setopt(curl, CURLOPT_WRITEDATA, client);
    library.curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, show_progress);
    library.curl_easy_setopt(curl, CURLOPT_XFERINFODATA, client);
    library.curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    library.curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    library.curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, client->error);
    library.curl_easy_setopt(curl, CURLOPT_TIMEOUT, bytes ? 0L : (long)ASK_S);
    library.curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)ASK_S);
    library.curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    library.curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)SLOW_S);
    if (bytes) {
        library.curl_easy_setopt(curl, CURLOPT_POST, 1L);
        library.curl_easy_setopt(curl, CURLOPT_POSTFIELDS, (const char *)bytes);
        library.curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
    } else {
        library.curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
    }
    client->error[0] = '\0';
    result = library.curl_easy_perform(curl);
    library.curl_easy_setopt(curl, CURLOPT_HTTPHEADER, NULL);
    library.curl_slist_free_all(headers);
    if (client->shows_progress && bytes)
        fputs("\r\033[K", stderr);
    if (result != CURLE_OK) {
        if (!client->error[0])
            snprintf(client->error, sizeof client->error, "%s", library.curl_easy_strerror(result));
        return false;
    }
    library.curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &client->status);
    library.curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &client->retry_after_s);
    return true;
}

static void pause_s(int64_t seconds)
{
    nanosleep(&(struct timespec){.tv_sec = (time_t)seconds}, NULL);
}

/*
 * Sends a request until it is answered with something other than "not now". Returns a command's
 * status; prints nothing but why there is no answer.
 */
static int ask(struct client *client, const char *path, const uint8_t *bytes, size_t size)
{
    for (int tries = 1;; tries++) {
        const bool has_answer = send_once(client, path, bytes, size);
        const bool is_late = has_answer && (client->status == 429 || client->status == 503);

        if (has_answer && (!is_late || client->retry_after_s > PAUSE_S_MAX || tries == TRIES_MAX))
            return COMMAND_DONE;
        if (!has_answer && tries == TRIES_MAX / 3)
            return command_fail("%s: %s", client->request->url, client->error);
        pause_s(client->retry_after_s > 0 && has_answer ? client->retry_after_s : tries);
    }
}

/* Prints why the server refused the request. Returns the exit status of the command. */
static int tell_refused(const struct client *client)
{
    json_t *problem = client->body ? json_loads(client->body, 0, NULL) : NULL;
    const char *detail = json_string_value(json_object_get(problem, "detail"));
    char *plain = plain_text(detail ? detail : "");
    int status = command_refuse("%s answers %ld%s%s", client->request->url, client->status,
                                detail ? ": " : "", plain ? plain : "");

    free(plain);
    json_decref(problem);
    return status;
}

static json_t *read_answer(struct client *client)
{
    return client->body ? json_loads(client->body, JSON_ALLOW_NUL, NULL) : NULL;
}

/* ---- the package ---- */

struct parcel {
    struct stage *stage;
    char *copy; /* of the folder, in the stage */
    char name[WIRE_NAME_BYTES_MAX + 1];
    char sha256[PACKAGE_HASH_CHARS + 1];
    uint8_t *bytes;
    size_t size;
};

/* Removes what a line of .gitignore names at the top of the copy. */
static void leave_out(const struct parcel *parcel, const char *pattern)
{
    char *path;

    if (strcmp(pattern, "bot.json") == 0 || strstr(pattern, "..") || strpbrk(pattern, "*?[!"))
        return;
    if (asprintf(&path, "%s/%s", parcel->copy, pattern) < 0)
        return;
    if (access(path, F_OK) == 0 && tree_remove(path) == 0)
        plain_text_printf(stderr, "left out: %s\n", pattern);
    free(path);
}

/*
 * Removes from the copy what need not be sent: .git, and where the arena builds the bot what
 * .gitignore names by plain names. Says so.
 */
static void thin_out(const struct parcel *parcel, bool is_built)
{
    char *path, line[NAME_MAX + 1];
    FILE *file;

    leave_out(parcel, ".git");
    if (!is_built || asprintf(&path, "%s/.gitignore", parcel->copy) < 0)
        return;
    file = fopen(path, "re");
    free(path);
    while (file && fgets(line, sizeof line, file)) {
        char *name = line + strspn(line, "/");

        name[strcspn(name, "\r\n#")] = '\0';
        while (*name && strchr(" /", name[strlen(name) - 1]))
            name[strlen(name) - 1] = '\0';
        if (*name)
            leave_out(parcel, name);
    }
    if (file)
        fclose(file);
}

static int pack(struct parcel *parcel, const char *path)
{
    char error[SOURCE_ERROR_BYTES], hash[PACKAGE_HASH_CHARS + 1], words[ARCHIVE_ERROR_BYTES];
    struct manifest manifest;
    int result;

    parcel->stage = stage_create(NULL);
    if (!parcel->stage || asprintf(&parcel->copy, "%s/given", parcel->stage->path) < 0)
        return command_fail("a folder for a copy cannot be made: %s", strerror(errno));
    if (access(path, X_OK) < 0)
        return command_refuse("%s: %s: name the bot's folder", path, strerror(errno));
    result = package_copy(path, parcel->copy, hash, words);
    if (result < 0)
        return bot_argument_refuse(result, words);
    result = source_read_manifest(&manifest, parcel->copy, path, error);
    if (result < 0)
        return bot_argument_refuse(result, error);
    snprintf(parcel->name, sizeof parcel->name, "%s", manifest.name);
    thin_out(parcel, manifest.build != NULL);
    manifest_finish(&manifest);
    result = package_copy(parcel->copy, NULL, parcel->sha256, words);
    if (result < 0)
        return bot_argument_refuse(result, words);
    if (archive_pack(parcel->copy, &parcel->bytes, &parcel->size, words) < 0)
        return command_fail("%s", words);
    return COMMAND_DONE;
}

static void parcel_finish(struct parcel *parcel)
{
    free(parcel->bytes);
    free(parcel->copy);
    stage_destroy(parcel->stage);
}

/* ---- the submission ---- */

/* Prints lines of a report that are not trusted. */
static void print_lines(const char *text)
{
    while (text && *text) {
        size_t size = strcspn(text, "\n");

        plain_text_print(stdout, text, size, SIZE_MAX);
        putchar('\n');
        text += size + (text[size] == '\n');
    }
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

/* Prints the state if it is another than before. */
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

static int tell_end(const struct client *client, json_t *submission, bool is_admitted)
{
    if (client->request->json)
        command_print_json(json_incref(submission));
    else
        print_report(submission);
    if (is_admitted && !client->request->json)
        plain_text_printf(stdout, "%s %s is admitted\n",
                          json_string_value(json_object_get(submission, "bot")),
                          json_string_value(json_object_get(submission, "version")));
    return is_admitted ? COMMAND_DONE : command_fail("the bot is refused");
}

static int wait_for_end(struct client *client, int64_t id)
{
    const int64_t end_us = alarm_now_us() + WAIT_S_MAX * INT64_C(1000000);
    char path[64], before[32] = "";
    int status = COMMAND_DONE, wait_s = 1;

    snprintf(path, sizeof path, "/api/v1/submissions/%lld", (long long)id);
    while (alarm_now_us() < end_us) {
        json_t *submission;
        const char *state;
        bool is_admitted, has_ended;

        status = ask(client, path, NULL, 0);
        if (status != COMMAND_DONE)
            return status;
        if (client->status != 200)
            return tell_refused(client);
        submission = read_answer(client);
        state = json_string_value(json_object_get(submission, "state"));
        is_admitted = state && strcmp(state, "admitted") == 0;
        has_ended = is_admitted || (state && strcmp(state, "refused") == 0);
        if (!client->request->json)
            tell_state(submission, before);
        if (has_ended)
            status = tell_end(client, submission, is_admitted);
        json_decref(submission);
        if (has_ended)
            return status;
        pause_s(wait_s);
        wait_s += wait_s < 5;
    }
    return command_fail("submission %lld has not ended within a day", (long long)id);
}

/* Looks for the package among the submissions of the author. Sets *id, 0 if it is not there. */
static int find_same(struct client *client, const struct parcel *parcel, int64_t *id)
{
    int status = ask(client, "/api/v1/me", NULL, 0);
    json_t *me, *submission;
    size_t i;

    *id = 0;
    if (status != COMMAND_DONE)
        return status;
    if (client->status != 200)
        return tell_refused(client);
    me = read_answer(client);
    json_array_foreach(json_object_get(me, "submissions"), i, submission)
    {
        const char *bot = json_string_value(json_object_get(submission, "bot"));
        const char *sha256 = json_string_value(json_object_get(submission, "sha256"));

        if (!bot || strcmp(bot, parcel->name) != 0)
            continue;
        if (sha256 && strcmp(sha256, parcel->sha256) == 0)
            *id = json_integer_value(json_object_get(submission, "submission"));
        break; /* the newest of this bot */
    }
    json_decref(me);
    return COMMAND_DONE;
}

static int upload(struct client *client, const struct parcel *parcel, int64_t *id)
{
    char path[WIRE_NAME_BYTES_MAX + 32];
    json_t *answer;
    int status;

    snprintf(path, sizeof path, "/api/v1/bots/%s", parcel->name);
    status = ask(client, path, parcel->bytes, parcel->size);
    if (status != COMMAND_DONE)
        return status;
    if (client->status != 200 && client->status != 201)
        return tell_refused(client);
    answer = read_answer(client);
    *id = json_integer_value(json_object_get(answer, "submission"));
    json_decref(answer);
    return *id ? COMMAND_DONE : command_fail("%s: is this an arena?", client->request->url);
}

static int deliver(struct client *client, const struct parcel *parcel)
{
    int64_t id;
    int status = find_same(client, parcel, &id);
    const bool is_there = id != 0;

    if (status == COMMAND_DONE && !is_there)
        status = upload(client, parcel, &id);
    if (status != COMMAND_DONE)
        return status;
    if (!client->request->json)
        plain_text_printf(stdout, "%s is submission %lld%s: %s/api/v1/submissions/%lld\n",
                          parcel->name, (long long)id, is_there ? ", as before" : "",
                          client->request->url, (long long)id);
    else if (!client->request->waits)
        return command_print_json(json_pack("{s:I}", "submission", (json_int_t)id));
    fflush(stdout);
    return client->request->waits ? wait_for_end(client, id) : COMMAND_DONE;
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
    struct client client = {.request = request, .shows_progress = isatty(STDERR_FILENO) == 1};
    struct parcel parcel = {.bytes = NULL};
    int status = read_token(request->token_file, client.token);

    if (status == COMMAND_DONE && !load_library())
        status = command_fail("--to: libcurl is not installed: apt install libcurl3-gnutls");
    if (status == COMMAND_DONE)
        status = pack(&parcel, request->path);
    if (status == COMMAND_DONE) {
        client.curl = library.curl_easy_init();
        status = client.curl ? deliver(&client, &parcel) : command_fail("out of memory");
    }
    if (client.curl)
        library.curl_easy_cleanup(client.curl);
    free(client.body);
    parcel_finish(&parcel);
    return status;
}

/* ---- live games ---- */

struct stream {
    char *text; /* what has arrived of the next event */
    size_t size;
    bool (*draw_fn)(void *context, const json_t *status);
    void *context;
    bool is_done;
};

static void take_event(struct stream *stream, const char *text)
{
    const char *data = strstr(text, "data: ");
    json_t *event = data ? json_loads(data + strlen("data: "), JSON_DISABLE_EOF_CHECK, NULL) : NULL;
    json_t *status = event ? json_pack("{s:O?}", "playing", json_object_get(event, "games")) : NULL;

    if (status && !stream->draw_fn(stream->context, status))
        stream->is_done = true;
    json_decref(status);
    json_decref(event);
}

/* Events end with an empty line. */
static size_t take_stream(char *bytes, size_t one, size_t size, void *context)
{
    struct stream *stream = context;
    char *larger = stream->size + size < ANSWER_BYTES_MAX
                       ? realloc(stream->text, stream->size + size * one + 1)
                       : NULL;
    char *end;

    if (!larger)
        return 0;
    memcpy(larger + stream->size, bytes, size);
    stream->size += size;
    larger[stream->size] = '\0';
    stream->text = larger;
    while (!stream->is_done && (end = strstr(stream->text, "\n\n"))) {
        *end = '\0';
        take_event(stream, stream->text);
        stream->size -= (size_t)(end + 2 - stream->text);
        memmove(stream->text, end + 2, stream->size + 1);
    }
    return stream->is_done ? 0 : size;
}

int live_from(const char *url, bool (*draw_fn)(void *context, const json_t *status), void *context)
{
    struct stream stream = {.draw_fn = draw_fn, .context = context};
    char whole[2048], error[CURL_ERROR_SIZE] = "";
    size_t length = strlen(url);
    long code = 0;
    CURL *curl;

    if (!load_library())
        return command_fail("--from: libcurl is not installed: apt install libcurl3-gnutls");
    while (length > 0 && url[length - 1] == '/')
        length--;
    snprintf(whole, sizeof whole, "%.*s/api/v1/live", (int)length, url);
    curl = library.curl_easy_init();
    if (!curl)
        return command_fail("out of memory");
    library.curl_easy_setopt(curl, CURLOPT_URL, whole);
    library.curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    library.curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_stream);
    library.curl_easy_setopt(curl, CURLOPT_WRITEDATA, &stream);
    library.curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
    library.curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
    library.curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)ASK_S);
    library.curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    library.curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)SLOW_S);
    library.curl_easy_perform(curl);
    library.curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
    library.curl_easy_cleanup(curl);
    free(stream.text);
    if (stream.is_done)
        return COMMAND_DONE;
    return command_fail("%s: %s", whole, *error ? error : "the connection ended");
}

/* ---- webhooks ---- */

struct hook {
    int64_t author_id;
    char name[STORE_TEXT_BYTES_MAX + 1];
    char address[STORE_WEBHOOK_BYTES_MAX + 1], secret[STORE_HASH_DIGITS + 1];
    int64_t told_us, retry_us;
    int pause_s; /* before the last try; 0: the last one went well */
    bool is_seen;
};

struct hooks {
    struct hook *hooks;
    int count;
};

static int see_hook(void *context, const struct store_author *author)
{
    struct hooks *hooks = context;
    struct hook *hook = NULL;

    for (int i = 0; i < hooks->count && !hook; i++)
        if (hooks->hooks[i].author_id == author->id)
            hook = &hooks->hooks[i];
    if (!author->webhook || (!hook && hooks->count == HOOKS_MAX))
        return 0;
    if (!hook) {
        hook = &hooks->hooks[hooks->count++];
        *hook = (struct hook){.author_id = author->id};
    }
    snprintf(hook->name, sizeof hook->name, "%s", author->name);
    snprintf(hook->address, sizeof hook->address, "%s", author->webhook);
    snprintf(hook->secret, sizeof hook->secret, "%s", author->secret);
    hook->told_us = author->told_us;
    hook->is_seen = true;
    return 0;
}

/* The oldest submission that ended after what the webhook was told. */
struct untold {
    int64_t after_us, ended_us;
    json_t *json;
};

static int find_untold(void *context, const struct store_submission *submission)
{
    struct untold *untold = context;

    if (submission->ended_us <= untold->after_us)
        return 0;
    json_decref(untold->json);
    untold->ended_us = submission->ended_us;
    untold->json = json_pack("{s:s, s:I, s:s, s:s, s:s}", "event", "submission", "submission",
                             (json_int_t)submission->id, "bot", submission->name, "version",
                             submission->version, "state",
                             submission->state == STORE_ADMITTED ? "admitted" : "refused");
    return 0;
}

static size_t ignore(char *bytes, size_t one, size_t size, void *context)
{
    return size * one;
}

/* Posts a text to a webhook. Returns true if the webhook took it. */
static bool post_hook(const struct hook *hook, const char *text)
{
    char signature[128] = "X-Arena-Signature: sha256=";
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct hmac_sha256_ctx hmac;
    struct curl_slist *headers;
    CURL *curl = library.curl_easy_init();
    size_t length = strlen(signature);
    long code = 0;

    if (!curl)
        return false;
    hmac_sha256_set_key(&hmac, strlen(hook->secret), (const uint8_t *)hook->secret);
    hmac_sha256_update(&hmac, strlen(text), (const uint8_t *)text);
    hmac_sha256_digest(&hmac, sizeof digest, digest);
    base16_encode_update(signature + length, sizeof digest, digest);
    signature[length + BASE16_ENCODE_LENGTH(sizeof digest)] = '\0';
    headers = library.curl_slist_append(NULL, signature);
    headers = library.curl_slist_append(headers, "Content-Type: application/json");
    library.curl_easy_setopt(curl, CURLOPT_URL, hook->address);
    library.curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    library.curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    library.curl_easy_setopt(curl, CURLOPT_POSTFIELDS, text);
    library.curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, ignore);
    library.curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    library.curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)HOOK_S);
    if (library.curl_easy_perform(curl) == CURLE_OK)
        library.curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
    library.curl_easy_cleanup(curl);
    library.curl_slist_free_all(headers);
    return code >= 200 && code < 300;
}

/* Tells a webhook one submission, if there is one and its time has come. */
static void tell_hook(struct store *store, struct hook *hook)
{
    struct untold untold = {.after_us = hook->told_us};
    const int64_t now_us = store_option_now_us();
    char *text;
    bool is_taken;

    if (hook->retry_us > now_us ||
        store_submissions_of(store, hook->name, HOOKS_MAX, find_untold, &untold) < 0 ||
        !untold.json)
        return;
    text = json_dumps(untold.json, JSON_COMPACT);
    is_taken = text && post_hook(hook, text);
    if (is_taken || untold.ended_us < now_us - WAIT_S_MAX * INT64_C(1000000)) {
        store_author_told(store, hook->author_id, untold.ended_us);
        hook->pause_s = 0;
    } else {
        hook->pause_s = hook->pause_s ? 2 * hook->pause_s : HOOK_RETRY_S;
        if (hook->pause_s > HOOK_RETRY_S_MAX)
            hook->pause_s = HOOK_RETRY_S_MAX;
    }
    hook->retry_us = now_us + hook->pause_s * INT64_C(1000000);
    free(text);
    json_decref(untold.json);
}

int tell_webhooks(struct store *store)
{
    struct hooks hooks = {.hooks = calloc(HOOKS_MAX, sizeof *hooks.hooks)};

    if (!hooks.hooks || !load_library())
        return command_fail("tell: libcurl is not installed: apt install libcurl3-gnutls");
    for (;; pause_s(HOOK_PAUSE_S)) {
        int kept = 0;

        for (int i = 0; i < hooks.count; i++)
            hooks.hooks[i].is_seen = false;
        store_authors_each(store, see_hook, &hooks);
        for (int i = 0; i < hooks.count; i++)
            if (hooks.hooks[i].is_seen)
                hooks.hooks[kept++] = hooks.hooks[i];
        hooks.count = kept;
        for (int i = 0; i < hooks.count; i++)
            tell_hook(store, &hooks.hooks[i]);
    }
}
