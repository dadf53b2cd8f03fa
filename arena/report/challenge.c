/* SPDX-License-Identifier: MIT */
#include "arena/report/challenge.h"

#include <errno.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stddef.h>

#include "arena/base/json.h"
#include "arena/replay/json.h"
#include "arena/replay/replay.h"
#include "arena/report/bot.h"
#include "engine/notation.h"

enum {
    JSON = COLUMN_IN_JSON,
};

/* ---- games ---- */

static const struct column bout_array[] = {
    {"match", NULL, JSON, MATCH_WORDS, MEMBER("text")},
    {"board", NULL, JSON, BOARD_WORDS, MEMBER("text")},
    {"bots", NULL, JSON, SEATED_WORDS, MEMBER("text[]")},
    {"scores", NULL, JSON, SCORES_WORDS, MEMBER("integer[]")},
    {"ranks", NULL, JSON, RANKS_WORDS, MEMBER("integer[]")},
    {"reason", NULL, JSON, REASONS_WORDS, MEMBER("text[]")},
    {"page", NULL, JSON, "path of the page that shows the game, for whoever knows this path",
     MEMBER("text")},
};

const struct columns bout_columns = COLUMNS_OF(bout_array);

void report_bout_key(const uint8_t *bytes, size_t size, char key[static REPORT_BOUT_KEY_CHARS + 1])
{
    uint8_t digest[REPORT_BOUT_KEY_CHARS / 2];
    struct sha256_ctx hash;

    sha256_init(&hash);
    sha256_update(&hash, size, bytes);
    sha256_digest(&hash, sizeof digest, digest);
    base16_encode_update(key, sizeof digest, digest);
    key[REPORT_BOUT_KEY_CHARS] = '\0';
}

static json_t *bout_json(const struct store_bout *bout, const struct replay *replay)
{
    const struct wire_end *end = &replay->result;
    char key[REPORT_BOUT_KEY_CHARS + 1];
    json_t *bots = json_array();

    for (int seat = 0; seat < end->player_count; seat++)
        json_array_append_new(bots, json_string(replay->bots[seat].name));
    report_bout_key(bout->bytes, bout->size, key);
    return json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "match", replay->terms.id, "board",
        notation_boards[replay->terms.board], "bots", bots, "scores",
        json_ints(end->scores, end->player_count), "ranks",
        json_ints(end->ranks, end->player_count), "reason", replay_json_reasons(end), "page",
        json_sprintf("/challenge/%lld/%d/%s", (long long)bout->challenge_id, bout->number, key));
}

static int add_bout(void *context, const struct store_bout *bout)
{
    char error[REPLAY_ERROR_BYTES];
    struct replay replay;
    json_t *row = NULL;

    if (replay_unpack(&replay, bout->bytes, bout->size, error) == 0) {
        row = bout_json(bout, &replay);
        replay_finish(&replay);
    }
    return json_array_append_new(context, row ? row : json_null());
}

int report_bouts_read(struct store *store, const struct store_challenge *challenge, json_t **bouts)
{
    *bouts = NULL;
    if (challenge->state == STORE_CHALLENGE_WAITING)
        return 0;
    *bouts = json_array();
    return store_bouts_each(store, challenge->id, add_bout, *bouts);
}

/* ---- challenges ---- */

static json_t *bouts_json(const void *context, const void *row)
{
    return context ? json_incref((json_t *)(uintptr_t)context) : json_null();
}

#define CHALLENGE(of_kind, field)                                                                  \
    .kind = COLUMN_##of_kind, .offset = offsetof(struct store_challenge, field)

static const struct column challenge_array[] = {
    {"challenge", NULL, JSON, "number of the challenge", CHALLENGE(INTEGER, id)},
    {"bot", NULL, JSON, BOT_WORDS, CHALLENGE(TEXT, name)},
    {"version", NULL, JSON, VERSION_WORDS, CHALLENGE(TEXT, version)},
    {"author", NULL, JSON, AUTHOR_WORDS, CHALLENGE(TEXT, author)},
    {"opponent", NULL, JSON, "name of the other bot", CHALLENGE(TEXT, opponent)},
    {"opponent_version", NULL, JSON, "version of the other bot", CHALLENGE(TEXT, opponent_version)},
    {"wanted", NULL, JSON, "games that were asked for", CHALLENGE(INT, wanted_count)},
    {"finished", NULL, JSON, "games of the challenge that were played",
     CHALLENGE(INTEGER, played_count)},
    {"state", NULL, JSON, "how far the challenge is", CHALLENGE(WORD, state),
     .words = store_challenge_states},
    {"failure", NULL, JSON, "why not all games could be played; null: they were, or will be",
     CHALLENGE(TEXT, reason), .type = "text?"},
    {"created", NULL, JSON, "when the challenge was asked for", CHALLENGE(MOMENT, created_us)},
    {"ended", NULL, JSON, "when the last game of the challenge was played; null: not yet",
     CHALLENGE(MOMENT, ended_us)},
    {"bouts", NULL, JSON, "the games in order; null: the challenge has not ended, or a list",
     .type = "bout[]?", .json_fn = bouts_json},
    {"quotas", NULL, JSON, QUOTAS_WORDS, .type = "quota[]?", .json_fn = report_no_quotas,
     .reader = READER_AUTHOR},
};

const struct columns challenge_columns = COLUMNS_OF(challenge_array);

json_t *report_challenge_json(const struct store_challenge *challenge, json_t *bouts)
{
    return columns_row_json(&challenge_columns, challenge, bouts, READER_AUTHOR);
}
