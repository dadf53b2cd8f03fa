/* An untrusted file of games: read at once and in pieces, then rated in every way. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/rating/csv.h"
#include "arena/rating/elo.h"
#include "arena/rating/fit.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* Every number of a list is one; results with huge counts would only take long live. */
static void rate(const struct games *games)
{
    struct fit fit;

    require(fit_init(&fit, games, FIT_PRIOR_NONE) == 0);
    for (int i = 0; i < games->bot_count; i++)
        require(isfinite(fit.bots[i].elo) && isfinite(fit.bots[i].se_elo));
    fit_finish(&fit);
    if (games->game_count < 10000) {
        struct elo_bot *bots = calloc((size_t)games->bot_count + 1, sizeof *bots);
        int64_t sum = 0;

        require(bots);
        elo_rate(games, NULL, 0, bots, NULL, NULL);
        for (int i = 0; i < games->bot_count; i++)
            sum += bots[i].rating_micro - ELO_START_MICRO;
        require(sum == 0);
        free(bots);
    }
}

static void require_same(const struct games *games, const struct games *others)
{
    size_t bot_count = (size_t)others->bot_count;

    require(games->bot_count == others->bot_count && games->table_count == others->table_count);
    require(games->game_count == others->game_count && games->group_count == others->group_count);
    require(memcmp(games->bots, others->bots, bot_count * sizeof *games->bots) == 0);
    for (size_t b = 1; b < bot_count; b++)
        require(memcmp(games_pair_of(games, 0, (int)b), games_pair_of(others, 0, (int)b),
                       b * sizeof *games->pairs) == 0);
}

/* Reading the same text line by line must have the same result. */
static void read_in_pieces(const char *text, size_t size, int expected, int64_t expected_line,
                           const struct games *games)
{
    struct csv_reader *reader = csv_reader_create();
    struct csv csv;
    struct csv_error error = {0};
    int result = 0;

    require(reader);
    for (const char *end; result == 0 && (end = memchr(text, '\n', size));) {
        size_t line_bytes = (size_t)(end + 1 - text);
        size_t taken_bytes;

        result = csv_reader_feed(reader, text, line_bytes, &taken_bytes, &error);
        require(result < 0 || taken_bytes == line_bytes);
        text += line_bytes;
        size -= line_bytes;
    }
    if (result == 0)
        result = csv_reader_end(reader, text, size, &csv, &error);
    require(result == expected && (result == 0 || error.line == expected_line));
    if (result == 0) {
        require_same(&csv.games, games);
        csv_finish(&csv);
    }
    csv_reader_destroy(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct csv_reader *reader = csv_reader_create();
    struct csv csv;
    struct csv_error error = {0};
    int result;

    require(reader);
    result = csv_reader_end(reader, (const char *)bytes, size, &csv, &error);
    csv_reader_destroy(reader);
    require(result == 0 || (error.line > 0 && error.message[0] != '\0'));
    read_in_pieces((const char *)bytes, size, result, error.line, &csv.games);
    if (result < 0)
        return 0;
    if (csv.games.bot_count <= 64)
        rate(&csv.games);
    csv_finish(&csv);
    return 0;
}
