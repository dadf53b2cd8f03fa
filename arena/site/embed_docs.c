/* SPDX-License-Identifier: MIT */
/*
 * A program that the project's build runs: writes documents in Markdown as the site's pages of
 * them, and other files as they are, as an array of struct site_document (documents.h):
 *
 *     embed_docs NAME FILE... >NAME.c
 *
 * md4c makes the HTML; this program gives headings their anchors, tables a place to scroll in, and
 * mends links: NAME.md leads to NAME.html, pictures become part of the page, and a document that
 * the site does not serve is named without a link. A link to a heading that does not exist, or to
 * any other file, fails the build: no page has a dead link.
 */
#include <ctype.h>
#include <md4c-html.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/memory.h"

enum {
    DOCUMENTS_MAX = 32,
    LINKS_MAX = 4096,
    NAME_BYTES = 128,
};

struct document {
    const char *path;
    char name[NAME_BYTES]; /* NAME.md has the name "NAME", other files that of the file */
    bool is_page;
    char *text; /* what the file contains, then what the page shows */
    size_t size;
    char title[NAME_BYTES];
};

/* "NAME#ANCHOR", where document NAME has a heading, or a link leads. */
struct place {
    char name[2 * NAME_BYTES];
    const struct document *from;
};

static struct document documents[DOCUMENTS_MAX];
static struct place headings[LINKS_MAX], links[LINKS_MAX];
static int document_count, heading_count, link_count, failed;

static void fail(const struct document *document, const char *what, const char *name)
{
    fprintf(stderr, "%s: %s: %s\n", document->path, name, what);
    failed = 1;
}

static void add_place(struct place *places, int *count, const struct document *from,
                      const char *name, const char *anchor)
{
    if (*count == LINKS_MAX || snprintf(places[*count].name, sizeof places->name, "%s#%s", name,
                                        anchor) >= (int)sizeof places->name)
        fail(from, "too many or too long", name);
    else
        places[(*count)++].from = from;
}

static bool has_place(const char *name)
{
    for (int i = 0; i < heading_count; i++)
        if (strcmp(headings[i].name, name) == 0)
            return true;
    return false;
}

static const struct document *find_document(const char *name)
{
    for (int i = 0; i < document_count; i++)
        if (strcmp(documents[i].name, name) == 0)
            return &documents[i];
    return NULL;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- reading ---- */

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    ssize_t got = file ? getdelim(&text, &room, '\0', file) : -1;

    if (got < 0) {
        perror(path);
        exit(1);
    }
    fclose(file);
    *size = (size_t)got;
    return text;
}

static void take_html(const MD_CHAR *text, MD_SIZE size, void *stream)
{
    fwrite(text, 1, size, stream);
}

static void read_document(const char *path)
{
    struct document *document = &documents[document_count++];
    const char *slash = strrchr(path, '/');
    char *source, *dot;
    FILE *stream;

    document->path = path;
    snprintf(document->name, sizeof document->name, "%s", slash ? slash + 1 : path);
    dot = strrchr(document->name, '.');
    document->text = source = read_file(path, &document->size);
    document->is_page = dot && strcmp(dot, ".md") == 0;
    if (!document->is_page)
        return;
    *dot = '\0';
    stream = memory_stream(&document->text, &document->size);
    if (md_html(source, (MD_SIZE)strlen(source), take_html, stream, MD_FLAG_TABLES | MD_FLAG_NOHTML,
                0) != 0)
        fail(document, "cannot be read", "Markdown");
    memory_stream_end(stream);
    free(source);
}

/* ---- the parts of a page ---- */

