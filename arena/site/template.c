/* SPDX-License-Identifier: MIT */
#include "arena/site/template.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/array.h"
#include "arena/base/clock.h"
#include "arena/report/columns.h"
#include "arena/site/html.h"

/* Where in the HTML a place of the template is. */
enum html_place {
    PLACE_TEXT,    /* content of elements */
    PLACE_PRE,     /* content of <pre>, which keeps its blanks */
    PLACE_TAG,     /* inside <...>, outside of values */
    PLACE_VALUE,   /* an attribute's value that is text */
    PLACE_ADDRESS, /* an attribute's value that is an address */
    PLACE_CODE,    /* content of <script> and <style> */
};

enum node_kind {
    NODE_TEXT,     /* the text itself */
    NODE_VALUE,    /* the value of a name */
    NODE_SECTION,  /* the nodes up to `end`, once for each element of a name's value */
    NODE_INVERTED, /* the nodes up to `end`, once if a name's value is nothing */
    NODE_TEMPLATE, /* another template */
};

enum format {
    FORMAT_NONE,
    FORMAT_COUNT,
    FORMAT_S,
    FORMAT_ROUND,
    FORMAT_ONE,
    FORMAT_SHORT,
    FORMAT_MS,
    FORMAT_US,
    FORMAT_SENTENCE,
    FORMAT_TIME,
    FORMAT_JSON,
    FORMAT_WORDS,
    FORMAT_RAW,
    FORMATS
};

static const char *const format_names[FORMATS] = {
    [FORMAT_NONE] = "",       [FORMAT_COUNT] = "count", [FORMAT_S] = "s",
    [FORMAT_ROUND] = "round", [FORMAT_ONE] = "one",     [FORMAT_SHORT] = "short",
    [FORMAT_MS] = "ms",       [FORMAT_US] = "us",       [FORMAT_TIME] = "time",
    [FORMAT_JSON] = "json",   [FORMAT_WORDS] = "words", [FORMAT_SENTENCE] = "sentence",
    [FORMAT_RAW] = "raw"};

/*
 * The parts of a template in order. A section's own nodes follow it, up to index `end`. text is a
 * literal text, or the name.
 */
struct node {
    enum node_kind kind;
    enum html_place place;
    enum format format;
    int end;
    char *text;
    size_t size;
};

struct template
{
    char name[TEMPLATE_NAME_BYTES];
    struct node *nodes;
    int node_count;
};

struct templates {
    struct template *all;
    int count;
};

struct templates *templates_create(void)
{
    return calloc(1, sizeof(struct templates));
}

static void template_finish(struct template *template)
{
    for (int i = 0; i < template->node_count; i++)
        free(template->nodes[i].text);
    free(template->nodes);
}

void templates_destroy(struct templates *templates)
{
    for (int i = 0; templates && i < templates->count; i++)
        template_finish(&templates->all[i]);
    if (templates)
        free(templates->all);
    free(templates);
}

static const struct template *find(const struct templates *templates, const char *name)
{
    size_t size = strlen(name);

    for (int i = 0; i < templates->count; i++)
        if (strncmp(templates->all[i].name, name, size) == 0 && templates->all[i].name[size] == '.')
            return &templates->all[i];
    return NULL;
}

/* ---- parsing ---- */

struct parser {
    struct template *template;
    const char *begin, *at, *end;
    enum html_place place;
    char element[16];   /* name of the tag, in small letters; "/..." for one that closes */
    char attribute[16]; /* name of the attribute whose value comes next or is being read */
    bool has_value;     /* the attribute has a value of the data */
    int open[TEMPLATE_DEPTH_MAX]; /* the sections that have not ended */
    enum html_place open_places[TEMPLATE_DEPTH_MAX];
    int open_count;
    char *error;
    int result;
};

