/* SPDX-License-Identifier: MIT */
#include "arena/play/table.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "arena/base/clock.h"
#include "arena/play/channel.h"

enum {
    /*
     * Limit of the processor time of a process, longer than any match: each request has an exact
     * limit of its own.
     */
    CPU_BACKSTOP_S = 24 * 60 * 60,
};

static int seat_of(const struct table *table, const struct bot *bot)
{
    return (int)(bot - table->bots);
}

/* True if a bot sits at the seat; false for a person, and for a seat whose decisions `trial` plays.
 */
static bool has_bot(const struct table *table, int seat)
{
    return table->sources[seat] && !table->sources[seat]->is_person;
}

/* ---- the end of a match ---- */

static void check_done(struct table *table)
{
    if (table->state != TABLE_ENDING && table->state != TABLE_VOID)
        return;
    for (int seat = 0; seat < table->match.terms.player_count; seat++)
        if (table->bots[seat].state != BOT_NONE && table->bots[seat].state != BOT_GONE)
            return;
    ev_timer_start(table->loop, &table->done);
}

static void tell_done(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct table *table = timer->data;

    ev_timer_stop(loop, timer);
    table->done_fn(table);
}

static void kill_all(struct table *table)
{
    for (int seat = 0; seat < table->match.terms.player_count; seat++)
        if (table->bots[seat].state != BOT_NONE)
            bot_kill(&table->bots[seat]);
    check_done(table);
}

static void make_void(struct table *table, const struct sandbox_failure *failure)
{
    if (table->state == TABLE_VOID)
        return;
    table->failure = *failure;
    table->state = TABLE_VOID;
    kill_all(table);
}

static size_t change_message(const struct table *table, struct bot *bot, size_t size)
{
    if (!table->trial || !table->trial->message_fn)
        return size;
    return table->trial->message_fn(bot->channel.request, size, sizeof bot->channel.request);
}

/* Returns the time in which some program of the machine waited for a processor; -1: unknown. */
static int64_t read_pressed_us(void)
{
    FILE *file = fopen("/proc/pressure/cpu", "re");
    long long total_us = -1;

    if (file && fscanf(file, "some avg10=%*f avg60=%*f avg300=%*f total=%lld", &total_us) != 1)
        total_us = -1;
    if (file)
        fclose(file);
    return total_us;
}

/* Notes what the machine was like, before the bots leave. */
static void note_machine(struct table *table)
{
    const int64_t pressed_us = read_pressed_us();
    struct sysinfo machine;

    table->pressed_us =
        table->pressed_us < 0 || pressed_us < 0 ? -1 : pressed_us - table->pressed_us;
    table->load_percent =
        sysinfo(&machine) == 0 ? (int)(machine.loads[0] * 100 >> SI_LOAD_SHIFT) : -1;
    for (int seat = 0; seat < table->result.player_count; seat++)
        if (has_bot(table, seat) && table->match.seats[seat].reason == WIRE_PLAYED)
            table->waited_us[seat] = bot_waited_us(&table->bots[seat]);
}

static void end_match(struct table *table)
{
    table->wall_us = table->pace->now_fn() - table->begun_us;
    table->state = TABLE_ENDING;
    match_result(&table->match, &table->result);
    note_machine(table);
    for (int seat = 0; seat < table->result.player_count; seat++) {
        struct bot *bot = &table->bots[seat];
        size_t size;

        if (!has_bot(table, seat) || table->match.seats[seat].reason != WIRE_PLAYED ||
            bot->at_fault)
            continue;
        size = wire_pack_end(bot->channel.request, sizeof bot->channel.request, &table->result);
        bot_leave(bot,
                  table->trial && table->trial->is_silent ? 0 : change_message(table, bot, size));
    }
    check_done(table);
}

/* ---- decisions ---- */

/*
 * Plays the decisions of seats without a bot. Returns the seat whose bot has to decide, or
 * GAME_NOBODY if the match is over or trial->stop_after is reached.
 */
static int play_trial(struct table *table, int seat)
{
    const struct table_trial *trial = table->trial;

    while (seat != GAME_NOBODY && !table->sources[seat]) {
        trial->play_fn(trial->owner, &table->match, seat);
        seat = match_next(&table->match);
    }
    if (seat == GAME_NOBODY || !trial->stop_after || table->answer_count < trial->stop_after)
        return seat;
    for (int other = 0; other < table->match.terms.player_count; other++)
        if (!table->sources[other] && table->match.phase != MATCH_OVER)
            match_out(&table->match, other, WIRE_EXIT);
    return GAME_NOBODY;
}

