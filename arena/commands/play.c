/* SPDX-License-Identifier: MIT */
/*
 * arena play: a person plays against bots in the terminal. Prints the table and the decision to be
 * made, line after line, without color and cursor movement. Or writes the page for playing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/base/memory.h"
#include "arena/commands/commands.h"
#include "arena/commands/game_output.h"
#include "arena/commands/play.h"
#include "arena/commands/options.h"
#include "arena/person/dialog.h"
#include "arena/play/foreground.h"
#include "arena/base/place.h"
#include "arena/play/watch.h"
#include "arena/base/plain_text.h"
#include "arena/replay/replay.h"
#include "arena/replay/words.h"
#include "arena/trial/talk.h"
#include "engine/board.h"
#include "engine/notation.h"
#include "arena/site/page.h"
#include "arena/site/play_page.h"
#include "arena/site/viewer.h"
#include "arena/base/clock.h"

enum {
    NAMES_PER_SECOND = 100, /* maximum number of replays that begin in one second */
};

/* ---- the view ---- */

static struct play_view {
    char *names[GAME_PLAYERS_MAX]; /* names by seat, escaped for a terminal; owned */
    bool has_told_table;           /* the table was printed for the current position */
} view;

/* Prints a line about a decision. text must be escaped for a terminal; the view frees it. */
static void view_tell(char *text)
{
    if (!text)
        return;
    puts(text);
    fflush(stdout);
    free(text);
    view.has_told_table = false;
}

static void view_ask(const struct position *position, const struct dialog *dialog)
{
    if (!view.has_told_table)
        words_table(stdout, position, view.names);
    view.has_told_table = true;
    if (*dialog->message) {
        puts(dialog->message);
    } else if (dialog->chosen) {
        fputs("Your choice: ", stdout);
        choices_write_action(stdout, &dialog->game, dialog->action);
        puts(".");
    } else {
        for (size_t i = 0; i < dialog->item_count; i++) {
            printf("%zu: ", i + 1);
            dialog_write_item(stdout, dialog, i);
            puts("");
        }
    }
    dialog_write_prompt(stdout, dialog);
    puts("");
    fflush(stdout);
}

/* ---- the match ---- */

/* How far the hint bot has come on its way to an answer. */
enum hint {
    HINT_NONE,   /* nobody waits for a hint */
    HINT_STARTS, /* the bot's program is being started */
    HINT_GREETS, /* the bot has received the person's hello message */
    HINT_THINKS, /* the bot has received the person's turn message */
};

/* A match of a person, while it runs. */
static struct run {
    const struct play_run *request;
    struct match_terms terms;
    struct bot_room room;
    struct source sources[GAME_PLAYERS_MAX]; /* the players by seat; the person has no program */
    struct foreground foreground;
    struct pace pace;
    struct transport transport;
    struct table *table;
    ev_timer memory; /* checks the memory of the bots */
    ev_timer late;   /* ends the person's time for a decision */
    struct watch input;
    struct dialog dialog;
    bool asked;             /* the person has to make a decision */
    int64_t asked_us;       /* when the person was asked */
    bool left;              /* the person has quit, or standard input has ended */
    struct game described;  /* position after the last decision that was described to the person */
    bool has_described;     /* `described` is initialized */
    size_t described_count; /* number of decisions that were described to the person */
    bool described_out[GAME_PLAYERS_MAX]; /* by seat: the person was told that the bot is out */
    struct position position;             /* the latest position */
    char line[DIALOG_LINE_BYTES];         /* the beginning of a line that the person types */
    size_t line_bytes;

    struct source hint; /* the bot that gives hints */
    bool has_hint;
    enum hint hint_state;
    struct talk *talk;                    /* the conversation with the hint bot; NULL: none */
    uint8_t turn[WIRE_MESSAGE_BYTES_MAX]; /* what a bot in the person's seat would be asked */
    size_t turn_bytes;

    char *path;       /* path of the replay */
    bool made_folder; /* the replay's folder was created */
    char
        error[REPLAY_ERROR_BYTES]; /* why the recorded match could not be continued; "": it could */
    int status;
} run;

/* ---- describing decisions ---- */

