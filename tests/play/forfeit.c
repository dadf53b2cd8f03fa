/* SPDX-License-Identifier: MIT */
/* What is kept of a forfeit: each figure of the fault, and both ends of what was read and written.
 */
#include "arena/play/forfeit.h"

#include <criterion/criterion.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play/bot.h"
#include "arena/play/table.h"
#include "tests/play/fake_child.h"

enum {
    TURN = 7,
};

static const struct {
    const char *rule;
    enum sandbox_end end;
    bool ended, late;
    const char *words;
    int status, signal;
    const char *call;
} rows[] = {
    {"a bad answer", SANDBOX_END_KILLED, false, false, "as the fault says", FORFEIT_NOT_KNOWN, 0,
     ""},
    {"an exit", SANDBOX_END_EXITED, true, false, "as the fault says", 3, 0, ""},
    {"a signal", SANDBOX_END_SIGNALED, true, false, "as the fault says", FORFEIT_NOT_KNOWN, 11, ""},
    {"a forbidden call", SANDBOX_END_FORBIDDEN, true, false, "as the fault says", FORFEIT_NOT_KNOWN,
     0, "ptrace"},
    {"no memory", SANDBOX_END_MEMORY, true, false,
     "the bot ran out of memory: limit 100 MiB, peak 99 MiB: use less memory; whoever sets the "
     "terms can raise the limit with --memory MIB",
     FORFEIT_NOT_KNOWN, 0, ""},
    {"late", SANDBOX_END_EXITED, false, true,
     "no complete answer by the deadline: only the first 5 bytes of the answer came (computed 100 "
     "%, waited for a processor 0 %, slept 0 %)",
     FORFEIT_NOT_KNOWN, 0, ""},
};

static struct bot bot;

static void make_fault(size_t row)
{
    memset(&bot, 0, sizeof bot);
    bot.fault = (struct bot_fault){.reason = WIRE_CRASH,
                                   .words = "as the fault says",
                                   .limit_us = 1,
                                   .wall_us = 2,
                                   .cpu_us = 3,
                                   .delay_us = 4,
                                   .late = rows[row].late,
                                   .ended = rows[row].ended};
    bot.verdict = (struct sandbox_verdict){.end = rows[row].end,
                                           .status = 3,
                                           .signal = 11,
                                           .memory_limit_bytes = 100 << 20,
                                           .memory_peak_bytes = 99 << 20};
    if (rows[row].end == SANDBOX_END_FORBIDDEN)
        bot.verdict.call = "ptrace";
    bot.channel.request_bytes = 9;
    memcpy(bot.channel.request, "questions", 9);
    bot.channel.reply_bytes = 5;
    memcpy(bot.channel.reply, "reply", 5);
    tail_add(&bot.channel.errors_kept, "error", 5);
}

static void expect_hash(const struct forfeit_whole *whole, const void *bytes, size_t size)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx context;

    sha256_init(&context);
    sha256_update(&context, size, bytes);
    sha256_digest(&context, sizeof digest, digest);
    cr_expect_eq(memcmp(whole->sha256, digest, sizeof digest), 0);
}

static void expect_same(const struct forfeit *forfeit, size_t row)
{
    cr_expect_str_eq(forfeit->words, rows[row].words, "%s: %s", rows[row].rule, forfeit->words);
    cr_expect_eq(forfeit->status, rows[row].status, "%s", rows[row].rule);
    cr_expect_eq(forfeit->signal, rows[row].signal, "%s", rows[row].rule);
    cr_expect_str_eq(forfeit->call, rows[row].call, "%s", rows[row].rule);
    cr_expect_eq(forfeit->reason, WIRE_CRASH);
    cr_expect_eq(forfeit->turn, TURN);
    cr_expect_eq(forfeit->limit_us, 1);
    cr_expect_eq(forfeit->wall_us, 2);
    cr_expect_eq(forfeit->cpu_us, 3);
    cr_expect_eq(forfeit->delay_us, 4);
    cr_assert_eq(forfeit->request_bytes, 9);
    cr_expect_eq(memcmp(forfeit->request, "questions", 9), 0);
    cr_assert_eq(forfeit->reply_bytes, 5);
    cr_expect_eq(memcmp(forfeit->reply, "reply", 5), 0);
    cr_assert_eq(forfeit->errors_bytes, 5);
    cr_expect_eq(memcmp(forfeit->errors, "error", 5), 0);
    cr_expect_eq(forfeit->errors_whole.bytes, 5);
    expect_hash(&forfeit->request_whole, "questions", 9);
    expect_hash(&forfeit->reply_whole, "reply", 5);
    expect_hash(&forfeit->errors_whole, "error", 5);
}

