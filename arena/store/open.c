/* Which back end a URL names. */
#include <errno.h>
#include <string.h>

#include "arena/store/core.h"
#include "arena/store/sqlite/sqlite.h"

static const struct store_backend *const backends[] = {&sqlite_backend};

/* Bytes of the scheme in front of a ':', 0 for a plain path. */
static size_t scheme_bytes(const char *url)
{
    size_t size = strspn(url, "abcdefghijklmnopqrstuvwxyz0123456789+.-");

    return size > 1 && url[size] == ':' && url[0] >= 'a' && url[0] <= 'z' ? size : 0;
}

/* Stands in where no back end could be found, so that its failure can be told. */
static int open_nothing(struct store *store, const char *address, enum store_mode mode)
{
    (void)mode;
    return store_refuse(
        store, -EINVAL,
        "store %s: unknown kind of store; use sqlite:PATH, or write a folder with a "
        "colon as ./%s",
        address, address);
}

static void close_nothing(struct store *store)
{
    (void)store;
}

static const struct store_backend nothing = {
    .scheme = "", .open = open_nothing, .close = close_nothing};

int store_open(struct store **store, const char *url, enum store_mode mode)
{
    size_t size = scheme_bytes(url);

    if (size == 0)
        return store_open_backend(store, &sqlite_backend, url, mode);
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        if (strlen(backends[i]->scheme) == size && memcmp(backends[i]->scheme, url, size) == 0)
            return store_open_backend(store, backends[i], url + size + 1, mode);
    return store_open_backend(store, &nothing, url, mode);
}
