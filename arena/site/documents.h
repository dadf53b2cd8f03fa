/* SPDX-License-Identifier: MIT */
/*
 * What somebody who has only the site's address needs to begin: the documents of docs/, as pages
 * and files that the build makes of them (embed_docs.c); the kits, as zip archives; the
 * program, if the organizer gives it; and the page that leads to them.
 */
#ifndef ARENA_SITE_DOCUMENTS_H
#define ARENA_SITE_DOCUMENTS_H

#include <jansson.h>

#include "arena/site/folder.h"
#include "arena/site/page.h"

/* A document of the site; the list ends with name NULL. */
struct site_document {
    const char *name;  /* of its file in the site's folder docs */
    const char *title; /* of a page; NULL: the file is no page, and text all that it contains */
    const char *text;  /* HTML below the title */
};

/* Returns the HTML of a page of the site's folder docs, below its title; NULL if there is none. */
const char *documents_text(const char *name);

/*
 * Writes the site's folders docs, kits and program, or keeps them: they are the same until the
 * arena's program, the address, the file or a reference bot is another one. address: where bots are
 * submitted; NULL: unknown. program: path of an archive that arena/packaging/portable.sh wrote;
 * NULL: none. references: array of the names of the bots that everybody may challenge; borrowed.
 */
void documents_put(struct folder *folder, struct pages *pages, const char *address,
                   const char *program, json_t *references);

#endif
