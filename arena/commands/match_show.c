#include "arena/commands/match_show.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/commands/commands.h"
#include "arena/commands/replay_html.h"
#include "arena/commands/replay_watch.h"
#include "arena/play/alarm.h"
#include "arena/replay/plain_text.h"
#include "arena/replay/words.h"

enum {
    DRAW_US = 40000, /* minimum time between two drawings */
};

int match_show_check(struct match_show *show, int job_count, bool json)
{
    if ((show->watch || show->open) && json)
        return command_refuse("--json: cannot be combined with --watch or --open");
    if (show->watch && job_count > 1)
        return command_refuse("--watch: shows one match at a time: leave out --jobs %d", job_count);
    if (show->watch && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
        return command_refuse(
            "--watch: needs a terminal; without one, --replays DIR keeps the match");
    show->colors = screen_find_colors();
    return COMMAND_DONE;
}

static void tell(struct match_show *show, const struct match *match,
                 const char *const names[static GAME_PLAYERS_MAX])
{
    const struct wire_event *event = &match->events[show->told_count];
    struct effect effect;
    size_t size;
    FILE *stream;

    free(show->said);
    show->said = NULL;
    if (effect_of(&show->told, event->action, &effect) &&
        (stream = open_memstream(&show->said, &size))) {
        plain_text_printf(stream, "%zu: round %d, %s ", show->told_count, effect.round,
                          names[event->seat]);
        words_effect(stream, &effect);
        if (match->decisions[show->told_count].by_arena)
            fputs(" (stand-in)", stream);
        fclose(stream);
    }
    game_apply(&show->told, event->action);
    show->told_count++;
}

void match_show_step(struct match_show *show, const struct match *match,
                     const char *const names[static GAME_PLAYERS_MAX])
{
    int64_t now_us = alarm_now_us();
    struct position position;
    char state[64];
    struct screen screen = {
        .colors = show->colors, .position = &position, .names = names, .note = "", .state = state};

    if (!show->drawing) {
        fputs("\033[?1049h\033[?25l\033[?7l", stdout);
        show->drawing = true;
    }
    if (match->decision_count == 0) {
        game_init(&show->told, match->terms.player_count, match->terms.board, match->terms.seed);
        show->told_count = 0;
        show->drawn_us = 0;
    }
    while (show->told_count < match->decision_count)
        tell(show, match, names);
    if (match->phase != MATCH_OVER && now_us - show->drawn_us < DRAW_US)
        return;
    show->drawn_us = now_us;
    game_view(&match->game, &position);
    screen.said = show->said ? show->said : "The deal.";
    snprintf(state, sizeof state, "live  decision %zu", match->decision_count);
    screen_draw(stdout, &screen);
    fflush(stdout);
}

void match_show_close(struct match_show *show)
{
    if (show->drawing) {
        fputs("\033[?7h\033[?25h\033[?1049l", stdout);
        fflush(stdout);
    }
    show->drawing = false;
    free(show->said);
    show->said = NULL;
}

int match_show_page(const struct replay *replay, const char *folder)
{
    uint8_t *bytes = NULL;
    size_t size = replay_pack(replay, &bytes);
    char *file = NULL, *path = NULL;
    int status = COMMAND_FAILED;

    if (asprintf(&file, "%s/%s.html", folder ? folder : ".", replay->terms.id) < 0)
        file = NULL;
    if (asprintf(&path, "%s/%s.replay", folder ? folder : ".", replay->terms.id) < 0)
        path = NULL;
    if (size > 0 && file && path)
        status = replay_html_write(replay, bytes, size, path, file);
    else
        command_fail("%s: its page does not fit in memory", replay->terms.id);
    free(path);
    free(file);
    free(bytes);
    return status;
}

int match_show_done(struct match_show *show, const struct replay *replay, const char *folder)
{
    int status = COMMAND_DONE;

    match_show_close(show);
    if (show->watch)
        status = replay_watch_run(replay, replay->terms.id);
    if (status == COMMAND_DONE && show->open)
        status = match_show_page(replay, folder);
    return status;
}
