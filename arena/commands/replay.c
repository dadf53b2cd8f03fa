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
#include "arena/commands/commands.h"
#include "arena/commands/game_output.h"
#include "arena/commands/play.h"
#include "arena/commands/replay_screen.h"
#include "arena/commands/store_option.h"
#include "arena/play/foreground.h"
#include "arena/replay/effect.h"
#include "arena/replay/file.h"
#include "arena/replay/forfeit_text.h"
#include "arena/replay/json.h"
#include "arena/replay/plain_text.h"
#include "arena/replay/words.h"
#include "arena/store/games.h"
#include "arena/trial/rerun.h"
#include "engine/notation.h"

/* Which parts of a replay the command shows, and in which form. */
struct show {
    const char *path; /* path of the replay */
    const struct replay *replay;
    bool json;
    bool legal;
};

/* The request of the user. */
struct request {
    struct show show;
    bool verify, watch;
    const char *html; /* file for the page; NULL: no page */
    const char *at;   /* turn to be decided again, or "hello"; NULL: none */
    const char *seat;
    const char *bot;
    bool no_limits;
    bool requested; /* write the recorded request to standard output */
    bool takes_over;
    struct play_run person; /* for --play: how bots are run */
};

static void print_json_step(void *self, struct match *match, const struct replay_decision *decision)
{
    const struct show *show = self;
    json_t *line =
        decision ? replay_json_decision(decision, match) : replay_json_end(show->replay, match);

    /* A match that ended early shows what the last bot that went out could have played. */
    if (show->legal && !game_is_over(&match->game))
        json_object_set_new(line, "legal", replay_json_legal(&match->game));
    command_print_json(line);
}

static int show_json(const struct show *show)
{
    char error[REPLAY_ERROR_BYTES];

    command_print_json(replay_json_header(show->replay));
    if (replay_verify(show->replay, print_json_step, (void *)show, error) < 0)
        return command_fail("%s: %s", show->path, error);
    return COMMAND_DONE;
}

static int verify(const struct replay *replay, const char *path)
{
    char error[REPLAY_ERROR_BYTES];

    if (replay_verify(replay, NULL, NULL, error) < 0)
        return command_fail("%s: %s", path, error);
    plain_text_printf(stdout, "%s: %zu decisions, all legal\n", path, replay->decision_count);
    return COMMAND_DONE;
}

/* ---- in words ---- */

enum {
    COLUMNS = 80,
    HANGING = 8,     /* indentation of a decision's lines after the first */
    LABEL = 24,      /* width of a label in the final scoring, in columns */
    SEAT_COLUMN = 13 /* width of a seat's column in the final scoring, with the space before it */
};

/* The state of a description while it is printed. */
struct telling {
    const struct replay *replay;
    const char *path;
    char *names[GAME_PLAYERS_MAX];
    int round; /* last round whose heading was printed; 0: none */
    bool scored;
    struct effect_final finals[GAME_PLAYERS_MAX]; /* final scores by seat; valid if `scored` */
};

/* ---- lines of 80 columns ---- */

/* A line that is being written; NULL if memory ran out: the line is then left out. */
struct line {
    char *text;
    size_t size;
    FILE *stream;
};

static bool line_begin(struct line *line)
{
    *line = (struct line){0};
    line->stream = open_memstream(&line->text, &line->size);
    return line->stream != NULL;
}

static void line_print(struct line *line, size_t indent)
{
    if (fclose(line->stream) == 0)
        plain_text_wrap(stdout, line->text, COLUMNS, indent);
    free(line->text);
}

/* ---- the decisions ---- */

static void print_tiles(const char *label, const uint8_t tiles[static GAME_COLORS], int wild)
{
    struct line line;

    if (!line_begin(&line))
        return;
    plain_text_printf(line.stream, "  %-9s  ", label);
    words_tiles(line.stream, tiles, -1, wild);
    line_print(&line, HANGING + 5);
}

