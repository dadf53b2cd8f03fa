/* Complete screens of a recorded match, compared with tests/golden/screen.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/replay_screen.h"
#include "arena/replay/file.h"
#include "arena/replay/replay.h"
#include "tests/golden.h"

enum {
    EVERY = 60, /* decisions */
};

static FILE *file;
static int decision_count;

static void draw(void *self, struct match *match, const struct replay_decision *decision)
{
    static const char *const names[] = {"ant", "b\u00e4r", "cat", "dog"};
    static char endless[2 * SCREEN_COLUMNS];
    static struct effect_final finals[GAME_PLAYERS_MAX];
    struct position position;
    struct screen screen = {.colors = *(bool *)self,
                            .position = &position,
                            .names = names,
                            .said =
                                "said of the last decision in words, of which there are so many "
                                "that they take more than one row",
                            .note = "what its bot said of it",
                            .state = "playing"};

    if (decision)
        effect_final(&match->game, decision->action, finals);
    if (decision && decision_count++ % EVERY != 0)
        return;
    game_view(&match->game, &position);
    if (!decision) { /* words that are one word, cut where the row ends */
        memset(endless, 'x', sizeof endless - 1);
        screen.said = endless;
        screen.finals = finals;
    }
    fprintf(file, "==== decision %d\n", decision_count);
    screen_draw(file, &screen);
    fputc('\n', file);
}

static char *describe(void)
{
    static const char path[] = TEST_SOURCE_DIR "/tests/fuzz/corpus/replay/stand-ins-4";
    bool colors[] = {false, true};
    char error[REPLAY_ERROR_BYTES];
    char *text = NULL;
    size_t text_bytes, size;
    struct replay replay;
    uint8_t *bytes;

    cr_assert_eq(replay_file_read(path, &bytes, &size), 0);
    cr_assert_eq(replay_unpack(&replay, bytes, size, error), 0, "%s", error);
    file = open_memstream(&text, &text_bytes);
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++) {
        decision_count = 0;
        cr_assert_eq(replay_verify(&replay, draw, &colors[i], error), 0, "%s", error);
    }
    fclose(file);
    replay_finish(&replay);
    free(bytes);
    return text;
}

Test(screen, is_one_golden_text)
{
    char *made = describe();

    golden_expect("screen.txt", made);
    free(made);
}
