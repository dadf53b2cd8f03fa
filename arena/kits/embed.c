/* SPDX-License-Identifier: MIT */
/*
 * Run by the project's build: writes files as C tables (kits.h), each given as PLACE=FILE. A file
 * LANGUAGE/kit.txt describes a kit, and is not part of it.
 *
 *   kits_embed PLACE=FILE... >kit_files.c
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char description[] = "/kit.txt";

static bool is_description(const char *place, size_t place_bytes)
{
    size_t size = strlen(description);

    return place_bytes > size && memcmp(place + place_bytes - size, description, size) == 0;
}

static int embed(const char *place, int place_bytes, const char *path)
{
    FILE *file = fopen(path, "rb");
    int byte, size = 0;

    if (!file) {
        perror(path);
        return 1;
    }
    printf("    {\"%.*s\", (const uint8_t *)\"", place_bytes, place);
    for (; (byte = getc(file)) != EOF; size++) {
        if (size % 20 == 0)
            fputs("\"\n     \"", stdout);
        printf("\\%03o", (unsigned)byte);
    }
    printf("\", %d},\n", size);
    return fclose(file) == EOF;
}

/* Each line of a description, "KEY VALUE", sets a field of struct kit. */
static int describe(const char *place, int place_bytes, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[512];

    if (!file) {
        perror(path);
        return 1;
    }
    printf("    {.language = \"%.*s\"", place_bytes - (int)strlen(description), place);
    while (fgets(line, sizeof line, file)) {
        char *value = strchr(line, ' ');

        line[strcspn(line, "\n")] = '\0';
        if (!value) {
            fprintf(stderr, "%s: '%s' is not KEY VALUE\n", path, line);
            return 1;
        }
        *value = '\0';
        printf(", .%s = \"%s\"", line, value + 1);
    }
    puts("},");
    return fclose(file) == EOF;
}

/* Writes the files, or the descriptions among them. */
static int write_table(int argc, char **argv, bool descriptions)
{
    for (int i = 1; i < argc; i++) {
        const char *equals = strchr(argv[i], '=');
        int size = equals ? (int)(equals - argv[i]) : 0;

        if (!equals)
            return 1;
        if (is_description(argv[i], (size_t)size) != descriptions)
            continue;
        if ((descriptions ? describe : embed)(argv[i], size, equals + 1) != 0)
            return 1;
    }
    puts("    {0}};");
    return 0;
}

int main(int argc, char **argv)
{
    puts("#include \"arena/kits/kits.h\"\n\nconst struct kit_file kit_files[] = {");
    if (write_table(argc, argv, false) != 0)
        return 1;
    puts("\nconst struct kit kits[] = {");
    if (write_table(argc, argv, true) != 0)
        return 1;
    return fflush(stdout) == EOF;
}
