/* SPDX-License-Identifier: MIT */
#include "arena/replay/forfeit_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <msgpack.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/memory.h"
#include "arena/base/plain_text.h"
#include "engine/game.h"
#include "engine/notation.h"
#include "sdk/wire.h"

enum {
    MESSAGE_CHARS = 400, /* longest message shown; the JSON has the whole message */
    LAST_WORDS_CHARS = 120,
};

static void print_ms(FILE *stream, int64_t us)
{
    fprintf(stream, "%" PRId64 ".%" PRId64 " ms", us / 1000, us % 1000 / 100);
}

static bool names_error(const char *line, size_t length)
{
    static const char *const words[] = {"rror", "xception", "panic", "FATAL"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(line, length, words[i], strlen(words[i])))
            return true;
    return false;
}

/* True of the line that the SDK writes when a bot crashes (sdk/sdk.c). */
static bool names_place(const char *line, size_t length)
{
    static const char beginning[] = "crashed at ";

    return length > strlen(beginning) && memcmp(line, beginning, strlen(beginning)) == 0;
}

/*
 * Rates how likely it is that a line of standard error says what a program died of; 0 is least.
 * Runtimes print the error first and then, indented, where it happened; some print their version
 * last.
 */
static int telling(const char *line, size_t length)
{
    if (length == 0)
        return 0;
    if (isspace((unsigned char)*line))
        return 1;
    if (line[length - 1] == ':')
        return 2;
    return names_error(line, length) ? 4 : 3;
}

/*
 * Finds the line of standard error with the highest rating, the last of several. Returns its
 * length: 0 if the bot wrote nothing, or did not end by itself with an error. A runtime that gives
 * up, such as node without memory, exits with an error or aborts. Of a bot that another signal
 * killed, only the line counts that names the place of the crash.
 */
static size_t find_last_words(const struct forfeit *forfeit, const char **words)
{
    const char *text = forfeit->errors, *end = text + forfeit->errors_bytes;
    size_t words_bytes = 0;
    const bool place_only = forfeit->status <= 0 && forfeit->signal != SIGABRT;
    int best = 0;

    *words = text;
    if (place_only && forfeit->signal == 0)
        return 0;
    for (const char *line = text, *next; line < end; line = next) {
        const char *line_end = memchr(line, '\n', (size_t)(end - line));
        size_t length;

        next = line_end ? line_end + 1 : end;
        length = (size_t)((line_end ? line_end : end) - line);
        while (length > 0 && isspace((unsigned char)line[length - 1]))
            length--;
        if (length == 0 || telling(line, length) < best)
            continue;
        if (place_only && !names_place(line, length))
            continue;
        best = telling(line, length);
        *words = line;
        words_bytes = length;
    }
    for (; words_bytes > 0 && isspace((unsigned char)**words); words_bytes--)
        ++*words;
    return words_bytes;
}

static void print_head(FILE *stream, const struct forfeit *forfeit, int seat, const char *name,
                       const char *as)
{
    fprintf(stream, "    seat %d, ", seat);
    plain_text_print(stream, name, strlen(name), WIRE_NAME_BYTES_MAX);
    if (forfeit->turn == FORFEIT_NOT_KNOWN)
        fprintf(stream, ", is out before the first turn: ");
    else
        fprintf(stream, ", is out at turn %" PRId64 ": ", forfeit->turn);
    forfeit_text_cause(stream, forfeit);
    plain_text_printf(stream, "%s%s\n", as ? ", as in " : "", as ? as : "");
}

void forfeit_text_cause(FILE *stream, const struct forfeit *forfeit)
{
    const char *words;
    size_t words_bytes = find_last_words(forfeit, &words);

    plain_text_printf(stream, "%s: %s", wire_reason_name(forfeit->reason), forfeit->words);
    if (*forfeit->call)
        plain_text_printf(stream, " (%s)", forfeit->call);
    if (forfeit->status != FORFEIT_NOT_KNOWN)
        fprintf(stream, " (status %d)", forfeit->status);
    if (forfeit->signal)
        plain_text_printf(stream, " (signal %d, %s)", forfeit->signal, strsignal(forfeit->signal));
    if (words_bytes > 0)
        fputs(": ", stream);
    plain_text_print(stream, words, words_bytes, LAST_WORDS_CHARS);
}

