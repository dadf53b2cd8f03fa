#include "arena/commands/store_copy.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"
#include "arena/store/copy.h"

struct printing {
    bool json, terminal;
    json_t *tables;
    int64_t row_count;
};

static void write_digest(const struct copy_report *report, char text[static 65])
{
    for (int i = 0; i < STORE_DIGEST_BYTES; i++)
        snprintf(text + 2 * (size_t)i, 3, "%02x", report->sha256[i]);
}

static void tell(void *context, const struct copy_report *report, bool is_done)
{
    struct printing *printing = context;
    char digest[2 * STORE_DIGEST_BYTES + 1];

    if (printing->terminal)
        fprintf(stderr, "\r%10lld rows   ", (long long)report->row_count);
    if (printing->terminal && is_done)
        fputs("\r\033[K", stderr);
    if (!is_done)
        return;
    write_digest(report, digest);
    printing->row_count += report->row_count;
    if (printing->json)
        json_array_append_new(printing->tables,
                              json_pack("{s:s, s:I, s:s}", "table", report->table->name, "rows",
                                        (json_int_t)report->row_count, "sha256", digest));
    else
        plain_text_printf(stdout, "%-12s %10lld rows  %.16s\n", report->table->name,
                          (long long)report->row_count, digest);
}

/* Opens a store. If it does not exist, that is a user error, and no store is created. */
static int open_store(const char *url, enum store_mode mode, struct store **store)
{
    int error = store_open(store, url, mode), status = COMMAND_DONE;

    if (error) {
        status = error == -ENOENT ? command_refuse("%s", store_failure(*store))
                                  : store_option_status(*store, error);
        store_close(*store);
    }
    return status;
}

static int copy(struct store *source, struct store *target, struct printing *printing)
{
    const struct store *failed = target;
    int error = copy_store(target, source, tell, printing, &failed);

    if (printing->terminal)
        fputs("\r\033[K", stderr);
    if (error == -EEXIST || error == -EBUSY || error == -ENOTSUP)
        return store_option_status(failed ? failed : source, error);
    if (error)
        return command_fail("%s; %s is incomplete: remove it before you copy again",
                            store_failure(failed ? failed : source), store_where(target));
    if (printing->json)
        return store_option_print(json_pack(
            "{s:s, s:s, s:I, s:O}", "from", store_where(source), "to", store_where(target), "rows",
            (json_int_t)printing->row_count, "tables", printing->tables));
    plain_text_printf(stdout, "%lld rows copied and read back: %s now holds the same as %s\n",
                      (long long)printing->row_count, store_where(target), store_where(source));
    return COMMAND_DONE;
}

int store_copy_run(const char *from, const char *to, bool json)
{
    struct printing printing = {
        .json = json, .terminal = isatty(STDERR_FILENO), .tables = json ? json_array() : NULL};
    struct store *source, *target;
    int status = open_store(from, STORE_READ, &source);

    if (status == COMMAND_DONE) {
        status = open_store(to, STORE_CREATE, &target);
        if (status == COMMAND_DONE) {
            status = copy(source, target, &printing);
            store_close(target);
        }
        store_close(source);
    }
    json_decref(printing.tables);
    return status;
}
