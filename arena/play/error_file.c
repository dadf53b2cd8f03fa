#include "arena/play/error_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/place.h"

/* True if the bot's name has only characters that are harmless in a path. Names are untrusted. */
static bool is_plain(const char *name)
{
    return *name && name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789-_")] == '\0';
}

static void write_tail(FILE *file, const struct tail *errors)
{
    static char last[TAIL_HEAD_BYTES + TAIL_RING_BYTES];
    size_t size = tail_last(errors, last, sizeof last);

    if (size < errors->total_bytes) {
        size_t head = sizeof errors->head;

        fwrite(errors->head, 1, head, file);
        fprintf(file, "\n[%" PRIu64 " bytes are missing here]\n",
                errors->total_bytes - head - size);
    }
    fwrite(last, 1, size, file);
}

int error_file_write(const char *folder, const char *match, int seat, const char *name,
                     const struct tail *errors)
{
    const bool plain = is_plain(name);
    char *path = NULL, *text = NULL;
    size_t size;
    FILE *file;
    int result;

    if (errors->total_bytes == 0)
        return 0;
    file = open_memstream(&text, &size);
    if (!file)
        return -ENOMEM;
    write_tail(file, errors);
    result = fclose(file) == 0 && asprintf(&path, "%s/%s-%d%s%s.log", folder, match, seat,
                                           plain ? "-" : "", plain ? name : "") >= 0
                 ? place_write_over(path, text, size, NULL)
                 : -ENOMEM;
    free(path);
    free(text);
    return result;
}
