/* SPDX-License-Identifier: MIT */
#include "arena/site/html.h"

#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/memory.h"
#include "arena/base/plain_text.h"

/* Returns what stands for a character that markup has a use for; NULL for any other character. */
static const char *reference_of(char character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    }
    return NULL;
}

/* Writes text that is printable; escapes markup. */
static void write_plain(FILE *page, const char *plain, size_t size)
{
    for (size_t copied = 0; size > 0; plain += copied, size -= copied) {
        const char *reference = reference_of(*plain);

        for (copied = 1; !reference && copied < size && !reference_of(plain[copied]); copied++)
            ;
        if (reference)
            fputs(reference, page);
        else
            fwrite(plain, 1, copied, page);
    }
}

void html_bytes(FILE *page, const void *bytes, size_t size)
{
    const char *text = bytes;
    char *plain = NULL;
    size_t plain_bytes, ascii = 0;
    FILE *stream;

    while (ascii < size && text[ascii] >= ' ' && text[ascii] <= '~')
        ascii++;
    if (ascii == size) {
        write_plain(page, text, size);
        return;
    }
    stream = memory_stream(&plain, &plain_bytes);
    plain_text_print(stream, bytes, size, SIZE_MAX);
    memory_stream_end(stream);
    write_plain(page, plain, plain_bytes);
    free(plain);
}

void html_json(FILE *page, const json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);

    /*
     * In JSON, '<' occurs only inside strings, where the escape \u003c means '<'. Without '<', no
     * tag can begin.
     */
    for (const char *at = text; at && *at;) {
        size_t copied = strcspn(at, "<");

        fwrite(at, 1, copied, page);
        at += copied;
        if (*at) {
            fputs("\\u003c", page);
            at++;
        }
    }
    free(text);
}

void html_ms(FILE *page, int64_t ms)
{
    bool whole = ms >= 1000 && ms % 1000 == 0;

    fprintf(page, whole ? "%lld s" : "%lld ms", (long long)(whole ? ms / 1000 : ms));
}

void html_us(FILE *page, int64_t us)
{
    if (us > 0 && us % 1000 == 0)
        html_ms(page, us / 1000);
    else
        fprintf(page, "%.1f ms", (double)us / 1000);
}

void html_count(FILE *page, int64_t count)
{
    if (count < 1000) {
        fprintf(page, "%d", (int)count);
        return;
    }
    html_count(page, count / 1000);
    fprintf(page, ",%03d", (int)(count % 1000));
}

void html_time(FILE *page, const char *utc)
{
    const size_t size = strlen(utc);

    fputs("<time datetime=\"", page);
    html_bytes(page, utc, size);
    fputs("\">", page);
    html_bytes(page, utc, strcspn(utc, "T"));
    fputs(" ", page);
    html_bytes(page, utc + (size > 11 ? 11 : size), size > 16 ? 5 : 0);
    fputs(" UTC</time>", page);
}

void html_hash(const char *source, char hash[static HTML_HASH_BYTES])
{
    char text[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1] = "";
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx context;

    sha256_init(&context);
    sha256_update(&context, strlen(source), (const uint8_t *)source);
    sha256_digest(&context, sizeof digest, digest);
    base64_encode_raw(text, sizeof digest, digest);
    snprintf(hash, HTML_HASH_BYTES, "sha256-%s", text);
}

/* ---- contact ---- */

static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* Returns the length of the web address that the words begin with; 0 if there is none. */
static size_t web_size(const char *words)
{
    size_t scheme = strncmp(words, "https://", 8) == 0  ? 8
                    : strncmp(words, "http://", 7) == 0 ? 7
                                                        : 0;
    size_t size = scheme;

    while (scheme > 0 &&
           (strchr(letters, words[size]) || strchr("-._~:/?#@!$&*+,;=%", words[size])) &&
           words[size])
        size++;
    while (size > scheme && strchr(".,:;!?", words[size - 1])) /* the end of a sentence */
        size--;
    return size > scheme ? size : 0;
}

/* Returns the length of the mail address that the words begin with; 0 if there is none. */
static size_t mail_size(const char *words)
{
    size_t name = 0, size;

    while (words[name] && (strchr(letters, words[name]) || strchr("._+-", words[name])))
        name++;
    if (name == 0 || words[name] != '@')
        return 0;
    size = name + 1;
    while (words[size] && (strchr(letters, words[size]) || strchr(".-", words[size])))
        size++;
    if (words[size] == '@' || (unsigned char)words[size] >= 0x80)
        return 0;
    while (strchr(".-", words[size - 1]))
        size--;
    return size > name + 1 ? size : 0;
}

void html_contact(FILE *page, const char *contact)
{
    size_t plain = 0; /* bytes before the next link */

    for (bool inside = false; contact[plain];) { /* inside a word, where no address begins */
        const char *address = contact + plain;
        size_t web = inside ? 0 : web_size(address), mail = inside ? 0 : mail_size(address);
        size_t size = web ? web : mail;

        if (size == 0) {
            inside = (unsigned char)*address >= 0x80 || strchr(letters, *address) ||
                     strchr("._+-@/", *address);
            plain++;
            continue;
        }
        html_bytes(page, contact, plain);
        fputs(web ? "<a href=\"" : "<a href=\"mailto:", page);
        html_bytes(page, address, size);
        fputs("\">", page);
        html_bytes(page, address, size);
        fputs("</a>", page);
        contact = address + size;
        plain = 0;
        inside = true;
    }
    html_bytes(page, contact, plain);
}
