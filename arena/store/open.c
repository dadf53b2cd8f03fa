/* Selects the back end of a URL. */
#include <errno.h>
#include <string.h>

#include "arena/store/core.h"
#ifdef ARENA_POSTGRES
#include "arena/store/postgres/postgres.h"
#endif
#include "arena/store/sqlite/sqlite.h"

#ifndef ARENA_POSTGRES
static int refuse_postgres(struct store *store, const char *address, enum store_mode mode)
{
    (void)address; /* may contain a password */
    (void)mode;
    return store_explain(store, -ENOTSUP,
                         "this arena was built without PostgreSQL: install the Debian package "
                         "libpq-dev, configure and build it again (cmake --preset release, cmake "
                         "--build build/release)");
}
#endif

static void close_nothing(struct store *store)
{
    (void)store;
}

#ifndef ARENA_POSTGRES
static const struct store_backend postgres_backend = {
    .scheme = "postgresql", .open = refuse_postgres, .close = close_nothing};
#endif

/* URL schemes; the first one of a back end is its main scheme. */
static const struct {
    const char *scheme;
    const struct store_backend *backend;
} schemes[] = {
    {"sqlite", &sqlite_backend},
    {"postgresql", &postgres_backend},
    {"postgres", &postgres_backend},
};

/* Returns the size of the scheme before a ':', 0 for a plain path. */
static size_t scheme_bytes(const char *url)
{
    size_t size = strspn(url, "abcdefghijklmnopqrstuvwxyz0123456789+.-");

    return size > 1 && url[size] == ':' && url[0] >= 'a' && url[0] <= 'z' ? size : 0;
}

/* The open function for a URL without a back end; it only reports the error. */
static int open_nothing(struct store *store, const char *address, enum store_mode mode)
{
    const char *at = strrchr(address, '@');
    const char *shown = at ? at + 1 : address; /* the part before it may contain a password */

    (void)mode;
    return store_refuse(store, -EINVAL,
                        "store %s: unknown kind of store; use sqlite:PATH or postgresql://USER@"
                        "HOST/DATABASE, or write a folder with a colon as ./%s",
                        shown, shown);
}

static const struct store_backend nothing = {
    .scheme = "", .open = open_nothing, .close = close_nothing};

int store_open(struct store **store, const char *url, enum store_mode mode)
{
    size_t size = scheme_bytes(url);

    if (size == 0)
        return store_open_backend(store, &sqlite_backend, url, mode);
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strlen(schemes[i].scheme) == size && memcmp(schemes[i].scheme, url, size) == 0)
            return store_open_backend(store, schemes[i].backend, url + size + 1, mode);
    return store_open_backend(store, &nothing, url, mode);
}
