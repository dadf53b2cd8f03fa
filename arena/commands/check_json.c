#include "arena/commands/check_json.h"

#include <string.h>

#include "arena/replay/json.h"

static json_t *step_json(const struct check *check, enum check_step step, const char *command)
{
    static const char *const results[] = {
        [CHECK_SKIPPED] = "skip", [CHECK_PASSED] = "pass", [CHECK_FAILED] = "fail"};
    const struct check_entry *entry = &check->entries[step];

    return json_pack("{s:i, s:s, s:s, s:o, s:o}", "step", (int)step + 1, "name",
                     check_step_name(step), "result", results[entry->result], "reason",
                     *entry->words ? replay_json_text(entry->words, strlen(entry->words))
                                   : json_null(),
                     "forfeit", replay_json_forfeit(entry->forfeit, command));
}

json_t *check_json(const struct check *check, const char *bot, const char *const *commands)
{
    json_t *steps = json_array();
    json_t *json;

    for (int step = 0; step < CHECK_STEP_COUNT; step++)
        json_array_append_new(
            steps, step_json(check, (enum check_step)step, commands ? commands[step] : NULL));
    json = json_pack(
        "{s:o, s:b, s:o, s:o, s:I, s:{s:I, s:I, s:I}, s:I, s:I}", "bot",
        replay_json_text(bot, strlen(bot)), "fit", check_is_fit(check), "steps", steps, "seed",
        replay_json_hex(check->seed, sizeof check->seed), "decisions", (json_int_t)check->us_count,
        "us", "median", (json_int_t)check_share_us(check, 500), "p99",
        (json_int_t)check_share_us(check, 990), "max", (json_int_t)check_share_us(check, 1000),
        "memory_peak_bytes", (json_int_t)check->memory_peak_bytes, "stderr_bytes",
        (json_int_t)check->errors_bytes);
    json_object_set_new(json, "clock_shortened", json_boolean(check->shortened_turn_ms > 0));
    return json;
}
