#include "arena/person/party.h"

#include <stdlib.h>

enum {
    WATCH_MS = 50, /* between checks of bots' memory */
};

struct party {
    struct party_options options;
    struct ev_loop *loop;
    struct pace pace;
    struct transport transport;
    struct person_child person;
    struct hint hint;
    struct table *table;
    ev_timer watch;
    ev_timer stop; /* stops the match from the loop */
    char error[REPLAY_ERROR_BYTES];
};

static void person_asked(void *owner)
{
    struct party *party = owner;

    party->options.asked_fn(party->options.owner, &party->person.told);
}

/* Plays the decisions of the earlier match. No seat is out yet. */
static void table_begun(struct table *table)
{
    struct party *party = table->owner;
    struct match *match = &table->match;

    while (match->decision_count < party->options.replay_count) {
        int seat = match_next(match);

        if (seat == GAME_NOBODY ||
            replay_answer(party->options.replay, match, seat, party->error) < 0) {
            ev_timer_start(party->loop, &party->stop);
            return;
        }
    }
}

static void table_step(struct table *table)
{
    struct party *party = table->owner;

    party->options.step_fn(party->options.owner, &table->match);
}

static void table_done(struct table *table)
{
    struct party *party = table->owner;

    ev_timer_stop(party->loop, &party->watch);
    party->options.done_fn(party->options.owner, table, *party->error ? party->error : NULL);
}

static void look_at_memory(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct party *party = timer->data;

    table_watch(party->table);
    bot_watch(&party->hint.bot);
}

static void stop_now(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct party *party = timer->data;

    table_stop(party->table);
}

static void prepare(struct party *party, struct ev_loop *loop)
{
    const struct party_options *options = &party->options;

    party->loop = loop;
    party->person.loop = loop;
    party->person.sandbox = options->sandbox;
    party->person.owner = party;
    party->person.asked_fn = person_asked;
    party->transport = person_transport(&party->person);
    party->hint.loop = loop;
    party->hint.pace = &party->pace;
    party->hint.rules = &party->options.rules;
    party->hint.source = options->hint;
    party->hint.clock = options->hint_clock;
    party->hint.owner = options->owner;
    party->hint.told_fn = options->hint_fn;
    ev_timer_init(&party->watch, look_at_memory, WATCH_MS / 1000., WATCH_MS / 1000.);
    ev_timer_init(&party->stop, stop_now, 0., 0.);
    party->watch.data = party->stop.data = party;
}

struct party *party_start(const struct party_options *options, struct ev_loop *loop)
{
    struct party *party = calloc(1, sizeof *party);

    if (!party)
        return NULL;
    party->options = *options;
    prepare(party, loop);
    party->table = table_create(loop, &party->pace, &party->transport, &party->options.rules);
    if (!party->table) {
        free(party);
        return NULL;
    }
    party->table->owner = party;
    party->table->begun_fn = table_begun;
    party->table->step_fn = table_step;
    party->table->done_fn = table_done;
    pace_start(&party->pace, loop);
    if (party->transport.watches)
        ev_timer_start(loop, &party->watch);
    table_play(party->table, &options->terms, options->sources, true);
    return party;
}

void party_answer(struct party *party, struct action action)
{
    hint_drop(&party->hint);
    person_child_answer(&party->person, action);
}

void party_ask_hint(struct party *party)
{
    hint_ask(&party->hint, &party->person, party->options.sandbox);
}

void party_stop(struct party *party)
{
    hint_drop(&party->hint);
    table_stop(party->table);
}

void party_destroy(struct party *party)
{
    if (!party)
        return;
    ev_timer_stop(party->loop, &party->watch);
    ev_timer_stop(party->loop, &party->stop);
    hint_finish(&party->hint);
    table_destroy(party->table);
    pace_stop(&party->pace, party->loop);
    free(party);
}
