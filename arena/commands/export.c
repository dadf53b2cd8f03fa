/* arena export: a season's games and replays as files. */
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"
#include "arena/report/export.h"

static const char usage[] =
    "usage: arena export SEASON DIR [--home DIR]\n"
    "\n"
    "Writes DIR/games.csv (game,group,player,seat,rank,score,reason,us,previous), which\n"
    "`arena rate` reads, DIR/history.csv (group,player,elo: live ratings after each group) and\n"
    "DIR/replays/GAME.replay for every game whose replay is kept. Damaged replays are named and\n"
    "left out; the exit status is then 1. DIR must be new or empty.\n"
    "\n";

/* Creates the folder, or checks that it is empty. */
static int make_folder(const char *path)
{
    const struct dirent *entry;
    int count = 0;
    DIR *folder;

    if (mkdir(path, 0777) == 0)
        return COMMAND_DONE;
    if (errno != EEXIST)
        return command_refuse("%s: cannot be made: %s", path, strerror(errno));
    folder = opendir(path);
    if (!folder)
        return command_refuse("%s: %s", path, strerror(errno));
    while ((entry = readdir(folder)))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count ? command_refuse("%s: is not empty: name another folder", path) : COMMAND_DONE;
}

/* Writes one of the tables to a new file. */
static int write_table(struct store *store, const struct store_season *season, const char *folder,
                       const char *name,
                       int (*export_fn)(struct store *, const struct store_season *, FILE *))
{
    char path[PATH_MAX];
    FILE *file;
    int error;

    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return command_refuse("%s: is too long", folder);
    file = fopen(path, "wxe");
    if (!file)
        return command_fail("%s: %s", path, strerror(errno));
    error = export_fn(store, season, file);
    if (fclose(file) != 0 && !error)
        error = -EIO;
    if (error == -EIO)
        return command_fail("%s: cannot be written", path);
    return store_option_status(store, error);
}

static void tell_damaged(void *context, const char *id, const char *reason)
{
    int64_t *damaged_count = context;

    command_fail("%s: its replay is damaged: %s", id, reason);
    ++*damaged_count;
}

static int write_replays(struct store *store, const struct store_season *season, const char *folder)
{
    char path[PATH_MAX], failed[PATH_MAX];
    struct export_count count;
    int64_t damaged_count = 0;
    int error;

    if (snprintf(path, sizeof path, "%s/replays", folder) >= (int)sizeof path)
        return command_refuse("%s: is too long", folder);
    if (mkdir(path, 0777) < 0)
        return command_fail("%s: %s", path, strerror(errno));
    error = export_replays(store, season, path, tell_damaged, &damaged_count, &count, failed);
    if (error && failed[0])
        return command_fail("%s: %s", failed, strerror(-error));
    if (error)
        return store_option_status(store, error);
    plain_text_printf(stdout, "%s: games.csv, history.csv and %lld replays", folder,
                      (long long)count.written);
    if (count.pruned)
        plain_text_printf(stdout, "; %lld replays were pruned", (long long)count.pruned);
    if (damaged_count)
        plain_text_printf(stdout, "; %lld replays are damaged and left out",
                          (long long)damaged_count);
    putchar('\n');
    return damaged_count ? COMMAND_FAILED : COMMAND_DONE;
}

int command_export(int argc, char **argv)
{
    const char *home = NULL;
    const struct plain_option options[] = {{"home", .text = &home}, {.name = NULL}};
    struct store_season season;
    struct store *store;
    int status;

    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    if (argc - optind != 2)
        return command_refuse("export: name a season and a folder: see `arena export --help`");
    status = store_option_open_season(home, argv[optind], &store, &season);
    if (status != COMMAND_DONE)
        return status;
    status = make_folder(argv[optind + 1]);
    if (status == COMMAND_DONE)
        status = write_table(store, &season, argv[optind + 1], "games.csv", export_games);
    if (status == COMMAND_DONE)
        status = write_table(store, &season, argv[optind + 1], "history.csv", export_history);
    if (status == COMMAND_DONE)
        status = write_replays(store, &season, argv[optind + 1]);
    store_close(store);
    return status;
}
