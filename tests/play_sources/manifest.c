/* SPDX-License-Identifier: MIT */
/* A bot's manifest: what is accepted, and which word the message for a refused one contains. */
#include "arena/play/package.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void parse(struct manifest *manifest, const char *text)
{
    char error[MANIFEST_ERROR_BYTES] = "";

    cr_assert_eq(manifest_parse(manifest, text, strlen(text), error), 0, "%s: %s", text, error);
}

Test(manifest, with_everything)
{
    struct manifest manifest;

    parse(&manifest, "{\"name\": \"Zo\\u00eb\", \"version\": \"2\", \"author\": \"someone\","
                     " \"language\": \"C\", \"run\": [\"./bot\", \"\", \"-x\"],"
                     " \"build\": [\"make\"], \"processes\": 64}");
    cr_expect_str_eq(manifest.name, "Zo\xc3\xab");
    cr_expect_str_eq(manifest.version, "2");
    cr_expect_str_eq(manifest.author, "someone");
    cr_expect_str_eq(manifest.language, "C");
    cr_expect_str_eq(manifest.run[0], "./bot");
    cr_expect_str_eq(manifest.run[1], "");
    cr_expect_str_eq(manifest.run[2], "-x");
    cr_expect_null(manifest.run[3]);
    cr_expect_str_eq(manifest.build[0], "make");
    cr_expect_null(manifest.build[1]);
    cr_expect_eq(manifest.process_count, 64);
    manifest_finish(&manifest);
}

Test(manifest, with_run_alone)
{
    struct manifest manifest;

    parse(&manifest, "{\"run\": [\"python3\", \"bot.py\"]}");
    cr_expect_str_eq(manifest.name, "");
    cr_expect_str_eq(manifest.version, "");
    cr_expect_null(manifest.build);
    cr_expect_eq(manifest.process_count, 1);
    manifest_finish(&manifest);
    cr_expect_null(manifest.run);
    manifest_finish(&manifest);
}

/* Names of 64 bytes fit, 65 do not: see refused. */
#define NAME_64 "0123456789012345678901234567890123456789012345678901234567890123"

Test(manifest, with_the_longest_name)
{
    struct manifest manifest;

    parse(&manifest, "{\"name\": \"" NAME_64 "\", \"run\": [\"./bot\"]}");
    cr_expect_str_eq(manifest.name, NAME_64);
    manifest_finish(&manifest);
}

/* From a space on; a byte less is a control character. */
Test(manifest, with_names_of_any_printable_bytes)
{
    char error[MANIFEST_ERROR_BYTES];
    struct manifest manifest;

    parse(&manifest, "{\"name\": \"a b~\", \"author\": \" \", \"run\": [\"./bot\"]}");
    cr_expect_str_eq(manifest.name, "a b~");
    cr_expect_str_eq(manifest.author, " ");
    manifest_finish(&manifest);
    for (int byte = 1; byte < 0x20; byte++) {
        char text[128];

        snprintf(text, sizeof text, "{\"name\": \"a\\u%04x\", \"run\": [\"./bot\"]}",
                 (unsigned)byte);
        cr_expect_eq(manifest_parse(&manifest, text, strlen(text), error), -1, "%s", text);
        cr_expect_str_eq(error, "\"name\" has a control character");
    }
}

