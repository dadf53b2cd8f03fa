/* SPDX-License-Identifier: MIT */
/*
 * arena replay: shows a match decision by decision, verifies it, or lets a bot make one of its
 * decisions again.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/commands/bot_argument.h"
#include "arena/base/memory.h"
#include "arena/commands/commands.h"
#include "arena/commands/game_output.h"
#include "arena/commands/play.h"
#include "arena/commands/options.h"
#include "arena/person/dialog.h"
#include "arena/play/foreground.h"
#include "arena/replay/effect.h"
#include "arena/replay/replay.h"
#include "arena/replay/forfeit_text.h"
#include "arena/replay/json.h"
#include "arena/base/plain_text.h"
#include "arena/replay/words.h"
#include "arena/store/games.h"
#include "arena/trial/rerun.h"
#include "engine/notation.h"
#include "arena/base/json.h"

static struct request {
    const char *path; /* path of the replay, or id of the game */
    const struct replay *replay;
    bool legal, verify;
    const char *html; /* file for the page; NULL: no page */
    const char *at;   /* turn to be decided again, or "hello"; NULL: none */
    const char *seat;
    const char *bot;
    bool no_limits;
    bool requested; /* write the recorded request to standard output (--request) */
    bool takes_over;
    struct play_run person; /* values of the options of --play */
} request = {.person = {.play = PLAY_OPTIONS_DEFAULT}};

/* ---- in words ---- */

enum {
    COLUMNS = 80,
    HANGING = 8,     /* indentation of continuation lines */
    LABEL = 24,      /* width of a label in the final scoring, in columns */
    SEAT_COLUMN = 13 /* width of a seat's column in the final scoring, with the space before it */
};

/* A description of a match while it is being written. */
struct telling {
    const struct replay *replay;
    FILE *text; /* lines of any length; wrapped when printed */
    char *names[GAME_PLAYERS_MAX];
    int round; /* last round whose heading was written; 0: none */
    bool scored;
    struct effect_final finals[GAME_PLAYERS_MAX]; /* final scores by seat; valid if `scored` */
};

static void write_tiles(FILE *text, const char *label, const uint8_t tiles[static GAME_COLORS],
                        int wild)
{
    plain_text_printf(text, "  %-9s  ", label);
    words_tiles(text, tiles, -1, wild);
    fputc('\n', text);
}

/* Writes the scores after the last round, and what lies on the table, if a new round begins. */
static void write_round(struct telling *telling, const struct match *match)
{
    struct position state;

    game_view(&match->game, &state);
    if (state.round == telling->round)
        return;
    if (telling->round > 0)
        fprintf(telling->text, "\nAfter round %d: ", telling->round);
    for (int seat = 0; seat < state.player_count && telling->round > 0; seat++)
        plain_text_printf(telling->text, "%s%s %d", seat ? ", " : "", telling->names[seat],
                          state.seats[seat].score);
    fputs(telling->round > 0 ? "\n" : "", telling->text);
    telling->round = state.round;
    plain_text_printf(telling->text, "\nRound %d, wild %s. %s starts.\n", state.round,
                      notation_color_names[state.wild], telling->names[state.start]);
    for (int display = 0; display < 2 * state.player_count + 1; display++) {
        char label[24];

        snprintf(label, sizeof label, "factory %d", display);
        write_tiles(telling->text, label, state.displays[display], state.wild);
    }
    write_tiles(telling->text, "supply", state.supply, state.wild);
    fputc('\n', telling->text);
}

static void write_outs(const struct telling *telling, int64_t turn)
{
    for (int seat = 0; seat < telling->replay->terms.player_count; seat++) {
        if (telling->replay->out_turns[seat] != turn)
            continue;
        plain_text_printf(telling->text, "      %s ", telling->names[seat]);
        words_out(telling->text, telling->replay, seat);
        fputc('\n', telling->text);
    }
}

