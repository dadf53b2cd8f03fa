/* SPDX-License-Identifier: MIT */
/* arena author: the accounts of those who submit over the network, and their tokens. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/base/file.h"
#include "arena/base/place.h"
#include "arena/commands/commands.h"
#include "arena/commands/options.h"
#include "arena/base/plain_text.h"
#include "arena/intake/accounts.h"
#include "arena/report/bot.h"
#include "arena/store/names.h"
#include "arena/base/clock.h"

enum {
    SHOWN_DIGITS = 8, /* number of hex digits of a token's hash that commands show */
    DAYS_MAX = 36500,
};

static const char *student; /* --student */

static int add_author(struct store_call *call)
{
    struct store_author author = {.created_us = clock_time_us()};
    char fault[NAME_FAULT_BYTES];
    int result;

    if (student && !store_text_is_valid(student))
        return command_refuse("--student: give 1 to 64 bytes of UTF-8 without control characters");
    snprintf(author.student, sizeof author.student, "%s", student ? student : "");

    if (!store_author_name_read(call->argv[0], author.name, fault))
        return command_refuse("the author's name '%s' %s", call->argv[0], fault);
    result = store_author_add(call->store, &author);
    if (!result)
        plain_text_printf(stdout, "%s is author %lld: `arena author token '%s'` prints a token\n",
                          author.name, (long long)author.id, author.name);
    return result;
}

static const struct option new_options[] = {
    {"student", "NUMBER",
     "the author's number in your own lists: private, only `arena ladder --marks` shows it",
     .text = &student},
    STORE_OPTIONS};

static const struct command_line new_line = {
    .name = "author new",
    .is_remote = true,
    .usage = "NAME [--student NUMBER]",
    .about = "Makes an account for somebody who submits bots over the network. NAME is the "
             "author of their bots, whatever bot.json says.",
    .options = new_options,
    .least = 1,
    .arguments = "name one author",
    .store_fn = add_author,
    .mode = STORE_CREATE};

static int64_t token_days; /* 0: for ever */
static struct store_token new_token = {.scope = STORE_SCOPE_AUTHOR};

static int add_token(struct store_call *call)
{
    struct store_author author;
    char text[STORE_TOKEN_BYTES];
    int error = store_author_find(call->store, call->argv[0], &author);

    if (error)
        return error;
    if (author.erased_us)
        return command_refuse("author token: %s was erased", call->argv[0]);
    if (store_token_draw(text) < 0)
        return command_fail("the system provides no random bytes");
    new_token.author_id = author.id;
    new_token.created_us = clock_time_us();
    new_token.expires_us = token_days ? new_token.created_us + token_days * CLOCK_DAY_US : 0;
    store_token_hash(text, strlen(text), new_token.sha256);
    error = store_token_add(call->store, &new_token);
    if (!error)
        puts(text);
    return error;
}

static const struct option token_options[] = {
    {"expires", "DAYS", "days until the token expires (never)", .number = &token_days, .minimum = 1,
     .maximum = DAYS_MAX, .unit = "days"},
    {"scope", "SCOPE",
     "what the token permits: author: to submit bots; read: only to read; organizer: all that an "
     "organizer may do from another machine, whatever author or season it concerns (author)",
     .word = (unsigned *)&new_token.scope, .words = store_scopes},
    STORE_OPTIONS};

static const struct command_line token_line = {
    .name = "author token",
    .is_remote = true,
    .usage = "NAME [--expires DAYS] [--scope author|read|organizer]",
    .about = "Makes a token for an author and prints it, alone on one line. The store keeps "
             "only its SHA-256, so the arena cannot show the token again.",
    .options = token_options,
    .least = 1,
    .arguments = "name one author",
    .store_fn = add_token,
    .mode = STORE_WRITE};

/* ---- import ---- */

static const char *tokens_path;

/* In the command's transaction, adds the accounts and writes their tokens. */
static int import_into(struct store *store, struct accounts *accounts, const char *list,
                       int64_t now_us)
{
    char error[ACCOUNTS_ERROR_BYTES];
    int result = accounts_add(accounts, store, now_us,
                              token_days ? now_us + token_days * CLOCK_DAY_US : 0, error);

    if (result)
        return result == -ENOMEM || store_error_passes(result)
                   ? command_fail("%s: %s", list, error)
                   : command_refuse("%s: %s", list, error);
    result = accounts_write(accounts, tokens_path);
    if (result)
        return command_refuse_errno(-result, "--tokens %s: %s%s", tokens_path, strerror(-result),
                                    result == -EEXIST ? ": name a new file" : place_cure(result));
    return COMMAND_DONE;
}