Test(forfeit, tells_what_became_of_the_bot)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct forfeit *forfeit, *copy;

        make_fault(i);
        forfeit = forfeit_create(&bot, TURN);
        cr_assert_not_null(forfeit);
        copy = forfeit_copy(forfeit);
        expect_same(forfeit, i);
        memset(forfeit->request, 'x', forfeit->request_bytes); /* which the copy does not see */
        memset(forfeit->reply, 'x', forfeit->reply_bytes);
        memset(forfeit->errors, 'x', forfeit->errors_bytes);
        forfeit_destroy(forfeit);
        expect_same(copy, i);
        forfeit_destroy(copy);
    }
    forfeit_destroy(NULL);
}

/* Of a long text the first and the last part. */
Test(forfeit, keeps_both_ends)
{
    static const size_t sizes[] = {0,
                                   1,
                                   FORFEIT_KEPT_BYTES - 1,
                                   FORFEIT_KEPT_BYTES,
                                   FORFEIT_KEPT_BYTES + 1,
                                   3 * FORFEIT_KEPT_BYTES};
    static uint8_t text[3 * FORFEIT_KEPT_BYTES];

    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i * 7 + i / 256);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t size = sizes[i], cut = size > FORFEIT_KEPT_BYTES ? FORFEIT_KEPT_BYTES : size;
        struct forfeit_whole whole;
        size_t kept_bytes;
        uint8_t *kept = forfeit_keep(text, size, &kept_bytes, &whole);

        cr_assert_not_null(kept);
        cr_expect_eq(kept_bytes, cut, "of %zu: %zu", size, kept_bytes);
        cr_expect_eq(whole.bytes, size);
        expect_hash(&whole, text, size);
        cr_expect_eq(forfeit_left_out(&whole, kept_bytes), size - cut);
        for (size_t j = 0; j < kept_bytes; j++)
            cr_assert_eq(kept[j], text[j < FORFEIT_PART_BYTES || cut == size ? j : size - cut + j]);
        free(kept);
    }
}

static struct ev_loop *loop;
static struct pace pace;
static struct table *table;

static void make_table(void)
{
    static struct transport transport;
    static const struct table_rules rules;

    transport = fake_child_transport();
    loop = ev_loop_new(EVFLAG_AUTO);
    pace_start(&pace, loop);
    table = table_create(loop, &pace, &transport, &rules);
}

static void remove_table(void)
{
    table_destroy(table);
    pace_stop(&pace, loop);
    ev_loop_destroy(loop);
}

TestSuite(table, .init = make_table, .fini = remove_table);

/* The clock of a person who has just left, or whose match has just become void, may still run out.
 */
Test(table, a_person_decides_nothing_at_a_table_that_was_stopped)
{
    table->state = TABLE_VOID;
    table_take_out(table, 0, WIRE_TIMEOUT);
    table_answer(table, 0, (struct action){0}, 1);
    cr_expect_eq(table->state, TABLE_VOID);
    cr_expect_eq(table->match.seats[0].reason, WIRE_PLAYED);
}

/* A run that is stopped has forfeits that nobody took; the end of the table frees the last four. */
Test(table, takes_its_forfeits_with_it)
{
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++)
        table->forfeits[seat] = forfeit_create(&bot, TURN);
    table_clear(table);
    for (int seat = 0; seat < GAME_PLAYERS_MAX; seat++) {
        cr_expect_null(table->forfeits[seat]);
        table->forfeits[seat] = forfeit_create(&bot, TURN);
    }
    table_destroy(NULL);
}

