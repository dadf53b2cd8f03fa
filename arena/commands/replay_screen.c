#include "arena/commands/replay_screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/play/alarm.h"
#include "arena/replay/effect.h"
#include "arena/replay/plain_text.h"
#include "arena/replay/words.h"
#include "engine/board.h"
#include "engine/notation.h"

enum {
    /*
     * one less than 80, because a terminal may erase the letter in the last column when it clears
     * the rest of the row
     */
    COLUMNS = 79,
    SAID_ROWS = 3, /* rows for the description of the decision */
    /* Time for which a decision is shown, at speed 1, while the replay runs by itself. */
    STEP_MS = 1000,
    SPEED_MAX = 16,
};

/* The tiles' colors among the 256 colors of a terminal, close to the colors on the pages. */
static const int paints[GAME_COLORS] = {175, 36, 178, 227, 25, 166};

static void end_row(FILE *stream)
{
    fputs("\033[K\n", stream);
}

static void paint(FILE *stream, const struct screen *screen, int color)
{
    int ink = color == COLOR_BLUE
                  ? 97
                  : 30; /* white letters on the dark color, black letters on the others */

    if (screen->colors)
        fprintf(stream, "\033[%d;48;5;%dm", ink, paints[color]);
}

static void style(FILE *stream, const struct screen *screen, const char *codes)
{
    if (screen->colors)
        plain_text_printf(stream, "\033[%sm", codes);
}

/*
 * Draws a tile in two columns. A wild tile gets a capital letter if it lies on the table (`loose`).
 */
static void put_tile(FILE *stream, const struct screen *screen, int color, bool loose)
{
    int letter = notation_colors[color];

    if (loose && color == screen->position->wild)
        letter += 'A' - 'a';
    paint(stream, screen, color);
    fputc(letter, stream);
    style(stream, screen, "0");
    fputc(' ', stream);
}

/* Draws tiles. Returns the number of columns used. */
static int put_tiles(FILE *stream, const struct screen *screen,
                     const uint8_t tiles[static GAME_COLORS])
{
    int columns = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        for (int i = 0; i < tiles[color]; i++, columns += 2)
            put_tile(stream, screen, color, true);
    return columns;
}

static void put_spaces(FILE *stream, int count)
{
    plain_text_printf(stream, "%*s", count > 0 ? count : 0, "");
}

static void draw_head(FILE *stream, const struct screen *screen)
{
    const struct position *position = screen->position;
    char text[64];

    if (position->phase == PHASE_OVER)
        snprintf(text, sizeof text, "Match over");
    else
        snprintf(text, sizeof text, "Round %d of %d, %s is wild ", position->round, GAME_ROUNDS,
                 notation_color_names[position->wild]);
    style(stream, screen, "1");
    fputs(text, stream);
    style(stream, screen, "0");
    if (position->phase != PHASE_OVER)
        put_tile(stream, screen, position->wild, true);
    /* keeps the last column empty, because clearing the rest of the row would erase it */
    put_spaces(stream, COLUMNS - 1 - (int)strlen(text) - (position->phase != PHASE_OVER ? 2 : 0) -
                           (int)strlen(screen->state));
    fputs(screen->state, stream);
    end_row(stream);
}

static void draw_table(FILE *stream, const struct screen *screen)
{
    const struct position *position = screen->position;
    int displays = 2 * position->player_count + 1;
    int bag = 0, tower = 0;

    for (int display = 0; display < displays; display++) {
        int columns;

        if (display == 6) /* the displays of three or four players need a second row */
            end_row(stream);
        fprintf(stream, "%d: ", display);
        columns = put_tiles(stream, screen, position->displays[display]);
        put_spaces(stream, 10 - columns);
    }
    end_row(stream);
    if (displays <= 6)
        end_row(stream);
    fputs("center  ", stream);
    if (position->token == GAME_NOBODY && position->phase == PHASE_DRAFT)
        fputs("token ", stream);
    put_tiles(stream, screen, position->center);
    end_row(stream);
    for (int color = 0; color < GAME_COLORS; color++) {
        bag += position->bag[color];
        tower += position->tower[color];
    }
    fputs("supply  ", stream);
    put_spaces(stream, 2 * GAME_SUPPLY_TILES - put_tiles(stream, screen, position->supply));
    fprintf(stream, "  bag %d, tower %d", bag, tower);
    end_row(stream);
    end_row(stream);
}