/* Keeps the first error, which ends the parsing. Returns false. */
__attribute__((format(printf, 2, 3))) static bool refuse(struct parser *parser, const char *format,
                                                         ...)
{
    int line = 1, size;
    va_list list;

    for (const char *at = parser->begin; at < parser->at; at++)
        line += *at == '\n';
    if (parser->result == 0) {
        size =
            snprintf(parser->error, TEMPLATE_ERROR_BYTES, "%s:%d: ", parser->template->name, line);
        va_start(list, format);
        vsnprintf(parser->error + size, (size_t)(TEMPLATE_ERROR_BYTES - size), format, list);
        va_end(list);
        parser->result = -EINVAL;
    }
    return false;
}

/* Adds a node with a copy of the text. Returns its index; -1 if memory runs out. */
static int add_node(struct parser *parser, struct node node, const char *text, size_t size)
{
    struct template *template = parser->template;

    if (ARRAY_GROW(template->nodes, template->node_count, 1) == 0) {
        node.place = parser->place;
        node.text = strndup(text, size);
        node.size = size;
        if (node.text) {
            template->nodes[template->node_count] = node;
            return template->node_count++;
        }
    }
    parser->result = -ENOMEM;
    return -1;
}

/* True if the word comes next. */
static bool comes_next(const struct parser *parser, const char *word)
{
    size_t size = strlen(word);

    return (size_t)(parser->end - parser->at) >= size && strncasecmp(parser->at, word, size) == 0;
}

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words != NULL;
}

/* True for an attribute whose value is an address. */
static bool is_address(const char *attribute)
{
    static const char *const addresses[] = {"href", "src", "action", "cite", "poster", NULL};

    return is_one_of(attribute, addresses);
}

/* True for an attribute whose value may not come from data. */
static bool is_closed(const char *attribute)
{
    static const char *const closed[] = {"style",      "srcdoc",     "srcset",
                                         "formaction", "http-equiv", NULL};

    return is_one_of(attribute, closed) || strncmp(attribute, "on", 2) == 0;
}

static void add_letter(char *word, size_t capacity, char letter)
{
    size_t size = strlen(word);

    if (size < capacity - 1) {
        word[size] = (char)tolower((unsigned char)letter);
        word[size + 1] = '\0';
    }
}

static bool end_tag(struct parser *parser)
{
    static const char *const codes[] = {"script", "style", NULL};
    static const char *const refused[] = {"textarea", "plaintext", "xmp", NULL};
    const char *name = parser->element;

    if (is_one_of(name, refused))
        return refuse(parser, "<%s>: templates have no such element: use another", name);
    parser->place = strcmp(name, "pre") == 0 ? PLACE_PRE
                    : is_one_of(name, codes) ? PLACE_CODE
                                             : PLACE_TEXT;
    return true;
}

static bool begin_tag(struct parser *parser)
{
    const char *next = parser->at + 1;

    if (next == parser->end || (!isalpha((unsigned char)*next) && !strchr("/!?", *next)))
        return refuse(parser, "'<' begins no tag: write &lt;");
    if (comes_next(parser, "<!--"))
        return refuse(parser, "write comments as {{! ... }}");
    *parser->element = *parser->attribute = '\0';
    do
        add_letter(parser->element, sizeof parser->element, *next++);
    while (next < parser->end && !isspace((unsigned char)*next) && *next != '>' && *next != '/');
    parser->place = PLACE_TAG;
    return true;
}

/* Follows the HTML over one character of literal text. */
static bool follow(struct parser *parser)
{
    const char *at = parser->at;
    char end[sizeof parser->element + 2];

    switch (parser->place) {
    case PLACE_TEXT:
    case PLACE_PRE:
        return *at != '<' || begin_tag(parser);
    case PLACE_TAG:
        if (*at == '>')
            return end_tag(parser);
        if (*at == '"' && at > parser->begin && at[-1] == '=') {
            parser->place = is_address(parser->attribute) ? PLACE_ADDRESS : PLACE_VALUE;
            parser->has_value = false;
        } else if (strchr("\"'<", *at) || (*at == '=' && (at + 1 == parser->end || at[1] != '"'))) {
            return refuse(parser, "a value of an attribute is put in double quotes");
        } else if (isspace((unsigned char)*at)) {
            *parser->attribute = '\0';
        } else if (*at != '=') {
            add_letter(parser->attribute, sizeof parser->attribute, *at);
        }
        return true;
    case PLACE_ADDRESS:
        if (*at == ':' && parser->has_value)
            return refuse(parser, "an address's scheme cannot follow a value: write it out");
        __attribute__((fallthrough));
    case PLACE_VALUE:
        if (*at == '"') {
            parser->place = PLACE_TAG;
            *parser->attribute = '\0';
        }
        return true;
    case PLACE_CODE:
        snprintf(end, sizeof end, "</%s", parser->element);
        return !comes_next(parser, end) || begin_tag(parser);
    }
    return true;
}

