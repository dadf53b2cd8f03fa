#include "arena/trial/solo.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/play/channel.h"
#include "arena/trial/talk.h"
#include "engine/draw.h"

/* A running game. solo->stage is the last operation requested from talk. */
struct solo_game {
    struct solo *solo;
    struct talk *talk;
    struct match match;
    uint64_t random; /* random state for the actions of the other seats */
    size_t decided;  /* number of decisions that the bot has made */
    int64_t turn;    /* turn of the last request */
    int64_t closed_us;
    bool ends;       /* the game waits for the bot's process to end */
    uint32_t layers; /* sandbox layers that are active for the bot */
    int64_t started_s;
};

/* Ends the bot, and then the game, whose result is set. */
static void end(struct solo_game *game)
{
    struct solo *solo = game->solo;

    solo->errors_bytes = game->talk->bot.channel.errors_kept.total_bytes;
    if (solo->errors)
        *solo->errors = game->talk->bot.channel.errors_kept;
    game->ends = true;
    talk_end(game->talk);
}

/* Records that the bot is out, or that the arena failed. */
static void record(struct solo_game *game, enum talk_outcome outcome)
{
    struct solo *solo = game->solo;

    if (outcome == TALK_FAULT) {
        solo->forfeit = forfeit_create(&game->talk->bot, game->turn);
        solo->verdict = game->talk->bot.verdict;
    }
    if (!solo->forfeit) {
        solo->broken = true;
        solo->failure = outcome == TALK_FAULT
                            ? (struct sandbox_failure){.step = "memory", .error = ENOMEM}
                            : game->talk->bot.failure;
    }
}

size_t solo_add_keys(uint8_t *buffer, size_t size, size_t capacity)
{
    /* "later": {"kind": null, "list": [1, -2, 1.5, true, "text"]}: values of several types */
    static const uint8_t first[] =
        "\xa5later\x82\xa4kind\xc0\xa4list\x95\x01\xfe\xca\x3f\xc0\x00\x00"
        "\xc3\xa4text";
    /* "even_later": binary data and a 64-bit number */
    static const uint8_t last[] =
        "\xaa"
        "even_later\x92\xc4\x03\x00\xff\x80\xcf\xff\xff\xff\xff\xff\xff\xff"
        "\xff";
    const size_t first_bytes = sizeof first - 1, last_bytes = sizeof last - 1;

    /* Buffer holds a msgpack map of at most 13 pairs. */
    assert(size > 0 && buffer[0] >= 0x80 && buffer[0] <= 0x8d);
    if (size + first_bytes + last_bytes > capacity)
        return size;
    memmove(buffer + 1 + first_bytes, buffer + 1, size - 1);
    memcpy(buffer + 1, first, first_bytes);
    memcpy(buffer + size + first_bytes, last, last_bytes);
    buffer[0] = (uint8_t)(buffer[0] + 2);
    return size + first_bytes + last_bytes;
}

static size_t add_keys(const struct solo_game *game, size_t size)
{
    if (!game->solo->extra_keys)
        return size;
    return solo_add_keys(game->talk->bot.channel.request, size, WIRE_MESSAGE_BYTES_MAX);
}

/* ---- requests ---- */

static void say_hello(struct solo_game *game)
{
    struct solo *solo = game->solo;
    size_t size =
        add_keys(game, match_pack_hello(&game->match, solo->seat, game->talk->bot.channel.request));

    solo->stage = SOLO_HELLO;
    game->layers = game->talk->bot.child.layers;
    talk_ask(game->talk, size, solo->terms.clock.start_ms * 1000, WIRE_START);
}

static void ask_turn(struct solo_game *game)
{
    struct solo *solo = game->solo;
    struct match *match = &game->match;
    int64_t limit_us = match_limit_us(match, solo->seat);
    size_t size =
        add_keys(game, match_pack_request(match, solo->seat, game->talk->bot.channel.request));

    solo->phase = game_phase(&match->game);
    game->turn = (int64_t)match->decision_count;
    talk_ask(game->talk, size, limit_us, WIRE_TIMEOUT);
}

static void leave(struct solo_game *game)
{
    struct solo *solo = game->solo;
    struct bot *bot = &game->talk->bot;
    struct wire_end result;
    size_t size = 0;

    solo->stage = SOLO_LEAVING;
    game->turn = FORFEIT_NOT_KNOWN;
    for (int seat = 0; seat < solo->terms.player_count; seat++)
        if (seat != solo->seat && game->match.phase != MATCH_OVER)
            match_out(&game->match, seat, WIRE_EXIT);
    if (solo->end != SOLO_END_OF_INPUT) {
        match_result(&game->match, &result);
        size = add_keys(game,
                        wire_pack_end(bot->channel.request, sizeof bot->channel.request, &result));
    }
    game->closed_us = alarm_now_us();
    talk_leave(game->talk, size);
}

/*
 * Plays a random action for another seat, but a placement while one is possible, so that the game
 * progresses.
 */
static void play_by_chance(struct solo_game *game, int seat)
{
    struct match *match = &game->match;
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(&match->game, actions);
    size_t first = 0, place_count = 0;
    struct wire_act act = {.turn = (int64_t)match->decision_count, .kind = WIRE_ACT_ACTION};
    struct match_times times = {0};
    enum wire_reason reason;

    for (size_t i = 0; i < count; i++)
        if (actions[i].kind == ACTION_PLACE && place_count++ == 0)
            first = i; /* actions of one kind follow each other in the list */
    if (place_count > 0)
        count = place_count;
    act.action = actions[first + draw_below(draw_next(&game->random), (uint32_t)count)];
    match_answer(match, seat, &act, &times, &reason);
}

