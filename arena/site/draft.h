/* A file of a site while it is written: its bytes are put into the folder once it is complete. */
#ifndef ARENA_SITE_DRAFT_H
#define ARENA_SITE_DRAFT_H

#include <stdio.h>

#include "arena/site/folder.h"

struct draft {
    char *bytes;
    size_t size;
    FILE *stream; /* what is written to it */
};

/* Returns 0, or -ENOMEM with folder->error set and nothing to end. */
int draft_begin(struct draft *draft, struct folder *folder);

/* Ends the draft and puts it into the folder: see folder_put. */
int draft_put(struct draft *draft, struct folder *folder, const char *name, uint64_t key);

/* Ends the draft. */
void draft_drop(struct draft *draft);

#endif
