/* SPDX-License-Identifier: MIT */
/* Commands about the whole store: `arena store check`, `backup`, `copy` and `role`. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/base/plain_text.h"
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
    plain_text_printf(stdout, "%lld bot%s, %lld season%s, %lld game%s", (long long)audit->bot_count,
                      plain_text_s(audit->bot_count), (long long)audit->season_count,
                      plain_text_s(audit->season_count), (long long)audit->game_count,
                      plain_text_s(audit->game_count));
    if (audit->replays)
        plain_text_printf(stdout, ", %lld replay%s", (long long)audit->replay_count,
                          plain_text_s(audit->replay_count));
    if (audit->pruned_count)
        plain_text_printf(stdout, ", %lld pruned", (long long)audit->pruned_count);
    if (audit->fault_count)
        plain_text_printf(stdout, ": %lld fault%s; restore a backup\n",
                          (long long)audit->fault_count, plain_text_s(audit->fault_count));
    else
        puts(": sound");
}

static struct audit store_audit;

static int check(struct store_call *call)
{
    struct audit *audit = &store_audit;
    json_t *faults = options_json ? json_array() : NULL;
    struct bot_room room = {0};
    int result = bot_room_open_stage(&room);

    audit->fault_fn = faults ? add_fault : print_fault;
    audit->context = faults;
    if (!result) {
        audit->folder = room.stage->path;
        result = audit_store(audit, call->store);
    }
    bot_room_close(&room);
    if (result) {
        json_decref(faults);
        return result;
    }
    if (faults)
        result = print_audit_json(audit, faults);
    else
        print_audit(audit);
    return result ?: (audit->fault_count ? COMMAND_FAILED : COMMAND_DONE);
}

static const struct option check_options[] = {
    {"replays", NULL, "also play every replay again, and compare the results with the store",
     .flag = &store_audit.replays},
    OPTION_JSON("one JSON object"),
    STORE_OPTIONS};

static const struct command_line check_line = {
    .name = "store check",
    .usage = "[--replays] [--json]",
    .about = "Checks every page and row of the store: references, ranges, checksums of games, "
             "packages of bots. "
             "Prints a line for each fault. Exit status 1 if there is a fault.",
    .options = check_options,
    .store_fn = check};

/* ---- copy ---- */

struct copying {
    json_t *tables; /* the copied tables as JSON; NULL: each table is printed as text */
    int64_t row_count;
};

static void tell_table(void *context, const struct copy_report *report)
{
    struct copying *copying = context;
    char digest[2 * STORE_DIGEST_BYTES + 1];

    for (int i = 0; i < STORE_DIGEST_BYTES; i++)
        snprintf(digest + 2 * (size_t)i, 3, "%02x", report->sha256[i]);
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

static int copy(struct store *source, struct store *target)
{
    struct copying copying = {.tables = options_json ? json_array() : NULL};
    int error = copy_store(target, source, tell_table, &copying);

    if (!error && options_json)
        return command_print_json(json_pack(
            "{s:s, s:s, s:I, s:o}", "from", store_where(source), "to", store_where(target), "rows",
            (json_int_t)copying.row_count, "tables", copying.tables));
    json_decref(copying.tables);
    if (error == -EEXIST || error == -ENOTSUP)
        return store_option_status(target, error);
    if (error)
        return command_fail("%s; the copy %s is incomplete: remove this copy before you copy again",
                            error == -ENOMEM ? "out of memory" : store_failure(target),
                            store_where(target));
    plain_text_printf(stdout, "%lld row%s copied and read back: %s now holds the same as %s\n",
                      (long long)copying.row_count, plain_text_s(copying.row_count),
                      store_where(target), store_where(source));
    return COMMAND_DONE;
}

static int open_and_copy(int argc, char **argv)
{
    struct store *source, *target;
    struct copy_claims *claims;
    int status = open_store(argv[0], STORE_READ, &source);

    if (status != COMMAND_DONE)
        return status;
    status = store_option_status(source, copy_claim(&claims, source))
                 ?: open_store(argv[1], STORE_CREATE, &target);
    if (status == COMMAND_DONE) {
        status = copy(source, target);
        store_close(target);
    }
    copy_release(claims);
    store_close(source);
    return status;
}

static const struct option copy_options[] = {OPTION_JSON("one JSON object"), {0}};

static const struct command_line copy_line = {
    .name = "store copy",
    .usage = "FROM TO [--json]",
    .about = "Copies a whole league from one store to another, which must be new or empty, and "
             "compares the two: FROM and TO are URLs (sqlite:PATH, "
             "postgresql://USER@HOST/DATABASE) or home folders. Nobody may play or submit "
             "during the copy. FROM stays as it is.",
    .options = copy_options,
    .least = 2,
    .arguments = "name two stores",
    .run_fn = open_and_copy};

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
        "        CREATE ROLE \"%s\" LOGIN CONNECTION LIMIT 32; -- a worker takes one\n"
        "    END IF;\n"
        "    EXECUTE format('GRANT CONNECT ON DATABASE %%I TO \"%s\"', current_database());\n"
        "END $$;\n"
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC;\n"
        "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, \"%s\";\n"
        "REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM PUBLIC, \"%s\";\n"
        "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC, \"%s\";\n"
        "-- Nor may it fill the server's disk.\n"
        "DO $$ DECLARE name regprocedure; BEGIN\n"
        "    EXECUTE format('REVOKE TEMPORARY ON DATABASE %%I FROM PUBLIC', current_database());\n"
        "    IF current_setting('is_superuser') = 'on' THEN\n"
        "        ALTER ROLE \"%s\" SET temp_file_limit = '64MB';\n"
        "        FOR name IN SELECT oid FROM pg_proc WHERE pronamespace = "
        "'pg_catalog'::regnamespace\n"
        "                AND proname IN ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_open', "
        "'lo_put',\n"
        "                    'lo_import', 'lowrite', 'lo_truncate', 'lo_truncate64',\n"
        "                    'pg_logical_emit_message') LOOP\n"
        "            EXECUTE format('REVOKE EXECUTE ON FUNCTION %%s FROM PUBLIC', name);\n"
        "        END LOOP;\n"
        "    ELSE\n"
        "        RAISE WARNING 'the role may fill the server''s disk: let the superuser run "
        "this';\n"
        "    END IF;\n"
        "END $$;\n"
        "GRANT USAGE ON SCHEMA public TO \"%s\";\n"
        "GRANT SELECT ON pavilion TO \"%s\";\n",
        name, name, name, name, name, name, name, name, name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        plain_text_printf(stdout, "GRANT EXECUTE ON FUNCTION %s TO \"%s\";\n", functions[i], name);
    puts("COMMIT;");
}