static void print_scores(const struct telling *telling, const struct position *state, int round)
{
    struct line line;

    if (!line_begin(&line))
        return;
    plain_text_printf(line.stream, "\nAfter round %d: ", round);
    for (int seat = 0; seat < state->player_count; seat++)
        plain_text_printf(line.stream, "%s%s %d", seat ? ", " : "", telling->names[seat],
                          state->seats[seat].score);
    line_print(&line, 2);
}

static void print_round(struct telling *telling, const struct match *match)
{
    struct position state;
    struct line line;

    game_view(&match->game, &state);
    if (state.round == telling->round)
        return;
    if (telling->round > 0)
        print_scores(telling, &state, telling->round);
    telling->round = state.round;
    if (line_begin(&line)) {
        plain_text_printf(line.stream, "\nRound %d, wild %s. %s starts.", state.round,
                          notation_color_names[state.wild], telling->names[state.start]);
        line_print(&line, 2);
    }
    for (int display = 0; display < 2 * state.player_count + 1; display++) {
        char label[24];

        snprintf(label, sizeof label, "display %d", display);
        print_tiles(label, state.displays[display], state.wild);
    }
    print_tiles("supply", state.supply, state.wild);
    putchar('\n');
}

static void print_outs(const struct telling *telling, int64_t turn)
{
    for (int seat = 0; seat < telling->replay->terms.player_count; seat++) {
        struct line line;

        if (telling->replay->out_turns[seat] != turn || !line_begin(&line))
            continue;
        plain_text_printf(line.stream, "      %s ", telling->names[seat]);
        words_out(line.stream, telling->replay, seat);
        line_print(&line, HANGING);
    }
}

/* Prints the whole note of a bot on its decision. */
static void print_note(const char *note, size_t note_bytes)
{
    struct line line;

    if (note_bytes == 0 || !line_begin(&line))
        return;
    plain_text_printf(line.stream, "        # ");
    plain_text_print(line.stream, note, note_bytes, WIRE_NOTE_BYTES_MAX);
    line_print(&line, HANGING + 2);
}

static void print_decision(struct telling *telling, const struct match *match,
                           const struct replay_decision *decision)
{
    struct effect effect;
    struct line line;

    print_round(telling, match);
    print_outs(telling, (int64_t)match->decision_count);
    if (!effect_of(&match->game, decision->action, &effect) || !line_begin(&line))
        return; /* the caller applies the action next, and reports the broken rule */
    plain_text_printf(line.stream, "%4zu  round %d, %s: ", match->decision_count, effect.round,
                      telling->names[effect.seat]);
    words_effect(line.stream, &effect);
    words_time(line.stream, decision->by_arena, decision->us, replay_bank_us(match, decision));
    line_print(&line, HANGING);
    print_note(decision->note, decision->note_bytes);
    telling->scored = effect_final(&match->game, decision->action, telling->finals);
}

/* ---- the end ---- */

/*
 * Prints one row of the final scoring: of each seat, the number at `offset` in struct effect_final.
 */
static void print_row(const struct telling *telling, const char *label, size_t offset, bool always)
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
    plain_text_printf(stdout, "  %-*s", LABEL - 2, label);
    for (int seat = 0; seat < seats; seat++)
        printf("%*d", SEAT_COLUMN, numbers[seat]);
    putchar('\n');
}

/* Prints the names, cut to the width of a column. The seat numbers below tell equal names apart. */
static void print_final_heading(const struct telling *telling)
{
    int seats = telling->replay->terms.player_count;

    plain_text_printf(stdout, "\n%-*s", LABEL, "Final scoring");
    for (int seat = 0; seat < seats; seat++) {
        const char *name = telling->replay->bots[seat].name;
        size_t bytes = 0;

        while (name[bytes] && plain_text_columns(name, bytes + 1) < SEAT_COLUMN)
            bytes++;
        plain_text_printf(stdout, "%*.*s", SEAT_COLUMN, (int)bytes, name);
    }
    plain_text_printf(stdout, "\n%-*s", LABEL, "  seat");
    for (int seat = 0; seat < seats; seat++)
        printf("%*d", SEAT_COLUMN, seat);
    putchar('\n');
}

