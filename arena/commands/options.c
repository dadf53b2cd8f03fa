/* SPDX-License-Identifier: MIT */
#include "arena/commands/options.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/base/plain_text.h"
#include "engine/state.h"

enum {
    COLUMNS = 80,
    /*
     * Maximum width of an option in the left column; the help of a wider option starts on the next
     * line.
     */
    NAME_COLUMNS_MAX = 24,
    OPTIONS_MAX = 32,
    TYPED_BYTES_MAX = 40, /* number of bytes of a mistyped word that are compared with names */
};

bool options_json, options_wide;
const struct options_detour *options_detour;

static const char *given[OPTIONS_MAX]; /* options that the user gave, each once */

bool options_given(const char *name)
{
    for (int i = 0; i < OPTIONS_MAX && given[i]; i++)
        if (strcmp(given[i], name) == 0)
            return true;
    return false;
}

void options_give(const char *name)
{
    int count = 0;

    while (given[count] && strcmp(given[count], name) != 0)
        count++;
    assert(count < OPTIONS_MAX - 1);
    given[count] = name;
}

/* ---- the values ---- */

bool options_number(const char *text, int64_t minimum, int64_t maximum, int64_t *number)
{
    char *end;
    long long value;

    if (!isdigit((unsigned char)*text) && *text != '-')
        return false;
    errno = 0;
    value = strtoll(text, &end, 10);
    if (errno || *end || value < minimum || value > maximum)
        return false;
    *number = value;
    return true;
}

static int take_number(const struct option *option, const char *text)
{
    const bool has_end = option->maximum < INT64_MAX;
    int64_t number;

    if (!options_number(text, option->minimum, option->maximum, &number))
        return command_refuse("--%s %s: is not a number%s%s from %lld%s%.0lld", option->name, text,
                              option->unit ? " of " : "", option->unit ? option->unit : "",
                              (long long)option->minimum, has_end ? " to " : " on",
                              has_end ? (long long)option->maximum : 0);
    if (option->count)
        *option->count = (int)number;
    else
        *option->number = number * (option->scale ? option->scale : 1);
    return COMMAND_DONE;
}

static int take_real(const struct option *option, const char *text)
{
    char *end;
    double number = strtod(text, &end);

    if (end == text || *end || !isfinite(number) || number < (double)option->minimum ||
        number > (double)option->maximum)
        return command_refuse("--%s %s: is not a number from %lld to %lld", option->name, text,
                              (long long)option->minimum, (long long)option->maximum);
    *option->real = number;
    return COMMAND_DONE;
}

static int take_word(const struct option *option, const char *text)
{
    char list[128] = "";
    unsigned count = 0;

    for (; option->words[count]; count++)
        if (strcmp(option->words[count], text) == 0) {
            *option->word = count;
            return COMMAND_DONE;
        }
    for (unsigned i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                 i == 0           ? ""
                 : i == count - 1 ? " nor "
                                  : ", ",
                 option->words[i]);
    return command_refuse("--%s %s: is neither %s", option->name, text, list);
}

static int take_seed(const struct option *option, const char *text)
{
    uint8_t seed[GAME_SEED_BYTES] = {0};
    const size_t digits = 2 * sizeof seed;

    if (strlen(text) != digits || strspn(text, "0123456789abcdefABCDEF") != digits)
        return command_refuse("--%s %s: is not %zu hex digits", option->name, text, digits);
    for (size_t i = 0; i < digits; i++) {
        int digit = tolower((unsigned char)text[i]);

        digit = isdigit(digit) ? digit - '0' : digit - 'a' + 10;
        seed[i / 2] = (uint8_t)(seed[i / 2] << 4 | digit);
    }
    memcpy(option->seed, seed, sizeof seed);
    return COMMAND_DONE;
}

/* The copy lives as long as the process. */
static int take_url(const struct option *option, const char *text)
{
    size_t size = strlen(text);

    if (strncmp(text, "https://", 8) != 0 && strncmp(text, "http://", 7) != 0)
        return command_refuse("--%s %s: is not a web address: begin it with https:// or http://",
                              option->name, text);
    while (text[size - 1] == '/')
        size--;
    *option->url = strndup(text, size);
    return *option->url ? COMMAND_DONE : command_fail("memory ran out");
}

static int take(const struct option *option, const char *text)
{
    options_give(option->name);
    if (option->take_fn)
        return option->take_fn(option->context, text);
    if (option->flag)
        *option->flag = true;
    else if (option->text)
        *option->text = text;
    else if (option->url)
        return take_url(option, text);
    else if (option->real)
        return take_real(option, text);
    else if (option->word)
        return take_word(option, text);
    else if (option->seed)
        return take_seed(option, text);
    else
        return take_number(option, text);
    return COMMAND_DONE;
}

