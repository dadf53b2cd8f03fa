/* arena unpack: internal command that unpacks a package, so that no loop waits for it. */
#include "arena/commands/commands.h"
#include "arena/season/stage_child.h"

int command_unpack(int argc, char **argv)
{
    if (argc != 1 + STAGE_CHILD_ARGUMENTS)
        return command_refuse("unpack: is for the arena's own use");
    return stage_child_run(argv + 1);
}
