/* SPDX-License-Identifier: MIT */
/*
 * Opening and closing a store (the scheme of its URL selects the driver), error messages, claims
 * of seasons, the rules for names and texts, and the home folder. The other files of this folder
 * reach the driver through sql.h.
 */
#include "arena/store/store.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/store/sql.h"

/* ---- messages ---- */

bool store_error_passes(int error)
{
    return error == -ENOTCONN || error == -ECONNABORTED || error == -ENOSPC || error == -EIO ||
           error == -EROFS || error == -EBUSY || error == -EAGAIN;
}

const char *store_failure(const struct store *store)
{
    return store ? store->failure : "out of memory";
}

int store_refuse(struct store *store, int error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(store->failure, sizeof store->failure, format, arguments);
    va_end(arguments);
    return error;
}

int store_explain(struct store *store, int error, const char *line)
{
    return store_refuse(store, error, "%s", line);
}

int store_damaged(struct store *store, const char *table, const char *row, const char *column,
                  const char *fault)
{
    return store_refuse(store, -EBADMSG,
                        "%s is damaged: table %s, row %s, column %s: %s; restore a backup",
                        store->where, table, row, column, fault);
}

/* ---- opening and closing ---- */

static const struct {
    const char *prefix;              /* a scheme with its ':' */
    const struct sql_driver *driver; /* the driver; NULL: this arena was built without it */
} schemes[] = {
    {"sqlite:", &sqlite_driver},
#ifdef ARENA_POSTGRES
    {"postgresql:", &postgres_driver},
    {"postgres:", &postgres_driver},
#else
    {"postgresql:", NULL},
    {"postgres:", NULL},
#endif
};

/* Returns true if a URL begins with a scheme, so that it is no plain path. */
static bool has_scheme(const char *url)
{
    size_t size = strspn(url, "abcdefghijklmnopqrstuvwxyz0123456789+.-");

    return size > 1 && url[size] == ':' && url[0] >= 'a' && url[0] <= 'z';
}

int store_open_driver(struct store **store_out, const struct sql_driver *driver,
                      const char *address, enum store_mode mode)
{
    struct store *store = calloc(1, sizeof *store);

    *store_out = store;
    if (!store)
        return -ENOMEM;
    store->driver = driver;
    store->mode = mode;
    snprintf(store->url, sizeof store->url, "%s:%s", driver->scheme, address);
    snprintf(store->where, sizeof store->where, "%s", store->url);
    return sql_result(store, driver->open(store, address));
}

/*
 * Creates a store without a driver, which only holds the message of the failed store_open: the
 * scheme of its address is unknown, or this arena was built without PostgreSQL.
 */
static int open_nothing(struct store **store_out, bool is_known, const char *address)
{
    const char *at = strrchr(address, '@');
    const char *shown = at ? at + 1 : address; /* the part before the @ may contain a password */
    struct store *store = calloc(1, sizeof *store);

    *store_out = store;
    if (!store)
        return -ENOMEM;
    if (is_known)
        return store_refuse(store, -ENOTSUP,
                            "this arena was built without PostgreSQL: install the Debian package "
                            "libpq-dev, configure and build it again (cmake --preset release, "
                            "cmake --build build/release)");
    return store_refuse(store, -EINVAL,
                        "store %s: unknown kind of store; use sqlite:PATH or postgresql://USER@"
                        "HOST/DATABASE, or write a folder with a colon as ./%s",
                        shown, shown);
}

int store_open(struct store **store, const char *url, enum store_mode mode)
{
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t size = strlen(schemes[i].prefix);

        if (strncmp(url, schemes[i].prefix, size) == 0)
            return schemes[i].driver ? store_open_driver(store, schemes[i].driver, url + size, mode)
                                     : open_nothing(store, true, url + size);
    }
    return has_scheme(url) ? open_nothing(store, false, url)
                           : store_open_driver(store, &sqlite_driver, url, mode);
}

void store_close(struct store *store)
{
    if (!store)
        return;
    if (store->driver)
        store->driver->close(store);
    free(store);
}

const char *store_url(const struct store *store)
{
    return store->url;
}

const char *store_where(const struct store *store)
{
    return store->where;
}

int store_upgraded_from(const struct store *store)
{
    return store->upgraded_from;
}

/* ---- the whole store ---- */

int store_check(struct store *store)
{
    store->failure[0] = '\0';
    return store->driver->check ? sql_result(store, store->driver->check(store)) : 0;
}