/* Writes the whole note of a bot on its decision. */
static void write_note(FILE *text, const char *note, size_t note_bytes)
{
    if (note_bytes == 0)
        return;
    fputs("        # ", text);
    plain_text_print(text, note, note_bytes, WIRE_NOTE_BYTES_MAX);
    fputc('\n', text);
}

static void write_decision(struct telling *telling, const struct match *match,
                           const struct replay_decision *decision)
{
    struct effect effect;

    write_round(telling, match);
    write_outs(telling, (int64_t)match->decision_count);
    if (!effect_of(&match->game, decision->action, &effect))
        return; /* an illegal action has no description; the caller reports the broken rule */
    plain_text_printf(telling->text, "%4zu  round %d, %s: ", match->decision_count, effect.round,
                      telling->names[effect.seat]);
    words_effect(telling->text, &effect);
    words_time(telling->text, decision->by_arena, decision->us, replay_bank_us(match, decision));
    fputc('\n', telling->text);
    write_note(telling->text, decision->note, decision->note_bytes);
    telling->scored = effect_final(&match->game, decision->action, telling->finals);
}

/* ---- the end ---- */

/*
 * Writes a row of the final scoring: for each seat, the number at `offset` in its struct
 * effect_final.
 */
static void write_row(const struct telling *telling, const char *label, size_t offset, bool always)
{
    int seats = telling->replay->terms.player_count;
    int numbers[GAME_PLAYERS_MAX];
    bool any = always;

    for (int seat = 0; seat < seats; seat++) {
        memcpy(&numbers[seat], (const char *)&telling->finals[seat] + offset, sizeof *numbers);
        any = any || numbers[seat] != 0;
    }
    if (!any)
        return;
    plain_text_printf(telling->text, "  %-*s", LABEL - 2, label);
    for (int seat = 0; seat < seats; seat++)
        fprintf(telling->text, "%*d", SEAT_COLUMN, numbers[seat]);
    fputc('\n', telling->text);
}

/* Writes the names, cut to the width of a column. The seat numbers below tell equal names apart. */
static void write_final_heading(const struct telling *telling)
{
    int seats = telling->replay->terms.player_count;

    plain_text_printf(telling->text, "\n%-*s", LABEL, "Final scoring");
    for (int seat = 0; seat < seats; seat++) {
        const char *name = telling->replay->bots[seat].name;
        size_t bytes = 0;

        while (name[bytes] && plain_text_columns(name, bytes + 1) < SEAT_COLUMN)
            bytes++;
        plain_text_printf(telling->text, "%*.*s", SEAT_COLUMN, (int)bytes, name);
    }
    plain_text_printf(telling->text, "\n%-*s", LABEL, "  seat");
    for (int seat = 0; seat < seats; seat++)
        fprintf(telling->text, "%*d", SEAT_COLUMN, seat);
    fputc('\n', telling->text);
}

static void write_final(struct telling *telling)
{
    struct effect_final *finals = telling->finals;
    char label[40];

    write_final_heading(telling);
    write_row(telling, "before", offsetof(struct effect_final, before), true);
    for (int star = 0; star < GAME_STARS; star++) {
        snprintf(label, sizeof label, "%s full", words_star(telling->replay->terms.board, star));
        write_row(telling, label, offsetof(struct effect_final, stars) + (size_t)star * sizeof(int),
                  false);
    }
    for (int cost = 1; cost <= BOARD_REWARDED_COSTS; cost++) {
        snprintf(label, sizeof label, "every %d covered", cost);
        write_row(telling, label,
                  offsetof(struct effect_final, costs) + (size_t)(cost - 1) * sizeof(int), false);
    }
    for (int seat = 0; seat < telling->replay->terms.player_count; seat++)
        finals[seat].corners = -finals[seat].corners;
    write_row(telling, "tiles on the corners", offsetof(struct effect_final, corners), false);
    write_row(telling, "final score", offsetof(struct effect_final, after), true);
}

