/* SPDX-License-Identifier: MIT */
#include "arena/report/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/base/array.h"
#include "arena/base/place.h"
#include "arena/report/columns.h"
#include "arena/replay/replay.h"
#include "arena/store/archive.h"
#include "arena/store/authors.h"

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

/* ---- marks ---- */

struct marking {
    const struct standings *standings;
    struct store *store;
    FILE *file;
    char (*authors)[STORE_TEXT_BYTES_MAX + 1]; /* who has a line */
    size_t author_count;
    int64_t *waiting; /* ids of the bots that may play, and have not yet played */
    size_t waiting_count;
    int64_t deadline_us;     /* the latest of the seasons; 0: one of them has none */
    struct marked_bot *bots; /* the newest version of each name */
    size_t bot_count;
};

/* A bot of somebody who may have no line. */
struct marked_bot {
    int64_t id;
    char author[STORE_TEXT_BYTES_MAX + 1];
    int64_t submitted_us;
    bool retired, banned, reference;
};

static bool is_marked(const struct ladder_row *row)
{
    return !(row->flags & (LADDER_REPLACED | LADDER_REFERENCE));
}

/* Writes a text of the organizer's own or of an author, so that no spreadsheet computes it. */
static void write_text(FILE *file, const char *text)
{
    char guarded[STORE_TEXT_BYTES_MAX + 2];

    snprintf(guarded, sizeof guarded, "%s%s", *text && strchr("=+-@", *text) ? "'" : "", text);
    csv_field_write(file, guarded);
}

static int mark_row(struct marking *marking, const struct ladder_row *row)
{
    const struct store_bot *bot = &marking->standings->roster.members[row->entry].bot;
    struct store_author author;
    int64_t forfeit_count = 0;
    int error = store_author_find(marking->store, bot->author, &author);

    if (error && error != -ENOENT)
        return error;
    if (ARRAY_GROW(marking->authors, marking->author_count, 1) < 0)
        return -ENOMEM;
    memcpy(marking->authors[marking->author_count++], bot->author, sizeof bot->author);
    for (int reason = WIRE_PLAYED + 1; reason < WIRE_REASON_COUNT; reason++)
        forfeit_count += row->forfeits[reason];
    write_text(marking->file, error ? "" : author.student);
    fputc(',', marking->file);
    write_text(marking->file, bot->author);
    fprintf(marking->file, ",%s,", bot->name);
    write_text(marking->file, bot->version);
    fprintf(marking->file, ",%s,",
            row->flags & LADDER_BANNED    ? "banned"
            : row->flags & LADDER_RETIRED ? "retired"
                                          : "plays");
    write_text(marking->file, marking->standings->season.division);
    fputc(',', marking->file);
    if (row->ranked)
        fprintf(marking->file, "%d,%d,", row->rank_best, row->rank_worst);
    else
        fputs(",,", marking->file);
    fprintf(marking->file, "%.1f,%.1f,%lld,%.4f,%lld\n", row->elo, row->error95,
            (long long)row->game_count, row->score, (long long)forfeit_count);
    return 0;
}

static int add_marked_bot(void *context, const struct store_bot *bot)
{
    struct marking *marking = context;
    struct marked_bot *added;

    if (!bot->newest)
        return 0;
    if (ARRAY_GROW(marking->bots, marking->bot_count, 1) < 0)
        return -ENOMEM;
    added = &marking->bots[marking->bot_count++];
    *added = (struct marked_bot){.id = bot->id,
                                 .submitted_us = bot->submitted_us,
                                 .retired = bot->retired_us != 0,
                                 .banned = bot->banned_us != 0,
                                 .reference = bot->reference};
    memcpy(added->author, bot->author, sizeof added->author);
    return 0;
}

/* Why somebody has no line: what is said of the bot that came nearest to one. */
enum absence {
    ABSENCE_NO_BOT = 0,
    ABSENCE_REFERENCE = 1, /* has reference bots alone */
    ABSENCE_RETIRED = 2,
    ABSENCE_BANNED = 3,
    ABSENCE_OTHER = 4, /* the bot is not on the season's list, or came after its close */
    ABSENCE_LATE = 5,
    ABSENCE_NO_GAMES = 6, /* may play, and has not yet played */
};

static const char *const absences[] = {[ABSENCE_NO_BOT] = "no bot",
                                       [ABSENCE_REFERENCE] = "reference",
                                       [ABSENCE_RETIRED] = "retired",
                                       [ABSENCE_BANNED] = "banned",
                                       [ABSENCE_OTHER] = "not in this season",
                                       [ABSENCE_LATE] = "late",
                                       [ABSENCE_NO_GAMES] = "no games"};

static bool is_waiting(const struct marking *marking, int64_t bot_id)
{
    for (size_t i = 0; i < marking->waiting_count; i++)
        if (marking->waiting[i] == bot_id)
            return true;
    return false;
}

static enum absence absence_of(const struct marking *marking, const char *author)
{
    enum absence nearest = ABSENCE_NO_BOT;