static void tell_decision(const struct match *match, size_t index)
{
    const struct wire_event *event = &match->events[index];
    struct effect effect;
    char *text = NULL;
    size_t size;

    if (effect_of(&run.described, event->action, &effect)) {
        FILE *stream = memory_stream(&text, &size);

        if (event->seat == run.request->seat) {
            fputs("You ", stream);
            choices_write_action(stream, &run.described, event->action);
        } else {
            plain_text_printf(stream, "%s ", view.names[event->seat]);
            words_effect(stream, &effect);
        }
        if (match->decisions[index].by_arena)
            fputs(" (stand-in)", stream);
        memory_stream_end(stream);
        view_tell(text);
    }
    game_apply(&run.described, event->action);
}

/* Takes the question back: the person left the match, or was too late. */
static void stop_asking(void)
{
    run.asked = false;
    run.hint_state = HINT_NONE;
}

static void tell_who_is_out(const struct match *match)
{
    for (int seat = 0; seat < match->terms.player_count; seat++) {
        enum wire_reason reason = match->seats[seat].reason;
        char *text;

        if (reason == WIRE_PLAYED || run.described_out[seat])
            continue;
        run.described_out[seat] = true;
        if (seat == run.request->seat)
            stop_asking();
        if (asprintf(
                &text,
                "%s: out of the match (%s); a stand-in, a bot of the arena, plays in this seat.",
                view.names[seat], wire_reason_name(reason)) >= 0)
            view_tell(text);
    }
}

/*
 * Describes the decisions that were made since the last call. Of a replay that is played on,
 * describes only the last recorded decision.
 */
static void match_went_on(struct table *table)
{
    const struct match *match = &table->match;
    size_t first = run.request->turn > 0 ? run.request->turn - 1 : 0;

    if (!run.has_described) {
        game_init(&run.described, match->terms.player_count, match->terms.board, match->terms.seed);
        run.has_described = true;
    }
    while (run.described_count < match->decision_count) {
        size_t index = run.described_count++;

        if (index < first)
            game_apply(&run.described, match->events[index].action);
        else
            tell_decision(match, index);
    }
    tell_who_is_out(match);
    game_view(&match->game, &run.position);
}

/* ---- questions and answers ---- */

static void show_question(void)
{
    view_ask(&run.position, &run.dialog);
    run.dialog.message[0] = '\0';
}

static void drop_hint(void)
{
    run.hint_state = HINT_NONE;
    talk_destroy(run.talk);
    run.talk = NULL;
}

static void leave(void)
{
    if (run.left)
        return;
    run.left = true;
    stop_asking();
    watch_stop(&run.input, run.foreground.loop);
    drop_hint();
    table_stop(run.table);
}

/* Shows the hint; or, if action is NULL, why there is none. */
static void tell_hint(const struct action *action, const char *fault)
{
    struct dialog *dialog = &run.dialog;
    char *text = NULL;
    size_t size;
    FILE *stream = memory_stream(&text, &size);

    run.hint_state = HINT_NONE;
    plain_text_printf(stream, "%s", *run.hint.manifest.name ? run.hint.manifest.name : "The hint");
    if (action) {
        fputs(" would ", stream);
        choices_write_action(stream, &dialog->game, *action);
    } else {
        plain_text_printf(stream, " gives no hint: %s", fault);
    }
    memory_stream_end(stream);
    snprintf(dialog->message, sizeof dialog->message, "%s", text);
    free(text);
    show_question();
    watch_start(&run.input, run.foreground.loop);
}

/* Called when the hint bot has started, has answered, or is out. */
static void hint_went_on(void *owner, enum talk_outcome outcome)
{
    const struct wire_clock *clock = &run.terms.clock;
    struct bot *bot = &run.talk->bot;
    const uint8_t *reply = bot->channel.reply;
    size_t reply_bytes = bot->channel.scan.offset;
    enum wire_reason reason;
    struct action action;
    struct wire_ready ready;
    struct wire_act act;
    const char *fault = outcome == TALK_FAULT    ? bot->fault.words
                        : outcome == TALK_BROKEN ? bot->failure.step
                                                 : NULL;

    switch (fault ? HINT_NONE : run.hint_state) {
    case HINT_NONE:
        break;
    case HINT_STARTS:
        run.hint_state = HINT_GREETS;
        talk_ask(run.talk,
                 match_pack_hello(&run.table->match, run.request->seat, bot->channel.request),
                 clock->start_ms * 1000, WIRE_START);
        return;
    case HINT_GREETS:
        fault = answer_read_ready(reply, reply_bytes, &ready);
        if (fault)
            break;
        run.hint_state = HINT_THINKS;
        memcpy(bot->channel.request, run.turn, run.turn_bytes);
        talk_ask(run.talk, run.turn_bytes, (clock->turn_ms + clock->bank_ms) * 1000, WIRE_TIMEOUT);
        return;
    case HINT_THINKS:
        fault = answer_read_act(reply, reply_bytes, &act);
        if (!fault)
            fault = match_find_action(&run.table->match, &act, &action, &reason);
        bot_kill(bot);
        if (!fault)
            tell_hint(&action, NULL);
        break;
    }
    if (fault && run.hint_state != HINT_NONE)
        tell_hint(NULL, fault);
}