/*
 * Plays the next step of the match. Must be the last call of an event's handler, because bot_ask
 * may call the table back.
 */
static void advance(struct table *table)
{
    int seat = match_next(&table->match);
    size_t size;

    if (table->step_fn)
        table->step_fn(table);
    if (table->trial)
        seat = play_trial(table, seat);
    if (seat == GAME_NOBODY) {
        end_match(table);
        return;
    }
    if (!has_bot(table, seat)) {
        table->asked_fn(table, seat);
        return;
    }
    size = match_pack_request(&table->match, seat, NULL, table->bots[seat].channel.request);
    size = change_message(table, &table->bots[seat], size);
    table->bots[seat].bank_us = table->match.seats[seat].bank_us;
    bot_ask(&table->bots[seat], size, match_limit_us(&table->match, seat), WIRE_TIMEOUT);
}

void table_answer(struct table *table, int seat, struct action action, int64_t us)
{
    const struct wire_act act = {
        .turn = (int64_t)table->match.decision_count, .kind = WIRE_ACT_ACTION, .action = action};
    enum wire_reason reason;

    if (table->state != TABLE_PLAYING)
        return;
    match_answer(&table->match, seat, &act, &(struct match_times){.us = us}, &reason);
    advance(table);
}

void table_take_out(struct table *table, int seat, enum wire_reason reason)
{
    if (table->state != TABLE_PLAYING)
        return;
    match_out(&table->match, seat, reason);
    advance(table);
}

static void settle_hello(struct table *table)
{
    if (--table->hello_count > 0)
        return;
    match_begin(&table->match);
    if (table->begun_fn)
        table->begun_fn(table);
    if (table->state == TABLE_PLAYING) /* begun_fn may have stopped the match */
        advance(table);
}

static void bot_started(struct bot *bot)
{
    struct table *table = bot->owner;
    int seat = seat_of(table, bot);
    size_t size = match_pack_hello(&table->match, seat, bot->channel.request);

    table->layers[seat] = bot->child.layers;
    bot->bank_us = 0;
    size = change_message(table, bot, size);
    bot_ask(bot, size, table->match.terms.clock.start_ms * 1000, WIRE_START);
}

static void take_ready(struct table *table, struct bot *bot)
{
    struct wire_ready ready;
    const char *fault = answer_read_ready(bot->channel.reply, bot->channel.scan.offset, &ready);

    if (fault) {
        bot_fail(bot, WIRE_BAD, fault);
        return;
    }
    match_ready(&table->match, seat_of(table, bot), ready.actions);
    settle_hello(table);
}

static void take_act(struct table *table, struct bot *bot)
{
    struct match_times times = {
        .us = bot->charge.used_us, .cpu_us = bot->used_cpu_us, .delay_us = bot->charge.delay_us};
    enum wire_reason reason = WIRE_BAD;
    struct wire_act act;
    const char *fault = answer_read_act(bot->channel.reply, bot->channel.scan.offset, &act);

    if (!fault)
        fault = match_answer(&table->match, seat_of(table, bot), &act, &times, &reason);
    if (fault) {
        bot_fail(bot, reason, fault);
        return;
    }
    table->answer_count++;
    advance(table);
}

static void bot_replied(struct bot *bot)
{
    struct table *table = bot->owner;

    if (table->match.phase == MATCH_HELLO)
        take_ready(table, bot);
    else
        take_act(table, bot);
}

static void lack_memory(struct table *table)
{
    make_void(table, &(struct sandbox_failure){.step = "memory", .error = ENOMEM});
}

static void bot_failed(struct bot *bot)
{
    struct table *table = bot->owner;
    int seat = seat_of(table, bot);
    bool hello = table->match.phase == MATCH_HELLO;

    if (table->state != TABLE_PLAYING)
        return;
    table->forfeits[seat] =
        forfeit_create(bot, hello ? FORFEIT_NOT_KNOWN : (int64_t)table->match.decision_count);
    if (!table->forfeits[seat]) {
        lack_memory(table);
        return;
    }
    table->waited_us[seat] = bot->fault.queued_us;
    match_out(&table->match, seat, bot->fault.reason);
    if (hello)
        settle_hello(table);
    else
        advance(table);
}

static void bot_broken(struct bot *bot)
{
    make_void(bot->owner, &bot->failure);
}

