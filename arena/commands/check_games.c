#include "arena/commands/check_games.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/run_folder.h"
#include "arena/play/place.h"
#include "arena/replay/file.h"
#include "arena/replay/plain_text.h"
#include "arena/replay/forfeit_text.h"

int check_games_begin(struct check_games *games, bool json)
{
    int status = match_show_check(&games->show, 1, json);

    if (status == COMMAND_DONE && games->replays)
        status = run_folder_open("--replays", games->replays, &games->folder);
    return status;
}

/* In a game of the bot against itself, every seat has its name. */
void check_games_draw(struct check_games *games, const struct match *match, int seat)
{
    const char *names[GAME_PLAYERS_MAX];

    if (!games->show.watch)
        return;
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        names[i] = i == seat || seat == CHECK_EVERY_SEAT ? games->name : REPLAY_CHANCE;
    match_show_step(&games->show, match, names);
}

static void write_replay(struct check_games *games, const struct replay *replay)
{
    char *path = replay_file_path(games->folder, replay->terms.id);
    uint8_t *bytes = NULL;
    size_t size = replay_pack(replay, &bytes);
    int result = path && size > 0 ? place_write_new(path, bytes, size) : -ENOMEM;

    if (result < 0) {
        command_fail("%s: %s", path ? path : games->folder, strerror(-result));
        games->failed = true;
    }
    free(bytes);
    free(path);
}

/* The page of a game, behind the step that it belongs to. */
static void write_page(struct check_games *games, enum check_step step, const struct replay *replay)
{
    plain_text_printf(stdout, "%3d  %-22s ", (int)step + 1,
                      step == CHECK_START ? "start to end" : check_step_name(step));
    if (match_show_page(replay, games->folder) != COMMAND_DONE)
        games->failed = true;
}

void check_games_keep(struct check_games *games, enum check_step step, const struct replay *replay)
{
    match_show_close(&games->show);
    if (games->folder && !games->failed)
        write_replay(games, replay);
    if (games->show.open && !games->failed)
        write_page(games, step, replay);
}

char *check_games_command(const struct check_games *games, const struct check_entry *entry)
{
    char *path = games->folder && entry->forfeit && *entry->match
                     ? replay_file_path(games->folder, entry->match)
                     : NULL;
    const struct rerun_command command = {
        .program = program_invocation_name,
        .replay = path,
        .turn = entry->forfeit ? entry->forfeit->turn : 0,
        .seat = entry->forfeit_seat,
        .bot = games->path,
        .options = games->options,
    };
    char *text = path && access(path, F_OK) == 0 ? rerun_command_text(&command) : NULL;

    free(path);
    return text;
}

void check_games_finish(struct check_games *games)
{
    match_show_close(&games->show);
    free(games->folder);
    games->folder = NULL;
}
