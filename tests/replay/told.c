/* SPDX-License-Identifier: MIT */
/*
 * Replays as JSON and odd forfeits as text, compared whole with tests/golden/replay-told.txt: the
 * sample, and checksums of matches that were recorded once, of which tests/golden/replay-text.txt
 * has the text. A replay made of a match has each part of it.
 */
#include <criterion/criterion.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/source.h"
#include "arena/play/table.h"
#include "arena/base/file.h"
#include "arena/replay/replay.h"
#include "arena/replay/forfeit_text.h"
#include "arena/replay/json.h"
#include "tests/golden.h"
#include "tests/replay/sample.h"
#include "arena/base/json.h"

enum {
    SHOWN_EVERY = 61, /* of the decisions; all of them are in the checksum */
};

/* ---- JSON ---- */

struct telling {
    FILE *file; /* of the lines; NULL: only the checksum is told */
    const struct replay *replay;
    struct sha256_ctx hash;
};

/* Takes the reference. */
static char *text_of(json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT);

    cr_assert_not_null(text);
    json_decref(json);
    return text;
}

static void tell_line(FILE *file, json_t *json)
{
    char *text = text_of(json);

    fprintf(file, "%s\n", text);
    free(text);
}

static void tell_part(struct telling *telling, json_t *json, bool is_shown)
{
    char *text = text_of(json);

    sha256_update(&telling->hash, strlen(text), (const uint8_t *)text);
    if (is_shown && telling->file)
        fprintf(telling->file, "%s\n", text);
    free(text);
}

static void tell_decision(void *self, struct match *match, const struct replay_decision *decision)
{
    struct telling *telling = self;

    tell_part(telling,
              decision ? replay_json_decision(decision, match)
                       : replay_json_end(telling->replay, match),
              !decision || match->decision_count % SHOWN_EVERY == 0);
}

static void tell_forfeits(FILE *file, const struct replay *replay,
                          const struct rerun_command *again)
{
    for (int seat = 0; seat < replay->terms.player_count; seat++) {
        if (!replay->forfeits[seat])
            continue;
        forfeit_text_print(file, replay->forfeits[seat], seat,
                           again ? "x\x1b" : replay->bots[seat].name, again, NULL);
    }
}

static void tell_replay(FILE *file, const char *name, const struct replay *replay, bool is_whole)
{
    struct telling telling = {.file = is_whole ? file : NULL, .replay = replay};
    char error[REPLAY_ERROR_BYTES] = "", *hex;
    uint8_t digest[SHA256_DIGEST_SIZE];

    fprintf(file, "==== %s\n", name);
    sha256_init(&telling.hash);
    tell_part(&telling, replay_json_header(replay), true);
    cr_assert_eq(replay_verify(replay, tell_decision, &telling, error), 0, "%s: %s", name, error);
    sha256_digest(&telling.hash, sizeof digest, digest);
    hex = text_of(json_pack("[o]", json_hex(digest, sizeof digest)));
    fprintf(file, "header, all decisions with legal actions, and the end: %s\n", hex);
    free(hex);
}

static void tell_recorded(FILE *file, const char *name)
{
    char path[512], error[REPLAY_ERROR_BYTES] = "";
    struct replay replay;
    uint8_t *bytes;
    size_t size;

    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/replay/%s", TEST_SOURCE_DIR, name);
    cr_assert_eq(file_read(path, REPLAY_BYTES_MAX, &bytes, &size), 0, "%s", path);
    cr_assert_eq(replay_unpack(&replay, bytes, size, error), 0, "%s: %s", name, error);
    tell_replay(file, name, &replay, false);
    replay_finish(&replay);
    free(bytes);
}

static void set_whole(const void *text, size_t size, uint8_t **kept, size_t *kept_bytes,
                      struct forfeit_whole *whole)
{
    free(*kept);
    *kept = forfeit_keep(text, size, kept_bytes, whole);
}

