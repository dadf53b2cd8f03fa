#include "arena/site/html.h"

#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/plain_text.h"

void html_plain(FILE *page, const char *plain)
{
    for (; *plain; plain++) {
        switch (*plain) {
        case '&':
            fputs("&amp;", page);
            break;
        case '<':
            fputs("&lt;", page);
            break;
        case '>':
            fputs("&gt;", page);
            break;
        case '"':
            fputs("&quot;", page);
            break;
        case '\'':
            fputs("&#39;", page);
            break;
        default:
            fputc(*plain, page);
        }
    }
}

void html_bytes(FILE *page, const void *bytes, size_t size, size_t limit_chars)
{
    char *plain = NULL;
    size_t plain_bytes;
    FILE *stream = open_memstream(&plain, &plain_bytes);

    if (!stream)
        return;
    plain_text_print(stream, bytes, size, limit_chars);
    if (fclose(stream) == 0)
        html_plain(page, plain);
    free(plain);
}

void html_text(FILE *page, const char *text)
{
    html_bytes(page, text, strlen(text), SIZE_MAX);
}

void html_format(FILE *page, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    int size;

    va_start(arguments, format);
    size = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (size < 0)
        return;
    html_text(page, text);
    free(text);
}

void html_json(FILE *page, const json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);

    /* '<' can occur only inside strings, where an escape is valid; without it no tag can begin. */
    for (const char *at = text; at && *at; at++)
        if (*at == '<')
            fputs("\\u003c", page);
        else
            fputc(*at, page);
    free(text);
}

void html_base64(FILE *page, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        size_t part = size < 48 ? size : 48;
        char text[BASE64_ENCODE_RAW_LENGTH(48)];

        base64_encode_raw(text, part, bytes);
        fwrite(text, 1, BASE64_ENCODE_RAW_LENGTH(part), page);
        bytes += part;
        size -= part;
    }
}

void html_hash(const char *source, char hash[static HTML_HASH_BYTES])
{
    static const char prefix[] = "sha256-";
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx context;

    sha256_init(&context);
    sha256_update(&context, strlen(source), (const uint8_t *)source);
    sha256_digest(&context, sizeof digest, digest);
    memcpy(hash, prefix, sizeof prefix);
    base64_encode_raw(hash + sizeof prefix - 1, sizeof digest, digest);
    hash[sizeof prefix - 1 + BASE64_ENCODE_RAW_LENGTH(sizeof digest)] = '\0';
}