static void draw_finals(FILE *stream, const struct screen *screen)
{
    int unused_rows = GAME_PLAYERS_MAX - screen->position->player_count;

    plain_text_printf(stream, "%-36s%8s%8s%8s%9s%8s", "Final scoring", "before", "stars", "costs",
                      "corners", "final");
    end_row(stream);
    for (int seat = 0; seat < screen->position->player_count; seat++) {
        const struct effect_final *final = &screen->finals[seat];
        int stars = 0, costs = 0;

        for (int star = 0; star < GAME_STARS; star++)
            stars += final->stars[star];
        for (int cost = 0; cost < BOARD_REWARDED_COSTS; cost++)
            costs += final->costs[cost];
        plain_text_printf(stream, "%-36.36s%8d%8d%8d%9d%8d", screen->names[seat], final->before,
                          stars, costs, -final->corners, final->after);
        end_row(stream);
    }
    while (unused_rows-- > 0)
        end_row(stream);
}

/* Draws one star of a player's board as one row of text. Returns the number of columns used. */
static int put_star(FILE *stream, const struct screen *screen, int seat, int star)
{
    static const char *const places[GAME_STARS] = {"top l", "top r", "right", "bot r",
                                                   "bot l", "left",  "center"};
    enum board_side side = (enum board_side)screen->position->board;
    const int8_t *spaces = screen->position->seats[seat].stars[star];

    plain_text_printf(stream, "%-7s",
                      side == BOARD_GRAY || star == GAME_STAR_CENTER
                          ? places[star]
                          : notation_color_names[board_star_colors[star]]);
    for (int space = 0; space < GAME_SPACES; space++)
        if (spaces[space] == GAME_EMPTY)
            fprintf(stream, "%d ", board_costs[side][star][space]);
        else
            put_tile(stream, screen, spaces[space], false);
    return 7 + 2 * GAME_SPACES;
}

/* Draws a hand as counts, such as "hand p2g3", because a hand can be long. */
static int put_hand(FILE *stream, const struct screen *screen, const char *label,
                    const uint8_t tiles[static GAME_COLORS])
{
    int columns = (int)strlen(label);

    fputs(label, stream);
    for (int color = 0; color < GAME_COLORS; color++) {
        if (tiles[color] == 0)
            continue;
        paint(stream, screen, color);
        columns += fprintf(stream, "%c%d", notation_colors[color], tiles[color]);
        style(stream, screen, "0");
    }
    return columns;
}

static int put_seat_head(FILE *stream, const struct screen *screen, int seat, int width)
{
    const struct position *position = screen->position;
    char score[16];
    int name_columns;

    snprintf(score, sizeof score, "%s%d", position->token == seat ? "token " : "",
             position->seats[seat].score);
    name_columns = width - 4 - (int)strlen(score) - 1;
    style(stream, screen, position->player == seat ? "1;7" : "1");
    fprintf(stream, "%c ", position->player == seat ? '>' : ' ');
    plain_text_printf(stream, "%-*.*s %s", name_columns, name_columns, screen->names[seat], score);
    style(stream, screen, "0");
    return 2 + name_columns + 1 + (int)strlen(score);
}

