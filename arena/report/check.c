/* SPDX-License-Identifier: MIT */
#include "arena/report/check.h"

#include <inttypes.h>
#include <string.h>

#include "arena/play/match.h"
#include "arena/replay/json.h"
#include "arena/base/plain_text.h"
#include "arena/base/json.h"

static json_t *step_json(const struct check *check, enum check_step step, const char *command)
{
    static const char *const results[] = {
        [CHECK_SKIPPED] = "skip", [CHECK_PASSED] = "pass", [CHECK_FAILED] = "fail"};
    const struct check_entry *entry = &check->entries[step];

    return json_pack("{s:i, s:s, s:s, s:o, s:o}", "step", (int)step + 1, "name",
                     check_step_name(step), "result", results[entry->result], "reason",
                     *entry->words ? json_text(entry->words, strlen(entry->words)) : json_null(),
                     "forfeit", replay_json_forfeit(entry->forfeit, command));
}

json_t *report_check_json(const struct check *check, const char *bot, const char *const *commands)
{
    json_t *steps = json_array();
    json_t *json;

    for (int step = 0; step < CHECK_STEP_COUNT; step++)
        json_array_append_new(
            steps, step_json(check, (enum check_step)step, commands ? commands[step] : NULL));
    json = json_pack(
        "{s:o, s:b, s:o, s:o, s:I, s:{s:I, s:I, s:I}, s:I, s:I}", "bot",
        json_text(bot, strlen(bot)), "fit", check_is_fit(check), "steps", steps, "seed",
        json_hex(check->seed, sizeof check->seed), "decisions", (json_int_t)check->us_count, "us",
        "median", (json_int_t)check_share_us(check, 500), "p99",
        (json_int_t)check_share_us(check, 990), "max", (json_int_t)check_share_us(check, 1000),
        "memory_peak_bytes", (json_int_t)check->memory_peak_bytes, "stderr_bytes",
        (json_int_t)check->errors_bytes);
    json_object_set_new(json, "clock_shortened", json_boolean(check->shortened_turn_ms > 0));
    json_object_set_new(json, "too_busy", json_boolean(check_is_undecided(check)));
    json_object_set_new(json, "repeated", json_integer(check->repeat_count));
    return json;
}

enum {
    FOLDED_MIN = 3, /* so many steps in a row, or more, have one line */
};

static const char *const result_words[] = {
    [CHECK_SKIPPED] = "-", [CHECK_PASSED] = "pass", [CHECK_FAILED] = "FAIL"};

/*
 * Returns an earlier step that failed like this step, so that the paragraph need not be printed
 * twice; or -1.
 */
static int find_told(const struct check *check, enum check_step step)
{
    const struct forfeit *forfeit = check->entries[step].forfeit;

    for (int before = 0; forfeit && before < (int)step; before++) {
        const struct forfeit *told = check->entries[before].forfeit;

        if (told && forfeit_text_is_same(told, forfeit))
            return before;
    }
    return -1;
}

/* True if the same is to be said of two steps, in one line. */
static bool is_alike(const struct check *check, enum check_step a, enum check_step b)
{
    const struct check_entry *one = &check->entries[a], *other = &check->entries[b];
    const int told = find_told(check, a);

    if (one->result != other->result || !*one->words)
        return false;
    return one->forfeit ? told >= 0 && find_told(check, b) == told
                        : !other->forfeit && strcmp(one->words, other->words) == 0;
}

int report_check_step(FILE *stream, const struct check *check, enum check_step step,
                      const struct rerun_command *again)
{
    const struct check_entry *entry = &check->entries[step];
    int told = find_told(check, step), count = 1;
    char name[32];

    while ((int)step + count < CHECK_STEP_COUNT &&
           is_alike(check, step, (enum check_step)((int)step + count)))
        count++;
    if (count < FOLDED_MIN)
        count = 1;
    snprintf(name, sizeof name, "%s", check_step_name(step));
    if (count > 1)
        snprintf(name, sizeof name, "to %d: %d steps", (int)step + count, count);
    plain_text_printf(stream, "%3d  %-22s %s", (int)step + 1, name, result_words[entry->result]);
    /* The paragraph about a forfeit, printed below, begins with these words, too. */
    if (*entry->words && (!entry->forfeit || (told >= 0 && count == 1))) {
        fputs("  ", stream);
        plain_text_print(stream, entry->words, strlen(entry->words), CHECK_WORDS_BYTES);
    }
    if (told >= 0)
        fprintf(stream, "%s as in step %d", count == 1 ? "," : " ", told + 1);
    fputc('\n', stream);
    if (entry->forfeit && told < 0)
        forfeit_text_print(stream, entry->forfeit, entry->forfeit_seat, check->name, again, NULL);
    return count;
}