/* The anchor of a heading, as those who show Markdown make it. */
static void make_anchor(const char *inner, const char *end, char anchor[static NAME_BYTES])
{
    size_t size = 0;

    for (; inner < end && size + 1 < NAME_BYTES; inner++) {
        if (*inner == '<')
            inner = strchr(inner, '>');
        else if (*inner == '&')
            inner = strchr(inner, ';');
        else if (*inner == ' ')
            anchor[size++] = '-';
        else if (isalnum((unsigned char)*inner) || *inner == '-' || *inner == '_')
            anchor[size++] = (char)tolower((unsigned char)*inner);
    }
    anchor[size] = '\0';
}

/* Writes a heading as a link to itself, and of the second level also to the list of contents. */
static const char *write_heading(struct document *document, const char *at, FILE *page,
                                 FILE *contents)
{
    const char *inner = at + strlen("<h1>"), *end = strstr(inner, "</h");
    const int size = (int)(end - inner);
    char anchor[NAME_BYTES], place[2 * NAME_BYTES];

    if (at[2] == '1') {
        snprintf(document->title, sizeof document->title, "%.*s", size, inner);
        if (strpbrk(document->title, "<&"))
            fail(document, "a title is plain text", document->title);
        return end + strlen("</h1>");
    }
    make_anchor(inner, end, anchor);
    snprintf(place, sizeof place, "%s#%s", document->name, anchor);
    if (has_place(place))
        fail(document, "two headings have this anchor", anchor);
    add_place(headings, &heading_count, document, document->name, anchor);
    fprintf(page, "<h%c id=\"%s\"><a href=\"#%s\">%.*s</a>", at[2], anchor, anchor, size, inner);
    if (at[2] == '2')
        fprintf(contents, "<li><a href=\"#%s\">%.*s</a></li>\n", anchor, size, inner);
    return end;
}

/* Writes a link, or only its words if it leads to a document that the site does not serve. */
static const char *write_link(struct document *document, const char *at, FILE *page)
{
    const char *address = at + strlen("<a href=\""), *inner = strchr(address, '>') + 1;
    const char *end = strstr(inner, "</a>"), *anchor;
    const struct document *to = document;
    char name[NAME_BYTES];
    int words = (int)(end - inner);

    snprintf(name, sizeof name, "%.*s", (int)strcspn(address, "\"#"), address);
    anchor = address + strlen(name);
    if (begins(name, "https://")) {
        fprintf(page, "<a href=\"%.*s\">", (int)strcspn(address, "\""), address);
    } else {
        char *dot = strrchr(name, '.');
        const bool is_page = dot && strcmp(dot, ".md") == 0;

        if (is_page)
            *dot = '\0';
        to = *name ? find_document(name) : document;
        if (words > 3 && begins(end - 3, ".md"))
            words -= 3;
        if (!to && !is_page)
            fail(document, "leads to a file that the site does not serve", name);
        if (to && *anchor == '#') {
            char place[NAME_BYTES];

            snprintf(place, sizeof place, "%.*s", (int)strcspn(anchor + 1, "\""), anchor + 1);
            add_place(links, &link_count, document, to->name, place);
        }
        if (to)
            fprintf(page, "<a href=\"%s%s%.*s\">", name, is_page ? ".html" : "",
                    (int)strcspn(anchor, "\""), anchor);
    }
    fprintf(page, "%.*s%s", words, inner, to ? "</a>" : "");
    return end + strlen("</a>");
}

/* Writes a picture, which becomes part of the page, because pages make no requests. */
static const char *write_picture(const struct document *document, const char *at, FILE *page)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *address = at + strlen("<img src=\""), *slash = strrchr(document->path, '/');
    char path[4 * NAME_BYTES];
    unsigned char *bytes;
    size_t size;

    snprintf(path, sizeof path, "%.*s%.*s", slash ? (int)(slash + 1 - document->path) : 0,
             document->path, (int)strcspn(address, "\""), address);
    bytes = (unsigned char *)read_file(path, &size);
    fputs("<img src=\"data:image/svg+xml;base64,", page);
    for (size_t i = 0; i < size; i += 3) {
        const unsigned b = i + 1 < size ? bytes[i + 1] : 0, c = i + 2 < size ? bytes[i + 2] : 0;
        const unsigned part = (unsigned)bytes[i] << 16 | b << 8 | c;

        fprintf(page, "%c%c%c%c", digits[part >> 18], digits[part >> 12 & 63],
                i + 1 < size ? digits[part >> 6 & 63] : '=',
                i + 2 < size ? digits[part & 63] : '=');
    }
    free(bytes);
    return strchr(address, '"');
}