/* True if two texts are equal up to the first digit or bracket. */
static bool are_alike(const char *a, size_t a_size, const char *b, size_t b_size)
{
    static const char ends[] = "0123456789[";
    size_t same = 0;

    while (same < a_size && same < b_size && a[same] == b[same] && !strchr(ends, a[same]))
        same++;
    return (same == a_size || strchr(ends, a[same])) && (same == b_size || strchr(ends, b[same]));
}

bool forfeit_text_is_same(const struct forfeit *a, const struct forfeit *b)
{
    const char *a_words, *b_words;
    size_t a_bytes = find_last_words(a, &a_words), b_bytes = find_last_words(b, &b_words);

    return a->reason == b->reason && a->status == b->status && a->signal == b->signal &&
           strcmp(a->call, b->call) == 0 &&
           are_alike(a->words, strlen(a->words), b->words, strlen(b->words)) &&
           are_alike(a_words, a_bytes, b_words, b_bytes);
}

/*
 * Returns how long, at least, other programs kept a late bot of one process from a processor: the
 * words of the forfeit have it in hundredths of the time, rounded down. The deadline moved by that
 * time, so that it is part of delay_us, but not the arena's own delay.
 */
static int64_t find_waited_us(const struct forfeit *forfeit)
{
    static const char before[] = ", waited for a processor ";
    const char *share = strstr(forfeit->words, before);
    int64_t waited_us;

    if (forfeit->reason != WIRE_TIMEOUT || !share || strstr(forfeit->words, "its first process"))
        return 0;
    waited_us = forfeit->wall_us / 100 * strtol(share + strlen(before), NULL, 10);
    return waited_us < forfeit->delay_us ? waited_us : forfeit->delay_us;
}

static void print_times(FILE *stream, const struct forfeit *forfeit)
{
    const int64_t waited_us = find_waited_us(forfeit);

    fputs("      time    ", stream);
    print_ms(stream, forfeit->wall_us);
    if (forfeit->limit_us == FORFEIT_NOT_KNOWN) {
        fputs(", without limit", stream);
    } else {
        fputs(" of ", stream);
        print_ms(stream, forfeit->limit_us);
    }
    if (forfeit->cpu_us != FORFEIT_NOT_KNOWN) {
        fputs(", processor ", stream);
        print_ms(stream, forfeit->cpu_us);
    }
    if (waited_us > 0) {
        fputs(", waited at least ", stream);
        print_ms(stream, waited_us);
        fputs(" for a processor (not charged)", stream);
    }
    fputs(", the arena's own delay at most ", stream);
    print_ms(stream, forfeit->delay_us - waited_us);
    fputc('\n', stream);
}

/* ---- messages ---- */

/* Prints bytes, which JSON cannot express, as hex. */
static void print_hex(FILE *stream, const char *bytes, uint32_t size)
{
    fputc('<', stream);
    for (uint32_t i = 0; i < size; i++)
        fprintf(stream, "%02x", (unsigned char)bytes[i]);
    fputc('>', stream);
}

/* Prints a float with a point or an exponent: 3.0, not 3. */
static void print_float(FILE *stream, double number)
{
    char text[32];

    snprintf(text, sizeof text, "%g", number);
    fprintf(stream, "%s%s", text, strpbrk(text, ".en") ? "" : ".0");
}

/* Prints a value of a scanned message, which is nested at most WIRE_DEPTH_MAX deep. */
static void print_value(FILE *stream, const msgpack_object *value)
{
    switch (value->type) {
    case MSGPACK_OBJECT_NIL:
        fputs("null", stream);
        return;
    case MSGPACK_OBJECT_BOOLEAN:
        fputs(value->via.boolean ? "true" : "false", stream);
        return;
    case MSGPACK_OBJECT_POSITIVE_INTEGER:
        fprintf(stream, "%" PRIu64, value->via.u64);
        return;
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        fprintf(stream, "%" PRId64, value->via.i64);
        return;
    case MSGPACK_OBJECT_FLOAT32:
    case MSGPACK_OBJECT_FLOAT64:
        print_float(stream, value->via.f64);
        return;
    case MSGPACK_OBJECT_STR:
        fputc('"', stream);
        fwrite(value->via.str.ptr, 1, value->via.str.size, stream);
        fputc('"', stream);
        return;
    case MSGPACK_OBJECT_BIN:
        print_hex(stream, value->via.bin.ptr, value->via.bin.size);
        return;
    case MSGPACK_OBJECT_EXT:
        print_hex(stream, value->via.ext.ptr, value->via.ext.size);
        return;
    case MSGPACK_OBJECT_ARRAY:
        for (uint32_t i = 0; i < value->via.array.size; i++) {
            fputs(i > 0 ? ", " : "[", stream);
            print_value(stream, &value->via.array.ptr[i]);
        }
        fputs(value->via.array.size ? "]" : "[]", stream);
        return;
    case MSGPACK_OBJECT_MAP:
        for (uint32_t i = 0; i < value->via.map.size; i++) {
            fputs(i > 0 ? ", " : "{", stream);
            print_value(stream, &value->via.map.ptr[i].key);
            fputs(": ", stream);
            print_value(stream, &value->via.map.ptr[i].val);
        }
        fputs(value->via.map.size ? "}" : "{}", stream);
        return;
    }
}

