/* SPDX-License-Identifier: MIT */
/* Describes the API as OpenAPI 3.1, from its routes and the model. */
#include "arena/web/api.h"

#include <stdio.h>
#include <string.h>

#include "arena/report/model.h"

enum {
    WORD_BYTES = 32, /* room for a word of a route's query and refusals */
};

static json_t *reference(const char *name, size_t size)
{
    return json_pack("{s:o}", "$ref", json_sprintf("#/components/schemas/%.*s", (int)size, name));
}

static json_t *or_null(json_t *schema)
{
    return json_pack("{s:[o, {s:s}]}", "anyOf", schema, "type", "null");
}

/* Returns the schema of a type of struct column, such as "integer?" or "season[]". */
static json_t *schema_of_type(const char *type)
{
    static const struct {
        const char *name, *type, *format;
    } plain[] = {
        {"text", "string", NULL},     {"integer", "integer", NULL}, {"number", "number", NULL},
        {"boolean", "boolean", NULL}, {"object", "object", NULL},   {"time", "string", "date-time"},
    };
    const size_t size = strcspn(type, "[?");
    json_t *schema = NULL;

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strlen(plain[i].name) == size && strncmp(plain[i].name, type, size) == 0)
            schema = json_pack("{s:s, s:s*}", "type", plain[i].type, "format", plain[i].format);
    if (!schema)
        schema = reference(type, size);
    for (const char *suffix = type + size; *suffix; suffix += *suffix == '[' ? 2 : 1)
        schema = *suffix == '?' ? or_null(schema)
                                : json_pack("{s:s, s:o}", "type", "array", "items", schema);
    return schema;
}

static json_t *schema_of_column(const struct column *column)
{
    static const char *const readers[] = {"public", "author", "organizer"};
    char type[COLUMNS_TYPE_BYTES];
    json_t *schema;

    column_type(column, type);
    schema = schema_of_type(type);
    if (column->words) {
        json_t *words = json_array();

        for (int i = 0; column->words[i]; i++)
            json_array_append_new(words, json_string(column->words[i]));
        if (strchr(type, '?'))
            json_array_append_new(words, json_null());
        json_object_set_new(schema, "enum", words);
    }
    json_object_set_new(schema, "description", json_string(column->explanation));
    if (column->unit)
        json_object_set_new(schema, "x-unit",
                            json_string(strcmp(column->unit, "%") == 0 ? "of 1" : column->unit));
    if (column->reader)
        json_object_set_new(schema, "x-reader", json_string(readers[column->reader]));
    return schema;
}

static json_t *object_schema(void)
{
    return json_pack("{s:s, s:[], s:{}, s:b}", "type", "object", "required", "properties",
                     "additionalProperties", 0);
}

static void add_property(json_t *object, const char *name, json_t *schema, bool is_required)
{
    json_object_set_new(json_object_get(object, "properties"), name, schema);
    if (is_required)
        json_array_append_new(json_object_get(object, "required"), json_string(name));
}

static json_t *schema_of_thing(const struct thing *thing)
{
    struct column array[LADDER_COLUMNS_MAX];
    const struct columns columns = thing_columns(thing, array);
    json_t *schema = object_schema();

    json_object_set_new(schema, "description", json_string(thing->about));
    for (int i = 0; i < columns.count; i++) {
        const struct column *column = &columns.columns[i];
        json_t *into = schema;

        if (!(column->forms & COLUMN_IN_JSON))
            continue;
        if (column->parent) {
            into = json_object_get(json_object_get(schema, "properties"), column->parent);
            if (!into) {
                into = object_schema();
                add_property(schema, column->parent, into, true);
            }
        }
        add_property(into, column->name, schema_of_column(column), column->reader == READER_PUBLIC);
    }
    return schema;
}

static json_t *schema_of_answer(const struct api_route *route)
{
    json_t *schema = reference(route->thing, strlen(route->thing)), *object;

    if (!route->list)
        return schema;
    object = object_schema();
    add_property(object, route->list, json_pack("{s:s, s:o}", "type", "array", "items", schema),
                 true);
    return object;
}

/* Adds a response, or one more media type to it. */
static void add_response(json_t *responses, const char *status, const char *description,
                         const char *type, json_t *schema)
{
    json_t *response = json_object_get(responses, status);

    if (!response) {
        response = json_pack("{s:s, s:{}}", "description", description, "content");
        json_object_set_new(responses, status, response);
    }
    json_object_set_new(json_object_get(response, "content"), type,
                        schema ? json_pack("{s:o}", "schema", schema) : json_object());
}

