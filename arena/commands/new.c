/* arena new: creates a new bot from a kit. */
#include <errno.h>
#include <getopt.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_option.h"
#include "arena/kits/kits.h"
#include "arena/replay/plain_text.h"
#include "arena/store/store.h"

static const char usage[] =
    "usage: arena new --lang LANG [--author NAME] [--name NAME] DIR\n"
    "       arena new --list [--json]\n"
    "\n"
    "Writes a kit into the new folder DIR: a bot that plays, with its manifest, a test of its own "
    "and\n"
    "a README that goes on from there.\n"
    "\n"
    "  --lang LANG      one of those that --list prints; c++, c#, js, ts, py are understood, too\n"
    "  --author NAME    whose bot it is (default: your name on this machine)\n"
    "  --name NAME      what the bot is called (default: the folder's name)\n"
    "  --list           print the languages, and what each needs\n"
    "  --json           print them as one JSON object per line\n";

static int print_list(bool as_json)
{
    for (const struct kit *kit = kits; kit->language; kit++)
        if (as_json)
            store_option_print(json_pack("{s:s, s:s}", "lang", kit->language, "needs", kit->needs));
        else
            plain_text_printf(stdout, "%-11s %s\n", kit->language, kit->needs);
    return COMMAND_DONE;
}

/* Returns the user's full name, or else the account name. */
static const char *own_name(void)
{
    static char name[STORE_TEXT_BYTES_MAX + 1];
    const struct passwd *account = getpwuid(getuid());

    if (!account)
        return "unknown";
    snprintf(name, sizeof name, "%.*s", (int)strcspn(account->pw_gecos, ","), account->pw_gecos);
    if (!store_text_is_valid(name))
        snprintf(name, sizeof name, "%s", account->pw_name);
    return name;
}

static int refuse_language(const char *language)
{
    if (!language)
        return command_refuse("new: choose a language with --lang: `arena new --list` names them");
    return command_refuse("new: no kit for '%s': `arena new --list` names the languages", language);
}

static int write_kit(const struct kit *kit, const char *folder, const char *name,
                     const char *author)
{
    char *path;
    int count = kit_write(kit, folder, name, author, &path);

    if (count == -EEXIST && !path)
        return command_refuse("%s: already exists; choose another folder", folder);
    if (count < 0) {
        int status =
            command_refuse("%s: cannot be written: %s", path ? path : folder, strerror(-count));

        free(path);
        return status;
    }
    plain_text_printf(stdout,
                      "%s: %d files, needs %s\n"
                      "  its README.md goes on from here; first of all:\n",
                      folder, count, kit->needs);
    if (kit->prepare)
        plain_text_printf(stdout, "  (cd %s && %s)\n", folder, kit->prepare);
    plain_text_printf(stdout, "  arena check --quick %s\n", folder);
    return COMMAND_DONE;
}

int command_new(int argc, char **argv)
{
    const char *language = NULL, *author = NULL, *name = NULL;
    bool list = false, as_json = false;
    const struct plain_option options[] = {{"lang", .text = &language}, {"author", .text = &author},
                                           {"name", .text = &name},     {"list", .flag = &list},
                                           {"json", .flag = &as_json},  {.name = NULL}};
    char *folder, *name_of_folder;
    int status;

    if (!plain_options_read(argc, argv, options, usage, NULL, &status))
        return status;
    if (list)
        return print_list(as_json);
    if (!language || !kit_find(language))
        return refuse_language(language);
    if (argc - optind != 1)
        return command_refuse("new: name one folder to write: see `arena new --help`");
    folder = strdup(argv[optind]);
    if (!folder)
        return command_fail("out of memory");
    while (strlen(folder) > 1 && folder[strlen(folder) - 1] == '/')
        folder[strlen(folder) - 1] = '\0';
    name_of_folder = strrchr(folder, '/') ? strrchr(folder, '/') + 1 : folder;
    if (!name)
        name = name_of_folder;
    if (!author)
        author = own_name();
    if (!store_name_is_valid(name))
        status = command_refuse("new: the name '%s' is not 1 to 32 characters from a-z, 0-9, - and "
                                "_; give another with "
                                "--name",
                                name);
    else if (!store_text_is_valid(author))
        status = command_refuse("new: the author must be 1 to 64 bytes of text: --author NAME");
    else
        status = write_kit(kit_find(language), folder, name, author);
    free(folder);
    return status;
}
