/*
 * Folders that a run writes to: made with all that is above them, and never those of a run
 * before.
 */
#ifndef ARENA_COMMANDS_RUN_FOLDER_H
#define ARENA_COMMANDS_RUN_FOLDER_H

/*
 * The folder for a run's replays: wanted, or where that has replays of another run the first of
 * wanted/2, wanted/3, ... that has none, which is said on standard error. Returns COMMAND_DONE and
 * *folder for free, or another status after saying what is wrong with the argument of option.
 */
int run_folder_open(const char *option, const char *wanted, char **folder);

/* Makes a folder and those above it, and sees that it can be written to. Status as above. */
int run_folder_make(const char *option, const char *path);

#endif
