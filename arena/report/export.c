#include "arena/report/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/place.h"
#include "arena/report/columns.h"
#include "arena/replay/replay.h"
#include "arena/season/ladder.h"

struct exporting {
    const struct store_season *season;
    struct standings standings;
    FILE *file;
};

/*
 * Writes the name of the older version whose live rating `arena rate` gives to this bot: the
 * nearest version that has played; "" if there is none.
 */
static void previous_label(const struct standings *standings, int entry,
                           char label[static STANDINGS_LABEL_BYTES])
{
    const struct ladder *ladder = &standings->ladders[0];
    int previous = ladder->entries[entry].previous;

    while (previous != LADDER_NOBODY && ladder->games.bots[previous].game_count == 0)
        previous = ladder->entries[previous].previous;
    label[0] = '\0';
    if (previous != LADDER_NOBODY)
        standings_label(&standings->roster, previous, label);
}

static int write_game(void *context, const struct store_game *game)
{
    struct exporting *exporting = context;
    char id[STORE_GAME_ID_BYTES], label[STANDINGS_LABEL_BYTES], previous[STANDINGS_LABEL_BYTES];

    if (!roster_has_players(&exporting->standings.roster, game) ||
        !roster_counts(&exporting->standings.roster, game))
        return 0;
    store_game_id(id, exporting->season->name, game->group, game->rotation);
    for (int seat = 0; seat < game->player_count; seat++) {
        const struct store_seat *at = &game->seats[seat];

        standings_label(&exporting->standings.roster, at->entry, label);
        previous_label(&exporting->standings, at->entry, previous);
        fprintf(exporting->file, "%s,%d,", id, game->group);
        csv_field_write(exporting->file, label);
        fprintf(exporting->file, ",%d,%d,%d,%s,%lld,", seat, at->rank, at->score,
                wire_reason_name(at->reason), (long long)at->us);
        csv_field_write(exporting->file, previous);
        fputc('\n', exporting->file);
    }
    return ferror(exporting->file);
}

int export_games(struct store *store, const struct store_season *season, FILE *file)
{
    struct exporting exporting = {.season = season, .file = file};
    int error = standings_load(&exporting.standings, store, season, LADDER_FINAL);

    if (error)
        return error;
    fputs("game,group,player,seat,rank,score,reason,us,previous\n", file);
    error = store_results_each(store, season->id, 0, write_game, &exporting);
    standings_finish(&exporting.standings);
    return ferror(file) || fflush(file) != 0 ? -EIO : error;
}

static int write_rating(void *context, int64_t group, int entry, double elo)
{
    struct exporting *exporting = context;
    char label[STANDINGS_LABEL_BYTES];

    standings_label(&exporting->standings.roster, entry, label);
    fprintf(exporting->file, "%lld,", (long long)group);
    csv_field_write(exporting->file, label);
    fprintf(exporting->file, ",%.3f\n", elo);
    return ferror(exporting->file) ? -EIO : 0;
}

int export_history(struct store *store, const struct store_season *season, FILE *file)
{
    struct exporting exporting = {.file = file};
    int error = standings_load(&exporting.standings, store, season, LADDER_LIVE);

    if (error)
        return error;
    fputs("group,player,elo\n", file);
    error = ladder_history(&exporting.standings.ladders[0], write_rating, &exporting);
    standings_finish(&exporting.standings);
    return ferror(file) || fflush(file) != 0 ? -EIO : error;
}

/* ---- replays ---- */

/*
 * True if the bytes are a replay whose match follows the rules to the recorded end. Else writes to
 * error why not.
 */
static bool is_sound(const uint8_t *bytes, size_t size, char error[static REPLAY_ERROR_BYTES])
{
    struct replay replay;
    bool sound;

    if (replay_unpack(&replay, bytes, size, error) < 0)
        return false;
    sound = replay_verify(&replay, NULL, NULL, error) == 0;
    replay_finish(&replay);
    return sound;
}

static int copy_replay(struct replay_export *export, int group, int rotation)
{
    char id[STORE_GAME_ID_BYTES], reason[REPLAY_ERROR_BYTES];
    uint8_t *bytes;
    size_t size;
    int error =
        store_replay_read(export->store, export->season->id, group, rotation, &bytes, &size);

    store_game_id(id, export->season->name, group, rotation);
    if (error == -EBADMSG)
        export->damaged_fn(export->context, id, store_failure(export->store));
    export->pruned_count += error == -ENODATA;
    if (error == -EBADMSG || error == -ENOENT || error == -ENODATA)
        return 0; /* the replay was reported as damaged, or the game was not played */
    if (error)
        return error;
    if (is_sound(bytes, size, reason)) {
        export->path = replay_file_path(export->folder, id);
        error = export->path ? place_write_new(export->path, bytes, size) : -ENOMEM;
    } else {
        export->damaged_fn(export->context, id, reason);
    }
    free(bytes);
    if (error)
        return error;
    export->written_count += export->path != NULL;
    free(export->path);
    export->path = NULL;
    return 0;
}

static int copy_group(void *context, const struct store_group *group)
{
    struct replay_export *export = context;

    for (int rotation = 0; rotation < group->player_count && !export->error; rotation++)
        export->error = copy_replay(export, group->number, rotation);
    return export->error;
}

int export_replays(struct replay_export *export)
{
    int error = store_groups_each(export->store, export->season->id, copy_group, export);

    return export->error ? export->error : error;
}
