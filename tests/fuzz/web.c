/* SPDX-License-Identifier: MIT */
/*
 * What strangers send: the first byte chooses between a question to the desk (a method, a path, a
 * query and a token, one a line), the desk's own message as bytes and an upload.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arena/base/tree.h"
#include "arena/season/season.h"
#include "arena/site/page.h"
#include "arena/store/archive.h"
#include "arena/store/authors.h"
#include "arena/web/api.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum {
    FIELDS = 7,
    MOST_BYTES = 1 << 16,
};

static const char token[] = "arena_token";
static struct api api = {.version = "fuzz"};
static char folder[] = "/tmp/fuzz-web-XXXXXX";

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* A store with an author, a season and a bot. */
static void make_store(void)
{
    struct store_season season = {.name = "cup",
                                  .player_counts = {2},
                                  .player_count_count = 1,
                                  .budget_games = 2,
                                  .created_us = 1};
    const uint8_t seed[GAME_SEED_BYTES] = {1};
    struct store_author author = {.name = "Ann", .created_us = 1};
    struct store_token key = {.author_id = 1, .created_us = 1};
    struct store_bot bot = {
        .name = "ant", .version = "1", .author = "Ann", .submitted_us = 1, .manifest = "{}"};
    const struct store_package package = {(const uint8_t *)"p", 1};
    char error[TEMPLATE_ERROR_BYTES];

    memset(bot.sha256, 'a', STORE_HASH_DIGITS);
    memset(bot.built_sha256, 'a', STORE_HASH_DIGITS);
    store_token_hash(token, strlen(token), key.sha256);
    require(store_open(&api.store, "sqlite::memory:", STORE_CREATE) == 0);
    require(store_author_add(api.store, &author) == 0);
    require(store_token_add(api.store, &key) == 0);
    require(season_create(api.store, &season, seed, 1) == 0);
    require(store_bot_add(api.store, &bot, package, package) == 0);
    api.bounds = (struct queue_bounds)QUEUE_BOUNDS_DEFAULT;
    api.pages = pages_create(NULL, error);
    require(api.pages);
}

static void ask(const struct api_request *request)
{
    struct api_answer answer;

    api_answer(&api, request, &answer);
    require(answer.status >= 200 && answer.status < 500 && answer.body && answer.type);
    free(answer.body);
}

/* A question whose fields are lines; a token that is not empty is the author's or another. */
static void ask_lines(const char *text)
{
    char *copy = strdup(text), *rest = copy;
    const char *fields[FIELDS] = {NULL};
    char sha256[STORE_HASH_DIGITS + 1];
    struct api_request request = {.upload_fd = -1};

    for (int i = 0; i < FIELDS && rest; i++)
        fields[i] = strsep(&rest, "\n");
    request.method = fields[0] ? fields[0] : "";
    request.path = fields[1] ? fields[1] : "";
    request.query[API_PLAYERS] = fields[2] && *fields[2] ? fields[2] : NULL;
    request.query[API_BOT] = fields[3] && *fields[3] ? fields[3] : NULL;
    request.query[API_AFTER] = fields[4] && *fields[4] ? fields[4] : NULL;
    request.query[API_LIMIT] = fields[5] && *fields[5] ? fields[5] : NULL;
    if (fields[6] && *fields[6]) {
        store_token_hash(fields[6], strlen(fields[6]), sha256);
        request.token_sha256 = sha256;
    }
    ask(&request);
    free(copy);
}

/* The bytes as the web process's message. */
static void ask_json(const char *text, size_t size)
{
    json_t *json = json_loadb(text, size, 0, NULL);
    struct api_request request;

    api_request_read(json, &request);
    ask(&request);
    json_decref(json);
}

static void remove_folder(void)
{
    tree_remove(folder);
}

/* What is converted can be unpacked, or is refused with a line. */
static void convert(const uint8_t *bytes, size_t size)
{
    static uint8_t package[2 * MOST_BYTES + (1 << 16)];
    static int from = -1, to = -1;
    const struct archive_bounds bounds = {.entries_max = 20000};
    char error[ARCHIVE_ERROR_BYTES] = "", path[64];

    if (from < 0) {
        from = memfd_create("from", MFD_CLOEXEC);
        to = memfd_create("to", MFD_CLOEXEC);
        require(mkdtemp(folder) && atexit(remove_folder) == 0);
    }
    require(ftruncate(from, 0) == 0 && pwrite(from, bytes, size, 0) == (ssize_t)size);
    require(ftruncate(to, 0) == 0 && lseek(to, 0, SEEK_SET) == 0);
    if (archive_convert(from, to, MOST_BYTES, &bounds, error) == 0) {
        const ssize_t got = pread(to, package, sizeof package, 0);

        snprintf(path, sizeof path, "%s/bot", folder);
        require(archive_unpack(package, (size_t)got, path, &bounds, error) != ARCHIVE_STOPPED);
        tree_remove(path);
    } else {
        require(*error);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text;

    if (!api.store)
        make_store();
    if (size == 0)
        return 0;
    text = strndup((const char *)bytes + 1, size - 1);
    if (*bytes == 'q')
        ask_lines(text);
    else if (*bytes == 'j')
        ask_json((const char *)bytes + 1, size - 1);
    else
        convert(bytes + 1, size - 1);
    free(text);
    return 0;
}