static void print_final(struct telling *telling)
{
    struct effect_final *finals = telling->finals;
    char label[40];

    print_final_heading(telling);
    print_row(telling, "before", offsetof(struct effect_final, before), true);
    for (int star = 0; star < GAME_STARS; star++) {
        snprintf(label, sizeof label, "%s full", words_star(telling->replay->terms.board, star));
        print_row(telling, label, offsetof(struct effect_final, stars) + (size_t)star * sizeof(int),
                  false);
    }
    for (int cost = 1; cost <= BOARD_REWARDED_COSTS; cost++) {
        snprintf(label, sizeof label, "every %d covered", cost);
        print_row(telling, label,
                  offsetof(struct effect_final, costs) + (size_t)(cost - 1) * sizeof(int), false);
    }
    for (int seat = 0; seat < telling->replay->terms.player_count; seat++)
        finals[seat].corners = -finals[seat].corners;
    print_row(telling, "tiles on the corners", offsetof(struct effect_final, corners), false);
    print_row(telling, "final score", offsetof(struct effect_final, after), true);
}

static void print_forfeit(const struct telling *telling, int seat)
{
    const struct forfeit *forfeit = telling->replay->forfeits[seat];
    struct rerun_command command = {.program = program_invocation_name,
                                    .replay = telling->path,
                                    .turn = forfeit->turn,
                                    .seat = seat,
                                    .bot = "BOT"};
    char *text = rerun_command_text(&command);

    forfeit_text_print(stdout, forfeit, seat, telling->replay->bots[seat].name, text);
    free(text);
}

static void print_end(struct telling *telling, const struct match *match)
{
    const struct replay *replay = telling->replay;

    print_outs(telling, (int64_t)match->decision_count);
    if (telling->scored)
        print_final(telling);
    else
        puts("\nThe match ended early, without final scoring: fewer than two bots were left.");
    putchar('\n');
    for (int seat = 0; seat < replay->result.player_count; seat++) {
        struct line line;

        if (!line_begin(&line))
            continue;
        plain_text_printf(line.stream, "rank %d  seat %d  %s: %d point%s, %s",
                          replay->result.ranks[seat], seat, telling->names[seat],
                          replay->result.scores[seat], replay->result.scores[seat] == 1 ? "" : "s",
                          wire_reason_name(replay->result.reasons[seat]));
        line_print(&line, HANGING);
    }
    for (int seat = 0; seat < replay->result.player_count; seat++)
        if (replay->forfeits[seat])
            print_forfeit(telling, seat);
}

static void tell_step(void *self, struct match *match, const struct replay_decision *decision)
{
    struct telling *telling = self;

    if (decision)
        print_decision(telling, match, decision);
    else
        print_end(telling, match);
}

static void print_match(const struct replay *replay)
{
    struct line line;

    if (!line_begin(&line))
        return;
    fputs("match ", line.stream);
    plain_text_print(line.stream, replay->terms.id, strlen(replay->terms.id), WIRE_MATCH_BYTES_MAX);
    plain_text_printf(line.stream, ", %s board, %d players", notation_boards[replay->terms.board],
                      replay->terms.player_count);
    line_print(&line, 2);
}

/*
 * Prints a description of the whole match in 80 columns. path is the name of the replay, for the
 * commands that repeat a forfeit. If the replay breaks the rules of the game, prints where.
 */
static int replay_text_print(const struct replay *replay, const char *path)
{
    struct telling telling = {.replay = replay, .path = path};
    char error[REPLAY_ERROR_BYTES];
    int status = COMMAND_DONE;
    bool whole = true;

    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        telling.names[seat] = words_seat(replay, seat);
        whole = whole && telling.names[seat];
    }
    if (!whole) {
        status = command_fail("%s: out of memory", path);
    } else {
        print_match(replay);
        print_outs(&telling, -1);
        if (replay_verify(replay, tell_step, &telling, error) < 0)
            status = command_fail("%s: %s", path, error);
    }
    for (int seat = 0; seat < replay->terms.player_count; seat++)
        free(telling.names[seat]);
    return status;
}

/* ---- a bot makes a decision again ---- */

