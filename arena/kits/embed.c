/*
 * Run by the project's build: writes files as a C table (kits.h), each given as PLACE=FILE.
 *
 *   kits_embed PLACE=FILE... >kit_files.c
 */
#include <stdio.h>
#include <string.h>

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

int main(int argc, char **argv)
{
    puts("#include \"arena/kits/kits.h\"\n\nconst struct kit_file kit_files[] = {");
    for (int i = 1; i < argc; i++) {
        const char *equals = strchr(argv[i], '=');

        if (!equals || embed(argv[i], (int)(equals - argv[i]), equals + 1) != 0)
            return 1;
    }
    puts("    {0}};");
    return fflush(stdout) == EOF;
}