static void draw_boards(FILE *stream, const struct screen *screen)
{
    const struct position *position = screen->position;
    int width = COLUMNS / position->player_count;

    for (int row = 0; row < GAME_STARS + 2; row++) {
        for (int seat = 0; seat < position->player_count; seat++) {
            const struct position_seat *shown = &position->seats[seat];
            int columns;

            if (row == 0)
                columns = put_seat_head(stream, screen, seat, width);
            else if (row <= GAME_STARS)
                columns = put_star(stream, screen, seat, row - 1);
            else
                columns = shown->passed ? put_hand(stream, screen, "keeps ", shown->corners)
                                        : put_hand(stream, screen, "hand ", shown->hand);
            put_spaces(stream, width - columns);
        }
        end_row(stream);
    }
}

/* Draws text, wrapped at spaces to at most `rows` rows. Cuts the last row. */
static void draw_text(FILE *stream, const char *text, int rows)
{
    for (int row = 0; row < rows; row++) {
        size_t size = strlen(text);
        size_t end = size < COLUMNS ? size : COLUMNS;

        if (size > COLUMNS && row < rows - 1) {
            while (end > 0 && text[end] != ' ')
                end--;
            if (end == 0)
                end = COLUMNS;
        }
        while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
            end--; /* does not split a UTF-8 character */
        fwrite(text, 1, end, stream);
        text += end;
        while (*text == ' ')
            text++;
        end_row(stream);
    }
}

void screen_draw_boards(FILE *stream, const struct screen *screen)
{
    fputs("\033[H", stream);
    draw_head(stream, screen);
    if (screen->finals)
        draw_finals(stream, screen);
    else
        draw_table(stream, screen);
    draw_boards(stream, screen);
}

void screen_draw(FILE *stream, const struct screen *screen)
{
    screen_draw_boards(stream, screen);
    end_row(stream);
    draw_text(stream, screen->said, SAID_ROWS);
    style(stream, screen, "2");
    draw_text(stream, screen->note, 1);
    fputs("left, right: step   [ ]: round   Home, End   space: play   + -: speed   q: quit\033[K",
          stream);
    style(stream, screen, "0");
    fputs("\033[J", stream);
}

static void open_screen(void)
{
    fputs("\033[?1049h\033[?25l\033[?7l", stdout);
}

static void close_screen(void)
{
    fputs("\033[?7h\033[?25h\033[?1049l", stdout);
    fflush(stdout);
}

/* ---- stepping through a replay ---- */

/* A position, and the decision that led to it. */
struct frame {
    struct position position;
    char *said; /* description of the decision; owned */
    char *note; /* note of the bot; owned; NULL: none */
};

static struct watch {
    const struct replay *replay;
    char *names[GAME_PLAYERS_MAX];
    struct frame *frames; /* room for decision_count + 1 frames */
    size_t count;         /* number of frames so far */
    size_t at;
    bool scored;
    struct effect_final finals[GAME_PLAYERS_MAX]; /* by seat; valid if `scored` */
    bool playing;
    int speed;
    int64_t due_ms; /* time of the next step, while the replay plays by itself */
    bool colors;
} watch;

/* Describes the decision that comes next in a match. The caller frees the text; NULL: no memory. */
static char *describe(const struct match *match, const struct replay_decision *decision,
                      const char *name)
{
    struct effect effect;
    char *said = NULL;
    size_t size;
    FILE *stream;

    if (!effect_of(&match->game, decision->action, &effect) ||
        !(stream = open_memstream(&said, &size)))
        return NULL;
    plain_text_printf(stream, "%zu: round %d, %s ", match->decision_count, effect.round, name);
    words_effect(stream, &effect);
    words_time(stream, decision->by_arena, decision->us, replay_bank_us(match, decision));
    fclose(stream);
    return said;
}

static char *copy_note(const struct replay_decision *decision)
{
    char *note = NULL;
    size_t size;
    FILE *stream;

    if (!decision->note || !(stream = open_memstream(&note, &size)))
        return NULL;
    plain_text_print(stream, decision->note, decision->note_bytes, WIRE_NOTE_BYTES_MAX);
    fclose(stream);
    return note;
}