/* With --no-limits: copies the bot's standard error to that of the arena as it arrives. */
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

/* Returns true if the request that the bot got now equals the request of the recorded forfeit. */
static bool is_same_request(const struct rerun *rerun, const struct forfeit *recorded)
{
    struct forfeit_whole whole;
    size_t kept_bytes;

    free(forfeit_keep(rerun->request, rerun->request_bytes, &kept_bytes, &whole));
    return whole.bytes == recorded->request_whole.bytes &&
           memcmp(whole.sha256, recorded->request_whole.sha256, sizeof whole.sha256) == 0;
}

/* Prints an action in words, then in notation. */
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
    if (rerun->request_bytes == 0)
        return;
    printf("  asked    %zu bytes", rerun->request_bytes);
    if (!recorded)
        puts("");
    else if (is_same_request(rerun, recorded))
        puts(", the same as in the match");
    else
        puts(", not the same as in the match");
}

static void print_answer(const struct rerun *rerun)
{
    const struct replay_decision *recorded = recorded_decision(rerun);

    if (rerun->turn == FORFEIT_NOT_KNOWN)
        fputs("  answers  ready", stdout);
    else
        print_action("  answers  ", &rerun->game, rerun->action);
    print_ms(" after ", rerun->us);
    if (rerun->no_limits)
        puts(", without limit");
    else {
        print_ms(" of ", rerun->limit_us);
        puts("");
    }
    print_note(rerun->note, rerun->note_bytes);
    if (recorded) {
        print_action("  record   ", &rerun->game, recorded->action);
        puts(action_compare(recorded->action, rerun->action) == 0 ? ", the same" : ", another");
        print_note(recorded->note, recorded->note_bytes);
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
        printf("  before   the arena asked %zu times; %zu answers were as in the match\n",
               rerun->answer_count, rerun->equal_count);
    print_request(rerun, recorded);
    if (rerun->outcome == RERUN_ANSWERED)
        print_answer(rerun);
    else
        forfeit_text_print(stdout, rerun->forfeit, rerun->seat, name, NULL);
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
        "{s:s, s:o, s:i, s:b, s:{s:I, s:I}, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "match",
        rerun->replay->terms.id, "turn",
        rerun->turn == FORFEIT_NOT_KNOWN ? json_string("hello") : json_integer(rerun->turn), "seat",
        rerun->seat, "same_bot", is_same_bot(rerun), "before", "asked",
        (json_int_t)rerun->answer_count, "same", (json_int_t)rerun->equal_count, "request",
        asked ? replay_json_hex(rerun->request, rerun->request_bytes) : json_null(), "same_request",
        asked && recorded ? json_boolean(is_same_request(rerun, recorded)) : json_null(),
        "limit_us", rerun->no_limits || !asked ? json_null() : json_integer(rerun->limit_us), "us",
        answered ? json_integer(rerun->us) : json_null(), "action",
        answered && rerun->turn >= 0 ? replay_json_action(rerun->action) : json_null(), "note",
        rerun->note_bytes ? replay_json_text(rerun->note, rerun->note_bytes) : json_null(),
        "recorded", then ? replay_json_action(then->action) : json_null(), "forfeit",
        replay_json_forfeit(rerun->forfeit, NULL), "recorded_forfeit",
        replay_json_forfeit(recorded, NULL));

    command_print_json(json);
}

static int report_rerun(const struct rerun *rerun, const struct request *wanted, const char *path)
{
    const struct forfeit *recorded =
        rerun_recorded_forfeit(rerun->replay, rerun->seat, rerun->turn);

    if (rerun->outcome == RERUN_BROKEN && rerun->failure.error == EINTR)
        return command_fail("stopped before the bot answered");
    if (rerun->outcome == RERUN_BROKEN && rerun->failure.step)
        return command_fail("the bot could not be run: %s: %s", rerun->failure.step,
                            strerror(rerun->failure.error));
    if (rerun->outcome == RERUN_BROKEN)
        return command_fail("%s: %s", path, *rerun->error ? rerun->error : strerror(ENOMEM));
    if (wanted->show.json)
        print_rerun_json(rerun, recorded);
    else
        print_rerun_text(rerun, recorded);
    if (recorded && rerun->request_bytes > 0 && !is_same_request(rerun, recorded))
        return command_fail("%s: the arena sent the bot other bytes than in the match", path);
    return COMMAND_DONE;
}

