#include "arena/play/forfeit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/bot.h"

/* A copy of bytes; one byte of room even for none, so that NULL means failure. */
static void *duplicate(const void *bytes, size_t size)
{
    void *copy = malloc(size + 1);

    if (copy && size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

struct forfeit *forfeit_create(const struct bot *bot, int64_t turn)
{
    struct forfeit *forfeit = calloc(1, sizeof *forfeit);
    const struct bot_fault *fault = &bot->fault;
    char errors[FORFEIT_ERRORS_BYTES];

    if (!forfeit)
        return NULL;
    forfeit->reason = fault->reason;
    forfeit->turn = turn;
    forfeit->limit_us = fault->limit_us;
    forfeit->wall_us = fault->wall_us;
    forfeit->cpu_us = fault->cpu_us;
    forfeit->delay_us = fault->delay_us;
    forfeit->status = FORFEIT_NOT_KNOWN;
    snprintf(forfeit->words, sizeof forfeit->words, "%s", fault->words);
    if (fault->ended && bot->verdict.end == SANDBOX_END_EXITED)
        forfeit->status = bot->verdict.status;
    if (fault->ended && bot->verdict.end == SANDBOX_END_SIGNALED)
        forfeit->signal = bot->verdict.signal;
    if (fault->ended && bot->verdict.call)
        snprintf(forfeit->call, sizeof forfeit->call, "%s", bot->verdict.call);
    forfeit->request_bytes = bot->channel.request_bytes;
    forfeit->request = duplicate(bot->channel.request, bot->channel.request_bytes);
    forfeit->reply_bytes = bot->channel.reply_bytes;
    forfeit->reply = duplicate(bot->channel.reply, bot->channel.reply_bytes);
    forfeit->errors_bytes = tail_last(&bot->channel.errors_kept, errors, sizeof errors);
    forfeit->errors = duplicate(errors, forfeit->errors_bytes);
    if (!forfeit->request || !forfeit->reply || !forfeit->errors) {
        forfeit_destroy(forfeit);
        return NULL;
    }
    return forfeit;
}

/* One line of the room there is, cut at a character. */
static void keep_words(struct forfeit *forfeit, const char *words)
{
    char line[WIRE_TEXT_BYTES_MAX], cut[WIRE_TEXT_BYTES_MAX];
    size_t size = wire_repair_text(line, words, strlen(words), sizeof forfeit->words - 1);

    wire_repair_text(cut, line, size, sizeof forfeit->words - 1);
    for (char *byte = cut; *byte; byte++)
        if ((unsigned char)*byte < 0x20)
            *byte = ' ';
    memcpy(forfeit->words, cut, strlen(cut) + 1);
}

struct forfeit *forfeit_create_unfit(const char *words)
{
    struct forfeit *forfeit = calloc(1, sizeof *forfeit);

    if (!forfeit)
        return NULL;
    forfeit->reason = WIRE_START;
    forfeit->turn = forfeit->cpu_us = forfeit->status = FORFEIT_NOT_KNOWN;
    keep_words(forfeit, words);
    forfeit->request = duplicate(NULL, 0);
    forfeit->reply = duplicate(NULL, 0);
    forfeit->errors = duplicate(NULL, 0);
    if (!forfeit->request || !forfeit->reply || !forfeit->errors) {
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