/* ---- mistyped names ---- */

/*
 * Returns how many characters of the two words differ, between a common beginning and a common end:
 * 1 if one character was changed, added or left out, 2 if two neighbors were exchanged.
 */
static size_t distance(const char *a, const char *b)
{
    size_t a_size = strlen(a), b_size = strlen(b);

    while (*a && *a == *b)
        a++, b++, a_size--, b_size--;
    while (a_size && b_size && a[a_size - 1] == b[b_size - 1])
        a_size--, b_size--;
    return a_size > b_size ? a_size : b_size;
}

bool options_is_nearer(const char *typed, const char *name, size_t *least)
{
    bool is_beginning = strlen(typed) > 2 && strncmp(name, typed, strlen(typed)) == 0;
    size_t apart = is_beginning ? 1 : distance(typed, name);

    if (apart >= *least || apart > 2 || 2 * apart > strlen(typed))
        return false;
    *least = apart;
    return true;
}

static int refuse_option(const struct command_line *line, const char *typed)
{
    size_t size = strcspn(typed, "=");
    char name[TYPED_BYTES_MAX + 1];
    const char *nearest = NULL;
    size_t least = SIZE_MAX;

    snprintf(name, sizeof name, "%.*s", (int)size, typed);
    for (const struct option *option = line->options; option->name || option->help; option++)
        if (option->name && strncmp(name, "--", 2) == 0 &&
            options_is_nearer(name + 2, option->name, &least))
            nearest = option->name;
    if (nearest)
        return command_refuse("%s: unknown option '%.*s'; did you mean '--%s'?", line->name,
                              (int)size, typed, nearest);
    return command_refuse("%s: unknown option '%.*s': see `arena %s --help`", line->name, (int)size,
                          typed, line->name);
}

/* ---- --help ---- */

static int name_columns(const struct option *option)
{
    return 4 + (int)strlen(option->name) +
           (option->argument ? 1 + (int)strlen(option->argument) : 0);
}

static void print_options(const struct option *options)
{
    int indent = 0;

    for (const struct option *option = options; option->name || option->help; option++)
        if (option->name && name_columns(option) <= NAME_COLUMNS_MAX &&
            name_columns(option) > indent)
            indent = name_columns(option);
    indent += 2;
    for (const struct option *option = options; option->name || option->help; option++) {
        char line[1024];
        int columns;

        if (!option->name) {
            plain_text_printf(stdout, "\n%s:\n", option->help);
            continue;
        }
        columns = name_columns(option);
        snprintf(line, sizeof line, "  --%s%s%s%s%*s%s", option->name, option->argument ? " " : "",
                 option->argument ? option->argument : "", columns + 2 > indent ? "\n" : "",
                 indent - (columns + 2 > indent ? 0 : columns), "", option->help);
        plain_text_wrap(stdout, line, COLUMNS, (size_t)indent);
    }
}

static void print_help(const struct command_line *line)
{
    const char *usage = line->usage;

    for (const char *lead = "usage:"; lead; lead = *usage ? "      " : NULL) {
        int size = (int)strcspn(usage, "\n");

        plain_text_printf(stdout, "%s arena %s%s%.*s\n", lead, line->name, size ? " " : "", size,
                          usage);
        usage += size + (usage[size] == '\n');
    }
    putchar('\n');
    plain_text_wrap(stdout, line->about, COLUMNS, 0);
    if (line->options->name)
        putchar('\n');
    print_options(line->options);
    if (line->help_fn)
        line->help_fn();
}

/* ---- the parser ---- */

static const struct option *find(const struct option *options, const char *name, size_t size)
{
    for (const struct option *option = options; option->name || option->help; option++)
        if (option->name && strlen(option->name) == size && strncmp(option->name, name, size) == 0)
            return option;
    return NULL;
}

static int read_option(const struct command_line *line, char **argv, int *at)
{
    const char *typed = argv[*at];
    size_t size = strcspn(typed, "=");
    const struct option *option =
        strncmp(typed, "--", 2) == 0 ? find(line->options, typed + 2, size - 2) : NULL;
    const char *value = typed[size] ? typed + size + 1 : NULL;

    if (!option)
        return refuse_option(line, typed);
    if (!option->argument && value)
        return command_refuse("%s: --%s takes no argument: see `arena %s --help`", line->name,
                              option->name, line->name);
    if (option->argument && !value)
        value = argv[*at + 1] ? argv[++*at] : NULL;
    if (option->argument && !value)
        return command_refuse("%s: --%s needs an argument, %s: see `arena %s --help`", line->name,
                              option->name, option->argument, line->name);
    return (options_detour ? options_detour->take_option_fn(option, value) : COMMAND_DONE)
               ?: take(option, value);
}

/*
 * Refuses an option that needs another option which was not given, or excludes one that was given.
 */