static int import(struct store *store, struct accounts *accounts, const char *list)
{
    int status, error = store_begin(store);

    if (error)
        return error;
    status = import_into(store, accounts, list, clock_time_us());
    if (status != COMMAND_DONE) {
        store_rollback(store);
        return status;
    }
    error = store_commit(store);
    if (error)
        unlink(tokens_path);
    else
        plain_text_printf(stdout, "%d author%s made: their tokens are in %s\n", accounts->count,
                          plain_text_s(accounts->count), tokens_path);
    return error;
}

static int import_authors(struct store_call *call)
{
    const char *list = call->argv[0];
    struct accounts accounts = {.count = 0};
    char error[ACCOUNTS_ERROR_BYTES];
    uint8_t *text;
    size_t size;
    int result;

    if (!tokens_path)
        return command_refuse("author import: name the new file for the tokens with --tokens FILE");
    result = file_read(list, ACCOUNTS_BYTES_MAX, &text, &size);
    if (result)
        return command_refuse_errno(-result, "%s: %s", list, strerror(-result));
    result = accounts_read(&accounts, (const char *)text, size, error);
    if (result == 0)
        result = import(call->store, &accounts, list);
    else
        result = result == -EINVAL ? command_refuse("%s: %s", list, error)
                                   : command_fail("out of memory");
    accounts_finish(&accounts);
    free(text);
    return result;
}

static const struct option import_options[] = {
    {"tokens", "FILE",
     "the new file for the tokens, a line author,student,token for each account, which only you "
     "can read",
     .text = &tokens_path, .path = PATH_MADE},
    {"expires", "DAYS", "days until the tokens expire (never)", .number = &token_days, .minimum = 1,
     .maximum = DAYS_MAX, .unit = "days"},
    STORE_OPTIONS};

static const struct command_line import_line = {
    .name = "author import",
    .is_remote = true,
    .last_path = PATH_READ,
    .usage = "LIST --tokens FILE [--expires DAYS]",
    .about = "Makes an account, with a token, for each line of LIST, a CSV file whose first line "
             "names its columns: author, and student if you have student numbers. If a line is "
             "wrong, no account is made.",
    .options = import_options,
    .least = 1,
    .arguments = "name one list",
    .store_fn = import_authors,
    .mode = STORE_CREATE};

/* ---- list ---- */

struct listing {
    struct store *store;
    int count, status; /* number of authors listed; a command's status, or an error of the store */
    json_t *tokens;    /* tokens of the author that is being listed, with --json */
};

static void print_token(const struct store_token *token)
{
    char created[COLUMNS_TEXT_BYTES], used[COLUMNS_TEXT_BYTES], expires[COLUMNS_TEXT_BYTES];

    column_write_moment(token->created_us, created);
    column_write_moment(token->used_us, used);
    column_write_moment(token->expires_us, expires);
    plain_text_printf(stdout, "  %.*s  %-7s  %-9s  made %s%s%s%s%s\n", SHOWN_DIGITS, token->sha256,
                      report_token_state(token, clock_time_us()), store_scopes[token->scope],
                      created, *used ? ", used " : "", used, *expires ? ", until " : "", expires);
}

static int list_token(void *context, const struct store_token *token)
{
    struct listing *listing = context;
    const int64_t now_us = clock_time_us();

    if (!options_json)
        print_token(token);
    else
        json_array_append_new(listing->tokens,
                              columns_row_json(&token_columns, token, &now_us, READER_ORGANIZER));
    return 0;
}

static int list_author(void *context, const struct store_author *author)
{
    struct listing *listing = context;
    int error;

    listing->count++;
    if (!options_json)
        plain_text_printf(stdout, "%-24s  author-%lld%s\n", author->name, (long long)author->id,
                          author->erased_us ? "  erased" : "");
    listing->tokens = json_array();
    error = store_tokens_each(listing->store, author->id, list_token, listing);
    if (!error && options_json)
        listing->status = command_print_json(
            columns_row_json(&author_columns, author, listing->tokens, READER_ORGANIZER));
    json_decref(listing->tokens);
    if (error)
        listing->status = error;
    return listing->status != COMMAND_DONE;
}

static int list_authors(struct store_call *call)
{
    struct listing listing = {.store = call->store};
    int error = store_authors_each(call->store, list_author, &listing);

    if (error && error != -EINTR)
        listing.status = error;
    if (!listing.count && !options_json && listing.status == COMMAND_DONE)
        puts("no authors yet: `arena author new NAME` makes one");
    return listing.status;
}