/* Takes the literal text up to the next braces, without indentation. */
static bool take_text(struct parser *parser)
{
    char *text = malloc((size_t)(parser->end - parser->at) + 1);
    size_t size = 0;
    bool held = text != NULL;

    if (!text)
        parser->result = -ENOMEM;
    for (; held && parser->at < parser->end && !comes_next(parser, "{{"); parser->at++) {
        bool begins_line = parser->at > parser->begin && parser->at[-1] == '\n';
        enum html_place before = parser->place;

        if (begins_line && (before == PLACE_TEXT || before == PLACE_TAG)) {
            while (parser->at < parser->end && *parser->at == ' ')
                parser->at++;
            if (parser->at == parser->end || comes_next(parser, "{{"))
                break;
        }
        text[size++] = *parser->at;
        held = follow(parser);
    }
    if (held && size > 0)
        held = add_node(parser, (struct node){.kind = NODE_TEXT}, text, size) >= 0;
    free(text);
    return held;
}

/* True if nothing else stands on the line of the braces begin..end. */
static bool stands_alone(const struct parser *parser, const char *begin, const char *end)
{
    while (begin > parser->begin && begin[-1] == ' ')
        begin--;
    return (begin == parser->begin || begin[-1] == '\n') && end < parser->end && *end == '\n';
}

static bool take_value(struct parser *parser, char *name)
{
    struct node node = {.kind = NODE_VALUE};
    char *colon = strchr(name, ':');
    int format = 0;
    bool fits = true;

    if (colon) {
        *colon = '\0';
        for (format = 1; format < FORMATS && strcmp(colon + 1, format_names[format]) != 0; format++)
            ;
    }
    if (format == FORMATS)
        return refuse(parser, "{{%s:%s}}: unknown format", name, colon + 1);
    node.format = (enum format)format;
    switch (parser->place) {
    case PLACE_TEXT:
    case PLACE_PRE:
        fits = node.format != FORMAT_JSON;
        break;
    case PLACE_VALUE:
    case PLACE_ADDRESS:
        parser->has_value = true;
        fits = node.format < FORMAT_TIME && !is_closed(parser->attribute);
        break;
    case PLACE_CODE:
        fits = node.format == FORMAT_JSON || node.format == FORMAT_RAW;
        break;
    case PLACE_TAG:
        fits = false;
        break;
    }
    if (!fits)
        return refuse(parser, "{{%s}}: no such value can stand here", name);
    return add_node(parser, node, name, strlen(name)) >= 0;
}

static bool begin_section(struct parser *parser, enum node_kind kind, const char *name)
{
    if (parser->open_count == TEMPLATE_DEPTH_MAX)
        return refuse(parser, "{{#%s}}: more than %d sections within each other", name,
                      TEMPLATE_DEPTH_MAX);
    parser->open_places[parser->open_count] = parser->place;
    parser->open[parser->open_count] =
        add_node(parser, (struct node){.kind = kind}, name, strlen(name));
    return parser->open[parser->open_count++] >= 0;
}

