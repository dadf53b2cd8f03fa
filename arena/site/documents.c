#include "arena/site/documents.h"

#include <errno.h>

#include "arena/kits/kits.h"
#include "arena/site/page.h"
#include "arena/store/archive.h"

/* Made by embed_docs.c. */
extern const struct site_document site_documents[];

enum {
    DOCUMENTS_KEY = 1, /* of all files here: what they contain is part of the site's form */
};

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
    char path[FOLDER_NAME_BYTES], error[ARCHIVE_ERROR_BYTES];
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

/* ---- documents ---- */

static FILE *begin(struct folder *folder, const char *name)
{
    char path[FOLDER_NAME_BYTES];

    snprintf(path, sizeof path, "docs/%s", name);
    return folder_page(folder, path, DOCUMENTS_KEY);
}

/* Writes a page from a template, which needs nothing but the kits and the address. */
static void put_page(struct folder *folder, const char *name, const char *title,
                     const char *template, const char *address)
{
    FILE *page = begin(folder, name);

    if (!page)
        return;
    page_write(page, template,
               json_pack("{s:s, s:s, s:s, s:s*, s:o}", "title", title, "home", "../index.html",
                         "bot", kit_bot, "address", address, "kits", kits_json()));
    folder_put_page(folder, DOCUMENTS_KEY);
}

static void put_document(struct folder *folder, const struct site_document *document)
{
    FILE *file = begin(folder, document->name);

    if (!file)
        return;
    if (document->title)
        page_write(file, "document",
                   json_pack("{s:s, s:s, s:s}", "title", document->title, "home", "../index.html",
                             "text", document->text));
    else
        fputs(document->text, file);
    folder_put_page(folder, DOCUMENTS_KEY);
}

void documents_put(struct folder *folder, const char *address)
{
    put_page(folder, "index.html", "Write a bot", "documents", address);
    put_page(folder, "without-linux.html", "A bot without Linux", "without_linux", address);
    for (const struct site_document *document = site_documents; document->name; document++)
        put_document(folder, document);
    for (const struct kit *kit = kits; kit->language; kit++)
        put_kit(folder, kit);
}
