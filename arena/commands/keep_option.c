#include "arena/commands/keep_option.h"

#include <stdio.h>
#include <string.h>

#include "arena/commands/commands.h"
#include "arena/commands/play_options.h"
#include "arena/store/games.h"

static const char forfeits[] = "forfeits+";

int keep_option_take(struct store_season *terms, const char *text)
{
    terms->prunes = strncmp(text, forfeits, strlen(forfeits)) == 0;
    terms->keep_games = 0;
    if (terms->prunes
            ? !play_options_number(text + strlen(forfeits), 0, STORE_KEEP_MAX, &terms->keep_games)
            : strcmp(text, "all") != 0)
        return command_refuse("--keep %s: is neither all nor forfeits+N, such as forfeits+1000",
                              text);
    return COMMAND_DONE;
}

void keep_option_write(const struct store_season *terms, char text[static KEEP_OPTION_BYTES])
{
    if (terms->prunes)
        snprintf(text, KEEP_OPTION_BYTES, "%s%lld", forfeits, (long long)terms->keep_games);
    else
        snprintf(text, KEEP_OPTION_BYTES, "all");
}