static bool end_section(struct parser *parser, const char *name)
{
    struct node *nodes = parser->template->nodes;
    int open = parser->open_count - 1;

    if (open < 0 || strcmp(nodes[parser->open[open]].text, name) != 0)
        return refuse(parser, "{{/%s}}: ends no section that is open", name);
    if (parser->open_places[open] != parser->place)
        return refuse(parser, "{{/%s}}: the section ends in another place of the HTML", name);
    nodes[parser->open[open]].end = parser->template->node_count;
    parser->open_count--;
    return true;
}

/* Takes braces. */
static bool take_braces(struct parser *parser)
{
    const char *begin = parser->at;
    const char *close = memmem(begin, (size_t)(parser->end - begin), "}}", 2);
    char text[TEMPLATE_NAME_BYTES + 8];
    char *name = text;
    size_t size;
    bool taken;

    if (!close)
        return refuse(parser, "{{: ends with no }}");
    size = (size_t)(close - begin) - 2;
    if (size > 0 && begin[2] == '!')
        taken = true;
    else if (size == 0 || size >= sizeof text || memchr(begin, ' ', size + 2) ||
             memchr(begin, '\n', size + 2) || memchr(begin, '\0', size + 2))
        return refuse(parser, "a name has 1 to %d characters, and no blanks",
                      TEMPLATE_NAME_BYTES - 1);
    else {
        memcpy(text, begin + 2, size);
        text[size] = '\0';
        name += strspn(name, "#^/>") > 0;
        if (!*name || strpbrk(name, "#^/>{}"))
            return refuse(parser, "{{%s}}: is no name", text);
        if (*text == '#' || *text == '^')
            taken = begin_section(parser, *text == '#' ? NODE_SECTION : NODE_INVERTED, name);
        else if (*text == '/')
            taken = end_section(parser, name);
        else if (*text == '>' && parser->place != PLACE_TEXT)
            taken = refuse(parser, "{{>%s}}: a template can stand in text only", name);
        else if (*text == '>')
            taken = add_node(parser, (struct node){.kind = NODE_TEMPLATE}, name, strlen(name)) >= 0;
        else
            taken = take_value(parser, name);
    }
    parser->at = close + 2;
    if (strchr("#^/>!", begin[2]) && stands_alone(parser, begin, parser->at))
        parser->at++;
    return taken;
}

/* True for a template of one line with its end, below a comment or not. */
static bool is_one_line(const char *begin, const char *end)
{
    const char *line_end = memchr(begin, '\n', (size_t)(end - begin));

    if (line_end && line_end + 1 < end && line_end - begin > 2 && begin[2] == '!' &&
        line_end[-1] == '}')
        line_end = memchr(line_end + 1, '\n', (size_t)(end - line_end - 1));
    return line_end && line_end + 1 == end;
}

int templates_add(struct templates *templates, const char *name, const char *text, size_t size,
                  char error[static TEMPLATE_ERROR_BYTES])
{
    struct template template = {.node_count = 0};
    struct parser parser = {
        .template = &template, .begin = text, .at = text, .end = text + size, .error = error};
    bool taken = true;

    snprintf(template.name, sizeof template.name, "%s", name);
    if (is_one_line(text, text + size))
        parser.end--;
    while (taken && parser.at < parser.end)
        taken = comes_next(&parser, "{{") ? take_braces(&parser) : take_text(&parser);
    if (taken && parser.open_count > 0)
        refuse(&parser, "{{#%s}}: the section does not end",
               template.nodes[parser.open[parser.open_count - 1]].text);
    else if (taken && parser.place != PLACE_TEXT)
        refuse(&parser, "the template ends inside a tag or an element <pre>, <script> or <style>");
    if (parser.result == 0)
        parser.result = ARRAY_GROW(templates->all, templates->count, 1);
    if (parser.result < 0) {
        template_finish(&template);
        return parser.result;
    }
    templates->all[templates->count++] = template;
    return 0;
}

/* ---- writing ---- */

/* What a name is looked up in: the data, then the element of each section, outermost first. */
struct scope {
    const json_t *value;
    size_t number, count; /* of the element in the innermost array; number begins with 1 */
};