/* Everything that a forfeit may lack or have in plenty. */
static void tell_odd_forfeits(FILE *file)
{
    static uint8_t request[9000];
    static char errors[9000];
    struct forfeit *forfeit;
    struct replay replay;

    for (size_t i = 0; i < sizeof request; i++) {
        request[i] = (uint8_t)('a' + i % 26);
        errors[i] = i % 64 == 63 ? '\n' : (char)('A' + i % 25);
    }
    sample_replay(&replay);
    forfeit = replay.forfeits[1];
    fputs("==== forfeits\n", file);
    for (int cut = 0; cut < 2; cut++) {
        size_t size = cut ? sizeof errors : FORFEIT_KEPT_BYTES;
        uint8_t *kept = (uint8_t *)forfeit->errors;

        set_whole(request, size, &forfeit->request, &forfeit->request_bytes,
                  &forfeit->request_whole);
        set_whole("", 0, &forfeit->reply, &forfeit->reply_bytes, &forfeit->reply_whole);
        set_whole(errors, size, &kept, &forfeit->errors_bytes, &forfeit->errors_whole);
        forfeit->errors = (char *)kept;
        forfeit->limit_us = cut ? FORFEIT_NOT_KNOWN : 1050000;
        forfeit->cpu_us = cut ? 1234567 : 0;
        forfeit->wall_us = 1000099;
        forfeit->delay_us = 99950;
        forfeit->status = cut ? 0 : 255;
        forfeit->signal = cut ? 0 : 11;
        forfeit->turn = cut ? 0 : FORFEIT_NOT_KNOWN;
        if (cut)
            forfeit->call[0] = '\0';
        tell_forfeits(file, &replay,
                      cut ? NULL : &(struct rerun_command){"arena", "\x1b", "bot", NULL});
    }
    tell_line(file, replay_json_forfeit(forfeit, NULL));
    replay_finish(&replay);
}

Test(told, is_one_golden_text)
{
    static const char *const recorded[] = {"whole-2", "forfeit-2", "out-in-hello-3", "stand-ins-4",
                                           "timeout-2"};
    char *made = NULL;
    size_t size;
    FILE *file = open_memstream(&made, &size);
    struct replay replay;

    sample_replay(&replay);
    tell_replay(file, "sample", &replay, true);
    tell_forfeits(file, &replay, NULL);
    replay_finish(&replay);
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++)
        tell_recorded(file, recorded[i]);
    tell_odd_forfeits(file);
    fclose(file);
    golden_expect("replay-told.txt", made);
    free(made);
}

/* ---- made of a match ---- */

/* A match that was over at once: seat 2 stayed, and one decision is noted. */
static void end_match(struct table *table)
{
    const struct match_terms terms = {.id = "m", .player_count = 3, .names = {"a", "", ""}};
    const struct match_times times = {.us = 5, .cpu_us = 6, .delay_us = 7};
    struct wire_act act = {.turn = 0, .has_note = true, .note = "why", .note_bytes = 3};
    enum wire_reason reason;

    match_init(&table->match, &terms);
    for (int seat = 0; seat < 3; seat++)
        match_ready(&table->match, seat, true);
    match_begin(&table->match);
    cr_assert_eq(match_next(&table->match), 0);
    cr_assert_null(match_answer(&table->match, 0, &act, &times, &reason));
    match_out(&table->match, 0, WIRE_CRASH);
    match_out(&table->match, 1, WIRE_TIMEOUT);
    match_result(&table->match, &table->result);
}