/* Starts the hint bot, which then receives the person's hello and turn messages. */
static void ask_hint(void)
{
    const struct transport transport = transport_of_sandbox(run.room.sandbox);

    drop_hint();
    run.hint_state = HINT_STARTS;
    if (run.has_hint)
        run.talk = talk_create(run.foreground.loop, &transport, NULL, hint_went_on);
    if (run.talk)
        talk_start(run.talk, &run.hint, &run.request->play.rules);
    else
        tell_hint(NULL, run.has_hint ? "out of memory" : "there is no bot to ask");
}

static void send_choice(void)
{
    run.asked = false;
    ev_timer_stop(run.foreground.loop, &run.late);
    drop_hint();
    view.has_told_table = false;
    table_answer(run.table, run.request->seat, run.dialog.action, clock_now_us() - run.asked_us);
}

static void take_line(void)
{
    switch (dialog_take(&run.dialog, run.line)) {
    case DIALOG_AGAIN:
        break;
    case DIALOG_BOARDS:
        words_boards(stdout, &run.position, view.names);
        break;
    case DIALOG_SEND:
        send_choice();
        return;
    case DIALOG_HINT:
        ask_hint();
        return;
    case DIALOG_QUIT:
        leave();
        return;
    }
    show_question();
}

/* Reads input, but only while the dialog waits for an answer; later input stays in the terminal. */
static void input_ready(struct watch *watch)
{
    char byte;
    ssize_t got;

    if (!run.asked || run.hint_state != HINT_NONE) {
        watch_stop(watch, run.foreground.loop);
        return;
    }
    /* Reads one byte per call, because the next byte may belong to the next question. */
    got = read(STDIN_FILENO, &byte, 1);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        leave();
    } else if (byte != '\n') {
        if (run.line_bytes < sizeof run.line - 1)
            run.line[run.line_bytes++] = byte;
    } else {
        run.line[run.line_bytes] = '\0';
        run.line_bytes = 0;
        take_line();
    }
}

static void person_asked(struct table *table, int seat)
{
    static const uint8_t no_seed[GAME_SEED_BYTES];
    struct ev_loop *loop = run.foreground.loop;
    struct match *match = &table->match;
    struct game game;

    game_view(&match->game, &run.position);
    game_from_position(&game, &run.position, no_seed); /* hides the draws to come */
    run.turn_bytes = match_pack_request(match, seat, NULL, run.turn);
    run.asked = true;
    run.asked_us = clock_now_us();
    if (options_given("clock")) {
        ev_now_update(loop);
        ev_timer_set(&run.late, (double)match_limit_us(match, seat) / 1e6, 0.);
        ev_timer_start(loop, &run.late);
    }
    dialog_begin(&run.dialog, &game);
    show_question();
    watch_start(&run.input, loop);
}

static void person_is_late(struct ev_loop *loop, ev_timer *timer, int events)
{
    drop_hint();
    table_take_out(run.table, run.request->seat, WIRE_TIMEOUT);
}

/* Plays the decisions of the recorded match up to the wanted turn, before a bot can drop out. */
static void match_begun(struct table *table)
{
    struct match *match = &table->match;

    while (match->decision_count < run.request->turn) {
        int seat = match_next(match);

        if (seat == GAME_NOBODY)
            return;
        if (replay_answer(run.request->replay, match, seat, run.error) < 0) {
            table_stop(table);
            return;
        }
    }
}

/* ---- the end ---- */

static int keep_replay(const struct table *table)
{
    struct replay replay;
    int status;

    if (replay_from_table(&replay, table) < 0)
        return command_fail("%s: out of memory: the replay was not written", run.path);
    status = game_output_write(&replay, run.path);
    replay_finish(&replay);
    return status;
}

