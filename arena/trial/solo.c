#include "arena/trial/solo.h"

#include <errno.h>
#include <stdlib.h>

#include "arena/play/answer.h"
#include "arena/trial/extra_keys.h"
#include "arena/trial/talk.h"
#include "engine/draw.h"

/* A game under way. */
struct round_table {
    struct solo *solo;
    struct talk *talk;
    struct match match;
    uint64_t random; /* of the other seats */
    size_t decided;  /* by the bot */
};

/* What the outcome of a step means for the game; true to go on. */
static bool go_on(struct round_table *table, enum talk_outcome outcome, int64_t turn)
{
    struct solo *solo = table->solo;

    if (outcome == TALK_DONE)
        return true;
    if (outcome == TALK_FAULT) {
        solo->forfeit = forfeit_create(&table->talk->bot, turn);
        solo->verdict = table->talk->bot.verdict;
    }
    if (!solo->forfeit) {
        solo->broken = true;
        solo->failure = outcome == TALK_FAULT
                            ? (struct sandbox_failure){.step = "memory", .error = ENOMEM}
                            : table->talk->bot.failure;
    }
    return false;
}

static size_t add_keys(const struct round_table *table, size_t size)
{
    if (!table->solo->extra_keys)
        return size;
    return extra_keys_add(table->talk->bot.channel.request, size, WIRE_MESSAGE_BYTES_MAX);
}

static bool start(struct round_table *table)
{
    table->solo->stage = SOLO_START;
    table->talk->bot.freeze = table->solo->rules->freeze;
    return go_on(table, talk_start(table->talk, table->solo->source, table->solo->rules),
                 FORFEIT_NOT_KNOWN);
}

static bool say_hello(struct round_table *table)
{
    struct bot *bot = &table->talk->bot;
    struct solo *solo = table->solo;
    size_t size =
        add_keys(table, match_pack_hello(&table->match, solo->seat, bot->channel.request));
    struct wire_ready ready;
    const char *fault;

    solo->stage = SOLO_HELLO;
    if (!go_on(table, talk_ask(table->talk, size, solo->terms.clock.start_ms * 1000, WIRE_START),
               FORFEIT_NOT_KNOWN))
        return false;
    fault = answer_read_ready(bot->channel.reply, bot->channel.scan.offset, &ready);
    if (fault)
        return go_on(table, talk_fail(table->talk, WIRE_BAD, fault), FORFEIT_NOT_KNOWN);
    match_ready(&table->match, solo->seat, ready.actions);
    return true;
}

/* The bot's decision. */
static bool ask_turn(struct round_table *table)
{
    struct solo *solo = table->solo;
    struct match *match = &table->match;
    struct bot *bot = &table->talk->bot;
    int64_t turn = (int64_t)match->decision_count;
    int64_t limit_us = match_limit_us(match, solo->seat);
    size_t size = add_keys(table, match_pack_request(match, solo->seat, bot->channel.request));
    enum wire_reason reason = WIRE_BAD;
    struct match_times times;
    struct wire_act act;
    const char *fault;

    solo->phase = game_phase(&match->game);
    if (!go_on(table, talk_ask(table->talk, size, limit_us, WIRE_TIMEOUT), turn))
        return false;
    times = (struct match_times){
        .us = bot->charge.used_us, .cpu_us = bot->used_cpu_us, .delay_us = bot->charge.delay_us};
    fault = answer_read_act(bot->channel.reply, bot->channel.scan.offset, &act);
    if (!fault)
        fault = match_answer(match, solo->seat, &act, &times, &reason);
    if (fault)
        return go_on(table, talk_fail(table->talk, reason, fault), turn);
    solo->met[solo->phase] = true;
    table->decided++;
    if (solo->decided_fn)
        solo->decided_fn(solo->owner, times.us);
    return true;
}

/* Another seat's: by chance, but it places while it can, so that the game gets somewhere. */
static void play_by_chance(struct round_table *table, int seat)
{
    struct match *match = &table->match;
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(&match->game, actions);
    size_t first = 0, place_count = 0;
    struct wire_act act = {.turn = (int64_t)match->decision_count, .kind = WIRE_ACT_ACTION};
    struct match_times times = {0};
    enum wire_reason reason;

    for (size_t i = 0; i < count; i++)
        if (actions[i].kind == ACTION_PLACE && place_count++ == 0)
            first = i; /* actions of a kind stand together */
    if (place_count > 0)
        count = place_count;
    act.action = actions[first + draw_below(draw_next(&table->random), (uint32_t)count)];
    match_answer(match, seat, &act, &times, &reason);
}

/* All decisions until the game is over or is to stop; false if the bot went out. */
static bool play(struct round_table *table)
{
    struct solo *solo = table->solo;

    solo->stage = SOLO_PLAYING;
    match_begin(&table->match);
    for (;;) {
        int seat = match_next(&table->match);

        if (seat == GAME_NOBODY)
            return true;
        if (seat != solo->seat)
            play_by_chance(table, seat);
        else if (solo->end != SOLO_WHOLE && table->decided == solo->stop_after)
            return true;
        else if (!ask_turn(table))
            return false;
    }
}

static void leave(struct round_table *table)
{
    struct solo *solo = table->solo;
    struct bot *bot = &table->talk->bot;
    int64_t closed_us;
    struct wire_end end;
    size_t size = 0;

    solo->stage = SOLO_LEAVING;
    for (int seat = 0; seat < solo->terms.player_count; seat++)
        if (seat != solo->seat && table->match.phase != MATCH_OVER)
            match_out(&table->match, seat, WIRE_EXIT);
    if (solo->end != SOLO_END_OF_INPUT) {
        match_result(&table->match, &end);
        size =
            add_keys(table, wire_pack_end(bot->channel.request, sizeof bot->channel.request, &end));
    }
    closed_us = alarm_now_us();
    if (!go_on(table, talk_leave(table->talk, size), FORFEIT_NOT_KNOWN))
        return;
    solo->leaving_us = alarm_now_us() - closed_us;
    solo->verdict = bot->verdict;
    solo->stage = SOLO_GONE;
}

void solo_play(struct solo *solo)
{
    struct round_table *table = calloc(1, sizeof *table);

    if (table)
        table->talk = talk_create(solo->sandbox);
    if (!table || !table->talk) {
        solo->broken = true;
        solo->failure = (struct sandbox_failure){.step = "memory", .error = ENOMEM};
        free(table);
        return;
    }
    table->solo = solo;
    table->random = draw_number(solo->terms.seed, DRAW_BOT, GAME_PLAYERS_MAX);
    match_init(&table->match, &solo->terms);
    if (start(table) && say_hello(table) && play(table))
        leave(table);
    solo->errors_bytes = table->talk->bot.channel.errors_kept.total_bytes;
    if (solo->errors)
        *solo->errors = table->talk->bot.channel.errors_kept;
    match_finish(&table->match);
    talk_destroy(table->talk);
    free(table);
}

void solo_finish(struct solo *solo)
{
    forfeit_destroy(solo->forfeit);
    solo->forfeit = NULL;
}