void forfeit_text_print_message(FILE *stream, const uint8_t *bytes, size_t size, size_t limit_chars)
{
    struct wire_scan scan = {0};
    msgpack_unpacked message;
    char *text = NULL;
    size_t text_bytes;
    FILE *whole;

    if (wire_scan(&scan, bytes, size) != WIRE_SCAN_COMPLETE) {
        plain_text_print(stream, bytes, size, limit_chars);
        return;
    }
    whole = memory_stream(&text, &text_bytes);
    msgpack_unpacked_init(&message);
    if (msgpack_unpack_next(&message, (const char *)bytes, scan.offset, NULL) ==
        MSGPACK_UNPACK_SUCCESS)
        print_value(whole, &message.data);
    msgpack_unpacked_destroy(&message);
    if (scan.offset < size) /* bytes follow the message */
        fputs(" + ", whole);
    fwrite(bytes + scan.offset, 1, size - scan.offset, whole);
    memory_stream_end(whole);
    plain_text_print(stream, text, text_bytes, limit_chars);
    free(text);
}

static void print_message(FILE *stream, const char *what, const uint8_t *bytes, size_t size,
                          const struct forfeit_whole *whole)
{
    plain_text_printf(stream, "      %-8s", what);
    if (size == 0) {
        fputs("nothing\n", stream);
        return;
    }
    fprintf(stream, "%" PRIu64 " bytes: ", whole->bytes);
    if (forfeit_left_out(whole, size))
        plain_text_print(stream, bytes, size, MESSAGE_CHARS);
    else
        forfeit_text_print_message(stream, bytes, size, MESSAGE_CHARS);
    fputc('\n', stream);
}

/* Prints the position of the request as a line of notation, if the record has the whole request. */
static void print_position(FILE *stream, const struct forfeit *forfeit)
{
    struct {
        struct wire_turn turn;
        struct action actions[GAME_ACTIONS_MAX];
        struct wire_event events[WIRE_EVENTS_MAX];
    } *read = malloc(sizeof *read);
    const uint8_t seed[GAME_SEED_BYTES] = {0};
    char text[NOTATION_POSITION_BYTES];
    struct game game;

    if (read && !forfeit_left_out(&forfeit->request_whole, forfeit->request_bytes) &&
        !wire_unpack_turn(forfeit->request, forfeit->request_bytes, &read->turn, read->actions,
                          read->events) &&
        !game_from_position(&game, &read->turn.state, seed)) {
        notation_write_position(&read->turn.state, text);
        plain_text_printf(stream, "      %-8s%s\n", "where", text);
    }
    free(read);
}

/*
 * Prints the end of standard error, line by line. Marks the first line if its beginning is missing.
 */
static void print_errors(FILE *stream, const struct forfeit *forfeit)
{
    size_t size = forfeit->errors_bytes;
    size_t at = size > FORFEIT_PART_BYTES ? size - FORFEIT_PART_BYTES : 0;
    const char *text = forfeit->errors;
    const char *what = "stderr", *cut = forfeit->errors_whole.bytes > size - at ? "..." : "";

    for (; at < size; what = cut = "") {
        const char *end = memchr(text + at, '\n', size - at);
        size_t line = end ? (size_t)(end - text) - at : size - at;

        plain_text_printf(stream, "      %-8s%s", what, cut);
        plain_text_print(stream, text + at, line, SIZE_MAX);
        fputc('\n', stream);
        at += line + 1;
    }
}

/* ---- calls that the sandbox refused ---- */

static bool says(const struct forfeit *forfeit, const char *words)
{
    return memmem(forfeit->errors, forfeit->errors_bytes, words, strlen(words)) != NULL;
}

