#include "arena/commands/doctor_store.h"

#include <jansson.h>
#include <stdio.h>

#include "arena/commands/commands.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"

struct looking {
    json_t *checks; /* NULL: lines are printed at once */
    bool has_failed;
};

static void tell(struct looking *looking, const char *result, const char *check, const char *found,
                 const char *cure)
{
    if (looking->checks)
        json_array_append_new(looking->checks,
                              json_pack("{s:s, s:s, s:s, s:s}", "result", result, "check", check,
                                        "found", found, "cure", cure));
    else
        plain_text_printf(stdout, "%-4s  %-16s  %s%s%s\n", result, check, found,
                          *cure ? "; fix: " : "", cure);
}

static void tell_finding(void *context, const struct store_finding *finding)
{
    tell(context, finding->is_well ? "PASS" : "WARN", finding->check, finding->found,
         finding->cure);
}

static void look(struct looking *looking, struct store *store, const char *url)
{
    char schema[64];
    int error = store_open(&store, url, STORE_READ);

    if (!error) {
        tell(looking, "PASS", "reachable", store_where(store), "");
        snprintf(schema, sizeof schema, "version %d, as this arena has it", store_version(store));
        tell(looking, "PASS", "schema", schema, "");
        error = store_diagnose(store, tell_finding, looking);
    }
    if (error) {
        looking->has_failed = true;
        tell(looking, "FAIL", "reachable", store_failure(store),
             "see that the server runs and takes connections from here (listen_addresses, "
             "pg_hba.conf, firewall), and that URL, user and password are right");
    }
    store_close(store);
}

int doctor_store_run(bool as_json)
{
    struct looking looking = {.checks = as_json ? json_array() : NULL};
    int status = COMMAND_DONE;

    look(&looking, NULL, store_option_given());
    if (as_json)
        status = store_option_print(
            json_pack("{s:b, s:o}", "reachable", !looking.has_failed, "checks", looking.checks));
    return looking.has_failed ? COMMAND_FAILED : status;
}
