/* SPDX-License-Identifier: MIT */
/* A forfeit as its bot's author sees it, and what is kept of the bot's output. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/channel.h"
#include "arena/replay/forfeit_text.h"
#include "arena/replay/json.h"

static struct forfeit *make_forfeit(int64_t turn, const char *errors, size_t errors_bytes)
{
    struct forfeit *forfeit = calloc(1, sizeof *forfeit);

    *forfeit = (struct forfeit){.reason = WIRE_CRASH,
                                .words = "the bot exited",
                                .turn = turn,
                                .limit_us = 1000,
                                .cpu_us = FORFEIT_NOT_KNOWN,
                                .status = 3};
    forfeit->request = forfeit_keep("\x01", 1, &forfeit->request_bytes, &forfeit->request_whole);
    forfeit->reply = forfeit_keep("\x81\xa1"
                                  "a\x05",
                                  4, &forfeit->reply_bytes, &forfeit->reply_whole);
    forfeit->errors =
        forfeit_keep(errors, errors_bytes, &forfeit->errors_bytes, &forfeit->errors_whole);
    return forfeit;
}

#define LONGEST                                                                                    \
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890"  \
    "12345678901234567890123456789"

static char *text_of(const struct forfeit *forfeit)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    forfeit_text_print(stream, forfeit, 1, "bot", NULL, NULL);
    fclose(stream);
    return text;
}

Test(forfeit_text, tells_when_and_shows_all_of_standard_error)
{
    struct forfeit *forfeit = make_forfeit(FORFEIT_NOT_KNOWN, "xyz\nlast", 8);
    char *text = text_of(forfeit);

    cr_expect(strstr(text, "is out before the first turn: "), "%s", text);
    cr_expect(strstr(text, "stderr  xyz\n              last\n"), "%s", text);
    cr_expect(strstr(text, "wrote   4 bytes: {\"a\": 5}"), "%s", text);
    free(text);
    forfeit->turn = 7;
    text = text_of(forfeit);
    cr_expect(strstr(text, "is out at turn 7: "), "%s", text);
    free(text);
    forfeit_destroy(forfeit);
}

Test(forfeit_text, shows_the_last_4_KiB_of_standard_error)
{
    char errors[3 * FORFEIT_PART_BYTES];
    struct forfeit *forfeit;
    char *text;

    for (size_t i = 0; i < sizeof errors; i += 64) {
        memset(errors + i, 'e', 64);
        snprintf(errors + i, 8, "%05zu", i / 64);
        errors[i + 5] = 'e';
        errors[i + 63] = '\n';
    }
    forfeit = make_forfeit(1, errors, sizeof errors);
    text = text_of(forfeit);
    cr_expect_null(strstr(text, "00127e"), "before the last 4 KiB");
    cr_expect(strstr(text, "...00128e"), "%s", text);
    cr_expect(strstr(text, "00191e"));
    free(text);
    forfeit_destroy(forfeit);
}

Test(forfeit, keeps_the_beginning_and_the_end_of_a_stream)
{
    static struct tail tail;
    char kept[FORFEIT_KEPT_BYTES];

    for (int i = 0; i < 200000; i++)
        tail_add(&tail, i < 100 ? "a" : i >= 199990 ? "z" : ".", 1);
    cr_expect_eq(tail_parts(&tail, kept, FORFEIT_PART_BYTES), sizeof kept);
    cr_expect(kept[0] == 'a' && kept[99] == 'a' && kept[100] == '.');
    cr_expect(kept[sizeof kept - 1] == 'z' && kept[sizeof kept - 11] == '.');
}

Test(forfeit, is_decoded_in_json_and_survives_a_NUL)
{
    struct forfeit *forfeit = make_forfeit(1, "a\0b", 3);
    json_t *json = replay_json_forfeit(forfeit, NULL);
    char *text = json_dumps(json, 0);
    json_t *again = json_loads(text, JSON_ALLOW_NUL, NULL);

    cr_expect_str_eq(json_string_value(json_object_get(json, "reply")), "81a16105");
    cr_expect_str_eq(json_string_value(json_object_get(json, "reply_decoded")), "{\"a\": 5}");
    cr_expect_eq(json_integer_value(json_object_get(json, "reply_bytes")), 4);
    cr_expect_eq(json_integer_value(json_object_get(json, "reply_left_out")), 0);
    cr_expect_eq(json_string_length(json_object_get(json, "reply_sha256")), 64);
    cr_assert_not_null(again);
    cr_expect_eq(json_string_length(json_object_get(again, "stderr")), 3);
    json_decref(again);
    free(text);
    json_decref(json);
    forfeit_destroy(forfeit);
}

Test(forfeit_text, is_told_line_by_line)
{
    static const char text[] =
        "    seat 1, bot, is out at turn 7: crash: the bot exited (status 3): why\n"
        "      time    0.0 ms of 1.0 ms, the arena's own delay at most 0.0 ms\n"
        "      asked   1 bytes: \\x01\n"
        "      wrote   4 bytes: {\"a\": 5}\n"
        "      stderr  why\n";
    struct forfeit *forfeit = make_forfeit(7, "why\n", 4);
    char *said = text_of(forfeit);

    cr_expect_str_eq(said, text);
    free(said);
    forfeit_destroy(forfeit);
}

/* The deadline of a bot that other programs kept from a processor had moved by that time. */
Test(forfeit_text, waits_for_a_processor_are_no_delay_of_the_arena)
{
    static const struct {
        const char *rule, *words, *times;
    } rows[] = {
        {"a wait is told apart",
         "no answer by the deadline: the bot computed whenever it had a processor (computed 12 %, "
         "waited for a processor 88 %, slept 0 %): an endless loop, or a search that does not look "
         "at the clock?",
         "time    17503.7 ms of 2000.0 ms, processor 2011.2 ms, waited at least 15403.2 ms for a "
         "processor (not charged), the arena's own delay at most 100.4 ms\n"},
        {"no wait",
         "no answer by the deadline: the bot slept (computed 2 %, waited for a processor "
         "0 %, slept 98 %): does it flush its output, or wait for something?",
         "processor 2011.2 ms, the arena's own delay at most 15503.6 ms\n"},
        {"waits of a bot of several processes move no deadline",
         "no answer by the deadline (its first process computed 0 %, waited for a processor 50 %, "
         "slept 50 %); what the others did is not known",
         "processor 2011.2 ms, the arena's own delay at most 15503.6 ms\n"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct forfeit *forfeit = make_forfeit(7, "", 0);
        char *said;

        forfeit->reason = WIRE_TIMEOUT;
        snprintf(forfeit->words, sizeof forfeit->words, "%s", rows[i].words);
        forfeit->limit_us = 2000000;
        forfeit->wall_us = 17503700;
        forfeit->cpu_us = 2011200;
        forfeit->delay_us = 15503699;
        said = text_of(forfeit);
        cr_expect_not_null(strstr(said, rows[i].times), "%s: %s", rows[i].rule, said);
        free(said);
        forfeit_destroy(forfeit);
    }
}

Test(forfeit_text, a_call_that_was_refused_is_told_by_what_a_runtime_says)
{
    static const struct {
        const char *rule, *errors, *refused; /* NULL: nothing is said */
        int64_t turn;
        enum wire_reason reason;
    } rows[] = {
        {"a socket",
         "  File \"/usr/lib/python3.11/socket.py\"\nPermissionError: [Errno 1] Operation "
         "not permitted\n",
         "a socket, it seems: a bot has no network; `arena check --trace BOT` names", 0, WIRE_EXIT},
        {"a process", "    os.fork()\nPermissionError: [Errno 1] Operation not permitted\n",
         "a second process, it seems: \"processes\" in bot.json allows up to 64; `arena check "
         "--trace --turns N BOT` names",
         7, WIRE_EXIT},
        {"another call", "Error: EPERM\n", "a system call; `arena check", FORFEIT_NOT_KNOWN,
         WIRE_CRASH},
        {"a thread", "RuntimeError: can't start new thread\n", "a thread: threads and processes", 0,
         WIRE_EXIT},
        {"an error of its own", "IndexError: socket\n", NULL, 0, WIRE_EXIT},
        {"a bot that went on", "Operation not permitted\n", NULL, 0, WIRE_TIMEOUT},
        {"nothing", "", NULL, 0, WIRE_EXIT},
    };

    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct forfeit *forfeit =
            make_forfeit(rows[row].turn, rows[row].errors, strlen(rows[row].errors));
        char *said, *refused;

        forfeit->reason = rows[row].reason;
        said = text_of(forfeit);
        refused = strstr(said, "      refused ");
        cr_expect_eq(!refused, !rows[row].refused, "%s: %s", rows[row].rule, said);
        if (refused && rows[row].refused)
            cr_expect(strstr(refused, rows[row].refused) == refused + strlen("      refused "),
                      "%s: %s", rows[row].rule, said);
        free(said);
        forfeit_destroy(forfeit);
    }
}

