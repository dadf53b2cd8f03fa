/* Commands about the whole store: `arena store check`, `copy` and `role`, `arena backup`. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/commands.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"
#include "arena/report/audit.h"
#include "arena/store/copy.h"

/* ---- check ---- */

static void print_fault(void *context, const char *line)
{
    plain_text_printf(stdout, "%s\n", line);
}

static void add_fault(void *context, const char *line)
{
    json_array_append_new(context, json_string(line));
}

static int print_audit_json(const struct audit *audit, json_t *faults)
{
    return command_print_json(json_pack(
        "{s:b, s:I, s:I, s:I, s:o, s:o, s:o}", "sound", audit->fault_count == 0, "bots",
        (json_int_t)audit->bot_count, "seasons", (json_int_t)audit->season_count, "games",
        (json_int_t)audit->game_count, "replays",
        audit->replays ? json_integer(audit->replay_count) : json_null(), "pruned",
        audit->replays ? json_integer(audit->pruned_count) : json_null(), "faults", faults));
}

static void print_audit(const struct audit *audit)
{
    plain_text_printf(stdout, "%lld bots, %lld seasons, %lld games", (long long)audit->bot_count,
                      (long long)audit->season_count, (long long)audit->game_count);
    if (audit->replays)
        plain_text_printf(stdout, ", %lld replays", (long long)audit->replay_count);
    if (audit->pruned_count)
        plain_text_printf(stdout, ", %lld pruned", (long long)audit->pruned_count);
    if (audit->fault_count)
        plain_text_printf(stdout, ": %lld faults; restore a backup\n",
                          (long long)audit->fault_count);
    else
        puts(": sound");
}

static int check(struct store_call *call)
{
    struct audit *audit = call->context;
    json_t *faults = options_given("json") ? json_array() : NULL;
    int status;

    audit->fault_fn = faults ? add_fault : print_fault;
    audit->context = faults;
    status = store_option_status(call->store, audit_store(audit, call->store));
    if (status != COMMAND_DONE) {
        json_decref(faults);
        return status;
    }
    if (faults)
        status = print_audit_json(audit, faults);
    else
        print_audit(audit);
    return status == COMMAND_DONE && audit->fault_count ? COMMAND_FAILED : status;
}

static int run_check(int argc, char **argv)
{
    struct audit audit = {0};
    bool json;
    const struct option options[] = {
        {"replays", NULL, "also play every replay again, and compare the results with the store",
         .flag = &audit.replays},
        {"json", NULL, "one JSON object", .flag = &json},
        STORE_OPTIONS};
    const struct command_line line = {
        .name = "store check",
        .usage = "[--replays] [--json]",
        .about = "Checks every page and row of the store: references, ranges, checksums of games. "
                 "Prints a line for each fault. Exit status 1 if there is a fault.",
        .options = options};

    return store_command(&line, argc, argv, STORE_READ, check, &audit);
}

/* ---- copy ---- */

struct copying {
    json_t *tables; /* the copied tables as JSON; NULL: each table is printed as text */
    int64_t row_count;
};

static void write_digest(const struct copy_report *report, char text[static 65])
{
    for (int i = 0; i < STORE_DIGEST_BYTES; i++)
        snprintf(text + 2 * (size_t)i, 3, "%02x", report->sha256[i]);
}

static void tell_table(void *context, const struct copy_report *report)
{
    struct copying *copying = context;
    char digest[2 * STORE_DIGEST_BYTES + 1];

    write_digest(report, digest);
    copying->row_count += report->row_count;
    if (copying->tables)
        json_array_append_new(copying->tables,
                              json_pack("{s:s, s:I, s:s}", "table", report->table, "rows",
                                        (json_int_t)report->row_count, "sha256", digest));
    else
        plain_text_printf(stdout, "%-12s %10lld rows  %.16s\n", report->table,
                          (long long)report->row_count, digest);
}

static int open_store(const char *url, enum store_mode mode, struct store **store)
{
    int error = store_open(store, url, mode);
    int status = store_option_status(*store, error);

    if (error)
        store_close(*store);
    return status;
}

static int copy(struct store *source, struct store *target, struct copying *copying)
{
    int error = copy_store(target, source, tell_table, copying);

    if (error == -EEXIST || error == -EBUSY || error == -ENOTSUP)
        return store_option_status(target, error);
    if (error)
        return command_fail("%s; the copy %s is incomplete: remove this copy before you copy again",
                            store_failure(target), store_where(target));
    if (copying->tables)
        return command_print_json(json_pack(
            "{s:s, s:s, s:I, s:O}", "from", store_where(source), "to", store_where(target), "rows",
            (json_int_t)copying->row_count, "tables", copying->tables));
    plain_text_printf(stdout, "%lld rows copied and read back: %s now holds the same as %s\n",
                      (long long)copying->row_count, store_where(target), store_where(source));
    return COMMAND_DONE;
}

