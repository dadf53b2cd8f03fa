/* SPDX-License-Identifier: MIT */
/* What a template makes of data, and which templates are refused. */
#include "arena/site/template.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* In single quotes, for reading; NAME has the double one. */
static const char data_text[] =
    "{'name': NAME, 'count': 12345, 'one': 1, 'ten': 10000, 'zero': 0, 'elo': 1499.6, 'yes': true, "
    "'no': false,"
    " 'nothing': null, 'empty': [], 'bot': {'name': 'magpie', 'of': {'deep': 'x'}},"
    " 'bots': [{'name': 'p'}, {'name': 'q'}, {'name': 'r'}], 'list': ['u', 'v'],"
    " 'script': 'javascript:alert(1)', 'spaced': ' javascript:1', 'web': 'https://a.example/?b&c',"
    " 'path': 'bot/x.html', 'ms': 300, 'us': 1764000000000000, 'text': 'write to a@b.example',"
    " 'made': '<b>', 'close': '</script><!--', 'why': 'why?', 'bell': 'a\\u0007b', 'moment': "
    "'2025-11-24T16:00:00Z'}";

static json_t *make_data(void)
{
    char *text = strdup(data_text), *name = strstr(text, "NAME");
    json_t *data;

    memcpy(name, "null", 4);
    for (char *at = text; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    data = json_loads(text, 0, NULL);
    cr_assert_not_null(data);
    json_object_set_new(data, "name", json_string("a<b>\"&"));
    free(text);
    return data;
}

static const struct row {
    const char *rule, *template, *expected; /* or what the error contains, after "!" */
} rows[] = {
    {"text is copied", "<p>a</p>", "<p>a</p>"},
    {"a value in text is escaped", "<p>{{name}}</p>", "<p>a&lt;b&gt;&quot;&amp;</p>"},
    {"a value in an attribute is escaped", "<p title=\"{{name}}\">",
     "<p title=\"a&lt;b&gt;&quot;&amp;\">"},
    {"control characters are shown", "{{bell}}", "a\\x07b"},
    {"a number", "{{count}}", "12345"},
    {"a part of an object", "{{bot.name}} {{bot.of.deep}}", "magpie x"},
    {"separators of thousands", "{{count:count}}", "12,345"},
    {"plural", "game{{count:s}} game{{one:s}} game{{zero:s}}", "games game games"},
    {"rounded", "{{elo:round}}", "1500"},
    {"milliseconds", "{{ms:ms}}", "300 ms"},
    {"microseconds", "{{one:us}} {{ten:us}} {{us:us}}", "0.0 ms 10 ms 1764000000 s"},
    {"a moment", "{{us:time}}",
     "<time datetime=\"2025-11-24T16:00:00Z\">2025-11-24 16:00 UTC</time>"},
    {"a moment as text", "{{moment:time}}",
     "<time datetime=\"2025-11-24T16:00:00Z\">2025-11-24 16:00 UTC</time>"},
    {"text that is no moment", "{{name:time}}",
     "<time datetime=\"a&lt;b&gt;&quot;&amp;\">a&lt;b&gt;&quot;&amp;  UTC</time>"},
    {"addresses in words", "{{text:words}}",
     "write to <a href=\"mailto:a@b.example\">a@b.example</a>"},
    {"a sentence", "{{bot.name:sentence}}", "magpie."},
    {"a question", "{{why:sentence}}", "why?"},
    {"the arena's own HTML", "{{made:raw}}", "<b>"},
    {"JSON in a script closes nothing", "<script type=\"application/json\">{{close:json}}</script>",
     "<script type=\"application/json\">\"\\u003c/script>\\u003c!--\"</script>"},
    {"an array is a section for each element", "{{#bots}}[{{name}}]{{/bots}}", "[p][q][r]"},
    {"elements without names", "{{#list}}{{.}};{{/list}}", "u;v;"},
    {"first and last", "{{#bots}}{{^-first}}, {{/-first}}{{name}}{{#-last}}.{{/-last}}{{/bots}}",
     "p, q, r."},
    {"the number of an element", "{{#bots}}{{-number}}{{name}} {{/bots}}", "1p 2q 3r "},
    {"an object is one section", "{{#bot}}{{name}} {{@count}}{{/bot}}", "magpie 12345"},
    {"true, text and numbers are one section",
     "{{#yes}}1{{/yes}}{{#name}}2{{/name}}{{#one}}3{{/one}}", "123"},
    {"nothing is no section",
     "{{#no}}1{{/no}}{{#nothing}}2{{/nothing}}{{#empty}}3{{/empty}}{{#zero}}4{{/zero}}{{#gone}}5{{/"
     "gone}}",
     ""},
    {"an inverted section is for nothing",
     "{{^no}}1{{/no}}{{^empty}}2{{/empty}}{{^yes}}3{{/yes}}{{^gone}}4{{/gone}}", "124"},
    {"an attribute under a condition", "<td{{#yes}} class=\"a\"{{/yes}}{{#no}} class=\"b\"{{/no}}>",
     "<td class=\"a\">"},
    {"a relative address", "<a href=\"{{path}}\">", "<a href=\"bot/x.html\">"},
    {"an address of the web", "<a href=\"{{web}}\">", "<a href=\"https://a.example/?b&amp;c\">"},
    {"an address that is a script", "<a href=\"{{script}}\">", "<a href=\"#\">"},
    {"blanks do not hide the script", "<a href=\"{{spaced}}\">", "<a href=\"#\">"},
    {"a script behind an empty value", "<a href=\"{{#no}}x{{/no}}{{script}}\">", "<a href=\"#\">"},
    {"a script behind a folder that is not written", "<a href=\"{{#no}}bot/{{/no}}{{script}}\">",
     "<a href=\"#\">"},
    {"nor a script behind a folder that is written", "<a href=\"bot/{{script}}\">",
     "<a href=\"bot/#\">"},
    {"a declaration of XML", "<?xml version=\"1.0\"?><a>{{one}}</a>",
     "<?xml version=\"1.0\"?><a>1</a>"},
    {"another template", "<p>{{>part}}</p>", "<p>(a&lt;b&gt;&quot;&amp;)</p>"},
    {"another template within a section", "{{#bots}}{{>part}}{{/bots}}", "(p)(q)(r)"},
    {"a name around an object", "{{#bot}}{{@one}} {{@name}}{{/bot}}", "1 magpie"},
    {"a section's tag with a name around",
     "{{#bot}}{{#@yes}}1{{/@yes}}{{#@gone}}2{{/@gone}}{{/bot}}", "1"},
    {"around elements without names", "{{#list}}{{one}}{{/list}}", "11"},
    {"one decimal, three digits", "{{elo:one}} {{elo:short}} {{one:one}}", "1499.6 1.5e+03 1.0"},
    {"a template of one line has no line end", "[{{>line}}]", "[x]"},
    {"nor below a comment", "[{{>commented}}]", "[x]"},
    {"a comment", "a{{! not {a} word }}b", "ab"},
    {"indentation", "<p>\n   a\n   {{one}}\n</p>\n", "<p>\na\n1\n</p>\n"},
    {"indentation of <pre>", "<pre>a\n  b</pre>\n  c", "<pre>a\n  b</pre>\nc"},
    {"a section's tag alone on its line", "a\n  {{#yes}}\n  b\n  {{/yes}}\nc", "a\nb\nc"},
    {"styles and scripts", "<style>p > a{}</style><script>if (1 < 2) '\"';</script>{{one}}",
     "<style>p > a{}</style><script>if (1 < 2) '\"';</script>1"},

    {"a value around an object, without @", "{{#bot}}{{count}}{{/bot}}", "!no such value"},
    {"a missing value", "{{gone}}", "!page.html: {{gone}}: the data has no such value"},
    {"null is missing", "{{nothing}}", "!no such value"},
    {"an object as text", "{{bot}}", "!neither text nor a number"},
    {"a fraction as a whole number", "{{elo}}", "!needs a whole number"},
    {"text as a number", "{{name:count}}", "!needs a number"},
    {"a number as words", "{{one:words}}", "!needs text"},
    {"no such template", "{{>gone}}", "!{{gone}}: there is no such template"},
    {"templates within each other without end", "{{>loop}}",
     "!loop.html: {{loop}}: templates are too deep"},
    {"the line of an error", "a\nb\n{{x", "!page.html:3: "},
    {"braces without an end", "{{name", "!ends with no }}"},
    {"no name", "{{}}", "!a name has"},
    {"a blank in a name", "{{a b}}", "!no blanks"},
    {"an unknown format", "{{name:loud}}", "!unknown format"},
    {"a section without an end", "{{#yes}}a", "!does not end"},
    {"an end without a section", "{{/yes}}", "!ends no section"},
    {"sections that cross", "{{#yes}}{{#no}}{{/yes}}{{/no}}", "!ends no section"},
    {"a section that opens a tag", "{{#yes}}<p {{/yes}}>", "!another place"},
    {"a value in a tag", "<p {{name}}>", "!no such value can stand here"},
    {"a value as a tag", "<{{name}}>", "!begins no tag"},
    {"a value without quotes", "<p title={{name}}>", "!double quotes"},
    {"single quotes", "<p title='{{name}}'>", "!double quotes"},
    {"a value in an event", "<p onclick=\"{{name}}\">", "!no such value can stand here"},
    {"a value in a style", "<p style=\"{{name}}\">", "!no such value can stand here"},
    {"a value in a style sheet", "<style>{{name}}</style>", "!no such value can stand here"},
    {"HTML's comments", "a<!-- b -->", "!write comments as {{! ... }}"},
    {"an end of another element in a script", "<script></style>{{name}}</script>",
     "!no such value"},
    {"a value in a script", "<script>{{name}}</script>", "!no such value can stand here"},
    {"a scheme behind a value", "<a href=\"{{name}}:x\">", "!scheme cannot follow a value"},
    {"HTML in an attribute", "<p title=\"{{made:raw}}\">", "!no such value can stand here"},
    {"JSON in text", "{{name:json}}", "!no such value can stand here"},
    {"a template in a tag", "<p {{>part}}>", "!in text only"},
    {"an end inside a tag", "<p", "!ends inside a tag"},
    {"an end inside a script", "<script>", "!ends inside a tag"},
    {"an element whose content is no HTML", "<textarea>", "!no such element"},
};

/* Writes the data with a template, as the text or the error behind "!". The caller frees it. */
static char *result_of(const struct row *row)
{
    char error[TEMPLATE_ERROR_BYTES] = "", *text = NULL;
    struct templates *templates = templates_create();
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    json_t *data = make_data();

    cr_assert(templates && stream);
    cr_assert_eq(templates_add(templates, "part.html", "({{name}})", 10, error), 0);
    cr_assert_eq(templates_add(templates, "line.html", "x\n", 2, error), 0);
    cr_assert_eq(templates_add(templates, "commented.html", "{{! c }}\nx\n", 11, error), 0);
    cr_assert_eq(templates_add(templates, "loop.html", "{{>loop}}", 9, error), 0);
    if (templates_add(templates, "page.html", row->template, strlen(row->template), error) == 0)
        templates_write(templates, "page", data, stream, error);
    fclose(stream);
    if (*error) {
        free(text);
        cr_assert(asprintf(&text, "!%s", error) > 0);
    }
    json_decref(data);
    templates_destroy(templates);
    return text;
}

Test(template, each_rule)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = result_of(&rows[i]);

        if (*rows[i].expected == '!')
            cr_expect(*text == '!' && strstr(text, rows[i].expected + 1), "%s: '%s'", rows[i].rule,
                      text);
        else
            cr_expect_str_eq(text, rows[i].expected, "%s: '%s'", rows[i].rule, text);
        free(text);
    }
}
