/* SPDX-License-Identifier: MIT */
/*
 * Pages: all text from a bot or its author stays text, never becomes markup, and stays within its
 * limits.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/site/html.h"
#include "arena/site/page.h"
#include "arena/site/viewer.h"
#include "tests/replay/sample.h"

#define BYTES(literal) literal, sizeof literal - 1

static const struct {
    const char *rule;
    const char *bytes;
    size_t size;
    const char *html;
} rows[] = {
    {"text stays", BYTES("a b\xc3\xa4"), "a b\xc3\xa4"},
    {"no element begins", BYTES("<script>"), "&lt;script&gt;"},
    {"no script ends", BYTES("</script>"), "&lt;/script&gt;"},
    {"no attribute ends", BYTES("\"><img onerror='x'>"),
     "&quot;&gt;&lt;img onerror=&#39;x&#39;&gt;"},
    {"no reference is made", BYTES("&lt;&#60;"), "&amp;lt;&amp;#60;"},
    {"nothing is invisible", BYTES("a\xe3\x85\xa4\xc2\xa0\xf3\xa0\x84\x80"),
     "a\\xe3\\x85\\xa4\\xc2\\xa0\\xf3\\xa0\\x84\\x80"},
    {"nothing turns around", BYTES("\xe2\x80\xae"), "\\xe2\\x80\\xae"},
    {"NUL and escapes are shown", BYTES("\0\x1b["), "\\x00\\x1b["},
    {"so is what is not UTF-8", BYTES("\xff"), "\\xff"},
};

Test(page, foreign_text)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *html = NULL;
        size_t size;
        FILE *stream = open_memstream(&html, &size);

        html_bytes(stream, rows[i].bytes, rows[i].size);
        fclose(stream);
        cr_expect_str_eq(html, rows[i].html, "%s: %s", rows[i].rule, html);
        free(html);
    }
}

Test(page, json_ends_no_script)
{
    json_t *json = json_pack("{s:s}", "</script>", "<!--\"\\<");
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    html_json(stream, json);
    fclose(stream);
    cr_expect_str_eq(text, "{\"\\u003c/script>\":\"\\u003c!--\\\"\\\\\\u003c\"}", "%s", text);
    free(text);
    json_decref(json);
}

static struct pages *pages;

static void begin(void)
{
    char error[TEMPLATE_ERROR_BYTES];

    pages = pages_create(NULL, error);
    cr_assert(pages, "%s", error);
}

static void end(void)
{
    pages_destroy(pages);
}

TestSuite(page, .init = begin, .fini = end);

/* Returns the page of a match, which the caller frees. */
static char *write_page(const struct replay *replay)
{
    uint8_t *bytes;
    size_t size, page_bytes;
    char error[REPLAY_ERROR_BYTES] = "";
    char *page = NULL;
    FILE *stream = open_memstream(&page, &page_bytes);
    struct viewer_page viewer = {.pages = pages, .replay = replay, .path = "game.replay"};

    size = sample_packed(replay, &bytes);
    viewer.bytes = bytes;
    viewer.size = size;
    cr_assert_eq(viewer_write(stream, &viewer, error), 0, "%s", error);
    fclose(stream);
    free(bytes);
    return page;
}

