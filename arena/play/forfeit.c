/* SPDX-License-Identifier: MIT */
#include "arena/play/forfeit.h"

#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/bot.h"

static void tell_memory(const struct sandbox_verdict *verdict, char *words, size_t room)
{
    snprintf(words, room,
             "the bot ran out of memory: limit %" PRId64 " MiB, peak %" PRId64
             " MiB: use less memory; whoever sets the terms can raise the limit with --memory MIB",
             verdict->memory_limit_bytes >> 20, verdict->memory_peak_bytes >> 20);
}

/*
 * Writes how a late bot spent its time: computing, kept from a processor by others, or asleep. The
 * three shares add up to 100 %; several threads may have computed at the same time.
 */
static void tell_late(const struct bot *bot, enum late_cause cause, char *words, size_t room)
{
    const struct bot_fault *fault = &bot->fault;
    const size_t reply_bytes = bot->channel.reply_bytes;
    const bool has_many = bot->process_count > 1;
    static const char *const causes[][2] = {
        [LATE_NOT] = {"", ""},
        [LATE_UNKNOWN] = {"", ""},
        [LATE_SLEPT] = {"slept", "does it flush its output, or wait for something?"},
        [LATE_COMPUTED] = {"computed", "it is too slow"},
        [LATE_ENDLESS] = {"computed whenever it had a processor",
                          "an endless loop, or a search that does not look at the clock?"},
        [LATE_STARVED] = {"waited for a processor",
                          "the machine was too busy; the bot is not to blame"},
    };
    const int64_t queued_us = fault->queued_us > 0 ? fault->queued_us : 0;
    const int64_t busy_us = fault->cpu_us + queued_us;
    const int64_t whole_us = busy_us > fault->wall_us ? busy_us : fault->wall_us;
    const bool is_known = fault->cpu_us >= 0 && fault->wall_us > 0;
    const int computed = is_known ? (int)(100 * fault->cpu_us / whole_us) : 0;
    const int waited = is_known ? (int)(100 * queued_us / whole_us) : 0;
    const int slept = busy_us < fault->wall_us ? 100 - computed - waited : 0;

    char shares[96] = "";

    if (is_known)
        snprintf(
            shares, sizeof shares, " (%scomputed %d %%, waited for a processor %d %%, slept %d %%)",
            has_many ? "its first process " : "", slept ? computed : 100 - waited, waited, slept);
    if (reply_bytes > 0)
        snprintf(
            words, room,
            "no complete answer by the deadline: only the first %zu bytes of the answer came%s",
            reply_bytes, shares);
    else if (!is_known)
        snprintf(words, room, "no answer by the deadline");
    else if (has_many)
        snprintf(words, room, "no answer by the deadline%s; what the others did is not known",
                 shares);
    else
        snprintf(words, room, "no answer by the deadline: the bot %s%s: %s", causes[cause][0],
                 shares, causes[cause][1]);
}

