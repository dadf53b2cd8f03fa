/* SPDX-License-Identifier: MIT */
/*
 * bench publish: publishes the site of a season of 200 bots and 100,000 games completely, and again
 * after one more game, which may take at most a tenth of the time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/site/publish.h"
#include "tests/bench/bench.h"
#include "tests/bench/crowd.h"

enum {
    BOTS = 200,
    GAMES = 100000,
    FEW_GAMES = 10000, /* among all benches */
    RUNS = 3,          /* the fastest counts */
};

static double publish_ms(const char *home, const char *site, int64_t *written)
{
    const struct publish_request request = {.folder = site, .games = PUBLISH_GAMES};
    struct publish_result result;
    struct store *store;
    int64_t begun_us = bench_now_us();

    if (store_open(&store, home, STORE_READ) < 0)
        bench_refuse("publish: %s", store_failure(store));
    if (publish(store, &request, &result) < 0)
        bench_refuse("publish: %s", result.error);
    store_close(store);
    *written = result.written_count;
    return (double)(bench_now_us() - begun_us) / 1000;
}

static int print_figures(long games)
{
    char room[] = "/tmp/bench-publish-XXXXXX", home[64], site[64], path[128], command[64];
    double whole = 0, more = 0;
    int64_t whole_files = 0, more_files = 0, most_files = 0;
    struct stat status;

    if (!mkdtemp(room))
        bench_refuse("publish: no folder in /tmp");
    snprintf(home, sizeof home, "%s/home", room);
    snprintf(command, sizeof command, "rm -rf %s", room);
    crowd_fill(home, BOTS, games, true);
    for (int i = 0; i < RUNS; i++) {
        double ms;

        snprintf(site, sizeof site, "%s/site-%d", room, i);
        ms = publish_ms(home, site, &whole_files);
        whole = whole == 0 || ms < whole ? ms : whole;
        crowd_fill(home, BOTS, 2, true);
        ms = publish_ms(home, site, &more_files);
        more = more == 0 || ms < more ? ms : more;
        most_files = more_files > most_files ? more_files : most_files;
    }
    snprintf(path, sizeof path, "%s/" CROWD_SEASON "/index.html", site);
    if (stat(path, &status) < 0)
        bench_refuse("publish: %s is missing", path);
    bench_figure("publish.whole", whole, "ms", 0);
    bench_figure("publish.whole_files", (double)whole_files, "files", 0);
    /* The baseline is the allowed time. */
    bench_figure("publish.one_more", more, "ms", whole / 10);
    bench_figure("publish.one_more_files", (double)most_files, "files", 0);
    bench_figure("publish.ladder_page", (double)status.st_size, "bytes", 300000);
    return system(command) == 0 ? 0 : 1;
}

int bench_publish(char **argv, bool few)
{
    long games = few ? FEW_GAMES : GAMES;

    bench_read_options(argv,
                       (const struct bench_option[]){{"--games", &games, 100, 10000000}, {NULL}});
    return print_figures(games);
}
