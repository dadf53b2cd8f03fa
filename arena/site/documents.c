/* SPDX-License-Identifier: MIT */
#include "arena/site/documents.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/base/file.h"
#include "arena/base/json.h"

#include "arena/base/mix.h"
#include "arena/kits/kits.h"
#include "arena/site/page.h"
#include "arena/store/archive.h"

/* Made by embed_docs.c. */
extern const struct site_document site_documents[];

enum {
    DOCUMENTS_KEY = 1, /* of files that are part of the site's form */
    PROGRAM_BYTES_MAX = 64 << 20,
};

static const char program_path[] = "program/arena-x86_64.tar.gz";

/* What a kit from the site is called until its author changes bot.json. */
static const char kit_bot[] = "my-bot", kit_author[] = "your name";

/* ---- kits ---- */

static int add_file(void *zip, const char *path, const uint8_t *bytes, size_t size)
{
    char inside[FOLDER_NAME_BYTES];

    snprintf(inside, sizeof inside, "%s/%s", kit_bot, path);
    archive_zip_add(zip, inside, bytes, size);
    return 0;
}

static void put_kit(struct folder *folder, const struct kit *kit)
{
    char path[FOLDER_NAME_BYTES], error[ARCHIVE_ERROR_BYTES] = "out of memory";
    struct archive *zip;
    FILE *file;

    snprintf(path, sizeof path, "kits/%s.zip", kit->language);
    file = folder_page(folder, path, DOCUMENTS_KEY);
    if (!file)
        return;
    zip = archive_zip_begin(file, error);
    if (!zip || kit_each(kit, kit_bot, kit_author, add_file, zip) < 0 ||
        archive_zip_end(zip, error) < 0)
        folder_fail(folder, -EIO, "%s: %.200s", path, error);
    folder_put_page(folder, DOCUMENTS_KEY);
}

static json_t *kits_json(void)
{
    json_t *list = json_array();

    for (const struct kit *kit = kits; kit->language; kit++)
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:s*, s:s}", "language", kit->language,
                                        "title", kit->title, "needs", kit->needs, "prepare",
                                        kit->prepare, "test", kit->test));
    return list;
}

/* ---- the program ---- */

/* Returns a key of the file at path as it is on disk; 0 without a path, or after a failure. */
static uint64_t program_key(struct folder *folder, const char *path)
{
    struct stat status;

    if (!path)
        return 0;
    if (stat(path, &status) < 0) {
        folder_fail(folder, -errno, "--program %.200s: %s", path, strerror(errno));
        return 0;
    }
    return mix_bytes((uint64_t)status.st_size, &status.st_mtim, sizeof status.st_mtim) | 2;
}

static int read_program(struct folder *folder, const char *path, uint8_t **bytes, size_t *size)
{
    const int error = file_read(path, PROGRAM_BYTES_MAX, bytes, size);

    return error ? folder_fail(folder, error, "--program %.200s: %s", path, strerror(-error)) : 0;
}

static void put_program(struct folder *folder, const char *path, uint64_t key)
{
    FILE *file = key ? folder_page(folder, program_path, key) : NULL;
    uint8_t *bytes;
    size_t size;

    if (!file)
        return;
    if (read_program(folder, path, &bytes, &size) == 0) {
        fwrite(bytes, 1, size, file);
        free(bytes);
    }
    folder_put_page(folder, key);
}

/* Returns what the page tells of the program, a new reference; null without a program. */
static json_t *program_json(struct folder *folder, const char *path)
{
    uint8_t digest[SHA256_DIGEST_SIZE], *bytes;
    struct sha256_ctx sum;
    size_t size;

    if (!path || read_program(folder, path, &bytes, &size) < 0)
        return json_null();
    sha256_init(&sum);
    sha256_update(&sum, size, bytes);
    sha256_digest(&sum, sizeof digest, digest);
    free(bytes);
    return json_pack("{s:s, s:f, s:o}", "path", program_path, "mb", (double)size / 1e6, "sha256",
                     json_hex(digest, sizeof digest));
}

/* ---- documents ---- */

static FILE *begin(struct folder *folder, const char *name, uint64_t key)
{
    char path[FOLDER_NAME_BYTES];

    snprintf(path, sizeof path, "docs/%s", name);
    return folder_page(folder, path, key);
}

static void write_page(struct folder *folder, struct pages *pages, FILE *page, const char *template,
                       json_t *data)
{
    char error[TEMPLATE_ERROR_BYTES];
    const int result = page_write(pages, page, template, data, error);

    if (result < 0)
        folder_fail(folder, result, "%s", error);
}

/* Writes a page that tells of kits, program and opponents. */
static void put_page(struct folder *folder, struct pages *pages, const char *name,
                     const char *title, const char *template, const char *address,
                     const char *program, json_t *references)
{
    const char *opponent = json_string_value(json_array_get(references, 0));
    char *text = json_dumps(references, JSON_COMPACT);
    const uint64_t key =
        mix_bytes(program_key(folder, program), text, text ? strlen(text) : 0) | DOCUMENTS_KEY;
    FILE *page = begin(folder, name, key);

    free(text);
    if (!page)
        return;
    write_page(folder, pages, page, template,
               json_pack("{s:s, s:s, s:s, s:s*, s:o, s:O, s:s, s:o}", "title", title, "home",
                         "../index.html", "bot", kit_bot, "address", address, "kits", kits_json(),
                         "references", references, "opponent", opponent ? opponent : "OTHER",
                         "program", program_json(folder, program)));
    folder_put_page(folder, key);
}

static void put_document(struct folder *folder, struct pages *pages,
                         const struct site_document *document)
{
    FILE *file = begin(folder, document->name, DOCUMENTS_KEY);

    if (!file)
        return;
    if (document->title)
        write_page(folder, pages, file, "document",
                   json_pack("{s:s, s:s, s:s, s:b}", "title", document->title, "home",
                             "../index.html", "text", document->text, "is_learn",
                             strcmp(document->name, "learn.html") == 0));
    else
        fputs(document->text, file);
    folder_put_page(folder, DOCUMENTS_KEY);
}

const char *documents_text(const char *name)
{
    for (const struct site_document *document = site_documents; document->name; document++)
        if (strcmp(document->name, name) == 0)
            return document->text;
    return NULL;
}

void documents_put(struct folder *folder, struct pages *pages, const char *address,
                   const char *program, json_t *references)
{
    put_page(folder, pages, "index.html", "Write a bot", "documents", address, program, references);
    put_page(folder, pages, "without-linux.html", "A bot without Linux", "without_linux", address,
             NULL, references);
    for (const struct site_document *document = site_documents; document->name; document++)
        put_document(folder, pages, document);
    for (const struct kit *kit = kits; kit->language; kit++)
        put_kit(folder, kit);
    put_program(folder, program, program_key(folder, program));
}
