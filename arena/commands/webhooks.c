/*
 * arena tell: a process of the daemon. Every few seconds it looks for submissions that ended, and
 * posts each to the webhook of its author, signed. If a webhook fails, it tries this webhook again
 * after pauses that double, for a day. A slow webhook delays the other webhooks by a few seconds
 * only.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <jansson.h>
#include <nettle/base16.h>
#include <nettle/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/commands/client.h"
#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/store/authors.h"
#include "arena/base/clock.h"

enum {
    HOOK_S = 5,        /* time within which a webhook must answer */
    HOOK_PAUSE_S = 3,  /* pause between two searches for submissions that ended */
    HOOK_RETRY_S = 10, /* pause after the first failure of a webhook; doubles at each failure */
    HOOK_RETRY_S_MAX = 3600,
    HOOK_TRIED_S = 24 * 3600, /* webhooks do not learn of submissions that ended longer ago */
    HOOKS_MAX = 1000,         /* maximum number of authors with webhooks */
};

struct hook {
    int64_t author_id;
    char name[STORE_TEXT_BYTES_MAX + 1];
    char address[STORE_WEBHOOK_BYTES_MAX + 1], secret[STORE_HASH_DIGITS + 1];
    int64_t told_us, retry_us;
    int pause_s; /* pause before the last attempt; 0: the last attempt succeeded */
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
    return 0;
}

/* The next ended submission that a webhook has to learn of. */
struct untold {
    int64_t ended_us;
    json_t *json; /* NULL: there is none */
};

static int find_untold(void *context, const struct store_submission *submission)
{
    struct untold *untold = context;

    untold->ended_us = submission->ended_us;
    untold->json = json_pack("{s:s, s:I, s:s, s:s, s:s}", "event", "submission", "submission",
                             (json_int_t)submission->id, "bot", submission->name, "version",
                             submission->version, "state",
                             submission->state == STORE_ADMITTED ? "admitted" : "refused");
    return 0;
}

/*
 * True if the organizer's address names its host by an address of IP or as localhost. Any other
 * name is in the hands of the author's DNS, and may lead somewhere else tomorrow.
 */
static bool names_address(const char *url)
{
    const char *host = strstr(url, "://") + 3;
    size_t length = strcspn(host, ":/?#");
    struct in_addr four;
    char text[INET_ADDRSTRLEN];

    if (strchr(url, '@'))
        return false;
    if (*host == '[')
        return true;
    snprintf(text, sizeof text, "%.*s", (int)length, host);
    return strcmp(text, "localhost") == 0 ||
           (length < sizeof text && inet_pton(AF_INET, text, &four) == 1);
}

static bool ignore(void *context, const char *bytes, size_t size)
{
    return true;
}

static bool post_hook(const struct hook *hook, const char *text)
{
    char signature[128] = "X-Arena-Signature: sha256=";
    const char *const headers[] = {signature, "Content-Type: application/json", NULL};
    const struct client_request request = {.url = hook->address,
                                           .path = "",
                                           .headers = headers,
                                           .body = text,
                                           .body_bytes = strlen(text),
                                           .limit_s = HOOK_S,
                                           .leaves_machine = !names_address(hook->address),
                                           .take_fn = ignore};
    const size_t length = strlen(signature);
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct hmac_sha256_ctx hmac;
    struct client_answer answer;

    hmac_sha256_set_key(&hmac, strlen(hook->secret), (const uint8_t *)hook->secret);
    hmac_sha256_update(&hmac, strlen(text), (const uint8_t *)text);
    hmac_sha256_digest(&hmac, sizeof digest, digest);
    base16_encode_update(signature + length, sizeof digest, digest);
    signature[length + BASE16_ENCODE_LENGTH(sizeof digest)] = '\0';
    client_send(&request, &answer);
    return answer.status >= 200 && answer.status < 300;
}

/* Posts the next ended submission to a webhook, if there is one and the webhook's pause is over. */
static void tell_hook(struct store *store, struct hook *hook)
{
    struct untold untold = {.json = NULL};
    const int64_t now_us = clock_time_us();
    char *text;
    bool is_taken;

    if (hook->retry_us > now_us ||
        store_submission_ended(store, hook->name, hook->told_us, find_untold, &untold) < 0 ||
        !untold.json)
        return;
    text = json_dumps(untold.json, JSON_COMPACT);
    is_taken = text && post_hook(hook, text);
    if (is_taken || untold.ended_us < now_us - HOOK_TRIED_S * INT64_C(1000000)) {
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

static int tell(struct store_call *call)
{
    struct hooks hooks = {.hooks = calloc(HOOKS_MAX, sizeof *hooks.hooks)};

    if (!hooks.hooks)
        return command_fail("tell: out of memory");
    if (!client_load())
        return command_fail("tell: libcurl is not installed: apt install libcurl3-gnutls");
    for (;; nanosleep(&(struct timespec){.tv_sec = HOOK_PAUSE_S}, NULL)) {
        for (int i = 0; i < hooks.count; i++)
            *hooks.hooks[i].address = '\0';
        store_authors_each(call->store, see_hook, &hooks);
        for (int i = 0; i < hooks.count; i++)
            if (*hooks.hooks[i].address)
                tell_hook(call->store, &hooks.hooks[i]);
    }
}

const struct command_line command_tell = {
    .name = "tell",
    .usage = "",
    .about = "Tells webhooks of submissions that ended: for `arena serve` only.",
    .options = store_options,
    .store_fn = tell,
    .mode = STORE_WRITE};
