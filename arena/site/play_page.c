#include "arena/site/html.h"
#include "arena/site/parts.h"
#include "arena/site/viewer.h"
#include "engine/notation.h"

extern const char site_play_css[], site_play_js[], site_play_html[];
/* Each string is base64 of a gzip file, or empty if the build had no compiler for WebAssembly. */
extern const char site_play_module[];
extern const char site_weights_2_colored[], site_weights_2_gray[], site_weights_3_colored[];
extern const char site_weights_3_gray[], site_weights_4_colored[], site_weights_4_gray[];

static struct page_code play_pages = {site_play_js, site_play_css, .form = 2, .runs_modules = true};

bool play_page_exists(void)
{
    return *site_play_module != '\0';
}

/* Writes data into the page as a script element that the browser does not run. */
static void write_data(FILE *page, const char *id, const char *base64)
{
    fprintf(page, "<script type=\"application/octet-stream\" id=\"%s\">%s</script>\n", id, base64);
}

void play_page_write(FILE *page)
{
    json_t *boards = json_object();

    for (int side = BOARD_COLORED; side <= BOARD_GRAY; side++)
        json_object_set_new(boards, notation_boards[side], viewer_board((enum board_side)side));
    page_head(page, &play_pages);
    fprintf(page,
            "<title>Play against the bots</title>\n<style>%s</style>\n</head>\n<body>\n%s"
            "<script type=\"application/json\" id=\"page\">",
            site_play_css, site_play_html);
    html_json(page, boards);
    fputs("</script>\n", page);
    json_decref(boards);
    write_data(page, "module", site_play_module);
    write_data(page, "weights-2-colored", site_weights_2_colored);
    write_data(page, "weights-2-gray", site_weights_2_gray);
    write_data(page, "weights-3-colored", site_weights_3_colored);
    write_data(page, "weights-3-gray", site_weights_3_gray);
    write_data(page, "weights-4-colored", site_weights_4_colored);
    write_data(page, "weights-4-gray", site_weights_4_gray);
    fprintf(page, "<script>%s</script>\n</body>\n</html>\n", site_play_js);
}