/*
 * Prints what the sandbox refused, by what the bot's runtime said of it: an error that does not
 * name the call.
 */
static void print_refusal(FILE *stream, const struct forfeit *forfeit)
{
#define PROCESS "a second process, it seems: \"processes\" in bot.json allows up to 64"
    static const char *const calls[][2] = {{"socket", "a socket, it seems: a bot has no network"},
                                           {"fork", PROCESS},
                                           {"clone", PROCESS},
                                           {"spawn", PROCESS},
                                           {"", "a system call"}};
    int call = 0;

    if (forfeit->reason != WIRE_EXIT && forfeit->reason != WIRE_CRASH)
        return;
    if (says(forfeit, "start new thread"))
        plain_text_printf(stream, "      refused a thread: threads and processes together may be "
                                  "128 more than \"processes\" in bot.json (1)\n");
    if (!says(forfeit, "peration not permitted") && !says(forfeit, "EPERM"))
        return;
    while (!says(forfeit, calls[call][0]))
        call++;
    plain_text_printf(stream,
                      "      refused %s; `arena check --trace%s BOT` names each call that was "
                      "refused\n",
                      calls[call][1], forfeit->turn > 0 ? " --turns N" : "");
#undef PROCESS
}

/* ---- the command that repeats a forfeit ---- */

/* Characters that need no quotes in a shell's word. */
static const char unquoted[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+:,./-";

/*
 * Writes a space and an argument of a shell's command: prefix, which needs no quotes, and word, in
 * quotes if necessary.
 */
static void print_word(FILE *stream, const char *prefix, const char *word)
{
    fputc(' ', stream);
    fputs(prefix, stream);
    if (*word && word[strspn(word, unquoted)] == '\0') {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            fputc(*word, stream);
    }
    fputc('\'', stream);
}

char *rerun_command_text(const struct rerun_command *command, int64_t turn, int seat)
{
    char *text = NULL;
    size_t size;
    FILE *stream;

    if (!command->replay)
        return NULL;
    stream = memory_stream(&text, &size);
    print_word(stream, "", command->program);
    fputs(" replay", stream);
    /* A file name that begins with "-" must not look like an option. */
    print_word(stream, *command->replay == '-' ? "./" : "", command->replay);
    if (turn == FORFEIT_NOT_KNOWN)
        fprintf(stream, " --at hello --seat %d", seat);
    else
        fprintf(stream, " --at %" PRId64, turn);
    fputs(command->bot ? " --bot" : " --request", stream);
    if (command->bot)
        print_word(stream, "", command->bot);
    if (command->options)
        plain_text_printf(stream, " %s", command->options);
    memory_stream_end(stream);
    memmove(text, text + 1, size); /* removes the space before the first word */
    return text;
}

/* ---- the paragraph ---- */

/* Prints the commands with which the bot's author can repeat the forfeit. */
static void print_again(FILE *stream, const struct forfeit *forfeit, int seat,
                        const struct rerun_command *again)
{
    struct rerun_command request = {.program = again->program, .replay = again->replay};
    char *text = rerun_command_text(again, forfeit->turn, seat);

    plain_text_printf(stream, "      again   %s\n",
                      text ? text
                           : "`arena check` and `arena match` with --replays DIR keep the game "
                             "and print here the command that replays it");
    free(text);
    text = forfeit->reason == WIRE_EXIT || forfeit->reason == WIRE_CRASH
               ? rerun_command_text(&request, forfeit->turn, seat)
               : NULL;
    if (text)
        plain_text_printf(
            stream,
            "      debug   %s >turn.msgpack writes the bot's input for gdb, pdb, node "
            "inspect, ... (docs/bots.md)\n",
            text);
    free(text);
}

void forfeit_text_print(FILE *stream, const struct forfeit *forfeit, int seat, const char *name,
                        const struct rerun_command *again, const char *as)
{
    print_head(stream, forfeit, seat, name, as);
    if (!as) {
        print_times(stream, forfeit);
        print_message(stream, "asked", forfeit->request, forfeit->request_bytes,
                      &forfeit->request_whole);
        print_position(stream, forfeit);
        print_message(stream, "wrote", forfeit->reply, forfeit->reply_bytes, &forfeit->reply_whole);
        print_errors(stream, forfeit);
        print_refusal(stream, forfeit);
    }
    if (again)
        print_again(stream, forfeit, seat, again);
}
