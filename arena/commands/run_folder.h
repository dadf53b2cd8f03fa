/*
 * Folders that a run writes to: created with their parents, and never the folder of an earlier run.
 */
#ifndef ARENA_COMMANDS_RUN_FOLDER_H
#define ARENA_COMMANDS_RUN_FOLDER_H

/*
 * Opens the folder for a run's replays: wanted or, if that has replays of another run, the first of
 * wanted/2, wanted/3, ... without any, and says so on standard error. Returns COMMAND_DONE and
 * *folder, which the caller frees, or another status after printing what is wrong with option's
 * argument.
 */
int run_folder_open(const char *option, const char *wanted, char **folder);

/* Creates a folder and its parents and checks that it is writable. Returns a status as above. */
int run_folder_make(const char *option, const char *path);

#endif