/* Adds a frame: the position after a decision, and a description of the decision. */
static void add_frame(void *self, struct match *match, const struct replay_decision *decision)
{
    game_view(&match->game, &watch.frames[watch.count].position);
    watch.count++;
    if (!decision)
        return;
    watch.frames[watch.count].said = describe(match, decision, watch.names[decision->seat]);
    watch.frames[watch.count].note = copy_note(decision);
    watch.scored = effect_final(&match->game, decision->action, watch.finals);
}

static int64_t now_ms(void)
{
    return alarm_now_us() / 1000;
}

static void draw(void)
{
    const struct frame *frame = &watch.frames[watch.at];
    char state[64];
    struct screen screen = {.colors = watch.colors,
                            .position = &frame->position,
                            .names = (const char *const *)watch.names,
                            .said = frame->said ? frame->said : "The deal.",
                            .note = frame->note ? frame->note : "",
                            .state = state};

    if (watch.scored && watch.at == watch.count - 1)
        screen.finals = watch.finals;
    snprintf(state, sizeof state, "%s%dx  decision %zu of %zu", watch.playing ? "playing " : "",
             watch.speed, watch.at, watch.count - 1);
    screen_draw(stdout, &screen);
    fflush(stdout);
}

enum key {
    KEY_NONE,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_HOME,
    KEY_END,
    KEY_PLAY,
    KEY_ROUND_BACK,
    KEY_ROUND_ON,
    KEY_FASTER,
    KEY_SLOWER,
    KEY_QUIT,
};

static const struct {
    const char *bytes;
    enum key key;
} keys[] = {
    {"\033[D", KEY_LEFT}, {"\033OD", KEY_LEFT},  {"\033[C", KEY_RIGHT}, {"\033OC", KEY_RIGHT},
    {"\033[H", KEY_HOME}, {"\033OH", KEY_HOME},  {"\033[1~", KEY_HOME}, {"\033[7~", KEY_HOME},
    {"\033[F", KEY_END},  {"\033OF", KEY_END},   {"\033[4~", KEY_END},  {"\033[8~", KEY_END},
    {" ", KEY_PLAY},      {"[", KEY_ROUND_BACK}, {"]", KEY_ROUND_ON},   {"+", KEY_FASTER},
    {"-", KEY_SLOWER},    {"q", KEY_QUIT},       {"\004", KEY_QUIT},
};

/*
 * Returns the key at the start of the bytes, and sets *used to its length in bytes. Skips an
 * unknown byte.
 */
static enum key read_key(const char *bytes, size_t size, size_t *used)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t key_bytes = strlen(keys[i].bytes);

        if (size >= key_bytes && memcmp(bytes, keys[i].bytes, key_bytes) == 0) {
            *used = key_bytes;
            return keys[i].key;
        }
    }
    *used = 1;
    return KEY_NONE;
}

static int round_of(size_t frame)
{
    return watch.frames[frame].position.round;
}

/* Returns the number of the frame at which the round of the previous frame begins. */
static size_t round_back(void)
{
    size_t to = watch.at;

    if (to > 0)
        to--;
    while (to > 0 && round_of(to - 1) == round_of(to))
        to--;
    return to;
}

static size_t round_on(void)
{
    size_t to = watch.at;

    while (to < watch.count - 1 && round_of(to) == round_of(watch.at))
        to++;
    return to;
}

static void play(bool playing)
{
    watch.playing = playing;
    if (playing && watch.at == watch.count - 1)
        watch.at = 0;
    watch.due_ms = now_ms() + STEP_MS / watch.speed;
}

static bool obey(enum key key)
{
    if (key != KEY_NONE && key != KEY_PLAY && key != KEY_FASTER && key != KEY_SLOWER)
        watch.playing = false;
    switch (key) {
    case KEY_NONE:
        break;
    case KEY_LEFT:
        watch.at -= watch.at > 0;
        break;
    case KEY_RIGHT:
        watch.at += watch.at < watch.count - 1;
        break;
    case KEY_HOME:
        watch.at = 0;
        break;
    case KEY_END:
        watch.at = watch.count - 1;
        break;
    case KEY_PLAY:
        play(!watch.playing);
        break;
    case KEY_ROUND_BACK:
        watch.at = round_back();
        break;
    case KEY_ROUND_ON:
        watch.at = round_on();
        break;
    case KEY_FASTER:
        watch.speed = watch.speed < SPEED_MAX ? watch.speed * 2 : SPEED_MAX;
        break;
    case KEY_SLOWER:
        watch.speed = watch.speed > 1 ? watch.speed / 2 : 1;
        break;
    case KEY_QUIT:
        return false;
    }
    return true;
}