static int run_copy(int argc, char **argv)
{
    bool json = false;
    const struct option options[] = {{"json", NULL, "one JSON object", .flag = &json}, {0}};
    const struct command_line line = {
        .name = "store copy",
        .usage = "FROM TO [--json]",
        .about = "Copies a whole league from one store to another, which must be new or empty, and "
                 "compares the two: FROM and TO are URLs (sqlite:PATH, "
                 "postgresql://USER@HOST/DATABASE) or home folders. Nobody may play or submit "
                 "during the copy. FROM stays as it is.",
        .options = options,
        .least = 2,
        .arguments = "name two stores"};
    struct copying copying = {.row_count = 0};
    struct store *source, *target;
    int status;

    if (!options_read(&line, &argc, argv, &status))
        return status;
    status = open_store(argv[0], STORE_READ, &source);
    if (status != COMMAND_DONE)
        return status;
    copying.tables = json ? json_array() : NULL;
    status = open_store(argv[1], STORE_CREATE, &target);
    if (status == COMMAND_DONE) {
        status = copy(source, target, &copying);
        store_close(target);
    }
    store_close(source);
    json_decref(copying.tables);
    return status;
}

/* ---- role ---- */

static const char *const functions[] = {"worker_hello",   "worker_claim",     "worker_renew",
                                        "worker_deliver", "worker_give_back", "worker_package"};

static void print_role(const char *name)
{
    plain_text_printf(
        stdout,
        "BEGIN;\n"
        "DO $$ BEGIN\n"
        "    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '%s') THEN\n"
        "        CREATE ROLE \"%s\" LOGIN; -- \\password %s, or a certificate\n"
        "    END IF;\n"
        "    EXECUTE format('GRANT CONNECT ON DATABASE %%I TO \"%s\"', current_database());\n"
        "END $$;\n"
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC;\n"
        "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, \"%s\";\n"
        "REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM PUBLIC, \"%s\";\n"
        "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC, \"%s\";\n"
        "-- Nor may it fill the disk with large objects or temporary tables.\n"
        "DO $$ DECLARE name regprocedure; BEGIN\n"
        "    EXECUTE format('REVOKE TEMPORARY ON DATABASE %%I FROM PUBLIC', current_database());\n"
        "    IF current_setting('is_superuser') = 'on' THEN\n"
        "        FOR name IN SELECT oid FROM pg_proc WHERE pronamespace = "
        "'pg_catalog'::regnamespace\n"
        "                AND proname IN ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_open', "
        "'lo_put',\n"
        "                    'lo_import', 'lowrite', 'lo_truncate', 'lo_truncate64') LOOP\n"
        "            EXECUTE format('REVOKE EXECUTE ON FUNCTION %%s FROM PUBLIC', name);\n"
        "        END LOOP;\n"
        "    ELSE\n"
        "        RAISE WARNING 'large objects stay allowed: let the superuser run this';\n"
        "    END IF;\n"
        "END $$;\n"
        "GRANT USAGE ON SCHEMA public TO \"%s\";\n"
        "GRANT SELECT ON pavilion TO \"%s\";\n",
        name, name, name, name, name, name, name, name, name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        plain_text_printf(stdout, "GRANT EXECUTE ON FUNCTION %s TO \"%s\";\n", functions[i], name);
    puts("COMMIT;");
}

static int run_role(int argc, char **argv)
{
    const struct option options[] = {{0}};
    const struct command_line line = {
        .name = "store role",
        .usage = "NAME",
        .about =
            "Prints the SQL that makes a role for workers in PostgreSQL, to be run by the server's "
            "superuser in the league's database, or by its owner where the role exists already:\n"
            "\n"
            "    arena store role arena_worker | sudo -u postgres psql league\n"
            "\n"
            "The role may call the functions that a worker needs, and may read only the table "
            "with the schema's version. The role cannot change a season, a bot or a rating, and "
            "learns only the seeds of games that its workers play.",
        .options = options,
        .least = 1,
        .arguments = "name one role"};
    int status;

    if (!options_read(&line, &argc, argv, &status))
        return status;
    if (strspn(argv[0], "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(argv[0]) ||
        strlen(argv[0]) == 0 || strlen(argv[0]) > STORE_NAME_BYTES_MAX)
        return command_refuse("%s: a role's name is 1 to 32 characters from a-z, 0-9 and _",
                              argv[0]);
    print_role(argv[0]);
    return COMMAND_DONE;
}

int command_store(int argc, char **argv)
{
    static const struct command subcommands[] = {
        {"check", run_check, "check the store for damage"},
        {"copy", run_copy, "copy a league to another store"},
        {"role", run_role, "print the SQL of a role for workers"},
        {NULL},
    };

    return command_choose("arena store", "", subcommands, argc, argv);
}

/* ---- backup ---- */

static int backup(struct store_call *call)
{
    const char *file = call->argv[0];
    int status = store_option_status(call->store, store_backup(call->store, file));

    if (status == COMMAND_DONE)
        plain_text_printf(stdout, "%s: written; `arena store check --store sqlite:%s` checks it\n",
                          file, file);
    return status;
}

int command_backup(int argc, char **argv)
{
    const struct command_line line = {
        .name = "backup",
        .usage = "FILE",
        .about = "Copies the store to a new file, as it is at one moment, even while seasons are "
                 "being played. To restore a backup, replace arena.db in the home with that file.",
        .options = store_options,
        .least = 1,
        .arguments = "name one file"};

    return store_command(&line, argc, argv, STORE_READ, backup, NULL);
}
