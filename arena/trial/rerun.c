#include "arena/trial/rerun.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/mailbox.h"
#include "arena/play/runner.h"
#include "arena/play/stop.h"

enum {
    REST_MS = 20, /* pause before the requested decision, in which bytes that the bot sends after
                     its last answer are found, as they were while other players decided */
};

enum rerun_stage {
    STAGE_HELLO, /* the bot's process is being started, or the bot was sent the hello */
    STAGE_REST,  /* pause before the request of `turn` */
    STAGE_TURN,
    STAGE_END, /* the outcome is set, and the bot's process is being ended */
};

/* A running rerun. */
struct rerun_course {
    struct rerun *rerun;
    struct ev_loop *loop;
    struct pace pace;
    struct transport transport;
    ev_timer watch; /* checks the bot's memory */
    ev_timer rest;
    ev_timer over; /* ends the rerun from the loop, so that ended_fn may destroy it */
    struct bot bot;
    struct match match;
    enum rerun_stage stage;
    int64_t turn; /* turn of the current request, or of the next request during the pause */
    size_t size;  /* size of the request in bytes */
    int64_t limit_us;
};

/*
 * Stands for "no deadline". Does not overflow when it is summed over a match and multiplied by the
 * number of cores.
 */
static const int64_t no_limit_us = INT64_MAX / GAME_DECISIONS_MAX / 4096;

int rerun_seat(const struct replay *replay, int64_t turn, int wanted,
               char error[static REPLAY_ERROR_BYTES])
{
    int found = -1;

    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        bool asked = replay->out_turns[seat] == turn ||
                     (turn == FORFEIT_NOT_KNOWN && wanted == seat) ||
                     (turn >= 0 && turn < (int64_t)replay->decision_count &&
                      replay->decisions[turn].seat == seat && !replay->decisions[turn].by_arena);

        if (!asked || (wanted >= 0 && wanted != seat))
            continue;
        if (found >= 0)
            return replay_differs(error, "several bots went out during the hello: add --seat N");
        found = seat;
    }
    if (found < 0 && turn == FORFEIT_NOT_KNOWN)
        return replay_differs(error, "every seat has a hello: add --seat N, from 0 to %d",
                              replay->terms.player_count - 1);
    if (found < 0)
        return replay_differs(error, "no bot %swas asked at turn %" PRId64 ": it has %zu decisions",
                              wanted >= 0 ? "of that seat " : "", turn, replay->decision_count);
    return found;
}

const struct forfeit *rerun_recorded_forfeit(const struct replay *replay, int seat, int64_t turn)
{
    return replay->out_turns[seat] == turn ? replay->forfeits[seat] : NULL;
}

int64_t rerun_memory_bytes(const struct rerun *rerun)
{
    int64_t then = rerun->replay->memory_bytes;

    return then > 0 && then < rerun->memory_bytes_max ? then : rerun->memory_bytes_max;
}

/* ---- requests ---- */

/* Ends the bot, and then the rerun, whose outcome is set. */
static void end(struct rerun_course *course)
{
    course->stage = STAGE_END;
    ev_timer_stop(course->loop, &course->rest);
    ev_timer_start(course->loop, &course->over);
}

/* Sends the packed request. */
static void ask(struct rerun_course *course)
{
    struct rerun *rerun = course->rerun;
    bool hello = course->turn == FORFEIT_NOT_KNOWN;

    course->stage = hello ? STAGE_HELLO : STAGE_TURN;
    if (course->turn == rerun->turn) {
        rerun->request_bytes = course->size;
        memcpy(rerun->request, course->bot.channel.request, course->size);
        rerun->limit_us = course->limit_us;
        if (rerun->before_fn)
            rerun->before_fn(rerun, &course->bot);
    }
    bot_ask(&course->bot, course->size, rerun->no_limits ? no_limit_us : course->limit_us,
            hello ? WIRE_START : WIRE_TIMEOUT);
}

static void rested(struct ev_loop *loop, ev_timer *timer, int events)
{
    ask(timer->data);
}

static void ask_turn(struct rerun_course *course)
{
    struct match *match = &course->match;
    const struct rerun *rerun = course->rerun;

    course->turn = (int64_t)match->decision_count;
    course->limit_us = match_limit_us(match, rerun->seat);
    course->size = match_pack_request(match, rerun->seat, course->bot.channel.request);
    if (course->turn != rerun->turn) {
        ask(course);
        return;
    }
    course->stage = STAGE_REST;
    ev_now_update(course->loop);
    ev_timer_start(course->loop, &course->rest);
}

/* ---- the course of the match ---- */

