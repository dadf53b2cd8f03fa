/* The command of a forfeit: exactly the words that were typed, whatever they contain. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "arena/play/forfeit.h"
#include "arena/replay/rerun_command.h"

static const struct {
    const char *rule;
    struct rerun_command command;
    const char *text;
} rows[] = {
    {"plain words stay plain",
     {.program = "arena", .replay = "games/000000-0.replay", .turn = 12, .bot = "./bot"},
     "arena replay games/000000-0.replay --at 12 --bot ./bot"},
    {"a space is quoted",
     {.program = "/opt/my arena", .replay = "a b", .turn = 0, .bot = "c d"},
     "'/opt/my arena' replay 'a b' --at 0 --bot 'c d'"},
    {"so is a quote",
     {.program = "arena", .replay = "it's", .turn = 0, .bot = "$(x)"},
     "arena replay 'it'\\''s' --at 0 --bot '$(x)'"},
    {"so is what a shell would expand",
     {.program = "arena", .replay = "~/x", .turn = 0, .bot = "*"},
     "arena replay '~/x' --at 0 --bot '*'"},
    {"a file that looks like an option",
     {.program = "arena", .replay = "-r/x", .turn = 0, .bot = "-b"},
     "arena replay ./-r/x --at 0 --bot -b"},
    {"and one that has to be quoted too",
     {.program = "arena", .replay = "-r r", .turn = 0, .bot = "b"},
     "arena replay ./'-r r' --at 0 --bot b"},
    {"an empty word is a word",
     {.program = "arena", .replay = "r", .turn = 0, .bot = ""},
     "arena replay r --at 0 --bot ''"},
    {"the hello needs its seat",
     {.program = "arena", .replay = "r", .turn = FORFEIT_NOT_KNOWN, .seat = 2, .bot = "b"},
     "arena replay r --at hello --seat 2 --bot b"},
    {"further options stand last",
     {.program = "arena", .replay = "r", .turn = 3, .bot = "b", .options = "--require none"},
     "arena replay r --at 3 --bot b --require none"},
};

Test(rerun_command, every_row)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = rerun_command_text(&rows[i].command);

        cr_expect_str_eq(text, rows[i].text, "%s: %s", rows[i].rule, text);
        free(text);
    }
}