/* Advances to the bot's next decision, or to the end of the game. */
static void advance(struct solo_game *game)
{
    struct solo *solo = game->solo;
    int seat;

    while ((seat = match_next(&game->match)) != solo->seat && seat != GAME_NOBODY)
        play_by_chance(game, seat);
    if (seat == GAME_NOBODY || (solo->end != SOLO_WHOLE && game->decided == solo->stop_after))
        leave(game);
    else
        ask_turn(game);
}

/* ---- answers ---- */

static void take_ready(struct solo_game *game)
{
    const struct channel *channel = &game->talk->bot.channel;
    struct wire_ready ready;
    const char *fault = answer_read_ready(channel->reply, channel->scan.offset, &ready);

    if (fault) {
        talk_fail(game->talk, WIRE_BAD, fault);
        return;
    }
    match_ready(&game->match, game->solo->seat, ready.actions);
    game->solo->stage = SOLO_PLAYING;
    match_begin(&game->match);
    if (game->solo->seen_fn)
        game->solo->seen_fn(game->solo->owner, &game->match, game->solo->seat);
    advance(game);
}

static void take_act(struct solo_game *game)
{
    struct solo *solo = game->solo;
    const struct bot *bot = &game->talk->bot;
    const struct match_times times = {
        .us = bot->charge.used_us, .cpu_us = bot->used_cpu_us, .delay_us = bot->charge.delay_us};
    enum wire_reason reason = WIRE_BAD;
    struct wire_act act;
    const char *fault = answer_read_act(bot->channel.reply, bot->channel.scan.offset, &act);

    if (!fault)
        fault = match_answer(&game->match, solo->seat, &act, &times, &reason);
    if (fault) {
        talk_fail(game->talk, reason, fault);
        return;
    }
    solo->met[solo->phase] = true;
    game->decided++;
    if (solo->decided_fn)
        solo->decided_fn(solo->owner, times.us);
    if (solo->seen_fn)
        solo->seen_fn(solo->owner, &game->match, solo->seat);
    advance(game);
}

static void take_end(struct solo_game *game)
{
    struct solo *solo = game->solo;

    solo->leaving_us = alarm_now_us() - game->closed_us;
    solo->verdict = game->talk->bot.verdict;
    solo->stage = SOLO_GONE;
    end(game);
}

/* Plays the game to its end after the bot is out. */
static void play_on(struct solo_game *game)
{
    struct match *match = &game->match;
    int seat;

    if (match->phase == MATCH_OVER)
        return;
    match_out(match, game->solo->seat, game->solo->forfeit->reason);
    if (game->solo->stage < SOLO_PLAYING)
        match_begin(match);
    while ((seat = match_next(match)) != GAME_NOBODY)
        play_by_chance(game, seat);
}

/* Calls over_fn with the data of the game's replay. */
static void tell_over(struct solo_game *game)
{
    struct solo *solo = game->solo;
    struct wire_end result;
    struct replay_origin origin = {.match = &game->match,
                                   .result = &result,
                                   .memory_bytes = solo->rules->memory_bytes,
                                   .started_s = game->started_s};

    if (!solo->over_fn || solo->broken || solo->extra_keys ||
        (!solo->forfeit && solo->end != SOLO_WHOLE))
        return;
    if (solo->forfeit)
        play_on(game);
    match_result(&game->match, &result);
    origin.sources[solo->seat] = solo->source;
    origin.layers[solo->seat] = game->layers;
    origin.forfeits[solo->seat] = result.reasons[solo->seat] == WIRE_PLAYED ? NULL : solo->forfeit;
    solo->over_fn(solo->owner, solo, &origin);
}

static void destroy(struct solo_game *game)
{
    if (!game)
        return;
    match_finish(&game->match);
    talk_destroy(game->talk);
    free(game);
}

static void talk_done(void *owner, enum talk_outcome outcome)
{
    struct solo_game *game = owner;
    struct solo *solo = game->solo;

    if (game->ends) {
        tell_over(game);
        solo->game = NULL;
        destroy(game);
        solo->ended_fn(solo->owner, solo);
        return;
    }
    if (outcome != TALK_DONE) {
        record(game, outcome);
        end(game);
        return;
    }
    switch (solo->stage) {
    case SOLO_START:
        say_hello(game);
        return;
    case SOLO_HELLO:
        take_ready(game);
        return;
    case SOLO_PLAYING:
        take_act(game);
        return;
    case SOLO_LEAVING:
        take_end(game);
        return;
    case SOLO_GONE:
        return;
    }
}

int solo_start(struct solo *solo, struct ev_loop *loop, const struct transport *transport)
{
    struct solo_game *game = calloc(1, sizeof *game);

    if (!game)
        return -ENOMEM;
    game->talk = talk_create(loop, transport, game, talk_done);
    if (!game->talk) {
        free(game);
        return -ENOMEM;
    }
    game->solo = solo;
    solo->game = game;
    solo->stage = SOLO_START;
    game->turn = FORFEIT_NOT_KNOWN;
    game->started_s = time(NULL);
    game->random = draw_number(solo->terms.seed, DRAW_BOT, GAME_PLAYERS_MAX);
    match_init(&game->match, &solo->terms);
    game->talk->bot.freeze = solo->rules->freeze;
    talk_start(game->talk, solo->source, solo->rules);
    return 0;
}

void solo_stop(struct solo *solo)
{
    if (solo->game)
        talk_stop(solo->game->talk);
}

void solo_finish(struct solo *solo)
{
    destroy(solo->game);
    solo->game = NULL;
    forfeit_destroy(solo->forfeit);
    solo->forfeit = NULL;
}
