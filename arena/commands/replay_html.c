#include "arena/commands/replay_html.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/commands.h"
#include "arena/replay/plain_text.h"
#include "arena/site/viewer.h"

static int put(const char *file, const char *page, size_t size)
{
    int result;

    if (strcmp(file, "-") == 0) {
        fwrite(page, 1, size, stdout); /* command_finish_output reports an error */
        return COMMAND_DONE;
    }
    result = viewer_put(file, page, size);
    if (result == -EEXIST)
        return command_refuse("%s: exists and is not a page; choose another name", file);
    if (result < 0)
        return command_refuse("%s: %s: name a file that can be written", file, strerror(-result));
    plain_text_printf(stdout, "%s: open it in a browser\n", file);
    return COMMAND_DONE;
}

int replay_html_write(const struct replay *replay, const uint8_t *bytes, size_t size,
                      const char *path, const char *file)
{
    const struct viewer_page viewer = {
        .replay = replay, .bytes = bytes, .size = size, .path = path};
    char error[REPLAY_ERROR_BYTES];
    char *page = NULL;
    size_t page_bytes;
    FILE *stream = open_memstream(&page, &page_bytes);
    int status;

    if (!stream)
        return command_fail("%s: out of memory", path);
    status = viewer_write(stream, &viewer, error);
    if (fclose(stream) != 0)
        status = command_fail("%s: out of memory", path);
    else if (status < 0)
        status = command_fail("%s: %s", path, error);
    else
        status = put(file, page, page_bytes);
    free(page);
    return status;
}
