/* For `arena doctor`: the bot folder of its trials, with Echo.java only. */
#ifndef ARENA_COMMANDS_DOCTOR_FOLDER_H
#define ARENA_COMMANDS_DOCTOR_FOLDER_H

#include <stdbool.h>

enum {
    DOCTOR_FOLDER_BYTES = 32,
};

/* Makes the folder and writes its path. Returns false, with errno set, if it could not. */
bool doctor_folder_lay(char folder[static DOCTOR_FOLDER_BYTES]);

void doctor_folder_remove(const char *folder);

#endif
