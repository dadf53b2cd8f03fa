#include "arena/commands/play_view.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "arena/replay/plain_text.h"
#include "arena/replay/words.h"
#include "engine/board.h"
#include "engine/notation.h"

enum {
    NEWS_ROWS = 3,
    PLAIN_ITEMS = CHOICES_MAX,
};

/* Returns the size of the terminal; 80 columns and 24 rows if it is unknown. */
static struct winsize find_size(void)
{
    struct winsize size = {0};

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_row == 0 || size.ws_col == 0)
        size = (struct winsize){.ws_row = SCREEN_ROWS, .ws_col = SCREEN_COLUMNS};
    return size;
}

void play_view_open(struct play_view *view, bool plain)
{
    struct winsize size = find_size();
    const char *term = getenv("TERM");

    view->plain = plain || !isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO) ||
                  size.ws_row < SCREEN_ROWS || size.ws_col < SCREEN_COLUMNS || !term ||
                  strcmp(term, "dumb") == 0;
    view->colors = view->plain ? SCREEN_PLAIN : screen_find_colors();
    if (view->plain)
        return;
    fputs("\033[?1049h\033[2J", stdout);
    view->open = true;
}

void play_view_clear_news(struct play_view *view)
{
    for (int i = 0; i < view->news_count; i++)
        free(view->news[i]);
    view->news_count = 0;
    view->has_told_table = false;
}

void play_view_close(struct play_view *view)
{
    if (view->open) {
        fputs("\033[?7h\033[?1049l", stdout);
        fflush(stdout);
        view->open = false;
    }
    play_view_clear_news(view);
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        free(view->names[seat]);
    memset(view->names, 0, sizeof view->names);
}

void play_view_add_news(struct play_view *view, char *text)
{
    if (!text)
        return;
    if (view->plain) {
        puts(text);
        fflush(stdout);
        free(text);
        view->has_told_table = false;
        return;
    }
    if (view->news_count == PLAY_VIEW_NEWS_MAX) {
        free(view->news[0]);
        memmove(view->news, view->news + 1, sizeof view->news - sizeof view->news[0]);
        view->news_count--;
    }
    view->news[view->news_count++] = text;
}

/* ---- plain ---- */

static void tell_tiles(const char *what, const uint8_t tiles[static GAME_COLORS], int wild)
{
    fputs(what, stdout);
    words_tiles(stdout, tiles, WORDS_NO_WILD, wild);
    puts(".");
}

static void tell_center(const struct position *position)
{
    static const uint8_t none[GAME_COLORS];

    if (position->token != GAME_NOBODY)
        tell_tiles("Center: ", position->center, position->wild);
    else if (memcmp(position->center, none, sizeof none) == 0)
        puts("Center: the start token.");
    else
        tell_tiles("Center: the start token and ", position->center, position->wild);
}

static void tell_seat(const struct play_view *view, const struct position *position, int seat)
{
    const struct position_seat *shown = &position->seats[seat];

    plain_text_printf(stdout, "%s: %d points%s, %s ", view->names[seat], shown->score,
                      position->token == seat ? ", the start token" : "",
                      shown->passed ? "keeps" : "in hand");
    words_tiles(stdout, shown->passed ? shown->corners : shown->hand, WORDS_NO_WILD,
                position->wild);
    puts(".");
}

static void tell_table(const struct play_view *view, const struct position *position)
{
    char label[32];

    plain_text_printf(stdout, "Round %d of %d, %s is wild.\n", position->round, GAME_ROUNDS,
                      notation_color_names[position->wild]);
    for (int display = 0; display < 2 * position->player_count + 1; display++) {
        snprintf(label, sizeof label, "Display %d: ", display);
        if (position->phase == PHASE_DRAFT)
            tell_tiles(label, position->displays[display], position->wild);
    }
    if (position->phase == PHASE_DRAFT)
        tell_center(position);
    tell_tiles("Supply: ", position->supply, position->wild);
    for (int seat = 0; seat < position->player_count; seat++)
        tell_seat(view, position, seat);
}

static void tell_star(const struct position *position, int seat, int star)
{
    enum board_side side = (enum board_side)position->board;
    const int8_t *spaces = position->seats[seat].stars[star];

    plain_text_printf(stdout, "  %s: ", words_star(side, star));
    for (int space = 0; space < GAME_SPACES; space++) {
        plain_text_printf(stdout, "%s%d ", space > 0 ? ", " : "", board_costs[side][star][space]);
        fputs(spaces[space] == GAME_EMPTY ? "empty" : notation_color_names[spaces[space]], stdout);
    }
    puts(".");
}

void play_view_tell_boards(const struct play_view *view, const struct position *position)
{
    if (!view->plain)
        return;
    puts("Boards: the cost of each space, and what lies there.");
    for (int seat = 0; seat < position->player_count; seat++) {
        plain_text_printf(stdout, "%s:\n", view->names[seat]);
        for (int star = 0; star < GAME_STARS; star++)
            tell_star(position, seat, star);
    }
}

static void tell_choice(const struct dialog *dialog)
{
    fputs("Your choice: ", stdout);
    choices_write_action(stdout, &dialog->game, dialog->action);
    puts(".");
}

static void ask_plain(struct play_view *view, const struct position *position,
                      struct dialog *dialog)
{
    dialog->page_items = PLAIN_ITEMS;
    if (!view->has_told_table)
        tell_table(view, position);
    view->has_told_table = true;
    if (*dialog->message)
        puts(dialog->message);
    else if (dialog->chosen)
        tell_choice(dialog);
    else
        for (size_t i = 0; i < dialog->item_count; i++) {
            printf("%zu: ", i + 1);
            dialog_write_item(stdout, dialog, i);
            puts("");
        }
    dialog_write_prompt(stdout, dialog, true);
    puts("");
    fflush(stdout);
}