static void print_result(const struct table *table)
{
    const struct wire_end *end = &table->result;

    puts("The match is over.");
    for (int rank = 1; rank <= end->player_count; rank++)
        for (int seat = 0; seat < end->player_count; seat++)
            if (end->ranks[seat] == rank)
                plain_text_printf(stdout, "%d. %s, %d point%s\n", rank, view.names[seat],
                                  end->scores[seat], plain_text_s(end->scores[seat]));
}

static void match_done(struct table *table)
{
    watch_stop(&run.input, run.foreground.loop);
    foreground_end(&run.foreground);
    if (table->state == TABLE_ENDING) {
        run.status = keep_replay(table);
        print_result(table);
        if (run.status == COMMAND_DONE)
            plain_text_printf(stdout, "%s: `arena replay %s` tells the match again\n", run.path,
                              run.path);
    } else if (*run.error) {
        run.status = command_fail("the recorded match could not be continued: %s", run.error);
    } else if (table->failure.step) {
        run.status = command_fail("the match could not be played: %s: %s", table->failure.step,
                                  strerror(table->failure.error));
    } else {
        puts("You left the match: it has no result, and no replay was written.");
    }
}

static void interrupted(void *owner)
{
    leave();
}

static void look_at_memory(struct ev_loop *loop, ev_timer *timer, int events)
{
    table_watch(run.table);
}

/* ---- setting up ---- */

/*
 * Opens the bot that the argument names; without an argument, a bundled bot. Sets *has to false if
 * the program has no bundled bots.
 */
static int open_bot(struct source *source, const char *argument, int number, bool *has)
{
    char *path = argument ? NULL : bot_argument_opponent();
    int status = COMMAND_DONE;

    *has = argument || path;
    if (argument)
        status = bot_argument_open(source, argument, &run.room, number, &run.request->play);
    else if (path)
        status = bot_argument_copy(source, path, &run.room, number, &run.request->play);
    free(path);
    return status;
}

static int open_seat(int seat)
{
    const struct play_run *request = run.request;
    int bot = seat < request->seat ? seat : seat - 1;
    struct source *source = &run.sources[seat];
    bool has;
    int status;

    if (seat == request->seat) {
        source->is_person = true;
        strcpy(source->manifest.name, "person");
        return COMMAND_DONE;
    }
    status = open_bot(source, bot < request->bot_count ? request->paths[bot] : NULL, seat, &has);
    return has ? status
               : command_refuse(
                     "seat %d: name a bot for this seat: this program has no bundled bots", seat);
}

static int seat_all(void)
{
    struct match_terms *terms = &run.terms;
    int status = bot_room_open(&run.room, &run.request->play);

    for (int seat = 0; seat < terms->player_count && status == COMMAND_DONE; seat++) {
        status = open_seat(seat);
        if (status != COMMAND_DONE)
            break;
        memcpy(terms->names[seat], run.sources[seat].manifest.name, sizeof terms->names[seat]);
        view.names[seat] =
            seat == run.request->seat ? strdup("You") : bot_argument_label(run.sources, seat);
        if (!view.names[seat])
            status = command_fail("out of memory");
    }
    /* Without a hint bot, typing `?` shows a message instead of a hint. */
    if (status == COMMAND_DONE)
        status = open_bot(&run.hint, run.request->hint, GAME_PLAYERS_MAX, &run.has_hint);
    return status;
}

static const char *replays_folder(void)
{
    return run.request->replays ? run.request->replays : "games";
}

