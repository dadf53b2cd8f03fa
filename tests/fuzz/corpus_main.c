/* SPDX-License-Identifier: MIT */
/*
 * Replaces libFuzzer where it is missing: runs a target on every file of the given folders, and on
 * prefixes of each file, as a truncated stream would be.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum {
    FILE_BYTES_MAX = 1 << 20,
    PREFIXES_MAX = 256, /* of one file, evenly spread */
};

/*
 * Copies the bytes to a buffer of exactly their size, so that the sanitizer detects any access
 * beyond.
 */
static void run(const uint8_t *bytes, size_t size)
{
    uint8_t *exact = malloc(size > 0 ? size : 1);

    memcpy(exact, bytes, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static int run_file(const char *folder, const char *name)
{
    static uint8_t bytes[FILE_BYTES_MAX];
    char path[4096];
    size_t size, step;
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    size = fread(bytes, 1, sizeof bytes, file);
    if (ferror(file)) {
        perror(path);
        exit(1);
    }
    fclose(file);
    step = size / PREFIXES_MAX + 1;
    for (size_t prefix = 0; prefix < size; prefix += step)
        run(bytes, prefix);
    run(bytes, size);
    return 1;
}

int main(int argc, char **argv)
{
    int file_count = 0;

    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        struct dirent *entry;

        if (!folder) {
            perror(argv[i]);
            return 1;
        }
        while ((entry = readdir(folder)))
            if (entry->d_name[0] != '.')
                file_count += run_file(argv[i], entry->d_name);
        closedir(folder);
    }
    printf("%d files\n", file_count);
    return file_count > 0 ? 0 : 1; /* a corpus that is not there tests nothing */
}