static void write_end(struct telling *telling, const struct match *match)
{
    const struct wire_end *result = &telling->replay->result;

    write_outs(telling, (int64_t)match->decision_count);
    if (telling->scored)
        write_final(telling);
    else
        fputs("\nThe match ended early, without final scoring: fewer than two bots were left.\n",
              telling->text);
    fputc('\n', telling->text);
    for (int seat = 0; seat < result->player_count; seat++)
        plain_text_printf(telling->text, "rank %d  seat %d  %s: %d point%s, %s\n",
                          result->ranks[seat], seat, telling->names[seat], result->scores[seat],
                          plain_text_s(result->scores[seat]),
                          wire_reason_name(result->reasons[seat]));
}

static void tell_step(void *self, struct match *match, const struct replay_decision *decision)
{
    if (decision)
        write_decision(self, match, decision);
    else
        write_end(self, match);
}

static void print_forfeits(const struct replay *replay, const char *path)
{
    const struct rerun_command again = {
        .program = program_invocation_name, .replay = path, .bot = "BOT"};

    for (int seat = 0; seat < replay->terms.player_count; seat++)
        if (replay->forfeits[seat])
            forfeit_text_print(stdout, replay->forfeits[seat], seat, replay->bots[seat].name,
                               &again, NULL);
}

/*
 * Prints a description of the whole match in 80 columns, and its forfeits. If the replay breaks the
 * rules of the game, prints where.
 */
static int print_words(void)
{
    const struct replay *replay = request.replay;
    struct telling telling = {.replay = replay};
    char error[REPLAY_ERROR_BYTES], *text = NULL;
    size_t size;
    bool whole = true;
    int result = 0;

    telling.text = memory_stream(&text, &size);
    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        telling.names[seat] = words_seat(replay, seat);
        whole = whole && telling.names[seat];
    }
    if (whole) {
        plain_text_printf(telling.text, "match %s, %s board, %d players\n", replay->terms.id,
                          notation_boards[replay->terms.board], replay->terms.player_count);
        write_outs(&telling, -1);
        result = replay_verify(replay, tell_step, &telling, error);
    }
    memory_stream_end(telling.text);
    if (whole)
        plain_text_wrap(stdout, text, COLUMNS, HANGING);
    if (whole && result == 0)
        print_forfeits(replay, request.path);
    free(text);
    for (int seat = 0; seat < replay->terms.player_count; seat++)
        free(telling.names[seat]);
    return !whole       ? command_fail("%s: out of memory", request.path)
           : result < 0 ? command_fail("%s: %s", request.path, error)
                        : COMMAND_DONE;
}

/* ---- one decision ---- */

/* A look at one turn, while the match is played again. */
struct look {
    const struct replay *replay;
    size_t turn;
    FILE *text;
    char *names[GAME_PLAYERS_MAX];
    json_t *json;
};

static void write_legal(FILE *text, const struct game *game)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions);
    char notation[NOTATION_ACTION_BYTES];

    fprintf(text, "Legal actions: %zu, each with its index in the list that a bot gets.\n", count);
    for (size_t i = 0; i < count; i++) {
        fprintf(text, "%4zu  ", i);
        choices_write_action(text, game, actions[i]);
        notation_write_action(actions[i], notation);
        fprintf(text, " (%s)\n", notation);
    }
}

static void write_turn(const struct look *look, const struct match *match,
                       const struct replay_decision *decision)
{
    struct telling telling = {.replay = look->replay, .text = look->text};
    struct position position;
    struct effect effect;

    memcpy(telling.names, look->names, sizeof telling.names);
    game_view(&match->game, &position);
    plain_text_printf(look->text, "match %s, turn %zu: %s is to decide\n", look->replay->terms.id,
                      look->turn, look->names[position.player]);
    words_table(look->text, &position, look->names);
    words_boards(look->text, &position, look->names);
    write_legal(look->text, &match->game);
    fputs("In the match:\n", look->text);
    write_outs(&telling, (int64_t)look->turn);
    if (!decision || !effect_of(&match->game, decision->action, &effect))
        return;
    plain_text_printf(look->text, "      %s ", look->names[effect.seat]);
    words_effect(look->text, &effect);
    words_time(look->text, decision->by_arena, decision->us, replay_bank_us(match, decision));
    fputc('\n', look->text);
    write_note(look->text, decision->note, decision->note_bytes);
}