/* Sets the turn and the seat that the user wants. source is the bot to be asked, or NULL. */
static int choose_seat(struct rerun *rerun, const struct request *wanted,
                       const struct source *source)
{
    int last = rerun->replay->terms.player_count - 1;
    char error[REPLAY_ERROR_BYTES];
    int64_t seat = -1;

    rerun->turn = FORFEIT_NOT_KNOWN;
    if (strcmp(wanted->at, "hello") != 0 &&
        !options_number(wanted->at, 0, GAME_DECISIONS_MAX, &rerun->turn))
        return command_refuse("--at %s: is neither the number of a turn nor hello", wanted->at);
    if (wanted->seat && !options_number(wanted->seat, 0, last, &seat))
        return command_refuse("--seat %s: out of range (0..%d)", wanted->seat, last);
    rerun->seat = rerun_seat(rerun->replay, rerun->turn, (int)seat, source, error);
    if (rerun->seat < 0)
        return command_refuse("--at %s: %s", wanted->at, error);
    return COMMAND_DONE;
}

static int open_and_run(struct rerun *rerun, const struct request *wanted, const char *path)
{
    const struct play_options *play = &wanted->person.play;
    struct bot_room room = {.sandbox = NULL};
    struct source source = {0};
    int status = bot_room_open(&room, play);

    if (status == COMMAND_DONE)
        status = bot_argument_open(&source, wanted->bot, &room, 0, play);
    if (status == COMMAND_DONE)
        status = choose_seat(rerun, wanted, &source);
    if (status == COMMAND_DONE) {
        rerun->source = &source;
        rerun_run(rerun, room.sandbox);
        status = report_rerun(rerun, wanted, path);
    }
    rerun_finish(rerun);
    source_close(&source);
    bot_room_close(&room);
    return status;
}