struct writer {
    const struct templates *templates;
    const struct template *template;
    FILE *stream;
    struct scope scopes[TEMPLATE_DEPTH_MAX];
    int scope_count;
    int depth; /* sections and templates within each other */
    char *error;
    int result;
};

/* Keeps the first error, which ends the writing. */
static void fail(struct writer *writer, const char *name, const char *words)
{
    if (writer->result == 0)
        snprintf(writer->error, TEMPLATE_ERROR_BYTES, "%s: {{%s}}: %s", writer->template->name,
                 name, words);
    writer->result = -EINVAL;
}

/* Returns the value of a name; NULL if there is none. */
static const json_t *look_up(const struct writer *writer, const char *name)
{
    const struct scope *scope = &writer->scopes[writer->scope_count - 1];
    size_t size = strcspn(name, "."), outward = *name == '@';
    const json_t *value = NULL;

    if (strcmp(name, ".") == 0)
        return scope->value;
    if (*name == '-')
        return json_boolean(strcmp(name, "-first") == 0  ? scope->number == 1
                            : strcmp(name, "-last") == 0 ? scope->number == scope->count
                                                         : false);
    for (int i = writer->scope_count; i-- > 0 && !value;) {
        value = json_object_getn(writer->scopes[i].value, name + outward, size - outward);
        if (json_is_object(writer->scopes[i].value) && !outward)
            break;
    }
    while (value && name[size] == '.') {
        name += size + 1;
        size = strcspn(name, ".");
        value = json_object_getn(value, name, size);
    }
    return value;
}

static bool is_something(const json_t *value)
{
    switch (value ? json_typeof(value) : JSON_NULL) {
    case JSON_NULL:
    case JSON_FALSE:
        return false;
    case JSON_TRUE:
    case JSON_OBJECT:
        return true;
    case JSON_ARRAY:
        return json_array_size(value) > 0;
    case JSON_STRING:
        return json_string_length(value) > 0;
    case JSON_INTEGER:
        return json_integer_value(value) != 0;
    case JSON_REAL:
        return json_real_value(value) != 0;
    }
    return false;
}

/* True if a browser that follows the address runs no script. */
static bool is_safe(const char *address)
{
    static const char *const schemes[] = {"https://", "http://", "mailto:"};

    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strncasecmp(address, schemes[i], strlen(schemes[i])) == 0)
            return true;
    return address[strcspn(address, ":/#?")] != ':';
}

static void write_moment(FILE *stream, int64_t us)
{
    char utc[CLOCK_TIME_BYTES];

    clock_write_time(us, utc);
    if (us > 0)
        html_time(stream, utc);
}

static void write_value(struct writer *writer, const struct node *node)
{
    const json_t *value = look_up(writer, node->text);
    FILE *stream = writer->stream;
    enum format format = node->format;

    if (strcmp(node->text, "-number") == 0) {
        fprintf(stream, "%zu", writer->scopes[writer->scope_count - 1].number);
    } else if (!value || json_is_null(value)) {
        fail(writer, node->text, "the data has no such value");
    } else if (format == FORMAT_JSON) {
        html_json(stream, value);
    } else if (json_is_string(value)) {
        const char *text = json_string_value(value);

        if (format == FORMAT_WORDS)
            html_contact(stream, text);
        else if (format == FORMAT_TIME)
            html_time(stream, text);
        else if (format == FORMAT_RAW)
            fwrite(text, 1, json_string_length(value), stream);
        else if (format != FORMAT_NONE && format != FORMAT_SENTENCE)
            fail(writer, node->text, "the format needs a number");
        else if (node->place == PLACE_ADDRESS && !is_safe(text))
            fputs("#", stream);
        else
            html_bytes(stream, text, json_string_length(value));
        if (format == FORMAT_SENTENCE && *text && !strchr(".?!", text[strlen(text) - 1]))
            fputc('.', stream);
    } else if (json_is_number(value)) {
        json_int_t whole = json_integer_value(value);

        if (format == FORMAT_ROUND || format == FORMAT_ONE)
            fprintf(stream, "%.*f", format == FORMAT_ONE,
                    decimals_round(json_number_value(value), format == FORMAT_ONE));
        else if (format == FORMAT_SHORT)
            fprintf(stream, "%.3g", json_number_value(value));
        else if (!json_is_integer(value))
            fail(writer, node->text, "the format needs a whole number");
        else if (format == FORMAT_COUNT)
            html_count(stream, whole);
        else if (format == FORMAT_S)
            fputs(whole == 1 ? "" : "s", stream);
        else if (format == FORMAT_MS)
            html_ms(stream, whole);
        else if (format == FORMAT_US)
            html_us(stream, whole);
        else if (format == FORMAT_TIME)
            write_moment(stream, whole);
        else if (format == FORMAT_NONE)
            fprintf(stream, "%lld", (long long)whole);
        else
            fail(writer, node->text, "the format needs text");
    } else {
        fail(writer, node->text, "the value is neither text nor a number");
    }
}

