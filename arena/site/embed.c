/*
 * A program that the project's build runs: joins scripts or styles of this folder and writes them
 * as a C string. Leaves out indentation, empty lines, comment lines and most spaces of styles,
 * because every page contains this string.
 *
 *     site_embed NAME [FILE...] >NAME.c
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE_BYTES = 1024, /* maximum length of a line */
};

/*
 * True if the line begins with two slashes and a space, or belongs to a block comment. A block
 * comment runs from a line that begins with slash and star to a line that ends with star and slash;
 * *inside tells whether the next line belongs to it.
 */
static bool is_comment(const char *line, bool *inside)
{
    size_t size = strlen(line);
    bool ends = size >= 2 && strcmp(line + size - 2, "*/") == 0;

    if (*inside || strncmp(line, "/*", 2) == 0) {
        *inside = !ends;
        return true;
    }
    return strncmp(line, "// ", 3) == 0; /* base64 may have lines that begin with "//" */
}

/* Writes a line. is_style: what a style does not need is left out: most spaces, the last semicolon.
 */
static void write_string(const char *line, bool is_style)
{
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
    puts(is_style ? "\"" : "\\n\"");
}

static int embed(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[LINE_BYTES];
    bool inside = false;

    if (!file) {
        perror(path);
        return 1;
    }
    while (fgets(line, sizeof line, file)) {
        char *end = strchr(line, '\n');
        char *begin = line + strspn(line, " ");

        if (!end) {
            fprintf(stderr,
                    "%s: a line is longer than %d bytes, or the last line has no line feed\n", path,
                    LINE_BYTES);
            fclose(file);
            return 1;
        }
        *end = '\0';
        if (*begin && !is_comment(begin, &inside))
            write_string(begin, strcmp(path + strlen(path) - 4, ".css") == 0);
    }
    fclose(file);
    return 0;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;

    if (argc >= 2)
        printf("extern const char %s[];\nconst char %s[] = \"\"\n", argv[1], argv[1]);
    for (int i = 2; i < argc && !failed; i++)
        failed = embed(argv[i]);
    puts(";");
    return failed;
}