static const struct option no_options[] = {{0}};

bool command_is_role(const char *name)
{
    return *name && strlen(name) <= STORE_NAME_BYTES_MAX &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}

static int show_role(int argc, char **argv)
{
    const char *name = argv[0];

    if (!command_is_role(name))
        return command_refuse("%s: a role's name is 1 to 32 characters from a-z, 0-9 and _", name);
    print_role(name);
    return COMMAND_DONE;
}

static const struct command_line role_line = {
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
    .options = no_options,
    .least = 1,
    .arguments = "name one role",
    .run_fn = show_role};

/* ---- backup ---- */

static int backup(struct store_call *call)
{
    const char *file = call->argv[0];
    int error = store_backup(call->store, file);

    if (!error)
        plain_text_printf(
            stdout,
            "%s: the backup is written; `arena store check --store sqlite:%s` checks the backup\n",
            file, file);
    return error;
}

static const struct command_line backup_line = {
    .name = "store backup",
    .usage = "FILE",
    .about = "Copies the store to a new file, as it is at one moment, even while seasons are "
             "being played. To restore a backup, replace arena.db in the home with that file.",
    .options = store_options,
    .least = 1,
    .arguments = "name one file",
    .store_fn = backup};

/* ---- upgrade ---- */

/* Opening the store has upgraded it. */
static int tell_version(struct store_call *call)
{
    plain_text_printf(stdout, "%s: version %d of the schema\n", store_where(call->store),
                      STORE_SCHEMA_VERSION);
    return COMMAND_DONE;
}

static const struct command_line upgrade_line = {
    .name = "store upgrade",
    .usage = "",
    .about = "Upgrades a store of an older arena to this arena's schema, in one transaction, and "
             "prints the version of the schema. So does every command that writes to the store; a "
             "command that only reads refuses an older store. An older arena refuses the upgraded "
             "store: back it up first.",
    .options = store_options,
    .mode = STORE_WRITE,
    .store_fn = tell_version};

/* ---- the command ---- */

static const struct command store_commands[] = {
    {"check", &check_line, "check the store for damage"},
    {"backup", &backup_line, "back up the store, even while seasons are being played"},
    {"copy", &copy_line, "copy a league to another store"},
    {"upgrade", &upgrade_line, "upgrade a store of an older arena"},
    {"role", &role_line, "print the SQL of a role for workers"},
    {NULL},
};

const struct command_line command_store = {
    .name = "store", .about = "", .subcommands = store_commands};
