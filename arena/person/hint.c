#include "arena/person/hint.h"

#include <stdio.h>
#include <string.h>

#include "arena/play/answer.h"

static void tell(struct hint *hint, const struct action *action, const char *words)
{
    if (!hint->asked)
        return;
    hint->asked = false;
    hint->told_fn(hint->owner, action, words);
}

static void tell_fault(struct hint *hint, const char *what)
{
    char words[HINT_WORDS_BYTES];

    snprintf(words, sizeof words, "gives no hint: %s", what);
    tell(hint, NULL, words);
}

static void send(struct hint *hint, const struct person_message *message, int64_t limit_us,
                 enum wire_reason late_reason)
{
    memcpy(hint->bot.channel.request, message->bytes, message->size);
    bot_ask(&hint->bot, message->size, limit_us, late_reason);
}

static void started(struct bot *bot)
{
    struct hint *hint = bot->owner;

    send(hint, &hint->person->hello, hint->clock.start_ms * 1000, WIRE_START);
}

/* Finds the action that an answer names. Returns NULL, or one line that says why it names none. */
static const char *find_action(const struct hint *hint, const struct wire_act *act,
                               struct action *action)
{
    const struct wire_turn *told = &hint->person->told;

    for (size_t i = 0; i < told->action_count; i++) {
        bool named = act->kind == WIRE_ACT_INDEX
                         ? act->index == (int64_t)i
                         : act->kind == WIRE_ACT_ACTION &&
                               action_compare(act->action, told->actions[i]) == 0;

        if (named) {
            *action = told->actions[i];
            return NULL;
        }
    }
    return "it gave no legal action";
}

static void replied(struct bot *bot)
{
    struct hint *hint = bot->owner;
    struct wire_ready ready;
    struct action action;
    struct wire_act act;
    const char *fault;

    if (!hint->greeted) {
        hint->greeted = true;
        fault = answer_read_ready(bot->channel.reply, bot->channel.scan.offset, &ready);
        if (!fault) {
            send(hint, &hint->person->turn, (hint->clock.turn_ms + hint->clock.bank_ms) * 1000,
                 WIRE_TIMEOUT);
            return;
        }
    } else {
        fault = answer_read_act(bot->channel.reply, bot->channel.scan.offset, &act);
        if (!fault)
            fault = find_action(hint, &act, &action);
    }
    bot_kill(bot);
    if (fault)
        tell_fault(hint, fault);
    else
        tell(hint, &action, NULL);
}

static void failed(struct bot *bot)
{
    tell_fault(bot->owner, bot->fault.words);
}

static void broken(struct bot *bot)
{
    tell_fault(bot->owner, bot->failure.step);
}

static void gone(struct bot *bot)
{
    (void)bot; /* hint_ask or hint_finish cleans up */
}

void hint_ask(struct hint *hint, const struct person_child *person, struct sandbox *sandbox)
{
    struct sandbox_command command;

    if (hint->asked)
        return;
    hint->asked = true;
    if (!hint->source || hint->source->unfit) {
        tell_fault(hint, hint->source ? hint->source->unfit : "there is no bot to ask");
        return;
    }
    bot_finish(&hint->bot);
    memset(&hint->bot, 0, sizeof hint->bot);
    hint->person = person;
    hint->greeted = false;
    hint->transport = transport_of_sandbox(sandbox);
    hint->bot.owner = hint;
    hint->bot.started_fn = started;
    hint->bot.replied_fn = replied;
    hint->bot.failed_fn = failed;
    hint->bot.broken_fn = broken;
    hint->bot.gone_fn = gone;
    hint->bot.core_count = table_core_count(-1);
    command = table_command(hint->source, hint->rules, -1);
    if (bot_start(&hint->bot, hint->loop, hint->pace, &hint->transport, &command) < 0)
        tell_fault(hint, hint->bot.failure.step);
}

void hint_drop(struct hint *hint)
{
    hint->asked = false;
    if (hint->bot.state != BOT_NONE && hint->bot.state != BOT_GONE)
        bot_kill(&hint->bot);
}

void hint_finish(struct hint *hint)
{
    bot_finish(&hint->bot);
}