static const struct option list_options[] = {OPTION_JSON("one JSON object per author"),
                                             STORE_OPTIONS};

static const struct command_line list_line = {
    .name = "author list",
    .is_remote = true,
    .usage = "[--json]",
    .about = "Lists the authors, each with its number, by which events name who did something "
             "over the network, and their tokens: the first digits of each token's SHA-256, "
             "and when it was made and last used (exact to an hour).",
    .options = list_options,
    .store_fn = list_authors};

/* ---- student, revoke, rename, erase ---- */

static int set_student(struct store_call *call)
{
    const char *number = call->argc > 1 ? call->argv[1] : "";
    int error = store_author_set_student(call->store, call->argv[0], number);

    if (!error)
        plain_text_printf(stdout, "%s %s\n", call->argv[0],
                          *number ? "has the student number that you gave"
                                  : "has no student number");
    return error;
}

static const struct command_line student_line = {
    .name = "author student",
    .is_remote = true,
    .usage = "NAME [NUMBER]",
    .about = "Sets an author's student number, or removes it. The number is private: only "
             "`arena ladder SEASON --marks` shows it, and erasing the author removes it.",
    .options = store_options,
    .least = 1,
    .most = 2,
    .arguments = "name one author and at most one number",
    .store_fn = set_student,
    .mode = STORE_WRITE};

static int revoke_tokens(struct store_call *call)
{
    const char *token = call->argc > 1 ? call->argv[1] : "";
    struct store_author author;
    int error = store_author_find(call->store, call->argv[0], &author)
                    ?: store_token_revoke(call->store, author.id, token, clock_time_us());

    if (!error)
        plain_text_printf(stdout, "%s: %s\n", call->argv[0],
                          *token ? "the token is revoked" : "all tokens are revoked");
    return error;
}

static const struct command_line revoke_line = {
    .name = "author revoke",
    .is_remote = true,
    .usage = "NAME [TOKEN]",
    .about = "Revokes all tokens of an author, or one token: `arena author list` shows the "
             "first digits that name a token. From then on the arena refuses a revoked token.",
    .options = store_options,
    .least = 1,
    .most = 2,
    .arguments = "name one author and at most one token",
    .store_fn = revoke_tokens,
    .mode = STORE_WRITE};

static int rename_author(struct store_call *call)
{
    int result = store_author_rename(call->store, call->argv[0], call->argv[1]);

    if (!result)
        plain_text_printf(stdout, "%s is now %s\n", call->argv[0], call->argv[1]);
    return result;
}

static const struct command_line rename_line = {
    .name = "author rename",
    .is_remote = true,
    .usage = "NAME NEW-NAME",
    .about = "Renames an author everywhere: in bots, submissions and bans. Tokens stay valid.",
    .options = store_options,
    .least = 2,
    .arguments = "name the author, and the new name",
    .store_fn = rename_author,
    .mode = STORE_WRITE};

static int erase(struct store_call *call)
{
    int error = store_author_erase(call->store, call->argv[0], clock_time_us());

    if (!error)
        plain_text_printf(stdout, "%s is erased\n", call->argv[0]);
    return error;
}

static const struct command_line erase_line = {
    .name = "author erase",
    .is_remote = true,
    .usage = "NAME",
    .about = "Erases an author: the name, the tokens and the reports go, and the bots are "
             "retired. Their packages and manifests go at once, or when the last season in "
             "which these bots play closes. Games and ranks stay, under the name "
             "author-NUMBER; so do replays, "
             "with what the bots wrote in their notes, until `arena season prune` removes them.",
    .options = store_options,
    .least = 1,
    .arguments = "name one author",
    .store_fn = erase,
    .mode = STORE_WRITE};

static const struct command subcommands[] = {
    {"new", &new_line, "make an account"},
    {"token", &token_line, "make a token and print it"},
    {"import", &import_line, "make an account with a token for each line of a CSV file"},
    {"student", &student_line, "set an author's student number"},
    {"list", &list_line, "list the authors and their tokens"},
    {"revoke", &revoke_line, "revoke tokens"},
    {"rename", &rename_line, "rename an author"},
    {"erase", &erase_line, "erase an author; games and ranks stay"},
    {NULL},
};

const struct command_line command_author = {
    .name = "author",
    .about = "Manages the accounts of authors who submit bots over the network.",
    .subcommands = subcommands};