/* Reads and handles keys. Returns false if the user quits or the terminal is gone. */
static bool read_keys(void)
{
    char bytes[256];
    ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
    size_t used;

    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    for (size_t at = 0; at < (size_t)got; at += used)
        if (!obey(read_key(bytes + at, (size_t)got - at, &used)))
            return false;
    return got > 0;
}

static int wait_ms(void)
{
    int64_t left_ms = watch.due_ms - now_ms();

    if (!watch.playing)
        return -1;
    return left_ms > 0 ? (int)left_ms : 0;
}

static void step_if_due(void)
{
    if (!watch.playing || now_ms() < watch.due_ms)
        return;
    watch.at += watch.at < watch.count - 1;
    watch.due_ms = now_ms() + STEP_MS / watch.speed;
    if (watch.at == watch.count - 1)
        watch.playing = false;
}

/* Runs until the user quits. Returns the signal that ended the loop, or 0. */
static int follow(int signal_fd)
{
    for (;;) {
        struct pollfd waits[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                 {.fd = signal_fd, .events = POLLIN}};
        struct signalfd_siginfo told;

        draw();
        if (poll(waits, 2, wait_ms()) < 0 && errno != EINTR)
            return 0;
        if ((waits[1].revents & POLLIN) && read(signal_fd, &told, sizeof told) == sizeof told &&
            told.ssi_signo != SIGWINCH)
            return (int)told.ssi_signo;
        if (waits[0].revents && !read_keys())
            return 0;
        step_if_due();
    }
}

/* Takes over the terminal, runs the loop, and restores the terminal. */
static int show(void)
{
    struct termios before, raw;
    sigset_t signals, old;
    int signal_fd, ended;

    if (tcgetattr(STDIN_FILENO, &before) < 0)
        return command_fail("the terminal cannot be set up: %s", strerror(errno));
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGWINCH);
    sigprocmask(SIG_BLOCK, &signals, &old);
    signal_fd = signalfd(-1, &signals, SFD_CLOEXEC);
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VSUSP] = _POSIX_VDISABLE;
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
    open_screen();
    ended = follow(signal_fd);
    close_screen();
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    close(signal_fd);
    sigprocmask(SIG_SETMASK, &old, NULL);
    return ended == 0 || ended == SIGINT ? COMMAND_DONE : COMMAND_FAILED;
}

static void watch_finish(void)
{
    for (size_t i = 0; watch.frames && i < watch.replay->decision_count + 1; i++) {
        free(watch.frames[i].said);
        free(watch.frames[i].note);
    }
    free(watch.frames);
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        free(watch.names[seat]);
}

int replay_watch_run(const struct replay *replay, const char *path)
{
    char error[REPLAY_ERROR_BYTES];
    int status = COMMAND_DONE;

    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return command_refuse(
            "--watch: needs a terminal; without one, `arena replay %s` prints the match", path);
    watch = (struct watch){.replay = replay, .speed = 1, .colors = command_layout().color};
    watch.frames = calloc(replay->decision_count + 2, sizeof *watch.frames);
    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        watch.names[seat] = words_seat(replay, seat);
        if (!watch.names[seat] || !watch.frames)
            status = command_fail("%s: out of memory", path);
    }
    if (status == COMMAND_DONE && replay_verify(replay, add_frame, NULL, error) < 0)
        status = command_fail("%s: %s", path, error);
    if (status == COMMAND_DONE)
        status = show();
    watch_finish();
    return status;
}