/* A row a fault. */
/* clang-format off */
static const struct {
    const char *text;
    const char *word; /* that the refusal has to say */
} refused[] = {
    {"", "JSON"},
    {"{", "JSON"},
    {"{\"run\": [\"./bot\"]} x", "JSON"},
    {"{\"run\": [\"./bot\"], \"run\": [\"./other\"]}", "JSON"},
    {"{\"run\": [\"./bot\\u0000\"]}", "line 1: a text contains \\u0000"},
    {"{\"name\": \"\xff\", \"run\": [\"./bot\"]}", "JSON"},
    {"[]", "object"},
    {"\"run\"", "JSON"},
    {"{}", "\"run\" is missing"},
    {"{\"name\": \"x\"}", "\"run\" is missing"},
    {"{\"run\": null}", "\"run\""},
    {"{\"run\": \"./bot\"}", "\"run\""},
    {"{\"run\": []}", "\"run\""},
    {"{\"run\": [\"\"]}", "\"run\""},
    {"{\"run\": [1]}", "\"run\""},
    {"{\"run\": [\"./bot\", 1]}", "\"run\""},
    {"{\"run\": [\"./bot\", [\"x\"]]}", "\"run\""},
    {"{\"run\": {\"0\": \"./bot\"}}", "\"run\""},
    {"{\"run\": [\"./bot\"], \"build\": \"make\"}", "\"build\""},
    {"{\"run\": [\"./bot\"], \"build\": []}", "\"build\""},
    {"{\"run\": [\"./bot\"], \"name\": 5}", "\"name\""},
    {"{\"run\": [\"./bot\"], \"name\": null}", "\"name\""},
    {"{\"run\": [\"./bot\"], \"name\": \"a\\nb\"}", "\"name\" has a control character"},
    {"{\"run\": [\"./bot\"], \"name\": \"a\\u007f\"}", "\"name\" has a control character"},
    {"{\"run\": [\"./bot\"], \"name\": \"" NAME_64 "x\"}", "\"name\" is longer"},
    {"{\"run\": [\"./bot\"], \"version\": 1}", "\"version\""},
    {"{\"run\": [\"./bot\"], \"autor\": \"Ann\"}", "\"autor\" is an unknown key: a manifest has the keys name, version, author, language, run, build, keep, processes"},
    {"{\"run\": [\"./bot\"], \"\\n\": 1}", "is an unknown key"},
    {"{\"run\": [\"./bot\"], \"author\": true}", "\"author\""},
    {"{\"run\": [\"./bot\"], \"language\": []}", "\"language\""},
    {"{\"run\": [\"./bot\"], \"processes\": 0}", "\"processes\""},
    {"{\"run\": [\"./bot\"], \"processes\": 65}", "\"processes\""},
    {"{\"run\": [\"./bot\"], \"processes\": 1.5}", "\"processes\""},
    {"{\"run\": [\"./bot\"], \"processes\": \"2\"}", "\"processes\""},
    {"{\"run\": [\"./bot\"], \"build\": [\"make\"], \"keep\": [\".\"]}",
     "\"keep\" is not an array of 1 to 64 paths in the bot's folder"},
    {"{\"run\": [\"./bot\"], \"build\": [\"make\"], \"keep\": [\"./bot\"]}",
     "\"keep\" is not an array of 1 to 64 paths in the bot's folder"},
    {"{\"run\": [\"./bot\"], \"build\": [\"make\"], \"keep\": [\"a/.\"]}",
     "\"keep\" is not an array of 1 to 64 paths in the bot's folder"},
    {"{\"run\": [\"./bot\"], \"build\": [\"make\"], \"keep\": [\"a/./b\"]}",
     "\"keep\" is not an array of 1 to 64 paths in the bot's folder"},
    {"{\"run\": [\"./bot\"], \"build\": [\"make\"], \"keep\": [\"..\"]}",
     "\"keep\" is not an array of 1 to 64 paths in the bot's folder"},
    {"{\"run\": [\"./bot\"], \"build\": [\"make\"], \"keep\": [\"a/../b\"]}",
     "\"keep\" is not an array of 1 to 64 paths in the bot's folder"},
    {"{\"run\": [\"./bot\"], \"build\": [\"make\"], \"keep\": [\"/bot\"]}",
     "\"keep\" is not an array of 1 to 64 paths in the bot's folder"},
    {"{\"run\": [\"./bot\"], \"build\": [\"make\"], \"keep\": [\"a/\"]}",
     "\"keep\" is not an array of 1 to 64 paths in the bot's folder"},
    {"{\"run\": [\"./bot\"], \"build\": [\"make\"], \"keep\": [\"a//b\"]}",
     "\"keep\" is not an array of 1 to 64 paths in the bot's folder"},
};
/* clang-format on */