static void print_ms(FILE *stream, const char *what, int64_t us)
{
    plain_text_printf(stream, "%s %" PRId64 ".%02" PRId64 " ms", what, us / 1000, us % 1000 / 10);
}

void report_check_figures(FILE *stream, const struct check *check)
{
    const struct wire_clock usual = CLOCK_DEFAULT, *clock = &check->clock;

    if (check->us_count > 0) {
        print_ms(stream, "time to answer: median", check_share_us(check, 500));
        print_ms(stream, ", p99", check_share_us(check, 990));
        print_ms(stream, ", max", check_share_us(check, 1000));
        fprintf(stream, " (%zu decision%s)\n", check->us_count,
                plain_text_s((int64_t)check->us_count));
        fprintf(stream, "memory: at most %" PRId64 ".%" PRId64 " MiB\n",
                check->memory_peak_bytes >> 20, (check->memory_peak_bytes & 0xfffff) * 10 >> 20);
        fprintf(stream, "standard error: %" PRIu64 " bytes\n", check->errors_bytes);
    }
    if (check->shortened_turn_ms > 0)
        fprintf(stream,
                "clock: shortened by the check, finally to %" PRId64
                " ms a turn: the bot may think %" PRId64 " s in all, and thought %" PRId64 " s\n",
                check->shortened_turn_ms, check->thinking_us / 1000000,
                check->thought_us / 1000000);
    if (check->repeat_count > 0)
        fprintf(stream,
                "machine: busy: %d game%s played again, because other programs had kept the bot "
                "from the processors\n",
                check->repeat_count, check->repeat_count == 1 ? " was" : "s were");
    fputs("to repeat these games: --seed ", stream);
    for (int i = 0; i < GAME_SEED_BYTES; i++)
        fprintf(stream, "%02x", check->seed[i]);
    if (clock->turn_ms != usual.turn_ms || clock->bank_ms != usual.bank_ms ||
        clock->gain_ms != usual.gain_ms || clock->start_ms != usual.start_ms)
        fprintf(stream, " --clock turn=%d,bank=%" PRId64 ",gain=%d,start=%d", (int)clock->turn_ms,
                (int64_t)clock->bank_ms, (int)clock->gain_ms, (int)clock->start_ms);
    fputc('\n', stream);
}

void report_check_summary(FILE *stream, const struct check *check)
{
    int counts[CHECK_FAILED + 1] = {0};

    for (int step = 0; step < CHECK_STEP_COUNT; step++)
        counts[check->entries[step].result]++;
    if (check_is_undecided(check))
        fputs("not decided: the machine was too busy: check again when it is quiet\n", stream);
    else
        plain_text_printf(stream, "%s%s%s%s\n",
                          check_is_fit(check) ? "fit to play" : "not fit to play",
                          check->quick && check_is_fit(check) ? ", as far as --quick looked" : "",
                          *check->too_slow ? ": " : "", check->too_slow);
    plain_text_printf(stream, "%d of %d steps passed, %d failed, %d not tried\n",
                      counts[CHECK_PASSED], CHECK_STEP_COUNT, counts[CHECK_FAILED],
                      counts[CHECK_SKIPPED]);
}

void report_check_print(FILE *stream, const struct check *check)
{
    report_check_summary(stream, check);
    for (int step = 0; step < CHECK_STEP_COUNT;)
        step += report_check_step(stream, check, (enum check_step)step, &(struct rerun_command){0});
    report_check_figures(stream, check);
}
