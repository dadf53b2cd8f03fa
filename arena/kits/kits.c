#include "arena/kits/kits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NPM_FIRST "npm install"

const struct kit kits[] = {
    {"c", "gcc, libc6-dev, make and libmsgpack-dev", "sdk", NULL},
    {"cpp", "g++, make and libmsgpack-dev", "sdk", NULL},
    {"python", "python3 and python3-msgpack", NULL, NULL},
    {"javascript", "node and npm", NULL, NPM_FIRST},
    {"typescript", "node and npm", NULL, NPM_FIRST},
    {"rust", "cargo, rustc, librust-serde-dev, librust-serde-derive-dev and librust-rmp-serde-dev",
     NULL, NULL},
    {"go", "golang-go, golang-github-vmihailenco-msgpack.v5-dev and make", NULL, NULL},
    {"java", "default-jdk-headless, libmsgpack-java and make", NULL, NULL},
    {"lua", "lua5.4 and lua-messagepack", NULL, NULL},
    {"ruby", "ruby and ruby-msgpack", NULL, NULL},
    {"csharp", "mono-mcs, mono-runtime, libmono-system-core4.0-cil and make", NULL, NULL},
    {0},
};

/* What else people call the languages. */
static const struct {
    const char *name, *language;
} other_names[] = {
    {"c++", "cpp"},        {"cxx", "cpp"},       {"cc", "cpp"},          {"py", "python"},
    {"python3", "python"}, {"js", "javascript"}, {"node", "javascript"}, {"nodejs", "javascript"},
    {"ts", "typescript"},  {"rs", "rust"},       {"golang", "go"},       {"rb", "ruby"},
    {"c#", "csharp"},      {"cs", "csharp"},
};

const struct kit *kit_find(const char *name)
{
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcasecmp(other_names[i].name, name) == 0)
            name = other_names[i].language;
    for (const struct kit *kit = kits; kit->language; kit++)
        if (strcasecmp(kit->language, name) == 0)
            return kit;
    return NULL;
}

/* Returns a file's path within a kit if it is in one of the kit's folders, else NULL. */
static const char *path_in_kit(const struct kit *kit, const struct kit_file *file)
{
    const char *folders[] = {kit->language, "shared", kit->sources};

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t size = folders[i] ? strlen(folders[i]) : 0;

        if (size > 0 && strncmp(file->place, folders[i], size) == 0 && file->place[size] == '/')
            return file->place + size + 1;
    }
    return NULL;
}

/* Creates the folders of a path after its first `from` bytes. Returns 0 or -errno. */
static int make_folders(char *path, size_t from)
{
    for (char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        int error;

        *slash = '\0';
        error = mkdir(path, 0777) < 0 && errno != EEXIST ? -errno : 0;
        *slash = '/';
        if (error)
            return error;
    }
    return 0;
}

/* Escapes quotes and backslashes of a name or an author, as JSON, C and other languages require. */
static void write_escaped(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', stream);
        putc(*text, stream);
    }
}

/* Writes a file's bytes with the name, the author and the version filled in. */
static void write_bytes(FILE *stream, const struct kit_file *file, const char *name,
                        const char *author)
{
    for (size_t i = 0; i < file->size;) {
        const char *at = (const char *)file->bytes + i;
        size_t left = file->size - i;

        if (left >= 6 && memcmp(at, "@NAME@", 6) == 0) {
            write_escaped(stream, name);
            i += 6;
        } else if (left >= 8 && memcmp(at, "@AUTHOR@", 8) == 0) {
            write_escaped(stream, author);
            i += 8;
        } else if (left >= 9 && memcmp(at, "@VERSION@", 9) == 0) {
            fputs(ARENA_VERSION, stream);
            i += 9;
        } else {
            putc(*at, stream);
            i++;
        }
    }
}

static int write_file(const char *path, const struct kit_file *file, const char *name,
                      const char *author)
{
    FILE *stream = fopen(path, "wbxe");
    bool failed;

    if (!stream)
        return -errno;
    write_bytes(stream, file, name, author);
    failed = ferror(stream);
    if (fclose(stream) == EOF)
        return -errno;
    return failed ? -EIO : 0;
}

int kit_write(const struct kit *kit, const char *folder, const char *name, const char *author,
              char **path)
{
    int count = 0;

    *path = NULL;
    if (mkdir(folder, 0777) < 0)
        return -errno;
    for (const struct kit_file *file = kit_files; file->place; file++) {
        const char *inside = path_in_kit(kit, file);
        int error;

        if (!inside)
            continue;
        free(*path);
        if (asprintf(path, "%s/%s", folder, inside) < 0) {
            *path = NULL;
            return -ENOMEM;
        }
        error = make_folders(*path, strlen(folder) + 1);
        if (error == 0)
            error = write_file(*path, file, name, author);
        if (error)
            return error;
        count++;
    }
    free(*path);
    *path = NULL;
    return count;
}