/* Makes what the site shows of what md4c wrote. */
static void mend(struct document *document)
{
    char *text = NULL, *listed = NULL;
    size_t size, listed_size;
    FILE *page = memory_stream(&text, &size), *contents = memory_stream(&listed, &listed_size);
    int table_count = 0;

    for (const char *at = document->text; *at;) {
        if (begins(at, "<h") && isdigit((unsigned char)at[2])) {
            at = write_heading(document, at, page, contents);
        } else if (begins(at, "<a href=\"")) {
            at = write_link(document, at, page);
        } else if (begins(at, "<img src=\"")) {
            at = write_picture(document, at, page);
        } else if (begins(at, "<table>")) {
            fprintf(page, "<section class=\"wide\" tabindex=\"0\" aria-label=\"Table %d\"><table>",
                    ++table_count);
            at += strlen("<table>");
        } else if (begins(at, "</table>")) {
            fputs("</table></section>", page);
            at += strlen("</table>");
        } else if (begins(at, "<th></th>")) {
            fputs("<td></td>", page);
            at += strlen("<th></th>");
        } else if (begins(at, "<th>")) {
            fputs("<th scope=\"col\">", page);
            at += strlen("<th>");
        } else if (begins(at, "<pre><code")) {
            fputs("<div class=\"copy\"><pre tabindex=\"0\"><code>", page);
            at = strchr(at + strlen("<pre>"), '>') + 1;
        } else if (begins(at, "</pre>")) {
            fputs("</pre></div>", page);
            at += strlen("</pre>");
        } else {
            fputc(*at++, page);
        }
    }
    memory_stream_end(page);
    memory_stream_end(contents);
    free(document->text);
    document->text = NULL;
    page = memory_stream(&document->text, &document->size);
    if (listed_size)
        fprintf(page, "<nav class=\"contents\" aria-label=\"On this page\"><ul>\n%s</ul></nav>\n",
                listed);
    fputs(text, page);
    memory_stream_end(page);
    free(text);
    free(listed);
}

/* ---- writing ---- */

static void write_string(const char *text)
{
    putchar('"');
    for (; *text; text++)
        if (*text == '\n')
            fputs(text[1] ? "\\n\"\n\"" : "\\n", stdout);
        else if (*text == '"' || *text == '\\' || *text == '?') /* of a trigraph */
            printf("\\%c", *text);
        else if ((unsigned char)*text < ' ' || (unsigned char)*text >= 0x7f)
            printf("\\%03o", (unsigned char)*text);
        else
            putchar(*text);
    putchar('"');
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc - 2 > DOCUMENTS_MAX)
        return 1;
    for (int i = 2; i < argc; i++)
        read_document(argv[i]);
    for (int i = 0; i < document_count; i++)
        if (documents[i].is_page)
            mend(&documents[i]);
    for (int i = 0; i < link_count; i++)
        if (!has_place(links[i].name))
            fail(links[i].from, "leads to no heading", links[i].name);
    printf("#include \"arena/site/documents.h\"\n\nconst struct site_document %s[] = {\n", argv[1]);
    for (const struct document *document = documents; document < documents + document_count;
         document++) {
        printf("{\"%s%s\",\n", document->name, document->is_page ? ".html" : "");
        if (document->is_page)
            write_string(document->title);
        else
            fputs("NULL", stdout);
        puts(",");
        write_string(document->text);
        puts("},");
    }
    puts("{0}};");
    return failed;
}