/* Copies the next word of a list, and moves *at past the word. Returns false at the list's end. */
static bool next_word(const char **at, char word[static WORD_BYTES])
{
    int size = 0;

    if (!*at || sscanf(*at, " %31s%n", word, &size) != 1)
        return false;
    *at += size;
    return true;
}

static void add_refusals(json_t *responses, const char *statuses)
{
    char status[WORD_BYTES];

    while (next_word(&statuses, status))
        add_response(responses, status, "the reason", "application/problem+json",
                     reference("problem", strlen("problem")));
}

static json_t *parameters_of(const struct api_route *route)
{
    json_t *parameters = json_array();
    const char *query = route->query;
    char word[WORD_BYTES], name[WORD_BYTES];

    for (const char *at = strchr(route->path, '{'); at; at = strchr(at + 1, '{'))
        json_array_append_new(parameters, json_pack("{s:s%, s:s, s:b, s:o}", "name", at + 1,
                                                    strcspn(at + 1, "}"), "in", "path", "required",
                                                    1, "schema", schema_of_type("text")));
    while (next_word(&query, word)) {
        int least, most;
        const bool is_number = sscanf(word, "%31[^=]=%d..%d", name, &least, &most) == 3;
        json_t *schema = is_number ? json_pack("{s:s, s:i, s:i}", "type", "integer", "minimum",
                                               least, "maximum", most)
                                   : schema_of_type("text");

        json_array_append_new(parameters, json_pack("{s:s, s:s, s:o}", "name", name, "in", "query",
                                                    "schema", schema));
    }
    return parameters;
}

static json_t *operation_of(const struct api_route *route)
{
    const char *media = route->media, *refusals = route->media_refusals;
    char type[WORD_BYTES], status[WORD_BYTES];
    json_t *responses = json_object();
    json_t *summary = route->shorter
                          ? json_sprintf("%s, also at %s", route->summary, route->shorter)
                          : json_string(route->summary);
    json_t *operation = json_pack("{s:o, s:o, s:o}", "summary", summary, "parameters",
                                  parameters_of(route), "responses", responses);

    if (route->thing)
        add_response(responses, "200", "the answer", "application/json", schema_of_answer(route));
    while (next_word(&media, type))
        add_response(responses, "200", "the answer", type, NULL);
    while (next_word(&refusals, status))
        add_response(responses, status, "the reason", route->media, NULL);
    if (route->flags & API_IS_UPLOAD) {
        add_response(responses, "201", "the submission is new", "application/json",
                     schema_of_answer(route));
        json_object_set_new(operation, "requestBody",
                            json_pack("{s:b, s:{s:{}, s:{}, s:{}}}", "required", 1, "content",
                                      "application/gzip", "application/x-tar", "application/zip"));
    }
    if (route->body)
        json_object_set_new(operation, "requestBody",
                            json_pack("{s:b, s:{s:{s:o}}}", "required", 1, "content",
                                      "application/json", "schema",
                                      reference(route->body, strlen(route->body))));
    if (route->flags & API_NEEDS_TOKEN)
        json_object_set_new(operation, "security", json_pack("[{s:[]}]", "token"));
    add_refusals(responses, "400 429 500 503");
    add_refusals(responses, route->refusals);
    return operation;
}

json_t *api_describe(void)
{
    json_t *paths = json_object(), *schemas = json_object();

    for (const struct api_route *route = api_routes; route < api_routes + api_route_count;
         route++) {
        const char *method = strcmp(route->method, "GET") == 0    ? "get"
                             : strcmp(route->method, "POST") == 0 ? "post"
                                                                  : "delete";
        json_t *operation = json_pack("{s:o}", method, operation_of(route));
        char name[API_PATH_BYTES_MAX];

        snprintf(name, sizeof name, "/api/v1/%s", route->path);
        if (!json_object_get(paths, name))
            json_object_set_new(paths, name, json_object());
        json_object_update(json_object_get(paths, name), operation);
        json_decref(operation);
    }
    for (int i = 0; i < model_count; i++)
        json_object_set_new(schemas, model[i].name, schema_of_thing(&model[i]));
    return json_pack("{s:s, s:{s:s, s:s, s:s}, s:o, s:{s:{s:{s:s, s:s}}, s:o}}", "openapi", "3.1.0",
                     "info", "title", "Pavilion", "version", "1", "description",
                     "The page docs/api.html of the site says the same to people.", "paths", paths,
                     "components", "securitySchemes", "token", "type", "http", "scheme", "bearer",
                     "schemas", schemas);
}
