/* SPDX-License-Identifier: MIT */
/* arena new: creates a new bot from a kit. */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/kits/kits.h"
#include "arena/play/package.h"
#include "arena/base/place.h"
#include "arena/base/plain_text.h"
#include "arena/store/store.h"

enum {
    PACKAGE_BYTES = 128, /* longest name of a package, and NUL */
};

static const char *language, *author, *name;
static bool lists;

/*
 * True if this is a Debian that lacks the package: it has neither the package's folder of documents
 * nor a program of that name; npm, say, may have come with another package. *error becomes errno if
 * the arena cannot look, and otherwise stays.
 */
static bool is_missing(const char *package, int *error)
{
    static const char *const folders[] = {"/usr/share/doc", "/usr/bin", "/usr/local/bin"};
    bool is_found = access("/etc/debian_version", F_OK) < 0;

    for (size_t i = 0; i < sizeof folders / sizeof *folders && !is_found; i++) {
        char path[PACKAGE_BYTES + 32];

        snprintf(path, sizeof path, "%s/%s", folders[i], package);
        is_found = access(path, F_OK) == 0;
        if (!is_found && package_is_arenas_error(errno))
            *error = errno;
    }
    return !is_found;
}

/*
 * Returns the packages of a list for people, such as "ruby and ruby-msgpack", that are missing. If
 * the arena cannot look for one, *error becomes errno.
 */
static json_t *list_missing(const char *needs, int *error)
{
    json_t *missing = json_array();
    char package[PACKAGE_BYTES];

    for (size_t size; *needs; needs += size) {
        needs += strspn(needs, ", ");
        size = strcspn(needs, ", ");
        snprintf(package, sizeof package, "%.*s", (int)size, needs);
        if (*package && strcmp(package, "and") != 0 && is_missing(package, error))
            json_array_append_new(missing, json_string(package));
    }
    return missing;
}

static int print_list(void)
{
    for (const struct kit *kit = kits; kit->language; kit++) {
        int error = 0;
        json_t *missing = list_missing(kit->needs, &error), *package;
        size_t i;

        if (error) {
            json_decref(missing);
            return command_fail("the arena cannot look for what is installed: %s", strerror(error));
        }
        if (options_json) {
            command_print_json(json_pack("{s:s, s:s, s:o}", "language", kit->language, "needs",
                                         kit->needs, "missing", missing));
            continue;
        }
        plain_text_printf(stdout, "%-11s %s", kit->language, kit->needs);
        json_array_foreach(missing, i, package) plain_text_printf(
            stdout, "%s%s", i ? ", " : "; not installed here: ", json_string_value(package));
        putchar('\n');
        json_decref(missing);
    }
    return COMMAND_DONE;
}

/*
 * Returns the user's full name; the account name if the system does not know a full name. NULL: the
 * arena cannot look, which errno tells.
 */
static const char *own_name(void)
{
    static char own[STORE_TEXT_BYTES_MAX + 1];
    const struct passwd *account;

    errno = 0;
    account = getpwuid(getuid());
    if (!account)
        return package_is_arenas_error(errno) ? NULL : "unknown";
    snprintf(own, sizeof own, "%.*s", (int)strcspn(account->pw_gecos, ","), account->pw_gecos);
    if (!store_text_is_valid(own))
        snprintf(own, sizeof own, "%s", account->pw_name);
    return own;
}

static int refuse_language(void)
{
    if (!language)
        return command_refuse(
            "new: choose a language with --lang: `arena new --list` prints the languages");
    return command_refuse(
        "new: no starter kit for the language '%s': `arena new --list` prints the languages",
        language);
}

static int write_kit(const struct kit *kit, const char *folder)
{
    char *path;
    int count = kit_write(kit, folder, name, author, &path);

    if (count == -EEXIST && !path)
        return command_refuse("%s: already exists; choose another folder", folder);
    if (count < 0) {
        int status = command_refuse_errno(-count, "%s: cannot be written: %s%s%s%s",
                                          path ? path : folder, strerror(-count), place_cure(count),
                                          path ? "; remove the folder before you try again: " : "",
                                          path ? folder : "");

        free(path);
        return status;
    }
    plain_text_printf(stdout,
                      "%s: %d files written; the bot needs %s\n  README.md describes the next "
                      "steps; the first one:\n",
                      folder, count, kit->needs);
    if (kit->prepare)
        plain_text_printf(stdout, "  (cd %s && %s)\n", folder, kit->prepare);
    plain_text_printf(stdout, "  arena check --quick %s\n", folder);
    return COMMAND_DONE;
}

static const struct option options[] = {
    {"lang", "LANG", "one of the languages that --list prints; c++, c#, js, ts and py work too",
     .text = &language, .excludes = "list"},
    {"author", "NAME", "the bot's author (your name on this machine)", .text = &author},
    {"name", "NAME", "the bot's name (the folder's name)", .text = &name},
    {"list", NULL,
     "print the languages, what bots in each need to be built and to run, and what of that is not "
     "installed here",
     .flag = &lists},
    {"json", NULL, "print the languages as one JSON object per line", .flag = &options_json,
     .needs = "list"},
    {0}};

static int run(int argc, char **argv)
{
    const struct kit *kit = language ? kit_find(language) : NULL;
    char *folder = argv[0];

    if (lists)
        return print_list();
    if (!kit)
        return refuse_language();
    if (argc != 1)
        return command_refuse("new: name one folder to write: see `arena new --help`");
    while (strlen(folder) > 1 && folder[strlen(folder) - 1] == '/')
        folder[strlen(folder) - 1] = '\0';
    if (!name)
        name = strrchr(folder, '/') ? strrchr(folder, '/') + 1 : folder;
    if (!author && !(author = own_name()))
        return command_fail("your name on this machine cannot be read: %s; or give --author",
                            strerror(errno));
    if (!store_name_is_valid(name))
        return command_refuse("new: the name '%s' is not %s; give another with --name", name,
                              STORE_NAME_RULE);
    if (!store_text_is_valid(author))
        return command_refuse("new: the author must be 1 to 64 bytes of text: --author NAME");
    return write_kit(kit, folder);
}

const struct command_line command_new = {
    .name = "new",
    .usage = "--lang LANG [--author NAME] [--name NAME] DIR\n--list [--json]",
    .about = "Writes a kit into the new folder DIR: a bot that plays, its manifest, a test, "
             "and a README that says how to make it better.",
    .options = options,
    .most = 1,
    .arguments = "name one folder to write",
    .run_fn = run};