Test(manifest, refused)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char error[MANIFEST_ERROR_BYTES] = "";
        struct manifest manifest;

        cr_assert_eq(manifest_parse(&manifest, refused[i].text, strlen(refused[i].text), error), -1,
                     "%s was taken", refused[i].text);
        cr_expect_not_null(strstr(error, refused[i].word), "%s: %s", refused[i].text, error);
        cr_expect_null(strchr(error, '\n'), "%s: more than a line", refused[i].text);
        cr_expect_null(manifest.run);
        manifest_finish(&manifest);
    }
}

/* Dots are allowed within a name. */
Test(manifest, keeps_files_and_folders)
{
    static const char text[] = "{\"run\": [\"x\"], \"build\": [\"make\"], "
                               "\"keep\": [\"bot\", \"a/b.c\", \".x/..y\", \"...\"]}";
    char error[MANIFEST_ERROR_BYTES];
    struct manifest manifest;

    cr_expect_eq(manifest_parse(&manifest, text, strlen(text), error), 0, "%s", error);
    manifest_finish(&manifest);
}

/* No package may have a longer path; removing what lies beside one failed as the arena's fault. */
Test(manifest, keeps_no_path_that_a_package_cannot_have)
{
    char path[1026] = "", text[1200], error[MANIFEST_ERROR_BYTES];
    struct manifest manifest;

    for (size_t size = 1024; size <= 1025; size++) {
        memset(path, 'x', size);
        snprintf(text, sizeof text, "{\"run\": [\"x\"], \"build\": [\"make\"], \"keep\": [\"%s\"]}",
                 path);
        cr_expect_eq(manifest_parse(&manifest, text, strlen(text), error), size == 1024 ? 0 : -1);
        manifest_finish(&manifest);
    }
    cr_expect_str_eq(error, "\"keep\" has a path longer than 1024 bytes: shorten the path");
}

Test(manifest, of_too_many_arguments)
{
    char text[2048], error[MANIFEST_ERROR_BYTES];
    struct manifest manifest;

    for (int count = MANIFEST_ARGUMENTS_MAX; count <= MANIFEST_ARGUMENTS_MAX + 1; count++) {
        int size = sprintf(text, "{\"run\": [\"./bot\"");

        for (int i = 1; i < count; i++)
            size += sprintf(text + size, ", \"%d\"", i);
        size += sprintf(text + size, "]}");
        cr_expect_eq(manifest_parse(&manifest, text, (size_t)size, error),
                     count > MANIFEST_ARGUMENTS_MAX ? -1 : 0, "%d arguments", count);
        manifest_finish(&manifest);
    }
}

/* The first column of the table below "### The manifest" in docs/bots.md. */
Test(manifest, has_the_keys_of_its_document)
{
    char line[1024], told[256] = "", keys[256] = "";
    FILE *document = fopen(TEST_SOURCE_DIR "/docs/bots.md", "r");
    bool is_here = false;

    cr_assert_not_null(document);
    while (fgets(line, sizeof line, document)) {
        char *cell = line;

        if (*line == '#')
            is_here = strcmp(line, "### The manifest\n") == 0;
        if (!is_here || strncmp(line, "| `", 3) != 0)
            continue;
        line[1 + strcspn(line + 1, "|")] = '\0';
        strtok(cell, "`");
        for (const char *key; (key = strtok(NULL, "`")) && *key >= 'a'; strtok(NULL, "`"))
            snprintf(told + strlen(told), sizeof told - strlen(told), "%s ", key);
    }
    fclose(document);
    for (const char *const *key = manifest_keys; *key; key++)
        snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s ", *key);
    cr_expect_str_eq(told, keys);
}
