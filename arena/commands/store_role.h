/* `arena store role`, a subcommand of `arena store`: argv[0] is "role". */
#ifndef ARENA_COMMANDS_STORE_ROLE_H
#define ARENA_COMMANDS_STORE_ROLE_H

int command_store_role(int argc, char **argv);

#endif