/* A replay_step_fn. */
static void look_at(void *self, struct match *match, const struct replay_decision *decision)
{
    struct look *look = self;

    if (match->decision_count != look->turn || game_turn(&match->game) == GAME_NOBODY)
        return;
    if (options_json)
        look->json = replay_json_turn(look->replay, decision, match);
    else
        write_turn(look, match, decision);
}

/* Prints the position in which a turn was decided, the legal actions, and the decision. */
static int print_turn(void)
{
    const struct replay *replay = request.replay;
    struct look look = {.replay = replay};
    char error[REPLAY_ERROR_BYTES], *text = NULL;
    size_t last = replay->decision_count, size;
    int64_t turn;
    bool whole = true;
    int result;

    if (replay_seat_asked(replay, last) == GAME_NOBODY && last > 0)
        last--;
    if (!options_number(request.at, 0, (int64_t)last, &turn) ||
        replay_seat_asked(replay, (size_t)turn) == GAME_NOBODY)
        return command_refuse("--at %s: is not a turn from 0 to %zu", request.at, last);
    look.turn = (size_t)turn;
    look.text = memory_stream(&text, &size);
    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        look.names[seat] = words_seat(replay, seat);
        whole = whole && look.names[seat];
    }
    result = whole ? replay_verify(replay, look_at, &look, error) : 0;
    memory_stream_end(look.text);
    if (result == 0 && options_json)
        command_print_json(json_incref(look.json));
    else if (result == 0)
        fwrite(text, 1, size, stdout);
    json_decref(look.json);
    free(text);
    for (int seat = 0; seat < replay->terms.player_count; seat++)
        free(look.names[seat]);
    return !whole       ? command_fail("%s: out of memory", request.path)
           : result < 0 ? command_fail("%s: %s", request.path, error)
                        : COMMAND_DONE;
}

/* ---- a bot makes a decision again ---- */

/* Copies what the bot writes to standard error to the arena's standard error (--no-limits). */
static void copy_errors(struct bot *bot, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t put = write(STDERR_FILENO, bytes, size);

        if (put <= 0)
            return;
        bytes += put;
        size -= (size_t)put;
    }
}

/*
 * Tells the user the bot's PID. If standard input is a terminal, waits until the user has attached
 * a debugger and presses Enter.
 */
static void wait_for_author(const struct rerun *rerun, const struct talk *talk)
{
    struct pollfd waits[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                             {.fd = stop_open(), .events = POLLIN}};
    char keys[256];
    ssize_t got;

    fprintf(stderr, "arena: the bot has PID %d; the request of --at comes next\n",
            (int)talk->bot.child.pid);
    if (isatty(STDIN_FILENO))
        fputs("arena: attach a debugger, then press Enter to send the request\n", stderr);
    while (isatty(STDIN_FILENO)) {
        if (poll(waits, 2, -1) < 0)
            continue;
        if (waits[1].revents)
            break; /* the event loop handles the stop request */
        got = read(STDIN_FILENO, keys, sizeof keys);
        if (got <= 0 || memchr(keys, '\n', (size_t)got))
            break;
    }
    if (waits[1].fd >= 0)
        close(waits[1].fd);
}

/* Returns the bot's recorded decision at the turn; NULL if a stand-in decided, or nobody. */
static const struct replay_decision *recorded_decision(const struct rerun *rerun)
{
    const struct replay_decision *decision;

    if (rerun->turn < 0 || rerun->turn >= (int64_t)rerun->replay->decision_count)
        return NULL;
    decision = &rerun->replay->decisions[rerun->turn];
    return decision->by_arena ? NULL : decision;
}

static bool is_same_bot(const struct rerun *rerun)
{
    return strcmp(rerun->source->sha256, rerun->replay->bots[rerun->seat].sha256) == 0;
}

