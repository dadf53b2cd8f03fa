/* SPDX-License-Identifier: MIT */
#include "arena/intake/accounts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/base/array.h"
#include "arena/base/plain_text.h"
#include "arena/report/columns.h"
#include "arena/store/names.h"

enum {
    COLUMNS_MAX = 32,
    FIELD_BYTES = 256, /* room for a field, NUL included */
};

/* The list while it is read. */
struct reading {
    const char *at, *end;
    int line;       /* of the row that is read */
    int lines;      /* line ends that were passed */
    char separator; /* between fields */
    char *error;
};

/* Writes what is wrong with the row. The value of the macro is -EINVAL. */
#define REFUSE(reading, ...)                                                                       \
    (refuse_at(reading),                                                                           \
     snprintf((reading)->error + strlen((reading)->error),                                         \
              ACCOUNTS_ERROR_BYTES - strlen((reading)->error), __VA_ARGS__),                       \
     -EINVAL)

static void refuse_at(struct reading *reading)
{
    snprintf(reading->error, ACCOUNTS_ERROR_BYTES, "line %d: ", reading->line);
}

static bool is_at_end(const struct reading *reading)
{
    return reading->at == reading->end || *reading->at == '\n' || *reading->at == '\r';
}

/*
 * Reads a field without the blanks around it, and the separator after it. Returns 0 or -EINVAL.
 */
static int read_field(struct reading *reading, char field[static FIELD_BYTES])
{
    bool is_quoted = reading->at < reading->end && *reading->at == '"';
    size_t size = 0;

    reading->at += is_quoted;
    for (;; reading->at++) {
        if (is_quoted && reading->at == reading->end)
            return REFUSE(reading, "a quote is not closed");
        if (!is_quoted && (is_at_end(reading) || *reading->at == reading->separator))
            break;
        if (is_quoted && *reading->at == '"' &&
            (++reading->at == reading->end || *reading->at != '"'))
            break;
        if (size + 1 == FIELD_BYTES)
            return REFUSE(reading, "a field has more than %d bytes", FIELD_BYTES - 1);
        if (!*reading->at)
            return REFUSE(reading, "a byte is 0: save the list as CSV in UTF-8");
        reading->lines += *reading->at == '\n';
        field[size++] = *reading->at;
    }
    while (!is_quoted && size > 0 && field[size - 1] == ' ')
        size--;
    field[size] = '\0';
    if (!is_quoted)
        memmove(field, field + strspn(field, " "), strlen(field + strspn(field, " ")) + 1);
    if (!is_at_end(reading) && *reading->at != reading->separator)
        return REFUSE(reading, "text follows the quoted field \"%.64s\"", field);
    return 0;
}

/*
 * Reads the fields of the next row that is not empty. Returns their number, 0 at the end of the
 * list, or -EINVAL.
 */
static int read_row(struct reading *reading, char fields[static COLUMNS_MAX][FIELD_BYTES])
{
    int count = 0;

    for (; reading->at < reading->end && is_at_end(reading); reading->at++)
        reading->lines += *reading->at == '\n';
    reading->line = reading->lines + 1;
    if (reading->at == reading->end)
        return 0;
    for (;; reading->at++) {
        if (count == COLUMNS_MAX)
            return REFUSE(reading, "there are more than %d fields", COLUMNS_MAX);
        if (read_field(reading, fields[count]) < 0)
            return -EINVAL;
        count++;
        if (is_at_end(reading))
            return count;
    }
}

/* Fills an account from its fields. Returns 0 or -EINVAL. */
static int take_account(struct reading *reading, const struct accounts *before, const char *name,
                        const char *student, struct account *account)
{
    char fault[NAME_FAULT_BYTES];

    *account = (struct account){.line = reading->line};
    if (!*name)
        return REFUSE(reading, "the author has no name");
    if (!store_author_name_read(name, account->author.name, fault))
        return REFUSE(reading, "the author's name '%.64s' %s", name, fault);
    if (*student && !store_text_is_valid(student))
        return REFUSE(reading, "the student number is longer than %d bytes, or not plain UTF-8",
                      STORE_TEXT_BYTES_MAX);
    snprintf(account->author.student, sizeof account->author.student, "%.*s", STORE_TEXT_BYTES_MAX,
             student);
    for (int i = 0; i < before->count; i++) {
        const struct account *other = &before->list[i];

        if (*student && strcmp(other->author.student, account->author.student) == 0)
            return REFUSE(reading, "line %d has the same student number, %s", other->line, student);
        if (store_author_names_match(other->author.name, account->author.name))
            return REFUSE(reading, "the author '%s' is on line %d, too, or looks alike", name,
                          other->line);
    }
    return 0;
}

