/* SPDX-License-Identifier: MIT */
#include "arena/report/audit.h"

#include <errno.h>
#include <limits.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/tree.h"
#include "arena/replay/replay.h"
#include "arena/season/season.h"
#include "arena/season/staging.h"
#include "arena/store/submissions.h"

enum {
    LINE_BYTES = 512 + STORE_WHERE_BYTES,
};

static void tell(struct audit *audit, const char *line)
{
    audit->fault_count++;
    audit->fault_fn(audit->context, line);
}

/*
 * Reports damage (-EBADMSG) as a fault and returns 0; returns any other error, which ends the
 * audit.
 */
static int pass_damage(struct audit *audit, const struct store *store, int error)
{
    if (error != -EBADMSG)
        return error;
    tell(audit, store_failure(store));
    return 0;
}

/* ---- comparing a game with its replay ---- */

struct looking {
    struct audit *audit;
    struct store *store;
    struct season season;
    int error;
};

static void tell_game(struct looking *looking, const struct store_game *game, const char *what,
                      const char *fault)
{
    char line[LINE_BYTES], id[STORE_GAME_ID_BYTES];

    store_game_id(id, looking->season.terms.name, game->group, game->rotation);
    snprintf(line, sizeof line, "game %s: %s: %s", id, what, fault);
    tell(looking->audit, line);
}

/* Returns what differs between a game's row and its replay; NULL: nothing. */
static const char *difference(const struct season *season, const struct store_game *game,
                              const struct replay *replay)
{
    const struct wire_end *result = &replay->result;

    if (replay->terms.player_count != game->player_count)
        return "number of seats";
    if (memcmp(game->seed, replay->terms.seed, sizeof game->seed) != 0)
        return "seed";
    if ((size_t)game->decision_count != replay->decision_count)
        return "number of decisions";
    for (int seat = 0; seat < game->player_count; seat++) {
        const struct store_seat *at = &game->seats[seat];
        const struct store_bot *bot = &season->roster.members[at->entry].bot;

        if (strcmp(bot->name, replay->bots[seat].name) != 0 ||
            strcmp(bot->version, replay->bots[seat].version) != 0)
            return "bots";
        if (at->score != result->scores[seat] || at->rank != result->ranks[seat] ||
            at->reason != result->reasons[seat])
            return "scores, ranks or forfeits";
    }
    return NULL;
}

static void look_at_replay(struct looking *looking, const struct store_game *game,
                           const uint8_t *bytes, size_t size)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    char error[REPLAY_ERROR_BYTES];
    const char *differs;
    struct replay replay;
    struct sha256_ctx context;

    sha256_init(&context);
    sha256_update(&context, size, bytes);
    sha256_digest(&context, sizeof digest, digest);
    if (memcmp(digest, game->replay_sha256, sizeof digest) != 0) {
        tell_game(looking, game, "replay",
                  "the replay's SHA-256 differs from the one stored with the game");
        return;
    }
    if (replay_unpack(&replay, bytes, size, error) < 0) {
        tell_game(looking, game, "replay", error);
        return;
    }
    differs = difference(&looking->season, game, &replay);
    if (replay_verify(&replay, NULL, NULL, error) < 0)
        tell_game(looking, game, "replay", error);
    else if (differs)
        tell_game(looking, game, "the row and the replay differ", differs);
    replay_finish(&replay);
}

static int see_game(void *context, const struct store_game *game)
{
    struct looking *looking = context;
    uint8_t *bytes;
    size_t size;

    if (!roster_has_players(&looking->season.roster, game))
        return 0; /* the game was stored after the audit read the season */
    looking->audit->game_count++;
    if (!looking->audit->replays)
        return 0;
    looking->error = store_replay_read(looking->store, looking->season.terms.id, game->group,
                                       game->rotation, &bytes, &size);
    if (looking->error == -ENODATA) {
        looking->audit->pruned_count++;
        looking->error = 0;
        return 0;
    }
    if (looking->error == -ENOENT || looking->error == -EBADMSG) {
        tell_game(looking, game, "replay",
                  looking->error == -ENOENT ? "is missing" : store_failure(looking->store));
        looking->error = 0;
        return 0;
    }
    if (looking->error)
        return 1;
    looking->audit->replay_count++;
    look_at_replay(looking, game, bytes, size);
    free(bytes);
    return 0;
}

/* ---- the whole store ---- */

static int see_season(void *context, const struct store_season *season)
{
    struct looking *looking = context;
    struct audit *audit = looking->audit;
    int error;

    audit->season_count++;
    error = season_load(&looking->season, looking->store, season->name);
    if (!error) {
        error = store_games_verify(looking->store, season->id, 0, STORE_ALL_GROUPS, NULL, see_game,
                                   looking);
        error = looking->error ? looking->error : error;
        season_finish(&looking->season);
    }
    looking->error = pass_damage(audit, looking->store, error);
    return looking->error;
}

/* Unpacks a package, and compares what it has with its hash. The arena may have removed it. */
static int look_at_package(struct looking *looking, const char *name, const char *version,
                           const char *sha256)
{
    char folder[PATH_MAX], error[SOURCE_ERROR_BYTES], line[LINE_BYTES];
    int result;

    snprintf(folder, sizeof folder, "%s/package", looking->audit->folder);
    result = unpack_stored(looking->store, sha256, folder, error);
    tree_remove(folder);
    if (result == PACKAGE_REFUSED) {
        snprintf(line, sizeof line, "bot %s %s: %.*s", name, version, LINE_BYTES / 2, error);
        tell(looking->audit, line);
    } else if (result == PACKAGE_FAILED) {
        return store_refuse(looking->store, -EIO, "bot %s %s: %s", name, version, error);
    }
    return 0;
}

static int look_at_packages(struct looking *looking, const struct store_bot *bot)
{
    int error = look_at_package(looking, bot->name, bot->version, bot->built_sha256);

    if (!error && strcmp(bot->sha256, bot->built_sha256) != 0)
        error = look_at_package(looking, bot->name, bot->version, bot->sha256);
    return error;
}

static int see_bot(void *context, const struct store_bot *bot)
{
    struct looking *looking = context;
    char *text;

    looking->audit->bot_count++;
    looking->error = pass_damage(looking->audit, looking->store,
                                 store_manifest_read(looking->store, bot->id, &text));
    if (!looking->error) {
        free(text);
        looking->error = look_at_packages(looking, bot);
    }
    return looking->error;
}

static int see_submission(void *context, const struct store_submission *submission)
{
    struct looking *looking = context;

    looking->error =
        look_at_package(looking, submission->name, submission->version, submission->sha256);
    return looking->error;
}

int audit_store(struct audit *audit, struct store *store)
{
    struct looking looking = {.audit = audit, .store = store};
    int error = pass_damage(audit, store, store_check(store));

    if (!error)
        error = pass_damage(audit, store, store_bots_each(store, see_bot, &looking));
    if (!error)
        error =
            pass_damage(audit, store, store_submissions_open_each(store, see_submission, &looking));
    if (!error)
        error = pass_damage(audit, store, store_seasons_each(store, see_season, &looking));
    return looking.error ? looking.error : error;
}