/* ---- drawn ---- */

static void style(const struct play_view *view, const char *codes)
{
    if (view->colors != SCREEN_PLAIN)
        plain_text_printf(stdout, "\033[%sm", codes);
}

/* Draws a row, cut to the terminal's width. */
static void draw_row(const char *text, int columns)
{
    size_t bytes = 0;
    int taken = 0;

    while (text[bytes] && taken < columns) {
        bytes++;
        while (((unsigned char)text[bytes] & 0xc0) == 0x80)
            bytes++;
        taken++;
    }
    fwrite(text, 1, bytes, stdout);
    fputs("\033[K\n", stdout);
}

/* Draws the last rows of the news, wrapped to the terminal's width. */
static void draw_news(const struct play_view *view, const char *message, int columns)
{
    const char *rows[NEWS_ROWS] = {"", "", ""};
    int count = 0, first;

    for (int i = 0; i < view->news_count; i++)
        rows[count++ % NEWS_ROWS] = view->news[i];
    if (*message)
        rows[count++ % NEWS_ROWS] = message;
    first = count > NEWS_ROWS ? count - NEWS_ROWS : 0;
    for (int i = first; i < first + NEWS_ROWS; i++) {
        bool said = *message && i == count - 1;

        if (said)
            style(view, "1");
        draw_row(i < count ? rows[i % NEWS_ROWS] : "", columns);
        if (said)
            style(view, "0");
    }
}

/*
 * Writes the items of the dialog in words; the caller frees the labels. Returns false if memory
 * runs out.
 */
static bool write_items(const struct dialog *dialog, char *labels[static CHOICES_MAX],
                        size_t *widest)
{
    bool all = true;

    *widest = 0;
    for (size_t i = 0; i < dialog->item_count; i++) {
        size_t size;
        FILE *stream = open_memstream(&labels[i], &size);

        if (!stream) {
            labels[i] = NULL;
            all = false;
            continue;
        }
        fprintf(stream, "%2zu  ", i + 1);
        dialog_write_item(stream, dialog, i);
        all &= fclose(stream) == 0;
        if (size > *widest)
            *widest = size;
    }
    return all;
}

/* Draws the dialog's items from top to bottom, in two columns if all of them then fit. */
static void draw_items(struct dialog *dialog, int rows, int columns)
{
    char *labels[CHOICES_MAX] = {NULL};
    size_t widest, count;
    bool whole = write_items(dialog, labels, &widest);
    bool two = widest + 2 < (size_t)columns / 2;

    dialog->page_items = (size_t)rows * (two ? 2 : 1);
    if (dialog->page_first % dialog->page_items != 0)
        dialog->page_first = 0;
    count = whole ? dialog_page_count(dialog) : 0;
    for (int row = 0; row < rows; row++) {
        size_t left = dialog->page_first + (size_t)row, right = left + (size_t)rows;

        if (two && (size_t)(row + rows) < count)
            plain_text_printf(stdout, "%-*s", columns / 2, labels[left]);
        if (two && (size_t)(row + rows) < count)
            draw_row(labels[right], columns / 2);
        else
            draw_row((size_t)row < count ? labels[left] : "", columns);
    }
    for (size_t i = 0; i < dialog->item_count; i++)
        free(labels[i]);
}

static void draw_choice(const struct dialog *dialog, int rows, int columns)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    if (stream) {
        fputs("Your choice: ", stream);
        choices_write_action(stream, &dialog->game, dialog->action);
        fclose(stream);
    }
    draw_row("", columns);
    draw_row(text ? text : "", columns);
    for (int row = 2; row < rows; row++)
        draw_row("", columns);
    free(text);
}

static void draw_boards(const struct play_view *view, const struct position *position,
                        const char *state)
{
    const struct screen screen = {.colors = view->colors,
                                  .position = position,
                                  .names = (const char *const *)view->names,
                                  .state = state};

    fputs("\033[?7l", stdout);
    screen_draw_boards(stdout, &screen);
}

static void draw_ask(struct play_view *view, const struct position *position, struct dialog *dialog,
                     const char *state)
{
    struct winsize size = find_size();
    int rows = size.ws_row - SCREEN_BOARD_ROWS - NEWS_ROWS - 1;

    if (rows > CHOICES_MAX)
        rows = CHOICES_MAX;
    if (rows < 1)
        rows = 1;
    draw_boards(view, position, state);
    draw_news(view, dialog->message, size.ws_col);
    if (dialog->chosen)
        draw_choice(dialog, rows, size.ws_col);
    else
        draw_items(dialog, rows, size.ws_col);
    style(view, "2");
    dialog_write_prompt(stdout, dialog, false);
    style(view, "0");
    fputs(" > \033[J", stdout);
    fflush(stdout);
}

void play_view_show(struct play_view *view, const struct position *position, const char *state)
{
    if (view->plain)
        return;
    draw_boards(view, position, state);
    draw_news(view, "", find_size().ws_col);
    fputs("\033[J", stdout);
    fflush(stdout);
}

void play_view_ask(struct play_view *view, const struct position *position, struct dialog *dialog,
                   const char *state)
{
    if (view->plain)
        ask_plain(view, position, dialog);
    else
        draw_ask(view, position, dialog, state);
}