/* How the request that a bot got now compares with the recorded one of a forfeit. */
enum sameness {
    SAME,
    SAME_BUT_ACTIONS, /* the `ready` of only one of the two bots asked for the legal actions */
    DIFFERENT,
};

static bool is_recorded(const uint8_t *bytes, size_t size, const struct forfeit *recorded)
{
    struct forfeit_whole whole;
    size_t kept_bytes;

    free(forfeit_keep(bytes, size, &kept_bytes, &whole));
    return whole.bytes == recorded->request_whole.bytes &&
           memcmp(whole.sha256, recorded->request_whole.sha256, sizeof whole.sha256) == 0;
}

static enum sameness compare_requests(const struct rerun *rerun, const struct forfeit *recorded)
{
    if (is_recorded(rerun->request, rerun->request_bytes, recorded))
        return SAME;
    return rerun->other_bytes > 0 && is_recorded(rerun->other, rerun->other_bytes, recorded)
               ? SAME_BUT_ACTIONS
               : DIFFERENT;
}

static void print_action(const char *what, const struct game *game, struct action action)
{
    char notation[NOTATION_ACTION_BYTES];
    struct effect effect;

    fputs(what, stdout);
    if (effect_of(game, action, &effect))
        words_effect(stdout, &effect);
    notation_write_action(action, notation);
    plain_text_printf(stdout, " (%s)", notation);
}

static void print_ms(const char *before, int64_t us)
{
    plain_text_printf(stdout, "%s%" PRId64 ".%" PRId64 " ms", before, us / 1000, us % 1000 / 100);
}

static void print_request(const struct rerun *rerun, const struct forfeit *recorded)
{
    static const char *const words[] = {
        [SAME] = ", the same as in the match",
        [SAME_BUT_ACTIONS] = (", the same as in the match but for the list of legal actions, which "
                              "only one of the two bots wants"),
        [DIFFERENT] = ", not the same as in the match",
    };

    if (rerun->request_bytes > 0)
        printf("  asked    %zu bytes%s\n", rerun->request_bytes,
               recorded ? words[compare_requests(rerun, recorded)] : "");
}

static void print_answer(const struct rerun *rerun)
{
    const struct replay_decision *recorded = recorded_decision(rerun);

    if (rerun->turn == FORFEIT_NOT_KNOWN)
        fputs("  answers  ready", stdout);
    else
        print_action("  answers  ", &rerun->game, rerun->action);
    print_ms(" after ", rerun->us);
    if (rerun->patience == 0)
        puts(", without limit");
    else {
        print_ms(" of ", rerun->limit_us);
        puts("");
    }
    write_note(stdout, rerun->note, rerun->note_bytes);
    if (recorded) {
        print_action("  record   ", &rerun->game, recorded->action);
        puts(action_compare(recorded->action, rerun->action) == 0 ? ", the same" : ", another");
        write_note(stdout, recorded->note, recorded->note_bytes);
    }
}

static void print_rerun_text(const struct rerun *rerun, const struct forfeit *recorded)
{
    const char *name = rerun->replay->bots[rerun->seat].name;

    char *plain = plain_text(name);

    plain_text_printf(stdout, "match %s, seat %d, %s, ", rerun->replay->terms.id, rerun->seat,
                      plain ? plain : "?");
    free(plain);
    if (rerun->turn == FORFEIT_NOT_KNOWN)
        puts("hello");
    else
        printf("turn %" PRId64 "\n", rerun->turn);
    if (!is_same_bot(rerun))
        puts("  note     this is not the package that played in the match: its SHA-256 differs");
    if (rerun_memory_bytes(rerun) < rerun->replay->memory_bytes)
        plain_text_printf(stdout,
                          "  note     the bot has %lld MiB of memory here, and had %lld MiB in the "
                          "match: use --memory %lld\n",
                          (long long)(rerun_memory_bytes(rerun) >> 20),
                          (long long)(rerun->replay->memory_bytes >> 20),
                          (long long)(rerun->replay->memory_bytes >> 20));
    if (rerun->answer_count > 0)
        printf("  before   %zu earlier requests; the bot answered %zu of them as in the match\n",
               rerun->answer_count, rerun->equal_count);
    print_request(rerun, recorded);
    if (rerun->outcome == RERUN_ANSWERED)
        print_answer(rerun);
    else
        forfeit_text_print(stdout, rerun->forfeit, rerun->seat, name, NULL, NULL);
    if (recorded)
        plain_text_printf(stdout, "  record   in the match the bot was out at this turn: %s: %s\n",
                          wire_reason_name(recorded->reason), recorded->words);
}

