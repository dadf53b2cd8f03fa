/* SPDX-License-Identifier: MIT */
#include "arena/kits/kits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/memory.h"
#include "arena/base/place.h"

/* True if text is one of the words of a list. */
static bool is_among(const char *list, const char *text)
{
    for (; list && *list; list += strspn(list, " ")) {
        size_t size = strcspn(list, " ");

        if (strlen(text) == size && strncasecmp(list, text, size) == 0)
            return true;
        list += size;
    }
    return false;
}

const struct kit *kit_find(const char *name)
{
    for (const struct kit *kit = kits; kit->language; kit++)
        if (strcasecmp(kit->language, name) == 0 || is_among(kit->names, name))
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
            const char *next = memchr(at + 1, '@', left - 1);
            const size_t plain = next ? (size_t)(next - at) : left;

            fwrite(at, 1, plain, stream);
            i += plain;
        }
    }
}

int kit_each(const struct kit *kit, const char *name, const char *author, kit_file_fn *file_fn,
             void *context)
{
    int count = 0;

    for (const struct kit_file *file = kit_files; file->place; file++) {
        const char *path = path_in_kit(kit, file);
        char *bytes = NULL;
        size_t size;
        FILE *stream;
        int error;

        if (!path)
            continue;
        stream = memory_stream(&bytes, &size);
        write_bytes(stream, file, name, author);
        memory_stream_end(stream);
        error = file_fn(context, path, (const uint8_t *)bytes, size);
        free(bytes);
        if (error)
            return error;
        count++;
    }
    return count;
}

struct writing {
    const char *folder;
    char **path; /* of the file that is being written */
};

static int write_file(void *context, const char *inside, const uint8_t *bytes, size_t size)
{
    const struct writing *writing = context;
    int error;

    free(*writing->path);
    if (asprintf(writing->path, "%s/%s", writing->folder, inside) < 0) {
        *writing->path = NULL;
        return -ENOMEM;
    }
    error = make_folders(*writing->path, strlen(writing->folder) + 1);
    return error ? error : place_write_new(*writing->path, bytes, size);
}

int kit_write(const struct kit *kit, const char *folder, const char *name, const char *author,
              char **path)
{
    struct writing writing = {folder, path};
    int count;

    *path = NULL;
    if (mkdir(folder, 0777) < 0)
        return -errno;
    count = kit_each(kit, name, author, write_file, &writing);
    if (count >= 0) {
        free(*path);
        *path = NULL;
    }
    return count;
}
