#include "arena/play/manifest.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse(char error[static MANIFEST_ERROR_BYTES], const char *key, const char *what)
{
    snprintf(error, MANIFEST_ERROR_BYTES, "\"%s\" %s", key, what);
    return -1;
}

/* Reads a short text without control characters; jansson has checked its UTF-8. */
static int read_text(const json_t *root, const char *key, char text[static WIRE_NAME_BYTES_MAX + 1],
                     char error[static MANIFEST_ERROR_BYTES])
{
    const json_t *value = json_object_get(root, key);
    const char *string = json_string_value(value);

    if (!value)
        return 0;
    if (!string)
        return refuse(error, key, "is not a string");
    if (json_string_length(value) > WIRE_NAME_BYTES_MAX)
        return refuse(error, key, "is longer than 64 bytes");
    for (const unsigned char *byte = (const unsigned char *)string; *byte; byte++)
        if (*byte < 0x20 || *byte == 0x7f)
            return refuse(error, key, "has a control character");
    strcpy(text, string);
    return 0;
}

/* Reads an array of strings as an argv; *argv stays NULL if the key is missing. */
static int read_argv(const json_t *root, const char *key, char ***argv,
                     char error[static MANIFEST_ERROR_BYTES])
{
    const json_t *value = json_object_get(root, key);
    size_t count = json_array_size(value);

    if (!value)
        return 0;
    if (count == 0 || count > MANIFEST_ARGUMENTS_MAX)
        return refuse(error, key,
                      "is not an array of 1 to 64 strings: the program and its arguments");
    *argv = calloc(count + 1, sizeof **argv);
    if (!*argv)
        return refuse(error, key, "does not fit in memory");
    for (size_t i = 0; i < count; i++) {
        const char *argument = json_string_value(json_array_get(value, i));

        if (!argument || (i == 0 && !*argument))
            return refuse(error, key,
                          "is not an array of 1 to 64 strings: the program and its arguments");
        (*argv)[i] = strdup(argument);
        if (!(*argv)[i])
            return refuse(error, key, "does not fit in memory");
    }
    return 0;
}

static int read_process_count(const json_t *root, int *process_count,
                              char error[static MANIFEST_ERROR_BYTES])
{
    const json_t *value = json_object_get(root, "processes");

    *process_count = 1;
    if (!value)
        return 0;
    if (!json_is_integer(value) || json_integer_value(value) < 1 ||
        json_integer_value(value) > MANIFEST_PROCESSES_MAX)
        return refuse(error, "processes", "is not a whole number from 1 to 64");
    *process_count = (int)json_integer_value(value);
    return 0;
}

static int read_keys(struct manifest *manifest, const json_t *root,
                     char error[static MANIFEST_ERROR_BYTES])
{
    if (!json_is_object(root)) {
        snprintf(error, MANIFEST_ERROR_BYTES, "is not a JSON object");
        return -1;
    }
    if (read_text(root, "name", manifest->name, error) ||
        read_text(root, "version", manifest->version, error) ||
        read_text(root, "author", manifest->author, error) ||
        read_text(root, "language", manifest->language, error) ||
        read_argv(root, "run", &manifest->run, error) ||
        read_argv(root, "build", &manifest->build, error) ||
        read_process_count(root, &manifest->process_count, error))
        return -1;
    if (!manifest->run)
        return refuse(error, "run",
                      "is missing: say how the bot is started, as in \"run\": [\"./mybot\"]");
    return 0;
}

int manifest_parse(struct manifest *manifest, const char *text, size_t size,
                   char error[static MANIFEST_ERROR_BYTES])
{
    json_error_t where;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    int result;

    *manifest = (struct manifest){0};
    if (!root) {
        bool has_nul = json_error_code(&where) == json_error_null_character;

        snprintf(error, MANIFEST_ERROR_BYTES, "is not valid JSON: line %d: %s", where.line,
                 has_nul ? "a text has the character \\u0000, which nothing here may have"
                         : where.text);
        return -1;
    }
    result = read_keys(manifest, root, error);
    if (result < 0)
        manifest_finish(manifest);
    json_decref(root);
    return result;
}

static void free_argv(char **argv)
{
    for (char **argument = argv; argument && *argument; argument++)
        free(*argument);
    free(argv);
}

void manifest_finish(struct manifest *manifest)
{
    free_argv(manifest->run);
    free_argv(manifest->build);
    *manifest = (struct manifest){0};
}