static void print_rerun_json(const struct rerun *rerun, const struct forfeit *recorded)
{
    const struct replay_decision *then = recorded_decision(rerun);
    bool asked = rerun->request_bytes > 0;
    bool answered = rerun->outcome == RERUN_ANSWERED;
    json_t *json = json_pack(
        "{s:s, s:o, s:i, s:b, s:{s:I, s:I}, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
        "match", rerun->replay->terms.id, "turn",
        rerun->turn == FORFEIT_NOT_KNOWN ? json_string("hello") : json_integer(rerun->turn), "seat",
        rerun->seat, "same_bot", is_same_bot(rerun), "before", "asked",
        (json_int_t)rerun->answer_count, "same", (json_int_t)rerun->equal_count, "request",
        asked ? json_hex(rerun->request, rerun->request_bytes) : json_null(), "same_request",
        asked && recorded ? json_boolean(compare_requests(rerun, recorded) == SAME) : json_null(),
        "same_but_actions",
        asked && recorded ? json_boolean(compare_requests(rerun, recorded) != DIFFERENT)
                          : json_null(),
        "limit_us", rerun->patience == 0 || !asked ? json_null() : json_integer(rerun->limit_us),
        "us", answered ? json_integer(rerun->us) : json_null(), "action",
        answered && rerun->turn >= 0 ? replay_json_action(rerun->action) : json_null(), "note",
        rerun->note_bytes ? json_text(rerun->note, rerun->note_bytes) : json_null(), "recorded",
        then ? replay_json_action(then->action) : json_null(), "forfeit",
        replay_json_forfeit(rerun->forfeit, NULL), "recorded_forfeit",
        replay_json_forfeit(recorded, NULL));

    command_print_json(json);
}

static int report_rerun(const struct rerun *rerun)
{
    const struct forfeit *recorded =
        rerun_recorded_forfeit(rerun->replay, rerun->seat, rerun->turn);

    if (rerun->outcome == RERUN_BROKEN && rerun->failure.error == EINTR)
        return command_fail("stopped before the bot answered");
    if (rerun->outcome == RERUN_BROKEN && rerun->failure.step)
        return command_fail("the bot could not be run: %s: %s", rerun->failure.step,
                            strerror(rerun->failure.error));
    if (rerun->outcome == RERUN_BROKEN)
        return command_fail("%s: %s", request.path,
                            *rerun->error ? rerun->error : strerror(ENOMEM));
    if (options_json)
        print_rerun_json(rerun, recorded);
    else
        print_rerun_text(rerun, recorded);
    if (recorded && rerun->request_bytes > 0 && compare_requests(rerun, recorded) == DIFFERENT)
        return command_fail("%s: the arena sent the bot other bytes than in the match",
                            request.path);
    return COMMAND_DONE;
}

/* Sets the turn and the seat that the user wants. source is the bot to be asked, or NULL. */
static int choose_seat(struct rerun *rerun, const struct source *source)
{
    int last = rerun->replay->terms.player_count - 1;
    char error[REPLAY_ERROR_BYTES];
    int64_t seat = -1;

    rerun->turn = FORFEIT_NOT_KNOWN;
    if (strcmp(request.at, "hello") != 0 &&
        !options_number(request.at, 0, GAME_DECISIONS_MAX, &rerun->turn))
        return command_refuse("--at %s: is neither the number of a turn nor hello", request.at);
    if (request.seat && !options_number(request.seat, 0, last, &seat))
        return command_refuse("--seat %s: out of range (0..%d)", request.seat, last);
    rerun->seat = rerun_seat(rerun->replay, rerun->turn, (int)seat, source, error);
    if (rerun->seat < 0)
        return command_refuse("--at %s: %s", request.at, error);
    return COMMAND_DONE;
}

