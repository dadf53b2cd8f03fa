#include "arena/replay/forfeit_text.h"

#include <inttypes.h>
#include <string.h>

#include "arena/replay/plain_text.h"

enum {
    MESSAGE_CHARS = 400, /* shown of a message; all of it is in the JSON */
    ERROR_LINES = 10,    /* shown of standard error */
    ERROR_CHARS = 200,   /* of each of them */
};

static void print_ms(FILE *stream, int64_t us)
{
    fprintf(stream, "%" PRId64 ".%" PRId64 " ms", us / 1000, us % 1000 / 100);
}

static void print_head(FILE *stream, const struct forfeit *forfeit, int seat, const char *name)
{
    fprintf(stream, "    seat %d, ", seat);
    plain_text_print(stream, name, strlen(name), WIRE_NAME_BYTES_MAX);
    if (forfeit->turn == FORFEIT_NOT_KNOWN)
        fprintf(stream, ", is out before the first turn: ");
    else
        fprintf(stream, ", is out at turn %" PRId64 ": ", forfeit->turn);
    plain_text_printf(stream, "%s: %s", wire_reason_name(forfeit->reason), forfeit->words);
    if (*forfeit->call)
        plain_text_printf(stream, " (%s)", forfeit->call);
    if (forfeit->status != FORFEIT_NOT_KNOWN)
        fprintf(stream, " (status %d)", forfeit->status);
    if (forfeit->signal)
        plain_text_printf(stream, " (signal %d, %s)", forfeit->signal, strsignal(forfeit->signal));
    fputc('\n', stream);
}

static void print_times(FILE *stream, const struct forfeit *forfeit)
{
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
    fputs(", the arena's own delay at most ", stream);
    print_ms(stream, forfeit->delay_us);
    fputc('\n', stream);
}

static void print_message(FILE *stream, const char *what, const uint8_t *bytes, size_t size)
{
    plain_text_printf(stream, "      %-8s", what);
    if (size == 0) {
        fputs("nothing\n", stream);
        return;
    }
    fprintf(stream, "%zu bytes: ", size);
    plain_text_print_message(stream, bytes, size, MESSAGE_CHARS);
    fputc('\n', stream);
}

/* Where the last ERROR_LINES lines begin. */
static size_t last_lines(const char *text, size_t size)
{
    size_t lines = 0;

    for (size_t at = size; at > 0; at--)
        if (text[at - 1] == '\n' && at < size && ++lines == ERROR_LINES)
            return at;
    return 0;
}

static void print_errors(FILE *stream, const char *text, size_t size)
{
    const char *what = "stderr";

    for (size_t at = last_lines(text, size); at < size; what = "") {
        const char *end = memchr(text + at, '\n', size - at);
        size_t line = end ? (size_t)(end - text) - at : size - at;

        plain_text_printf(stream, "      %-8s", what);
        plain_text_print(stream, text + at, line, ERROR_CHARS);
        fputc('\n', stream);
        at += line + 1;
    }
}

void forfeit_text_print(FILE *stream, const struct forfeit *forfeit, int seat, const char *name,
                        const char *again)
{
    print_head(stream, forfeit, seat, name);
    print_times(stream, forfeit);
    print_message(stream, "asked", forfeit->request, forfeit->request_bytes);
    print_message(stream, "wrote", forfeit->reply, forfeit->reply_bytes);
    print_errors(stream, forfeit->errors, forfeit->errors_bytes);
    if (again)
        plain_text_printf(stream, "      again   %s\n", again);
}