/* Copies bytes. Allocates at least one byte, so that NULL always means that memory has run out. */
static void *duplicate(const void *bytes, size_t size)
{
    void *copy = malloc(size + 1);

    if (copy && size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

static void hash(const void *bytes, size_t size, uint8_t digest[static FORFEIT_DIGEST_BYTES])
{
    struct sha256_ctx context;

    sha256_init(&context);
    sha256_update(&context, size, bytes);
    sha256_digest(&context, FORFEIT_DIGEST_BYTES, digest);
}

void *forfeit_keep(const void *text, size_t size, size_t *kept_bytes, struct forfeit_whole *whole)
{
    const uint8_t *bytes = size ? text : (const uint8_t *)"";
    uint8_t *kept;

    whole->bytes = size;
    hash(bytes, size, whole->sha256);
    *kept_bytes = size;
    if (size <= FORFEIT_KEPT_BYTES)
        return duplicate(bytes, size);
    *kept_bytes = FORFEIT_KEPT_BYTES;
    kept = duplicate(bytes, FORFEIT_KEPT_BYTES);
    if (kept)
        memcpy(kept + FORFEIT_PART_BYTES, bytes + size - FORFEIT_PART_BYTES, FORFEIT_PART_BYTES);
    return kept;
}

uint64_t forfeit_left_out(const struct forfeit_whole *whole, size_t kept_bytes)
{
    return whole->bytes > kept_bytes ? whole->bytes - kept_bytes : 0;
}

/* Keeps the first and the last part of standard error, shorter than the parts in the tail. */
static bool keep_errors(struct forfeit *forfeit, const struct tail *tail)
{
    char kept[FORFEIT_KEPT_BYTES];

    forfeit->errors_bytes = tail_parts(tail, kept, FORFEIT_PART_BYTES);
    forfeit->errors_whole.bytes = tail->total_bytes;
    hash(kept, forfeit->errors_bytes, forfeit->errors_whole.sha256);
    forfeit->errors = duplicate(kept, forfeit->errors_bytes);
    return forfeit->errors != NULL;
}

struct forfeit *forfeit_create(const struct bot *bot, int64_t turn)
{
    struct forfeit *forfeit = calloc(1, sizeof *forfeit);
    const struct bot_fault *fault = &bot->fault;

    if (!forfeit)
        return NULL;
    forfeit->reason = fault->reason;
    forfeit->turn = turn;
    forfeit->limit_us = fault->limit_us;
    forfeit->wall_us = fault->wall_us;
    forfeit->cpu_us = fault->cpu_us;
    forfeit->delay_us = fault->delay_us;
    forfeit->status = FORFEIT_NOT_KNOWN;
    if (fault->late)
        forfeit->cause = late_judge(&(struct late){.limit_us = fault->limit_us,
                                                   .wall_us = fault->wall_us,
                                                   .cpu_us = fault->cpu_us,
                                                   .queued_us = fault->queued_us});
    if (fault->ended && bot->verdict.end == SANDBOX_END_MEMORY)
        tell_memory(&bot->verdict, forfeit->words, sizeof forfeit->words);
    else if (fault->late)
        tell_late(bot, forfeit->cause, forfeit->words, sizeof forfeit->words);
    else
        snprintf(forfeit->words, sizeof forfeit->words, "%s", fault->words);
    if (bot->child.exhausted) {
        const size_t length = strlen(forfeit->words);

        snprintf(forfeit->words + length, sizeof forfeit->words - length, "; %s",
                 bot->child.exhausted);
    }
    if (fault->ended && bot->verdict.end == SANDBOX_END_EXITED)
        forfeit->status = bot->verdict.status;
    if (fault->ended && bot->verdict.end == SANDBOX_END_SIGNALED)
        forfeit->signal = bot->verdict.signal;
    if (fault->ended && bot->verdict.call)
        snprintf(forfeit->call, sizeof forfeit->call, "%s", bot->verdict.call);
    forfeit->request = forfeit_keep(bot->channel.request, bot->channel.request_bytes,
                                    &forfeit->request_bytes, &forfeit->request_whole);
    forfeit->reply = forfeit_keep(bot->channel.reply, bot->channel.reply_bytes,
                                  &forfeit->reply_bytes, &forfeit->reply_whole);
    if (!keep_errors(forfeit, &bot->channel.errors_kept) || !forfeit->request || !forfeit->reply) {
        forfeit_destroy(forfeit);
        return NULL;
    }
    return forfeit;
}

struct forfeit *forfeit_copy(const struct forfeit *forfeit)
{
    struct forfeit *copy = malloc(sizeof *copy);

    if (!copy)
        return NULL;
    *copy = *forfeit;
    copy->request = duplicate(forfeit->request, forfeit->request_bytes);
    copy->reply = duplicate(forfeit->reply, forfeit->reply_bytes);
    copy->errors = duplicate(forfeit->errors, forfeit->errors_bytes);
    if (!copy->request || !copy->reply || !copy->errors) {
        forfeit_destroy(copy);
        return NULL;
    }
    return copy;
}

void forfeit_destroy(struct forfeit *forfeit)
{
    if (!forfeit)
        return;
    free(forfeit->request);
    free(forfeit->reply);
    free(forfeit->errors);
    free(forfeit);
}
