/* Which manifests a season accepts. */
#include <criterion/criterion.h>
#include <string.h>

#include "arena/trial/check.h"

#define TEN   "1234567890"
#define SIXTY TEN TEN TEN TEN TEN TEN

static const struct {
    const char *rule;
    struct manifest manifest;
    const char *wrong; /* the key that is named, or NULL: all is well */
} rows[] = {
    {"all there", {.name = "a-b_9", .version = "1", .author = "x", .language = "C"}, NULL},
    {"no language", {.name = "a", .version = "1", .author = "x"}, NULL},
    {"the longest", {.name = TEN TEN TEN "12", .version = SIXTY "1234", .author = "x"}, NULL},
    {"a name too long", {.name = TEN TEN TEN "123", .version = "1", .author = "x"}, "name"},
    {"a name with capitals", {.name = "Bot", .version = "1", .author = "x"}, "name"},
    {"no name", {.version = "1", .author = "x"}, "name"},
    {"no version", {.name = "a", .author = "x"}, "version"},
    {"no author", {.name = "a", .version = "1"}, "author"},
    {"an author with a line end", {.name = "a", .version = "1", .author = "x\n"}, "author"},
    {"a language with an escape",
     {.name = "a", .version = "1", .author = "x", .language = "\x1b[2J"},
     "language"},
    {"any script", {.name = "a", .version = "1", .author = "\xe6\x9d\x8e"}, NULL},
};

Test(manifest, every_row)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char error[MANIFEST_ERROR_BYTES] = "";
        bool taken = check_manifest(&rows[i].manifest, error);

        cr_expect_eq(taken, !rows[i].wrong, "%s: %s", rows[i].rule, error);
        cr_expect(taken || strstr(error, rows[i].wrong), "%s: %s", rows[i].rule, error);
    }
}