static int check_together(const struct command_line *line)
{
    for (const struct option *option = line->options; option->name || option->help; option++) {
        if (!option->name || !options_given(option->name))
            continue;
        if (option->needs && !options_given(option->needs))
            return command_refuse("%s: --%s needs --%s", line->name, option->name, option->needs);
        for (const char *other = option->excludes; other && *other; other += strspn(other, " ")) {
            int size = (int)strcspn(other, " ");
            const struct option *excluded = find(line->options, other, (size_t)size);

            assert(excluded);
            if (options_given(excluded->name))
                return command_refuse("%s: --%s cannot be combined with --%s", line->name,
                                      option->name, excluded->name);
            other += size;
        }
    }
    return COMMAND_DONE;
}

static int check_arguments(const struct command_line *line, int argc, char **argv)
{
    const int least = line->names_season && !line->least ? 1 : line->least;
    const int most = line->most > least ? line->most : least;
    const char *arguments = line->arguments ? line->arguments : "name one season";

    if (argc >= least && argc <= most)
        return COMMAND_DONE;
    if (most == 0)
        return command_refuse("%s: '%s': this command takes no arguments: see `arena %s --help`",
                              line->name, argv[0], line->name);
    if (argc == 0)
        return command_refuse("%s: %s: see `arena %s --help`", line->name, arguments, line->name);
    return command_refuse("%s: %s, not %d: see `arena %s --help`", line->name, arguments, argc,
                          line->name);
}

/*
 * Reads the options in argv, whose first element is the command's name. Leaves the arguments in
 * argv[0], argv[1], ..., and their number in *argc. Returns true if the command should go on; false
 * after --help or after a message about an error, with the exit status in *status.
 */
static bool read_options(const struct command_line *line, int *argc, char **argv, int *status)
{
    bool only_arguments = false;
    int count = 0;

    *status = COMMAND_DONE;
    for (int i = 1; i < *argc && *status == COMMAND_DONE; i++) {
        if (only_arguments || argv[i][0] != '-' || argv[i][1] == '\0') {
            argv[count++] = argv[i];
        } else if (strcmp(argv[i], "--") == 0) {
            only_arguments = true;
        } else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help(line);
            return false;
        } else {
            *status = read_option(line, argv, &i);
        }
    }
    if (*status == COMMAND_DONE)
        *status = check_arguments(line, count, argv);
    if (*status == COMMAND_DONE)
        *status = check_together(line);
    if (*status == COMMAND_DONE && options_detour)
        *status = options_detour->take_arguments_fn(line, count, argv);
    *argc = count;
    return *status == COMMAND_DONE;
}

/* ---- the store ---- */

const char *store_option_home, *store_option_url;

const struct option store_options[] = {STORE_OPTIONS};
const struct option store_json_options[] = {OPTION_JSON("one JSON object"), STORE_OPTIONS};

int store_option_status(const struct store *store, int error)
{
    switch (error) {
    case 0:
        return COMMAND_DONE;
    case -ENOENT:
    case -ENODATA:
    case -EEXIST:
    case -EBUSY:
    case -EBADMSG:
    case -EINVAL:
    case -EPERM:
    case -ECANCELED:
    case -ENAMETOOLONG:
    case -ERANGE:
        return command_refuse("%s", store_failure(store));
    case -ENOMEM:
    case -EINTR: /* the callback that receives the rows ran out of memory */
        return command_fail("out of memory");
    default:
        return command_fail("%s", store_failure(store));
    }
}

/*
 * Writes the URL of the store: from --store, else $ARENA_STORE, else the home's store. --home does
 * not override $ARENA_STORE, because the home has this machine's files even if the store is on a
 * server.
 */
static int find_url(char url[static PATH_MAX + 8])
{
    const char *variable = getenv("ARENA_STORE");
    char path[PATH_MAX];
    int error;

    if (store_option_url || (variable && *variable))
        return snprintf(url, PATH_MAX + 8, "%s", store_option_url ? store_option_url : variable) <
                       PATH_MAX + 8
                   ? 0
                   : -ENAMETOOLONG;
    error = home_find(store_option_home, path);
    snprintf(url, PATH_MAX + 8, "sqlite:%s", path);
    return error;
}

bool store_option_is_server(void)
{
    char url[PATH_MAX + 8];

    return find_url(url) == 0 &&
           (strncmp(url, "postgresql:", 11) == 0 || strncmp(url, "postgres:", 9) == 0);
}

int store_option_find(enum store_mode mode, struct store **store)
{
    char url[PATH_MAX + 8];
    int error = find_url(url);

    *store = NULL;
    return error ? error : store_open(store, url, mode);
}

/*
 * If the store's file or folder belongs to another user, prints that user's name and returns true.
 */
