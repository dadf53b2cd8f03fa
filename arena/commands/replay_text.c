/*
 * Describes a match for people: the tiles dealt in each round, each decision, and the final
 * scoring.
 */
#include "arena/commands/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/commands.h"
#include "arena/replay/effect.h"
#include "arena/replay/forfeit_text.h"
#include "arena/replay/plain_text.h"
#include "arena/replay/words.h"
#include "engine/notation.h"

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

/* Returns the width of a text in columns, counting one per character. */
static size_t count_columns(const char *text, size_t size)
{
    size_t columns = 0;

    for (size_t i = 0; i < size; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

/* Returns how many bytes the first `columns` characters of a text have. */
static size_t bytes_of_columns(const char *text, size_t columns)
{
    size_t bytes = 0;

    while (text[bytes] && columns-- > 0)
        do
            bytes++;
        while (((unsigned char)text[bytes] & 0xc0) == 0x80);
    return bytes;
}

static void print_spaces(size_t count)
{
    while (count-- > 0)
        putchar(' ');
}

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
static void print_note(const struct replay_decision *decision)
{
    struct line line;

    if (!decision->note || decision->note_bytes == 0 || !line_begin(&line))
        return;
    plain_text_printf(line.stream, "        # ");
    plain_text_print(line.stream, decision->note, decision->note_bytes, WIRE_NOTE_BYTES_MAX);
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
    if (decision->by_arena)
        fputs(" (stand-in)", line.stream);
    line_print(&line, HANGING);
    print_note(decision);
    if (effect.game_ended) {
        effect_final(&match->game, decision->action, telling->finals);
        telling->scored = true;
    }
}

/* ---- the end ---- */

/*
 * Prints one row of the final scoring. `first` points to the row's number in finals[0]; the numbers
 * of the other seats are at the same place in the other elements.
 */
static void print_row(const struct telling *telling, const char *label, const int *first,
                      bool always)
{
    int seats = telling->replay->terms.player_count;
    bool any = always;
    const size_t stride = sizeof *telling->finals / sizeof(int);

    for (int seat = 0; seat < seats; seat++)
        any = any || first[(size_t)seat * stride] != 0;
    if (!any)
        return;
    plain_text_printf(stdout, "  %-*s", LABEL - 2, label);
    for (int seat = 0; seat < seats; seat++)
        printf("%*d", SEAT_COLUMN, first[(size_t)seat * stride]);
    putchar('\n');
}

/* Prints the names, cut to the width of a column. The seat numbers below tell equal names apart. */
static void print_final_heading(const struct telling *telling)
{
    int seats = telling->replay->terms.player_count;

    plain_text_printf(stdout, "\n%-*s", LABEL, "Final scoring");
    for (int seat = 0; seat < seats; seat++) {
        char *name = plain_text(telling->replay->bots[seat].name);
        size_t bytes = name ? bytes_of_columns(name, SEAT_COLUMN - 1) : 0;

        print_spaces(SEAT_COLUMN - (name ? count_columns(name, bytes) : 0));
        fwrite(name ? name : "", 1, bytes, stdout);
        free(name);
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
    print_row(telling, "before", &finals->before, true);
    for (int star = 0; star < GAME_STARS; star++) {
        snprintf(label, sizeof label, "%s full", words_star(telling->replay->terms.board, star));
        print_row(telling, label, &finals->stars[star], false);
    }
    for (int cost = 1; cost <= BOARD_REWARDED_COSTS; cost++) {
        snprintf(label, sizeof label, "every %d covered", cost);
        print_row(telling, label, &finals->costs[cost - 1], false);
    }
    for (int seat = 0; seat < telling->replay->terms.player_count; seat++)
        finals[seat].corners = -finals[seat].corners;
    print_row(telling, "tiles on the corners", &finals->corners, false);
    print_row(telling, "final score", &finals->after, true);
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

int replay_text_print(const struct replay *replay, const char *path)
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