static int ask_again(void)
{
    const struct play_options *play = &request.person.play;
    struct rerun rerun = {.replay = request.replay,
                          .clock = request.replay->terms.clock,
                          .patience = request.no_limits ? 0 : 1,
                          .memory_bytes_max = play->rules.memory_bytes,
                          .before_fn = request.no_limits ? wait_for_author : NULL,
                          .errors_fn = request.no_limits ? copy_errors : NULL};
    struct bot_room room = {.sandbox = NULL};
    struct source source = {0};
    int status = bot_room_open(&room, play)
                     ?: bot_argument_open(&source, request.bot, &room, 0, play)
                     ?: choose_seat(&rerun, &source);

    if (status == COMMAND_DONE) {
        rerun.source = &source;
        rerun_run(&rerun, room.sandbox);
        status = report_rerun(&rerun);
    }
    rerun_finish(&rerun);
    source_close(&source);
    bot_room_close(&room);
    return status;
}

/* ---- a recorded request, for a debugger ---- */

/*
 * The hello and the last request that the arena sends to the seat of `rerun` up to the rerun's
 * turn.
 */
struct packing {
    const struct rerun *rerun;
    uint8_t hello[WIRE_MESSAGE_BYTES_MAX], turn[WIRE_MESSAGE_BYTES_MAX];
    size_t hello_bytes, turn_bytes;
};

static void pack_request(void *self, struct match *match, const struct replay_decision *decision)
{
    struct packing *packing = self;
    int seat = packing->rerun->seat;
    int64_t turn = (int64_t)match->decision_count;

    if (!packing->rerun->replay->names_told)
        memset(match->terms.names, 0, sizeof match->terms.names);
    packing->hello_bytes = match_pack_hello(match, seat, packing->hello);
    match->seats[seat].actions = true;
    if (turn <= packing->rerun->turn &&
        (decision ? decision->seat == seat : turn == packing->rerun->turn))
        packing->turn_bytes = match_pack_request(match, seat, NULL, packing->turn);
}

/* Writes the hello and the request of the turn to standard output. */
static int write_request(void)
{
    struct rerun rerun = {.replay = request.replay};
    struct packing packing = {.rerun = &rerun};
    char error[REPLAY_ERROR_BYTES];
    int status = choose_seat(&rerun, NULL);

    if (status != COMMAND_DONE)
        return status;
    if (isatty(STDOUT_FILENO))
        return command_refuse("--request: writes bytes, not text: add > FILE");
    if (replay_verify(request.replay, pack_request, &packing, error) < 0)
        return command_fail("%s: %s", request.path, error);
    fwrite(packing.hello, 1, packing.hello_bytes, stdout);
    fwrite(packing.turn, 1, packing.turn_bytes, stdout);
    return COMMAND_DONE;
}

/* ---- the command ---- */

static int show(const uint8_t *bytes, size_t size)
{
    const struct replay *replay = request.replay;
    const char *path = request.path;
    char error[REPLAY_ERROR_BYTES];
    int result;

    if (request.takes_over)
        return play_run_replay(&request.person, replay, path, request.at, request.seat);
    if (request.requested)
        return write_request();
    if (request.bot)
        return ask_again();
    if (request.at)
        return print_turn();
    if (request.html)
        return game_output_page(replay, bytes, size, path, NULL, request.html);
    if (!options_json && !request.verify)
        return print_words();
    result = request.verify ? replay_verify(replay, NULL, NULL, error)
                            : replay_json_write(stdout, replay, request.legal, error);
    if (result < 0)
        return command_fail("%s: %s", path, error);
    if (request.verify)
        plain_text_printf(stdout, "%s: %zu decision%s, all legal\n", path, replay->decision_count,
                          plain_text_s((int64_t)replay->decision_count));
    return COMMAND_DONE;
}

