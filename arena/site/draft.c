#include "arena/site/draft.h"

#include <errno.h>
#include <stdlib.h>

int draft_begin(struct draft *draft, struct folder *folder)
{
    *draft = (struct draft){0};
    draft->stream = open_memstream(&draft->bytes, &draft->size);
    if (draft->stream)
        return 0;
    snprintf(folder->error, sizeof folder->error, "out of memory");
    return -ENOMEM;
}

int draft_put(struct draft *draft, struct folder *folder, const char *name, uint64_t key)
{
    int error = fclose(draft->stream) == 0 ? 0 : -ENOMEM;

    if (!error)
        error = folder_put(folder, name, key, draft->bytes, draft->size);
    else
        snprintf(folder->error, sizeof folder->error, "out of memory");
    free(draft->bytes);
    return error;
}

void draft_drop(struct draft *draft)
{
    fclose(draft->stream);
    free(draft->bytes);
}