/* A page that cannot be written says so by itself: the pages after it are whole. */
Test(page, a_failure_stays_with_its_page)
{
    struct replay replay;
    char error[TEMPLATE_ERROR_BYTES] = "", *text = NULL, *page;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    cr_expect_eq(page_write(pages, stream, "card", json_object(), error), -EINVAL);
    cr_expect_str_eq(error, "card.svg: {{title_size}}: the data has no such value");
    cr_expect_eq(page_write(pages, stream, "nothing", json_object(), error), -EINVAL);
    fclose(stream);
    free(text);
    sample_replay(&replay);
    page = write_page(&replay);
    free(page);
    replay_finish(&replay);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;

    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

static const char hostile[] = "\"></script><img onerror=x>\x1b[1m\xe2\x80\xae\xff";

Test(page, hostile_names)
{
    struct replay replay;
    char *calm, *page;

    sample_replay(&replay);
    calm = write_page(&replay);
    for (int seat = 0; seat < replay.terms.player_count; seat++) {
        snprintf(replay.bots[seat].name, sizeof replay.bots[seat].name, "%s", hostile);
        snprintf(replay.bots[seat].version, sizeof replay.bots[seat].version, "%s", hostile);
    }
    snprintf(replay.terms.id, sizeof replay.terms.id, "%s", hostile);
    free(replay.forfeits[1]->errors);
    replay.forfeits[1]->errors = strdup(hostile);
    replay.forfeits[1]->errors_bytes = strlen(hostile);
    page = write_page(&replay);
    cr_expect_gt(count_of(page, "&lt;/script&gt;&lt;img onerror=x&gt;\\x1b[1m\\xe2\\x80\\xae\\xff"),
                 6);
    cr_expect_eq(count_of(page, "<img"), 0);
    cr_expect_eq(count_of(page, "</script>"), count_of(calm, "</script>"));
    cr_expect_eq(count_of(page, "\x1b") + count_of(page, "\xe2\x80\xae"), 0);
    free(calm);
    free(page);
    replay_finish(&replay);
}

Test(page, every_part_is_there)
{
    static const char *const parts[] = {"default-src 'none'; script-src 'sha256-",
                                        "All decisions",
                                        "Round 6, wild red",
                                        "id=\"final\"",
                                        "seat 1, Zo\xc3\xab, is out at turn 10",
                                        "</html>"};
    struct replay replay;
    char *page;

    sample_replay(&replay);
    page = write_page(&replay);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_expect(strstr(page, parts[i]), "%s", parts[i]);
    cr_expect(strstr(page, ">B is out: timeout: no complete answer by the deadline"));
    cr_expect_eq(count_of(page, "<li class=\"s"), (int)replay.decision_count);
    free(page);
    replay_finish(&replay);
}

/* A long match with notes of 75 bytes at all decisions: those of maestro have fewer. */
Test(page, sizes_are_bounded)
{
    static const struct {
        int players;
        size_t bytes_max;
    } sizes[] = {{2, 120000}, {3, 154000}, {4, 194000}};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct replay replay;
        char *page;

        sample_long(&replay, sizes[i].players, 75);
        page = write_page(&replay);
        cr_expect_geq(replay.decision_count, 40 * (size_t)sizes[i].players, "%zu decisions",
                      replay.decision_count);
        cr_expect_leq(strlen(page), sizes[i].bytes_max, "%d players: %zu bytes", sizes[i].players,
                      strlen(page));
        free(page);
        replay_finish(&replay);
    }
}

Test(page, a_record_against_the_rules_is_no_page)
{
    struct replay replay;
    char error[REPLAY_ERROR_BYTES] = "";
    char *page = NULL;
    size_t size;
    FILE *stream = open_memstream(&page, &size);
    struct viewer_page viewer = {
        .pages = pages, .replay = &replay, .bytes = (const uint8_t *)"", .path = "game"};

    sample_replay(&replay);
    replay.decisions[5].action = (struct action){.kind = ACTION_PASS};
    cr_expect_eq(viewer_write(stream, &viewer, error), -EBADMSG);
    cr_expect_eq(strncmp(error, "decision 5: ", 12), 0, "%s", error);
    fclose(stream);
    cr_expect_eq(size, 0);
    free(page);
    replay_finish(&replay);
}

Test(page, files_are_replaced_by_pages_only)
{
    static const char page[] = "<!DOCTYPE html>\n<p>new";
    char folder[] = "/tmp/page-XXXXXX";
    char path[64];
    FILE *file;

    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.html", folder);
    cr_expect_eq(viewer_put(path, page, sizeof page - 1), 0);
    cr_expect_eq(viewer_put(path, page, sizeof page - 1), 0, "a page replaces a page");
    file = fopen(path, "w");
    fputs("my diary, which is long enough", file);
    fclose(file);
    cr_expect_eq(viewer_put(path, page, sizeof page - 1), -EEXIST, "and nothing else");
    cr_expect_eq(viewer_put("/nowhere/a.html", page, 1), -ENOENT);
    unlink(path);
    cr_expect_eq(rmdir(folder), 0, "nothing stays behind");
}