/* Finds the columns by their names. Returns the number of columns or -EINVAL. */
static int read_heading(struct reading *reading, int *author, int *student)
{
    char fields[COLUMNS_MAX][FIELD_BYTES];
    size_t size = strcspn(reading->at, "\r\n");
    int count;

    reading->separator = memchr(reading->at, ';', size)    ? ';'
                         : memchr(reading->at, '\t', size) ? '\t'
                                                           : ',';
    *author = *student = -1;
    count = read_row(reading, fields);
    for (int i = 0; i < count; i++) {
        int *column = strcasecmp(fields[i], "author") == 0    ? author
                      : strcasecmp(fields[i], "student") == 0 ? student
                                                              : NULL;

        if (!column)
            return REFUSE(reading, "column '%.64s' is neither author nor student: remove it",
                          fields[i]);
        if (*column >= 0)
            return REFUSE(reading, "there are two columns %s", fields[i]);
        *column = i;
    }
    if (count >= 0 && *author < 0)
        return REFUSE(reading, "the first line must name the columns: author,student");
    return count;
}

int accounts_read(struct accounts *accounts, const char *text, size_t size,
                  char error[static ACCOUNTS_ERROR_BYTES])
{
    const size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    struct reading reading = {.at = text + mark, .end = text + size, .error = error};
    char fields[COLUMNS_MAX][FIELD_BYTES];
    int author, student, columns = read_heading(&reading, &author, &student);
    int count = columns, result = 0;

    while (columns > 0 && result == 0 && (count = read_row(&reading, fields)) > 0) {
        struct account account;

        if (count != columns)
            result = REFUSE(&reading, "%d field%s, but the first line has %d", count,
                            plain_text_s(count), columns);
        else if (accounts->count == ACCOUNTS_MAX)
            result = REFUSE(&reading, "there are more than %d accounts", ACCOUNTS_MAX);
        else
            result = take_account(&reading, accounts, fields[author],
                                  student < 0 ? "" : fields[student], &account)
                         ?: array_add(&accounts->list, &accounts->count, &account, sizeof account);
    }
    if (columns < 0 || count < 0)
        return -EINVAL;
    if (result == 0 && accounts->count == 0)
        return REFUSE(&reading, "the list has no account");
    return result;
}

int accounts_add(struct accounts *accounts, struct store *store, int64_t now_us, int64_t expires_us,
                 char error[static ACCOUNTS_ERROR_BYTES])
{
    int result = 0;

    for (int i = 0; i < accounts->count && !result; i++) {
        struct account *account = &accounts->list[i];
        struct store_token token = {.created_us = now_us, .expires_us = expires_us};

        account->author.created_us = now_us;
        result = store_author_add(store, &account->author);
        if (!result && store_token_draw(account->token) < 0)
            result = store_refuse(store, -EIO, "the system provides no random bytes");
        token.author_id = account->author.id;
        store_token_hash(account->token, strlen(account->token), token.sha256);
        result = result ?: store_token_add(store, &token);
        if (result)
            snprintf(error, ACCOUNTS_ERROR_BYTES, "line %d: %s", account->line,
                     store_failure(store));
    }
    return result;
}

int accounts_write(const struct accounts *accounts, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    int error = file ? 0 : -errno;

    if (!file) {
        if (fd >= 0) {
            close(fd);
            unlink(path);
        }
        return error;
    }
    fputs("author,student,token\n", file);
    for (int i = 0; i < accounts->count; i++) {
        csv_field_write(file, accounts->list[i].author.name);
        fputc(',', file);
        csv_field_write(file, accounts->list[i].author.student);
        fprintf(file, ",%s\n", accounts->list[i].token);
    }
    if (fflush(file) != 0 || ferror(file) || fsync(fileno(file)) < 0)
        error = -(errno ?: EIO);
    if (fclose(file) != 0 && !error)
        error = -errno;
    if (error)
        unlink(path);
    return error;
}

void accounts_finish(struct accounts *accounts)
{
    free(accounts->list);
    *accounts = (struct accounts){0};
}
