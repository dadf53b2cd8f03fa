/* arena store role: prints the SQL that creates a role for workers. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_role.h"
#include "arena/replay/plain_text.h"
#include "arena/store/store.h"

static const char usage[] =
    "usage: arena store role NAME\n"
    "\n"
    "Prints the SQL that makes a role for workers in PostgreSQL, to be run by the server's\n"
    "superuser in the league's database, or by its owner where the role is there already:\n"
    "\n"
    "    arena store role arena_worker | sudo -u postgres psql league\n"
    "\n"
    "The role may call the functions that a worker needs, and may read no table but the one that\n"
    "tells the schema's version. It can change no season, bot or rating, and reads of a season's\n"
    "secret the seeds of games it holds.\n";

/* The functions that a worker calls. */
static const char *const functions[] = {"worker_register", "worker_claim", "worker_renew",
                                        "worker_return",   "worker_game",  "worker_manifest",
                                        "worker_package"};

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
        "GRANT USAGE ON SCHEMA public TO \"%s\";\n"
        "GRANT SELECT ON pavilion TO \"%s\";\n",
        name, name, name, name, name, name, name, name, name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        plain_text_printf(stdout, "GRANT EXECUTE ON FUNCTION %s TO \"%s\";\n", functions[i], name);
    puts("COMMIT;");
}

int command_store_role(int argc, char **argv)
{
    const struct plain_option options[] = {{.name = NULL}};
    int status;

    if (!plain_options_read(argc, argv, options, usage, NULL, &status))
        return status;
    if (argc - optind != 1)
        return command_refuse("store role: name one role: `arena store role arena_worker`");
    if (strspn(argv[optind], "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(argv[optind]) ||
        strlen(argv[optind]) == 0 || strlen(argv[optind]) > STORE_NAME_BYTES_MAX)
        return command_refuse("%s: write a role's name with 1 to 32 of a-z 0-9 _", argv[optind]);
    print_role(argv[optind]);
    return COMMAND_DONE;
}