static void write_nodes(struct writer *writer, int first, int end);

/* Writes a section's nodes once, within a value. */
static void write_within(struct writer *writer, int section, struct scope scope)
{
    const struct node *node = &writer->template->nodes[section];

    if (writer->depth == TEMPLATE_DEPTH_MAX || writer->scope_count == TEMPLATE_DEPTH_MAX) {
        fail(writer, node->text, "sections are too deep");
        return;
    }
    writer->depth++;
    writer->scopes[writer->scope_count++] = scope;
    write_nodes(writer, section + 1, node->end);
    writer->scope_count--;
    writer->depth--;
}

static void write_section(struct writer *writer, int section)
{
    const json_t *value = look_up(writer, writer->template->nodes[section].text);
    struct scope scope = writer->scopes[writer->scope_count - 1];

    if (!is_something(value))
        return;
    scope.value = value;
    if (!json_is_array(value)) {
        write_within(writer, section, scope);
        return;
    }
    for (size_t i = 0; i < json_array_size(value) && writer->result == 0; i++) {
        scope = (struct scope){json_array_get(value, i), i + 1, json_array_size(value)};
        write_within(writer, section, scope);
    }
}

static void write_template(struct writer *writer, const char *name)
{
    const struct template *outer = writer->template, *inner = find(writer->templates, name);

    if (!inner || writer->depth == TEMPLATE_DEPTH_MAX) {
        fail(writer, name, inner ? "templates are too deep" : "there is no such template");
        return;
    }
    writer->depth++;
    writer->template = inner;
    write_nodes(writer, 0, inner->node_count);
    writer->template = outer;
    writer->depth--;
}

static void write_nodes(struct writer *writer, int first, int end)
{
    const struct node *nodes = writer->template->nodes;

    for (int i = first; i < end && writer->result == 0;
         i = nodes[i].kind == NODE_SECTION || nodes[i].kind == NODE_INVERTED ? nodes[i].end : i + 1)
        switch (nodes[i].kind) {
        case NODE_TEXT:
            fwrite(nodes[i].text, 1, nodes[i].size, writer->stream);
            break;
        case NODE_VALUE:
            write_value(writer, &nodes[i]);
            break;
        case NODE_SECTION:
            write_section(writer, i);
            break;
        case NODE_INVERTED:
            if (!is_something(look_up(writer, nodes[i].text)))
                write_nodes(writer, i + 1, nodes[i].end);
            break;
        case NODE_TEMPLATE:
            write_template(writer, nodes[i].text);
            break;
        }
}

int templates_write(const struct templates *templates, const char *name, const json_t *data,
                    FILE *stream, char error[static TEMPLATE_ERROR_BYTES])
{
    struct writer writer = {.templates = templates,
                            .template = find(templates, name),
                            .stream = stream,
                            .scopes = {{.value = data}},
                            .scope_count = 1,
                            .error = error};

    if (!writer.template) {
        snprintf(error, TEMPLATE_ERROR_BYTES, "%s: there is no such template", name);
        return -EINVAL;
    }
    write_nodes(&writer, 0, writer.template->node_count);
    return writer.result;
}