Test(forfeit_text, an_exit_has_its_last_words)
{
    static const struct {
        const char *rule, *errors, *end;
    } rows[] = {
        {"the last line", "Traceback:\n  line 3\nIndexError: no\n", "(status 3): IndexError: no"},
        {"empty lines behind it are none", "why\n\n \n", "(status 3): why"},
        {"a line without an end", "one\ntwo", "(status 3): two"},
        {"Lua: not where it happened",
         "lua5.4: ./bot.lua:9: attempt to index a nil value\nstack traceback:\n\t[C]: in ?\n",
         "(status 3): lua5.4: ./bot.lua:9: attempt to index a nil value"},
        {"JavaScript: not the version",
         "file:///bot/bot.js:4\n    x.y\nTypeError: x is null\n    at worth (bot.js:4)\n\nNode.js "
         "v20\n",
         "(status 3): TypeError: x is null"},
        {"Go: not the stack",
         "panic: index out of range\n\ngoroutine 1 [running]:\nmain.worth()\n\tbot.go:3\n",
         "(status 3): panic: index out of range"},
        {"C#: not that there was one",
         "\nUnhandled Exception:\nSystem.NullReferenceException: x\n  at Bot.Worth ()\n",
         "(status 3): System.NullReferenceException: x"},
        {"Java: the error, not its causes' places",
         "Exception in thread \"main\" java.lang.Error: x\n\tat Bot.worth(Bot.java:9)\n",
         "(status 3): Exception in thread \"main\" java.lang.Error: x"},
        {"only indented lines", "  a\n  b\n", "(status 3): b"},
        {"nothing written", "", "(status 3)"},
        {"only line ends", "\n\n", "(status 3)"},
        {"an indented line before one that ends in a colon", "  a\nb:\n", "(status 3): b:"},
        {"an indented line behind it is none", "b:\n  a\n", "(status 3): b:"},
        {"a line that ends in a colon is less than another", "a\nb:\n", "(status 3): a"},
        {"a word of an error is more than any", "an error\nb\n", "(status 3): an error"},
        {"so is a panic", "it did panic\nb\n", "(status 3): it did panic"},
        {"so is an exception", "exceptional\nNoException\nb\n", "(status 3): NoException"},
        {"the later of two", "Error 1\nError 2\n", "(status 3): Error 2"},
        {"spaces around it are none", "  \t why \t \n", "(status 3): why"},
        {"120 characters", LONGEST "\n", "(status 3): " LONGEST},
        {"one more", LONGEST "x\n", "(status 3): " LONGEST "..."},
        {"control characters are escaped", "a\x1b[2J", "(status 3): a\\x1b[2J"},
    };

    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct forfeit *forfeit = make_forfeit(7, rows[row].errors, strlen(rows[row].errors));
        char *said = text_of(forfeit);
        size_t line_bytes = strcspn(said, "\n"), size = strlen(rows[row].end);

        cr_assert(said[line_bytes] == '\n' && line_bytes > size);
        cr_expect(strncmp(said + line_bytes - size, rows[row].end, size) == 0, "%s: %s",
                  rows[row].rule, said);
        free(said);
        forfeit_destroy(forfeit);
    }
}