/*
 * Advances to the bot's next decision, but not past `turn`. Returns true if there is such a
 * decision; false if the replay breaks the rules, which is then the outcome.
 */
static bool reach_decision(struct rerun_course *course)
{
    const struct rerun *rerun = course->rerun;
    const struct replay *replay = rerun->replay;
    struct match *match = &course->match;

    while (match->phase == MATCH_PLAYING) {
        int64_t turn = (int64_t)match->decision_count;
        int seat = game_turn(&match->game);

        if (seat == GAME_NOBODY)
            break;
        if (turn != rerun->turn)
            replay_take_out(replay, match, turn);
        if (match->phase != MATCH_PLAYING || turn > rerun->turn)
            break;
        if (match->seats[seat].reason != WIRE_PLAYED)
            match_step(match);
        else if (seat == rerun->seat)
            return true;
        else if (turn >= (int64_t)replay->decision_count ||
                 replay_answer(replay, match, seat, course->rerun->error) < 0)
            break;
    }
    if (!*rerun->error)
        replay_differs(course->rerun->error,
                       "turn %" PRId64 " is never reached: by the rules every game ends before it",
                       rerun->turn);
    return false;
}

static void advance(struct rerun_course *course)
{
    if (reach_decision(course))
        ask_turn(course);
    else
        end(course);
}

static void take_ready(struct rerun_course *course)
{
    const struct channel *channel = &course->bot.channel;
    struct rerun *rerun = course->rerun;
    struct wire_ready ready;
    const char *fault = answer_read_ready(channel->reply, channel->scan.offset, &ready);

    if (fault) {
        bot_fail(&course->bot, WIRE_BAD, fault);
        return;
    }
    rerun->actions = ready.actions;
    match_ready(&course->match, rerun->seat, ready.actions);
    if (rerun->turn == FORFEIT_NOT_KNOWN) {
        rerun->outcome = RERUN_ANSWERED;
        end(course);
        return;
    }
    replay_take_out(rerun->replay, &course->match, FORFEIT_NOT_KNOWN);
    match_begin(&course->match);
    advance(course);
}

/* Compares the bot's answer with the recorded answer, and plays the recorded one. */
static void take_act(struct rerun_course *course)
{
    const struct channel *channel = &course->bot.channel;
    struct rerun *rerun = course->rerun;
    struct match *match = &course->match;
    enum wire_reason reason = WIRE_BAD;
    struct action action;
    struct wire_act act;
    const char *fault = answer_read_act(channel->reply, channel->scan.offset, &act);

    if (!fault)
        fault = match_find_action(match, &act, &action, &reason);
    if (fault) {
        bot_fail(&course->bot, reason, fault);
        return;
    }
    if (course->turn == rerun->turn) {
        rerun->outcome = RERUN_ANSWERED;
        rerun->action = action;
        end(course);
        return;
    }
    rerun->answer_count++;
    rerun->equal_count +=
        action_compare(action, rerun->replay->decisions[course->turn].action) == 0;
    if (replay_answer(rerun->replay, match, rerun->seat, rerun->error) < 0)
        end(course);
    else
        advance(course);
}

/* ---- what the bot does ---- */

static void bot_started(struct bot *bot)
{
    struct rerun_course *course = bot->owner;
    const struct match *match = &course->match;

    course->turn = FORFEIT_NOT_KNOWN;
    course->size = match_pack_hello(match, course->rerun->seat, bot->channel.request);
    course->limit_us = match->terms.clock.start_ms * 1000;
    ask(course);
}

static void bot_replied(struct bot *bot)
{
    struct rerun_course *course = bot->owner;

    course->rerun->us = bot->charge.used_us;
    course->rerun->cpu_us = bot->used_cpu_us;
    if (course->stage == STAGE_HELLO)
        take_ready(course);
    else
        take_act(course);
}

static void bot_failed(struct bot *bot)
{
    struct rerun_course *course = bot->owner;
    struct rerun *rerun = course->rerun;

    rerun->outcome = course->turn == rerun->turn ? RERUN_FAULT : RERUN_EARLIER;
    rerun->forfeit = forfeit_create(bot, course->turn);
    if (!rerun->forfeit)
        rerun->outcome = RERUN_BROKEN;
    else if (rerun->no_limits)
        rerun->forfeit->limit_us = FORFEIT_NOT_KNOWN;
    end(course);
}

static void break_off(struct rerun_course *course, struct sandbox_failure failure)
{
    if (course->stage == STAGE_END)
        return;
    course->rerun->failure = failure;
    end(course);
}

static void bot_broken(struct bot *bot)
{
    break_off(bot->owner, bot->failure);
}

static void bot_went(struct bot *bot)
{
}