static const struct {
    const char *rule;
    int64_t wall_us, cpu_us; /* of a limit of a second */
    size_t reply_bytes;
    const char *words;
    int64_t queued_us;
    int process_count;
} deadlines[] = {
    {"it slept", 3000000, 60000, 0,
     "no answer by the deadline: the bot slept (computed 2 %, waited for a processor 1 %, slept 97 "
     "%): does it flush its output, or wait for something?",
     30000},
    {"it slept, though it also computed and waited", 1500000, 450000, 0,
     "no answer by the deadline: the bot slept (computed 30 %, waited for a processor 30 %, slept "
     "40 %): does it flush its output, or wait for something?",
     450000},
    {"it computed all the time", 1000000, 990000, 0,
     "no answer by the deadline: the bot computed whenever it had a processor (computed 99 %, "
     "waited for a processor 0 %, slept 1 %): an endless loop, or a search that does not look at "
     "the clock?"},
    {"it computed whenever the machine let it", 20000000, 1000000, 0,
     "no answer by the deadline: the bot computed whenever it had a processor (computed 5 %, "
     "waited for a processor 95 %, slept 0 %): an endless loop, or a search that does not look at "
     "the clock?",
     19000000},
    {"it computed and slept", 1000000, 600000, 0,
     "no answer by the deadline: the bot computed (computed 60 %, waited for a processor 0 %, "
     "slept 40 %): it is too slow"},
    {"others had the processors", 1000000, 200000, 0,
     "no answer by the deadline: the bot waited for a processor (computed 20 %, waited for a "
     "processor 70 %, slept 10 %): the machine was too busy; the bot is not to blame",
     700000},
    {"several threads of it computed", 1000000, 2000000, 0,
     "no answer by the deadline: the bot computed whenever it had a processor (computed 100 %, "
     "waited for a processor 0 %, slept 0 %): an endless loop, or a search that does not look at "
     "the clock?"},
    {"how long it waited is not known", 1000000, 10000, 0,
     "no answer by the deadline: the bot slept (computed 1 %, waited for a processor 0 %, slept 99 "
     "%): does it flush its output, or wait for something?",
     -1},
    {"half an answer came", 11000000, 3100, 7,
     "no complete answer by the deadline: only the first 7 bytes of the answer came (computed 0 "
     "%, waited for a processor 0 %, slept 100 %)"},
    {"its processor time is not known", 11000000, -1, 0, "no answer by the deadline"},
    {"one of its processes waited for another", 1000000, 5000, 0,
     "no answer by the deadline (its first process computed 0 %, waited for a processor 0 %, slept "
     "100 %); what the others did is not known",
     0, 2},
    {"a bot of one process by its manifest", 1000000, 600000, 0,
     "no answer by the deadline: the bot computed (computed 60 %, waited for a processor 0 %, "
     "slept 40 %): it is too slow",
     0, 1},
};

Test(forfeit, a_deadline_is_told_by_what_was_computed)
{
    for (size_t row = 0; row < sizeof deadlines / sizeof *deadlines; row++) {
        struct forfeit *forfeit;

        memset(&bot, 0, sizeof bot);
        bot.fault = (struct bot_fault){.limit_us = 1000000,
                                       .wall_us = deadlines[row].wall_us,
                                       .cpu_us = deadlines[row].cpu_us,
                                       .queued_us = deadlines[row].queued_us,
                                       .late = true};
        bot.channel.reply_bytes = deadlines[row].reply_bytes;
        bot.process_count = deadlines[row].process_count;
        forfeit = forfeit_create(&bot, TURN);
        cr_assert_not_null(forfeit);
        cr_expect_str_eq(forfeit->words, deadlines[row].words, "%s: %s", deadlines[row].rule,
                         forfeit->words);
        forfeit_destroy(forfeit);
    }
}