/* Chooses a path for the replay that does not exist yet, from the time of day. */
static int choose_path(void)
{
    const char *folder = replays_folder();
    time_t now = clock_time_us() / 1000000;
    char moment[32];
    struct tm tm;

    run.made_folder = mkdir(folder, 0755) == 0;
    if (!run.made_folder && errno != EEXIST)
        return command_refuse_errno(errno, "--replays %s: %s%s", folder, strerror(errno),
                                    place_cure(errno));
    if (access(folder, W_OK | X_OK) < 0)
        return command_refuse("--replays %s: is not a folder that can be written to", folder);
    strftime(moment, sizeof moment, "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
    for (int number = 0; number < NAMES_PER_SECOND; number++) {
        char name[WIRE_MATCH_BYTES_MAX];

        snprintf(name, sizeof name, "play-%s%s%.0d", moment, number ? "-" : "", number);
        free(run.path);
        run.path = replay_file_path(folder, name);
        if (!run.path)
            return command_fail("%s", strerror(ENOMEM));
        if (access(run.path, F_OK) != 0)
            return COMMAND_DONE;
    }
    return command_refuse("%s: already exists; choose another folder with --replays", run.path);
}

static int agree(void)
{
    const struct play_run *request = run.request;
    struct match_terms *terms = &run.terms;
    const struct replay *replay = request->replay;

    terms->player_count = replay ? replay->terms.player_count : request->bot_count + 1;
    terms->board = replay ? replay->terms.board : request->play.board;
    terms->clock = request->play.clock;
    if (replay)
        memcpy(terms->id, replay->terms.id, sizeof terms->id);
    else
        strcpy(terms->id, "000000-0"); /* bots get this id; a constant id gives the same messages
                                          for the same seed */
    memcpy(terms->seed, replay ? replay->terms.seed : request->seed, sizeof terms->seed);
    if (!replay && play_options_draw_seed(terms->seed) != COMMAND_DONE)
        return COMMAND_FAILED;
    return choose_path();
}

/* ---- playing ---- */

static int play_match(void)
{
    const struct source *sources[GAME_PLAYERS_MAX];
    struct ev_loop *loop;

    if (foreground_open(&run.foreground, interrupted, NULL) < 0)
        return command_fail("%s", strerror(ENOMEM));
    loop = run.foreground.loop;
    run.transport = transport_of_sandbox(run.room.sandbox);
    run.table = table_create(loop, &run.pace, &run.transport, &run.request->play.rules);
    if (!run.table) {
        foreground_close(&run.foreground);
        return command_fail("%s", strerror(ENOMEM));
    }
    run.table->begun_fn = match_begun;
    run.table->step_fn = match_went_on;
    run.table->asked_fn = person_asked;
    run.table->done_fn = match_done;
    pace_start(&run.pace, loop);
    watch_init(&run.input, STDIN_FILENO, EV_READ, input_ready, NULL);
    ev_timer_init(&run.late, person_is_late, 0., 0.);
    ev_timer_init(&run.memory, look_at_memory, RUNNER_WATCH_MS / 1000., RUNNER_WATCH_MS / 1000.);
    ev_timer_start(loop, &run.memory);
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        sources[seat] = &run.sources[seat];
    table_play(run.table, &run.terms, sources);
    foreground_wait(&run.foreground);
    drop_hint();
    table_destroy(run.table);
    pace_stop(&run.pace, loop);
    watch_stop(&run.input, loop);
    ev_timer_stop(loop, &run.late);
    ev_timer_stop(loop, &run.memory);
    foreground_close(&run.foreground);
    return run.status;
}

static void finish(void)
{
    if (run.made_folder)
        rmdir(replays_folder()); /* rmdir removes only an empty folder, so a written replay stays */
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++) {
        free(view.names[seat]);
        source_close(&run.sources[seat]);
    }
    source_close(&run.hint);
    bot_room_close(&run.room);
    free(run.path);
}

int play_run(const struct play_run *request)
{
    int status;

    run.request = request;
    status = agree() ?: seat_all();
    if (status == COMMAND_DONE && stop_is_asked())
        status = command_fail("stopped before the match began");
    status = status ?: play_match();
    finish();
    return status;
}

int play_run_replay(struct play_run *request, const struct replay *replay, const char *path,
                    const char *at, const char *seat)
{
    int64_t last = (int64_t)replay->decision_count - 1;
    int bot_count = replay->terms.player_count - 1;
    char error[REPLAY_ERROR_BYTES];
    int64_t number;

    if (replay_seat_asked(replay, replay->decision_count) != GAME_NOBODY)
        last++;
    if (last < 0)
        return command_refuse("%s: the match has no decisions to continue from: `arena play` "
                              "begins a new match",
                              path);
    if (!options_number(at, 0, last, &number))
        return command_refuse("--at %s: is not a turn from 0 to %d", at, (int)last);
    if (request->bot_count != 0 && request->bot_count != bot_count)
        return command_refuse("--play: %d bot%s named: name %d for the other seats, or none",
                              request->bot_count, plain_text_s(request->bot_count), bot_count);
    if (replay_verify(replay, NULL, NULL, error) < 0)
        return command_fail("%s: %s", path, error);
    request->turn = (size_t)number;
    request->replay = replay;
    number = replay_seat_asked(replay, request->turn);
    if (seat && !options_number(seat, 0, bot_count, &number))
        return command_refuse("--seat %s: out of range (0..%d)", seat, bot_count);
    request->seat = (int)number;
    return play_run(request);
}