static bool tell_owner(void)
{
    char url[PATH_MAX + 8];
    const char *path = find_url(url) == 0 && strncmp(url, "sqlite:", 7) == 0 ? url + 7 : "";
    const struct passwd *owner;
    struct stat status;
    char id[16];

    if (stat(path, &status) < 0 || status.st_uid == geteuid())
        return false;
    snprintf(id, sizeof id, "%u", status.st_uid);
    owner = getpwuid(status.st_uid);
    command_refuse("%s: belongs to user %s: run the command as that user, or name another folder "
                   "with --home",
                   path, owner ? owner->pw_name : id);
    return true;
}

int store_option_open(enum store_mode mode, struct store **store)
{
    int error = store_option_find(mode, store);
    int status;

    if (error == 0 && store_upgraded_from(*store))
        plain_text_printf(stderr, "arena: %s: upgraded from version %d of its schema\n",
                          store_where(*store), store_upgraded_from(*store));
    if (error == 0)
        return COMMAND_DONE;
    if (!*store)
        return error == -ENOENT
                   ? command_refuse(
                         "no store: set HOME or ARENA_HOME, or name the arena's folder with --home")
               : error == -ENOMEM ? command_fail("out of memory")
                                  : command_refuse("the path of the store is too long");
    if ((error == -EACCES || error == -EPERM || error == -EROFS) && tell_owner())
        status = COMMAND_USAGE;
    else
        status = error == -ENOENT
                     ? command_refuse("%s: `arena submit` or `arena season new` makes a store "
                                      "(--home, --store and ARENA_HOME name another place)",
                                      store_failure(*store))
                     : store_option_status(*store, error);
    store_close(*store);
    return status;
}

int store_command(const struct command_line *line, enum store_mode mode,
                  int (*store_fn)(struct store_call *call), int argc, char **argv)
{
    struct store_call call = {.argc = argc, .argv = argv};
    int status = store_option_open(mode, &call.store);

    if (status != COMMAND_DONE)
        return status;
    if (line->names_season)
        status = store_season_find(call.store, argv[0], &call.season);
    status = status ?: store_fn(&call);
    if (status < 0)
        status = store_option_status(call.store, status);
    store_close(call.store);
    return status;
}

/* ---- running a command ---- */

static void print_commands(const struct command_line *line, const char *of)
{
    plain_text_printf(stdout, "usage: %s COMMAND [OPTION ...] [ARGUMENT ...]\n\n", of);
    if (*line->about) {
        plain_text_wrap(stdout, line->about, COLUMNS, 0);
        putchar('\n');
    }
    for (const struct command *command = line->subcommands; command->name; command++)
        if (!command->line)
            printf("%s%s\n", command > line->subcommands ? "\n" : "", command->name);
        else if (command->summary)
            plain_text_printf(stdout, "  %-11s %s\n", command->name, command->summary);
    plain_text_printf(stdout, "\n`%s COMMAND --help` describes a command.\n", of);
}

static int run_subcommand(const struct command_line *line, int argc, char **argv)
{
    const char *nearest = NULL, *colon = *line->name ? ": " : "";
    size_t least = SIZE_MAX;
    char of[32];

    snprintf(of, sizeof of, "arena%s%s", *line->name ? " " : "", line->name);
    if (argc < 2)
        return command_refuse("%s%sname a command: `%s --help` lists the commands", line->name,
                              colon, of);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_commands(line, of);
        return COMMAND_DONE;
    }
    for (const struct command *command = line->subcommands; command->name; command++) {
        if (!command->line)
            continue;
        if (strcmp(argv[1], command->name) == 0)
            return command_run(command->line, argc - 1, argv + 1);
        if (command->summary && options_is_nearer(argv[1], command->name, &least))
            nearest = command->name;
    }
    if (nearest)
        return command_refuse("%s%sunknown command '%s'; did you mean '%s %s'?", line->name, colon,
                              argv[1], of, nearest);
    return command_refuse("%s%sunknown command '%s': `%s --help` lists the commands", line->name,
                          colon, argv[1], of);
}

static int run(const struct command_line *line, int argc, char **argv)
{
    int status;

    if ((options_detour && !options_detour->may_run_fn(line, &status)) ||
        !read_options(line, &argc, argv, &status) ||
        (options_detour && options_detour->send_fn(line, &status)))
        return status;
    return line->run_fn ? line->run_fn(argc, argv)
                        : store_command(line, line->mode, line->store_fn, argc, argv);
}

int command_run(const struct command_line *line, int argc, char **argv)
{
    int status;

    if (line->subcommands && !(line->store_fn && (argc < 2 || *argv[1] == '-')))
        return run_subcommand(line, argc, argv);
    status = run(line, argc, argv);
    memset(given, 0, sizeof given); /* a process may read several command lines */
    return status;
}
