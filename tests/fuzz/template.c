/* SPDX-License-Identifier: MIT */
/*
 * A template up to a NUL byte and JSON behind it. Whatever the template is, the values become no
 * markup: without the braces' text, the page has the tags of the template alone.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arena/site/template.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *nul = memchr(bytes, 0, size);
    size_t template_size = nul ? (size_t)(nul - bytes) : size;
    struct templates *templates = templates_create();
    char error[TEMPLATE_ERROR_BYTES] = "", *text = NULL;
    json_t *data =
        nul ? json_loadb((const char *)nul + 1, size - template_size - 1, 0, NULL) : NULL;
    size_t text_size;
    FILE *stream = open_memstream(&text, &text_size);
    int result;

    require(templates && stream);
    result = templates_add(templates, "page.html", (const char *)bytes, template_size, error);
    require((result == 0) == !*error);
    if (result == 0 && data) {
        result = templates_write(templates, "page", data, stream, error);
        require((result == 0) == !*error);
    }
    fclose(stream);
    /* A value "<x" in the data is the only way to this text, unless the template has it. */
    if (result == 0 && data && !memmem(bytes, template_size, "<x", 2) &&
        !memmem(bytes, template_size, ":raw", 4))
        require(!memmem(text, text_size, "<x", 2));
    free(text);
    json_decref(data);
    templates_destroy(templates);
    return 0;
}
