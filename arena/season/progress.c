#include "arena/season/progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

struct writing {
    char *line;
    size_t length;
};

static void append(struct writing *writing, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append(struct writing *writing, const char *format, ...)
{
    size_t room = PROGRESS_LINE_BYTES - writing->length;
    va_list arguments;
    int added;

    va_start(arguments, format);
    added = vsnprintf(writing->line + writing->length, room, format, arguments);
    va_end(arguments);
    if (added > 0)
        writing->length += (size_t)added < room ? (size_t)added : room - 1;
}

static void append_left(struct writing *writing, double seconds)
{
    if (seconds < 100)
        append(writing, ", %.0f s left", seconds);
    else if (seconds < 100 * 60)
        append(writing, ", %.0f min left", seconds / 60);
    else
        append(writing, ", %.1f h left", seconds / 3600);
}

void progress_write(const struct progress *progress, size_t columns,
                    char line[static PROGRESS_LINE_BYTES])
{
    struct writing writing = {line, 0};
    double seconds = (double)progress->run_us / 1e6;
    double rate = seconds > 0 ? (double)progress->run_count / seconds : 0;

    append(&writing, "%" PRId64 "/%" PRId64 " games", progress->done_count, progress->budget_games);
    if (progress->ending) {
        append(&writing, ", ending (Ctrl-C again: at once)");
    } else if (rate > 0) {
        append(&writing, ", %.1f a second", rate);
        append_left(&writing, (double)(progress->budget_games - progress->done_count) / rate);
    }
    append(&writing, ", %" PRId64 " forfeit%s", progress->forfeit_count,
           progress->forfeit_count == 1 ? "" : "s");
    for (int i = 0; i < progress->top_count; i++)
        append(&writing, "%s %s %.0f", i ? "," : ";", progress->top_names[i], progress->top_elo[i]);
    if (writing.length > columns)
        line[columns] = '\0'; /* names are ASCII, so this cannot split a character */
}