static void bot_went(struct bot *bot)
{
    struct table *table = bot->owner;

    table->memory_peak_bytes[seat_of(table, bot)] = bot->verdict.memory_peak_bytes;
    table->leaving_us[seat_of(table, bot)] =
        table->pace->now_fn() - table->begun_us - table->wall_us;
    check_done(table);
}

/* ---- life ---- */

struct table *table_create(struct ev_loop *loop, struct pace *pace,
                           const struct transport *transport, const struct table_rules *rules)
{
    struct table *table = calloc(1, sizeof *table);

    if (!table)
        return NULL;
    table->loop = loop;
    table->pace = pace;
    table->transport = transport;
    table->rules = rules;
    table->cpu = -1;
    ev_timer_init(&table->done, tell_done, 0., 0.);
    ev_set_priority(&table->done,
                    -1); /* low priority: the loop first ends bots whose start was given up */
    table->done.data = table;
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++) {
        struct bot *bot = &table->bots[seat];

        bot->owner = table;
        bot->started_fn = bot_started;
        bot->replied_fn = bot_replied;
        bot->failed_fn = bot_failed;
        bot->broken_fn = bot_broken;
        bot->gone_fn = bot_went;
    }
    return table;
}

int table_core(int number)
{
    cpu_set_t cores;
    int wanted;

    if (sched_getaffinity(0, sizeof cores, &cores) < 0)
        return -1;
    wanted = number % CPU_COUNT(&cores);
    for (size_t core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &cores) && wanted-- == 0)
            return (int)core;
    return -1;
}

int table_core_count(int cpu)
{
    cpu_set_t cores;

    if (cpu >= 0 || sched_getaffinity(0, sizeof cores, &cores) < 0)
        return 1;
    return CPU_COUNT(&cores);
}

struct sandbox_command table_command(const struct source *source, const struct table_rules *rules,
                                     int cpu)
{
    return (struct sandbox_command){
        .folder = source->folder,
        .argv = (const char *const *)source->manifest.run,
        .executable_fd = -1,
        .profile = SANDBOX_PROFILE_BOT,
        .limits = {.memory_bytes =
                       source->memory_bytes ? source->memory_bytes : rules->memory_bytes,
                   .cpu_s = CPU_BACKSTOP_S,
                   .process_count = source->manifest.process_count},
        .cpu = cpu,
        .net_namespace = rules->net_namespace,
        .name = source->manifest.name,
    };
}

static int start_bot(struct table *table, int seat)
{
    struct sandbox_command command = table_command(table->sources[seat], table->rules, table->cpu);

    command.must_fit = table->must_fit;
    table->bots[seat].core_count = table_core_count(table->cpu);
    table->bots[seat].process_count = command.limits.process_count;
    table->bots[seat].freeze = table->rules->freeze;
    return bot_start(&table->bots[seat], table->loop, table->pace, table->transport, &command);
}

void table_play(struct table *table, const struct match_terms *terms,
                const struct source *const sources[static GAME_PLAYERS_MAX])
{
    assert(table->state == TABLE_FREE);
    table->state = TABLE_PLAYING;
    table->started_s = clock_time_us() / 1000000;
    table->begun_us = table->pace->now_fn();
    table->pressed_us = read_pressed_us();
    table->hello_count = 0;
    table->answer_count = 0;
    for (int seat = 0; seat < terms->player_count; seat++) {
        table->sources[seat] = sources[seat];
        table->layers[seat] = 0;
        table->waited_us[seat] = -1;
        table->hello_count += has_bot(table, seat);
    }
    match_init(&table->match, terms);
    for (int seat = 0; seat < terms->player_count; seat++) {
        if (!has_bot(table, seat))
            continue;
        if (start_bot(table, seat) < 0) {
            make_void(table, &table->bots[seat].failure);
            return;
        }
    }
}

void table_stop(struct table *table)
{
    if (table->state == TABLE_PLAYING)
        make_void(table, &(struct sandbox_failure){0});
}

void table_clear(struct table *table)
{
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++) {
        bot_finish(&table->bots[seat]);
        forfeit_destroy(table->forfeits[seat]);
        table->forfeits[seat] = NULL;
    }
    match_finish(&table->match);
    table->failure = (struct sandbox_failure){0};
    table->state = TABLE_FREE;
}

void table_watch(struct table *table)
{
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        bot_watch(&table->bots[seat]);
}

void table_destroy(struct table *table)
{
    if (!table)
        return;
    ev_timer_stop(table->loop, &table->done);
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++) {
        bot_finish(&table->bots[seat]);
        forfeit_destroy(table->forfeits[seat]);
    }
    match_finish(&table->match);
    free(table);
}