static int ask_again(const struct request *wanted, const struct replay *replay, const char *path)
{
    struct rerun rerun = {.replay = replay,
                          .no_limits = wanted->no_limits,
                          .memory_bytes_max = wanted->person.play.rules.memory_bytes};

    if (wanted->no_limits) {
        rerun.before_fn = wait_for_author;
        rerun.errors_fn = copy_errors;
    }
    return open_and_run(&rerun, wanted, path);
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
static int write_request(const struct request *wanted, const struct replay *replay,
                         const char *path)
{
    struct rerun rerun = {.replay = replay};
    struct packing packing = {.rerun = &rerun};
    char error[REPLAY_ERROR_BYTES];
    int status = choose_seat(&rerun, wanted, NULL);

    if (status != COMMAND_DONE)
        return status;
    if (isatty(STDOUT_FILENO))
        return command_refuse("--request: writes bytes, not text: add > FILE");
    if (replay_verify(replay, pack_request, &packing, error) < 0)
        return command_fail("%s: %s", path, error);
    fwrite(packing.hello, 1, packing.hello_bytes, stdout);
    fwrite(packing.turn, 1, packing.turn_bytes, stdout);
    return COMMAND_DONE;
}

/* ---- the command ---- */

static int show(struct request *request, const struct replay *replay, const uint8_t *bytes,
                size_t size)
{
    const char *path = request->show.path;

    request->show.replay = replay;
    if (request->takes_over)
        return play_run_replay(&request->person, replay, path, request->at, request->seat);
    if (request->requested)
        return write_request(request, replay, path);
    if (request->at)
        return ask_again(request, replay, path);
    if (request->verify)
        return verify(replay, path);
    if (request->watch)
        return replay_watch_run(replay, path);
    if (request->html)
        return game_output_page(replay, bytes, size, path, NULL, request->html);
    if (request->show.json)
        return show_json(&request->show);
    return replay_text_print(replay, path);
}

static int open_and_show(struct request *request)
{
    const char *path = request->show.path;
    char error[REPLAY_ERROR_BYTES];
    struct replay replay;
    uint8_t *bytes;
    size_t size;
    int status = game_output_read(path, &bytes, &size);

    if (status != COMMAND_DONE)
        return status;
    if (replay_unpack(&replay, bytes, size, error) < 0) {
        status = command_refuse("%s: %s", path, error);
    } else {
        status = show(request, &replay, bytes, size);
        replay_finish(&replay);
    }
    free(bytes);
    return status;
}

int command_replay(int argc, char **argv)
{
    struct request request = {.person = {.play = play_options_default}};
    const struct option options[] = {
        {"watch", NULL,
         "draw the match in the terminal, where keys step through it; the variable NO_COLOR turns "
         "colors off",
         .flag = &request.watch, .excludes = "html json verify at"},
        {"html", "FILE",
         "write a page that shows the match: boards, table, each decision; it needs no other "
         "file. - is standard output",
         .text = &request.html, .excludes = "json verify at"},
        {"json", NULL,
         "one JSON object per line: the match, each decision with the state before it, the result "
         "(docs/protocol.md)",
         .flag = &request.show.json},
        {"legal", NULL, "with --json: all legal actions of each decision too",
         .flag = &request.show.legal, .needs = "json", .excludes = "at"},
        {"verify", NULL, "play the match again; exit status 1 at the first difference",
         .flag = &request.verify, .excludes = "json at"},
        {.help = "a decision again"},
        {"at", "TURN",
         "let a bot make the decision of that turn again: send it the same bytes as in the match, "
         "from the hello on, and show its answer; --at hello stops at the hello",
         .text = &request.at},
        {"bot", "BOT", "a bot's folder, an executable, or a submitted bot: NAME or NAME@VERSION",
         .text = &request.bot, .needs = "at", .excludes = "play"},
        {"seat", "N",
         "with --at hello: the seat whose hello message BOT gets; needed if BOT played at several "
         "seats or at none",
         .text = &request.seat, .needs = "at"},
        {"no-limits", NULL, "for a debugger: set no clock, and show the bot's standard error",
         .flag = &request.no_limits, .needs = "at", .excludes = "play"},
        {"request", NULL,
         "write the hello and the request of that turn to standard output, for a bot in a debugger",
         .flag = &request.requested, .needs = "at", .excludes = "bot play json"},
        PLAY_OPTION_MEMORY(&request.person.play),
        PLAY_OPTION_REQUIRE(&request.person.play),
        {.help = "playing on from there"},
        {"play", NULL,
         "play on from that turn yourself, in the seat that decides there or --seat N; the bots "
         "that you name take the other seats in order (default: steady)",
         .flag = &request.takes_over, .needs = "at", .excludes = "json"},
        PLAY_RUN_OPTIONS(&request.person, "play"),
        STORE_OPTIONS};
    const struct command_line line = {
        .name = "replay",
        .usage = "GAME [--watch | --html FILE | --json [--legal] | --verify]\n"
                 "GAME --at TURN --bot BOT [--seat N] [--no-limits] [--json]\n"
                 "GAME --at TURN --request [--seat N] > FILE\n"
                 "GAME --at TURN --play [--seat N] [BOT ...]",
        .about = "Shows a match in words: rounds, each decision, the final scoring. GAME is a file "
                 "that `arena match --replays DIR` wrote, or the id of a season's game, as `arena "
                 "games` lists it.",
        .options = options,
        .least = 1,
        .most = GAME_PLAYERS_MAX,
        .arguments = "name one game"};
    int status;

    if (!options_read(&line, &argc, argv, &status))
        return status;
    if (argc > 1 && !request.takes_over)
        return command_refuse("replay: name one game, not %d: see `arena replay --help`", argc);
    if (request.at && !request.bot && !request.takes_over && !request.requested)
        return command_refuse("--at %s: needs --bot BOT, the bot to be asked, --request or --play",
                              request.at);
    request.show.path = argv[0];
    request.person.paths = argv + 1;
    request.person.bot_count = argc - 1;
    return open_and_show(&request);
}