Test(told, what_is_made_of_a_table_has_each_part)
{
    static struct table table;
    static struct source sources[2] = {{.manifest = {.name = "ant", .version = "1.2"}},
                                       {.manifest = {.name = "bee", .version = "3"}}};
    static struct bot bot = {.fault = {.reason = WIRE_START, .words = "why not"}};
    const struct table_rules rules = {.memory_bytes = 12345678};
    struct replay replay;

    end_match(&table);
    memset(sources[0].sha256, 'a', PACKAGE_HASH_CHARS);
    memset(sources[1].sha256, 'b', PACKAGE_HASH_CHARS);
    table.rules = &rules;
    table.started_s = 1767225600;
    for (int seat = 0; seat < 3; seat++) {
        table.sources[seat] = seat < 2 ? &sources[seat] : NULL;
        table.layers[seat] = 1u << seat;
    }
    table.forfeits[1] = forfeit_create(&bot, FORFEIT_NOT_KNOWN);
    cr_assert_eq(replay_from_table(&replay, &table), 0);
    for (int seat = 0; seat < 3; seat++) {
        static const char *const names[] = {"ant", "bee", REPLAY_CHANCE};
        static const int64_t outs[] = {1, 1, REPLAY_STAYED};

        cr_expect_str_eq(replay.bots[seat].name, names[seat]);
        cr_expect_str_eq(replay.terms.names[seat], names[seat]);
        cr_expect_str_eq(replay.bots[seat].version, seat == 0 ? "1.2" : seat == 1 ? "3" : "");
        cr_expect_eq(replay.bots[seat].sha256[63], seat == 0 ? 'a' : seat == 1 ? 'b' : '\0');
        cr_expect_eq(replay.layers[seat], 1u << seat);
        cr_expect_eq(replay.out_turns[seat], outs[seat], "%d: %lld", seat,
                     (long long)replay.out_turns[seat]);
        cr_expect_eq(replay.result.reasons[seat], table.result.reasons[seat]);
        cr_expect_eq(replay.forfeits[seat] != NULL, seat == 1);
    }
    cr_expect_str_eq(replay.forfeits[1]->words, "why not");
    cr_expect_neq(replay.forfeits[1], table.forfeits[1]);
    cr_expect_str_eq(replay.terms.id, "m");
    cr_expect(replay.names_told);
    cr_expect_eq(replay.memory_bytes, 12345678);
    cr_expect_eq(replay.started_s, 1767225600);
    cr_assert_eq(replay.decision_count, table.match.decision_count);
    cr_assert_geq(replay.decision_count, 1);
    cr_expect(replay.decisions[0].us == 5 && replay.decisions[0].cpu_us == 6);
    cr_expect(replay.decisions[0].delay_us == 7 && !replay.decisions[0].by_arena);
    cr_expect_eq(replay.decisions[0].hash, table.match.decisions[0].hash);
    cr_assert_eq(replay.decisions[0].note_bytes, 3);
    cr_expect_arr_eq(replay.decisions[0].note, "why", 3);
    replay_finish(&replay);
    cr_expect_null(replay.decisions);
    table.match.terms.names[0][0] = '\0';
    cr_assert_eq(replay_from_table(&replay, &table), 0);
    cr_expect_not(replay.names_told);
    replay_finish(&replay);
    forfeit_destroy(table.forfeits[1]);
    match_finish(&table.match);
}

/* ---- actions ---- */

static const struct {
    struct action action;
    const char *text;
} actions[] = {
    {{.kind = ACTION_DRAFT, .number = {7, 5}}, "[\"draft\",7,5]"},
    {{.kind = ACTION_PLACE, .number = {1, 2, 3, 4}}, "[\"place\",1,2,3,4]"},
    {{.kind = ACTION_BONUS, .number = {1, 2, 3, 4, 5, 6}}, "[\"bonus\",[1,2,3,4,5,6]]"},
    {{.kind = ACTION_PASS, .number = {6, 5, 4, 3, 2, 1}}, "[\"pass\",[6,5,4,3,2,1]]"},
};

Test(json, each_number_of_an_action_has_its_place)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        json_t *json = replay_json_action(actions[i].action);
        char *text = json_dumps(json, JSON_COMPACT);

        cr_expect_str_eq(text, actions[i].text);
        free(text);
        json_decref(json);
    }
}
