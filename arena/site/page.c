#include "arena/site/page.h"

#include <string.h>

#include "arena/site/html.h"
#include "arena/site/page_list.h"

enum {
    PAGE_FORM = 3, /* raise when pages change their form */
};

extern const char site_pages_css[];
extern const char site_pages_js[];

/* Computed once, because a site has thousands of pages. */
static char script[HTML_HASH_BYTES], style[HTML_HASH_BYTES];

static void hash_once(void)
{
    if (*script)
        return;
    html_hash(site_pages_js, script);
    html_hash(site_pages_css, style);
}

uint64_t page_form(void)
{
    uint64_t form = page_list_sum(PAGE_FORM, site_pages_css, strlen(site_pages_css));

    return page_list_sum(form, site_pages_js, strlen(site_pages_js));
}

static void write_policy(FILE *page)
{
    hash_once();
    fprintf(page,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; "
            "form-action 'none'\">\n",
            script, style);
}

void page_begin(FILE *page, const char *title, const struct page_link *links, const char *feed)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", page);
    write_policy(page);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta name=\"referrer\" content=\"no-referrer\">\n"
          "<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' "
          "viewBox='-9 -9 18 18'%3E%3Cpath d='M0-8 4.6 0 0 8-4.6 0z' fill='%23d55e00'/%3E%3C/svg%3E"
          "\">\n",
          page);
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
        fputs("<strong>Pavilion</strong> a bot arena for Azul: Summer Pavilion", page);
    for (; links->text; links++) {
        fputs("<a href=\"", page);
        html_text(page, links->target);
        fputs("\">", page);
        html_text(page, links->text);
        fputs("</a> ", page);
    }
    fputs("</nav>\n<main>\n<h1>", page);
    html_text(page, title);
    fputs("</h1>\n", page);
}

void page_end(FILE *page)
{
    fprintf(page, "</main>\n<script>%s</script>\n</body>\n</html>\n", site_pages_js);
}