static int open_and_show(void)
{
    char error[REPLAY_ERROR_BYTES];
    struct replay replay;
    uint8_t *bytes;
    size_t size;
    int status = game_output_read(request.path, &bytes, &size);

    if (status != COMMAND_DONE)
        return status;
    if (replay_unpack(&replay, bytes, size, error) < 0) {
        status = command_refuse("%s: %s", request.path, error);
    } else {
        request.replay = &replay;
        status = show(bytes, size);
        replay_finish(&replay);
    }
    free(bytes);
    return status;
}

static const struct option options[] = {
    {"html", "FILE",
     "write a page that shows the match: boards, table, each decision; the page needs no "
     "other file. - is standard output",
     .text = &request.html, .excludes = "json verify at"},
    {"json", NULL,
     "one JSON object per line: the match, each decision with the state before it, the result "
     "(docs/protocol.md)",
     .flag = &options_json},
    {"legal", NULL, "with --json: also print all legal actions at each decision",
     .flag = &request.legal, .needs = "json", .excludes = "at"},
    {"verify", NULL,
     "play the match again; exit status 1 at the first difference, 2 if the file is damaged",
     .flag = &request.verify, .excludes = "json at"},
    {.help = "one decision"},
    {"at", "TURN",
     "show the position of turn TURN, all legal actions, and what was decided. With --bot, let "
     "BOT decide again: send BOT the same bytes as in the match, from the hello on, and show "
     "the answer; --at hello stops at the hello",
     .text = &request.at},
    {"bot", "BOT", "a bot's folder, an executable, or a submitted bot: NAME or NAME@VERSION",
     .text = &request.bot, .needs = "at", .excludes = "play"},
    {"seat", "N",
     "with --at hello: the seat whose hello message BOT gets; needed if BOT played at several "
     "seats or at none",
     .text = &request.seat, .needs = "at"},
    {"no-limits", NULL, "for a debugger: set no clock, and show the bot's standard error",
     .flag = &request.no_limits, .needs = "bot"},
    {"request", NULL,
     "write the hello and the request of turn TURN to standard output, for a bot in a debugger",
     .flag = &request.requested, .needs = "at", .excludes = "bot play json"},
    PLAY_OPTION_MEMORY(&request.person.play),
    PLAY_OPTION_REQUIRE(&request.person.play),
    {.help = "playing on from there"},
    {"play", NULL,
     "play on from turn TURN yourself, in the seat that then decides or --seat N; the bots "
     "that you name take the other seats in order (default: steady)",
     .flag = &request.takes_over, .needs = "at", .excludes = "json"},
    PLAY_RUN_OPTIONS(&request.person, "play"),
    STORE_OPTIONS};

static int run(int argc, char **argv)
{
    if (argc > 1 && !request.takes_over)
        return command_refuse("replay: name one game, not %d: see `arena replay --help`", argc);
    if (request.at && !request.bot && !request.takes_over && !request.requested) {
        if (strcmp(request.at, "hello") == 0)
            return command_refuse("--at hello: needs --bot BOT, the bot to be asked, or --request");
        if (request.seat)
            return command_refuse("--seat: needs --bot, --request or --play");
    }
    request.path = argv[0];
    request.person.paths = argv + 1;
    request.person.bot_count = argc - 1;
    return open_and_show();
}

const struct command_line command_replay = {
    .name = "replay",
    .usage = "GAME [--html FILE | --json [--legal] | --verify]\n"
             "GAME --at TURN [--json]\n"
             "GAME --at TURN --bot BOT [--seat N] [--no-limits] [--json]\n"
             "GAME --at TURN --request [--seat N] > FILE\n"
             "GAME --at TURN --play [--seat N] [BOT ...]",
    .about = "Shows a match in words: rounds, each decision, the final scoring. GAME is a file "
             "that `arena match --replays DIR` wrote, or the id of a season's game, as `arena "
             "games` lists it.",
    .options = options,
    .least = 1,
    .most = GAME_PLAYERS_MAX,
    .arguments = "name one game",
    .run_fn = run};
