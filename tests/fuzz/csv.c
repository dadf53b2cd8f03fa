/* SPDX-License-Identifier: MIT */
/* An untrusted file of games is read and rated in every way. */
#include <math.h>
#include <stdlib.h>

#include "arena/rating/csv.h"
#include "arena/rating/elo.h"
#include "arena/rating/fit.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* All numbers of a list are finite. Skips the live list of huge counts, which would take long. */
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct csv csv;
    struct csv_error error = {0};
    int result = csv_read((const char *)bytes, size, &csv, &error);

    require(result == 0 || (error.line > 0 && error.message[0] != '\0'));
    if (result < 0)
        return 0;
    if (csv.games.bot_count <= 64)
        rate(&csv.games);
    csv_finish(&csv);
    return 0;
}
