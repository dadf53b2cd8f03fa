/* What a person who plays sees, plain and drawn, compared with tests/golden/play-view.txt. */
#include "arena/commands/play_view.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char made_path[] = TEST_BINARY_DIR "/play-view.txt";
static struct dialog dialog;

/* Plays the first legal action of each turn. */
static void play_on(struct game *game, int count)
{
    struct action actions[GAME_ACTIONS_MAX];

    for (int i = 0; i < count && !game_is_over(game); i++) {
        game_legal_actions(game, actions);
        game_apply(game, actions[0]);
    }
}

static void open_view(struct play_view *view, bool plain, enum screen_colors colors)
{
    static const char *const names[] = {"You", "b\u00e4r", "cat"};

    *view = (struct play_view){.plain = plain, .colors = colors};
    for (int seat = 0; seat < 3; seat++)
        view->names[seat] = strdup(names[seat]);
}

static void say(const char *words)
{
    printf("\n==== %s\n", words);
}

/* Asks, after lines were typed, and the first choice of each step until there is a decision. */
static void ask(struct play_view *view, const struct game *game, const char *const *lines,
                bool chooses)
{
    struct position position;

    game_view(game, &position);
    dialog_begin(&dialog, game);
    dialog.page_items = 5;
    for (; lines && *lines; lines++)
        dialog_take(&dialog, *lines);
    while (chooses && !dialog.chosen)
        dialog_take(&dialog, "1");
    play_view_ask(view, &position, &dialog, "your turn");
    dialog.message[0] = '\0';
}

static void add_news(struct play_view *view, int count)
{
    for (int i = 0; i < count; i++) {
        char text[200];

        snprintf(
            text, sizeof text, "news %d, \u00fc%.*s", i, i == 1 ? 120 : 3,
            "of which there is more to say than a row of the terminal can hold, so that what is "
            "beyond its last column has to be left out of it");
        play_view_add_news(view, strdup(text));
    }
    play_view_add_news(view, NULL);
}

/* Takes the view through a match of three: drafting, an empty center, placing, the end. */
static void describe(bool plain, enum screen_colors colors)
{
    static const uint8_t seed[GAME_SEED_BYTES] = {1, 2, 3};
    static const int steps[] = {0, 9, 21, 41};
    struct position position;
    struct play_view view;
    struct game game;

    open_view(&view, plain, colors);
    game_init(&game, 3, BOARD_GRAY, seed);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        say("question");
        play_on(&game, steps[i]);
        add_news(&view, (int)i);
        ask(&view, &game, NULL, false);
        say("a slip");
        ask(&view, &game, (const char *const[]){"frog", NULL}, false);
        say("more");
        ask(&view, &game, (const char *const[]){"m", NULL}, false);
        say("a choice");
        ask(&view, &game, NULL, true);
        play_view_clear_news(&view);
    }
    say("boards");
    game_view(&game, &position);
    play_view_tell_boards(&view, &position);
    say("bots think");
    add_news(&view, PLAY_VIEW_NEWS_MAX + 2);
    play_on(&game, 300);
    game_view(&game, &position);
    play_view_show(&view, &position, "bots think");
    play_view_close(&view);
    cr_expect_eq(view.news_count, 0);
    cr_expect_null(view.names[0]);
    say("opened, where standard output is no terminal");
    play_view_open(&view, false);
    cr_expect(view.plain);
    play_view_close(&view);
    view.open = true;
    play_view_close(&view);
    cr_expect_not(view.open);
}

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;

    cr_assert(file, "no %s", path);
    if (getdelim(&text, &room, '\0', file) < 0)
        *text = '\0';
    fclose(file);
    return text;
}

Test(play_view, is_one_golden_text)
{
    int kept_fd = dup(STDOUT_FILENO);
    char *made, *golden;

    fflush(stdout);
    cr_assert_not_null(freopen(made_path, "w", stdout));
    describe(true, SCREEN_PLAIN);
    describe(false, SCREEN_PLAIN);
    describe(false, SCREEN_SIXTEEN);
    fflush(stdout);
    dup2(kept_fd, STDOUT_FILENO);
    close(kept_fd);
    made = read_whole(made_path);
    golden = read_whole(TEST_SOURCE_DIR "/tests/golden/play-view.txt");
    cr_expect(strcmp(golden, made) == 0,
              "differs from tests/golden/play-view.txt: what came is in %s", made_path);
    free(golden);
    free(made);
}