static struct play_run request = {.play = PLAY_OPTIONS_DEFAULT};
static const char *person_seat; /* NULL: 0 */
static bool opens;              /* write the page for playing; do not play at the terminal */

/* ---- the page for playing ---- */

/* Refuses what the page cannot do. */
static int check_page(void)
{
    static const char *const unknown[] = {"clock", "hint", "memory", "require"};

    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (options_given(unknown[i]))
            return command_refuse("--%s: the page of --open has no such choice", unknown[i]);
    for (int i = 0; i < request.bot_count; i++)
        if (strcmp(request.paths[i], request.paths[0]) != 0 || !play_page_has(request.paths[i]))
            return command_refuse(
                "%s: the page of --open plays random, greedy, steady or maestro, the "
                "same in all other seats; without --open any bot plays",
                request.paths[i]);
    if (!play_page_exists())
        return command_refuse("--open: this program was built without the page for playing, which "
                              "needs clang for WebAssembly (docs/site.md)");
    return COMMAND_DONE;
}

/* Writes the page, and prints its address, which names the terms of the match. */
static int write_page(void)
{
    const char *folder = request.replays ? request.replays : "games";
    char *page = NULL, path[PATH_MAX];
    char words[TEMPLATE_ERROR_BYTES];
    size_t size;
    FILE *stream = memory_stream(&page, &size);
    struct pages *pages = pages_create(NULL, words);
    int status = COMMAND_DONE, error;

    if (!pages || page_write(pages, stream, "play", play_page(pages), words) < 0)
        status = command_fail("%s", words);
    memory_stream_end(stream);
    pages_destroy(pages);
    snprintf(path, sizeof path, "%s/%s", folder, PLAY_PAGE_PATH);
    if (status == COMMAND_DONE && mkdir(folder, 0755) < 0 && errno != EEXIST)
        status = command_refuse_errno(errno, "--replays %s: %s%s", folder, strerror(errno),
                                      place_cure(errno));
    if (status == COMMAND_DONE && (error = viewer_put(path, page, size)))
        status =
            command_refuse_errno(-error, "%s: %s%s", path, strerror(-error), place_cure(error));
    free(page);
    if (status != COMMAND_DONE)
        return status;
    plain_text_printf(stdout, "%s#players=%d&board=%s&bot=%s&seat=%d", path, request.bot_count + 1,
                      notation_boards[request.play.board], request.paths[0], request.seat);
    for (int i = 0; options_given("seed") && i < GAME_SEED_BYTES; i++)
        printf("%s%02x", i ? "" : "&seed=", request.seed[i]);
    puts("");
    return COMMAND_DONE;
}

static const struct option options[] = {
    {"seat", "S", "your seat, counted from 0 (0); seat 0 begins", .text = &person_seat},
    {"seed", "HEX", "seed of the match: 32 hex digits (random)", .seed = request.seed},
    PLAY_OPTION_BOARD(&request.play),
    PLAY_RUN_OPTIONS(&request, NULL),
    PLAY_OPTION_MEMORY(&request.play),
    PLAY_OPTION_REQUIRE(&request.play),
    {"open", NULL,
     "write the page for playing, DIR/play.html, and print its address; do not play at the "
     "terminal",
     .flag = &opens},
    STORE_OPTIONS};

static int play(int argc, char **argv)
{
    int64_t number = 0;

    request.bot_count = argc;
    request.paths = argv;
    if (person_seat && !options_number(person_seat, 0, argc, &number))
        return command_refuse("--seat %s: out of range (0..%d)", person_seat, argc);
    request.seat = (int)number;
    return opens ? check_page() ?: write_page() : play_run(&request);
}

const struct command_line command_play = {
    .name = "play",
    .usage = "[OPTION ...] BOT [BOT [BOT]]",
    .about = "Plays a match between you, at the terminal, and bots: folders, executables, "
             "submitted bots, or bundled bots: random, greedy, lookahead, steady, maestro and "
             "others. Choices are numbered: type a number and Enter, then Enter alone to play "
             "the choice. u takes a step back, ? asks a bot what it would play, q leaves.",
    .options = options,
    .least = 1,
    .most = GAME_PLAYERS_MAX - 1,
    .arguments = "name 1 to 3 bots",
    .run_fn = play};