Test(forfeit_text, an_abort_has_its_last_words)
{
    static const char node[] =
        "\n<--- JS stacktrace --->\n\nFATAL ERROR: Reached heap limit Allocation failed - "
        "JavaScript heap out of memory\n 1: 0xb09c10 node::Abort() [node]\n";
    struct forfeit *forfeit = make_forfeit(7, node, sizeof node - 1);
    struct forfeit *other = make_forfeit(7, "FATAL ERROR: another\n", 21);
    char *said;

    forfeit->status = other->status = FORFEIT_NOT_KNOWN;
    forfeit->signal = other->signal = SIGABRT;
    said = text_of(forfeit);
    cr_expect(strstr(said, "(signal 6, Aborted): FATAL ERROR: Reached heap limit Allocation "
                           "failed - JavaScript heap out of memory\n"),
              "%s", said);
    free(said);
    cr_expect(forfeit_text_is_same(forfeit, forfeit));
    cr_expect_not(forfeit_text_is_same(forfeit, other), "another error");
    forfeit->signal = SIGSEGV;
    said = text_of(forfeit);
    cr_expect_null(strstr(said, "Segmentation fault): FATAL"), "%s", said);
    free(said);
    forfeit_destroy(other);
    forfeit_destroy(forfeit);
}

/* Texts are repaired part by part, which must neither repeat a part nor split a character. */
Test(forfeit, is_whole_in_json_however_long)
{
    static const char line[] = "line of \xe2\x82\xac\xc3\xa9 costs, no. _.\n";
    enum {
        LINES = 26,
        LINE = sizeof line - 1
    };
    char errors[LINES * LINE + 1] = "";
    struct forfeit *forfeit;
    json_t *json;

    for (int i = 0; i < LINES; i++) {
        memcpy(errors + (size_t)(i * LINE), line, LINE);
        errors[i * LINE + LINE - 3] = (char)('a' + i);
    }
    forfeit = make_forfeit(1, errors, sizeof errors - 1);
    json = replay_json_forfeit(forfeit, NULL);
    cr_expect_str_eq(json_string_value(json_object_get(json, "stderr")), errors);
    json_decref(json);
    forfeit_destroy(forfeit);
}

