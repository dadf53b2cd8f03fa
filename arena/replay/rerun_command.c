#include "arena/replay/rerun_command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/forfeit.h"

/* Characters that need no quoting in a shell, anywhere in a word. */
static const char plain[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+:,./-";

/*
 * Writes a space and one word, quoted so that a shell reads exactly prefix and word. prefix needs
 * no quoting.
 */
static void print_word(FILE *stream, const char *prefix, const char *word)
{
    fprintf(stream, " %s", prefix);
    if (*word && word[strspn(word, plain)] == '\0') {
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

char *rerun_command_text(const struct rerun_command *command)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    if (!stream)
        return NULL;
    print_word(stream, "", command->program);
    fputs(" replay", stream);
    /* A file "-x" must not look like an option. */
    print_word(stream, *command->replay == '-' ? "./" : "", command->replay);
    if (command->turn == FORFEIT_NOT_KNOWN)
        fprintf(stream, " --at hello --seat %d", command->seat);
    else
        fprintf(stream, " --at %" PRId64, command->turn);
    fputs(" --bot", stream);
    print_word(stream, "", command->bot);
    if (command->options && *command->options)
        fprintf(stream, " %s", command->options);
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    memmove(text, text + 1, size); /* removes the space before the first word */
    return text;
}
