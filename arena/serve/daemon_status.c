/* The daemon's status as JSON, for `arena status` and `arena live`, and for Prometheus. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arena/play/alarm.h"
#include "arena/replay/json.h"
#include "arena/serve/daemon_state.h"

enum {
    GAMES_MAX = 64, /* running games in the status */
};

struct listing {
    json_t *games;
    const char *season;
    int64_t now_us;
};

static void add_game(void *context, const struct table *table)
{
    struct listing *listing = context;
    const struct game *game = &table->match.game;
    json_t *names = json_array(), *scores = json_array();
    int seat = game_turn(game);

    for (int i = 0; i < game_player_count(game); i++) {
        json_array_append_new(names, json_string(table->sources[i]->manifest.name));
        json_array_append_new(scores, json_integer(game_score(game, i)));
    }
    if (json_array_size(listing->games) < GAMES_MAX)
        json_array_append_new(listing->games,
                              json_pack("{s:s, s:s, s:i, s:o, s:o, s:i, s:I}", "season",
                                        listing->season, "game", table->match.terms.id, "round",
                                        game->round, "names", names, "scores", scores, "seat", seat,
                                        "ms",
                                        (json_int_t)((listing->now_us - table->begun_us) / 1000)));
    else {
        json_decref(names);
        json_decref(scores);
    }
}

static const struct daemon_season *find_played(const struct daemon *daemon, const char *name)
{
    for (const struct daemon_season *season = daemon->seasons; season; season = season->next)
        if (strcmp(season->ready->season.terms.name, name) == 0)
            return season;
    return NULL;
}

static json_t *leaders_json(const struct daemon_season *season)
{
    const struct leaders *leaders = &season->report.standing.leaders;
    json_t *list = json_array();

    for (int i = 0; i < leaders->count; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:f}", "name", leaders->names[i], "elo", leaders->elo[i]));
    return list;
}

/* Stored games of a season; 0 where that is not known yet. */
static int64_t season_games(const struct scout_season *seen, const struct daemon_season *played)
{
    int64_t games = played ? played->report.standing.stored_count : 0;

    if (games == 0)
        games = seen->game_count;
    return games < 0 ? 0 : games;
}

static json_t *seasons_json(const struct daemon *daemon)
{
    json_t *seasons = json_array();

    for (int i = 0; i < daemon->view.season_count; i++) {
        const struct scout_season *seen = &daemon->view.seasons[i];
        const struct daemon_season *played = find_played(daemon, seen->name);
        json_array_append_new(seasons,
                              json_pack("{s:s, s:I, s:I, s:b, s:o}", "name", seen->name, "games",
                                        (json_int_t)season_games(seen, played), "budget",
                                        (json_int_t)seen->budget_games, "running", played != NULL,
                                        "top", played ? leaders_json(played) : json_array()));
    }
    return seasons;
}

static json_t *errors_json(const struct daemon *daemon)
{
    json_t *errors = json_array();
    int first =
        daemon->error_count > DAEMON_ERRORS_MAX ? daemon->error_count - DAEMON_ERRORS_MAX : 0;

    for (int i = first; i < daemon->error_count; i++) {
        const char *line = daemon->errors[i % DAEMON_ERRORS_MAX];

        json_array_append_new(errors, replay_json_text(line, strlen(line)));
    }
    return errors;
}

static double games_a_second(const struct daemon *daemon, int64_t now_us)
{
    int64_t passed_us = now_us - daemon->began_us;

    return passed_us > 0 ? (double)daemon->game_count * 1e6 / (double)passed_us : 0;
}

char *daemon_status_json(const struct daemon *daemon, int64_t now_us)
{
    struct listing listing = {.games = json_array(), .now_us = now_us};
    json_t *status;
    char *text;

    for (const struct daemon_season *season = daemon->seasons; season; season = season->next) {
        listing.season = season->ready->season.terms.name;
        if (season->player)
            player_games_each(season->player, add_game, &listing);
    }
    status = json_pack(
        "{s:b, s:i, s:o, s:I, s:f, s:i, s:i, s:I, s:I, s:I, s:o, s:o, s:i, s:o}", "running", 1,
        "pid", (int)getpid(), "since", replay_json_time(daemon->since_us / 1000000), "games",
        (json_int_t)daemon->game_count, "games_per_s", games_a_second(daemon, now_us), "jobs",
        daemon->options.job_count, "queue", daemon->view.submission_count, "longest_hold_us",
        (json_int_t)daemon->longest_hold_us, "longest_hold_processor_us",
        (json_int_t)daemon->longest_busy_us, "disk_free_bytes",
        (json_int_t)daemon->view.disk_free_bytes, "seasons", seasons_json(daemon), "errors",
        errors_json(daemon), "playing_count", daemon_playing_count(daemon), "playing",
        listing.games);
    text = status ? json_dumps(status, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    json_decref(status);
    return text;
}

char *daemon_status_metrics(const struct daemon *daemon)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    if (!stream)
        return NULL;
    fprintf(stream,
            "# HELP pavilion_games_total Games stored since the daemon began.\n"
            "# TYPE pavilion_games_total counter\n"
            "pavilion_games_total %lld\n"
            "# HELP pavilion_games_playing Games under way.\n"
            "# TYPE pavilion_games_playing gauge\n"
            "pavilion_games_playing %d\n"
            "# HELP pavilion_jobs Games that may be played at a time.\n"
            "# TYPE pavilion_jobs gauge\n"
            "pavilion_jobs %d\n"
            "# HELP pavilion_queue Submissions that have not ended.\n"
            "# TYPE pavilion_queue gauge\n"
            "pavilion_queue %d\n"
            "# HELP pavilion_longest_hold_seconds The longest time for which the event loop was "
            "blocked.\n"
            "# TYPE pavilion_longest_hold_seconds gauge\n"
            "pavilion_longest_hold_seconds %.6f\n"
            "# HELP pavilion_disk_free_bytes Free space on the disk of the home.\n"
            "# TYPE pavilion_disk_free_bytes gauge\n"
            "pavilion_disk_free_bytes %lld\n"
            "# HELP pavilion_errors_total Errors of the arena since the daemon began.\n"
            "# TYPE pavilion_errors_total counter\n"
            "pavilion_errors_total %d\n",
            (long long)daemon->game_count, daemon_playing_count(daemon), daemon->options.job_count,
            daemon->view.submission_count, (double)daemon->longest_hold_us / 1e6,
            (long long)daemon->view.disk_free_bytes, daemon->error_count);
    fputs("# HELP pavilion_season_games Games of an open season that are stored.\n"
          "# TYPE pavilion_season_games gauge\n",
          stream);
    for (int i = 0; i < daemon->view.season_count; i++) { /* names need no escaping: a-z 0-9 - _ */
        const struct scout_season *seen = &daemon->view.seasons[i];
        const struct daemon_season *played = find_played(daemon, seen->name);

        fprintf(stream, "pavilion_season_games{season=\"%s\"} %lld\n", seen->name,
                (long long)season_games(seen, played));
    }
    if (fclose(stream) == EOF) {
        free(text);
        return NULL;
    }
    return text;
}