    for (size_t i = 0; i < marking->bot_count; i++) {
        const struct marked_bot *bot = &marking->bots[i];
        const enum absence absence =
            strcmp(bot->author, author) != 0                                   ? ABSENCE_NO_BOT
            : bot->reference                                                   ? ABSENCE_REFERENCE
            : bot->banned                                                      ? ABSENCE_BANNED
            : bot->retired                                                     ? ABSENCE_RETIRED
            : is_waiting(marking, bot->id)                                     ? ABSENCE_NO_GAMES
            : marking->deadline_us && bot->submitted_us > marking->deadline_us ? ABSENCE_LATE
                                                                               : ABSENCE_OTHER;

        nearest = absence > nearest ? absence : nearest;
    }
    return nearest;
}

static int see_organizer(void *context, const struct store_token *token)
{
    bool *is_organizer = context;

    *is_organizer |= token->scope == STORE_SCOPE_ORGANIZER && !token->revoked_us;
    return 0;
}

/* Writes the line of an account without a bot in the seasons, unless it is an organizer's. */
static int mark_absent(void *context, const struct store_author *author)
{
    struct marking *marking = context;
    const enum absence absence = absence_of(marking, author->name);
    bool is_organizer = absence == ABSENCE_REFERENCE;

    if (author->erased_us)
        return 0;
    for (size_t i = 0; i < marking->author_count; i++)
        if (strcmp(marking->authors[i], author->name) == 0)
            return 0;
    if (!*author->student) {
        int error = store_tokens_each(marking->store, author->id, see_organizer, &is_organizer);

        if (error || is_organizer)
            return error;
    }
    write_text(marking->file, author->student);
    fputc(',', marking->file);
    write_text(marking->file, author->name);
    fprintf(marking->file, ",,,%s,,,,,,0,,0\n", absences[absence]);
    return 0;
}

static int add_waiting(void *context, const struct store_bot *bot)
{
    struct marking *marking = context;

    if (ARRAY_GROW(marking->waiting, marking->waiting_count, 1) < 0)
        return -ENOMEM;
    marking->waiting[marking->waiting_count++] = bot->id;
    return 0;
}

static int mark_season(struct marking *marking, const struct store_season *season)
{
    struct standings standings;
    int error = standings_load(&standings, marking->store, season, LADDER_FINAL);

    if (error)
        return error;
    marking->standings = &standings;
    for (int i = 0; i < standings.row_counts[0] && !error; i++)
        if (is_marked(&standings.ladders[0].rows[i]))
            error = mark_row(marking, &standings.ladders[0].rows[i]);
    error = error ?: roster_each_waiting(&standings.roster, marking->store, add_waiting, marking);
    standings_finish(&standings);
    return error;
}

int export_marks(struct store *store, const struct store_season *const *seasons, int count,
                 FILE *file)
{
    struct marking marking = {.store = store, .file = file};
    int error = store_bots_each(store, add_marked_bot, &marking);

    for (int i = 0; i < count; i++) {
        const int64_t deadline_us = seasons[i]->deadline_us;

        if (i == 0 || !deadline_us)
            marking.deadline_us = deadline_us;
        else if (marking.deadline_us && deadline_us > marking.deadline_us)
            marking.deadline_us = deadline_us;
    }
    fputs("student,author,bot,version,state,division,rank_best,rank_worst,elo,error95,games,score,"
          "forfeits\n",
          file);
    for (int i = 0; i < count && !error; i++)
        error = mark_season(&marking, seasons[i]);
    error = error ?: store_authors_each(store, mark_absent, &marking);
    free(marking.authors);
    free(marking.bots);
    free(marking.waiting);
    return error;
}

/* ---- bots ---- */

int export_finals_each(struct store *store, const struct store_season *season,
                       store_bot_fn *each_fn, void *context)
{
    struct roster roster;
    int error = roster_load(&roster, store, season);

    if (error)
        return error;
    for (int i = 0; i < roster.count && !error; i++) {
        bool is_last = true;

        for (int later = i + 1; later < roster.count; later++)
            is_last = is_last && roster.members[later].name_entry != roster.members[i].name_entry;
        if (is_last && !roster.members[i].bot.reference)
            error = each_fn(context, &roster.members[i].bot);
    }
    roster_finish(&roster);
    return error;
}

int export_bot(struct store *store, const struct store_bot *bot, const char *folder,
               char error[static EXPORT_ERROR_BYTES])
{
    uint8_t *package;
    size_t size;
    int result = store_package_read(store, bot->sha256, &package, &size);

    if (result) {
        snprintf(error, EXPORT_ERROR_BYTES, "%s", store_failure(store));
        return result;
    }
    if (access(folder, F_OK) == 0) {
        snprintf(error, EXPORT_ERROR_BYTES, "%s: already exists: name another folder", folder);
        result = -EEXIST;
    } else if (archive_unpack(package, size, folder, NULL, error) < 0) {
        result = -EIO;
    }
    free(package);
    return result;
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
