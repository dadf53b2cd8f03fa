/* SPDX-License-Identifier: MIT */
/*
 * A program that the project's build runs: joins scripts or styles of this folder and writes them
 * as a C string. Leaves out indentation, empty lines, comments, most spaces of styles, and the ends
 * of a script's lines where no statement can end without a mark, because every page contains this
 * string.
 *
 *     site_embed NAME [FILE...] >NAME.c
 *
 * Or writes templates as they are, as an array of their names and texts:
 *
 *     site_embed --templates NAME FILE... >NAME.c
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);

    return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

/* True if a script means the same without the end of this line. */
static bool joins_next(const char *line)
{
    return !strstr(line, "//") &&
           (ends_with(line, ";") || ends_with(line, ",") || ends_with(line, "{"));
}

/* True for a line that is a comment of a script, a style or SQL; base64 may begin with "//". */
static bool is_comment(const char *line)
{
    return strncmp(line, "// ", 3) == 0 || strncmp(line, "-- ", 3) == 0 ||
           (strncmp(line, "/* ", 3) == 0 && ends_with(line, "*/"));
}

/* Cuts the comment off a script's line. */
static void cut_comment(char *line)
{
    char *comment = strstr(line, " // ");

    if (comment && comment > line && strchr(";,{", comment[-1]))
        *comment = '\0';
}

/* Writes a line. Of a style, leaves out most spaces and the last semicolon. */
static void write_string(const char *line, bool is_style, bool is_script)
{
    bool joins = is_style || (is_script && joins_next(line));

    putchar('"');
    for (char before = ' '; *line; before = *line++)
        if (is_style && (strcmp(line, "; }") == 0 ||
                         (*line == ' ' && (strchr(":;,{", before) || strchr("{}", line[1])))))
            continue;
        else if (*line == '"' || *line == '\\')
            printf("\\%c", *line);
        else if (*line == '?') /* escaped, because two question marks could begin a trigraph */
            fputs("\\?", stdout);
        else if ((unsigned char)*line >= 0x80)
            printf("\\%03o", (unsigned char)*line);
        else
            putchar(*line);
    puts(joins ? "\"" : "\\n\"");
}

/* Writes a file's lines as a string; those of a template as they are. */
static int embed(const char *path, bool is_template)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;

    if (!file) {
        perror(path);
        return 1;
    }
    while (getline(&line, &room, file) > 0) {
        char *begin = line + (is_template ? 0 : strspn(line, " "));

        begin[strcspn(begin, "\n")] = '\0';
        if (ends_with(path, ".js"))
            cut_comment(begin);
        if (is_template || (*begin && !is_comment(begin)))
            write_string(begin, ends_with(path, ".css"), ends_with(path, ".js"));
    }
    free(line);
    fclose(file);
    return 0;
}

static int embed_templates(const char *array, char **paths)
{
    int failed = 0;

    printf("struct site_template { const char *name, *text; };\n"
           "extern const struct site_template %s[];\nconst struct site_template %s[] = {\n",
           array, array);
    for (; *paths && !failed; paths++) {
        const char *slash = strrchr(*paths, '/'), *name = slash ? slash + 1 : *paths;

        printf("{\"%s\",\n", name);
        failed = embed(*paths, true);
        puts("},");
    }
    puts("{0}};");
    return failed;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;

    if (argc > 3 && strcmp(argv[1], "--templates") == 0)
        return embed_templates(argv[2], argv + 3);
    if (argc >= 2)
        printf("extern const char %s[];\nconst char %s[] = \"\"\n", argv[1], argv[1]);
    for (int i = 2; i < argc && !failed; i++)
        failed = embed(argv[i], false);
    puts(";");
    return failed;
}
