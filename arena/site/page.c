/* SPDX-License-Identifier: MIT */
#include "arena/site/page.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/json.h"
#include "arena/base/mix.h"
#include "arena/base/plain_text.h"
#include "arena/site/folder.h"
#include "arena/site/html.h"

/* The templates of the program; the last one has no name. Made by embed.c. */
extern const struct site_template {
    const char *name, *text;
} site_templates[];

extern const char site_analysis_css[], site_analysis_js[], site_pages_css[], site_pages_js[],
    site_viewer_css[], site_viewer_js[];

const char *const page_common[] = {
    site_viewer_js,   site_viewer_css,   site_pages_js, site_pages_css,
    site_analysis_js, site_analysis_css, NULL};

enum {
    CODES_MAX = 6,
};

struct pages {
    struct templates *templates;
    json_t *site; /* `site` in the data of every page */
    struct {
        const char *script, *style;
        json_t *json;
    } codes[CODES_MAX]; /* what page_code has returned */
    uint64_t form;
};

/* ---- what pages depend on ---- */

/* Adds the program's build id to the sum at `context`. */
static int add_build_id(struct dl_phdr_info *object, size_t size, void *context)
{
    uint64_t *sum = context;

    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];

        if (part->p_type == PT_NOTE)
            *sum = mix_bytes(*sum, (const char *)object->dlpi_addr + part->p_vaddr, part->p_memsz);
    }
    return 1; /* the first object is the program */
}

static uint64_t sum_text(uint64_t sum, const char *text)
{
    return mix_bytes(sum, text ? text : "", text ? strlen(text) + 1 : 0);
}

/* ---- templates ---- */

static char *read_file(const char *folder, const char *name)
{
    char path[FOLDER_NAME_BYTES], *text = NULL;
    size_t size = 0;
    FILE *file;
    ssize_t got;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "re");
    if (!file)
        return NULL;
    got = getdelim(&text, &size, '\0', file);
    if (got < 0) { /* an error, or the file is empty */
        free(text);
        text = ferror(file) ? NULL : strdup("");
    }
    fclose(file);
    return text;
}

static int add_templates(struct pages *pages, const char *folder,
                         char error[static TEMPLATE_ERROR_BYTES])
{
    int result = 0;

    for (int i = 0; site_templates[i].name && result == 0; i++) {
        const char *name = site_templates[i].name;
        char *read = folder ? read_file(folder, name) : NULL;
        const char *text = folder ? read : site_templates[i].text;

        errno = text ? 0 : errno;
        if (text)
            result = templates_add(pages->templates, name, text, strlen(text), error);
        else
            result = -(errno ? errno : EIO);
        if (!text)
            snprintf(error, TEMPLATE_ERROR_BYTES, "%.80s/%s: %s: --templates needs all of them",
                     folder, name, strerror(-result));
        if (folder)
            pages->form = sum_text(pages->form, text);
        free(read);
    }
    return result;
}

struct pages *pages_create(const struct page_terms *terms, char error[static TEMPLATE_ERROR_BYTES])
{
    static const struct page_terms of_one_page = {0};
    struct pages *pages = calloc(1, sizeof *pages);

    snprintf(error, TEMPLATE_ERROR_BYTES, "out of memory");
    if (!pages)
        return NULL;
    terms = terms ? terms : &of_one_page;
    pages->templates = templates_create();
    pages->site = json_pack("{s:b, s:b, s:s*, s:s*}", "live", terms->links_live, "plays",
                            terms->links_play, "contact", terms->contact, "cards", terms->cards);
    if (!pages->templates || !pages->site || add_templates(pages, terms->templates, error) < 0) {
        pages_destroy(pages);
        return NULL;
    }
    dl_iterate_phdr(add_build_id, &pages->form);
    pages->form = sum_text(pages->form ^ (uint64_t)terms->links_live, terms->contact);
    pages->form = sum_text(pages->form, terms->cards);
    return pages;
}

void pages_destroy(struct pages *pages)
{
    if (!pages)
        return;
    templates_destroy(pages->templates);
    json_decref(pages->site);
    for (int i = 0; i < CODES_MAX; i++)
        json_decref(pages->codes[i].json);
    free(pages);
}

uint64_t pages_form(const struct pages *pages)
{
    return pages->form;
}

/* ---- a page ---- */

json_t *page_code(struct pages *pages, const char *script, const char *style, bool runs_modules)
{
    char script_hash[HTML_HASH_BYTES], style_hash[HTML_HASH_BYTES];
    json_t *code;
    int i = 0;

    for (; i < CODES_MAX && pages->codes[i].json; i++)
        if (pages->codes[i].script == script && pages->codes[i].style == style)
            return json_incref(pages->codes[i].json);
    html_hash(script, script_hash);
    html_hash(style, style_hash);
    code = json_pack("{s:s, s:s, s:s, s:s, s:b}", "script", script, "script_hash", script_hash,
                     "style", style, "style_hash", style_hash, "runs_modules", runs_modules);
    if (i < CODES_MAX) {
        pages->codes[i].script = script;
        pages->codes[i].style = style;
        pages->codes[i].json = json_incref(code);
    }
    return code;
}

/*
 * Adds what every page leads to, from the page's address of the home page, "../index.html" or "/",
 * or beside it: `learn`, how to play; `play`, the page for playing, which exists if site.plays is
 * true; `docs`, the page for authors.
 */
static int add_links(json_t *data)
{
    const char *home = json_string_value(json_object_get(data, "home"));
    const char *end = home ? strrchr(home, '/') : NULL;
    const int size = end ? (int)(end + 1 - home) : 0;

    json_object_set_new(data, "learn", json_sprintf("%.*sdocs/learn.html", size, home ? home : ""));
    json_object_set_new(data, "play", json_sprintf("%.*splay.html", size, home ? home : ""));
    return json_object_set_new(data, "docs",
                               json_sprintf("%.*sdocs/index.html", size, home ? home : ""));
}

/* Adds what all pages have. */
static int add_common(struct pages *pages, json_t *data)
{
    json_t *card = json_is_true(json_object_get(pages->site, "live"))
                       ? json_object_get(data, "live_card")
                       : NULL;
    int result = json_object_set(data, "site", pages->site);

    if (result == 0)
        result = add_links(data);
    if (result == 0 && card)
        result = json_object_set(data, "card", card);
    if (result == 0 && !json_object_get(data, "card"))
        result = json_object_set_new(data, "card", json_string(PAGE_CARD));
    if (result == 0 && !json_object_get(data, "code"))
        result = json_object_set_new(data, "code",
                                     page_code(pages, site_pages_js, site_pages_css, false));
    return result;
}

int page_write(struct pages *pages, FILE *page, const char *template, json_t *data,
               char error[static TEMPLATE_ERROR_BYTES])
{
    int result = data && add_common(pages, data) == 0 ? 0 : -ENOMEM;

    if (result == 0)
        result = templates_write(pages->templates, template, data, page, error);
    else
        snprintf(error, TEMPLATE_ERROR_BYTES, "%s: out of memory", template);
    json_decref(data);
    return result;
}

/* ---- text ---- */

json_t *page_text(const void *bytes, size_t size, size_t most)
{
    struct json_words words;

    plain_text_print(json_words_begin(&words), bytes, size, most);
    return json_words_end(&words);
}