static void look_at_memory(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct rerun_course *course = timer->data;

    bot_watch(&course->bot);
}

/* ---- life ---- */

static void start_is_slow(void *owner, bool lost)
{
    const struct rerun_course *course = owner;

    if (!lost && course->transport.abort_fn)
        course->transport.abort_fn(course->transport.context);
}

/* Called when the thread that starts and ends the bot has no errand left. */
static void errands_done(void *owner)
{
    struct rerun_course *course = owner;

    if (course->stage == STAGE_END)
        ev_timer_start(course->loop, &course->over);
}

static void destroy(struct rerun_course *course)
{
    if (!course)
        return;
    bot_finish(&course->bot);
    mailbox_destroy(course->transport.errands);
    ev_timer_stop(course->loop, &course->watch);
    ev_timer_stop(course->loop, &course->rest);
    ev_timer_stop(course->loop, &course->over);
    pace_stop(&course->pace, course->loop);
    match_finish(&course->match);
    free(course);
}

/* Ends the rerun once the bot's process is gone. */
static void finish(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct rerun_course *course = timer->data;
    struct rerun *rerun = course->rerun;

    bot_finish(&course->bot);
    if (course->transport.errands && mailbox_is_busy(course->transport.errands))
        return; /* errands_done follows */
    rerun->course = NULL;
    destroy(course);
    rerun->ended_fn(rerun->owner, rerun);
}

int rerun_start(struct rerun *rerun, struct ev_loop *loop, const struct transport *transport)
{
    const struct table_rules rules = {.memory_bytes = rerun_memory_bytes(rerun)};
    const struct sandbox_command command = table_command(rerun->source, &rules, -1);
    struct rerun_course *course = calloc(1, sizeof *course);
    const struct mailbox_options errands = {
        .owner = course, .idle_fn = errands_done, .slow_fn = start_is_slow};
    struct match_terms terms = rerun->replay->terms;

    if (!course)
        return -ENOMEM;
    course->transport = *transport;
    if (transport->blocks && mailbox_create(&course->transport.errands, loop, &errands) < 0) {
        free(course);
        return -ENOMEM;
    }
    rerun->outcome = RERUN_BROKEN;
    rerun->course = course;
    course->rerun = rerun;
    course->loop = loop;
    course->turn = FORFEIT_NOT_KNOWN;
    if (!rerun->replay->names_told)
        memset(terms.names, 0, sizeof terms.names);
    match_init(&course->match, &terms);
    pace_start(&course->pace, loop);
    ev_timer_init(&course->watch, look_at_memory, RUNNER_WATCH_MS / 1000., RUNNER_WATCH_MS / 1000.);
    ev_timer_init(&course->rest, rested, REST_MS / 1000., 0.);
    ev_timer_init(&course->over, finish, 0., 0.);
    course->watch.data = course->rest.data = course->over.data = course;
    if (course->transport.watches)
        ev_timer_start(loop, &course->watch);
    course->bot.owner = course;
    course->bot.core_count = table_core_count(-1);
    course->bot.started_fn = bot_started;
    course->bot.replied_fn = bot_replied;
    course->bot.failed_fn = bot_failed;
    course->bot.broken_fn = bot_broken;
    course->bot.gone_fn = bot_went;
    course->bot.errors_fn = rerun->errors_fn;
    if (bot_start(&course->bot, loop, &course->pace, &course->transport, &command) < 0)
        bot_broken(&course->bot);
    return 0;
}

void rerun_stop(struct rerun *rerun)
{
    if (rerun->course)
        break_off(rerun->course, (struct sandbox_failure){.step = "stopped", .error = EINTR});
}

static void asked_to_stop(void *owner)
{
    rerun_stop(owner);
}

static void ended(void *owner, struct rerun *rerun)
{
    (void)rerun;
    await_end(owner);
}

void rerun_run(struct rerun *rerun, struct sandbox *sandbox)
{
    struct transport transport = transport_of_sandbox(sandbox);
    struct await await;
    int error = await_open(&await, asked_to_stop, rerun);

    rerun->outcome = RERUN_BROKEN;
    rerun->ended_fn = ended;
    rerun->owner = &await;
    if (error == 0) {
        error = rerun_start(rerun, await.loop, &transport);
        if (error == 0)
            await_run(&await);
        await_close(&await);
    }
    rerun->owner = NULL;
    if (error)
        rerun->failure = (struct sandbox_failure){.step = "event loop", .error = -error};
}

void rerun_finish(struct rerun *rerun)
{
    destroy(rerun->course);
    rerun->course = NULL;
    forfeit_destroy(rerun->forfeit);
    rerun->forfeit = NULL;
}
