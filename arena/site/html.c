#include "arena/site/html.h"

#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "arena/replay/plain_text.h"
#include "arena/site/folder.h"

void html_plain(FILE *page, const char *plain)
{
    static const char special[] = "&<>\"'";
    static const char *const references[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};

    for (; *plain; plain++) {
        const char *found = strchr(special, *plain);

        if (found)
            fputs(references[found - special], page);
        else
            fputc(*plain, page);
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

    /*
     * In JSON, '<' occurs only inside strings, where the escape \u003c means '<'. Without '<', no
     * tag can begin.
     */
    for (const char *at = text; at && *at; at++)
        if (*at == '<')
            fputs("\\u003c", page);
        else
            fputc(*at, page);
    free(text);
}

void html_ms(FILE *page, int64_t ms)
{
    bool whole = ms >= 1000 && ms % 1000 == 0;

    fprintf(page, whole ? "%lld s" : "%lld ms", (long long)(whole ? ms / 1000 : ms));
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

void html_table_begin(FILE *page, const char *label, const char *const *headings)
{
    bool sorts = false;

    for (int i = 0; headings[i]; i++)
        sorts = sorts || headings[i][0] == '>';
    fprintf(page, "<section class=\"wide\" tabindex=\"0\" aria-label=\"%s\"><table%s><thead><tr>",
            label, sorts ? " class=\"sorts\"" : "");
    for (int i = 0; headings[i]; i++) {
        const char *text = headings[i] + strspn(headings[i], "<.>");

        fprintf(page, "<th scope=\"col\"%s>%s</th>",
                headings[i][0] == '<'   ? " class=\"left\""
                : headings[i][0] == '.' ? " class=\"when\""
                : headings[i][0] == '>' ? " data-down=\"1\""
                                        : "",
                text);
    }
    fputs("</tr></thead><tbody>\n", page);
}

void html_table_end(FILE *page)
{
    fputs("</tbody></table></section>\n", page);
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
        html_bytes(page, contact, plain, plain);
        fputs(web ? "<a href=\"" : "<a href=\"mailto:", page);
        html_bytes(page, address, size, size);
        fputs("\">", page);
        html_bytes(page, address, size, size);
        fputs("</a>", page);
        contact = address + size;
        plain = 0;
        inside = true;
    }
    html_text(page, contact);
}

/* ---- pages ---- */

extern const char site_pages_css[];
extern const char site_pages_js[];

static struct page_code pages = {site_pages_js, site_pages_css, .form = 17};

static bool links_live;
static const char *page_contact; /* NULL: unknown */

void page_set_terms(bool links, const char *contact)
{
    links_live = links;
    page_contact = contact;
}

void page_live_link(FILE *page)
{
    if (links_live)
        fputs("<a href=\"/live\">Live games</a>\n", page);
}

uint64_t page_form(void)
{
    uint64_t form = page_code_form(&pages) ^ (uint64_t)links_live;

    return page_contact ? folder_sum(form, page_contact, strlen(page_contact)) : form;
}

uint64_t page_code_form(const struct page_code *code)
{
    uint64_t form = folder_sum((uint64_t)code->form, code->style, strlen(code->style));

    return folder_sum(form, code->script, strlen(code->script));
}

/* Writes the source "sha256-..." that allows this script or style in a Content-Security-Policy. */
static void hash_source(const char *source, char hash[static HTML_HASH_BYTES])
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

void page_head(FILE *page, struct page_code *code)
{
    if (!*code->script_hash) {
        hash_source(code->script, code->script_hash);
        hash_source(code->style, code->style_hash);
    }
    fprintf(page,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "script-src '%s'%s; style-src '%s'; img-src data:; frame-src 'self'; base-uri 'none'; "
            "form-action 'none'\">\n",
            code->script_hash, code->runs_modules ? " 'wasm-unsafe-eval'" : "", code->style_hash);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta name=\"referrer\" content=\"no-referrer\">\n"
          "<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' "
          "viewBox='-9 -9 18 18'%3E%3Cpath d='M0-8 4.6 0 0 8-4.6 0z' fill='%23d55e00'/%3E%3C/svg%3E"
          "\">\n",
          page);
}

void page_begin(FILE *page, const char *title, const struct page_link *links, const char *feed)
{
    page_head(page, &pages);
    if (feed) {
        fputs("<link rel=\"alternate\" type=\"application/atom+xml\" href=\"", page);
        html_text(page, feed);
        fputs("\">\n", page);
    }
    fputs("<title>", page);
    html_text(page, title);
    fprintf(page, "</title>\n<style>%s</style>\n</head>\n<body>\n<nav aria-label=\"Up\">",
            site_pages_css);
    if (!links->text)
        fputs("<strong>Pavilion</strong>", page);
    for (; links->text; links++) {
        fputs("<a href=\"", page);
        html_text(page, links->target);
        fputs("\">", page);
        html_text(page, links->text);
        fputs("</a> ", page);
    }
    page_live_link(page);
    fputs("</nav>\n<main>\n<h1>", page);
    html_text(page, title);
    fputs("</h1>\n", page);
}

void page_end(FILE *page)
{
    fputs("</main>\n", page);
    if (page_contact) {
        fputs("<footer>Questions, or something wrong? Ask the organizer: ", page);
        html_contact(page, page_contact);
        fputs("</footer>\n", page);
    }
    fprintf(page, "<script>%s</script>\n</body>\n</html>\n", site_pages_js);
}