int store_diagnose(struct store *store, store_finding_fn *each_fn, void *context)
{
    store->failure[0] = '\0';
    return store->driver->diagnose
               ? sql_result(store, store->driver->diagnose(store, each_fn, context))
               : 0;
}

int store_try_room(struct store *store)
{
    store->failure[0] = '\0';
    return store->driver->try_room ? sql_result(store, store->driver->try_room(store)) : 0;
}

int store_backup(struct store *store, const char *path)
{
    int error;

    store->failure[0] = '\0';
    error = store->driver->backup(store, path);
    if (error == -EEXIST)
        store_refuse(store, error, "%s already exists: choose another file", path);
    return sql_result(store, error);
}

/* ---- claims ---- */

int store_season_claim(struct store *store, const char *name, bool waits)
{
    store->failure[0] = '\0';
    if (!store_name_is_valid(name))
        return store_refuse(store, -ENOENT,
                            "there is no season %s: `arena season list` lists the seasons", name);
    return sql_result(store, store->driver->claim(store, name, waits));
}

int store_claim_check(struct store *store)
{
    store->failure[0] = '\0';
    return store->driver->check_claim ? sql_result(store, store->driver->check_claim(store)) : 0;
}

int store_claim_read(struct store *store, const char *name, char owner[static STORE_OWNER_BYTES])
{
    store->failure[0] = '\0';
    owner[0] = '\0';
    return sql_result(store, store->driver->read_claim(store, name, owner));
}

int store_claim_release(struct store *store, const char *name)
{
    char owner[STORE_OWNER_BYTES];
    int error = store_claim_read(store, name, owner);

    if (error)
        return error;
    if (!*owner)
        return store_refuse(store, -ENOENT, "season %s: nobody has claimed the season", name);
    if (!store->driver->release_claim)
        return store_refuse(store, -EBUSY,
                            "season %s is being played by %s: the claim ends with that process",
                            name, owner);
    return sql_result(store, store->driver->release_claim(store, name));
}

/* ---- valid names and texts ---- */

bool store_name_is_valid(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_");

    return length >= 1 && length <= STORE_NAME_BYTES_MAX && name[length] == '\0' && *name != '-' &&
           *name != '_';
}

/* Returns true for characters that change the direction of the text that follows. */
static bool turns_text(uint32_t character)
{
    return character == 0x61c || character == 0x200e || character == 0x200f ||
           (character >= 0x202a && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069);
}

bool store_text_is_valid(const char *text)
{
    size_t length = strlen(text), size;
    uint32_t character;

    if (length < 1 || length > STORE_TEXT_BYTES_MAX)
        return false;
    for (const char *at = text; *at; at += size) {
        size = wire_character(at, length - (size_t)(at - text), &character);
        /* Reject control characters: C0, DEL, C1, and the line and paragraph separators. */
        if (size == 0 || character < 0x20 || (character >= 0x7f && character < 0xa0) ||
            character == 0x2028 || character == 0x2029 || turns_text(character))
            return false;
    }
    return true;
}

/* ---- the home folder ---- */

static int write_path(char path[static PATH_MAX], const char *base, const char *below)
{
    int length = snprintf(path, PATH_MAX, "%s%s", base, below);

    return length < 0 || length >= PATH_MAX ? -ENAMETOOLONG : 0;
}

/*
 * Reads an environment variable. Returns NULL if it is not set or empty. (A relative XDG_DATA_HOME
 * is invalid, too, by the XDG standard.)
 */
static const char *environment(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

int home_find(const char *option, char path[static PATH_MAX])
{
    const char *data = environment("XDG_DATA_HOME");

    if (option)
        return *option ? write_path(path, option, "") : -ENOENT;
    if (environment("ARENA_HOME"))
        return write_path(path, getenv("ARENA_HOME"), "");
    if (data && *data == '/')
        return write_path(path, data, "/pavilion");
    if (environment("HOME"))
        return write_path(path, getenv("HOME"), "/.local/share/pavilion");
    return -ENOENT;
}

int home_create(const char *path)
{
    char partial[PATH_MAX];
    size_t size = strlen(path);

    if (size >= sizeof partial)
        return -ENAMETOOLONG;
    strcpy(partial, path);
    /* A slash at the end would make the loop below create the home too, with mode 0755. */
    while (size > 1 && partial[size - 1] == '/')
        partial[--size] = '\0';
    for (char *slash = strchr(partial + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(partial, 0755) < 0 && errno != EEXIST)
            return -errno;
        *slash = '/';
    }
    /* The folder will have seeds of future games, which no other user may read. */
    if (mkdir(partial, 0700) < 0 && errno != EEXIST)
        return -errno;
    return 0;
}