/* ---- the command that repeats it ---- */

static const struct {
    const char *rule;
    struct rerun_command command;
    int64_t turn;
    const char *text;
} rows[] = {
    {"plain words stay plain",
     {.program = "arena", .replay = "games/000000-0.replay", .bot = "./bot"},
     12,
     "arena replay games/000000-0.replay --at 12 --bot ./bot"},
    {"a space is quoted",
     {.program = "/opt/my arena", .replay = "a b", .bot = "c d"},
     0,
     "'/opt/my arena' replay 'a b' --at 0 --bot 'c d'"},
    {"so is a quote",
     {.program = "arena", .replay = "it's", .bot = "$(x)"},
     0,
     "arena replay 'it'\\''s' --at 0 --bot '$(x)'"},
    {"so is what a shell would expand",
     {.program = "arena", .replay = "~/x", .bot = "*"},
     0,
     "arena replay '~/x' --at 0 --bot '*'"},
    {"a file that looks like an option",
     {.program = "arena", .replay = "-r/x", .bot = "-b"},
     0,
     "arena replay ./-r/x --at 0 --bot -b"},
    {"and one that has to be quoted too",
     {.program = "arena", .replay = "-r r", .bot = "b"},
     0,
     "arena replay ./'-r r' --at 0 --bot b"},
    {"an empty word is a word",
     {.program = "arena", .replay = "r", .bot = ""},
     0,
     "arena replay r --at 0 --bot ''"},
    {"the hello needs its seat",
     {.program = "arena", .replay = "r", .bot = "b"},
     FORFEIT_NOT_KNOWN,
     "arena replay r --at hello --seat 2 --bot b"},
    {"further options stand last",
     {.program = "arena", .replay = "r", .bot = "b", .options = "--require none"},
     3,
     "arena replay r --at 3 --bot b --require none"},
};

Test(rerun_command, every_row)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = rerun_command_text(&rows[i].command, rows[i].turn, 2);

        cr_expect_str_eq(text, rows[i].text, "%s: %s", rows[i].rule, text);
        free(text);
    }
}
