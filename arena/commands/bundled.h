/* The bots that come with the program: beside it in a build, below libexec where it is installed.
 */
#ifndef ARENA_COMMANDS_BUNDLED_H
#define ARENA_COMMANDS_BUNDLED_H

/* The folder of the bundled bot of that name, to be freed; NULL if there is none. */
char *bundled_find(const char *name);

/* That of one to play against where none was named, to be freed; NULL if none came along. */
char *bundled_find_opponent(void);

/*
 * What a command may take for a bot's folder or executable, to be freed: argument if something is
 * there or no bundled bot has that name, else the bundled bot. NULL when memory is out.
 */
char *bundled_resolve(const char *argument);

#endif
